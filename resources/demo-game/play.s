; The game itself: the moth, bats, embers, the clock and the score.

LEFT_WALL  = 8
RIGHT_WALL = 232
TOP_WALL   = 40
FLOOR      = 184
TOP_SPEED  = 28
DASH_SPEED = 60

run_play:
    lda input_new
    and #BUTTON_START
    beq @running
    lda #MODE_PAUSE
    sta mode
    lda #4
    jmp set_message
@running:
    inc play_frames
    bne @counted
    inc play_frames + 1
@counted:
    lda safe_frames
    beq @no_safe
    dec safe_frames
@no_safe:
    jsr steer_moth
    ldx #MOTH
    jsr move_entity
    jsr keep_inside
    jsr move_embers
    jsr move_bats
    jsr catch_embers
    lda mode
    cmp #MODE_PLAY
    bne @done                   ; the level is finished
    jsr touch_bats
    lda mode
    cmp #MODE_PLAY
    bne @done
    jmp run_clock
@done:
    rts

; --- the moth ---------------------------------------------------------------------------------

reset_moth:
    ldx #MOTH
    lda #0
    sta x_speed, x
    sta y_speed, x
    sta x_part, x
    sta y_part, x
    sta dash_frames
    sta dash_wait
    lda #120
    sta x_pos, x
    lda #84
    sta y_pos, x
    lda #90
    sta safe_frames
    rts

steer_moth:
    lda dash_wait
    beq @may_dash
    dec dash_wait
@may_dash:
    lda dash_frames
    beq @not_dashing
    dec dash_frames
    rts
@not_dashing:
    lda input
    and #BUTTON_LEFT | BUTTON_RIGHT
    beq @no_turn
    sta facing
@no_turn:
    lda input_new
    bpl @no_dash                ; A is bit 7
    lda dash_wait
    beq start_dash
@no_dash:
    ldy #MOTH                   ; right and left
    lda input
    jsr push_axis
    ldy #y_speed - x_speed      ; down and up
    lda input
    lsr a
    lsr a
    ; falls into push_axis

; Speed up the axis whose speed is at x_speed + Y: bit 0 of A forward, bit 1 back, else slow down.
push_axis:
    and #3
    tax
    lda push_wanted, x
    sec
    sbc x_speed, y
    beq @done                   ; as fast as wanted
    bmi @slower
    cmp #3
    bcc @set
    lda #2
    bne @add
@slower:
    cmp #$FE
    bcs @set
    lda #$FE
@add:
    clc
    adc x_speed, y
    sta x_speed, y
    rts
@set:
    lda push_wanted, x
    sta x_speed, y
@done:
    rts

push_wanted:
    .byte 0, TOP_SPEED, <-TOP_SPEED, 0

start_dash:
    lda #10
    sta dash_frames
    lda #45
    sta dash_wait
    lda input
    and #$0F
    bne @direction
    lda facing
@direction:
    pha
    and #3
    tax
    lda dash_wanted, x
    sta x_speed + MOTH
    pla
    lsr a
    lsr a
    and #3
    tax
    lda dash_wanted, x
    sta y_speed + MOTH
    lda #SFX_DASH
    jmp start_sfx

dash_wanted:
    .byte 0, DASH_SPEED, <-DASH_SPEED, 0

keep_inside:
    lda x_pos + MOTH
    cmp #LEFT_WALL
    bcs @not_left
    lda #LEFT_WALL
    bne @stop_x
@not_left:
    cmp #RIGHT_WALL + 1
    bcc @x_good
    lda #RIGHT_WALL
@stop_x:
    sta x_pos + MOTH
    lda #0
    sta x_speed + MOTH
    sta x_part + MOTH
@x_good:
    lda y_pos + MOTH
    cmp #TOP_WALL
    bcs @not_top
    lda #TOP_WALL
    bne @stop_y
@not_top:
    cmp #FLOOR + 1
    bcc @y_good
    lda #FLOOR
@stop_y:
    sta y_pos + MOTH
    lda #0
    sta y_speed + MOTH
    sta y_part + MOTH
@y_good:
    rts

; Add the speeds of entity X to its place.
move_entity:
    lda x_speed, x
    jsr split_speed
    clc
    lda x_part, x
    adc temp_lo
    sta x_part, x
    lda x_pos, x
    adc temp_hi
    sta x_pos, x
    lda y_speed, x
    jsr split_speed
    clc
    lda y_part, x
    adc temp_lo
    sta y_part, x
    lda y_pos, x
    adc temp_hi
    sta y_pos, x
    rts

; Turn a speed in sixteenths into 256ths: temp_hi and temp_lo = A * 16, with its sign.
split_speed:
    sta temp_hi
    asl a
    asl a
    asl a
    asl a
    sta temp_lo
    lda temp_hi
    ldy #4
@halve:
    cmp #$80
    ror a
    dey
    bne @halve
    sta temp_hi
    rts

clear_entities:
    ldx #COUNT - 1
@next:
    lda #0
    sta state, x
    txa                         ; they come one after another
    asl a
    asl a
    asl a
    asl a
    sta timer, x
    dex
    bne @next
    rts

clear_bats:
    ldx #BAT
    lda #0
@next:
    sta state, x
    pha
    txa
    asl a
    asl a
    asl a
    asl a
    asl a
    sta timer, x
    pla
    inx
    cpx #EMBER
    bne @next
    rts

; --- embers -----------------------------------------------------------------------------------

move_embers:
    ldx #EMBER
@next:
    lda state, x
    bne @fly
    lda timer, x
    beq @appear
    dec timer, x
    jmp @done
@appear:
    jsr appear_ember
    jmp @done
@fly:
    jsr move_entity
    inc timer, x
    lda y_pos, x
    cmp #TOP_WALL + 2
    bcc @gone
    lda x_pos, x
    cmp #LEFT_WALL
    bcc @gone
    cmp #RIGHT_WALL + 8
    bcc @done
@gone:
    jsr remove_ember
@done:
    inx
    cpx #FLARE
    bne @next
    lda state + FLARE
    beq @no_flare
    dec timer + FLARE
    bne @no_flare
    lda #0
    sta state + FLARE
@no_flare:
    rts

appear_ember:
    jsr next_random
    and #$0F
    clc
    adc #118
    sta x_pos, x
    lda #180
    sta y_pos, x
    jsr next_random
    pha
    and #$1F
    sec
    sbc #16
    sta x_speed, x
    pla
    lsr a
    lsr a
    lsr a
    lsr a
    lsr a
    clc
    adc #7
    adc level
    eor #$FF                    ; upwards
    sta y_speed, x
    ldy #1
    lda random + 1
    and #7
    bne @kind
    iny
@kind:
    tya
    sta state, x
    lda #0
    sta timer, x
    rts

remove_ember:
    lda #0
    sta state, x
    jsr next_random
    and #$3F
    clc
    adc #10
    sta timer, x
    rts

catch_embers:
    ldx #EMBER
@next:
    lda state, x
    beq @miss
    lda x_pos, x
    sec
    sbc x_pos + MOTH
    clc
    adc #8                      ; the ember's left edge may be 8 left to 16 right of the moth's
    cmp #24
    bcs @miss
    lda y_pos, x
    sec
    sbc y_pos + MOTH
    clc
    adc #7
    cmp #21
    bcs @miss
    jsr catch_ember
    lda mode
    cmp #MODE_PLAY
    bne @done
@miss:
    inx
    cpx #FLARE
    bne @next
@done:
    rts

catch_ember:
    lda x_pos, x
    sta x_pos + FLARE
    lda y_pos, x
    sta y_pos + FLARE
    lda #1
    sta state + FLARE
    lda #12
    sta timer + FLARE
    jsr clear_points
    lda state, x
    cmp #2
    beq @spark
    lda level                   ; an ember is worth ten times the level
    cmp #10
    bcc @tens
    lda #9
@tens:
    sta points + 4
    lda #SFX_CATCH
    bne @add
@spark:
    lda #1                      ; a blue spark is worth 100
    sta points + 3
    lda #SFX_SPARK
@add:
    jsr start_sfx
    jsr remove_ember
    stx entity
    jsr add_points
    ldx entity
    inc embers
    bne @counted
    inc embers + 1
@counted:
    dec embers_left
    beq finish_level
    rts

; The next level, and ten points for each second left.
finish_level:
    jsr clear_points
    lda time
    and #$0F
    sta points + 4
    lda time
    lsr a
    lsr a
    lsr a
    lsr a
    sta points + 3
    jsr add_points
    inc level
    lda #SFX_START
    jsr start_sfx
    jsr enter_level
    ldx entity
    rts

; --- bats -------------------------------------------------------------------------------------

move_bats:
    ldx #BAT
@next:
    cpx #BAT + 1                ; the first always flies, the others from levels 2, 3, 4
    bcc @active
    cpx level
    beq @active
    bcs @done
@active:
    lda state, x
    bne @fly
    lda timer, x
    beq @appear
    dec timer, x
    jmp @done
@appear:
    jsr appear_bat
    jmp @done
@fly:
    inc timer, x
    lda timer, x
    lsr a
    lsr a
    and #$0F
    tay
    lda bat_wave, y
    sta y_speed, x
    jsr move_entity
    lda x_pos, x
    cmp #242
    bcc @done
    lda #0
    sta state, x
    jsr next_random
    and #$3F
    adc #20
    sta timer, x
@done:
    inx
    cpx #EMBER
    bne @next
    rts

bat_wave:
    .byte 0, 6, 11, 14, 15, 14, 11, 6, 0, <-6, <-11, <-14, <-15, <-14, <-11, <-6

appear_bat:
    lda #1
    sta state, x
    jsr next_random
    sta timer, x
    ldy #0
    asl a
    lda bat_speed
    bcc @from_left
    eor #$FF
    adc #0                      ; the carry is set: this negates
    ldy #240
@from_left:
    sta x_speed, x
    tya
    sta x_pos, x
    lda timer, x                ; half of the bats fly at the moth
    and #2
    bne @aimed
    lda random + 1
    and #$7F
    clc
    adc #TOP_WALL + 8
    bne @height
@aimed:
    lda y_pos + MOTH
    clc
    adc #4
@height:
    sta y_pos, x
    rts

touch_bats:
    lda safe_frames
    ora dash_frames             ; a dash goes through bats
    bne @none
    ldx #BAT
@next:
    lda state, x
    beq @miss
    lda x_pos, x
    sec
    sbc x_pos + MOTH
    clc
    adc #10
    cmp #21
    bcs @miss
    lda y_pos, x
    sec
    sbc y_pos + MOTH
    clc
    adc #4
    cmp #15
    bcs @miss
    jmp lose_life
@miss:
    inx
    cpx #EMBER
    bne @next
@none:
    rts

; --- clock and score --------------------------------------------------------------------------

run_clock:
    dec time_frames
    bne @done
    lda #60
    sta time_frames
    lda time                    ; the NES has no decimal mode: subtract by hand
    and #$0F
    bne @no_borrow
    lda time
    sec
    sbc #7                      ; $x0 becomes $(x-1)9
    jmp @store
@no_borrow:
    lda time
    sec
    sbc #1
@store:
    sta time
    bne @done
    lda #5
    jsr set_message
    jmp lose_life
@done:
    rts

clear_points:
    ldy #5
    lda #0
@next:
    sta points, y
    dey
    bpl @next
    rts

; Add the six digits in points to the score, and keep its three forms equal.
add_points:
    ldx #5
    clc
@next:
    lda score_digits, x
    and #$0F
    adc points, x
    cmp #10
    bcc @digit
    sbc #10                     ; leaves the carry set
@digit:
    php
    ora #$30
    sta score_digits, x
    plp
    dex
    bpl @next
    ldx #0
    ldy #0
@pack:
    lda score_digits, y
    asl a
    asl a
    asl a
    asl a
    sta temp
    lda score_digits + 1, y
    and #$0F
    ora temp
    sta score, x
    iny
    iny
    inx
    cpx #3
    bne @pack
    ldx #0                      ; the high score follows while it is beaten
@compare:
    lda high_score, x
    cmp score, x
    bcc @beaten
    bne @kept
    inx
    cpx #3
    bne @compare
@kept:
    rts
@beaten:
    ldx #2
@copy:
    lda score, x
    sta high_score, x
    dex
    bpl @copy
    rts
