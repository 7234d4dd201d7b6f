; A proof ROM for the Game Boy and, with COLOR, the Game Boy Color; ../README.md says what it does.
frame_counter = 0xC100  ; <u2
score         = 0xC102  ; <u2
lives         = 0xC104  ; |u1
game_over     = 0xC105  ; |u1
input         = 0xC106  ; |u1  Down Up Left Right Start Select B A, from bit 7 down
input_new     = 0xC107  ; |u1
bank          = 0xD000  ; |u1  in each of the banks 1 to 7 its number (COLOR)

BUTTON_A = 0x01
BUTTON_B = 0x02
START    = 0x08

        .area PROOF (ABS)
        .org 0x0100
        nop
        jp start
        .org 0x0134
        .ascii "PROOF"
        .if COLOR
        .org 0x0143
        .db 0xC0                ; for the Color only
        .endif
        .org 0x0150
start:
        di
        ld sp, #0xDFF0
        ld hl, #0xC000          ; clear RAM below the stack
        ld bc, #0x1F00
clear:
        xor a
        ld (hl+), a
        dec bc
        ld a, b
        or c
        jr nz, clear
        .if COLOR
        ld c, #7                ; ends with bank 1
next_bank:
        ld a, c
        ldh (0x70), a
        ld (bank), a
        dec c
        jr nz, next_bank
        .endif
        call new_game
frame:
        ldh a, (0x44)           ; wait for line 144
        cp #144
        jr nz, frame
        ld hl, #frame_counter
        inc (hl)
        jr nz, counted
        inc hl
        inc (hl)
counted:
        call read_pad
        ld a, (input_new)
        and #START
        call nz, new_game
        ld a, (game_over)
        or a
        jr nz, shown
        ld a, (input_new)
        and #BUTTON_A
        call nz, add_ten
        ld a, (input_new)
        and #BUTTON_B
        call nz, lose_life
shown:
        ld a, (lives)           ; the shade of the screen shows the lives
        .if COLOR
        swap a
        ld b, a
        ld a, #0x80
        ldh (0x68), a
        ld a, b
        ldh (0x69), a
        xor a
        ldh (0x69), a
        .else
        ldh (0x47), a
        .endif
same_line:
        ldh a, (0x44)
        cp #144
        jr z, same_line
        jr frame

new_game:
        xor a
        ld (score), a
        ld (score + 1), a
        ld (game_over), a
        ld a, #3
        ld (lives), a
        ret

add_ten:
        ld a, (score)
        add a, #10
        ld (score), a
        ret nc
        ld hl, #score + 1
        inc (hl)
        ret

lose_life:
        ld hl, #lives
        dec (hl)
        ret nz
        ld a, #1
        ld (game_over), a
        ret

read_pad:
        ld a, #0x20             ; the directions
        ldh (0x00), a
        ldh a, (0x00)
        ldh a, (0x00)
        cpl
        and #0x0F
        swap a
        ld b, a
        ld a, #0x10             ; the buttons
        ldh (0x00), a
        ldh a, (0x00)
        ldh a, (0x00)
        ldh a, (0x00)
        ldh a, (0x00)
        cpl
        and #0x0F
        or b
        ld b, a
        ld a, #0x30
        ldh (0x00), a
        ld a, (input)
        cpl
        and b
        ld (input_new), a
        ld a, b
        ld (input), a
        ret
