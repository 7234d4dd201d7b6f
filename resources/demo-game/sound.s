; Sound: effects on the first pulse channel, a thump on noise, and a slow tune on the triangle.

SFX_START = 0
SFX_CATCH = 1
SFX_SPARK = 2
SFX_DASH  = 3
SFX_HIT   = 4
SFX_OVER  = 5

; Start effect A; keeps X.
start_sfx:
    asl a
    tay
    lda sfx_table, y
    sta sfx_pointer
    lda sfx_table + 1, y
    sta sfx_pointer + 1
    rts

; One frame of sound.
play_sound:
    lda sfx_pointer + 1
    beq @no_sfx
    ldy #0
    lda (sfx_pointer), y
    bne @step
    sta sfx_pointer + 1
    lda #$30
    sta $4000
    bne @no_sfx
@step:
    sta $4000                   ; duty and volume
    iny
    lda #$08                    ; no sweep
    sta $4001
    lda (sfx_pointer), y
    sta $4002
    iny
    lda (sfx_pointer), y
    sta $4003
    lda sfx_pointer
    clc
    adc #3
    sta sfx_pointer
    bcc @no_sfx
    inc sfx_pointer + 1
@no_sfx:
    lda noise_left
    beq @no_noise
    dec noise_left
    lsr a
    ora #$30
    sta $400C
    lda #$0B
    sta $400E
    lda #$08
    sta $400F
@no_noise:
    lda mode
    cmp #MODE_PAUSE
    beq @hush
    cmp #MODE_OVER
    beq @hush
    dec music_wait
    bpl @done
    lda #11
    sta music_wait
    inc music_step
    lda music_step
    and #$1F
    tax
    lda tune, x
    beq @hush
    asl a
    tay
    lda #$C0
    sta $4008
    lda notes - 2, y
    sta $400A
    lda notes - 1, y
    sta $400B
@done:
    rts
@hush:
    lda #$80
    sta $4008
    sta $4017
    rts

; Periods of the triangle: A C D E G of two octaves.
notes:
    .word 507, 427, 380, 338, 284, 253, 212, 189, 168, 141
tune:
    .byte 1, 0, 6, 7, 9, 0, 7, 6, 2, 0, 7, 8, 10, 0, 8, 7
    .byte 3, 0, 8, 9, 7, 0, 6, 5, 4, 0, 5, 6, 5, 0, 4, 0

; Each step: duty and volume, period low, period high. A step lasts one frame; 0 ends.
.macro tone volume, period, times
    .repeat times
    .byte $80 | $30 | volume, <(period), >(period)
    .endrepeat
.endmacro

sfx_table:
    .word sfx_start, sfx_catch, sfx_spark, sfx_dash, sfx_hit, sfx_over
sfx_start:
    tone 8, 253, 5
    tone 8, 200, 5
    tone 8, 168, 5
    tone 9, 126, 12
    .byte 0
sfx_catch:
    tone 9, 142, 3
    tone 9, 106, 3
    tone 5, 106, 3
    .byte 0
sfx_spark:
    tone 9, 106, 3
    tone 9, 84, 3
    tone 9, 71, 3
    tone 9, 53, 6
    tone 4, 53, 4
    .byte 0
sfx_dash:
    tone 7, 400, 1
    tone 7, 340, 1
    tone 6, 300, 1
    tone 5, 260, 1
    tone 4, 230, 1
    tone 3, 210, 2
    .byte 0
sfx_hit:
    tone 10, 300, 3
    tone 10, 400, 3
    tone 9, 520, 3
    tone 8, 680, 4
    tone 6, 900, 6
    .byte 0
sfx_over:
    tone 8, 253, 14
    tone 8, 284, 14
    tone 8, 338, 14
    tone 8, 427, 24
    tone 4, 427, 12
    .byte 0
