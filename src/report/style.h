/* Colours of text for people: escapes where wanted, nothing where not. */
#ifndef WB_REPORT_STYLE_H
#define WB_REPORT_STYLE_H

#include "warpbound.h"

#include <stdbool.h>

enum wb_style { WB_STYLE_PLAIN, WB_STYLE_BOLD, WB_STYLE_FAINT, WB_STYLE_COUNT };

/* The escape that begins a style, or "" without colour. WB_STYLE_PLAIN ends one. */
const char *wb_style(enum wb_style style, bool colour);

/* The escape for a kind's word: proven green, published and estimates yellow. */
const char *wb_kind_style(warpbound_kind kind, bool colour);

#endif
