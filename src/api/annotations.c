/* Annotations of the public header: what is known of a module's kernels beyond their code. */
#include "analysis/code/module.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "frontend/file_kind.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANK_LIMIT 17
#define OFFSET_LIMIT UINT32_C(0xffff)
/* A launch's sizes are positive numbers of 32 bits with a sign. */
#define SIZE_LIMIT UINT32_C(0x7fffffff)
/* Parameters that a message lists. */
#define LISTED_PARAMETERS 16
#define SAID_SIZE 160

/* What an entry of the parameters, or of the constants, gives one word of. */
struct word {
  const char *kernel; /* of parameters: the kernel that has them, NULL: each */
  uint32_t place;     /* of parameters their offset, else as in struct wb_constant_value */
  uint32_t value;
  size_t entry;
  bool constant;
  bool yields;  /* as its entry */
  bool implied; /* the upper half of a parameter that was given as one of four bytes */
};

/* Annotations being made. Owns the words. */
struct maker {
  const warpbound_annotation_options *options;
  struct warpbound_annotations *annotations;
  struct word *words;
  size_t word_count, word_capacity;
  warpbound_error *error;
};

/* The next function from *first on that the launch can be of, or NULL; moves *first after it. */
static const struct wb_function *annotated_function(const struct maker *maker, size_t *first)
{
  const struct warpbound_module *module = maker->annotations->module;
  *first = warpbound_module_find(module, maker->options->kernel, *first);
  return *first < module->function_count
             ? &module->code.functions[module->functions[(*first)++].index]
             : NULL;
}

/* Whether a value fits into `size` bytes, 1 to 8, as a number with a sign or without. */
static bool fits(uint64_t value, unsigned size)
{
  const unsigned bits = 8 * size;
  return bits >= 64 || value >> bits == 0 || value >> (bits - 1) == UINT64_MAX >> (bits - 1);
}

static warpbound_status check_place(const char *list, size_t place, uint32_t offset, uint64_t value,
                                    bool wide, warpbound_error *error)
{
  if (offset > OFFSET_LIMIT || offset % 4 != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected an offset that is a multiple of 4 below 65536, found "
                   "%" PRIu32,
                   list, place + 1, offset);
  if (!wide && !fits(value, 4))
    return wb_fail(error, WARPBOUND_USAGE,
                   "%s, entry %zu: expected a value of 32 bits, or `wide`, found %" PRIu64, list,
                   place + 1, value);
  return WARPBOUND_OK;
}

/* ---- words ---- */

/* How messages call an entry. */
static const char *entry_said(const struct maker *maker, bool constant, size_t entry,
                              char text[SAID_SIZE])
{
  if (constant) {
    const warpbound_constant *row = &maker->options->constants[entry];
    snprintf(text, SAID_SIZE, "%" PRIu32 ":0x%" PRIx32 "=%" PRIu64, row->bank, row->offset,
             row->value);
    return row->said != NULL ? row->said : text;
  }
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  if (parameter->name != NULL)
    snprintf(text, SAID_SIZE, "%.100s=%" PRIu64, parameter->name, parameter->value);
  else
    snprintf(text, SAID_SIZE, "0x%" PRIx32 "=%" PRIu64, parameter->offset, parameter->value);
  return parameter->said != NULL ? parameter->said : text;
}

/* Adds a word of a value, and where it is wide the next one. */
static warpbound_status add_words(struct maker *maker, struct word word, uint64_t value, bool wide)
{
  const size_t count = wide ? 2 : 1;
  if (!wb_grow(maker->words, &maker->word_capacity, maker->word_count + count))
    return wb_out_of_memory(maker->error);
  for (size_t w = 0; w < count; w++, word.place += 4) {
    word.value = (uint32_t)(value >> (32 * w));
    maker->words[maker->word_count++] = word;
  }
  return WARPBOUND_OK;
}

/* ---- parameters by offset ---- */

/* How an entry stands to the parameters of a function. */
enum suits { SUITS, SUITS_OUTSIDE, SUITS_NARROW };

/* The function's parameter that has the byte at an offset, or NULL. */
static const struct wb_parameter *parameter_at(const struct wb_function *function, uint32_t offset)
{
  for (size_t p = 0; p < function->parameter_count; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    if (row->offset <= offset && offset - row->offset < row->size)
      return row;
  }
  return NULL;
}

/* Whether parameters share four bytes with this one. */
static bool shares_word(const struct wb_function *function, const struct wb_parameter *row)
{
  const uint32_t word = row->offset & ~UINT32_C(3);
  for (uint32_t byte = word; byte < word + 4; byte++) {
    const struct wb_parameter *other = parameter_at(function, byte);
    if (other != NULL && other != row)
      return true;
  }
  return false;
}

static enum suits suits_at(const struct wb_function *function, const warpbound_parameter *parameter)
{
  const struct wb_parameter *row = parameter_at(function, parameter->offset);
  if (row == NULL)
    return SUITS_OUTSIDE;
  const uint32_t left = row->size - (parameter->offset - row->offset);
  if (left >= 8 || (left >= 4 && !parameter->wide))
    return SUITS;
  if (parameter->wide)
    return SUITS_NARROW;
  /* Of small parameters that share a word the value is that of all. */
  return shares_word(function, row) || fits(parameter->value, left) ? SUITS : SUITS_NARROW;
}

static warpbound_status refuse_narrow(const struct maker *maker, size_t entry,
                                      const struct wb_function *function,
                                      const struct wb_parameter *row)
{
  char text[SAID_SIZE];
  return wb_fail(maker->error, WARPBOUND_USAGE,
                 "%.100s: the value does not fit: param_%u of %.100s, at 0x%x, has %u byte%s",
                 entry_said(maker, false, entry, text), row->ordinal, function->name, row->offset,
                 row->size, row->size == 1 ? "" : "s");
}

/* An offset has to be in the parameters of a kernel that is meant, where these are known, and the
 * value to fit. */
static warpbound_status check_offset(const struct maker *maker, size_t entry)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  char text[SAID_SIZE];
  const struct wb_function *first = NULL;
  size_t next = 0;
  for (const struct wb_function *function = annotated_function(maker, &next); function != NULL;
       function = annotated_function(maker, &next)) {
    if (!function->kernel)
      continue;
    if (function->parameter_count == 0 || suits_at(function, parameter) == SUITS)
      return WARPBOUND_OK;
    first = first == NULL ? function : first;
  }
  if (first == NULL)
    return WARPBOUND_OK;
  if (suits_at(first, parameter) != SUITS_OUTSIDE)
    return refuse_narrow(maker, entry, first, parameter_at(first, parameter->offset));
  uint32_t end = 0;
  for (size_t p = 0; p < first->parameter_count; p++) {
    const struct wb_parameter *row = &first->parameters[p];
    end = row->offset + row->size > end ? (uint32_t)(row->offset + row->size) : end;
  }
  return wb_fail(maker->error, WARPBOUND_USAGE,
                 "%.100s: the offset is in none of the parameters of %.100s, which end before "
                 "0x%" PRIx32,
                 entry_said(maker, false, entry, text), first->name, end);
}

/* ---- parameters by name ---- */

static warpbound_status no_such_name(const struct maker *maker, const char *name)
{
  struct wb_text known = {0};
  size_t next = 0;
  const struct wb_function *function = annotated_function(maker, &next);
  while (function != NULL && function->parameter_count == 0)
    function = annotated_function(maker, &next);
  if (function == NULL)
    return wb_fail(maker->error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, for this listing has no numbers of parameters "
                   "(nvdisasm without -c prints them), found the name '%.60s'",
                   name);
  for (size_t p = 0; p < function->parameter_count && p < LISTED_PARAMETERS; p++)
    wb_text_format(&known, "%sparam_%u (at 0x%x)", p > 0 ? ", " : "",
                   function->parameters[p].ordinal, function->parameters[p].offset);
  warpbound_status status =
      known.failed ? wb_out_of_memory(maker->error)
                   : wb_fail(maker->error, WARPBOUND_USAGE,
                             "--param: no parameter is called '%.60s'; %.100s has %.240s", name,
                             function->name, known.data);
  wb_text_free(&known);
  return status;
}

/* The value of a parameter that a function has by that name. What shares four bytes with others
 * says nothing of a word. */
static warpbound_status add_named(struct maker *maker, size_t entry,
                                  const struct wb_function *function,
                                  const struct wb_parameter *row)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  char text[SAID_SIZE];
  if (row->size < 8 && (parameter->wide || (row->size > 0 && !fits(parameter->value, row->size))))
    return refuse_narrow(maker, entry, function, row);
  if (row->size < 4 && (row->offset % 4 != 0 || shares_word(function, row))) {
    wb_list_add(&maker->annotations->notes,
                "%s is not used: param_%u of %s has its four bytes with other parameters; 0x%x=N "
                "gives all of them",
                entry_said(maker, false, entry, text), row->ordinal, function->name,
                row->offset & ~3U);
    return WARPBOUND_OK;
  }
  const struct word word = {
      .kernel = function->name, .place = row->offset, .entry = entry, .yields = parameter->yields};
  return add_words(maker, word, parameter->value, parameter->wide || row->size == 8);
}

/* What the entry says of the function, beyond what it says of all. Compilers call a parameter in
 * PTX KERNEL_param_2, or param_2 for short. */
static warpbound_status add_of_function(struct maker *maker, size_t entry,
                                        const struct wb_function *function, bool *found)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  const char *name = parameter->name;
  const size_t length = strlen(function->name);
  const bool whole =
      name != NULL && strncmp(name, function->name, length) == 0 && name[length] == '_';
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < function->parameter_count && status == WARPBOUND_OK; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    char own[32];
    snprintf(own, sizeof own, "param_%u", row->ordinal);
    if (name != NULL &&
        (strcmp(name, own) == 0 || (whole && strcmp(name + length + 1, own) == 0))) {
      *found = true;
      status = add_named(maker, entry, function, row);
    } else if (name == NULL && row->offset == parameter->offset && row->size == 8 &&
               !parameter->wide) {
      const struct word upper = {.kernel = function->name,
                                 .place = row->offset + 4U,
                                 .entry = entry,
                                 .yields = parameter->yields,
                                 .implied = true};
      status = add_words(maker, upper, parameter->value >> 32, false);
    }
  }
  return status;
}

static warpbound_status add_parameter(struct maker *maker, size_t entry)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  bool found = parameter->name == NULL;
  size_t next = 0;
  warpbound_status status = found ? check_offset(maker, entry) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && found) {
    const struct word word = {
        .place = parameter->offset, .entry = entry, .yields = parameter->yields};
    status = add_words(maker, word, parameter->value, parameter->wide);
  }
  for (const struct wb_function *function = annotated_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = annotated_function(maker, &next))
    status = add_of_function(maker, entry, function, &found);
  return status != WARPBOUND_OK || found ? status : no_such_name(maker, parameter->name);
}

/* ---- which values hold ---- */

/* A word of bank 0 that the launch, and one of bank 2 that the file, says too. */
static warpbound_status check_known(const struct maker *maker, const struct word *word)
{
  const warpbound_constant *entry = &maker->options->constants[word->entry];
  const uint32_t offset = word->place & OFFSET_LIMIT;
  struct wb_launch launch = maker->annotations->launch;
  char text[SAID_SIZE];
  const char *said = entry_said(maker, true, word->entry, text);
  size_t next = 0;
  launch.constant_count = 0;
  for (const struct wb_function *function = annotated_function(maker, &next); function != NULL;
       function = annotated_function(maker, &next)) {
    const struct wb_integer known = wb_launch_constant(&launch, function, entry->bank, offset);
    if (!wb_integer_is_exact(&known) || (uint32_t)known.low == word->value)
      continue;
    if (entry->bank == 0)
      return wb_fail(maker->error, WARPBOUND_USAGE,
                     "%.100s: expected %" PRIu32 " at c[0x0][0x%" PRIx32 "] of %.100s, as the "
                     "block, the grid or a parameter of the launch says",
                     said, (uint32_t)known.low, offset, function->name);
    wb_list_add(&maker->annotations->notes,
                "%s in place of %" PRIu32 " of the file at c[0x%" PRIx32 "][0x%" PRIx32 "] of %s",
                said, (uint32_t)known.low, entry->bank, offset, function->name);
  }
  return WARPBOUND_OK;
}

/* Compares a word with those of its kind that hold already, of which the first of a place counts.
 */
static warpbound_status compare(const struct maker *maker, const struct word *held, size_t count,
                                const struct word *word)
{
  char text[SAID_SIZE];
  char other[SAID_SIZE];
  for (size_t h = 0; h < count; h++) {
    const struct word *first = &held[h];
    if (first->value == word->value || first->implied || word->implied ||
        first->constant != word->constant ||
        !(first->place == word->place && (first->kernel == NULL || word->kernel == NULL ||
                                          strcmp(first->kernel, word->kernel) == 0)))
      continue;
    const char *first_said = entry_said(maker, first->constant, first->entry, other);
    const char *said = entry_said(maker, word->constant, word->entry, text);
    if (first->yields == word->yields)
      return wb_fail(maker->error, WARPBOUND_USAGE,
                     "two values for four bytes at 0x%" PRIx32 ": %.150s, and %.150s",
                     word->place & OFFSET_LIMIT, first_said, said);
    wb_list_add(&maker->annotations->notes, "%s in place of %s", first_said, said);
  }
  return WARPBOUND_OK;
}

/* Gives the launch the words: parameters, then constants; of each first what does not yield, and of
 * that first what was said of the word itself, for the first word of a place holds. */
static warpbound_status set_values(const struct maker *maker)
{
  struct warpbound_annotations *annotations = maker->annotations;
  struct wb_launch *launch = &annotations->launch;
  struct word *held = wb_allocate(maker->word_count, sizeof *held);
  size_t count = 0;
  annotations->parameters = wb_allocate(maker->word_count, sizeof *annotations->parameters);
  annotations->constants = wb_allocate(maker->word_count, sizeof *annotations->constants);
  launch->parameters = annotations->parameters;
  launch->constants = annotations->constants;
  warpbound_status status = WARPBOUND_OK;
  if (held == NULL || annotations->parameters == NULL || annotations->constants == NULL)
    status = wb_out_of_memory(maker->error);
  for (size_t at = 0; at < 8 * maker->word_count && status == WARPBOUND_OK; at++) {
    const size_t pass = at / maker->word_count;
    const struct word *word = &maker->words[at % maker->word_count];
    if (word->constant != (pass >= 4) || word->yields != (pass % 4 >= 2) ||
        word->implied != (pass % 2 == 1))
      continue;
    if (word->constant)
      status = check_known(maker, word);
    if (status == WARPBOUND_OK)
      status = compare(maker, held, count, word);
    if (status != WARPBOUND_OK)
      break;
    held[count++] = *word;
    if (word->constant)
      annotations->constants[launch->constant_count++] =
          (struct wb_constant_value){word->place, word->value};
    else
      annotations->parameters[launch->parameter_count++] =
          (struct wb_parameter_value){word->kernel, word->place, word->value};
  }
  free(held);
  return status;
}

/* Sets the values of parameters and constants of the launch, whose sizes are there already. Errors:
 * WARPBOUND_USAGE (a name or an offset that no kernel has, a value that does not fit, two values of
 * one place), WARPBOUND_INTERNAL. */
static warpbound_status set_known_values(struct maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < options->parameter_count && status == WARPBOUND_OK; p++)
    status = add_parameter(maker, p);
  for (size_t c = 0; c < options->constant_count && status == WARPBOUND_OK; c++) {
    const warpbound_constant *constant = &options->constants[c];
    const struct word word = {.place = constant->bank << 16 | constant->offset,
                              .entry = c,
                              .constant = true,
                              .yields = constant->yields};
    const bool both = constant->wide && constant->offset < OFFSET_LIMIT - 4;
    status = add_words(maker, word, constant->value, both);
  }
  if (status == WARPBOUND_OK)
    status = set_values(maker);
  return status == WARPBOUND_OK && maker->annotations->notes.failed ? wb_out_of_memory(maker->error)
                                                                    : status;
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
                                 (options->call_count > 0 && options->calls == NULL)))
    status = wb_fail(error, WARPBOUND_USAGE, "loads, calls: expected a list, found NULL");
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

static warpbound_status read_costs(struct maker *maker)
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

static warpbound_status read_facts(struct maker *maker)
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
  for (size_t k = 0; k < facts->kernel_count && status == WARPBOUND_OK; k++) {
    struct wb_kernel_facts *kernel = &facts->kernels[k];
    struct wb_text list = {0};
    const char *name = find_function(&maker->annotations->module->code, kernel->kernel, &list);
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
                            maker->annotations->module->code.name);
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

/* Reads texts of loads, or of calls, as facts. */
static warpbound_status read_assumed(struct maker *maker, const char *const *texts,
                                     const char *const *said_of, size_t count, bool calls)
{
  struct warpbound_annotations *annotations = maker->annotations;
  struct wb_name_pool *names = &annotations->facts.names;
  warpbound_status status = WARPBOUND_OK;
  for (size_t t = 0; t < count && status == WARPBOUND_OK; t++) {
    status = wb_require(texts[t], calls ? "calls" : "loads", "a text", maker->error);
    if (status != WARPBOUND_OK)
      return status;
    const char *said = said_of != NULL && said_of[t] != NULL ? said_of[t] : texts[t];
    said = wb_name_pool_copy(names, said, strlen(said));
    if (said == NULL)
      return wb_out_of_memory(maker->error);
    status = (calls ? wb_call_fact_parse : wb_load_fact_parse)(texts[t], said, names,
                                                               &annotations->assumed, maker->error);
  }
  return status;
}

static warpbound_status read_loads_and_calls(struct maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  const warpbound_status status =
      read_assumed(maker, options->loads, options->loads_said, options->load_count, false);
  return status == WARPBOUND_OK
             ? read_assumed(maker, options->calls, options->calls_said, options->call_count, true)
             : status;
}

static warpbound_status read_sources(struct maker *maker)
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

static warpbound_status read_sizes(struct maker *maker)
{
  struct wb_launch *launch = &maker->annotations->launch;
  memcpy(launch->block, maker->options->block, sizeof launch->block);
  memcpy(launch->grid, maker->options->grid, sizeof launch->grid);
  if (launch->block[0] == 0)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  size_t next = 0;
  for (const struct wb_function *function = annotated_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = annotated_function(maker, &next))
    status = wb_require_block(function, launch->block, maker->error);
  return status;
}

/* ---- the handle ---- */

warpbound_status warpbound_annotations_create(const warpbound_module *module,
                                              const warpbound_annotation_options *options,
                                              warpbound_annotations **annotations,
                                              warpbound_error *error)
{
  static warpbound_status (*const steps[])(struct maker *) = {
      read_costs, read_facts, read_loads_and_calls, read_sizes, set_known_values, read_sources};
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
  struct maker maker = {.options = options, .annotations = made, .error = error};
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
