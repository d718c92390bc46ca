#include "base/text/choice.h"

#include "base/text/nearest.h"

#include <string.h>

const struct wb_choice *wb_choice_find(const struct wb_choice *choices, const char *name)
{
  for (; choices->name != NULL; choices++) {
    if (strcmp(choices->name, name) == 0)
      return choices;
  }
  return NULL;
}

const char *wb_choice_name(const struct wb_choice *choices, int value)
{
  while (choices->name != NULL && choices->value != value)
    choices++;
  return choices->name;
}

void wb_choice_list(struct wb_text *text, const struct wb_choice *choices, const char *quote)
{
  for (const struct wb_choice *choice = choices; choice->name != NULL; choice++) {
    const char *before = choice == choices ? "" : choice[1].name != NULL ? ", " : " or ";
    wb_text_format(text, "%s%s%s%s", before, quote, choice->name, quote);
  }
}

warpbound_status wb_choice_read(const struct wb_choice *choices, const char *prefix,
                                const char *name, int *value, warpbound_error *error)
{
  const struct wb_choice *choice = wb_choice_find(choices, name);
  if (choice == NULL) {
    struct wb_text list = {0};
    struct wb_nearest nearest = wb_nearest_start(name);
    char hint[WB_HINT_SIZE];
    for (const struct wb_choice *each = choices; each->name != NULL; each++)
      wb_nearest_offer(&nearest, each->name);
    wb_choice_list(&list, choices, "");
    warpbound_status status =
        list.failed ? wb_out_of_memory(error)
                    : wb_fail(error, WARPBOUND_USAGE, "%sexpected %s, found '%.60s'%s", prefix,
                              list.data, name, wb_nearest_hint(&nearest, "", hint));
    wb_text_free(&list);
    return status;
  }
  *value = choice->value;
  return WARPBOUND_OK;
}
