/* The word that a misspelt one was meant to be. */
#ifndef WB_BASE_TEXT_NEAREST_H
#define WB_BASE_TEXT_NEAREST_H

#include "base/status.h"
#include "base/text.h"

#include <stddef.h>

/* Room for a hint: its words are cut to fit. */
#define WB_HINT_SIZE 160

/* The nearest of the words offered so far. Borrows both. Start with wb_nearest_start. */
struct wb_nearest {
  const char *word;
  const char *best; /* NULL: none is near enough */
  size_t distance;
};

/* Begins with no word offered. */
struct wb_nearest wb_nearest_start(const char *word);

/* Offers a word that would have been right. It is near if few letters have to be changed, added,
 * dropped or swapped with their neighbour (about one in three, at most three; capitals count as
 * small letters), or if `word` is its beginning. Of equally near ones the first stays. */
void wb_nearest_offer(struct wb_nearest *nearest, const char *candidate);

/* " (did you mean 'BEST'?)" into the buffer, which is returned; "" where nothing is near. before
 * stands before the word, as in '--warps'. */
const char *wb_nearest_hint(const struct wb_nearest *nearest, const char *before,
                            char buffer[WB_HINT_SIZE]);

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
