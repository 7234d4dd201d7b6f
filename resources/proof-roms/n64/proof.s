# A proof ROM for the Nintendo 64; ../README.md says what it does.
# Variables stand in RDRAM. The core keeps each word in the order of the PC's processor.
        .equ frame_counter, 0xA0200100  # <u4
        .equ score,         0xA0200104  # <u4
        .equ lives,         0xA0200108  # <u4
        .equ game_over,     0xA020010C  # <u4
        .equ input,         0xA0200110  # <u4  A B Z Start Up Down Left Right 0 0 L R C-Up C-Down C-Left C-Right
        .equ level,         0xA0200114  # |u1  1; found 3 bytes further
        .equ bonus,         0xA0200116  # <u2  0x0203; found 2 bytes before
        # 64 bytes for the pads stand at 0xA0200140, the picture at 0xA0300000

        .equ BUTTON_A, 0x8000
        .equ BUTTON_B, 0x4000
        .equ START,    0x1000

        .equ MI_INTERRUPTS, 0xA4300008
        .equ VI, 0xA4400000
        .equ SI, 0xA4800000
        .equ PIF_RAM, 0x1FC007C0

        .text
        .word 0x80371240, 0x0000000F, 0x80000400, 0x00001444
        .word 0, 0, 0, 0
        .ascii "PROOF ROM           "
        .word 0
        .ascii "\0\0\0NPRE\0"
# The boot code, our own; the console has put it into 0xA4000040. An emulator sets memory up itself.
        .org 0x40
        li $8, 0xB0001000
        li $9, 0xA0000400
        li $10, program_end - program
boot_copy:
        lw $11, 0($8)
        sw $11, 0($9)
        addiu $8, 4
        addiu $9, 4
        addiu $10, -4
        bgtz $10, boot_copy
        li $8, 0xA0000400
        jr $8
        .org 0x1000
program:
        li $29, 0xA0200000
        mtc0 $0, $12                    # no interrupts
        li $16, 0xA0200100              # the variables
        li $17, VI
        bal set_up
        .word 0x00003202
        .word 0x00300000
        .word 0x00000140
        .word 0x00000200
        .word 0x00000000
        .word 0x03e52239
        .word 0x0000020d
        .word 0x00000c15
        .word 0x0c150c15
        .word 0x006c02ec
        .word 0x002501ff
        .word 0x000e0204
        .word 0x00000200
        .word 0x00000400
set_up:
        li $9, 14                       # words behind the call: the registers of the picture
        move $8, $31
        move $10, $17
mode:
        lw $11, 0($8)
        sw $11, 0($10)
        addiu $8, 4
        addiu $10, 4
        addiu $9, -1
        bgtz $9, mode
        sw $0, 0($16)
        sw $0, 0x10($16)
        li $8, 0x01000203
        sw $8, 0x14($16)                # level and bonus
        bal new_game
frame:
        li $8, MI_INTERRUPTS
wait:
        lw $9, 0($8)
        andi $9, 8                      # the line in VI_INTR was reached
        beqz $9, wait
        sw $0, 0x10($17)
        lw $8, 0($16)
        addiu $8, 1
        sw $8, 0($16)
        bal read_pad                    # $18: held, $19: new
        andi $8, $19, START
        beqz $8, no_start
        bal new_game
no_start:
        lw $8, 0x0C($16)
        bnez $8, frame
        andi $8, $19, BUTTON_A
        beqz $8, no_score
        lw $9, 4($16)
        addiu $9, 10
        sw $9, 4($16)
no_score:
        andi $8, $19, BUTTON_B
        beqz $8, frame
        lw $9, 8($16)
        addiu $9, -1
        sw $9, 8($16)
        bnez $9, lost
        li $8, 1
        sw $8, 0x0C($16)
lost:
        bal paint
        b frame

new_game:
        move $20, $31
        sw $0, 4($16)
        sw $0, 0x0C($16)
        li $8, 3
        sw $8, 8($16)
        bal paint
        jr $20

# The whole screen shows the lives.
paint:
        li $8, 0xA0300000
        li $9, 320 * 240 / 2
        lw $10, 8($16)
        sll $10, 13
        ori $10, 1
        sll $11, $10, 16
        or $10, $11
dot:
        sw $10, 0($8)
        addiu $8, 4
        addiu $9, -1
        bgtz $9, dot
        jr $31

read_pad:
        move $20, $31
        addiu $21, $16, 0x40            # the block: pad 1, send 1 byte, receive 4
        li $8, 0xFF010401
        sw $8, 0($21)
        li $8, 0xFFFFFFFF
        sw $8, 4($21)
        li $8, 0xFE000000
        sw $8, 8($21)
        addiu $9, $21, 12
        addiu $10, $21, 60
zero:
        sw $0, 0($9)
        addiu $9, 4
        bne $9, $10, zero
        li $8, 1
        sw $8, 60($21)
        li $11, 0x10                    # to the pads
        bal transfer
        li $11, 0x04                    # and back
        bal transfer
        lhu $18, 4($21)
        lw $8, 0x10($16)
        not $8
        and $19, $18, $8
        sw $18, 0x10($16)
        jr $20

transfer:
        li $8, SI
        li $9, 0x00200140
        sw $9, 0($8)
        addu $11, $8
        li $9, PIF_RAM
        sw $9, 0($11)
        li $10, MI_INTERRUPTS
busy:
        lw $9, 0($10)
        andi $9, 2
        beqz $9, busy
        sw $0, 0x18($8)
        jr $31
        .balign 16
program_end:
        .org 0x10000                    # parallel_n64 crashes on a ROM of 8 KiB
