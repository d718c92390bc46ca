/* Bounds of loops in CUDA sources, which `warpbound --sources FOLDER` reads.
 *
 *   WARPBOUND_LOOP(n / 32)
 *   for (int i = threadIdx.x; i < n; i += 32)
 *
 * says that the loop in the next line with code, or in the macro's own, goes back at most n / 32
 * times each time that it is entered. The bound is an expression of numbers and of the kernel's
 * parameters: + - * / and parentheses, in one line. The compiler sees nothing. */
#ifndef WARPBOUND_ANNOTATIONS_H
#define WARPBOUND_ANNOTATIONS_H

#define WARPBOUND_LOOP(bound)

#endif
