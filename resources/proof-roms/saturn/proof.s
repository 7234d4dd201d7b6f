! The boot ROM of a Saturn whose BIOS is this program; ../README.md says what it does.
        .text
        .include "saturn/rules.s"               ! variables from 0x06000100 on, >u4
! input: L 0 0 0 Start A C B Right Left Down Up R X Y Z, from bit 15 down
        .equ level,         0x14                ! |u1  1; an odd place in memory of swapped words
        .equ bonus,         0x15                ! |u1  2
        .equ drive,         0x18                ! >u4  the drive's status: 1 stands, 6 open, 7 empty
        .equ disc_end,      0x1C                ! >u4  where the disc ends, in sectors

        .long start, 0x26002000, start, 0x26002000

start:
        mov.l stack, r15
        mov.l memory, r14
        mov.l smpc, r13                         ! the pad's lines: data 0, direction 4, mode 8
        mov.l vdp2, r12
        mov #0, r0
        mov.l r0, @(frame_counter, r14)
        mov.l r0, @(input, r14)
        mov #1, r0
        mov.b r0, @(8, r13)                     ! this program drives the lines of port 1
        mov r14, r1
        add #level, r1
        mov.b r0, @r1
        mov #2, r0
        mov.b r0, @(1, r1)
        mov #0x60, r0
        mov.b r0, @(4, r13)                     ! both select lines are outputs
        mov #0, r0
        mov r12, r1
        add #0x7E, r1                           ! the place of the backdrop's color: the begin of video memory
        add #0x2E, r1
        mov.w r0, @r1
        mov.w r0, @(2, r1)
        mov.w display_on, r0
        mov.w r0, @r12
        bsr new_game
        nop
frame:
        mov.w @(4, r12), r0                     ! wait for the blank to end, then to begin
        tst #8, r0
        bf frame
blank:
        mov.w @(4, r12), r0
        tst #8, r0
        bt blank
        mov.l @(frame_counter, r14), r0
        add #1, r0
        mov.l r0, @(frame_counter, r14)
        bsr read_pad
        nop
        bsr ask_drive
        nop
        follow_rules                            ! the backdrop shows the lives
        shll2 r0
        shll r0
        mov.l video_memory, r1
        bra frame
        mov.w r0, @r1

        begin_game

! r9: the buttons that went down. A pressed button is a 0 on its line.
read_pad:
        mov #0x60, r3
        mov #0, r2
next_nibble:
        mov r3, r0
        mov.b r0, @r13
        mov.b @r13, r0
        not r0, r0
        and #0x0F, r0
        shll2 r2
        shll2 r2
        or r0, r2
        add #-0x20, r3
        cmp/pz r3
        bt next_nibble
        mov.l lines, r0
        and r0, r2
        mov.l @(input, r14), r9
        not r9, r9
        and r2, r9
        rts
        mov.l r2, @(input, r14)

! Take the answer to the question of the frame before, and ask again for the last session's end.
ask_drive:
        mov.l cd_block, r1
        mov.w @(0x08, r1), r0
        tst #1, r0
        bt not_ready
        mov.w @(0x18, r1), r0
        extu.w r0, r0
        shlr8 r0
        and #0x0F, r0
        mov.l r0, @(drive, r14)
        mov r1, r3
        add #0x20, r3
        mov.w @r3, r0                           ! the number of sessions, and the upper byte of the end
        extu.b r0, r2
        shll16 r2
        mov.w @(4, r3), r0
        extu.w r0, r0
        or r2, r0
        mov.l r0, @(disc_end, r14)
        mov #-2, r0
        mov.w r0, @(0x08, r1)
        mov.w ask_session, r0
        mov.w r0, @(0x18, r1)
        mov #0, r0
        mov.w r0, @(0x1C, r1)
        mov.w r0, @r3
        mov.w r0, @(4, r3)
not_ready:
        rts
        nop

ask_session:
        .word 0x0300
display_on:
        .word 0x8000
        .balign 4
stack:          .long 0x26002000
memory:         .long 0x26000100
smpc:           .long 0x20100075
vdp2:           .long 0x25F80000
cd_block:       .long 0x25890000
video_memory:   .long 0x25E00000
lines:          .long 0x8FFF                    ! without those that only tell the kind of pad
start_button:   .long 0x0800
score_button:   .long 0x0400
lives_button:   .long 0x0100
        .org 0x80000, 0xFF
