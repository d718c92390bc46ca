/* The programs themselves: their items, their text, their shrinking. group_statements.c and
 * group_wild.c make them. */
#include "random_group_program.h"

#include "base/memory.h"
#include "groups/simt_text.h"

#include <stdlib.h>
#include <string.h>

struct random_program group_program_random(struct wb_random *random, size_t length,
                                           enum group_style style)
{
  struct random_program program = {0};
  if (style == GROUP_COMPILED)
    group_program_make_compiled(&program, random, length);
  else
    group_program_make_wild(&program, random, length);
  return program;
}

static void print_item(const struct random_program *program, size_t index, struct wb_text *text)
{
  const struct program_item *item = &program->items[index];
  size_t label = 0;
  wb_text_format(text, "L%zu: ", index);
  if (item->guard != PROGRAM_NO_GUARD)
    wb_text_format(text, "@%sP%u ", item->negated ? "!" : "", item->guard);
  for (const char *at = item->text; *at != '\0'; at++) {
    if (*at == '$')
      wb_text_format(text, "L%u", program->labels[item->labels[label++]]);
    else
      wb_text_append(text, at, 1);
  }
}

void group_program_print(const struct random_program *program, struct wb_text *text)
{
  for (size_t i = 0; i < program->count; i++) {
    print_item(program, i, text);
    wb_text_string(text, "\n");
  }
}

void group_program_lower(const struct random_program *program, struct wb_code *code)
{
  struct wb_text *texts = wb_allocate(program->count, sizeof *texts);
  const char **lines = wb_allocate(program->count + 1, sizeof *lines);
  if (texts == NULL || lines == NULL)
    abort();
  for (size_t i = 0; i < program->count; i++) {
    print_item(program, i, &texts[i]);
    if (texts[i].failed)
      abort();
    lines[i] = texts[i].data;
  }
  simt_text_make_barriers(lines, code);
  for (size_t i = 0; i < program->count; i++)
    wb_text_free(&texts[i]);
  free(texts);
  free(lines);
}
