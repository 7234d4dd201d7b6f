; A proof ROM for the board of Pac-Man, which FBNeo runs; ../README.md says what it does.
frame_counter = 0x4C10  ; <u2
score         = 0x4C12  ; <u2
lives         = 0x4C14  ; |u1
game_over     = 0x4C15  ; |u1
input         = 0x4C16  ; |u1  0 Start Coin 0 Down Right Left Up
input_new     = 0x4C17  ; |u1

        .area PROOF (ABS)
        .org 0x0000
        di
        im 1
        ld sp, #0x4FF0
        jp start
        .org 0x0038             ; the vertical blank
        jp frame
        .org 0x0100
start:
        ld hl, #0x4C00          ; clear RAM below the stack
        ld de, #0x4C01
        ld bc, #0x03EF
        ld (hl), #0
        ldir
        call new_game
        ld a, #1                ; let the blank interrupt
        ld (0x5000), a
        ei
idle:
        jr idle

frame:
        ld (0x50C0), a          ; the watchdog
        ld hl, (frame_counter)
        inc hl
        ld (frame_counter), hl
        call read_stick
        ld a, (input_new)
        and #0x40
        call nz, new_game
        ld a, (game_over)
        or a
        jr nz, shown
        ld a, (input_new)
        and #0x01
        call nz, add_ten
        ld a, (input_new)
        and #0x08
        call nz, lose_life
shown:
        ld hl, #0x4400          ; the color of the screen shows the lives
        ld de, #0x4401
        ld bc, #0x03FF
        ld a, (lives)
        ld (hl), a
        ldir
        ei
        reti

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

read_stick:
        ld a, (0x5040)
        cpl
        and #0x20               ; Start
        add a, a
        ld b, a
        ld a, (0x5000)
        cpl
        and #0x2F               ; Coin Down Right Left Up
        or b
        ld b, a
        ld a, (input)
        cpl
        and b
        ld (input_new), a
        ld a, b
        ld (input), a
        ret
