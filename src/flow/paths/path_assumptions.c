#include "flow/paths/path_assumptions.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>

/* Most places that a sentence names. */
#define NAMED ((size_t)4)

static bool add_place(struct wb_path_places *places, const struct wb_instruction *instruction)
{
  bool grown = wb_grow(places->items, &places->capacity, places->count + 1);
  if (grown)
    places->items[places->count++] = instruction;
  return grown;
}

bool wb_path_barriers_add(struct wb_path_barriers *barriers,
                          const struct wb_instruction *instruction, bool skipped)
{
  if (instruction->partial_barrier)
    return add_place(&barriers->partial, instruction);
  return !skipped || add_place(&barriers->skipped, instruction);
}

void wb_path_barriers_free(struct wb_path_barriers *barriers)
{
  free(barriers->skipped.items);
  free(barriers->partial.items);
  *barriers = (struct wb_path_barriers){0};
}

static void state_iterations(const struct wb_function_paths *paths, struct wb_list *list)
{
  const struct wb_path_options *options = paths->options;
  for (size_t o = 0; o < options->loop_count; o++) {
    if (!paths->loop_option_wins[o])
      continue;
    wb_list_add(list,
                "the body of the loop at %s%s is done %u time%s for each time that the path enters "
                "it (--loop-iterations)",
                wb_path_is_number(options->loops[o].place) ? "line " : "", options->loops[o].place,
                options->loops[o].iterations, options->loops[o].iterations == 1 ? "" : "s");
  }
  const char *other = options->loop_count > 0 ? "other " : "";
  if (!paths->common_iterations)
    return;
  if (options->iterations == 1)
    wb_list_add(list, "each %sloop's body is done once for each time that the path enters it",
                other);
  else
    wb_list_add(list, "each %sloop's body is done %u times for each time that the path enters it",
                other, options->iterations);
}

void wb_path_state_choice(const struct wb_function_paths *paths, struct wb_list *list)
{
  const struct wb_path_options *options = paths->options;
  wb_list_add(list, "PTX is not machine code: each PTX instruction is counted as one machine "
                    "instruction of its unit type, so that the string and all that rests on it "
                    "are estimates");
  if (options->order == WB_PATH_LONGEST)
    wb_list_add(list, "the string is that of a path of most instructions (doc/ptx.md); every warp "
                      "takes it");
  else
    wb_list_add(list, "the string is that of the fall-through path, which takes the fewest "
                      "conditional branches (doc/ptx.md); every warp takes it");
  state_iterations(paths, list);
  if (options->through != NULL && paths->end.line == 0)
    wb_list_add(list, "the path ends before '%s' (--through)", options->through);
  else if (options->through != NULL)
    wb_list_add(list, "the path ends after line %s (--through)", options->through);
  for (size_t t = 0; t < options->take_count; t++) {
    if (wb_path_is_number(options->takes[t]))
      wb_list_add(list, "the branch of line %s is taken (--take)", options->takes[t]);
    else
      wb_list_add(list, "the path goes through '%s' (--take)", options->takes[t]);
  }
}

/* Adds an arm unless memory is out. */
static bool add_arm(struct wb_kernel_path *path, const struct wb_function *function, uint32_t from,
                    uint32_t to, bool falls)
{
  bool grown = wb_grow(path->arms, &path->arm_capacity, path->arm_count + 1);
  if (!grown)
    return false;
  const struct wb_label *label = falls ? NULL : wb_path_label_at(function, to);
  path->arms[path->arm_count++] = (struct wb_path_arm){
      .branch = &function->instructions[from],
      .label = label != NULL ? label->name : NULL,
      .line = to < function->instruction_count ? function->instructions[to].line : 0,
      .falls = falls};
  return true;
}

/* Adds the targets of a branch that the path never goes to, each once. seen: by instruction, all
 * false before and after. */
static bool add_targets(const struct wb_path_function *row, uint32_t from, bool *seen,
                        struct wb_kernel_path *path)
{
  const struct wb_function *function = row->function;
  const struct wb_instruction *branch = &function->instructions[from];
  const uint32_t *targets = &function->targets[branch->first_target];
  bool added = true;
  for (uint32_t t = 0; t < branch->target_count; t++)
    seen[targets[t]] = seen[targets[t]] || row->jumped[branch->first_target + t];
  for (uint32_t t = 0; added && t < branch->target_count; t++) {
    if (!seen[targets[t]])
      added = add_arm(path, function, from, targets[t], false);
    seen[targets[t]] = true;
  }
  for (uint32_t t = 0; t < branch->target_count; t++)
    seen[targets[t]] = false;
  return added;
}

/* Whether the path goes on from an instruction in any way. */
static bool is_left(const struct wb_path_function *row, uint32_t index)
{
  const struct wb_instruction *instruction = &row->function->instructions[index];
  bool left = row->continued[index] || row->ended[index];
  for (uint32_t t = 0; !left && t < instruction->target_count; t++)
    left = row->jumped[instruction->first_target + t];
  return left;
}

static bool add_arms(const struct wb_path_function *row, bool *seen, struct wb_kernel_path *path)
{
  const struct wb_function *function = row->function;
  bool added = true;
  for (uint32_t i = 0; added && i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    bool branches = instruction->transfer == WB_TRANSFER_BRANCH ||
                    instruction->transfer == WB_TRANSFER_INDEXED_BRANCH;
    bool ends =
        instruction->transfer == WB_TRANSFER_RETURN || instruction->transfer == WB_TRANSFER_EXIT;
    if ((!branches && !ends) || !is_left(row, i))
      continue;
    if (instruction->guarded && !row->continued[i])
      added = add_arm(path, function, i, i + 1, true);
    if (added && branches)
      added = add_targets(row, i, seen, path);
    if (added && ends && instruction->guarded && !row->ended[i])
      added = add_arm(path, function, i, (uint32_t)function->instruction_count, false);
  }
  return added;
}

warpbound_status wb_path_find_arms(const struct wb_function_paths *paths,
                                   struct wb_kernel_path *path, warpbound_error *error)
{
  for (size_t f = 0; f < paths->code->function_count; f++) {
    const struct wb_path_function *row = &paths->functions[f];
    if (row->executed == NULL)
      continue;
    bool *seen = wb_allocate(row->function->instruction_count + 1, sizeof *seen);
    bool added = seen != NULL && add_arms(row, seen, path);
    free(seen);
    if (!added)
      return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

static void write_more(struct wb_text *text, size_t count)
{
  if (count > NAMED)
    wb_text_format(text, " and %zu more", count - NAMED);
}

/* "line 7 div.rn.f64, line 9 ..." */
static void write_places(const struct wb_instruction *const *items, size_t count,
                         struct wb_text *text)
{
  for (size_t i = 0; i < count && i < NAMED; i++)
    wb_text_format(text, "%sline %u %.60s", i > 0 ? ", " : "", items[i]->line, items[i]->opcode);
  write_more(text, count);
}

static void add_sentence(struct wb_list *list, struct wb_text *text)
{
  if (text->failed)
    list->failed = true;
  else
    wb_list_add(list, "%s", text->data);
  wb_text_free(text);
}

void wb_path_state_findings(const struct wb_kernel_path *path,
                            const struct wb_path_barriers *barriers, struct wb_list *list)
{
  struct wb_text text = {0};
  if (path->several_count > 0) {
    wb_text_format(&text,
                   "%zu instruction%s of the path can become several machine instructions and "
                   "%s counted as one: ",
                   path->several_count, path->several_count == 1 ? "" : "s",
                   path->several_count == 1 ? "is" : "are");
    write_places(path->several, path->several_count, &text);
    add_sentence(list, &text);
  }
  if (path->arm_count > 0) {
    wb_text_format(&text, "%zu arm%s of branches on the path %s left out: ", path->arm_count,
                   path->arm_count == 1 ? "" : "s", path->arm_count == 1 ? "is" : "are");
    for (size_t a = 0; a < path->arm_count && a < NAMED; a++) {
      const struct wb_path_arm *arm = &path->arms[a];
      wb_text_format(&text, "%sline %u %.40s", a > 0 ? ", " : "", arm->branch->line,
                     arm->branch->opcode);
      if (arm->label != NULL)
        wb_text_format(&text, " to %.60s", arm->label);
      else if (arm->falls)
        wb_text_string(&text, " falling through");
    }
    write_more(&text, path->arm_count);
    add_sentence(list, &text);
  }
  if (barriers->partial.count > 0) {
    wb_text_string(&text, "a barrier that may be for a part of the block's warps is counted as N, "
                          "waiting there is not modelled: ");
    write_places(barriers->partial.items, barriers->partial.count, &text);
    add_sentence(list, &text);
  }
  if (barriers->skipped.count > 0) {
    wb_text_string(&text, "a barrier in code that other paths skip is one of every warp: ");
    write_places(barriers->skipped.items, barriers->skipped.count, &text);
    add_sentence(list, &text);
  }
}
