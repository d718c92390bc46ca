/* The word that a misspelt one was meant to be. */
#ifndef WB_BASE_TEXT_NEAREST_H
#define WB_BASE_TEXT_NEAREST_H

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

#endif
