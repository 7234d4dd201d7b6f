; A small game whose numbers are kept in the codes that scripts/bench_evidence.py asks for.
;
; LEFT, RIGHT, UP and DOWN walk. A collects points with one press in two. Touching the walker takes
; a life; without lives, or time, the game starts over. The digits at the top are drawn one number a
; frame from one buffer. Defined by the caller (ca65 -D): for SCORE, LIVES and TIMER the _AT address,
; _CODE (0 binary, 1 BCD, 2 digits), _WIDTH, _BIG (1: high byte first) and _BASE (the digit 0);
; X_AT, X_WIDTH, X_BIG, X_FINE (bits below a pixel), Y_AT; SCORE_ZERO (1: a drawn 0 is not kept);
; LIVES_UP (1: lost lives are counted up).

pad       = $10
pad_new   = $11
noise     = $12
clock     = $13
digits    = $14   ; lowest first
turn      = $1C
ready     = $1D
points    = $1E
walker_x  = $20
walker_y  = $21
walker_dx = $22
loops     = $23
shown_x   = $24
fraction  = $25
tiles_at  = $26
number    = $28   ; 24 bits, low first
steps     = $2B
oam       = $0200

A_BUTTON = $80

.define LOW_BYTE(at, width, big, index) at + (big) * ((width) - 1 - (index)) + (1 - (big)) * (index)

.segment "HEADER"
    .byte "NES", $1A, 1, 1, 1, 0

.segment "CODE"
reset:
    sei
    cld
    ldx #$40
    stx $4017
    ldx #$FF
    txs
    inx
    stx $2000
    stx $2001
    stx $4010
@warm_1:
    bit $2002
    bpl @warm_1
    txa
@clear:
    sta $0000, x
    sta $0200, x
    sta $0300, x
    sta $0400, x
    sta $0500, x
    sta $0600, x
    sta $0700, x
    inx
    bne @clear
@warm_2:
    bit $2002
    bpl @warm_2
    lda #$3F
    sta $2006
    lda #0
    sta $2006
    ldx #8
@colors:
    lda #$0F
    sta $2007
    lda #$30
    sta $2007
    lda #$16
    sta $2007
    lda #$27
    sta $2007
    dex
    bne @colors
    lda #$20
    sta $2006
    lda #0
    sta $2006
    ldx #4
    ldy #0
    lda #0
@blank:
    sta $2007
    iny
    bne @blank
    dex
    bne @blank
.if SCORE_ZERO
    lda #$20
    sta $2006
    lda #$6A
    sta $2006
    lda #$10
    sta $2007
.endif
    lda #$5A
    sta noise
    jsr new_game
    bit $2002
    lda #$80
    sta $2000
    lda #$1E
    sta $2001
wait:
    lda ready
    beq wait
    lda #0
    sta ready
    jsr play
    jmp wait

; -- numbers -----------------------------------------------------------------------------------

.macro CLEAR at, code, width, base
    lda #(code = 2) * (base)
    .repeat width, I
    sta at + I
    .endrepeat
.endmacro

; Add one.
.macro COUNT_UP at, code, width, big, base
    .local done
    .repeat width, I
    .if code = 0
        inc LOW_BYTE at, width, big, I
        bne done
    .elseif code = 1
        inc LOW_BYTE at, width, big, I
        lda LOW_BYTE at, width, big, I
        and #$0F
        cmp #$0A
        bne done
        lda LOW_BYTE at, width, big, I
        clc
        adc #6
        cmp #$A0
        bne :+
        lda #0
    :
        sta LOW_BYTE at, width, big, I
        bne done
    .else
        inc LOW_BYTE at, width, big, I
        lda LOW_BYTE at, width, big, I
        cmp #base + 10
        bne done
        lda #base
        sta LOW_BYTE at, width, big, I
    .endif
    .endrepeat
done:
.endmacro

; Take one from a number above zero.
.macro COUNT_DOWN at, code, width, big, base
    .local done
    .repeat width, I
        lda LOW_BYTE at, width, big, I
    .if code = 0
        dec LOW_BYTE at, width, big, I
        cmp #0
        bne done
    .elseif code = 1
        beq :++
        sec
        sbc #1
        sta LOW_BYTE at, width, big, I
        and #$0F
        cmp #$0F
        bne :+
        lda LOW_BYTE at, width, big, I
        sec
        sbc #6
        sta LOW_BYTE at, width, big, I
    :
        jmp done
    :
        lda #$99
        sta LOW_BYTE at, width, big, I
    .else
        dec LOW_BYTE at, width, big, I
        cmp #base
        bne done
        lda #base + 9
        sta LOW_BYTE at, width, big, I
    .endif
    .endrepeat
done:
.endmacro

; Put the decimal digits into the buffer, lowest first.
.macro TO_DIGITS at, code, width, big, base
    .if code = 0
        lda #0
        sta number + 1
        sta number + 2
        .repeat width, I
        lda LOW_BYTE at, width, big, I
        sta number + I
        .endrepeat
        jsr divide
    .elseif code = 1
        .repeat width, I
        lda LOW_BYTE at, width, big, I
        and #$0F
        sta digits + 2 * I
        lda LOW_BYTE at, width, big, I
        lsr
        lsr
        lsr
        lsr
        sta digits + 2 * I + 1
        .endrepeat
    .else
        .repeat width, I
        lda LOW_BYTE at, width, big, I
        sec
        sbc #base
        sta digits + I
        .endrepeat
    .endif
.endmacro

; Is the number zero? (Z set)
.macro IS_ZERO at, code, width, base
    lda #0
    .repeat width, I
        ora at + I
    .endrepeat
    .if code = 2
        cmp #base
    .endif
.endmacro

divide:
    ldx #0
@digit:
    lda #0
    ldy #24
@bit:
    asl number
    rol number + 1
    rol number + 2
    rol
    cmp #10
    bcc @small
    sbc #10
    inc number
@small:
    dey
    bne @bit
    sta digits, x
    inx
    cpx #6
    bne @digit
    rts

; -- the game ----------------------------------------------------------------------------------

new_game:
    CLEAR SCORE_AT, SCORE_CODE, SCORE_WIDTH, SCORE_BASE
    CLEAR LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BASE
.if !LIVES_UP
    lda #5
    sta loops
on_life:
    COUNT_UP LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BIG, LIVES_BASE
    dec loops
    bne on_life
.endif
new_life:
    CLEAR TIMER_AT, TIMER_CODE, TIMER_WIDTH, TIMER_BASE
    lda #120
    sta loops
on_second:
    COUNT_UP TIMER_AT, TIMER_CODE, TIMER_WIDTH, TIMER_BIG, TIMER_BASE
    dec loops
    bne on_second
    lda #0
    .repeat X_WIDTH, I
    sta X_AT + I
    .endrepeat
    ldx #100
on_walk:
    jsr right
    dex
    bne on_walk
    lda #120
    sta Y_AT
    lda #30
    sta walker_x
    lda #60
    sta walker_y
    lda #1
    sta walker_dx
    rts

play:
    inc clock
    jsr random
    jsr read_pad
    lda clock
    and #31
    bne on_same_second
    COUNT_DOWN TIMER_AT, TIMER_CODE, TIMER_WIDTH, TIMER_BIG, TIMER_BASE
    IS_ZERO TIMER_AT, TIMER_CODE, TIMER_WIDTH, TIMER_BASE
    bne on_same_second
    jsr new_life
on_same_second:
    jsr move
    jsr walk
    lda pad_new
    and #A_BUTTON
    beq on_no_points
    jsr random
    and #1
    bne on_no_points
    lda noise
    lsr
    and #3
    tax
    lda prizes, x
    sta points
on_point:
    COUNT_UP SCORE_AT, SCORE_CODE, SCORE_WIDTH, SCORE_BIG, SCORE_BASE
    dec points
    bne on_point
on_no_points:
    jsr show
    rts

prizes:
.if SCORE_ZERO
    .byte 5, 10, 15, 30
.else
    .byte 10, 25, 50, 100
.endif

walk:
    lda clock
    and #1
    bne on_near
    lda walker_x
    clc
    adc walker_dx
    sta walker_x
    lda clock
    and #2
    bne on_near
    inc walker_y
    lda walker_y
    cmp #220
    bcc on_near
    lda #40
    sta walker_y
on_near:
    lda shown_x
    sec
    sbc walker_x
    clc
    adc #10
    cmp #20
    bcs on_far
    lda Y_AT
    sec
    sbc walker_y
    clc
    adc #10
    cmp #20
    bcs on_far
.if LIVES_UP
    COUNT_UP LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BIG, LIVES_BASE
    jmp new_life
.else
    COUNT_DOWN LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BIG, LIVES_BASE
    IS_ZERO LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BASE
    beq on_over
    jmp new_life
on_over:
    jmp new_game
.endif
on_far:
    rts

X_STEP = 1 << X_FINE

right:
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    clc
    adc #X_STEP
    sta LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    .if X_WIDTH = 2
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    adc #0
    sta LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    .endif
    rts

left:
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    sec
    sbc #X_STEP
    sta LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    .if X_WIDTH = 2
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    sbc #0
    sta LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    .endif
    rts

move:
    lda pad
    lsr
    bcc @not_right
    .if X_WIDTH = 2
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    cmp #(3 << (X_FINE / 2))
    bcs @not_right
    .else
    lda X_AT
    cmp #238
    bcs @not_right
    .endif
    jsr right
    .if X_FINE < 4
    jsr right
    .endif
@not_right:
    lda pad
    and #2
    beq @not_left
    .if X_WIDTH = 2
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    bne @left
    .endif
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    cmp #8 * X_STEP
    bcc @not_left
@left:
    jsr left
    .if X_FINE < 4
    jsr left
    .endif
@not_left:
    lda pad
    and #4
    beq @not_down
    lda Y_AT
    cmp #208
    bcs @not_down
    inc Y_AT
@not_down:
    lda pad
    and #8
    beq @not_up
    lda Y_AT
    cmp #40
    bcc @not_up
    dec Y_AT
@not_up:
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 0
    sta shown_x
    .if X_FINE
    lda LOW_BYTE X_AT, X_WIDTH, X_BIG, 1
    sta fraction
    .repeat X_FINE
    lsr fraction
    ror shown_x
    .endrepeat
    .endif
    rts

random:
    lda noise
    asl
    bcc @no_tap
    eor #$1D
@no_tap:
    adc clock
    sta noise
    rts

read_pad:
    lda pad
    eor #$FF
    sta pad_new
    lda #1
    sta $4016
    lda #0
    sta $4016
    ldx #8
@bit:
    lda $4016
    lsr
    rol pad
    dex
    bne @bit
    lda pad
    and pad_new
    sta pad_new
    rts

; Sprites, and the digits of one of the numbers.
show:
    lda Y_AT
    sta oam
    lda #1
    sta oam + 1
    lda #0
    sta oam + 2
    sta oam + 6
    lda shown_x
    sta oam + 3
    lda walker_y
    sta oam + 4
    lda #2
    sta oam + 5
    lda walker_x
    sta oam + 7
    ldx #8
    lda #$F8
on_hide:
    sta oam, x
    inx
    bne on_hide
    ldx #7
    lda #0
on_empty:
    sta digits, x
    dex
    bpl on_empty
    inc turn
    lda turn
    cmp #3
    bne on_turn
    lda #0
    sta turn
on_turn:
    cmp #1
    beq on_lives
    bcs on_timer
    lda #$64
    sta tiles_at
    TO_DIGITS SCORE_AT, SCORE_CODE, SCORE_WIDTH, SCORE_BIG, SCORE_BASE
    jmp on_done
on_lives:
    lda #$6C
    sta tiles_at
    TO_DIGITS LIVES_AT, LIVES_CODE, LIVES_WIDTH, LIVES_BIG, LIVES_BASE
    jmp on_done
on_timer:
    lda #$74
    sta tiles_at
    TO_DIGITS TIMER_AT, TIMER_CODE, TIMER_WIDTH, TIMER_BIG, TIMER_BASE
on_done:
    rts

nmi:
    pha
    txa
    pha
    lda #0
    sta $2003
    lda #>oam
    sta $4014
    bit $2002
    lda #$20
    sta $2006
    lda tiles_at
    beq @nothing
    sta $2006
    ldx #5
@tile:
    lda digits, x
    clc
    adc #$10
    sta $2007
    dex
    bpl @tile
@nothing:
    lda #0
    sta $2005
    sta $2005
    lda #1
    sta ready
    pla
    tax
    pla
irq:
    rti

.segment "VECTORS"
    .addr nmi, reset, irq

.segment "CHR"
    .res 16
    .byte $3C, $7E, $FF, $DB, $FF, $BD, $7E, $3C
    .res 8
    .byte $18, $3C, $7E, $FF, $FF, $7E, $3C, $18
    .byte $18, $3C, $7E, $FF, $FF, $7E, $3C, $18
    .res 16 * 13
    .macro GLYPH r0, r1, r2, r3, r4, r5, r6
    .byte r0, r1, r2, r3, r4, r5, r6, 0
    .res 8
    .endmacro
    GLYPH $3C, $66, $6E, $76, $66, $66, $3C
    GLYPH $18, $38, $18, $18, $18, $18, $7E
    GLYPH $3C, $66, $06, $1C, $30, $60, $7E
    GLYPH $3C, $66, $06, $1C, $06, $66, $3C
    GLYPH $0C, $1C, $2C, $4C, $7E, $0C, $0C
    GLYPH $7E, $60, $7C, $06, $06, $66, $3C
    GLYPH $3C, $60, $60, $7C, $66, $66, $3C
    GLYPH $7E, $06, $0C, $18, $30, $30, $30
    GLYPH $3C, $66, $66, $3C, $66, $66, $3C
    GLYPH $3C, $66, $66, $3E, $06, $0C, $38
