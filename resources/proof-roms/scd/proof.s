| The boot ROM of a Sega CD whose BIOS is this program; ../README.md says what it does.
        .text
        .equ SCD, 1
        .long 0x00FFFE00, start
        .rept 62
        .long halt
        .endr
        .ascii "SEGA GENESIS    "
        .ascii "(C)PROOF 2026   "
        .ascii "PROOF BOOT ROM                                  "
        .ascii "PROOF BOOT ROM                                  "
        .ascii "BR 00000000-00"
        .word 0
        .ascii "J6              "
        .long 0, 0x1FFFF, 0xFF0000, 0xFFFFFF
        .ascii "            "
        .ascii "                                                    "
        .ascii "JUE             "
        .include "genesis/body.s"

| Let the sub processor run and stop it: its memory is ours while it stands still.
take_sub_memory:
        move.b #0, 0xA12002             | nothing is protected
        move.b #1, 0xA12001
        move.b #3, 0xA12001
        rts
        .balign 0x2000, 0xFF
