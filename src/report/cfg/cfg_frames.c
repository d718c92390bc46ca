#include "report/cfg/cfg_frames.h"

#include "base/arena.h"
#include "base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The page is frame 0, loop l is frame l + 1. */
#define PAGE 0

/* Frames under way. All loops and scopes that are compared have a block in common, so that scopes
 * lie in each other: depths tell which in which. */
struct maker {
  const struct wb_control_flow *flow;
  struct wb_cfg_frames *frames;
  struct wb_arena arena; /* of the four */
  uint32_t *depth;       /* by scope: from 1 for an outermost one */
  uint32_t *loop_scope;  /* by loop: the innermost scope that all of its blocks are in, or NONE */
  bool *seen;            /* by loop: loop_scope is set */
  uint32_t *pieces;      /* by scope: the frame of its latest piece, or NONE */
  uint32_t *earlier;     /* by frame: the scope's piece before, or NONE */
  size_t earlier_capacity;
};

static uint32_t scope_of(const struct maker *maker, uint32_t block)
{
  const struct wb_warp_graph *united = &maker->flow->united;
  return united->groups ? united->innermost_scopes[block] : NONE;
}

static uint32_t parent_scope(const struct maker *maker, uint32_t scope)
{
  return maker->flow->united.scopes[scope].parent;
}

static uint32_t depth_of(const struct maker *maker, uint32_t scope)
{
  return scope != NONE ? maker->depth[scope] : 0;
}

/* ---- frames ---- */

static bool add_frame(struct maker *maker, enum wb_frame_kind kind, uint32_t id)
{
  struct wb_cfg_frames *frames = maker->frames;
  if (!wb_grow(frames->frames, &frames->capacity, frames->count + 1) ||
      !wb_grow(maker->earlier, &maker->earlier_capacity, frames->count + 1))
    return false;
  maker->earlier[frames->count] = NONE;
  frames->frames[frames->count++] = (struct wb_cfg_frame){.kind = (uint8_t)kind,
                                                          .id = id,
                                                          .parent = NONE,
                                                          .first_block = NONE,
                                                          .first_child = NONE,
                                                          .next = NONE,
                                                          .loop = NONE};
  return true;
}

/* The innermost frame of what is in a loop and in a scope, either of which may be NONE: that of the
 * loop, or where this is not all in the scope, the piece of the scope that lies in the loop. NONE
 * where memory is out. */
static uint32_t find_frame(struct maker *maker, uint32_t loop, uint32_t scope)
{
  const bool inside =
      scope == NONE ||
      (loop != NONE && depth_of(maker, scope) <= depth_of(maker, maker->loop_scope[loop]));
  if (inside)
    return loop != NONE ? loop + 1 : PAGE;
  uint32_t piece = maker->pieces[scope];
  while (piece != NONE && maker->frames->frames[piece].loop != loop)
    piece = maker->earlier[piece];
  if (piece != NONE)
    return piece;
  if (!add_frame(maker, WB_FRAME_SCOPE, scope))
    return NONE;
  piece = (uint32_t)maker->frames->count - 1;
  maker->frames->frames[piece].loop = loop;
  maker->earlier[piece] = maker->pieces[scope];
  maker->pieces[scope] = piece;
  return piece;
}

static bool place_blocks(struct maker *maker)
{
  struct wb_cfg_frames *frames = maker->frames;
  const uint32_t count = (uint32_t)maker->flow->united.block_count;
  uint32_t *frame_of = frames->next_block;
  for (uint32_t b = 0; b < count; b++) {
    frame_of[b] = find_frame(maker, maker->flow->loops.innermost[b], scope_of(maker, b));
    if (frame_of[b] == NONE)
      return false;
  }
  for (uint32_t b = count; b-- > 0;) {
    struct wb_cfg_frame *frame = &frames->frames[frame_of[b]];
    frames->next_block[b] = frame->first_block;
    frame->first_block = b;
  }
  return true;
}

/* The frame around a loop is that of the loop around it, or where that is not in all scopes that
 * this one is in, of the innermost of these. Frames that are added meanwhile come to their turn
 * too. */
static bool find_parents(struct maker *maker)
{
  struct wb_cfg_frames *frames = maker->frames;
  for (uint32_t f = 1; f < frames->count; f++) {
    const struct wb_cfg_frame frame = frames->frames[f];
    const uint32_t parent = frame.kind == WB_FRAME_LOOP
                                ? find_frame(maker, maker->flow->loops.loops[frame.id].parent,
                                             maker->loop_scope[frame.id])
                                : find_frame(maker, frame.loop, parent_scope(maker, frame.id));
    if (parent == NONE)
      return false;
    frames->frames[f].parent = parent;
  }
  for (uint32_t f = (uint32_t)frames->count; f-- > 1;) {
    struct wb_cfg_frame *parent = &frames->frames[frames->frames[f].parent];
    frames->frames[f].next = parent->first_child;
    parent->first_child = f;
  }
  return true;
}

static bool make(struct maker *maker)
{
  const struct wb_control_flow *flow = maker->flow;
  const size_t scopes = flow->united.scope_count;
  maker->frames->next_block = wb_allocate(flow->united.block_count, sizeof *maker->depth);
  maker->depth = wb_arena_array(&maker->arena, uint32_t, scopes);
  maker->pieces = wb_arena_array(&maker->arena, uint32_t, scopes);
  maker->loop_scope = wb_arena_array(&maker->arena, uint32_t, flow->loops.count);
  maker->seen = wb_arena_array(&maker->arena, bool, flow->loops.count);
  if (maker->arena.failed || maker->frames->next_block == NULL ||
      !add_frame(maker, WB_FRAME_PAGE, 0))
    return false;
  for (size_t s = 0; s < scopes; s++)
    maker->pieces[s] = NONE;
  for (uint32_t l = 0; l < flow->loops.count; l++) {
    if (!add_frame(maker, WB_FRAME_LOOP, l))
      return false;
  }
  /* Finds depths, and the scopes of loops: each block counts for all loops around it. */
  const struct wb_united_loops *loops = &maker->flow->loops;
  for (uint32_t s = 0; s < maker->flow->united.scope_count; s++) {
    for (uint32_t at = s; at != NONE; at = parent_scope(maker, at))
      maker->depth[s]++;
  }
  for (uint32_t b = 0; b < maker->flow->united.block_count; b++) {
    for (uint32_t l = loops->innermost[b]; l != NONE; l = loops->loops[l].parent) {
      uint32_t scope = scope_of(maker, b);
      uint32_t common = maker->seen[l] ? maker->loop_scope[l] : scope;
      while (common != scope) {
        uint32_t *deeper = depth_of(maker, common) >= depth_of(maker, scope) ? &common : &scope;
        *deeper = parent_scope(maker, *deeper);
      }
      maker->loop_scope[l] = common;
      maker->seen[l] = true;
    }
  }
  return place_blocks(maker) && find_parents(maker);
}

bool wb_cfg_frames_make(const struct wb_control_flow *flow, struct wb_cfg_frames *frames)
{
  struct maker maker = {.flow = flow, .frames = frames};
  *frames = (struct wb_cfg_frames){0};
  const bool made = make(&maker);
  wb_arena_free(&maker.arena);
  free(maker.earlier);
  return made;
}

void wb_cfg_frames_free(struct wb_cfg_frames *frames)
{
  free(frames->frames);
  free(frames->next_block);
  *frames = (struct wb_cfg_frames){0};
}
