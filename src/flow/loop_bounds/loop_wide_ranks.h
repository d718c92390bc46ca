/* Ranks of 64 bits: numbers in two registers each, as the distance of the ends of a search by
 * halves, and what each turn of a loop does to them. */
#ifndef WB_FLOW_LOOP_BOUNDS_LOOP_WIDE_RANKS_H
#define WB_FLOW_LOOP_BOUNDS_LOOP_WIDE_RANKS_H

#include "base/text.h"
#include "flow/loop_bounds/loop_turns.h"
#include "values/interval/integer_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WB_WIDE_RANK_LIMIT = 6 };

/* The greatest number of 64 bits that is told from others. */
#define WB_RANK_UNKNOWN INT64_MAX

/* Numbers from 0 on; none where low > high. Of 64 bits a high of WB_RANK_UNKNOWN is no limit. */
struct wb_rank_range {
  int64_t low, high;
  bool by_width; /* the upper end rests on the width of registers */
};

/* What a turn does to a rank M, where it is told: M at the end is congruent to (whole ? M : 0) +
 * sign * floor((M + offset) / 2^places) + number modulo 2^64. */
struct wb_wide_turn {
  struct wb_rank_range before; /* of M at the start */
  struct wb_rank_range after;  /* of M at the end */
  int64_t offset, number;
  int sign; /* 0, 1 or -1 */
  uint8_t places;
  bool whole, told;
  bool as_signed; /* M + offset is shifted as a signed number */
  bool plus_sign; /* M + offset and the highest bit of M is shifted, which is 0 of a number that is
                     told from others */
};

/* A number of 64 bits that registers hold at the header. */
struct wb_wide_rank {
  struct wb_exact form;
  struct wb_rank_range start; /* at the entries */
  struct wb_wide_turn of[WB_TURN_LIMIT];
};

/* The ranks that the tests of the turns suggest; entry, within: as for wb_loop_rank. */
size_t wb_wide_ranks_find(const struct wb_turns *turns, const struct wb_integer_state *entry,
                          const struct wb_integer *within,
                          struct wb_wide_rank ranks[WB_WIDE_RANK_LIMIT]);
/* The most back edges, where each of `turns` turns shifts the rank to the right, and none can be
 * taken at 0. False where that is not so. */
bool wb_wide_rank_shifts(const struct wb_wide_rank *rank, size_t turns, uint64_t *most);
/* "R5:R4 - R3:R2", upper words first. */
void wb_wide_rank_write(struct wb_text *text, const struct wb_turns *turns,
                        const struct wb_exact *form);

#endif
