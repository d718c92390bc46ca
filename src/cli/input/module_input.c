#include "cli/input/module_input.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "binary/container/large_file.h"
#include "cli/input/cuda_input.h"
#include "cli/input/device_input.h"
#include "cli/options/options.h"
#include "linear/solver.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   size_t most, struct wb_input *source, warpbound_error *error)
{
  *source = (struct wb_input){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected %s, or - for standard input", expected);
  bool large;
  const warpbound_status status = wb_large_file_read(arguments->input, most, source, &large, error);
  return status != WARPBOUND_OK || large
             ? status
             : wb_input_read_most(arguments->input, most, source, error);
}

/* ---- the options of a module ---- */

/* [KERNEL:]ADDRESS=A,B,C of --targets. False where the text is no such value. */
static bool read_targets(const char *text, struct wb_arena *arena, warpbound_targets *row)
{
  const char *equals = strrchr(text, '=');
  const char *colon = strrchr(text, ':');
  if (equals == NULL || (colon != NULL && (colon > equals || colon == text)))
    return false;
  size_t commas = 0;
  for (const char *at = equals; *at != '\0'; at++)
    commas += *at == ',';
  uint64_t *addresses = wb_arena_array(arena, uint64_t, commas + 1);
  row->targets = addresses;
  if (colon != NULL)
    row->kernel = wb_arena_text(arena, text, (size_t)(colon - text));
  if (arena->failed)
    return true;
  const char *at = number_read(colon != NULL ? colon + 1 : text, UINT64_MAX, &row->address);
  if (at != equals)
    return false;
  do {
    at = number_read(at + 1, UINT64_MAX, &addresses[row->target_count++]);
  } while (at != NULL && *at == ',');
  return at != NULL && *at == '\0';
}

/* Reads the lists of the options, which the arena has. */
static warpbound_status read_module_options(const struct arguments *arguments,
                                            struct wb_arena *arena,
                                            warpbound_module_options *options,
                                            warpbound_error *error)
{
  const struct wb_list *targets = &arguments->repeated[OPTION_TARGETS];
  const struct wb_list *units = &arguments->repeated[OPTION_ASSUME_UNIT];
  warpbound_targets *target = wb_arena_array(arena, warpbound_targets, targets->count);
  warpbound_unit_assumption *unit = wb_arena_array(arena, warpbound_unit_assumption, units->count);
  for (size_t t = 0; !arena->failed && t < targets->count; t++) {
    if (!read_targets(targets->items[t], arena, &target[t]))
      return wb_fail(error, WARPBOUND_USAGE,
                     "--targets: expected [KERNEL:]ADDRESS=A,B,C with numbers as 368 or 0x170, "
                     "found '%.100s'",
                     targets->items[t]);
  }
  for (size_t u = 0; !arena->failed && u < units->count; u++) {
    /* OPCODE=U */
    const char *text = units->items[u];
    const char *equals = strchr(text, '=');
    const bool single = equals != NULL && equals[1] != '\0' && equals[2] == '\0';
    char hint[WB_UNIT_HINT_SIZE];
    if (!single || equals == text || wb_unit_from_letter(equals[1]) == WB_UNIT_COUNT ||
        text + strspn(text, LETTERS DIGITS "_.:") != equals) {
      wb_fail(error, WARPBOUND_USAGE,
              "--assume-unit: expected OPCODE=U with U one of L, C, S, D, T, N, found '%.60s'%s",
              text, single ? wb_unit_hint(equals[1], hint) : "");
      arguments_blame(arguments, OPTION_ASSUME_UNIT, u, error);
      return error->status;
    }
    unit[u].opcode = wb_arena_text(arena, text, (size_t)(equals - text));
    unit[u].unit = equals[1];
  }
  options->targets = target;
  options->target_count = targets->count;
  options->units = unit;
  options->unit_count = units->count;
  return arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* The kernel that alone is asked for: no list of launches, and no option for another's branches. */
static const char *only_kernel(const struct arguments *arguments)
{
  const struct wb_list *targets = &arguments->repeated[OPTION_TARGETS];
  const bool several = arguments->value[OPTION_LAUNCHES] != NULL || targets->count > 0;
  return several ? NULL : arguments->value[OPTION_KERNEL];
}

warpbound_status module_input_parse(const struct arguments *arguments,
                                    const struct wb_input *source, bool machine_code_only,
                                    warpbound_module **module, warpbound_error *error)
{
  struct wb_arena arena = {0};
  warpbound_module_options options = {.machine_code_only = machine_code_only,
                                      .architecture = arguments->value[OPTION_ARCH],
                                      .module = arguments->value[OPTION_MODULE],
                                      .kernel = only_kernel(arguments),
                                      .device = configuration_architecture(arguments)};
  *module = NULL;
  warpbound_status status = read_module_options(arguments, &arena, &options, error);
  if (status == WARPBOUND_OK)
    status = warpbound_module_parse(source->name, source->bytes, source->length, &options, module,
                                    error);
  wb_arena_free(&arena);
  return status;
}

/* Parses what was read, and frees it. */
static warpbound_status parse_and_check(const struct arguments *arguments, struct wb_input *source,
                                        warpbound_module **module, warpbound_error *error)
{
  warpbound_status status = module_input_parse(arguments, source, true, module, error);
  wb_input_free(source);
  if (status == WARPBOUND_OK)
    status = warpbound_module_check_name(*module, arguments->value[OPTION_KERNEL], error);
  if (status != WARPBOUND_OK) {
    warpbound_module_free(*module);
    *module = NULL;
  }
  return status;
}

warpbound_status module_input_read(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error)
{
  struct wb_input source;
  *module = NULL;
  const warpbound_status status = source_input_read(arguments, "machine code or a SASS listing",
                                                    WB_INPUT_LIMIT, &source, error);
  return status == WARPBOUND_OK ? parse_and_check(arguments, &source, module, error) : status;
}

warpbound_status module_input_make(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error)
{
  struct wb_input source;
  *module = NULL;
  if (!cuda_input_is_source(arguments->input) && arguments->value[OPTION_NVCC_OPTIONS] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--nvcc-options: expected CUDA source to compile, FILE.cu");
  if (!cuda_input_is_source(arguments->input))
    return module_input_read(arguments, module, error);
  const warpbound_status status = cuda_input_compile(arguments, &source, error);
  return status == WARPBOUND_OK ? parse_and_check(arguments, &source, module, error) : status;
}

/* The first architecture with convergence barriers. */
#define FIRST_WITH_BARRIERS 70

/* ---- how a warp runs ---- */

warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error)
{
  static const struct wb_choice stacks[] = {{"graph", false}, {"acyclic", true}, {NULL, 0}};
  static const struct wb_choice extents[] = {{"all", WARPBOUND_AGREEMENT_ALL},
                                             {"active", WARPBOUND_AGREEMENT_ACTIVE},
                                             {"none", WARPBOUND_AGREEMENT_NONE},
                                             {NULL, 0}};
  static const struct wb_choice waiting[] = {{"yield", WARPBOUND_RECONVERGENCE_YIELD},
                                             {"never", WARPBOUND_RECONVERGENCE_NEVER},
                                             {"always", WARPBOUND_RECONVERGENCE_ALWAYS},
                                             {NULL, 0}};
  static const struct wb_choice masks[] = {{"apart", false}, {"together", true}, {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_STACK, VALUE_WORD, OPTION_MEMBER(warpbound_simt_options, acyclic_stack), stacks},
      {OPTION_AGREEMENT, VALUE_WORD, OPTION_MEMBER(warpbound_simt_options, agreement), extents},
      {OPTION_RECONVERGENCE, VALUE_WORD, OPTION_MEMBER(warpbound_simt_options, reconvergence),
       waiting},
      {OPTION_MASKS, VALUE_WORD, OPTION_MEMBER(warpbound_simt_options, masks_together), masks},
      {OPTION_NO_GROUPS, VALUE_GIVEN, OPTION_MEMBER(warpbound_simt_options, no_groups)},
  };
  return option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
}

warpbound_status simt_options_check(const struct arguments *arguments,
                                    const warpbound_module *module, warpbound_error *error)
{
  static const enum option options[] = {OPTION_RECONVERGENCE, OPTION_MASKS, OPTION_GROUPS};
  const enum option given =
      arguments_first_given(arguments, options, sizeof options / sizeof *options);
  const char *wanted = arguments->value[OPTION_KERNEL];
  const size_t count = warpbound_module_function_count(module);
  uint32_t latest = 0;
  for (size_t f = warpbound_module_find(module, wanted, 0); f < count;
       f = warpbound_module_find(module, wanted, f + 1)) {
    const uint32_t sm = warpbound_module_function_sm(module, f);
    latest = sm > latest ? sm : latest;
  }
  if (given == OPTION_COUNT || latest >= FIRST_WITH_BARRIERS)
    return WARPBOUND_OK;
  char found[32] = "code that names no architecture";
  if (latest > 0)
    snprintf(found, sizeof found, "sm_%" PRIu32, latest);
  return wb_fail(error, WARPBOUND_USAGE,
                 "--%s: expected code for sm_70 or later, which has convergence barriers, found %s",
                 option_rows[given].name, found);
}

/* ---- the solver ---- */

warpbound_status solver_options_check(const struct arguments *arguments, warpbound_error *error)
{
  const char *file = arguments->value[OPTION_WRITE];
  const char *solver = arguments->value[OPTION_SOLVER];
  const char *command = arguments->value[OPTION_SOLVER_COMMAND];
  const char *ending = file != NULL ? strrchr(file, '.') : ".lp";
  if (ending == NULL || (strcmp(ending, ".lp") != 0 && strcmp(ending, ".mps") != 0))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--write: expected a name that ends in .lp or .mps, found '%.100s'", file);
  if (arguments->key[OPTION_SOLVER_COMMAND] != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0,
                      "%s: expected on the command line only, found here: a file of data starts "
                      "no programs",
                      arguments->key[OPTION_SOLVER_COMMAND]);
  if (solver != NULL && command != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --solver and --solver-command, found both");
  if (solver != NULL && strcmp(solver, "cbc") != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--solver: expected cbc, found '%.60s'; others by --solver-command", solver);
  return command != NULL ? wb_linear_command_check(command, "--solver-command: ", error)
                         : WARPBOUND_OK;
}

/* ---- values of parameters and constants ---- */

/* A value of 32 bits, or of 64: where it needs them, or has an L after it. With a point it is a
 * float as in C: of 64 bits, or with an f after it of 32. */
struct value {
  uint64_t bits;
  bool wide;
  bool single;
};

/* A float up to the end of the text: digits and a point, maybe a sign and an exponent. */
static bool read_float(const char *at, struct value *value)
{
  const char *digits = at + (*at == '-');
  const size_t length = strspn(digits, "0123456789.eE+-");
  char *end;
  *value = (struct value){.single = digits[length] == 'f'};
  if (strchr("0123456789", digits[0]) == NULL || memchr(digits, '.', length) == NULL ||
      digits[length + value->single] != '\0')
    return false;
  const double number = strtod(at, &end);
  const float single = value->single ? strtof(at, &end) : 0;
  uint32_t word;
  memcpy(&word, &single, sizeof word);
  memcpy(&value->bits, &number, sizeof value->bits);
  if (value->single)
    value->bits = word;
  value->wide = !value->single;
  return end == digits + length && isfinite(number) && isfinite(single);
}

/* The value up to the end of the text. */
static bool read_value(const char *at, struct value *value)
{
  if (read_float(at, value))
    return true;
  const bool negative = *at == '-';
  at = number_read(at + negative, negative ? (uint64_t)1 << 63 : UINT64_MAX, &value->bits);
  if (at == NULL)
    return false;
  value->wide = value->bits > (negative ? (uint64_t)1 << 31 : UINT32_MAX);
  if (negative)
    value->bits = 0 - value->bits;
  if (*at == 'L') {
    value->wide = true;
    at++;
  }
  value->single = false;
  return *at == '\0';
}

/* BANK:OFFSET=VALUE. */
static warpbound_status read_constant(const char *text, warpbound_constant *constant,
                                      warpbound_error *error)
{
  uint64_t bank = 0;
  uint64_t offset = 0;
  struct value value;
  const char *at = number_read(text, 17, &bank);
  at = at != NULL && *at == ':' ? number_read(at + 1, UINT16_MAX, &offset) : NULL;
  if (at == NULL || *at != '=' || !read_value(at + 1, &value) || offset % 4 != 0)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--constant: expected BANK:OFFSET=VALUE, the bank of at most 17, the offset a "
        "multiple of 4 below 65536 and the value of at most 64 bits or a float (2.5f; 2.5 of "
        "64 bits), found '%.60s'",
        text);
  *constant = (warpbound_constant){(uint32_t)bank, (uint32_t)offset, value.bits, value.wide};
  return WARPBOUND_OK;
}

/* OFFSET=VALUE or NAME=VALUE. */
static warpbound_status read_parameter(const char *text, struct wb_arena *arena,
                                       warpbound_parameter *parameter, warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  const bool named = text[0] != '\0' && strchr("0123456789=-", text[0]) == NULL;
  uint64_t offset = 0;
  struct value value;
  if (!named &&
      (equals == NULL || number_read(text, UINT16_MAX, &offset) != equals || offset % 4 != 0))
    equals = NULL;
  if (equals == NULL || !read_value(equals + 1, &value))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, the offset a multiple of 4 below 65536 and the "
                   "value of at most 64 bits or a float (2.5f; 2.5 of 64 bits), or NAME=VALUE, "
                   "found '%.60s'",
                   text);
  *parameter = (warpbound_parameter){
      .name = named ? wb_arena_text(arena, text, (size_t)(equals - text)) : NULL,
      .offset = (uint32_t)offset,
      .value = value.bits,
      .wide = value.wide,
      .single = value.single};
  return WARPBOUND_OK;
}

/* Whether value `index` of --param or --constant is of the instance file. */
static bool is_of_file(const struct arguments *arguments, enum option option, size_t index)
{
  return arguments->key[option] != NULL && index >= arguments->from_file[option];
}

/* How messages call a value of --param or --constant. */
static const char *name_value(const struct arguments *arguments, enum option option, size_t index,
                              struct wb_arena *arena)
{
  struct wb_text text = {0};
  const char *value = arguments->repeated[option].items[index];
  if (is_of_file(arguments, option, index))
    wb_text_format(&text, "'%s' of %s, %s", value, arguments->instance, arguments->key[option]);
  else
    wb_text_format(&text, "--%s %s%s", option_rows[option].name, value,
                   arguments->key[option] != NULL ? " of the command line" : "");
  const char *name = text.failed ? NULL : wb_arena_text(arena, text.data, text.length);
  arena->failed |= name == NULL;
  wb_text_free(&text);
  return name;
}

/* The texts of an option, and how messages call them. */
static void read_texts(const struct arguments *arguments, enum option option,
                       struct wb_arena *arena, const char *const **texts, const char *const **said,
                       size_t *count)
{
  const struct wb_list *list = &arguments->repeated[option];
  const char **names = wb_arena_array(arena, const char *, list->count);
  for (size_t t = 0; t < list->count && names != NULL; t++)
    names[t] = name_value(arguments, option, t, arena);
  *texts = (const char *const *)list->items;
  *said = names;
  *count = list->count;
}

static warpbound_status read_values(const struct arguments *arguments, struct wcet_options *options,
                                    warpbound_error *error)
{
  const struct wb_list *constants = &arguments->repeated[OPTION_CONSTANT];
  const struct wb_list *parameters = &arguments->repeated[OPTION_PARAM];
  struct wb_arena *arena = &options->arena;
  warpbound_constant *constant = wb_arena_array(arena, warpbound_constant, constants->count);
  warpbound_parameter *parameter = wb_arena_array(arena, warpbound_parameter, parameters->count);
  warpbound_status status = arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  for (size_t c = 0; c < constants->count && status == WARPBOUND_OK; c++) {
    status = read_constant(constants->items[c], &constant[c], error);
    constant[c].said = name_value(arguments, OPTION_CONSTANT, c, arena);
    constant[c].yields = is_of_file(arguments, OPTION_CONSTANT, c);
  }
  for (size_t p = 0; p < parameters->count && status == WARPBOUND_OK; p++) {
    status = read_parameter(parameters->items[p], arena, &parameter[p], error);
    parameter[p].said = name_value(arguments, OPTION_PARAM, p, arena);
    parameter[p].yields = is_of_file(arguments, OPTION_PARAM, p);
  }
  read_texts(arguments, OPTION_ASSUME_CALL, arena, &options->known.calls,
             &options->known.calls_said, &options->known.call_count);
  read_texts(arguments, OPTION_ASSUME_LOAD, arena, &options->known.loads,
             &options->known.loads_said, &options->known.load_count);
  read_texts(arguments, OPTION_ASSUME_VALUE, arena, &options->known.values,
             &options->known.values_said, &options->known.value_count);
  options->known.constants = constant;
  options->known.constant_count = constants->count;
  options->known.parameters = parameter;
  options->known.parameter_count = parameters->count;
  return status == WARPBOUND_OK && arena->failed ? wb_out_of_memory(error) : status;
}

/* ---- files ---- */

/* Reads a file; *input borrows it. */
static warpbound_status read_input(const char *path, struct wb_input *source,
                                   warpbound_input *input, warpbound_error *error)
{
  const warpbound_status status = wb_input_read(path, source, error);
  if (status == WARPBOUND_OK)
    *input = (warpbound_input){source->name, source->bytes, source->length};
  return status;
}

/* Of each source of the module FOLDER/PATH if that is there, else FOLDER/NAME if that is. */
static warpbound_status read_sources(const char *folder, const warpbound_module *module,
                                     struct wcet_options *options, warpbound_error *error)
{
  const size_t count = warpbound_module_source_count(module);
  warpbound_input *sources = wb_arena_array(&options->arena, warpbound_input, count);
  size_t found = 0;
  options->files = wb_arena_array(&options->arena, struct wb_input, count);
  if (options->arena.failed)
    return wb_out_of_memory(error);
  options->known.sources = sources;
  options->known.source_count = count;
  for (size_t f = 0; f < count; f++) {
    const char *path = warpbound_module_source(module, f);
    const char *slash = strrchr(path, '/');
    const char *const names[] = {path, slash != NULL ? slash + 1 : path};
    warpbound_status status = WARPBOUND_OK;
    for (size_t n = 0; n < 2 && sources[f].text == NULL && status == WARPBOUND_OK; n++) {
      struct wb_text text = {0};
      wb_text_format(&text, "%s/%s", folder, names[n]);
      if (text.failed)
        status = wb_out_of_memory(error);
      else if (access(text.data, F_OK) == 0)
        status = read_input(text.data, &options->files[f], &sources[f], error);
      wb_text_free(&text);
    }
    found += sources[f].text != NULL;
    if (status != WARPBOUND_OK)
      return status;
  }
  return found > 0 ? WARPBOUND_OK
                   : wb_fail(error, WARPBOUND_USAGE,
                             "--sources: expected a folder with a source of the listing%s%.100s, "
                             "found none in '%.100s'",
                             count > 0 ? ", as " : " (which names none: -lineinfo)",
                             count > 0 ? warpbound_module_source(module, 0) : "", folder);
}

/* ---- all ---- */

warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  static const struct option_member members[] = {
      {OPTION_DEFAULT_LOOP_BOUND, VALUE_WHOLE,
       OPTION_MEMBER(struct wcet_options, wcet.default_loop_bound), .most = INT64_MAX},
      {OPTION_DEFAULT_LOOP_BOUND, VALUE_GIVEN,
       OPTION_MEMBER(struct wcet_options, wcet.has_default_loop_bound)},
      {OPTION_SPIN_BOUND, VALUE_WHOLE, OPTION_MEMBER(struct wcet_options, wcet.spin_bound),
       .least = 1, .most = INT64_MAX},
      {OPTION_TEMPLATE, VALUE_GIVEN, OPTION_MEMBER(struct wcet_options, wcet.move_facts)},
      {OPTION_BLOCK, VALUE_SIZES, OPTION_MEMBER(struct wcet_options, known.block)},
      {OPTION_GRID, VALUE_SIZES, OPTION_MEMBER(struct wcet_options, known.grid)},
      {OPTION_KERNEL, VALUE_TEXT, OPTION_MEMBER(struct wcet_options, known.kernel)},
  };
  const char *facts = arguments->value[OPTION_FLOW_FACTS];
  warpbound_status status =
      option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  if (status == WARPBOUND_OK)
    status = read_values(arguments, options, error);
  const char *cost = arguments->value[OPTION_COST];
  if (status == WARPBOUND_OK && cost != NULL && strcmp(cost, "stalls") == 0) {
    options->known.cost = WARPBOUND_COST_STALLS;
  } else if (status == WARPBOUND_OK && cost != NULL && strcmp(cost, "unit") != 0) {
    options->known.cost = WARPBOUND_COST_TABLE;
    status = read_input(cost, &options->costs, &options->known.costs, error);
  }
  if (status == WARPBOUND_OK && facts != NULL)
    status = read_input(facts, &options->facts, &options->known.flow_facts, error);
  return status == WARPBOUND_OK ? simt_options_read(arguments, &options->wcet.simt, error) : status;
}

warpbound_status wcet_options_complete(const struct arguments *arguments,
                                       const warpbound_module *module, struct wcet_options *options,
                                       warpbound_error *error)
{
  const char *folder = arguments->value[OPTION_SOURCES];
  if (folder == NULL && cuda_input_is_source(arguments->input)) {
    /* The folder of what was compiled. */
    const char *slash = strrchr(arguments->input, '/');
    folder = slash != NULL
                 ? wb_arena_text(&options->arena, arguments->input,
                                 (size_t)(slash - arguments->input) + (slash == arguments->input))
                 : ".";
    if (folder == NULL)
      return wb_out_of_memory(error);
  }
  warpbound_status status =
      folder != NULL ? read_sources(folder, module, options, error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    status = warpbound_annotations_create(module, &options->known, &options->annotations, error);
  options->wcet.annotations = options->annotations;
  for (size_t n = 0; n < warpbound_annotations_note_count(options->annotations); n++)
    wb_list_add(arguments->notes, "%s", warpbound_annotations_note(options->annotations, n));
  return status;
}

void wcet_options_free(struct wcet_options *options)
{
  warpbound_annotations_free(options->annotations);
  wb_input_free(&options->facts);
  wb_input_free(&options->costs);
  for (size_t f = 0; options->files != NULL && f < options->known.source_count; f++)
    wb_input_free(&options->files[f]);
  wb_arena_free(&options->arena);
}
