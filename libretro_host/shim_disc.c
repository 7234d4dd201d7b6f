/* The disc drive of a core: columns of inputs open and close its tray, like buttons. */
#include "shim.h"

enum { OPEN_TRAY, CLOSE_TRAY, DISC_INDEX };

static int wanted; /* the index of a disc, as argument or result of the guarded functions */
static bool is_open;

static void open_tray(void) {
    if (!lh.discs.get_eject_state())
        lh.discs.set_eject_state(true);
}

/* In libretro, an index that no disc has closes an empty tray. */
static void close_tray(void) {
    open_tray();
    lh.discs.set_image_index((unsigned)wanted);
    lh.discs.set_eject_state(false);
}

static void ask_disc(void) {
    is_open = lh.discs.get_eject_state();
    wanted = (int)lh.discs.get_image_index();
}

static bool has_drive(void) { return lh.game_loaded && lh.has_disc_axes && lh.discs.get_image_index; }

void lh_change_disc(void) {
    if (!has_drive())
        return;
    wanted = lh_axis_value(0, LH_DEVICE_DISC, 0, DISC_INDEX);
    if (lh_axis_value(0, LH_DEVICE_DISC, 0, OPEN_TRAY))
        lh_guarded(open_tray);
    if (lh_axis_value(0, LH_DEVICE_DISC, 0, CLOSE_TRAY))
        lh_guarded(close_tray);
}

int lh_disc(void) {
    wanted = 0;
    is_open = false;
    if (has_drive())
        lh_guarded(ask_disc);
    return is_open ? -1 - wanted : wanted;
}

int lh_put_disc(int disc) {
    if (!has_drive() || lh_disc() == disc)
        return lh_failure();
    bool opens = disc < 0, other = wanted != (opens ? -1 - disc : disc);
    wanted = opens ? -1 - disc : disc;
    lh_gl_enter();
    if (other || !opens)
        lh_guarded(close_tray);
    if (opens)
        lh_guarded(open_tray);
    lh_gl_leave();
    return lh_failure();
}
