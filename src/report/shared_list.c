#include "report/shared_list.h"

#include "base/text/utf8.h"
#include "report/kernel_name.h"
#include "report/style.h"

#include <string.h>

/* Kernels that are named behind a text; of further ones only the number is shown. */
#define NAMED_KERNELS 3

static bool has(const struct wb_list *list, const char *item)
{
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->items[i], item) == 0)
      return true;
  }
  return false;
}

static void write_kernels(const struct wb_kernel_list *lists, size_t count, const char *item,
                          struct wb_text *text)
{
  size_t holders = 0;
  for (size_t k = 0; k < count; k++)
    holders += has(lists[k].list, item);
  if (holders == count)
    return;
  size_t named = 0;
  for (size_t k = 0; k < count && named < NAMED_KERNELS; k++) {
    if (!has(lists[k].list, item))
      continue;
    wb_text_string(text, named++ == 0 ? " (" : ", ");
    wb_kernel_name_write(lists[k].kernel, text);
  }
  if (holders > named)
    wb_text_format(text, " and %zu more", holders - named);
  wb_text_string(text, ")");
}

void wb_shared_list_write(const char *title, const struct wb_kernel_list *lists, size_t count,
                          bool colour, struct wb_text *text)
{
  struct wb_list shown = {0};
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < lists[k].list->count; i++) {
      const char *item = lists[k].list->items[i];
      size_t known = shown.count;
      wb_list_add(&shown, "%s", item);
      if (shown.count == known)
        continue;
      if (known == 0)
        wb_text_format(text, "\n%s  %s%s\n", wb_style(WB_STYLE_BOLD, colour), title,
                       wb_style(WB_STYLE_PLAIN, colour));
      wb_text_string(text, "  - ");
      wb_text_clean(text, item);
      write_kernels(lists, count, item, text);
      wb_text_string(text, "\n");
    }
  }
  text->failed = text->failed || shown.failed;
  wb_list_free(&shown);
}
