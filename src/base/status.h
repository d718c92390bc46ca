/* How an operation reports failure: a status, and an error record that says
 * what and where. User errors travel this way; our own mistakes are assertions. */
#ifndef WB_BASE_STATUS_H
#define WB_BASE_STATUS_H

#include "warpbound.h"

#include <stddef.h>

#if defined(__GNUC__)
#define WB_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define WB_PRINTF(format_index, first)
#endif

/* Fills *error (ignored where NULL) and returns status, so that a caller can
 * write `return wb_fail(...)`. Control characters in what it is given become '?'. */
warpbound_status wb_fail(warpbound_error *error, warpbound_status status, const char *format, ...)
    WB_PRINTF(3, 4);

/* The same with a place. line and column count from 1, 0: none; file may be NULL. */
warpbound_status wb_fail_at(warpbound_error *error, warpbound_status status, const char *file,
                            size_t line, size_t column, const char *format, ...) WB_PRINTF(6, 7);

/* Passes on a failure that was recorded in *cause: copies it to *error (ignored where NULL) and
 * returns its status. */
warpbound_status wb_fail_with(warpbound_error *error, const warpbound_error *cause);

/* WARPBOUND_INTERNAL "out of memory". Inline, so that whoever reads a caller alone,
 * an analyser too, sees that it never says WARPBOUND_OK. */
static inline warpbound_status wb_out_of_memory(warpbound_error *error)
{
  wb_fail(error, WARPBOUND_INTERNAL, "out of memory");
  return WARPBOUND_INTERNAL;
}

#endif
