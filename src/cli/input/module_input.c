#include "cli/input/module_input.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/configuration.h"
#include "cli/input/source_input.h"
#include "cli/options/word_options.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Options as the library takes them; texts and lists are owned. */
struct words {
  warpbound_targets *targets;
  size_t target_count;
  warpbound_unit_assumption *units;
  size_t unit_count;
};

/* ---- --targets [KERNEL:]ADDRESS=A,B,C ---- */

/* The list after the '='. `addresses` has room for a number for each comma and one more. */
static bool read_list(const char *at, uint64_t *addresses, size_t *count)
{
  for (;;) {
    at = number_read(at, UINT64_MAX, &addresses[*count]);
    if (at == NULL)
      return false;
    ++*count;
    if (*at == '\0')
      return true;
    if (*at++ != ',')
      return false;
  }
}

static warpbound_status refuse_targets(const char *text, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE,
                 "--targets: expected [KERNEL:]ADDRESS=A,B,C with numbers as 368 or 0x170, found "
                 "'%.100s'",
                 text);
}

static warpbound_status read_targets(const char *text, warpbound_targets *row,
                                     warpbound_error *error)
{
  const char *equals = strrchr(text, '=');
  const char *colon = strrchr(text, ':');
  if (equals == NULL || (colon != NULL && (colon > equals || colon == text)))
    return refuse_targets(text, error);
  size_t commas = 0;
  for (const char *at = equals; *at != '\0'; at++)
    commas += *at == ',';
  uint64_t *addresses = wb_allocate(commas + 1, sizeof *addresses);
  if (addresses == NULL)
    return wb_out_of_memory(error);
  row->targets = addresses;
  const char *end = number_read(colon != NULL ? colon + 1 : text, UINT64_MAX, &row->address);
  if (end != equals || !read_list(equals + 1, addresses, &row->target_count))
    return refuse_targets(text, error);
  if (colon == NULL)
    return WARPBOUND_OK;
  row->kernel = wb_copy_text(text, (size_t)(colon - text));
  return row->kernel != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- --assume-unit OPCODE=U ---- */

static warpbound_status read_unit(const char *text, warpbound_unit_assumption *row,
                                  warpbound_error *error)
{
  const char *equals = strchr(text, '=');
  char hint[WB_UNIT_HINT_SIZE];
  const bool known = equals != NULL && wb_unit_from_letter(equals[1]) != WB_UNIT_COUNT;
  if (!known || equals == text || equals[2] != '\0' ||
      text + strspn(text, LETTERS DIGITS "_.:") != equals)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--assume-unit: expected OPCODE=U with U one of L, C, S, D, T, N, found '%.60s'%s", text,
        equals != NULL && equals[1] != '\0' && equals[2] == '\0' ? wb_unit_hint(equals[1], hint)
                                                                 : "");
  row->opcode = wb_copy_text(text, (size_t)(equals - text));
  row->unit = equals[1];
  return row->opcode != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- both ---- */

static warpbound_status read_words(const struct arguments *arguments, struct words *words,
                                   warpbound_error *error)
{
  const struct wb_list *targets = &arguments->repeated[OPTION_TARGETS];
  const struct wb_list *units = &arguments->repeated[OPTION_ASSUME_UNIT];
  words->targets = wb_allocate(targets->count, sizeof *words->targets);
  words->units = wb_allocate(units->count, sizeof *words->units);
  if (words->targets == NULL || words->units == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && words->target_count < targets->count) {
    const size_t row = words->target_count++;
    status = read_targets(targets->items[row], &words->targets[row], error);
  }
  while (status == WARPBOUND_OK && words->unit_count < units->count) {
    const size_t row = words->unit_count++;
    status = read_unit(units->items[row], &words->units[row], error);
    if (status != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_ASSUME_UNIT, row, error);
      status = error->status;
    }
  }
  return status;
}

static void free_words(struct words *words)
{
  for (size_t t = 0; t < words->target_count; t++) {
    free((char *)words->targets[t].kernel);
    free((uint64_t *)words->targets[t].targets);
  }
  for (size_t u = 0; u < words->unit_count; u++)
    free((char *)words->units[u].opcode);
  free(words->targets);
  free(words->units);
}

warpbound_status module_input_parse(const struct arguments *arguments,
                                    const struct wb_source *source, bool machine_code_only,
                                    warpbound_module **module, warpbound_error *error)
{
  struct words words = {0};
  *module = NULL;
  warpbound_status status = read_words(arguments, &words, error);
  const warpbound_module_options options = {.machine_code_only = machine_code_only,
                                            .architecture = arguments->value[OPTION_ARCH],
                                            .device = configuration_architecture(arguments),
                                            .targets = words.targets,
                                            .target_count = words.target_count,
                                            .units = words.units,
                                            .unit_count = words.unit_count};
  if (status == WARPBOUND_OK)
    status = warpbound_module_parse(source->name, source->bytes, source->length, &options, module,
                                    error);
  free_words(&words);
  return status;
}

warpbound_status module_input_read(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error)
{
  struct wb_source source;
  *module = NULL;
  warpbound_status status =
      source_input_read(arguments, "machine code or a SASS listing", &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = module_input_parse(arguments, &source, true, module, error);
  wb_source_free(&source);
  if (status == WARPBOUND_OK)
    status = warpbound_module_check_name(*module, arguments->value[OPTION_KERNEL], error);
  if (status != WARPBOUND_OK) {
    warpbound_module_free(*module);
    *module = NULL;
  }
  return status;
}
