/* Unit types: where a warp instruction executes. */
#ifndef WB_MODEL_UNIT_H
#define WB_MODEL_UNIT_H

#include <stdint.h>

/* The order is that of letters, tables and output. */
enum wb_unit {
  WB_UNIT_LOAD_STORE, /* L */
  WB_UNIT_CORE,       /* C  CUDA core */
  WB_UNIT_SPECIAL,    /* S  special function unit */
  WB_UNIT_DOUBLE,     /* D  double precision */
  WB_UNIT_TENSOR,     /* T  tensor core */
  WB_UNIT_NONE,       /* N  issue only: takes an issue slot, competes for no unit */
  WB_UNIT_BARRIER,    /* B  as N; then the warp waits for all warps of its block to do theirs */
  WB_UNIT_COUNT
};

/* Types that a configuration gives a number of units for: those before N. */
#define WB_REAL_UNIT_COUNT ((unsigned)WB_UNIT_NONE)

/* Capacity of a type that never runs out (WB_UNIT_NONE, WB_UNIT_BARRIER). */
#define WB_UNLIMITED UINT32_MAX

/* The letter of a type, and its name for people ("load/store"). */
char wb_unit_letter(enum wb_unit unit);
const char *wb_unit_name(enum wb_unit unit);

/* The type of a letter (capitals only); WB_UNIT_COUNT for any other character. */
enum wb_unit wb_unit_from_letter(char letter);

/* " (did you mean 'L'?)" for a small letter whose capital is a type's, else "". Into the buffer,
 * which is returned. */
#define WB_UNIT_HINT_SIZE 24
const char *wb_unit_hint(char letter, char buffer[WB_UNIT_HINT_SIZE]);

#endif
