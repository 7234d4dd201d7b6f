; A proof ROM for the NES; ../README.md says what it does.
frame_counter = $0300   ; <u2
score         = $0302   ; <u2
lives         = $0304   ; |u1
game_over     = $0305   ; |u1
input         = $0306   ; |u1  A B Select Start Up Down Left Right, from bit 7 down
input_new     = $0307   ; |u1

BUTTON_A = $80
BUTTON_B = $40
START    = $10

.segment "HEADER"
    .byte "NES", $1A, 1, 1, 0, 0

.segment "CODE"
reset:
    sei
    cld
    ldx #$40
    stx $4017                   ; no interrupts from the sound
    ldx #$FF
    txs
    inx
    stx $2000
    stx $2001
    stx $4010
@clear:
    lda #0
    sta $0000, x
    sta $0200, x
    sta $0300, x
    sta $0400, x
    sta $0500, x
    sta $0600, x
    sta $0700, x
    inx
    bne @clear
    bit $2002
@warm_1:
    bit $2002
    bpl @warm_1
@warm_2:
    bit $2002
    bpl @warm_2
    jsr new_game
    lda #$80                    ; an interrupt at each blank
    sta $2000
@wait:
    jmp @wait

frame:
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    jsr read_pad
    lda input_new
    and #START
    beq @no_start
    jsr new_game
@no_start:
    lda game_over
    bne @shown
    lda input_new
    and #BUTTON_A
    beq @no_score
    lda score
    clc
    adc #10
    sta score
    bcc @no_score
    inc score + 1
@no_score:
    lda input_new
    and #BUTTON_B
    beq @shown
    dec lives
    bne @shown
    inc game_over
@shown:
    lda #$3F                    ; the backdrop shows the lives
    sta $2006
    lda #0
    sta $2006
    lda lives
    asl
    asl
    asl
    asl
    ora #1
    sta $2007
    lda #$3F
    sta $2006
    lda #0
    sta $2006
    rti

new_game:
    lda #0
    sta score
    sta score + 1
    sta game_over
    lda #3
    sta lives
    rts

read_pad:
    lda #1
    sta $4016
    lsr
    sta $4016
    ldx #8
    ldy #0
@bit:
    lda $4016
    and #$03                    ; either pin, as on a Famicom
    cmp #1
    tya
    rol
    tay
    dex
    bne @bit
    lda input
    eor #$FF
    sta input_new
    sty input
    tya
    and input_new
    sta input_new
    rts

stop:
    rti

.segment "VECTORS"
    .word frame, reset, stop

.segment "CHR"
    .byte 0
