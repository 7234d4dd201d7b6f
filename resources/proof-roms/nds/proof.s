@ A proof ROM for the Nintendo DS, its ARM9 side; ../README.md says what it does.
        .equ DS, 1
        .equ BLANK_LINE, 192

        .text
        .arm
start:
        ldr sp, =0x02300000
        mov r8, #0x04000000
        ldr r0, =0x8203                 @ both screens on
        ldr r1, =0x04000304
        strh r0, [r1]
        mov r0, #0x10000                @ the backdrops only
        str r0, [r8]
        add r1, r8, #0x1000
        str r0, [r1]
        mov r9, #0x02000000
        orr r9, r9, #0x100
        mov r0, #0
        str r0, [r9, #frame_counter]
        strh r0, [r9, #input]
        bl new_game
        .include "gbadvance/body.s"
        .balign 512
