/* Tests that are rows of a text, in place of C; and texts beside tests. */
#ifndef TESTS_HELPERS_ROWS_H
#define TESTS_HELPERS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a row holds: its words, and the text after them. Prints what does not. */
typedef bool row_check(char *const *words, size_t count, char *text);

/* A field of a row's text: cuts it at its first " => ", replaces \n, \t, \r, \\ and \xHH by the
 * bytes that they stand for, and gives what is behind it, as it stands; "" where there is none. */
char *row_field(char *text);

/* The text of a file below tests; lasts to the end of the test, which fails where it cannot be
 * read. */
char *unit_text(const char *file);

/* Checks all rows, WORD...: TEXT, of a file below tests; empty lines and those that begin with
 * '#' or '=' are none. The test fails where one does not hold, after all of them, or where there
 * are fewer than `least`. */
void rows_check(const char *file, size_t least, row_check *check);

/* The lines of a section of a file below tests: those between "== NAME" and the next such line. */
struct row_list {
  const char **rows;
  size_t count;
};

/* Reads a section where the list is empty yet; it lasts to the end of the program. */
void row_list_read(const char *file, const char *section, struct row_list *list);

#endif
