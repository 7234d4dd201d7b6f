! What both SH-2s of the 32X run: the answer is the question with all bits turned.
        .text
        mov.l channel, r1
loop:
        mov.w @(8, r1), r0
        not r0, r0
        mov.w r0, @(10, r1)
        bra loop
        nop
        .balign 4
channel:
        .long 0x20004020
        .balign 16
