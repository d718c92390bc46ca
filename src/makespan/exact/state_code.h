/* Ranking of states: the machine's states as numbers, in no more bytes than their count calls for.
 */
#ifndef WB_MAKESPAN_EXACT_STATE_CODE_H
#define WB_MAKESPAN_EXACT_STATE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The combinatorial number system of states. With d(p) warps at position p or before it, a state is
 * d(0) <= d(1) <= .. <= warps. Over a segment of the string, its k-th position being p, the sum of
 * C(d(p) + k, k + 1) is the rank of the sequence (as in the dense table, doc/makespan.md). A
 * segment has as many positions as ranks of 64 bits allow. The code of a state is the ranks of its
 * segments, the last segment being the shorter one, each in the bytes that its largest rank takes.
 * Invariant: terms[k * (warps + 1) + d] = C(d + k, k + 1). Owns terms. */
struct wb_state_code {
  size_t length; /* positions of the string */
  uint32_t warps;
  size_t segment;       /* positions of a segment */
  size_t segment_count; /* segments of the string */
  size_t segment_bytes; /* of each but the last */
  size_t bytes;         /* of a state */
  uint64_t *terms;
};

/* For states of at most `warps` warps, at most 255. False: memory is out. Free in either case. */
bool wb_state_code_start(struct wb_state_code *code, size_t length, uint32_t warps);
void wb_state_code_free(struct wb_state_code *code);

/* Whether the invariant holds, and no segment has more or fewer bytes than its largest rank. Time:
 * of the terms. */
bool wb_state_code_is_valid(const struct wb_state_code *code);

/* The code of the state with warps[p] warps at position p; those past the end do not count. All
 * zeros: the state in which all are past it. */
void wb_state_code_pack(const struct wb_state_code *code, const uint8_t *warps, uint8_t *bytes);

/* The state of a code. terms[p], unless terms is NULL, is where position p has its term: with x
 * warps fewer at p or before it, the rank of its segment has terms[p][-x] in its place.
 * Time: length + warps. */
void wb_state_code_unpack(const struct wb_state_code *code, const uint8_t *bytes, uint8_t *warps,
                          const uint64_t **terms);

static inline size_t wb_state_code_segment_bytes(const struct wb_state_code *code, size_t segment)
{
  return segment + 1 < code->segment_count ? code->segment_bytes
                                           : code->bytes - segment * code->segment_bytes;
}

/* The rank of a segment. */
static inline uint64_t wb_state_code_load(const struct wb_state_code *code, const uint8_t *bytes,
                                          size_t segment)
{
  const uint8_t *from = bytes + segment * code->segment_bytes;
  uint64_t number = 0;
  for (size_t i = wb_state_code_segment_bytes(code, segment); i-- > 0;)
    number = number << 8 | from[i];
  return number;
}

/* Makes `number` the rank of a segment. */
static inline void wb_state_code_store(const struct wb_state_code *code, uint8_t *bytes,
                                       size_t segment, uint64_t number)
{
  uint8_t *to = bytes + segment * code->segment_bytes;
  for (size_t i = wb_state_code_segment_bytes(code, segment); i > 0; i--, number >>= 8)
    *to++ = (uint8_t)number;
}

#endif
