GAME_GEAR = 1
        .include "../sms/body.s"
