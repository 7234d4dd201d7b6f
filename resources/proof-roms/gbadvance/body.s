@ The program of the Game Boy Advance and, with DS, of the Nintendo DS; ../README.md says what it does.
        @ the variables stand at 0x02000100, which r9 holds
        .equ frame_counter, 0           @ <u4
        .equ score,         4           @ <u4
        .equ lives,         8           @ <u2
        .equ game_over,     10          @ <u2
        .equ input,         12          @ <u2  L R Down Up Left Right Start Select B A, from bit 9
        .equ input_new,     14          @ <u2
        .equ timer,         16          @ <u2  a count of overflows (GBA)
        .equ other_keys,    32          @ <u2  X and Y, 0 when pressed (DS)

frame:
        ldrh r0, [r8, #6]               @ wait for the blank
        cmp r0, #BLANK_LINE
        bne frame
        ldr r0, [r9, #frame_counter]
        add r0, r0, #1
        str r0, [r9, #frame_counter]
        .ifndef DS
        bl machine
        .endif
        add r1, r8, #0x100
        ldrh r0, [r1, #0x30]            @ the keys, 0 when pressed
        mvn r0, r0
        ldr r1, =0x3FF
        and r0, r0, r1
        .ifdef DS
        ldrh r1, [r9, #other_keys]      @ only the ARM7 can read them
        mvn r1, r1
        and r1, r1, #3
        orr r0, r0, r1, lsl #10
        .endif
        ldrh r1, [r9, #input]
        bic r4, r0, r1
        strh r4, [r9, #input_new]
        strh r0, [r9, #input]
        tst r4, #8                      @ Start
        blne new_game
        ldrh r0, [r9, #game_over]
        cmp r0, #0
        bne shown
        tst r4, #1                      @ A
        ldr r0, [r9, #score]
        addne r0, r0, #10
        str r0, [r9, #score]
        tst r4, #2                      @ B
        beq shown
        ldrh r0, [r9, #lives]
        subs r0, r0, #1
        strh r0, [r9, #lives]
        moveq r0, #1
        streqh r0, [r9, #game_over]
shown:
        ldrh r0, [r9, #lives]           @ the backdrop shows the lives
        lsl r0, r0, #3
        mov r1, #0x05000000
        strh r0, [r1]
        .ifdef DS
        add r1, r1, #0x400              @ of the other screen
        strh r0, [r1]
        .endif
same_line:
        ldrh r0, [r8, #6]
        cmp r0, #BLANK_LINE
        beq same_line
        b frame

new_game:
        mov r0, #0
        str r0, [r9, #score]
        strh r0, [r9, #game_over]
        mov r0, #3
        strh r0, [r9, #lives]
        bx lr
        .ltorg
