| A proof ROM for the Genesis; ../README.md says what it does.
        .text
        .long 0x00FFFE00, start
        .rept 26
        .long halt
        .endr
        .long line
        .rept 35
        .long halt
        .endr
        .ascii "SEGA GENESIS    "
        .ascii "(C)PROOF 2026   "
        .ascii "PROOF ROM                                       "
        .ascii "PROOF ROM                                       "
        .ascii "GM 00000000-00"
        .word 0
        .ascii "J6              "
        .long 0, 0x1FFF, 0xFF0000, 0xFFFFFF
        .ascii "RA"
        .byte 0xF8, 0x20                | a save chip on the odd bytes, with a battery
        .long 0x200001, 0x203FFF
        .ascii "                                                    "
        .ascii "JUE             "
        .equ BUSY, 1
        .include "genesis/body.s"
        .balign 0x2000, 0xFF
