/* Which lines of a source belong to the head of one loop: from `for (` or `while (` to the
 * parenthesis that ends it, with the `do` of a loop that is tested at its end, or the `{` that has
 * the line behind the head for itself. Compilers give a loop's back edge the line of its condition
 * or of its step, and people write bounds at any of these lines.
 *
 * This is no parser of C++: it counts parentheses and braces outside of comments, texts and
 * directives. A conditional directive within the body of a `do` may hide braces: that loop has no
 * head then. */
#ifndef WB_FORMATS_FLOW_FACTS_LOOP_HEADERS_H
#define WB_FORMATS_FLOW_FACTS_LOOP_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_loop_header {
  uint32_t first, last; /* lines, from the word to the parenthesis */
  uint32_t beside;      /* the line of `do`, or of `{` alone; 0: none */
};

/* Deepest nest of `do` that is followed. */
#define WB_OPEN_DO_LIMIT 32

enum wb_header_state {
  WB_HEADER_NONE,
  WB_HEADER_WORD,   /* after `for` or `while` */
  WB_HEADER_INSIDE, /* between its parentheses */
  WB_HEADER_BEHIND, /* after the one that ends it */
  WB_HEADER_DO,     /* after `do` */
  WB_HEADER_BODY    /* after the brace that ends the body of a `do` */
};

/* The heads of a source, and where its reader is. Zero-initialise; wb_loop_headers_free. */
struct wb_loop_headers {
  struct wb_loop_header *items; /* in the order of their ends */
  size_t count, capacity;
  enum wb_header_state state;
  struct wb_loop_header open; /* the one at hand */
  uint32_t parentheses;       /* open ones in it */
  uint32_t braces;
  struct {
    uint32_t line, braces;   /* of the word, and open before its body */
  } loops[WB_OPEN_DO_LIMIT]; /* of `do`, the innermost last */
  size_t loop_count;
  bool directive; /* the line at hand is one of the preprocessor, or goes on one */
  bool continued; /* and the next one too */
};

/* Begins a line outside of comments: the text up to its end. */
void wb_loop_headers_begin_line(struct wb_loop_headers *headers, const char *start,
                                const char *end);

/* Takes the next word or character of code, neither blank nor of a comment, of a line; alone: the
 * line has no other code. False where memory is out. */
bool wb_loop_headers_take(struct wb_loop_headers *headers, const char *at, size_t length,
                          uint32_t line, bool alone);

/* The one head that has a line; NULL where none or several have. Linear. */
const struct wb_loop_header *wb_loop_header_find(const struct wb_loop_headers *headers,
                                                 uint32_t line);

void wb_loop_headers_free(struct wb_loop_headers *headers);

#endif
