/* Locks a file and ends a child with its parent, as libretro_host/processes/windows.py does. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

_Static_assert(EXCLUSIVE == LOCKFILE_EXCLUSIVE_LOCK && AT_ONCE == LOCKFILE_FAIL_IMMEDIATELY, "");
_Static_assert(KILL_ON_CLOSE == JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, "");
_Static_assert(EXTENDED_LIMITS == JobObjectExtendedLimitInformation, "");
_Static_assert(MAY_JOIN == (PROCESS_TERMINATE | PROCESS_SET_QUOTA), "");
_Static_assert(4 * OVERLAPPED_WORDS == sizeof(OVERLAPPED), "");
_Static_assert(4 * OFFSET_AT == offsetof(OVERLAPPED, OffsetHigh), "");
_Static_assert(4 * LIMITS_WORDS == sizeof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION), "");
_Static_assert(4 * FLAGS_AT == offsetof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
                                    BasicLimitInformation.LimitFlags), "");

static HANDLE opened(void) {
    return CreateFileA("locked", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       NULL, OPEN_ALWAYS, 0, NULL);
}

static BOOL lock(HANDLE file) {
    OVERLAPPED place = {.OffsetHigh = 1 << 30};
    return LockFileEx(file, EXCLUSIVE | AT_ONCE, 0, 1, 0, &place);
}

static void say(const char *word) {
    puts(word);
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count > 1 && !strcmp(arguments[1], "child")) {
        Sleep(60000);
        say("survived");
        return 0;
    }
    DWORD done;
    char content[4];
    HANDLE first = opened(), second = opened();
    WriteFile(first, "text", 4, &done, NULL);
    say(lock(first) ? "locked" : "no lock");
    say(lock(second) ? "taken twice" : "held");
    say(ReadFile(second, content, 4, &done, NULL) && done == 4 ? "readable" : "unreadable");
    CloseHandle(first);
    say(lock(second) ? "free" : "still held");

    char command[2 * MAX_PATH];
    snprintf(command, sizeof command, "\"%s\" child", arguments[0]);
    STARTUPINFOA start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    if (!CreateProcessA(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
        return 2;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    limits.BasicLimitInformation.LimitFlags = KILL_ON_CLOSE;
    HANDLE process = OpenProcess(MAY_JOIN, FALSE, child.dwProcessId);
    if (!SetInformationJobObject(job, EXTENDED_LIMITS, &limits, sizeof limits) ||
        !AssignProcessToJobObject(job, process))
        return 3;
    say("started");
    return 0; /* without closing the job, as a program that is killed */
}
