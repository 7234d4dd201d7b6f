; A proof ROM for the Master System and the Game Gear; ../README.md says what it does.
frame_counter = 0xC100  ; <u2
score         = 0xC102  ; <u2
lives         = 0xC104  ; |u1
game_over     = 0xC105  ; |u1
input         = 0xC106  ; |u1  bit 7 Start (Game Gear), then 0, A, B, Right Left Down Up
input_new     = 0xC107  ; |u1
pauses        = 0xC108  ; |u1  times that Pause was pressed (Master System)
lines         = 0xC109  ; |u1  interrupts of lines, and the line of the newest
clocks        = 0xC10B  ; the video chip's buffer, the processor's refreshes, the save chip
saved         = 0x8000  ; |u1  the save chip counts frames

        .area PROOF (ABS)
        .org 0x0000
        di
        im 1
        ld sp, #0xDFF0
        jp start
        .org 0x0038
        push af
        push hl
        in a, (0xBF)            ; ends the interrupt
        ld hl, #lines
        inc (hl)
        inc hl
        in a, (0x7E)
        ld (hl), a
        pop hl
        pop af
        ei
        reti
        .org 0x0066             ; the Pause button
        push hl
        ld hl, #pauses
        inc (hl)
        pop hl
        retn
        .org 0x0100
start:
        ld hl, #0xC000          ; clear RAM below the stack
        ld de, #0xC001
        ld bc, #0x1EFF
        ld (hl), #0
        ldir
        ld hl, #registers
        ld b, #22
        ld c, #0xBF
        otir
        ld a, #0x08             ; opens the save chip
        ld (0xFFFC), a
        call new_game
        ei
frame:
        in a, (0xBF)            ; bit 7 rises with the vertical blank
        rlca
        jr nc, frame
        ld hl, (frame_counter)
        inc hl
        ld (frame_counter), hl
        call machine
        call read_pad
.if GAME_GEAR
        ld a, (input_new)
        rlca
        call c, new_game
.endif
        ld a, (game_over)
        or a
        jr nz, shown
        ld a, (input_new)
        and #0x20
        call nz, add_ten
        ld a, (input_new)
        and #0x10
        call nz, lose_life
shown:
        xor a                   ; the color of the screen shows the lives
        out (0xBF), a
        ld a, #0xC0
        out (0xBF), a
        ld a, (lives)
        out (0xBE), a
        xor a
        out (0xBE), a
        ld a, #0x10             ; where nothing is drawn from, a byte is written and asked for
        out (0xBF), a
        ld a, #0x70
        out (0xBF), a
        ld a, (frame_counter)
        out (0xBE), a
        ld a, #0x10
        out (0xBF), a
        ld a, #0x30
        out (0xBF), a
        jp frame

machine:                        ; what states may leave out is read where it can be seen
        ld hl, #clocks
        in a, (0xBE)
        ld (hl), a
        inc hl
        ld a, r
        ld (hl), a
        inc hl
        ld a, (saved)
        inc a
        ld (saved), a
        ld (hl), a
        ld a, (frame_counter)
        and #0x1F
        ret nz
        ld hl, #sounds
        ld bc, #0x0B7F
        otir
        ret

sounds:                         ; three tones and noise
        .db 0x85, 0x12, 0x92, 0xA3, 0x21, 0xB1, 0xC7, 0x0F, 0xD3, 0xE7, 0xF2

new_game:
        ld hl, #0
        ld (score), hl
        xor a
        ld (game_over), a
        ld a, #3
        ld (lives), a
        ret

add_ten:
        ld hl, (score)
        ld de, #10
        add hl, de
        ld (score), hl
        ret

lose_life:
        ld hl, #lives
        dec (hl)
        ret nz
        ld a, #1
        ld (game_over), a
        ret

read_pad:
        in a, (0xDC)
        cpl
        and #0x3F
        ld b, a
.if GAME_GEAR
        in a, (0x00)
        cpl
        and #0x80
        or b
        ld b, a
.endif
        ld a, (input)
        cpl
        and b
        ld (input_new), a
        ld a, b
        ld (input), a
        ret

; Each register as value, then 0x80 + number.
registers:
        .db 0x14, 0x80, 0x40, 0x81, 0xFF, 0x82, 0xFF, 0x83, 0xFF, 0x84, 0xFF, 0x85
        .db 0xFF, 0x86, 0x00, 0x87, 0x00, 0x88, 0x00, 0x89, 0x27, 0x8A
