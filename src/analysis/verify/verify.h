/* The check of a file, a schedule or a certificate of any kind, by the independent checker of its
 * kind. */
#ifndef WB_ANALYSIS_VERIFY_VERIFY_H
#define WB_ANALYSIS_VERIFY_VERIFY_H

#include "base/status.h"
#include "base/work_control.h"
#include "formats/launch/launch_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The verdict on a file: what it claims and what was found. wb_verdict_free. */
struct warpbound_verdict {
  warpbound_claim claim; /* the kind of file */
  bool valid;            /* the claim holds */
  char violation[512];   /* else the first violation */
  uint64_t warps;        /* that the claim is about */
  uint64_t blocks;       /* of a schedule: blocks, partitions, strings; of a launch: blocks, SMs */
  uint64_t partitions;
  uint64_t strings;
  uint64_t sms;
  uint64_t steps;     /* of a frame, */
  uint64_t beside;    /* launches beside it, */
  uint64_t in_flight; /* and how many frames may be under way */
  uint64_t claimed;   /* cycles; 0 for a schedule */
  uint64_t cycles;   /* a schedule's makespan, or what is proven; 0 where the claim does not hold */
  uint64_t trailing; /* of a potential: the warps that are followed exactly */
  warpbound_line line; /* of a potential; divisor 0 where it claims none */
  bool same_barriers;  /* of paths and launches: proven if all warps of a block pass the same
                          barriers in order */
  bool early_ends;     /* of those: proven if barriers wait for those warps of the block alone that
                          have not ended; warps without barriers need not pass the same */
  uint32_t *residents; /* of a launch: blocks that an SM may hold, descending; for each of these
                          numbers the claim is proven. Owned */
  size_t resident_count;
  struct wb_launch_grounds grounds; /* of a launch: what the file says that its numbers rest on */
};

/* Checks the text of a file; `name` is the file's, for messages.
 * WARPBOUND_OK and WARPBOUND_CHECK_FAILED set *verdict, which the caller frees; *error says the
 * violation. Other errors: WARPBOUND_INVALID_INPUT (no such file), WARPBOUND_LIMIT (nothing is
 * decided), WARPBOUND_INTERNAL. */
warpbound_status wb_verify(const char *name, const char *text, size_t length,
                           const struct wb_control *control, struct warpbound_verdict *verdict,
                           warpbound_error *error);
void wb_verdict_free(struct warpbound_verdict *verdict);

#endif
