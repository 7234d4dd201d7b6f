; What is seen: screens, the tiles written in each vertical blank, messages and sprites.

MESSAGE_PLACE = $2000 + 14 * 32 + 8
FLAME_PLACE   = $2000 + 22 * 32 + 14

; Show a screen of 1 KiB at A (low) and X (high).
show_screen:
    sta pointer
    stx pointer + 1
    lda #1
    sta ppu_busy
    lda #0
    sta PPUMASK
    bit PPUSTATUS
    lda #$3F
    sta PPUADDR
    lda #$00
    sta PPUADDR
    ldx #0
@color:
    lda palettes, x
    sta PPUDATA
    inx
    cpx #32
    bne @color
    lda #$20
    sta PPUADDR
    lda #$00
    sta PPUADDR
    ldx #4
    ldy #0
@tile:
    lda (pointer), y
    sta PPUDATA
    iny
    bne @tile
    inc pointer + 1
    dex
    bne @tile
    lda #$FF
    sta message_shown
    lda #0
    jsr set_message
    jsr draw_sprites
    jsr build_hud
    lda #0
    sta ppu_busy
    rts

palettes:
    .byte $0F, $01, $11, $30    ; stars
    .byte $0F, $01, $27, $37    ; text, logo and moon
    .byte $0F, $01, $03, $04    ; dusk
    .byte $0F, $06, $27, $38    ; fire
    .byte $0F, $17, $27, $38    ; moth
    .byte $0F, $05, $15, $30    ; bats
    .byte $0F, $16, $27, $38    ; embers
    .byte $0F, $11, $21, $30    ; blue sparks, and the moth in a dash

; Everything the NMI writes to the PPU; about 1,200 of the 2,270 cycles of the blank.
update_screen:
    lda #0
    sta OAMADDR
    lda #>oam
    sta OAMDMA
    bit PPUSTATUS

    lda #$20                    ; the line under the labels
    sta PPUADDR
    lda #$62
    sta PPUADDR
    .repeat 6, I
    lda score_digits + I
    sta PPUDATA
    .endrepeat
    lda #$20
    sta PPUADDR
    lda #$69
    sta PPUADDR
    .repeat 6, I
    lda hud_hi + I
    sta PPUDATA
    .endrepeat
    lda #$20
    sta PPUADDR
    lda #$71
    sta PPUADDR
    lda hud_level
    sta PPUDATA
    lda hud_level + 1
    sta PPUDATA
    lda #$20
    sta PPUADDR
    lda #$75
    sta PPUADDR
    lda hud_time
    sta PPUDATA
    lda hud_time + 1
    sta PPUDATA
    lda #$20
    sta PPUADDR
    lda #$7B
    sta PPUADDR
    lda hud_lives
    sta PPUDATA

    lda mode                    ; embers to catch
    beq @no_catch
    lda #$23
    sta PPUADDR
    lda #$69
    sta PPUADDR
    lda hud_catch
    sta PPUDATA
    lda hud_catch + 1
    sta PPUDATA
@no_catch:

    lda #>MESSAGE_PLACE
    sta PPUADDR
    lda #<MESSAGE_PLACE
    sta PPUADDR
    .repeat 16, I
    lda message + I
    sta PPUDATA
    .endrepeat

    lda frame_counter           ; three rows of the fire, one picture in 8 frames
    and #8
    bne @second
    .repeat 3, R
    lda #>(FLAME_PLACE + R * 32)
    sta PPUADDR
    lda #<(FLAME_PLACE + R * 32)
    sta PPUADDR
    .repeat 4, C
    lda flame_0 + R * 4 + C
    sta PPUDATA
    .endrepeat
    .endrepeat
    jmp @scroll
@second:
    .repeat 3, R
    lda #>(FLAME_PLACE + R * 32)
    sta PPUADDR
    lda #<(FLAME_PLACE + R * 32)
    sta PPUADDR
    .repeat 4, C
    lda flame_1 + R * 4 + C
    sta PPUDATA
    .endrepeat
    .endrepeat
@scroll:
    lda #0
    sta PPUSCROLL
    sta PPUSCROLL
    lda #$88
    sta PPUCTRL
    lda #$1E
    sta PPUMASK
    rts

flame_0:
    .byte FLAME_0
flame_1:
    .byte FLAME_1

; --- text -------------------------------------------------------------------------------------

; Put message A into the line of 16 tiles.
set_message:
    cmp message_shown
    beq @done
    sta message_shown
    asl a
    asl a
    asl a
    asl a
    tay
    ldx #0
@next:
    lda messages, y
    ora #$80                    ; the letters on blue
    sta message, x
    iny
    inx
    cpx #16
    bne @next
    lda message_shown
    cmp #2
    bne @done
    lda level
    jsr two_digits
    tya
    ora #$B0
    sta message + 10
    txa
    ora #$B0
    sta message + 11
@done:
    rts

messages:
    .byte "                "
    .byte "  PRESS START   "
    .byte "    LEVEL       "
    .byte "   GAME OVER    "
    .byte "     PAUSE      "
    .byte "    TIME UP     "

; Split A (0-99) into digits: tens in Y, ones in X.
two_digits:
    ldy #0
@ten:
    cmp #10
    bcc @ones
    sbc #10
    iny
    bne @ten
@ones:
    tax
    rts

build_hud:
    ldx #0
    ldy #0
@unpack:
    lda high_score, x
    lsr a
    lsr a
    lsr a
    lsr a
    ora #'0'
    sta hud_hi, y
    lda high_score, x
    and #$0F
    ora #'0'
    sta hud_hi + 1, y
    iny
    iny
    inx
    cpx #3
    bne @unpack
    lda level
    jsr two_digits
    tya
    ora #'0'
    sta hud_level
    txa
    ora #'0'
    sta hud_level + 1
    lda time
    lsr a
    lsr a
    lsr a
    lsr a
    ora #'0'
    sta hud_time
    lda time
    and #$0F
    ora #'0'
    sta hud_time + 1
    ldx lives                   ; the screen counts the life in play as well
    inx
    txa
    ora #'0'
    sta hud_lives
    lda embers_left
    jsr two_digits
    tya
    ora #'0'
    sta hud_catch
    txa
    ora #'0'
    sta hud_catch + 1
    rts

; --- sprites ----------------------------------------------------------------------------------

; The moth has the first four sprites; the others take turns in being first, so that more than
; eight in a line flicker and none is lost.
draw_sprites:
    ldx #0
    lda #$FF
@hide:
    sta oam, x
    inx
    inx
    inx
    inx
    bne @hide
    ldx #0
    stx oam_next
    ldy #4
    sty oam_step
    jsr draw_moth
    ldx #16
    ldy #4
    lda frame_counter
    lsr a
    bcc @order
    ldx #252
    ldy #<-4
@order:
    stx oam_next
    sty oam_step
    ldx #BAT
@bat:
    stx entity
    lda mode
    beq @no_bat
    lda state, x
    beq @no_bat
    jsr draw_bat
@no_bat:
    ldx entity
    inx
    cpx #EMBER
    bne @bat
@ember:
    stx entity
    lda state, x
    beq @no_ember
    jsr draw_ember
@no_ember:
    ldx entity
    inx
    cpx #COUNT
    bne @ember
    rts

draw_moth:
    lda mode
    cmp #MODE_OVER
    beq @none
    cmp #MODE_READY
    beq @visible
    lda safe_frames
    and #4
    beq @visible
@none:
    rts
@visible:
    ldy #0
    lda dash_frames
    beq @palette
    ldy #3
@palette:
    sty sprite_attr
    ldy #SPR_MOTH_OPEN
    lda frame_counter
    and #8
    beq @wings
    ldy #SPR_MOTH_FOLD
@wings:
    sty temp
    lda mode
    cmp #MODE_HIT
    beq @falling
    lda y_pos + MOTH
    sta sprite_y
    jsr @pair
    inc temp
    lda y_pos + MOTH
    clc
    adc #8
    sta sprite_y
@pair:
    lda temp
    sta sprite_tile
    lda x_pos + MOTH
    sta sprite_x
    jsr put_sprite
    lda sprite_attr
    eor #$40
    sta sprite_attr
    lda x_pos + MOTH
    clc
    adc #8
    sta sprite_x
    jsr put_sprite
    lda sprite_attr
    eor #$40
    sta sprite_attr
    rts
@falling:                       ; upside down
    lda #$80
    sta sprite_attr
    lda y_pos + MOTH
    clc
    adc #8
    sta sprite_y
    jsr @pair
    inc temp
    lda y_pos + MOTH
    sta sprite_y
    jmp @pair

draw_bat:
    ldy #SPR_BAT_UP
    lda timer, x
    and #8
    beq @wings
    ldy #SPR_BAT_DOWN
@wings:
    sty sprite_tile
    lda y_pos, x
    sta sprite_y
    lda x_pos, x
    sta sprite_x
    lda #1
    sta sprite_attr
    jsr put_sprite
    lda sprite_x
    clc
    adc #8
    sta sprite_x
    lda #$41
    sta sprite_attr
    jmp put_sprite

draw_ember:
    lda x_pos, x
    sta sprite_x
    lda y_pos, x
    sta sprite_y
    ldy #SPR_FLARE
    cpx #FLARE
    beq @flare
    lda timer, x
    lsr a
    lsr a
    lsr a
    and #7
    tay
    lda ember_sway, y
    clc
    adc sprite_x
    sta sprite_x
    lda state, x
    cmp #2
    beq @spark
    ldy #SPR_EMBER_A
    lda timer, x
    and #8
    beq @warm
    iny
@warm:
    lda #2
    bne @put
@spark:
    ldy #SPR_FLARE
    lda timer, x
    and #8
    beq @cold
    ldy #SPR_SPARK_A
@cold:
    lda #3
    bne @put
@flare:
    ldy #SPR_SPARK_B
    lda #2
@put:
    sta sprite_attr
    sty sprite_tile
    ; falls into put_sprite

put_sprite:
    ldy oam_next
    lda sprite_y
    sec
    sbc #1                      ; the PPU draws a sprite one line lower
    sta oam, y
    lda sprite_tile
    sta oam + 1, y
    lda sprite_attr
    sta oam + 2, y
    lda sprite_x
    sta oam + 3, y
    lda oam_next
    clc
    adc oam_step
    sta oam_next
    rts

ember_sway:
    .byte 0, 1, 2, 1, 0, <-1, <-2, <-1
