#include "frontend/sass/text/sass_target.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "frontend/sass/text/sass_scanner.h"

#include <stdlib.h>
#include <string.h>

static int compare_labels(const void *one, const void *other)
{
  const struct wb_sass_label *a = one;
  const struct wb_sass_label *b = other;
  const int order = wb_sass_compare(a->name, b->name);
  return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

void wb_sass_sort_labels(struct wb_sass_parser *parser)
{
  if (parser->label_count > 1)
    qsort(parser->labels, parser->label_count, sizeof *parser->labels, compare_labels);
}

static bool is_before(const void *labels, size_t index, const void *name)
{
  return wb_sass_compare(((const struct wb_sass_label *)labels)[index].name,
                         *(const struct wb_sass_piece *)name) < 0;
}

size_t wb_sass_find_label(const struct wb_sass_parser *parser, struct wb_sass_piece name)
{
  const size_t low = wb_lower_bound(parser->labels, parser->label_count, is_before, &name);
  const bool found = low < parser->label_count && wb_sass_same(parser->labels[low].name, name) &&
                     parser->labels[low].index < parser->statement_count;
  return found ? parser->labels[low].index : SIZE_MAX;
}

size_t wb_sass_target_at(const struct wb_function *function, uint64_t address)
{
  const size_t index = wb_function_at(function, address);
  const bool control_word = index == SIZE_MAX && address % 0x20 == 0 && address < UINT32_MAX;
  return control_word ? wb_function_at(function, address + 8) : index;
}

bool wb_sass_add_target(struct wb_sass_parser *parser, struct wb_function *function,
                        size_t *capacity, size_t index)
{
  const bool grown = wb_grow(function->targets, capacity, function->target_count + 1);
  if (!grown)
    return wb_sass_out_of_memory(parser);
  function->targets[function->target_count++] = (uint32_t)index;
  return true;
}

bool wb_sass_annotation(struct wb_sass_parser *parser, struct wb_function *function,
                        const struct wb_sass_statement *statement, struct wb_annotation *annotation)
{
  static const char mark[] = "BRANCH_TARGETS";
  if (!wb_sass_begins(statement->annotation, mark))
    return true;
  const char *end = statement->annotation.text + statement->annotation.length;
  const char *p = statement->annotation.text + strlen(mark);
  annotation->first_target = (uint32_t)function->target_count;
  while (p < end) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    const char *stop = comma != NULL ? comma : end;
    const struct wb_sass_piece name = wb_sass_trim(p, stop);
    const size_t index = wb_sass_find_label(parser, name);
    if (index == SIZE_MAX)
      return wb_sass_expected_at(parser, statement->line,
                                 statement->column + (size_t)(name.text - statement->text), name,
                                 "a label of this function");
    if (!wb_sass_add_target(parser, function, &parser->target_capacity, index))
      return false;
    p = comma != NULL ? comma + 1 : end;
  }
  annotation->target_count = (uint32_t)function->target_count - annotation->first_target;
  return true;
}

/* ---- labels as values ---- */

static struct wb_sass_piece from(struct wb_sass_piece piece, size_t first)
{
  return wb_sass_trim(piece.text + first, piece.text + piece.length);
}

/* "(", "`(" and ")" that stand around the whole piece. */
static struct wb_sass_piece without_parentheses(struct wb_sass_piece piece)
{
  while (piece.length >= 2 && piece.text[piece.length - 1] == ')') {
    if (wb_sass_begins(piece, "`"))
      piece = from(piece, 1);
    if (!wb_sass_begins(piece, "("))
      return piece;
    piece = wb_sass_trim(piece.text + 1, piece.text + piece.length - 1);
  }
  return piece;
}

/* The label of `fn + .L_x_1@srel`, where fn is the function whose lines are read. */
static struct wb_sass_piece label_in(const struct wb_sass_parser *parser,
                                     struct wb_sass_piece piece)
{
  const char *plus = piece.length > 0 ? memchr(piece.text, '+', piece.length) : NULL;
  if (plus != NULL) {
    const struct wb_sass_piece function = wb_sass_trim(piece.text, plus);
    if (!wb_sass_same(function, parser->name))
      return (struct wb_sass_piece){piece.text, 0};
    piece = wb_sass_trim(plus + 1, piece.text + piece.length);
  }
  const char *at = piece.length > 0 ? memchr(piece.text, '@', piece.length) : NULL;
  if (at != NULL && wb_sass_equal(from(piece, (size_t)(at - piece.text)), "@srel"))
    piece.length = (size_t)(at - piece.text);
  return piece;
}

bool wb_sass_label_value(const struct wb_sass_parser *parser, const struct wb_function *function,
                         struct wb_sass_piece piece, uint64_t *value)
{
  const bool upper = wb_sass_begins(piece, "32@hi(");
  if (upper || wb_sass_begins(piece, "32@lo("))
    piece = from(piece, strlen("32@lo"));
  const size_t index = wb_sass_find_label(parser, label_in(parser, without_parentheses(piece)));
  if (index == SIZE_MAX || index == 0)
    return false;
  *value = upper ? 0 : function->instructions[index].address;
  return true;
}
