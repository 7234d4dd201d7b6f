COLOR = 1
        .include "../gameboy/body.s"
