@ A proof ROM for the Game Boy Advance; ../README.md says what it does.
        .equ BLANK_LINE, 160

        .text
        .arm
        b start
        .space 156                      @ no picture for the BIOS: emulators do without
        .ascii "PROOF ROM\0\0\0"
        .ascii "PROF00"
        .byte 0x96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
start:
        ldr sp, =0x03007F00
        mov r8, #0x04000000
        mov r0, #0
        strh r0, [r8]                   @ the backdrop only
        mov r9, #0x02000000             @ not `ldr r9, =base`: a pointer into this RAM makes mGBA take
        orr r9, r9, #0x100              @ a small ROM for one that is to be loaded there
        str r0, [r9, #frame_counter]
        strh r0, [r9, #input]
        bl new_game
        .include "gbadvance/body.s"
        .balign 4096
