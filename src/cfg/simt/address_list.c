#include "cfg/simt/address_list.h"

#include <stdio.h>

void wb_address_list_add(struct wb_address_list *list, uint32_t address)
{
  if (list->count++ >= WB_ADDRESSES_NAMED)
    return;
  const int written = snprintf(list->text + list->length, sizeof list->text - list->length,
                               "%s0x%04x", list->count > 1 ? ", " : "", address);
  list->length += (size_t)written;
}

const char *wb_address_list_text(struct wb_address_list *list)
{
  if (list->count > WB_ADDRESSES_NAMED)
    snprintf(list->text + list->length, sizeof list->text - list->length, " and %zu more",
             list->count - WB_ADDRESSES_NAMED);
  return list->count == 0 ? "nothing" : list->text;
}
