/* Bounds as expressions of a kernel's parameters: numbers, names, + - * / and parentheses, as in C.
 */
#ifndef WB_FORMATS_FLOW_FACTS_BOUND_EXPRESSION_H
#define WB_FORMATS_FLOW_FACTS_BOUND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a name. False where it is not known. */
typedef bool wb_name_value(const void *context, const char *name, size_t length, int64_t *value);

enum wb_expression_status {
  WB_EXPRESSION_OK,
  WB_EXPRESSION_MALFORMED, /* `expected` says what should stand at `at` */
  WB_EXPRESSION_UNKNOWN,   /* no value is known of the name at `at` */
  WB_EXPRESSION_NUMBER     /* at `at` a number does not fit into 64 bits, or a divisor is 0 */
};

/* What an expression is. Borrows from its text. */
struct wb_expression_result {
  enum wb_expression_status status;
  int64_t value;        /* where WB_EXPRESSION_OK and a function gave the names values */
  const char *at;       /* otherwise: the place, */
  size_t length;        /* of a name its length, */
  const char *expected; /* and a static text */
};

/* Reads the whole text, blanks around it left out. Division rounds toward 0. value: NULL to read
 * the text alone, which no name and no number then fails. Any bytes may be given; nesting is
 * limited to 32. Linear in length. */
struct wb_expression_result wb_expression_evaluate(const char *text, size_t length,
                                                   wb_name_value *value, const void *context);

/* No name has a value. */
bool wb_expression_no_names(const void *context, const char *name, size_t length, int64_t *value);

#endif
