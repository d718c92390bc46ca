#include "random_program.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define UNPLACED UINT32_MAX

uint32_t program_label(struct random_program *program)
{
  if (!wb_grow(program->labels, &program->label_capacity, program->label_count + 1))
    abort();
  program->labels[program->label_count] = UNPLACED;
  return (uint32_t)program->label_count++;
}

void program_place(struct random_program *program, uint32_t label)
{
  program->labels[label] = (uint32_t)program->count;
}

void program_add(struct random_program *program, struct program_item item)
{
  if (!wb_grow(program->items, &program->capacity, program->count + 1))
    abort();
  program->items[program->count++] = item;
}

void program_free(struct random_program *program)
{
  free(program->items);
  free(program->labels);
  *program = (struct random_program){0};
}

static struct random_program copy_of(const struct random_program *program)
{
  struct random_program copy = *program;
  copy.capacity = copy.label_capacity = 0;
  copy.items = NULL;
  copy.labels = NULL;
  if (!wb_grow(copy.items, &copy.capacity, program->count + 1) ||
      !wb_grow(copy.labels, &copy.label_capacity, program->label_count + 1))
    abort();
  memcpy(copy.items, program->items, program->count * sizeof copy.items[0]);
  if (program->label_count > 0)
    memcpy(copy.labels, program->labels, program->label_count * sizeof copy.labels[0]);
  return copy;
}

/* Takes the simpler one where it fails too. */
static bool try(struct random_program *program, struct random_program *simpler,
                program_fails *fails, void *context)
{
  const bool better = simpler->count > 0 && fails(simpler, context);
  if (better) {
    struct random_program old = *program;
    *program = *simpler;
    *simpler = old;
  }
  program_free(simpler);
  return better;
}

static bool drop_runs(struct random_program *program, size_t length, program_fails *fails,
                      void *context)
{
  bool any = false;
  for (size_t first = 0; first + length <= program->count;) {
    struct random_program simpler = copy_of(program);
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

static bool drop_guards(struct random_program *program, program_fails *fails, void *context)
{
  bool any = false;
  for (size_t i = 0; i < program->count; i++) {
    if (program->items[i].guard == PROGRAM_NO_GUARD)
      continue;
    struct random_program simpler = copy_of(program);
    simpler.items[i].guard = PROGRAM_NO_GUARD;
    any = try(program, &simpler, fails, context) || any;
  }
  return any;
}

void program_shrink(struct random_program *program, program_fails *fails, void *context)
{
  bool any = true;
  while (any) {
    any = false;
    for (size_t length = program->count / 2; length > 0; length /= 2)
      any = drop_runs(program, length, fails, context) || any;
    any = drop_guards(program, fails, context) || any;
  }
}
