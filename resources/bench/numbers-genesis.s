| The game of numbers.s for the Genesis, in the codes that scripts/bench_evidence.py asks for.
|
| Touching the walker takes a quarter of the health, of which each life has 80; every eighth prize
| is another level. Defined by the caller (--defsym): as in numbers.s, and HEALTH and LEVEL.
        .equ memory, 0xFF0000
        .equ pad, memory + 0x10         | 0 0 0 0 0 0 0 0 Start A C B Right Left Down Up
        .equ pad_new, memory + 0x12
        .equ noise, memory + 0x14
        .equ clock, memory + 0x18
        .equ walker_x, memory + 0x1A
        .equ walker_y, memory + 0x1C
        .equ collected, memory + 0x1E
        .equ digits, memory + 0x20      | lowest first
        .equ VDP_DATA, 0xC00000
        .equ VDP_CONTROL, 0xC00004
        .equ PAD, 0xA10003
        .equ PLANE, 0x4000
        .equ FIRST_X, 100
        .equ FIRST_Y, 120

        .text
        .long 0x00FFFE00, start
        .rept 62
        .long halt
        .endr
        .ascii "SEGA GENESIS    "
        .ascii "(C)BENCH 2026   "
        .ascii "NUMBERS                                         "
        .ascii "NUMBERS                                         "
        .ascii "GM 00000000-00"
        .word 0
        .ascii "J               "
        .long 0, 0x1FFF, 0xFF0000, 0xFFFFFF
        .ascii "            "
        .ascii "                                                    "
        .ascii "JUE             "

| The number NAME: the place of its lowest byte, the way to the next one, width, code, and base.
        .macro NUMBER at, width, big, code, base
        .long memory + \at + \big * (\width - 1)
        .word 1 - 2 * \big, \width, \code, \base
        .endm
score:  NUMBER SCORE_AT SCORE_WIDTH SCORE_BIG SCORE_CODE SCORE_BASE
lives:  NUMBER LIVES_AT LIVES_WIDTH LIVES_BIG LIVES_CODE LIVES_BASE
health: NUMBER HEALTH_AT HEALTH_WIDTH HEALTH_BIG HEALTH_CODE HEALTH_BASE
level:  NUMBER LEVEL_AT LEVEL_WIDTH LEVEL_BIG LEVEL_CODE LEVEL_BASE
timer:  NUMBER TIMER_AT TIMER_WIDTH TIMER_BIG TIMER_CODE TIMER_BASE
x_now:  NUMBER X_AT X_WIDTH X_BIG 0 0
y_now:  NUMBER Y_AT 1 0 0 0

start:
        move.w #0x2700, %sr
        move.b 0xA10001, %d0
        andi.b #0x0F, %d0
        beq no_lock
        move.l #0x53454741, 0xA14000
no_lock:
        lea memory, %a0
        move.w #0x3F7F, %d0
clear:
        clr.l (%a0)+
        dbra %d0, clear
        lea registers, %a0
        moveq #13, %d0
set_up:
        move.w (%a0)+, VDP_CONTROL
        dbra %d0, set_up
        move.l #0x40000000, VDP_CONTROL
        move.w #0x7FFF, %d0
no_picture:
        move.w #0, VDP_DATA
        dbra %d0, no_picture
        move.l #0xC0000000, VDP_CONTROL
        move.w #0x0200, VDP_DATA
        move.w #0x0EEE, VDP_DATA
        move.w #0x000E, VDP_DATA
        move.l #0x40200000, VDP_CONTROL | two blocks, then the digits
        moveq #7, %d1
block:
        move.l #0x11111111, VDP_DATA
        dbra %d1, block
        moveq #7, %d1
other:
        move.l #0x22222222, VDP_DATA
        dbra %d1, other
        move.l #0x42000000, VDP_CONTROL
        lea glyphs, %a0
        moveq #79, %d1
row:
        move.b (%a0)+, %d2
        moveq #7, %d3
        moveq #0, %d4
pixel:
        lsl.l #4, %d4
        lsl.b #1, %d2
        bcc dark
        addq.l #1, %d4
dark:
        dbra %d3, pixel
        move.l %d4, VDP_DATA
        dbra %d1, row
        .if SCORE_ZERO
        move.l #0x40000003 + (PLANE + 2 * (64 * 2 + 10) - 0x4000) * 0x10000, VDP_CONTROL
        move.w #16, VDP_DATA
        .endif
        move.b #0x40, 0xA10009
        move.l #0x2A5A, noise
        bsr new_game
frame:
        move.w VDP_CONTROL, %d0
        btst #3, %d0
        bne frame
blank:
        move.w VDP_CONTROL, %d0
        btst #3, %d0
        beq blank
        addq.w #1, clock
        bsr random
        bsr read_pad
        move.w clock, %d0
        andi.w #31, %d0
        bne same_second
        lea timer, %a1
        bsr load
        subq.l #1, %d5
        beq next_life
        bsr store
        bra same_second
next_life:
        bsr new_life
same_second:
        bsr move
        bsr walk
        btst #6, pad_new + 1
        beq no_points
        bsr random
        btst #0, noise + 1
        beq no_points
        move.w noise, %d0
        lsr.w #2, %d0
        andi.w #6, %d0
        lea prizes, %a0
        moveq #0, %d4
        move.w (%a0, %d0.w), %d4
        lea score, %a1
        bsr load
        add.l %d4, %d5
        bsr store
        addq.w #1, collected
        move.w collected, %d0
        andi.w #7, %d0
        bne no_points
        lea level, %a1
        bsr load
        addq.l #1, %d5
        bsr store
no_points:
        bsr show
        bra frame
halt:
        bra halt

prizes:
        .if SCORE_ZERO
        .word 5, 10, 15, 30
        .else
        .word 10, 25, 50, 100
        .endif

new_game:
        moveq #0, %d5
        lea score, %a1
        bsr store
        moveq #5 * (1 - LIVES_UP), %d5
        lea lives, %a1
        bsr store
        clr.w collected
        moveq #1, %d5
        lea level, %a1
        bsr store
new_life:
        moveq #80, %d5
        lea health, %a1
        bsr store
new_place:
        moveq #120, %d5
        lea timer, %a1
        bsr store
        move.l #FIRST_X << X_FINE, %d5
        lea x_now, %a1
        bsr store
        moveq #FIRST_Y, %d5
        lea y_now, %a1
        bsr store
        move.w #30, walker_x
        move.w #60, walker_y
        rts

| Right and left by two pixels, up and down by one.
move:
        lea x_now, %a1
        bsr load
        btst #3, pad + 1
        beq not_right
        cmpi.l #(X_MOST << X_FINE), %d5
        bcc not_right
        addi.l #(2 << X_FINE), %d5
not_right:
        btst #2, pad + 1
        beq not_left
        cmpi.l #(8 << X_FINE), %d5
        bcs not_left
        subi.l #(2 << X_FINE), %d5
not_left:
        bsr store
        lea y_now, %a1
        bsr load
        btst #1, pad + 1
        beq not_down
        cmpi.l #208, %d5
        bcc not_down
        addq.l #1, %d5
not_down:
        btst #0, pad + 1
        beq not_up
        cmpi.l #40, %d5
        bcs not_up
        subq.l #1, %d5
not_up:
        bra store

walk:
        move.w clock, %d0
        andi.w #1, %d0
        bne near
        addq.w #1, walker_x
        andi.w #0xFF, walker_x
        move.w clock, %d0
        andi.w #2, %d0
        bne near
        addq.w #1, walker_y
        cmpi.w #220, walker_y
        bcs near
        move.w #40, walker_y
near:
        lea x_now, %a1
        bsr load
        moveq #X_FINE, %d0
        lsr.l %d0, %d5
        sub.w walker_x, %d5
        addi.w #10, %d5
        cmpi.w #20, %d5
        bcc far
        lea y_now, %a1
        bsr load
        sub.w walker_y, %d5
        addi.w #10, %d5
        cmpi.w #20, %d5
        bcc far
        lea health, %a1
        bsr load
        subi.l #20, %d5
        bsr store
        tst.l %d5
        bne new_place
        lea lives, %a1
        bsr load
        .if LIVES_UP
        addq.l #1, %d5
        bsr store
        bra new_life
        .else
        subq.l #1, %d5
        bsr store
        tst.l %d5
        beq new_game
        bra new_life
        .endif
far:
        rts

| The number at %a1 comes to %d5.
load:
        bsr unpack
        move.w %d1, %d6
        subq.w #1, %d6
        muls %d0, %d6
        adda.l %d6, %a0
        moveq #0, %d5
more:
        moveq #0, %d6
        move.b (%a0), %d6
        suba.w %d0, %a0
        tst.w %d2
        bne decimal
        lsl.l #8, %d5
        bra digit_in
decimal:
        bsr times_ten
        cmpi.w #1, %d2
        bne single
        bsr times_ten
        move.w %d6, %d7
        lsr.w #4, %d7
        andi.w #15, %d6
        mulu #10, %d7
        add.w %d7, %d6
        bra digit_in
single:
        sub.w %d3, %d6
digit_in:
        add.l %d6, %d5
        subq.w #1, %d1
        bne more
        rts

times_ten:
        add.l %d5, %d5
        move.l %d5, %d7
        lsl.l #2, %d5
        add.l %d7, %d5
        rts

| %d5 goes to the number at %a1, and is kept.
store:
        bsr unpack
        move.l %d5, -(%sp)
next:
        tst.w %d2
        bne decimals
        move.b %d5, (%a0)
        lsr.l #8, %d5
        bra stored
decimals:
        bsr tenth
        cmpi.w #1, %d2
        bne digit_out
        move.w %d6, -(%sp)
        bsr tenth
        lsl.w #4, %d6
        add.w (%sp)+, %d6
        bra byte_out
digit_out:
        add.w %d3, %d6
byte_out:
        move.b %d6, (%a0)
stored:
        adda.w %d0, %a0
        subq.w #1, %d1
        bne next
        move.l (%sp)+, %d5
        rts

unpack:
        move.l %a1, %a2
        move.l (%a2)+, %a0
        move.w (%a2)+, %d0
        move.w (%a2)+, %d1
        move.w (%a2)+, %d2
        move.w (%a2)+, %d3
        rts

| %d5 is divided by ten; the rest comes to %d6.
tenth:
        move.l %d5, %d6
        clr.w %d6
        swap %d6
        divu #10, %d6
        move.w %d6, %d7
        swap %d7
        move.w %d5, %d6
        divu #10, %d6
        move.w %d6, %d7
        swap %d6
        andi.l #0xFFFF, %d6
        move.l %d7, %d5
        rts

random:
        move.w noise, %d0
        lsl.w #1, %d0
        bcc no_tap
        eori.w #0x1D87, %d0
no_tap:
        add.w clock, %d0
        move.w %d0, noise
        rts

read_pad:
        lea PAD, %a0
        move.b #0x40, (%a0)
        nop
        nop
        move.b (%a0), %d1
        move.b #0, (%a0)
        nop
        nop
        move.b (%a0), %d2
        not.b %d1
        not.b %d2
        andi.w #0x3F, %d1
        andi.w #0x30, %d2
        lsl.w #2, %d2
        or.w %d2, %d1
        move.w pad, %d0
        not.w %d0
        and.w %d1, %d0
        move.w %d0, pad_new
        move.w %d1, pad
        rts

| Sprites, and the digits of the numbers in the second line.
show:
        lea score, %a1
        move.l #0x40000003 + (PLANE + 2 * (64 * 2 + 4) - 0x4000) * 0x10000, %d4
        bsr number
        lea lives, %a1
        move.l #0x40000003 + (PLANE + 2 * (64 * 2 + 14) - 0x4000) * 0x10000, %d4
        bsr number
        lea timer, %a1
        move.l #0x40000003 + (PLANE + 2 * (64 * 2 + 24) - 0x4000) * 0x10000, %d4
        bsr number
        lea health, %a1
        move.l #0x40000003 + (PLANE + 2 * (64 * 4 + 4) - 0x4000) * 0x10000, %d4
        bsr number
        lea level, %a1
        move.l #0x40000003 + (PLANE + 2 * (64 * 4 + 14) - 0x4000) * 0x10000, %d4
        bsr number
        move.l #0x70000003, VDP_CONTROL
        lea y_now, %a1
        bsr load
        addi.w #128, %d5
        move.w %d5, VDP_DATA
        move.w #1, VDP_DATA
        move.w #1, VDP_DATA
        lea x_now, %a1
        bsr load
        moveq #X_FINE, %d0
        lsr.l %d0, %d5
        addi.w #128, %d5
        move.w %d5, VDP_DATA
        move.w walker_y, %d5
        addi.w #128, %d5
        move.w %d5, VDP_DATA
        move.w #0, VDP_DATA
        move.w #2, VDP_DATA
        move.w walker_x, %d5
        addi.w #128, %d5
        move.w %d5, VDP_DATA
        rts

number:
        bsr load
        lea digits, %a0
        moveq #5, %d0
split:
        bsr tenth
        move.b %d6, (%a0)+
        dbra %d0, split
        move.l %d4, VDP_CONTROL
        moveq #5, %d0
tile:
        moveq #0, %d6
        move.b -(%a0), %d6
        addi.w #16, %d6
        move.w %d6, VDP_DATA
        dbra %d0, tile
        rts

registers:
        .word 0x8004, 0x8144, 0x8230, 0x8407, 0x8578, 0x8700, 0x8AFF, 0x8B00, 0x8C81, 0x8D3F, 0x8F02, 0x9001
        .word 0x9100, 0x9200

glyphs:
        .byte 0x3C, 0x66, 0x6E, 0x76, 0x66, 0x66, 0x3C, 0
        .byte 0x18, 0x38, 0x18, 0x18, 0x18, 0x18, 0x7E, 0
        .byte 0x3C, 0x66, 0x06, 0x1C, 0x30, 0x60, 0x7E, 0
        .byte 0x3C, 0x66, 0x06, 0x1C, 0x06, 0x66, 0x3C, 0
        .byte 0x0C, 0x1C, 0x2C, 0x4C, 0x7E, 0x0C, 0x0C, 0
        .byte 0x7E, 0x60, 0x7C, 0x06, 0x06, 0x66, 0x3C, 0
        .byte 0x3C, 0x60, 0x60, 0x7C, 0x66, 0x66, 0x3C, 0
        .byte 0x7E, 0x06, 0x0C, 0x18, 0x30, 0x30, 0x30, 0
        .byte 0x3C, 0x66, 0x66, 0x3C, 0x66, 0x66, 0x3C, 0
        .byte 0x3C, 0x66, 0x66, 0x3E, 0x06, 0x0C, 0x38, 0
        .balign 0x2000, 0xFF
