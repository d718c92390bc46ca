#include "isa/decoder/word_names.h"

#include <stdbool.h>
#include <string.h>

/* How well a name fits: twice its length without the form, and one more with it; 0: not at all. */
static size_t fit(const char *name, char form, const char *at, size_t length)
{
  size_t same = 0;
  while (same < length && name[same] != '\0' && name[same] != '/' && name[same] == at[same])
    same++;
  if (name[same] == '\0')
    return 2 * same;
  bool of_form = form != '\0' && name[same] == '/' && name[same + 1] == form;
  return of_form && name[same + 2] == '\0' ? 2 * same + 1 : 0;
}

static const struct wb_word_text *best(const struct wb_word_text *texts, size_t count, char form,
                                       const char *at, size_t length, size_t *best_fit)
{
  const struct wb_word_text *found = NULL;
  for (size_t t = 0; t < count; t++) {
    size_t of_text = texts[t].name != NULL ? fit(texts[t].name, form, at, length) : 0;
    if (of_text > *best_fit) {
      *best_fit = of_text;
      found = &texts[t];
    }
  }
  return found;
}

const struct wb_word_text *wb_word_text_find(const struct wb_word_family *family,
                                             const struct wb_word_table *table, char form,
                                             const char *at, const char *end, size_t *length)
{
  size_t best_fit = 0;
  const struct wb_word_text *of_table =
      best(table->texts, table->text_count, form, at, (size_t)(end - at), &best_fit);
  const struct wb_word_text *of_family =
      best(family->texts, family->text_count, form, at, (size_t)(end - at), &best_fit);
  *length = best_fit / 2;
  return of_family != NULL ? of_family : of_table;
}
