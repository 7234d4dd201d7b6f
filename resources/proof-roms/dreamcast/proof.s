! A program for a Dreamcast without a BIOS or a disc; ../README.md says what it does. Loaded at 0x8C010000.
! All memory and registers are reached past the cache, as the pad's bus reaches them.
        .text
        .global start
        .include "saturn/rules.s"               ! variables from 0x0C020100 on, <u4
! input: X Y 0 Right Left Down Up Start A B 0, from bit 10 down
        .equ triggers,      0x14                ! |u1 each: two bytes of the answer's buttons, right, left
        .equ stick,         0x18                ! |u1 each: x, y; 128 is the middle

start:
        mov.l status, r0
        ldc r0, sr                              ! no interrupts
        mov.l memory, r14
        mov.l video, r13
        mov.l maple, r12
        mov.l vertical_sync, r11
        mov #-1, r10                            ! the lives that the picture shows
        mova settings, r0
        mov r0, r1
next_setting:
        mov.l @r1+, r2
        tst r2, r2
        bt set
        mov.l @r1+, r3
        bra next_setting
        mov.l r3, @r2
set:
        bsr new_game
        nop
frame:
        mov.l @(0x0C, r13), r0                  ! wait for the blank to end, then to begin
        tst r11, r0
        bf frame
blank:
        mov.l @(0x0C, r13), r0
        tst r11, r0
        bt blank
        mov.l @(frame_counter, r14), r0
        add #1, r0
        mov.l r0, @(frame_counter, r14)
        bsr read_pad
        nop
        follow_rules                            ! the whole picture shows the lives
        cmp/eq r0, r10
        bt frame
        mov r0, r10
        shll2 r0
        shll r0
        mov r0, r1
        shll16 r1
        or r1, r0
        mov.l picture, r1
        mov.l pairs, r2
paint:
        mov.l r0, @r1
        dt r2
        bf/s paint
        add #4, r1
        bra frame
        nop

        begin_game

! r9: the buttons that went down. The pad answers with a 0 for each pressed button.
read_pad:
        mov.l request, r0
        mov.l r0, @(0x04, r12)
        mov #1, r0
        mov.l r0, @(0x14, r12)
        mov.l r0, @(0x18, r12)
transfer:
        mov.l @(0x18, r12), r0
        tst #1, r0
        bf transfer
        mov #0, r9
        mov.l answer, r1
        mov.l @r1, r0
        extu.b r0, r0
        cmp/eq #8, r0                           ! 8: data; else no pad answered
        bf no_pad
        mov.l @(0x08, r1), r0
        mov.l r0, @(triggers, r14)
        not r0, r2
        mov.l @(0x0C, r1), r0
        mov.l r0, @(stick, r14)
        mov.l lines, r0
        and r0, r2
        mov.l @(input, r14), r9
        not r9, r9
        and r2, r9
        mov.l r2, @(input, r14)
no_pad:
        rts
        nop

        .balign 4
status:         .long 0x400000F0
memory:         .long 0xAC020100
video:          .long 0xA05F8100
maple:          .long 0xA05F6C00
vertical_sync:  .long 0x2000
request:        .long 0x0C020000
answer:         .long 0xAC020020
lines:          .long 0x06FE                    ! the buttons of the usual pad
start_button:   .long 0x0008
score_button:   .long 0x0004
lives_button:   .long 0x0400
picture:        .long 0xA5000000
pairs:          .long 320 * 240 / 2

! Addresses and the numbers that they get.
settings:
        .long 0xAC020100, 0                     ! frame_counter
        .long 0xAC020110, 0                     ! input
        .long 0xAC020114, 0                     ! triggers
        .long 0xAC020118, 0                     ! stick
        .long 0xAC020000, 0x80000001            ! the only request: port A, two words
        .long 0xAC020004, 0x0C020020            ! the place of its answer
        .long 0xAC020008, 0x01002009            ! get the condition of the pad
        .long 0xAC02000C, 0x01000000            ! as a controller
        .long 0xAC020020, 0                     ! no answer yet
        .long 0xA05F6C14, 0                     ! SB_MDEN: the bus stands while it is set up
        .long 0xA05F6C10, 0                     ! SB_MDTSEL: the program starts each transfer
        .long 0xA05F6C80, 0x3A980000            ! SB_MSYS: patience of 15000 ticks, two megabits a second
        .long 0xA05F6C8C, 0x6155404F            ! SB_MDAPRO: all 16 MiB of memory
        .long 0xA05F6CE8, 1                     ! SB_MMSEL: the usual order of bits
        .long 0xA05F80D0, 0x00000140            ! SPG_CONTROL: NTSC, not interlaced
        .long 0xA05F80D8, 0x01060359            ! SPG_LOAD: 263 lines of 858 ticks
        .long 0xA05F80D4, 0x008D034B            ! SPG_HBLANK
        .long 0xA05F80DC, 0x00150104            ! SPG_VBLANK: from line 260 to line 21
        .long 0xA05F80EC, 0x000000A4            ! VO_STARTX
        .long 0xA05F80F0, 0x00180018            ! VO_STARTY
        .long 0xA05F80E8, 0x00160100            ! VO_CONTROL: each pixel twice as wide
        .long 0xA05F8050, 0                     ! FB_R_SOF1: the picture begins with video memory
        .long 0xA05F8054, 0                     ! FB_R_SOF2
        .long 0xA05F805C, (1 << 20) | (239 << 10) | 159 ! FB_R_SIZE: 320 x 240 pixels of two bytes
        .long 0xA05F8044, 0x00000005            ! FB_R_CTRL: shown, 5 6 5 bits
        .long 0
