! The game on an SH processor, of Saturn and Dreamcast; ../README.md says what it does. r14: the variables, 4 bytes each.
        .equ frame_counter, 0x00
        .equ score,         0x04
        .equ lives,         0x08
        .equ game_over,     0x0C
        .equ input,         0x10

! r9: the buttons that went down. Afterwards r0 holds the lives.
        .macro follow_rules
        mov.l start_button, r0
        tst r0, r9
        bt no_start
        bsr new_game
        nop
no_start:
        mov.l @(game_over, r14), r0
        tst r0, r0
        bf shown
        mov.l score_button, r0
        tst r0, r9
        bt no_score
        mov.l @(score, r14), r0
        add #10, r0
        mov.l r0, @(score, r14)
no_score:
        mov.l lives_button, r0
        tst r0, r9
        bt shown
        mov.l @(lives, r14), r0
        add #-1, r0
        mov.l r0, @(lives, r14)
        tst r0, r0
        bf shown
        mov #1, r0
        mov.l r0, @(game_over, r14)
shown:
        mov.l @(lives, r14), r0
        .endm

        .macro begin_game
new_game:
        mov #0, r0
        mov.l r0, @(score, r14)
        mov.l r0, @(game_over, r14)
        mov #3, r0
        rts
        mov.l r0, @(lives, r14)
        .endm
