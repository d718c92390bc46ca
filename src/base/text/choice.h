/* A value by its name, from a table that also makes the messages. */
#ifndef WB_BASE_TEXT_CHOICE_H
#define WB_BASE_TEXT_CHOICE_H

#include "base/status.h"
#include "base/text.h"

/* A row of a table of choices, which a row without a name ends. */
struct wb_choice {
  const char *name;
  int value;
};

/* The row of that name, or NULL. */
const struct wb_choice *wb_choice_find(const struct wb_choice *choices, const char *name);

/* The name of a value, or NULL. */
const char *wb_choice_name(const struct wb_choice *choices, int value);

/* Appends "bash, zsh or fish", each between two `quote`s ("" for none). */
void wb_choice_list(struct wb_text *text, const struct wb_choice *choices, const char *quote);

/* *value of a name. Errors: WARPBOUND_USAGE, "PREFIXexpected bash, zsh or fish, found 'NAME'" and
 * what was likely meant, *value as it was; prefix as in "--path: ". */
warpbound_status wb_choice_read(const struct wb_choice *choices, const char *prefix,
                                const char *name, int *value, warpbound_error *error);

#endif
