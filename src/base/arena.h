/* An arena: allocations that live equally long and are freed together. A maker allocates all that
 * it needs and asks once, at its end, whether memory sufficed. */
#ifndef WB_BASE_ARENA_H
#define WB_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct wb_arena_allocation;

/* Owns its allocations, the latest first. Zero-initialise. failed is sticky: some allocation
 * returned NULL. */
struct wb_arena {
  struct wb_arena_allocation *latest;
  bool failed;
};

/* count * size zeroed bytes, aligned for any type, that live until wb_arena_free; never NULL for a
 * count of 0. NULL, and arena->failed, where the size overflows or memory is out: test the result
 * or arena->failed before it is used. */
void *wb_arena_allocate(struct wb_arena *arena, size_t count, size_t size);

/* An array of `count` zeroed elements: double *weights = wb_arena_array(arena, double, count). */
#define wb_arena_array(arena, type, count)                                                         \
  ((type *)wb_arena_allocate((arena), (count), sizeof(type)))

/* The same with bytes of no value: for large arrays of which a part may never be used, so that
 * neither time nor memory is spent on that part. */
void *wb_arena_allocate_unset(struct wb_arena *arena, size_t count, size_t size);
#define wb_arena_unset_array(arena, type, count)                                                   \
  ((type *)wb_arena_allocate_unset((arena), (count), sizeof(type)))

/* A copy of the first `length` bytes of text, ended by a zero. */
char *wb_arena_text(struct wb_arena *arena, const char *text, size_t length);

/* Frees all allocations; the arena can be used again. Linear in their number. */
void wb_arena_free(struct wb_arena *arena);

#endif
