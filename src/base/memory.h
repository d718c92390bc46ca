/* Allocation with checked sizes. Every function returns NULL where the size
 * overflows or memory is out; nothing here ends the process. */
#ifndef WB_BASE_MEMORY_H
#define WB_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* count * size zeroed bytes; never NULL for a count of 0. The caller frees. */
void *wb_allocate(size_t count, size_t size);

/* The array with room for at least `needed` elements of `size` bytes (not 0), grown by doubling;
 * *capacity, in elements, changes with it. Where the size overflows or memory is out both stay as
 * they were, and *capacity is less than needed. The array may be NULL with a capacity of 0. */
void *wb_grown(void *array, size_t *capacity, size_t needed, size_t size);

/* The same in place, and whether there is room: array is an lvalue of any pointer type. A macro,
 * since no T ** may be read as a void **. Each argument is evaluated more than once, so none may
 * have side effects, and neither array nor needed may depend on *capacity. */
#define wb_grow(array, capacity, needed)                                                           \
  ((array) = wb_grown((array), (capacity), (needed), sizeof *(array)),                             \
   (bool)((needed) <= *(capacity)))

/* A copy of the first `length` bytes of text, ended by a zero. The caller frees. */
char *wb_copy_text(const char *text, size_t length);

#endif
