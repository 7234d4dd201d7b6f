; Ember Moth: start-up, the frame interrupt, the main loop and the modes of the game.
; An NROM game for the NES, one file after another through .include, so that one object is linked.

PPUCTRL   = $2000
PPUMASK   = $2001
PPUSTATUS = $2002
OAMADDR   = $2003
PPUSCROLL = $2005
PPUADDR   = $2006
PPUDATA   = $2007
OAMDMA    = $4014
APUSTATUS = $4015
JOYPAD    = $4016
APUFRAME  = $4017

BUTTON_A      = $80
BUTTON_B      = $40
BUTTON_SELECT = $20
BUTTON_START  = $10
BUTTON_UP     = $08
BUTTON_DOWN   = $04
BUTTON_LEFT   = $02
BUTTON_RIGHT  = $01

MODE_TITLE = 0
MODE_PLAY  = 1
MODE_HIT   = 2
MODE_READY = 3
MODE_PAUSE = 4
MODE_OVER  = 5

.include "ram.inc"
.include "tiles.inc"

.segment "HEADER"
    .byte "NES", $1A
    .byte 1                     ; 16 KiB program
    .byte 1                     ; 8 KiB tiles
    .byte 1                     ; vertical mirroring, mapper 0

.segment "CODE"

reset:
    sei
    cld
    ldx #$40
    stx APUFRAME
    ldx #$FF
    txs
    inx
    stx PPUCTRL
    stx PPUMASK
    stx $4010
    bit PPUSTATUS
@warm_up:
    bit PPUSTATUS
    bpl @warm_up
    txa
@clear:
    sta $0000, x
    sta $0100, x
    sta $0200, x
    sta $0300, x
    sta $0400, x
    sta $0500, x
    sta $0600, x
    sta $0700, x
    inx
    bne @clear
@second_blank:
    bit PPUSTATUS
    bpl @second_blank

    lda #$E1                    ; the seed: any value but 0
    sta random
    lda #$AC
    sta random + 1
    lda #$50                    ; the first high score is 50
    sta high_score + 2
    lda #$FF                    ; no lives on the title screen
    sta lives
    ldx #5
    lda #'0'
@zeros:
    sta score_digits, x
    dex
    bpl @zeros
    lda #$0F
    sta APUSTATUS
    lda #1
    sta ppu_busy
    lda #$88                    ; NMI on, sprites from the second tile half
    sta PPUCTRL
    jsr enter_title

main_loop:
    lda nmi_done
    beq main_loop
    lda #0
    sta nmi_done
    jsr read_joypad
    jsr next_random
    jsr run_mode
    jsr draw_sprites
    jsr build_hud
    jsr play_sound
    jmp main_loop

nmi:
    pha
    txa
    pha
    tya
    pha
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    lda ppu_busy
    bne @leave
    jsr update_screen
    lda #1
    sta nmi_done
@leave:
    pla
    tay
    pla
    tax
    pla
irq:
    rti

; Read port 1 into input; A arrives first and ends in bit 7.
read_joypad:
    lda input
    sta temp
    lda #1
    sta JOYPAD
    sta input
    lsr a
    sta JOYPAD
@next:
    lda JOYPAD
    lsr a
    rol input
    bcc @next
    lda temp
    eor #$FF
    and input
    sta input_new
    rts

; Step the 16-bit shift register eight times; returns its low byte in A, keeps X.
next_random:
    ldy #8
    lda random
@step:
    asl a
    rol random + 1
    bcc @no_feedback
    eor #$2D
@no_feedback:
    dey
    bne @step
    sta random
    rts

run_mode:
    lda mode
    asl a
    tax
    lda mode_table + 1, x
    pha
    lda mode_table, x
    pha
    rts

mode_table:
    .word run_title - 1, run_play - 1, run_hit - 1, run_ready - 1, run_pause - 1, run_over - 1

; --- title ------------------------------------------------------------------------------------

enter_title:
    lda #MODE_TITLE
    sta mode
    lda #<title_screen
    ldx #>title_screen
    jsr show_screen
    jsr clear_entities
    lda #120
    sta x_pos + MOTH
    lda #140
    sta y_pos + MOTH
    lda #0
    sta safe_frames
    sta dash_frames
    sta x_speed + MOTH
    sta y_speed + MOTH
    rts

run_title:
    jsr move_embers
    lda frame_counter           ; the moth hovers: a triangle wave of 64 frames
    and #$3F
    cmp #$20
    bcc @rising
    eor #$3F
@rising:
    lsr a
    clc
    adc #128
    sta y_pos + MOTH
    ldx #1                      ; PRESS START flashes
    lda frame_counter
    and #$20
    beq @show
    ldx #0
@show:
    txa
    jsr set_message
    lda input_new
    and #BUTTON_START
    bne start_game
    rts

start_game:
    lda #0
    ldx #2
@clear_score:
    sta score, x
    dex
    bpl @clear_score
    sta embers
    sta embers + 1
    sta play_frames
    sta play_frames + 1
    sta game_over
    lda #'0'
    ldx #5
@clear_digits:
    sta score_digits, x
    dex
    bpl @clear_digits
    lda #2
    sta lives
    lda #1
    sta level
    lda #BUTTON_RIGHT
    sta facing
    lda #<game_screen
    ldx #>game_screen
    jsr show_screen
    jsr clear_entities
    lda #SFX_START
    jsr start_sfx
    ; falls into enter_level

; Set up the level: quota, clock and bats.
enter_level:
    lda level
    asl a
    clc
    adc #4
    cmp #24
    bcc @quota
    lda #24
@quota:
    sta embers_left
    lda #$60
    sta time
    lda #60
    sta time_frames
    lda level
    cmp #10
    bcc @speed
    lda #9
@speed:
    asl a
    asl a
    clc
    adc #12                     ; one pixel a frame on level 1
    sta bat_speed
    lda #90
    sta mode_frames
    lda #MODE_READY
    sta mode
    jsr reset_moth
    jsr clear_bats
    lda #2
    jmp set_message

run_ready:
    jsr move_embers
    dec mode_frames
    bne @wait
    lda #MODE_PLAY
    sta mode
    lda #0
    jmp set_message
@wait:
    rts

; --- hit, pause, game over --------------------------------------------------------------------

; Lose a life: the moth falls for a second.
lose_life:
    lda #MODE_HIT
    sta mode
    lda #60
    sta mode_frames
    lda #$E8
    sta hit_speed
    lda #0
    sta dash_frames
    sta x_speed + MOTH
    sta y_speed + MOTH
    dec lives
    bpl @alive
    lda #1
    sta game_over
@alive:
    lda #20
    sta noise_left
    lda #SFX_HIT
    jmp start_sfx

run_hit:
    jsr move_embers
    jsr move_bats
    lda hit_speed               ; thrown up, then falling
    sta y_speed + MOTH
    cmp #$40
    beq @fastest
    inc hit_speed
    inc hit_speed
@fastest:
    lda y_pos + MOTH
    cmp #200
    bcs @landed
    ldx #MOTH
    jsr move_entity
@landed:
    dec mode_frames
    bne @done
    lda game_over
    bne @over
    lda time
    bne @keep_time
    lda #$60
    sta time
    lda #60
    sta time_frames
@keep_time:
    jsr reset_moth
    lda #MODE_PLAY
    sta mode
    lda #0
    jmp set_message
@over:
    lda #MODE_OVER
    sta mode
    lda #240
    sta mode_frames
    lda #SFX_OVER
    jsr start_sfx
    lda #3
    jmp set_message
@done:
    rts

run_pause:
    lda input_new
    and #BUTTON_START
    beq @done
    lda #MODE_PLAY
    sta mode
    lda #0
    jmp set_message
@done:
    rts

run_over:
    jsr move_embers
    jsr move_bats
    dec mode_frames
    beq @leave
    lda mode_frames
    cmp #180
    bcs @stay
    lda input_new
    and #BUTTON_START
    beq @stay
@leave:
    jmp enter_title
@stay:
    rts

.include "play.s"
.include "screen.s"
.include "sound.s"

title_screen:
    .incbin "title.nam"
game_screen:
    .incbin "game.nam"

.segment "VECTORS"
    .word nmi, reset, irq

.segment "CHR"
    .incbin "tiles.chr"
