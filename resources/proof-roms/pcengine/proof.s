; A proof ROM for the PC Engine; ../README.md says what it does.
frame_counter = $2100   ; <u2  (F8:0100; $2000 is the zero page of this processor)
score         = $2102   ; <u2
lives         = $2104   ; |u1
game_over     = $2105   ; |u1
input         = $2106   ; |u1  Left Down Right Up Run Select II I, from bit 7 down
input_new     = $2107   ; |u1
input_more    = $2108   ; |u1  0 0 0 0 VI V IV III, from a pad with six buttons

scan_high     = $2000   ; scratch in the zero page
scan_low      = $2001
scan_new      = $2002

VDC_STATUS    = $0000
VDC_LOW       = $0002
VDC_HIGH      = $0003
VCE_ADDRESS   = $0402
VCE_DATA      = $0404
PORT          = $1000

.segment "CODE"
reset:
    sei
    csh
    cld
    lda #$FF                    ; hardware at $0000, RAM at $2000
    tam #$01
    lda #$F8
    tam #$02
    ldx #$FF
    txs
    lda #$07                    ; no interrupt reaches the processor
    sta $1402
    stz $2000
    tii $2000, $2001, $1EFF
    ldx #0
@register:
    lda registers, x
    bmi @registers_done
    sta a:VDC_STATUS
    lda registers + 1, x
    sta a:VDC_LOW
    lda registers + 2, x
    sta a:VDC_HIGH
    inx
    inx
    inx
    bra @register
@registers_done:
    jsr new_game
frame:
    lda a:VDC_STATUS              ; bit 5: the vertical blank began
    and #$20
    beq frame
    inc frame_counter
    bne @counted
    inc frame_counter + 1
@counted:
    jsr read_pad
    lda input_new
    and #$08                    ; Run
    beq @no_run
    jsr new_game
@no_run:
    lda game_over
    bne @shown
    lda input_new
    and #$01                    ; I
    beq @no_score
    clc
    lda score
    adc #10
    sta score
    bcc @no_score
    inc score + 1
@no_score:
    lda input_new
    and #$02                    ; II
    beq @shown
    dec lives
    bne @shown
    inc game_over
@shown:
    stz VCE_ADDRESS             ; the backdrop shows the lives
    stz VCE_ADDRESS + 1
    lda lives
    asl a
    sta VCE_DATA
    stz VCE_DATA + 1
    bra frame

new_game:
    stz score
    stz score + 1
    stz game_over
    lda #3
    sta lives
    rts

; Two scans: a pad with six buttons answers the second kind with all directions down.
read_pad:
    stz scan_new
    stz input_more
    jsr scan
    jsr scan
    lda input
    eor #$FF
    and scan_new
    sta input_new
    lda scan_new
    sta input
    rts

scan:
    lda #1
    sta PORT
    lda #3
    sta PORT
    lda #1
    sta PORT
    jsr wait
    lda PORT
    eor #$FF
    and #$0F
    asl a
    asl a
    asl a
    asl a
    sta scan_high
    stz PORT
    jsr wait
    lda PORT
    eor #$FF
    and #$0F
    sta scan_low
    lda scan_high
    cmp #$F0
    beq @more
    ora scan_low
    sta scan_new
    rts
@more:
    lda scan_low
    sta input_more
    rts

wait:
    nop
    nop
    nop
    rts

; VDC registers: number, low, high; $FF ends. 256x224, picture off but the border, blank interrupt on.
registers:
    .byte $05, $88, $00         ; background on, blank flag on
    .byte $09, $10, $00
    .byte $0A, $02, $02
    .byte $0B, $1F, $04
    .byte $0C, $02, $17
    .byte $0D, $DF, $00
    .byte $0E, $0C, $00
    .byte $07, $00, $00
    .byte $08, $00, $00
    .byte $FF

stop:
    rti

.segment "VECTORS"
    .word stop, stop, stop, stop, reset
