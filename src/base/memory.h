/* Allocation with checked sizes. Every function returns NULL where the size
 * overflows or memory is out; nothing here ends the process. */
#ifndef WB_BASE_MEMORY_H
#define WB_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* count * size zeroed bytes; never NULL for a count of 0. The caller frees. */
void *wb_allocate(size_t count, size_t size);

/* Makes room for at least `needed` elements in an array that grows by doubling.
 * *array and *capacity are changed together; false leaves both as they were. */
bool wb_grow(void **array, size_t *capacity, size_t needed, size_t size);

/* A copy of the first `length` bytes of text, ended by a zero. The caller frees. */
char *wb_copy_text(const char *text, size_t length);

#endif
