/* Annotations of the public header: what is known of a module's kernels beyond their code. */
#include "analysis/code/annotations.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "frontend/file_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A launch's sizes are positive numbers of 32 bits with a sign. */
#define SIZE_LIMIT UINT32_C(0x7fffffff)
#define BANK_LIMIT 17
#define OFFSET_LIMIT UINT32_C(0xffff)
/* Parameters that a message lists. */
#define LISTED_PARAMETERS 16

/* Annotations being made. */
struct maker {
  const warpbound_annotation_options *options;
  struct warpbound_annotations *annotations;
  warpbound_error *error;
};

/* ---- arguments ---- */

/* Whether a value fits into four bytes, as a number with a sign or without. */
static bool is_word(uint64_t value)
{
  return value <= UINT32_MAX || value >> 31 == UINT64_MAX >> 31;
}

static warpbound_status check_place(const char *list, size_t place, uint32_t offset, uint64_t value,
                                    bool wide, warpbound_error *error)
{
  if (offset > OFFSET_LIMIT || offset % 4 != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected an offset that is a multiple of 4 below 65536, found "
                   "%" PRIu32,
                   list, place + 1, offset);
  if (!wide && !is_word(value))
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected a value of 32 bits, or `wide`, found %" PRIu64, list,
                   place + 1, value);
  return WARPBOUND_OK;
}

static warpbound_status check_sizes(const warpbound_annotation_options *options,
                                    warpbound_error *error)
{
  for (int axis = 0; axis < 3; axis++) {
    if (options->block[axis] > SIZE_LIMIT || options->grid[axis] > SIZE_LIMIT)
      return wb_fail(error, WARPBOUND_USAGE, "block, grid: expected at most %" PRIu32, SIZE_LIMIT);
  }
  return WARPBOUND_OK;
}

static warpbound_status check_lists(const warpbound_annotation_options *options,
                                    warpbound_error *error)
{
  if ((options->parameter_count > 0 && options->parameters == NULL) ||
      (options->constant_count > 0 && options->constants == NULL) ||
      (options->source_count > 0 && options->sources == NULL))
    return wb_fail(error, WARPBOUND_USAGE, "annotations: expected a list, found NULL");
  warpbound_status status = WARPBOUND_OK;
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
  if (status == WARPBOUND_OK)
    status = check_sizes(options, error);
  return status == WARPBOUND_OK ? check_lists(options, error) : status;
}

/* ---- texts ---- */

static const char *name_of(const warpbound_input *input)
{
  return input->name != NULL ? input->name : "";
}

static warpbound_status take_costs(const struct maker *maker)
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

/* The name, as the listing has it, of the one function that a text names: as the listing has it, or
 * demangled. NULL where there is none, or several, which *list then names. */
static const char *find_function(const struct wb_code *code, const char *name, struct wb_text *list)
{
  const char *found = NULL;
  bool several = false;
  for (size_t f = 0; f < code->function_count; f++) {
    const char *candidate = code->functions[f].name;
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

static warpbound_status no_such_kernel(const struct maker *maker,
                                       const struct wb_kernel_facts *kernel,
                                       const struct wb_text *list)
{
  const char *file = maker->annotations->facts.name;
  if (list->failed)
    return wb_out_of_memory(maker->error);
  if (list->length > 0)
    return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, file, kernel->line, 0,
                      "'%.120s' names several kernels: expected one of %.320s", kernel->kernel,
                      list->data);
  return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, file, kernel->line, 0,
                    "there is no kernel '%.120s' in %.120s", kernel->kernel,
                    maker->annotations->module->code.name);
}

/* The kernels that facts speak of are in the module, each once: gives them the listing's names. */
static warpbound_status name_kernels(const struct maker *maker)
{
  struct wb_flow_facts *facts = &maker->annotations->facts;
  warpbound_status status = WARPBOUND_OK;
  for (size_t k = 0; k < facts->kernel_count && status == WARPBOUND_OK; k++) {
    struct wb_kernel_facts *kernel = &facts->kernels[k];
    struct wb_text list = {0};
    const char *name = find_function(&maker->annotations->module->code, kernel->kernel, &list);
    if (name == NULL)
      status = no_such_kernel(maker, kernel, &list);
    wb_text_free(&list);
    for (size_t other = 0; other < k && status == WARPBOUND_OK; other++) {
      if (strcmp(facts->kernels[other].kernel, name) == 0)
        status = wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, facts->name, kernel->line, 0,
                            "expected each kernel once, found '%.100s' again (first in line %u)",
                            kernel->kernel, (unsigned)facts->kernels[other].line);
    }
    if (status == WARPBOUND_OK)
      kernel->kernel = wb_name_pool_copy(&facts->names, name, strlen(name));
    if (kernel->kernel == NULL)
      status = wb_out_of_memory(maker->error);
  }
  return status;
}

static warpbound_status take_facts(const struct maker *maker)
{
  const warpbound_input *input = &maker->options->flow_facts;
  if (input->text == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_flow_facts_parse(name_of(input), input->text, input->length,
                                                &maker->annotations->facts, maker->error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name_of(input), input->text, input->length, WB_FILE_TEXT, maker->error);
  return status == WARPBOUND_OK ? name_kernels(maker) : status;
}

static warpbound_status take_sources(const struct maker *maker)
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
    if (input->text != NULL)
      status = wb_source_bounds_parse(name_of(input), input->text, input->length,
                                      &annotations->sources[s], maker->error);
  }
  return status;
}

/* ---- the launch ---- */

static bool add_constant(struct warpbound_annotations *annotations, uint32_t place, uint32_t value)
{
  struct wb_launch *launch = &annotations->launch;
  if (!wb_grow(annotations->constants, &annotations->constant_capacity, launch->constant_count + 1))
    return false;
  annotations->constants[launch->constant_count++] = (struct wb_constant_value){place, value};
  launch->constants = annotations->constants;
  return true;
}

static warpbound_status take_constants(const struct maker *maker)
{
  for (size_t c = 0; c < maker->options->constant_count; c++) {
    const warpbound_constant *constant = &maker->options->constants[c];
    const uint32_t place = constant->bank << 16 | constant->offset;
    bool added = add_constant(maker->annotations, place, (uint32_t)constant->value);
    if (constant->wide && constant->offset < OFFSET_LIMIT - 4)
      added =
          added && add_constant(maker->annotations, place + 4, (uint32_t)(constant->value >> 32));
    if (!added)
      return wb_out_of_memory(maker->error);
  }
  return WARPBOUND_OK;
}

static bool add_row(struct warpbound_annotations *annotations, const char *kernel, uint32_t offset,
                    uint32_t value)
{
  struct wb_launch *launch = &annotations->launch;
  if (!wb_grow(annotations->parameters, &annotations->parameter_capacity,
               launch->parameter_count + 1))
    return false;
  annotations->parameters[launch->parameter_count++] =
      (struct wb_parameter_value){kernel, offset, value};
  launch->parameters = annotations->parameters;
  return true;
}

/* Both words where it has two. */
static bool add_words(struct warpbound_annotations *annotations, const char *kernel,
                      uint32_t offset, uint64_t value, bool wide)
{
  return add_row(annotations, kernel, offset, (uint32_t)value) &&
         (!wide || add_row(annotations, kernel, offset + 4, (uint32_t)(value >> 32)));
}

/* Whether the text is the name of that parameter as compilers call it in PTX: KERNEL_param_2,
 * or param_2 for short. */
static bool is_name_of(const char *wanted, const struct wb_function *function, unsigned ordinal)
{
  struct wb_text name = {0};
  wb_text_format(&name, "%s_param_%u", function->name, ordinal);
  const bool same = !name.failed && (strcmp(wanted, name.data) == 0 ||
                                     strcmp(wanted, name.data + strlen(function->name) + 1) == 0);
  wb_text_free(&name);
  return same;
}

/* The function's parameters that an entry speaks of. */
static bool add_to_function(struct warpbound_annotations *annotations,
                            const warpbound_parameter *parameter,
                            const struct wb_function *function, bool *found)
{
  bool ok = true;
  for (size_t p = 0; p < function->parameter_count && ok; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    const bool wide = parameter->wide || row->size == 8;
    if (parameter->name != NULL && is_name_of(parameter->name, function, row->ordinal)) {
      *found = true;
      ok = add_words(annotations, function->name, row->offset, parameter->value, wide);
    } else if (parameter->name == NULL && row->offset == parameter->offset && wide &&
               !parameter->wide) {
      ok = add_row(annotations, function->name, row->offset + 4U,
                   (uint32_t)(parameter->value >> 32));
    }
  }
  return ok;
}

/* The next function from `first` on that named parameters are of. */
static const struct wb_function *next_function(const struct maker *maker, size_t *first)
{
  const struct warpbound_module *module = maker->annotations->module;
  *first = warpbound_module_find(module, maker->options->kernel, *first);
  return *first < module->function_count
             ? &module->code.functions[module->functions[(*first)++].index]
             : NULL;
}

static warpbound_status no_such_name(const struct maker *maker,
                                     const warpbound_parameter *parameter)
{
  struct wb_text known = {0};
  size_t next = 0;
  const struct wb_function *function = next_function(maker, &next);
  while (function != NULL && function->parameter_count == 0)
    function = next_function(maker, &next);
  if (function == NULL)
    return wb_fail(maker->error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, for this listing has no numbers of parameters "
                   "(nvdisasm without -c prints them), found the name '%.60s'",
                   parameter->name);
  for (size_t p = 0; p < function->parameter_count && p < LISTED_PARAMETERS; p++)
    wb_text_format(&known, "%sparam_%u (at 0x%x)", p > 0 ? ", " : "",
                   function->parameters[p].ordinal, function->parameters[p].offset);
  warpbound_status status =
      known.failed ? wb_out_of_memory(maker->error)
                   : wb_fail(maker->error, WARPBOUND_USAGE,
                             "--param: no parameter is called '%.60s'; %.100s has %.240s",
                             parameter->name, function->name, known.data);
  wb_text_free(&known);
  return status;
}

static warpbound_status take_parameter(const struct maker *maker,
                                       const warpbound_parameter *parameter)
{
  bool found = parameter->name == NULL;
  size_t next = 0;
  for (const struct wb_function *function = next_function(maker, &next); function != NULL;
       function = next_function(maker, &next)) {
    if (!add_to_function(maker->annotations, parameter, function, &found))
      return wb_out_of_memory(maker->error);
  }
  return found ? WARPBOUND_OK : no_such_name(maker, parameter);
}

/* What the code adds to an offset comes after what is said of the other words. */
static warpbound_status take_parameters(const struct maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  for (size_t p = 0; p < options->parameter_count; p++) {
    const warpbound_parameter *parameter = &options->parameters[p];
    if (parameter->name == NULL &&
        !add_words(maker->annotations, NULL, parameter->offset, parameter->value, parameter->wide))
      return wb_out_of_memory(maker->error);
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < options->parameter_count && status == WARPBOUND_OK; p++)
    status = take_parameter(maker, &options->parameters[p]);
  return status;
}

/* ---- the block ---- */

/* A launch with another block than the function requires, or a larger one than it admits, fails. */
static warpbound_status check_block_of(const struct wb_function *function, const uint32_t block[3],
                                       warpbound_error *error)
{
  const uint32_t *required = function->required_block;
  uint64_t threads = block[0];
  for (unsigned axis = 1; axis < 3 && threads <= UINT32_MAX; axis++)
    threads *= block[axis];
  if (required[0] > 0 && memcmp(required, block, sizeof function->required_block) != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--block: expected %u,%u,%u, which '%.100s' requires of each launch, found "
                   "%u,%u,%u",
                   required[0], required[1], required[2], function->name, block[0], block[1],
                   block[2]);
  if (function->most_threads > 0 && threads > function->most_threads)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--block: expected at most %u threads, the launch bound of '%.100s', found "
                   "%" PRIu64,
                   function->most_threads, function->name, threads);
  return WARPBOUND_OK;
}

static warpbound_status take_sizes(const struct maker *maker)
{
  struct wb_launch *launch = &maker->annotations->launch;
  memcpy(launch->block, maker->options->block, sizeof launch->block);
  memcpy(launch->grid, maker->options->grid, sizeof launch->grid);
  if (launch->block[0] == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  size_t next = 0;
  for (const struct wb_function *function = next_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = next_function(maker, &next))
    status = check_block_of(function, launch->block, maker->error);
  return status;
}

/* ---- the handle ---- */

static warpbound_status take_all(const struct maker *maker)
{
  static warpbound_status (*const steps[])(const struct maker *) = {
      take_constants, take_costs, take_facts, take_sizes, take_parameters, take_sources};
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; s < sizeof steps / sizeof *steps && status == WARPBOUND_OK; s++)
    status = steps[s](maker);
  return status;
}

warpbound_status warpbound_annotations_create(const warpbound_module *module,
                                              const warpbound_annotation_options *options,
                                              warpbound_annotations **annotations,
                                              warpbound_error *error)
{
  static const warpbound_annotation_options defaults = {0};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  if (options == NULL)
    options = &defaults;
  warpbound_status status =
      wb_require(annotations, "annotations", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *annotations = NULL;
  status = wb_require(module, "module", "a module", error);
  if (status == WARPBOUND_OK)
    status = check_options(module, options, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_annotations *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = module;
  const struct maker maker = {options, made, error};
  status = take_all(&maker);
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
  free(annotations->parameters);
  free(annotations->constants);
  for (size_t s = 0; s < annotations->source_count; s++)
    wb_source_bounds_free(&annotations->sources[s]);
  free(annotations->sources);
  free(annotations);
}
