/* Checks of written XML and HTML, for tests. */
#ifndef TESTS_MARKUP_H
#define TESTS_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

/* Every element is closed in order, no '<' or '&' stands bare, and no attribute holds a number that
 * is not finite; the test fails otherwise. html: elements that HTML does not close need no end. */
void check_markup(const char *text, bool html);

/* How often a part stands in a text. */
size_t count_in(const char *text, const char *part);

#endif
