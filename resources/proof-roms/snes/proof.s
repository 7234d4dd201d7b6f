; A proof ROM for the SNES; ../README.md says what it does.
frame_counter = $0100   ; <u2
score         = $0102   ; <u2
lives         = $0104   ; |u1
game_over     = $0105   ; |u1
input         = $0106   ; <u2  B Y Select Start Up Down Left Right A X L R 0 0 0 0
input_new     = $0108   ; <u2
input_2       = $010A   ; <u2 each, the same of players 2 to 5; 3 to 5 behind a multitap in port 2
input_3       = $010C
input_4       = $010E
input_5       = $0110

.p816
.segment "CODE"
reset:
    sei
    clc
    xce
    rep #$38                    ; 16 bits, no decimal mode
.a16
.i16
    ldx #$1FFF
    txs
    lda #0
    tcd
    ldx #$1E00
@clear:
    stz $0000, x
    dex
    dex
    bpl @clear
    sep #$20
.a8
    lda #$80                    ; screen off
    sta $2100
    stz $212C
    stz $2105
    lda #$0F
    sta $2100
    jsr new_game
    lda #$01                    ; the console reads the pads
    sta $4200
frame:
    lda $4212
    bpl frame                   ; until the blank begins
@pads:
    lda $4212
    and #$01
    bne @pads
@settle:
    lda $4212                   ; the reading starts some lines into the blank
    and #$01
    beq @settle_done
    bra @settle
@settle_done:
    rep #$20
.a16
    inc frame_counter
    lda input
    eor #$FFFF
    and $4218
    sta input_new
    lda $4218
    sta input
    jsr read_others
    lda input_new
    bit #$1000                  ; Start
    beq @no_start
    sep #$20
    jsr new_game
    rep #$20
@no_start:
    lda game_over
    and #$00FF
    bne @shown
    lda input_new
    bit #$0080                  ; A
    beq @no_score
    lda score
    clc
    adc #10
    sta score
@no_score:
    lda input_new
    bit #$8000                  ; B
    beq @shown
    sep #$20
.a8
    dec lives
    bne @alive
    inc game_over
@alive:
@shown:
    sep #$20
.a8
    stz $2121                   ; the backdrop shows the lives
    lda lives
    asl a
    asl a
    asl a
    sta $2122
    stz $2122
@same_blank:
    lda $4212
    bmi @same_blank
    brl frame

read_others:
.a16
    lda $421A
    sta input_2
    lda $421E
    sta input_3
    sep #$20
.a8
    lda #$7F                    ; the multitap's other two pads
    sta $4201
    lda #1
    sta $4016
    stz $4016
    ldx #16
@bit:
    lda $4017
    lsr a
    rol input_4
    rol input_4 + 1
    lsr a
    rol input_5
    rol input_5 + 1
    dex
    bne @bit
    lda #$FF
    sta $4201
    rep #$20
.a16
    rts

new_game:
.a8
    stz score
    stz score + 1
    stz game_over
    lda #3
    sta lives
    rts

stop:
    rti

.segment "HEADER"
    .byte "PROOF ROM            "
    .byte $20, $00, $05, $00, $01, $00, $00
    .word $FFFF, $0000

.segment "VECTORS"
    .word 0, 0, stop, stop, stop, stop, 0, stop
    .word 0, 0, stop, 0, stop, stop, reset, stop
