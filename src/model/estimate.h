/* How a number is known (warpbound_kind), and why one is an estimate: what it rests on that is not
 * proven, each with its place and with what would mend it. A number without such reasons is proven:
 * there is no other way to make one an estimate. */
#ifndef WB_MODEL_ESTIMATE_H
#define WB_MODEL_ESTIMATE_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owns its texts but for the name. They may hold any bytes of the input. */
struct wb_estimate_reason {
  const char *name; /* for scripts: "default-loop-bound" */
  char *reason;     /* a sentence without its point */
  char *place;      /* "BAR.SYNC at 0x0120, kernel.cu:14", a file, an option */
  char *remedy;     /* what to do for a proof: "give ..." */
};

/* Each reason once. Zero-initialise; wb_estimate_free. */
struct wb_estimate {
  struct wb_estimate_reason *items;
  size_t count, capacity;
  bool failed; /* memory was out; an estimate then too */
};

/* Whether what rests on it is an estimate. */
static inline bool wb_is_estimate(const struct wb_estimate *estimate)
{
  return estimate->count > 0 || estimate->failed;
}

/* Makes an estimate, for a reason (a format) at a place. */
void wb_estimate_because(struct wb_estimate *estimate, const char *name, const char *place,
                         const char *remedy, const char *format, ...) WB_PRINTF(5, 6);

/* The same at an instruction of a function: "BAR.SYNC at 0x0120, kernel.cu:14". Without code: no
 * source file. */
void wb_estimate_because_of(struct wb_estimate *estimate, const char *name,
                            const struct wb_code *code, const struct wb_instruction *at,
                            const char *remedy, const char *format, ...) WB_PRINTF(6, 7);

/* Takes all reasons of another one over. function: that the places are in; NULL: the same. */
void wb_estimate_add_all(struct wb_estimate *estimate, const struct wb_estimate *other,
                         const char *function);

void wb_estimate_free(struct wb_estimate *estimate);

/* The place of a thing, as above: its address, and the source line of an instruction (NULL: none).
 * The caller frees it; NULL where memory is out. */
char *wb_code_place(const struct wb_code *code, const char *what, uint32_t address,
                    const struct wb_instruction *line);

#endif
