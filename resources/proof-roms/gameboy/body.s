; A proof ROM for the Game Boy and, with COLOR, the Game Boy Color; ../README.md says what it does.
frame_counter = 0xC100  ; <u2
score         = 0xC102  ; <u2
lives         = 0xC104  ; |u1
game_over     = 0xC105  ; |u1
input         = 0xC106  ; |u1  Down Up Left Right Start Select B A, from bit 7 down
input_new     = 0xC107  ; |u1
clocks        = 0xC108  ; the timer, the divider, the sound's state, and its wave, a byte each
saved         = 0xA000  ; |u1  the save chip counts frames
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
        .org 0x0147
        .db 0x1B, 0x00, 0x02    ; MBC5 with 8 KiB and a battery
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
        call start_machine
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
        call machine
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

start_machine:
        ld a, #0x0A             ; opens the save chip
        ld (0x0000), a
        ld hl, #sound
        ld c, #0x10
next_register:
        ld a, (hl+)
        ldh (c), a
        inc c
        ld a, c
        cp #0x27
        jr nz, next_register
        ld hl, #copy            ; programs in the last bytes of memory alone run during a DMA
        ld c, #0x80
next_byte:
        ld a, (hl+)
        ldh (c), a
        inc c
        ld a, c
        cp #0x80 + copied - copy
        jr nz, next_byte
        ld a, #0x37
        ldh (0x06), a           ; the timer begins again there
        ld a, #0x05
        ldh (0x07), a           ; and counts 16 cycles each
        ret

machine:                        ; what states may leave out is read where it can be seen
        ld hl, #clocks
        ldh a, (0x05)
        ld (hl+), a
        ldh a, (0x04)
        ld (hl+), a
        ldh a, (0x26)
        ld (hl+), a
        ldh a, (0x30)           ; the byte of the wave that is played now
        ld (hl+), a
        ld hl, #saved
        inc (hl)
        ld a, (frame_counter)
        and #0x1F
        call z, start_sounds
        jp 0xFF80

start_sounds:
        ld a, #0x80
        ldh (0x1A), a
        ld a, #0xC7             ; each with a length
        ldh (0x14), a
        ldh (0x19), a
        ldh (0x1E), a
        ld a, #0xC0
        ldh (0x23), a
        ret

copy:
        ld a, #0xC1             ; the variables go to the table of sprites, which are not shown
        ldh (0x46), a
        ld a, #40
waiting:
        dec a
        jr nz, waiting
        ret
copied:

sound:                          ; the registers 0x10 to 0x26
        .db 0x15, 0x80, 0xF3, 0x83, 0x47, 0x00, 0x80, 0xF3, 0x21, 0x47
        .db 0x80, 0xE0, 0x20, 0x9D, 0x47, 0x00, 0x20, 0xF1, 0x42, 0x40
        .db 0x77, 0xFF, 0x80

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
