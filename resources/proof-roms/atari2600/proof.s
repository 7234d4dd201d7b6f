; A proof ROM for the Atari 2600; ../README.md says what it does.
        processor 6502
VSYNC   = $00
VBLANK  = $01
WSYNC   = $02
COLUBK  = $09
INPT4   = $0C
SWCHA   = $0280
SWCHB   = $0282
TIM64T  = $0296
INTIM   = $0284

frame_counter = $80     ; <u2
score         = $82     ; <u2
lives         = $84     ; |u1
game_over     = $85     ; |u1
input         = $86     ; |u1  Right Left Down Up of the joystick, 0, button, Select, Reset
input_new     = $87     ; |u1

        org $F000
reset:
        sei
        cld
        ldx #$FF
        txs
        inx
        txa
clear:
        sta $00,x
        inx
        bne clear
        jsr new_game
frame:
        lda #2
        sta VBLANK
        sta VSYNC
        sta WSYNC
        sta WSYNC
        sta WSYNC
        lda #0
        sta VSYNC
        lda #43                 ; 37 lines of blank
        sta TIM64T
        inc frame_counter
        bne counted
        inc frame_counter+1
counted:
        jsr read_pad
        lda input_new
        and #$01                ; Reset
        beq no_reset
        jsr new_game
no_reset:
        lda game_over
        bne blank
        lda input_new
        and #$04                ; the button
        beq no_score
        clc
        lda score
        adc #10
        sta score
        bcc no_score
        inc score+1
no_score:
        lda input_new
        and #$20                ; down
        beq blank
        dec lives
        bne blank
        inc game_over
blank:
        lda INTIM
        bne blank
        sta WSYNC
        sta VBLANK
        lda lives               ; the color shows the lives
        asl
        asl
        asl
        asl
        ora #$04
        sta COLUBK
        ldx #192
line:
        sta WSYNC
        dex
        bne line
        lda #2
        sta VBLANK
        ldx #30
below:
        sta WSYNC
        dex
        bne below
        jmp frame

new_game:
        lda #0
        sta score
        sta score+1
        sta game_over
        lda #3
        sta lives
        rts

read_pad:
        lda SWCHB               ; Select and Reset, 0 when pressed
        eor #$FF
        and #$03
        sta $90
        lda SWCHA
        eor #$FF
        and #$F0
        ora $90
        bit INPT4
        bmi released
        ora #$04
released:
        tax
        lda input
        eor #$FF
        sta input_new
        stx input
        txa
        and input_new
        sta input_new
        rts

        org $FFFC
        .word reset, reset
