#include "report/cfg/cfg_frames.h"

#include "base/memory.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* The page is frame 0. */
#define PAGE 0

/* Frames under way. All loops and scopes that are compared have a block in common, so that scopes
 * lie in each other: depths tell which in which. */
struct maker {
  const struct wb_control_flow *flow;
  struct wb_cfg_frames *frames;
  uint32_t *depth;      /* by scope: from 1 for an outermost one */
  uint32_t *loop_scope; /* by loop: the innermost scope that all of its blocks are in, or NONE */
  bool *seen;           /* by loop: loop_scope is set */
  uint32_t *pieces;     /* by scope: the frame of its latest piece, or NONE */
  uint32_t *earlier;    /* by frame: the scope's piece before, or NONE */
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

/* Whether all of a loop is in a scope that one of its blocks is in. */
static bool is_inside(const struct maker *maker, uint32_t loop, uint32_t scope)
{
  return depth_of(maker, scope) <= depth_of(maker, maker->loop_scope[loop]);
}

/* ---- where loops lie ---- */

static void find_depths(struct maker *maker)
{
  for (uint32_t s = 0; s < maker->flow->united.scope_count; s++) {
    for (uint32_t at = s; at != NONE; at = parent_scope(maker, at))
      maker->depth[s]++;
  }
}

static uint32_t common_scope(const struct maker *maker, uint32_t a, uint32_t b)
{
  while (a != b) {
    uint32_t *deeper = depth_of(maker, a) >= depth_of(maker, b) ? &a : &b;
    *deeper = parent_scope(maker, *deeper);
  }
  return a;
}

static void take_scope(struct maker *maker, uint32_t loop, uint32_t scope)
{
  maker->loop_scope[loop] =
      maker->seen[loop] ? common_scope(maker, maker->loop_scope[loop], scope) : scope;
  maker->seen[loop] = true;
}

/* Each block counts for all loops around it. */
static void find_loop_scopes(struct maker *maker)
{
  const struct wb_united_loops *loops = &maker->flow->loops;
  for (uint32_t b = 0; b < maker->flow->united.block_count; b++) {
    for (uint32_t l = loops->innermost[b]; l != NONE; l = loops->loops[l].parent)
      take_scope(maker, l, scope_of(maker, b));
  }
}

/* ---- frames ---- */

static uint32_t frame_of_loop(uint32_t loop)
{
  return loop != NONE ? loop + 1 : PAGE;
}

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

/* The piece of a scope that lies in the loop, which is not all in the scope; NONE where memory is
 * out. */
static uint32_t find_piece(struct maker *maker, uint32_t scope, uint32_t loop)
{
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

/* The innermost frame of what is in a loop and in a scope, either of which may be NONE. */
static uint32_t find_frame(struct maker *maker, uint32_t loop, uint32_t scope)
{
  if (scope == NONE || (loop != NONE && is_inside(maker, loop, scope)))
    return frame_of_loop(loop);
  return find_piece(maker, scope, loop);
}

/* The frame around a loop: the loop around it, or where that is not in all scopes that this one is
 * in, the innermost of these. */
static uint32_t frame_around_loop(struct maker *maker, uint32_t loop)
{
  const uint32_t parent = maker->flow->loops.loops[loop].parent;
  return find_frame(maker, parent, maker->loop_scope[loop]);
}

static uint32_t frame_around_piece(struct maker *maker, const struct wb_cfg_frame *piece)
{
  return find_frame(maker, piece->loop, parent_scope(maker, piece->id));
}

/* Frames that are added while the frames around others are found come to their turn too. */
static bool find_parents(struct maker *maker)
{
  for (size_t f = 1; f < maker->frames->count; f++) {
    const struct wb_cfg_frame frame = maker->frames->frames[f];
    const uint32_t parent = frame.kind == WB_FRAME_LOOP ? frame_around_loop(maker, frame.id)
                                                        : frame_around_piece(maker, &frame);
    if (parent == NONE)
      return false;
    maker->frames->frames[f].parent = parent;
  }
  return true;
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

static void chain_children(struct wb_cfg_frames *frames)
{
  for (uint32_t f = (uint32_t)frames->count; f-- > 1;) {
    struct wb_cfg_frame *parent = &frames->frames[frames->frames[f].parent];
    frames->frames[f].next = parent->first_child;
    parent->first_child = f;
  }
}

/* ---- all ---- */

static bool allocate(struct maker *maker)
{
  const struct wb_control_flow *flow = maker->flow;
  const size_t scopes = flow->united.scope_count;
  maker->frames->next_block = wb_allocate(flow->united.block_count, sizeof *maker->depth);
  maker->depth = wb_allocate(scopes, sizeof *maker->depth);
  maker->pieces = wb_allocate(scopes, sizeof *maker->pieces);
  maker->loop_scope = wb_allocate(flow->loops.count, sizeof *maker->loop_scope);
  maker->seen = wb_allocate(flow->loops.count, sizeof *maker->seen);
  for (size_t s = 0; maker->pieces != NULL && s < scopes; s++)
    maker->pieces[s] = NONE;
  return maker->frames->next_block != NULL && maker->depth != NULL && maker->pieces != NULL &&
         maker->loop_scope != NULL && maker->seen != NULL;
}

static bool make(struct maker *maker)
{
  if (!allocate(maker) || !add_frame(maker, WB_FRAME_PAGE, 0))
    return false;
  for (uint32_t l = 0; l < maker->flow->loops.count; l++) {
    if (!add_frame(maker, WB_FRAME_LOOP, l))
      return false;
  }
  find_depths(maker);
  find_loop_scopes(maker);
  return place_blocks(maker) && find_parents(maker);
}

bool wb_cfg_frames_make(const struct wb_control_flow *flow, struct wb_cfg_frames *frames)
{
  struct maker maker = {.flow = flow, .frames = frames};
  *frames = (struct wb_cfg_frames){0};
  const bool made = make(&maker);
  if (made)
    chain_children(frames);
  free(maker.depth);
  free(maker.loop_scope);
  free(maker.seen);
  free(maker.pieces);
  free(maker.earlier);
  return made;
}

void wb_cfg_frames_free(struct wb_cfg_frames *frames)
{
  free(frames->frames);
  free(frames->next_block);
  *frames = (struct wb_cfg_frames){0};
}
