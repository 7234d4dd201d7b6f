| A data disc without a program: the boot ROM is the program.
        .text
        .ascii "SEGADISCSYSTEM  "
        .ascii "PROOF DISC "
        .balign 0x100
        .ascii "SEGA GENESIS    "
        .ascii "(C)PROOF 2026   "
        .ascii "PROOF DISC                                      "
        .ascii "PROOF DISC                                      "
        .ascii "GM 00000000-00"
        .word 0
        .ascii "J6              "
        .org 0x1F0
        .ascii "U               "
        .balign 0x800
