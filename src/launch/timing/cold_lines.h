/* Which lines of code and constants a launch comes to, for cold_start.c. */
#ifndef WB_LAUNCH_TIMING_COLD_LINES_H
#define WB_LAUNCH_TIMING_COLD_LINES_H

#include "base/status.h"
#include "launch/timing/cold_question.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_COLD_BANK_BYTES 65536 /* of a bank of constants, at most */
#define WB_COLD_BANKS 32

/* The work under way. */
struct wb_cold_making {
  const struct wb_cold_question *question;
  struct wb_timed_code *code;
  struct wb_cold_start *found;
  bool *used;    /* by instruction: a warp may come to it */
  bool *waits;   /* by instruction: it issues only when the constants that it reads are there */
  bool *entered; /* by instruction: it may be the first of its line that a warp comes to */
  size_t operand_count; /* of all used instructions */
  uint64_t *constant;   /* lines of constants that operands name: bank and number, ascending */
  size_t constant_count;
  uint64_t bank_lines[WB_COLD_BANKS]; /* of these */
  bool searched[WB_COLD_BANKS];       /* the bank may be read anywhere */
  bool data;            /* an access of data, rather than of constants, goes beyond its SM */
  uint64_t own_pages;   /* of code and constants */
  uint64_t walk;        /* cycles of a translation for which each fetch from beyond the SM waits */
  uint64_t access_walk; /* the same of each access to data */
  warpbound_error *error;
};

/* A value of the device. */
uint64_t wb_cold_number(const struct wb_cold_making *making, uint32_t value);

/* ---- code ---- */

/* Sets `used` and `entered`. */
void wb_cold_mark_code(struct wb_cold_making *making);

/* Whether an instruction is in another line than the one before it, in a run of instructions from
 * `first` on. */
bool wb_cold_begins_line(const struct wb_cold_making *making, uint32_t instruction, uint32_t first);

/* Whether each warp comes to the instruction before it ends, as far as is known. */
bool wb_cold_is_common(const struct wb_cold_making *making, uint32_t instruction);

/* Counts the lines of code to which all warps come, where it is known how lines lie. */
void wb_cold_count_common_code(struct wb_cold_making *making);

/* ---- constants ---- */

/* Whether the instruction makes requests to what the whole GPU shares: then the way of its class
 * has what it fetches. */
bool wb_cold_makes_requests(const struct wb_cold_making *making, uint32_t instruction);

bool wb_cold_is_constant(const struct wb_operand *operand);
/* Whether the place of a constant is in the code. */
bool wb_cold_is_placed(const struct wb_operand *operand);
bool wb_cold_reads_constants(const struct wb_cold_making *making, uint32_t instruction);
/* Whether an operand of the instruction is in that line, a number of `constant`. */
bool wb_cold_names_constant(const struct wb_cold_making *making, uint32_t instruction,
                            uint64_t line);

/* Sets `constant` and what is counted of banks. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_cold_find_constants(struct wb_cold_making *making);

/* ---- lines one by one, for runs ---- */

/* Makes the lines of the code from its kinds of fetches. Needs all the above, and `waits`. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_cold_list_lines(struct wb_cold_making *making);

#endif
