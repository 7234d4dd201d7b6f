GAME_GEAR = 0
        .include "body.s"
