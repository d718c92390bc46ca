/* Tables of Boolean functions of three variables, as LOP3.LUT and PLOP3.LUT have them: bit
 * 4a + 2b + c of the table is the function of a, b and c. */
#ifndef WB_VALUES_LOOKUP_TABLE_H
#define WB_VALUES_LOOKUP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { WB_LOOKUP_FALSE = 0x00, WB_LOOKUP_TRUE = 0xff };

/* How a variable stands outside the rest of a function, which does not depend on it. */
enum wb_lookup_split {
  WB_SPLIT_NONE,    /* in no way of these */
  WB_SPLIT_AND,     /* variable and rest */
  WB_SPLIT_AND_NOT, /* not variable and rest */
  WB_SPLIT_OR,      /* variable or rest */
  WB_SPLIT_OR_NOT,  /* not variable or rest */
  WB_SPLIT_XOR      /* variable or else rest */
};

/* The table of the variable itself: 0 for a, 1 for b, 2 for c. */
uint8_t wb_lookup_variable(unsigned variable);
/* The table with that variable set. */
uint8_t wb_lookup_fixed(uint8_t table, unsigned variable, bool value);
/* Whether the function depends on the variable. */
bool wb_lookup_depends(uint8_t table, unsigned variable);
/* Splits the function; *rest: the table of the rest. WB_SPLIT_NONE where it does not depend on the
 * variable. */
enum wb_lookup_split wb_lookup_split(uint8_t table, unsigned variable, uint8_t *rest);

#endif
