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
        add r2, r8, #0x100
        mov r0, #0x80                   @ sound on, then direct sound A on both sides by timer 0
        strh r0, [r8, #0x84]
        ldr r0, =0x0B04
        strh r0, [r8, #0x82]
        ldr r0, =0x0080FC00             @ timer 0: a sample each 1024 cycles
        str r0, [r2]
        ldr r0, =0x0081F800             @ timer 2: overflows each 2048 times 64 cycles
        str r0, [r2, #8]
        ldr r0, =0x00840000             @ timer 3 counts that
        str r0, [r2, #12]
        .include "gbadvance/body.s"
@ In flight at the end of each frame: timers in a chain, a DMA that feeds sound, and the save chip.
machine:
        add r2, r8, #0x100
        ldrh r1, [r2, #12]
        strh r1, [r9, #timer]
        mov r1, #0x0E000000
        strb r0, [r1]
        tst r0, #15                     @ r0: the frame
        bxne lr
        mov r1, #0
        str r1, [r8, #0xC4]
        ldr r1, =0x08000000             @ the program is the wave
        str r1, [r8, #0xBC]
        ldr r1, =0x040000A0
        str r1, [r8, #0xC0]
        ldr r1, =0xB6400000
        str r1, [r8, #0xC4]
        bx lr
        .ltorg
        .balign 4096
