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

        .equ lines,         memory + 0x110  | >u2  interrupts of lines, and the place of the newest (BUSY)
        .equ clocks,        memory + 0x114  | sound's timers, the Z80's count, a transfer, the save chip

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
        .ifdef BUSY
        bsr start_machine
        .endif
frame:
        move.w VDP_CONTROL, %d0         | wait for the blank to end, then to begin
        btst #3, %d0
        bne frame
blank:
        move.w VDP_CONTROL, %d0
        btst #3, %d0
        beq blank
        addq.w #1, frame_counter
        .ifdef BUSY
        bsr machine
        .endif
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
        .ifdef BUSY
        bsr fill
        .endif
        bra frame

new_game:
        clr.w score
        clr.w game_over
        move.w #3, lives
        rts

halt:
        bra halt

        .ifdef BUSY
        .equ Z80, 0xA00000
        .equ Z80_COUNT, 0xA01F00
        .equ FM, 0xA04000
        .equ Z80_BUS, 0xA11100
        .equ Z80_RESET, 0xA11200
        .equ SAVED, 0x200001

start_machine:
        move.w #0x8014, VDP_CONTROL     | an interrupt each 32 lines, and transfers
        move.w #0x8154, VDP_CONTROL
        move.w #0x8A1F, VDP_CONTROL
        move.b #1, 0xA130F1             | opens the save chip
        move.w #0x100, Z80_RESET
        bsr take_bus
        lea counting, %a0
        lea Z80, %a1
        moveq #counted - counting - 1, %d0
next_byte:
        move.b (%a0)+, (%a1)+
        dbra %d0, next_byte
        bsr start_sounds
        move.w #0, Z80_RESET
        move.w #0, Z80_BUS
        moveq #20, %d0
in_reset:
        dbra %d0, in_reset
        move.w #0x100, Z80_RESET
        move.w #0x2300, %sr
        rts

take_bus:
        move.w #0x100, Z80_BUS
no_bus:
        btst #0, Z80_BUS
        bne no_bus
        rts

machine:                                | what states may leave out is read where it can be seen
        bsr take_bus
        move.b FM, clocks
        move.b Z80_COUNT, clocks + 1
        move.w frame_counter, %d0
        andi.w #0x1F, %d0
        bne sounding
        bsr start_sounds
sounding:
        move.b #0x27, FM                | the timer that is over begins again
        nop
        nop
        move.b #0x3F, FM + 1
        move.w #0, Z80_BUS
        move.w VDP_CONTROL, clocks + 2
        move.l #0x10000001, VDP_CONTROL | a word of VRAM that was filled
        move.w VDP_DATA, clocks + 4
        addq.b #1, SAVED
        move.b SAVED, clocks + 6
        lea transfer, %a0               | the variables go to VRAM
        moveq #6, %d0
next_word:
        move.w (%a0)+, VDP_CONTROL
        dbra %d0, next_word
        rts

start_sounds:                           | timers of other lengths than a frame, and a note
        lea sounds, %a0
        lea FM, %a1
        moveq #(sounds_end - sounds) / 2 - 1, %d0
next_register:
        move.b (%a0)+, (%a1)
        nop
        nop
        move.b (%a0)+, 1(%a1)
        moveq #16, %d1
settling:
        dbra %d1, settling
        dbra %d0, next_register
        rts

fill:                                   | in flight when the blank ends
        move.w #0x8F01, VDP_CONTROL
        move.l #0x93009424, VDP_CONTROL
        move.w #0x9780, VDP_CONTROL
        move.l #0x40000081, VDP_CONTROL
        move.b frame_counter + 1, %d0
        lsl.w #8, %d0
        move.w %d0, VDP_DATA
        move.w #0x8F02, VDP_CONTROL
        rts

line:
        addq.w #1, lines
        move.w 0xC00008, lines + 2
        rte

counting:                               | a program of the Z80: ld hl, 0x1F00; inc (hl); jr -3
        .byte 0x21, 0x00, 0x1F, 0x34, 0x18, 0xFD
counted:
sounds:                                 | pairs of a register and its value
        .byte 0x22, 0x0B, 0x24, 0x12, 0x25, 0x03, 0x26, 0x35, 0x27, 0x3F
        .byte 0xB0, 0x3A, 0xB4, 0xF7, 0x30, 0x71, 0x40, 0x10, 0x50, 0x5F, 0x60, 0x8A, 0x70, 0x02, 0x80, 0x11
        .byte 0xA4, 0x22, 0xA0, 0x69, 0x28, 0x00, 0x28, 0xF0
sounds_end:
transfer:                               | 64 words from 0xFF0100 to VRAM 0x2000
        .word 0x9340, 0x9400, 0x9580, 0x9680, 0x977F, 0x6000, 0x0080
        .endif

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
