#include "cli/simt_options.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The place in `words` of an option's value; 0, the default, where it is absent. */
static warpbound_status read_word(const struct arguments *arguments, enum option option,
                                  const char *const *words, size_t *place, warpbound_error *error)
{
  const char *value = arguments->value[option];
  *place = 0;
  if (value == NULL)
    return WARPBOUND_OK;
  struct wb_text list = {0};
  for (size_t w = 0; words[w] != NULL; w++) {
    if (strcmp(words[w], value) == 0) {
      *place = w;
      wb_text_free(&list);
      return WARPBOUND_OK;
    }
    wb_text_format(&list, "%s%s", w == 0 ? "" : words[w + 1] != NULL ? ", " : " or ", words[w]);
  }
  char *known = wb_text_take(&list);
  warpbound_status status =
      known == NULL ? wb_out_of_memory(error)
                    : wb_fail(error, WARPBOUND_USAGE, "--%s: expected %s, found '%.60s'",
                              option_row(option)->name, known, value);
  free(known);
  return status;
}

warpbound_status simt_options_read(const struct arguments *arguments,
                                   struct wb_simt_options *options, warpbound_error *error)
{
  static const char *const stacks[] = {"graph", "acyclic", NULL};
  static const char *const extents[] = {"all", "active", "none", NULL};
  size_t stack;
  size_t extent = 0;
  warpbound_status status = read_word(arguments, OPTION_STACK, stacks, &stack, error);
  if (status == WARPBOUND_OK)
    status = read_word(arguments, OPTION_AGREEMENT, extents, &extent, error);
  options->acyclic_stack = stack == 1;
  options->no_groups = arguments->value[OPTION_NO_GROUPS] != NULL;
  options->agreement = (enum wb_agreement_extent)extent;
  return status;
}
