/* Annotations of the public header: what is known of a module's kernels beyond their code. */
#include "analysis/code/parameter_names.h"
#include "api/annotation_maker.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "formats/flow_facts/fact_options.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/sources/signatures.h"
#include "frontend/file_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANK_LIMIT 17
/* A launch's sizes are positive numbers of 32 bits with a sign. */
#define SIZE_LIMIT UINT32_C(0x7fffffff)

const struct wb_function *wb_annotated_function(const struct wb_annotation_maker *maker,
                                                size_t *first)
{
  const struct warpbound_module *module = maker->annotations->module;
  *first = warpbound_module_find(module, maker->options->kernel, *first);
  return *first < module->function_count
             ? &module->code.functions[module->functions[(*first)++].index]
             : NULL;
}

bool wb_value_fits(uint64_t value, unsigned size)
{
  const unsigned bits = 8 * size;
  return bits >= 64 || value >> bits == 0 || value >> (bits - 1) == UINT64_MAX >> (bits - 1);
}

static warpbound_status check_place(const char *list, size_t place, uint32_t offset, uint64_t value,
                                    bool wide, warpbound_error *error)
{
  if (offset > WB_BANK_OFFSET_LIMIT || offset % 4 != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected an offset that is a multiple of 4 below 65536, found "
                   "%" PRIu32,
                   list, place + 1, offset);
  if (!wide && !wb_value_fits(value, 4))
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected a value of 32 bits, or `wide`, found %" PRIu64, list,
                   place + 1, value);
  return WARPBOUND_OK;
}

/* ---- arguments ---- */

static warpbound_status check_options(const warpbound_module *module,
                                      const warpbound_annotation_options *options,
                                      warpbound_error *error)
{
  if (module->form != WARPBOUND_INPUT_SASS)
    return wb_fail(error, WARPBOUND_USAGE, "module: expected machine code");
  if (options->source_count > module->code.file_count)
    return wb_fail(error, WARPBOUND_USAGE, "sources: expected at most %zu, as the module names",
                   module->code.file_count);
  warpbound_status status =
      wb_require_choice((int)options->cost, WARPBOUND_COST_TABLE + 1, "cost", error);
  if (status == WARPBOUND_OK && options->cost == WARPBOUND_COST_TABLE)
    status = wb_require(options->costs.text, "costs", "a table", error);
  for (int axis = 0; axis < 3 && status == WARPBOUND_OK; axis++) {
    if (options->block[axis] > SIZE_LIMIT || options->grid[axis] > SIZE_LIMIT)
      status =
          wb_fail(error, WARPBOUND_USAGE, "block, grid: expected at most %" PRIu32, SIZE_LIMIT);
  }
  if (status == WARPBOUND_OK && ((options->load_count > 0 && options->loads == NULL) ||
                                 (options->value_count > 0 && options->values == NULL) ||
                                 (options->call_count > 0 && options->calls == NULL)))
    status = wb_fail(error, WARPBOUND_USAGE, "loads, values, calls: expected a list, found NULL");
  if (status == WARPBOUND_OK && options->source_count > 0 && options->sources == NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "annotations: expected a list, found NULL");
  if (status != WARPBOUND_OK)
    return status;
  /* Checks the lists of parameters and constants, without looking at any kernel. Errors:
   * WARPBOUND_USAGE. */
  if ((options->parameter_count > 0 && options->parameters == NULL) ||
      (options->constant_count > 0 && options->constants == NULL))
    return wb_fail(error, WARPBOUND_USAGE, "annotations: expected a list, found NULL");
  status = WARPBOUND_OK;
  for (size_t p = 0; p < options->parameter_count && status == WARPBOUND_OK; p++) {
    const warpbound_parameter *parameter = &options->parameters[p];
    status = check_place("parameters", p, parameter->name == NULL ? parameter->offset : 0,
                         parameter->value, parameter->wide, error);
  }
  for (size_t c = 0; c < options->constant_count && status == WARPBOUND_OK; c++) {
    const warpbound_constant *constant = &options->constants[c];
    status = check_place("constants", c, constant->offset, constant->value, constant->wide, error);
    if (status == WARPBOUND_OK && constant->bank > BANK_LIMIT)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "constants, entry %zu: expected a bank of at most %d, found %" PRIu32, c + 1,
                       BANK_LIMIT, constant->bank);
  }
  return status;
}

/* ---- texts ---- */

static const char *name_of(const warpbound_input *input)
{
  return input->name != NULL ? input->name : "";
}

static warpbound_status read_costs(struct wb_annotation_maker *maker)
{
  static const enum wb_cost_kind kinds[] = {[WARPBOUND_COST_UNIT] = WB_COST_UNIT,
                                            [WARPBOUND_COST_STALLS] = WB_COST_STALLS,
                                            [WARPBOUND_COST_TABLE] = WB_COST_TABLE};
  const warpbound_input *table = &maker->options->costs;
  struct wb_costs *costs = &maker->annotations->costs;
  costs->kind = kinds[maker->options->cost];
  if (costs->kind != WB_COST_TABLE)
    return WARPBOUND_OK;
  warpbound_status status =
      wb_costs_parse(name_of(table), table->text, table->length, costs, maker->error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name_of(table), table->text, table->length, WB_FILE_TEXT, maker->error);
  return status;
}

/* The name, as the listing has it, of the one function of the file that a text names: as the
 * listing has it, or demangled. NULL where there is none, or several, which *list then names. */
static const char *find_function(const struct wb_code *code, const char *name, struct wb_text *list)
{
  const char *found = NULL;
  bool several = false;
  for (size_t f = 0; f < code->function_count + code->unread_count; f++) {
    const char *candidate =
        f < code->function_count ? code->functions[f].name : code->unread[f - code->function_count];
    if (strcmp(candidate, name) == 0)
      return candidate;
    if (!wb_demangled_matches(name, candidate) || (found != NULL && strcmp(found, candidate) == 0))
      continue;
    several |= found != NULL;
    found = candidate;
    if (list->length < 300)
      wb_text_format(list, "%s%s", list->length > 0 ? ", " : "", candidate);
  }
  return several ? NULL : found;
}

static warpbound_status read_facts(struct wb_annotation_maker *maker)
{
  const warpbound_input *input = &maker->options->flow_facts;
  if (input->text == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_flow_facts_parse(name_of(input), input->text, input->length,
                                                &maker->annotations->facts, maker->error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name_of(input), input->text, input->length, WB_FILE_TEXT, maker->error);
  /* The kernels that facts speak of are in the module, each once: gives them the listing's names.
   */
  struct wb_flow_facts *facts = &maker->annotations->facts;
  const struct wb_code *code = &maker->annotations->module->code;
  for (size_t k = 0; k < facts->kernel_count && status == WARPBOUND_OK; k++) {
    struct wb_kernel_facts *kernel = &facts->kernels[k];
    struct wb_text list = {0};
    const char *name = find_function(code, kernel->kernel, &list);
    if (name == NULL) {
      const char *file = maker->annotations->facts.name;
      if (list.failed)
        status = wb_out_of_memory(maker->error);
      else if (list.length > 0)
        status = wb_fail_at(
            maker->error, WARPBOUND_INVALID_INPUT, file, kernel->line, kernel->column,
            "'%.120s' names several kernels: expected one of %.320s", kernel->kernel, list.data);
      else
        status = wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, file, kernel->line,
                            kernel->column, "there is no kernel '%.120s' in %.120s", kernel->kernel,
                            code->unread_count > 0 ? "the modules of the file" : code->name);
      wb_text_free(&list);
      return status;
    }
    wb_text_free(&list);
    for (size_t other = 0; other < k; other++) {
      if (strcmp(facts->kernels[other].kernel, name) == 0)
        return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, facts->name, kernel->line,
                          kernel->column,
                          "expected each kernel once, found '%.100s' again (first in line %u)",
                          kernel->kernel, (unsigned)facts->kernels[other].line);
    }
    kernel->kernel = wb_name_pool_copy(&facts->names, name, strlen(name));
    if (kernel->kernel == NULL)
      status = wb_out_of_memory(maker->error);
  }
  return status;
}

/* wb_load_fact_parse and the like. */
typedef warpbound_status fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                    struct wb_kernel_facts *facts, warpbound_error *error);

/* Reads texts of loads, values or calls, which `list` says, as facts. */
static warpbound_status read_assumed(struct wb_annotation_maker *maker, const char *list,
                                     fact_parse *parse, const char *const *texts,
                                     const char *const *said_of, size_t count)
{
  struct warpbound_annotations *annotations = maker->annotations;
  struct wb_name_pool *names = &annotations->facts.names;
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < count && status == WARPBOUND_OK; t++) {
    status = wb_require(texts[t], list, "a text", maker->error);
    if (status != WARPBOUND_OK)
      return status;
    const char *said = said_of != NULL && said_of[t] != NULL ? said_of[t] : texts[t];
    said = wb_name_pool_copy(names, said, strlen(said));
    if (said == NULL)
      return wb_out_of_memory(maker->error);
    status = parse(texts[t], said, names, &annotations->assumed, maker->error);
  }
  return status;
}

static warpbound_status read_all_assumed(struct wb_annotation_maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  warpbound_status status = read_assumed(maker, "loads", wb_load_fact_parse, options->loads,
                                         options->loads_said, options->load_count);
  if (status == WARPBOUND_OK)
    status = read_assumed(maker, "values", wb_value_fact_parse, options->values,
                          options->values_said, options->value_count);
  if (status == WARPBOUND_OK)
    status = read_assumed(maker, "calls", wb_call_fact_parse, options->calls, options->calls_said,
                          options->call_count);
  return status;
}

static bool goes_back(const struct wb_function *function, size_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  for (size_t t = 0; t < instruction->target_count; t++) {
    if (function->targets[instruction->first_target + t] <= index)
      return true;
  }
  return false;
}

/* Marks the bounds of a file from whose lines a branch of the module goes back. */
static void mark_used(const struct wb_code *code, size_t file,
                      const struct wb_source_bounds *bounds, bool *used)
{
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      if (instruction->source_file != file + 1 || !goes_back(function, i))
        continue;
      const struct wb_source_bound *bound = wb_source_bounds_find(bounds, instruction->source_line);
      if (bound != NULL)
        used[bound - bounds->items] = true;
    }
  }
}

/* Notes what looks like a bound in a source and bounds no loop. */
static warpbound_status note_unused(struct wb_annotation_maker *maker, size_t file)
{
  struct warpbound_annotations *annotations = maker->annotations;
  const struct wb_source_bounds *bounds = &annotations->sources[file];
  const char *name = name_of(&maker->options->sources[file]);
  bool *used = wb_allocate(bounds->count, sizeof *used);
  if (used == NULL)
    return wb_out_of_memory(maker->error);
  for (size_t r = 0; r < bounds->remark_count; r++)
    wb_list_add(&annotations->notes, "%s:%" PRIu32 ":%" PRIu32 ": no bound of a loop: expected %s",
                name, bounds->remarks[r].line, bounds->remarks[r].column,
                bounds->remarks[r].expected);
  mark_used(&annotations->module->code, file, bounds, used);
  for (size_t b = 0; b < bounds->count; b++) {
    const struct wb_source_bound *bound = &bounds->items[b];
    if (!used[b] && !bound->at_loop) /* a loop may have been unrolled whole */
      wb_list_add(&annotations->notes,
                  "%s:%" PRIu32 ":%" PRIu32
                  ": the bound is not used: no loop of the code goes back from line %" PRIu32,
                  name, bound->at_line, bound->at_column, bound->line);
  }
  free(used);
  return WARPBOUND_OK;
}

static warpbound_status read_sources(struct wb_annotation_maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  struct warpbound_annotations *annotations = maker->annotations;
  if (options->source_count == 0)
    return WARPBOUND_OK;
  const size_t count = annotations->module->code.file_count;
  annotations->sources = wb_allocate(count, sizeof *annotations->sources);
  if (annotations->sources == NULL)
    return wb_out_of_memory(maker->error);
  annotations->source_count = count;
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < options->source_count && status == WARPBOUND_OK; s++) {
    const warpbound_input *input = &options->sources[s];
    if (input->text == NULL)
      continue;
    status = wb_source_bounds_parse(name_of(input), input->text, input->length,
                                    &annotations->sources[s], maker->error);
    const char *file =
        wb_name_pool_copy(&annotations->signatures.texts, name_of(input), strlen(name_of(input)));
    if (status == WARPBOUND_OK && file == NULL)
      status = wb_out_of_memory(maker->error);
    if (status == WARPBOUND_OK)
      status = wb_signatures_read(file, input->text, input->length, &annotations->signatures,
                                  maker->error);
    if (status == WARPBOUND_OK)
      status = note_unused(maker, s);
  }
  return status;
}

/* The names that the sources give the parameters of the kernels. */
static warpbound_status name_parameters(struct wb_annotation_maker *maker)
{
  warpbound_status status = WARPBOUND_OK;
  size_t next = 0;
  for (const struct wb_function *function = wb_annotated_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = wb_annotated_function(maker, &next))
    status = wb_parameter_names_add(maker->annotations, function, maker->error);
  wb_parameter_names_order(maker->annotations);
  return status;
}

/* ---- the launch ---- */

static warpbound_status read_sizes(struct wb_annotation_maker *maker)
{
  struct wb_launch *launch = &maker->annotations->launch;
  memcpy(launch->block, maker->options->block, sizeof launch->block);
  memcpy(launch->grid, maker->options->grid, sizeof launch->grid);
  if (launch->block[0] == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  size_t next = 0;
  for (const struct wb_function *function = wb_annotated_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = wb_annotated_function(maker, &next))
    status = wb_require_block(function, launch->block, maker->error);
  return status;
}

/* ---- the handle ---- */

warpbound_status warpbound_annotations_create(const warpbound_module *module,
                                              const warpbound_annotation_options *options,
                                              warpbound_annotations **annotations,
                                              warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct wb_annotation_maker *) = {
      read_costs,   read_facts,      read_all_assumed,   read_sizes,
      read_sources, name_parameters, wb_set_known_values};
  static const warpbound_annotation_options defaults = {0};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status =
      wb_require_place(annotations, "annotations", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(module, "module", "a module", error);
  if (status == WARPBOUND_OK)
    status = check_options(module, options, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_annotations *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = module;
  struct wb_annotation_maker maker = {.options = options, .annotations = made, .error = error};
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](&maker);
  free(maker.words);
  if (status == WARPBOUND_OK)
    *annotations = made;
  else
    warpbound_annotations_free(made);
  return status;
}

void warpbound_annotations_free(warpbound_annotations *annotations)
{
  if (annotations == NULL)
    return;
  wb_costs_free(&annotations->costs);
  wb_flow_facts_free(&annotations->facts);
  free(annotations->assumed.facts);
  free(annotations->assumed.places);
  free(annotations->parameters);
  free(annotations->names);
  wb_signatures_free(&annotations->signatures);
  free(annotations->constants);
  for (size_t s = 0; s < annotations->source_count; s++)
    wb_source_bounds_free(&annotations->sources[s]);
  free(annotations->sources);
  wb_list_free(&annotations->notes);
  free(annotations);
}

size_t warpbound_annotations_note_count(const warpbound_annotations *annotations)
{
  return annotations != NULL ? annotations->notes.count : 0;
}

const char *warpbound_annotations_note(const warpbound_annotations *annotations, size_t index)
{
  return index < warpbound_annotations_note_count(annotations) ? annotations->notes.items[index]
                                                               : "";
}
