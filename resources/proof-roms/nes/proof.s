; A proof ROM for the NES; ../README.md says what it does.
frame_counter = $0300   ; <u2
score         = $0302   ; <u2
lives         = $0304   ; |u1
game_over     = $0305   ; |u1
input         = $0306   ; |u1  A B Select Start Up Down Left Right, from bit 7 down
input_new     = $0307   ; |u1
interrupts    = $0308   ; |u1  of the sound and of the mapper's lines, together
clocks        = $0309   ; the sound's state, the video chip's buffer, a sprite, the save chip
copied        = $0200   ; |u1  goes to the table of sprites

BUTTON_A = $80
BUTTON_B = $40
START    = $10

.segment "HEADER"
    .byte "NES", $1A, 1, 1, $42, 0       ; MMC3 with a battery

.segment "CODE"
reset:
    sei
    cld
    ldx #$FF
    txs
    inx
    stx $4017                   ; an interrupt each four quarters of the sound's frame
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
    lda #$80                    ; opens the save chip
    sta $A001
    jsr new_game
    jsr start_sounds
    lda #$88                    ; an interrupt at each blank; sprites where lines are counted
    sta $2000
    lda #$18
    sta $2001
    cli
@wait:
    jmp @wait

frame:
    pha
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    jsr machine
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
    lda #0                      ; from here on, pictures are drawn: of nothing, with the backdrop
    sta $2006
    sta $2006
    pla
    rti

machine:                        ; what states may leave out is read where it can be seen
    lda $4015
    sta clocks
    lda #$20
    sta $2006
    lda #$10
    sta $2006
    lda $2007                   ; the byte that the frame before asked for
    sta clocks + 1
    lda #$20
    sta $2006
    lda #$10
    sta $2006
    lda frame_counter
    sta $2007
    sta copied
    lda #0
    sta $2003
    lda $2004                   ; the sprite of the frame before
    sta clocks + 2
    lda #>copied
    sta $4014
    inc $6000
    lda $6000
    sta clocks + 3
    lda #100                    ; an interrupt after that many lines
    sta $C000
    sta $C001
    sta $E000
    sta $E001
    lda frame_counter
    and #$1F
    beq start_sounds
    rts

start_sounds:
    lda #$0F                    ; ends a sample; lengths of channels that are off are not loaded
    sta $4015
    ldx #$13
@register:
    lda sounds, x
    sta $4000, x
    dex
    bpl @register
    lda #$1F
    sta $4015
    rts

sounds:                         ; with lengths, sweeps and envelopes; the program is the sample
    .byte $42, $9B, $80, $40, $83, $8C, $55, $51, $20, $00, $F0, $60, $05, $00, $07, $38
    .byte $8F, $20, $00, $30

interrupt:
    pha
    sta $E000
    inc interrupts
    lda $4015                   ; ends that of the sound's frame; the write ends the sample's
    ora #$0F
    and #$1F
    sta $4015
    pla
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
    jsr read_bits               ; until two are alike, because a sample's fetch disturbs the pad
@again:
    sty input_new
    jsr read_bits
    cpy input_new
    bne @again
    lda input
    eor #$FF
    sta input_new
    sty input
    tya
    and input_new
    sta input_new
    rts

read_bits:
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
    rts

.segment "VECTORS"
    .word frame, reset, interrupt

.segment "CHR"
    .byte 0
