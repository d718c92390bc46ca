/* Texts that several kernels share, each shown once. */
#ifndef WB_REPORT_SHARED_LIST_H
#define WB_REPORT_SHARED_LIST_H

#include "base/list.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts of one kernel. Borrowed. */
struct wb_kernel_list {
  const char *kernel;
  const struct wb_list *list;
};

/* Appends a title and each text once, in the order of their first kernel; behind a text that not
 * all kernels have, in brackets, those that have it. Nothing where there is no text. */
void wb_shared_list_write(const char *title, const struct wb_kernel_list *lists, size_t count,
                          bool colour, struct wb_text *text);

#endif
