/* Listings of generated kernels of sm_87, of any length, for benchmarks: what compilers make of
 * ifs, loops, loops that lanes leave early, and calls of a slow path. */
#ifndef BENCH_GROUP_LISTING_H
#define BENCH_GROUP_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a kernel of at least `length` instructions, up to some hundreds more, with a
 * subroutine after it, in the form of nvdisasm. nested: of scopes six deep, in loops, whose masks
 * pass calls to outside in registers, as without optimisation. NULL where memory is out; free with
 * free(). */
char *group_listing_make(size_t length, bool nested);

#endif
