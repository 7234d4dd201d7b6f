COLOR = 0
        .include "body.s"
