/* A list of texts without repetition: assumptions, notes. */
#ifndef WB_BASE_LIST_H
#define WB_BASE_LIST_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* items[0..count-1] are zero-ended and owned. failed is sticky: an item was lost
 * for want of memory. Zero-initialise. */
struct wb_list {
  char **items;
  size_t count;
  size_t capacity;
  bool failed;
};

/* Adds a text unless it is there already. Linear in the list's length. */
void wb_list_add(struct wb_list *list, const char *format, ...) WB_PRINTF(2, 3);
/* Adds every item of another list. */
void wb_list_add_all(struct wb_list *list, const struct wb_list *other);
void wb_list_free(struct wb_list *list);

#endif
