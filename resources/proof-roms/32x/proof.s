| A proof ROM for the 32X, its 68000 side; ../README.md says what it does.
        .equ MARS, 1
        .equ answers,       0xFF010E    | >u2  1: the SH-2 gave the right answer on every frame
        .equ ADAPTER,       0xA15100
        .equ QUESTION,      0xA15128
        .equ ANSWER,        0xA1512A
        .equ CART, 0x880000             | where the 68000 sees the ROM when the 32X is on

        .text
        .long 0x00FFFE00, 0x3F0         | the 32X is off after a reset
        .rept 62
        .long 0x3F0
        .endr
        .ascii "SEGA 32X        "
        .ascii "(C)PROOF 2026   "
        .ascii "PROOF ROM                                       "
        .ascii "PROOF ROM                                       "
        .ascii "GM 00000000-00"
        .word 0
        .ascii "J6              "
        .long 0, 0x3FFF, 0xFF0000, 0xFFFFFF
        .ascii "            "
        .ascii "                                                    "
        .ascii "JUE             "
        .rept 37                        | the jumps that the exceptions of the 68000 take
        .word 0x4EF9
        .long halt
        .endr
        .org 0x3C0
        .ascii "MARS CHECK MODE "
        .long 0
        .long sh2 - CART, 0, sh2_end - sh2              | from ROM into the SH-2s' RAM
        .long 0x06000000, 0x06000000, 0x06000000, 0x06000000
        .org 0x3F0
        move.w #0x2700, %sr
        lea switch_on - CART, %a0       | the ROM goes away from under us: from RAM
        lea 0xFFF000, %a1
        moveq #7, %d0
copy:
        move.l (%a0)+, (%a1)+
        dbra %d0, copy
        jmp 0xFFF000
switch_on:
        move.b #1, ADAPTER + 1          | on, the SH-2s held
        move.b #3, ADAPTER + 1          | and let go
        jmp start:l
        .org 0x800

ask_sh2:
        move.w ANSWER, %d0
        move.w frame_counter, %d1
        subq.w #1, %d1                  | asked in the frame before
        not.w %d1
        cmp.w %d0, %d1
        beq right
        clr.w answers
right:
        move.w frame_counter, QUESTION
        rts

        .include "genesis/body.s"
        .balign 4
sh2:
        .incbin "sh2.bin"
sh2_end:
        .balign 0x4000, 0xFF
