| The program of the Genesis, with MARS of the 32X, with SCD of the Sega CD; ../README.md says what it does.
        .ifdef SCD
        .equ memory, 0x020000           | the first bank of the sub processor's RAM
        .else
        .equ memory, 0xFF0000
        .endif
        .equ frame_counter, memory + 0x100  | >u2
        .equ score,         memory + 0x102  | >u2
        .equ lives,         memory + 0x104  | >u2
        .equ game_over,     memory + 0x106  | >u2
        .equ input,         memory + 0x108  | >u2  0 0 0 0 Mode X Y Z Start A C B Right Left Down Up
        .equ input_new,     memory + 0x10A  | >u2
        .equ level,         memory + 0x10C  | |u1  1; an odd place in raw, byte-swapped memory
        .equ bonus,         memory + 0x10D  | |u1  2

        .equ PAD, 0xA10003
        .equ PAD_CONTROL, 0xA10009
        .equ VDP_DATA, 0xC00000
        .equ VDP_CONTROL, 0xC00004

start:
        move.w #0x2700, %sr
        move.b 0xA10001, %d0
        andi.b #0x0F, %d0
        beq no_lock
        move.l #0x53454741, 0xA14000
no_lock:
        lea 0xFF0000, %a0
        move.w #0x3F7F, %d0             | clear RAM below the stack
clear:
        clr.l (%a0)+
        dbra %d0, clear
        lea registers, %a0
        moveq #11, %d0
set_up:
        move.w (%a0)+, VDP_CONTROL
        dbra %d0, set_up
        move.b #0x40, PAD_CONTROL
        .ifdef SCD
        bsr take_sub_memory
        .endif
        move.b #1, level
        move.b #2, bonus
        .ifdef MARS
        move.w #1, answers
        .endif
        bsr new_game
frame:
        move.w VDP_CONTROL, %d0         | wait for the blank to end, then to begin
        btst #3, %d0
        bne frame
blank:
        move.w VDP_CONTROL, %d0
        btst #3, %d0
        beq blank
        addq.w #1, frame_counter
        bsr read_pad
        .ifdef MARS
        bsr ask_sh2
        .endif
        btst #7, input_new + 1
        beq no_start
        bsr new_game
no_start:
        tst.w game_over
        bne shown
        btst #6, input_new + 1          | A
        beq no_score
        addi.w #10, score
no_score:
        btst #4, input_new + 1          | B
        beq shown
        subq.w #1, lives
        bne shown
        move.w #1, game_over
shown:
        move.l #0xC0000000, VDP_CONTROL | the backdrop shows the lives
        move.w lives, %d0
        lsl.w #2, %d0
        move.w %d0, VDP_DATA
        bra frame

new_game:
        clr.w score
        clr.w game_over
        move.w #3, lives
        rts

halt:
        bra halt

| Read the pad by six changes of its select line.
read_pad:
        lea PAD, %a0
        move.b #0x40, (%a0)
        nop
        nop
        move.b (%a0), %d1               | 0 1 C B Right Left Down Up
        move.b #0, (%a0)
        nop
        nop
        move.b (%a0), %d2               | 0 0 Start A 0 0 Down Up
        move.b #0x40, (%a0)
        nop
        nop
        move.b #0, (%a0)
        nop
        nop
        move.b #0x40, (%a0)
        nop
        nop
        move.b #0, (%a0)
        nop
        nop
        move.b (%a0), %d4               | the low half is 0 on a pad with six buttons
        move.b #0x40, (%a0)
        nop
        nop
        move.b (%a0), %d3               | 0 1 C B Mode X Y Z
        not.b %d1
        not.b %d2
        not.b %d3
        andi.w #0x3F, %d1
        andi.w #0x30, %d2
        lsl.w #2, %d2
        or.w %d2, %d1
        andi.b #0x0F, %d4
        bne three_buttons
        andi.w #0x0F, %d3
        lsl.w #8, %d3
        or.w %d3, %d1
three_buttons:
        move.w input, %d0
        not.w %d0
        and.w %d1, %d0
        move.w %d0, input_new
        move.w %d1, input
        rts

registers:
        .word 0x8004, 0x8144, 0x8230, 0x8407, 0x8578, 0x8700, 0x8AFF, 0x8B00, 0x8C81, 0x8D3F, 0x8F02, 0x9001
