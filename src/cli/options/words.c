#include "cli/options/words.h"

#include "base/text.h"
#include "base/text/nearest.h"

#include <stdio.h>
#include <string.h>

static warpbound_status refuse(const char *before, const char *value, const char *const *words,
                               warpbound_error *error)
{
  struct wb_text known = {0};
  char hint[WB_HINT_SIZE];
  for (size_t w = 0; words[w] != NULL; w++)
    wb_text_format(&known, "%s%s", w == 0 ? "" : words[w + 1] != NULL ? ", " : " or ", words[w]);
  warpbound_status status =
      known.failed ? wb_out_of_memory(error)
                   : wb_fail(error, WARPBOUND_USAGE, "%sexpected %s, found '%.60s'%s", before,
                             known.data, value, wb_nearest_of(value, words, hint));
  wb_text_free(&known);
  return status;
}

warpbound_status word_find(const char *value, const char *before, const char *const *words,
                           size_t *place, warpbound_error *error)
{
  for (size_t w = 0; words[w] != NULL; w++) {
    if (strcmp(words[w], value) == 0) {
      *place = w;
      return WARPBOUND_OK;
    }
  }
  return refuse(before, value, words, error);
}

warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const char *const *words, size_t *place, warpbound_error *error)
{
  const char *value = arguments->value[option];
  char before[40];
  *place = 0;
  if (value == NULL)
    return WARPBOUND_OK;
  snprintf(before, sizeof before, "--%s: ", option_row(option)->name);
  return word_find(value, before, words, place, error);
}
