@ What the ARM7 of the DS runs: it hands on the keys that the ARM9 cannot read.
        .text
        .arm
        mov r8, #0x04000000
        mov r9, #0x02000000
        orr r9, r9, #0x100
        add r8, r8, #0x100
loop:
        ldrh r0, [r8, #0x36]
        strh r0, [r9, #32]
        b loop
        .balign 512
