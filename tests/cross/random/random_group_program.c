/* The programs themselves: their items, their text, their shrinking. group_statements.c and
 * group_wild.c make them. */
#include "random_group_program.h"

#include "base/memory.h"
#include "groups/simt_text.h"

#include <stdlib.h>
#include <string.h>

uint32_t group_program_label(struct group_program *program)
{
  if (!wb_grow(program->labels, &program->label_capacity, program->label_count + 1))
    abort();
  program->labels[program->label_count] = UINT32_MAX;
  return (uint32_t)program->label_count++;
}

void group_program_place(struct group_program *program, uint32_t label)
{
  program->labels[label] = (uint32_t)program->count;
}

void group_program_add(struct group_program *program, struct group_item item)
{
  if (!wb_grow(program->items, &program->capacity, program->count + 1))
    abort();
  program->items[program->count++] = item;
}

void group_program_free(struct group_program *program)
{
  free(program->items);
  free(program->labels);
  *program = (struct group_program){0};
}

struct group_program group_program_random(struct wb_random *random, size_t length,
                                          enum group_style style)
{
  struct group_program program = {0};
  if (style == GROUP_COMPILED)
    group_program_make_compiled(&program, random, length);
  else
    group_program_make_wild(&program, random, length);
  return program;
}

/* ---- text ---- */

static void print_item(const struct group_program *program, size_t index, struct wb_text *text)
{
  const struct group_item *item = &program->items[index];
  size_t label = 0;
  wb_text_format(text, "L%zu: ", index);
  if (item->guard != GROUP_NO_GUARD)
    wb_text_format(text, "@%sP%u ", item->negated ? "!" : "", item->guard);
  for (const char *at = item->text; *at != '\0'; at++) {
    if (*at == '$')
      wb_text_format(text, "L%u", program->labels[item->labels[label++]]);
    else
      wb_text_append(text, at, 1);
  }
}

void group_program_print(const struct group_program *program, struct wb_text *text)
{
  for (size_t i = 0; i < program->count; i++) {
    print_item(program, i, text);
    wb_text_string(text, "\n");
  }
}

void group_program_lower(const struct group_program *program, struct wb_code *code)
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

/* ---- shrinking ---- */

static struct group_program copy_of(const struct group_program *program)
{
  struct group_program copy = {.count = program->count, .label_count = program->label_count};
  if (!wb_grow(copy.items, &copy.capacity, program->count + 1) ||
      !wb_grow(copy.labels, &copy.label_capacity, program->label_count + 1))
    abort();
  memcpy(copy.items, program->items, program->count * sizeof copy.items[0]);
  if (program->label_count > 0)
    memcpy(copy.labels, program->labels, program->label_count * sizeof copy.labels[0]);
  return copy;
}

/* Takes the simpler one where it fails too. */
static bool try(struct group_program *program, struct group_program *simpler,
                group_program_fails *fails, void *context)
{
  const bool better = simpler->count > 0 && fails(simpler, context);
  if (better) {
    struct group_program old = *program;
    *program = *simpler;
    *simpler = old;
  }
  group_program_free(simpler);
  return better;
}

static bool drop_runs(struct group_program *program, size_t length, group_program_fails *fails,
                      void *context)
{
  bool any = false;
  for (size_t first = 0; first + length <= program->count;) {
    struct group_program simpler = copy_of(program);
    memmove(simpler.items + first, simpler.items + first + length,
            (simpler.count - first - length) * sizeof simpler.items[0]);
    simpler.count -= length;
    for (size_t l = 0; l < simpler.label_count; l++) {
      uint32_t *label = &simpler.labels[l];
      if (*label > first)
        *label -= (uint32_t)(*label - first < length ? *label - first : length);
      if (*label >= simpler.count)
        *label = (uint32_t)simpler.count - 1;
    }
    if (try(program, &simpler, fails, context))
      any = true;
    else
      first++;
  }
  return any;
}

static bool drop_guards(struct group_program *program, group_program_fails *fails, void *context)
{
  bool any = false;
  for (size_t i = 0; i < program->count; i++) {
    if (program->items[i].guard == GROUP_NO_GUARD)
      continue;
    struct group_program simpler = copy_of(program);
    simpler.items[i].guard = GROUP_NO_GUARD;
    any = try(program, &simpler, fails, context) || any;
  }
  return any;
}

void group_program_shrink(struct group_program *program, group_program_fails *fails, void *context)
{
  bool any = true;
  while (any) {
    any = false;
    for (size_t length = program->count / 2; length > 0; length /= 2)
      any = drop_runs(program, length, fails, context) || any;
    any = drop_guards(program, fails, context) || any;
  }
}
