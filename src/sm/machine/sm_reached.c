#include "sm/machine/sm_reached.h"

#include "base/hash.h"

#include <string.h>

/* Classes of states that are kept in one byte each. */
#define NARROW_CLASSES ((size_t)UINT8_MAX + 1)

static uint64_t hash_of(const void *context, const uint8_t *bytes)
{
  const struct wb_sm_reached *reached = context;
  size_t count = reached->states.stride;
  uint64_t hash = count;
  while (count > 0) {
    const size_t part = count < sizeof(uint64_t) ? count : sizeof(uint64_t);
    uint64_t word = 0;
    memcpy(&word, bytes, part);
    hash = wb_hash_word(hash, word);
    bytes += part;
    count -= part;
  }
  return hash;
}

bool wb_sm_reached_start(struct wb_sm_reached *reached, uint32_t warps, size_t classes,
                         size_t levels, struct wb_arena *arena)
{
  const bool narrow = classes <= NARROW_CLASSES;
  const size_t stride = warps * (narrow ? sizeof(uint8_t) : sizeof(uint16_t));
  *reached = (struct wb_sm_reached){
      .states = {.stride = stride, .levels = levels, .hash = hash_of, .context = reached},
      .warps = warps,
      .narrow = narrow,
      .packed = wb_arena_array(arena, uint8_t, stride)};
  return wb_reached_start(&reached->states) && reached->packed != NULL;
}

bool wb_sm_reached_add(struct wb_sm_reached *reached, const uint16_t *state, size_t level,
                       uint32_t cycles, uint32_t parent)
{
  if (!reached->narrow)
    memcpy(reached->packed, state, reached->states.stride);
  for (uint32_t w = 0; w < reached->warps && reached->narrow; w++)
    reached->packed[w] = (uint8_t)state[w];
  return wb_reached_add(&reached->states, reached->packed, hash_of(reached, reached->packed), level,
                        cycles, parent);
}

void wb_sm_reached_read(const struct wb_sm_reached *reached, uint32_t index, uint16_t *state)
{
  const uint8_t *bytes = wb_reached_state(&reached->states, index);
  if (!reached->narrow)
    memcpy(state, bytes, reached->states.stride);
  for (uint32_t w = 0; w < reached->warps && reached->narrow; w++)
    state[w] = bytes[w];
}
