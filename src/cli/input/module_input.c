#include "cli/input/module_input.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/device_input.h"
#include "cli/options/option_values.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   size_t most, struct wb_input *source, warpbound_error *error)
{
  *source = (struct wb_input){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected %s, or - for standard input", expected);
  return wb_input_read_most(arguments->input, most, source, error);
}

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

/* False where the text is no such value. */
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
  return arena->failed ||
         (number_read(colon != NULL ? colon + 1 : text, UINT64_MAX, &row->address) == equals &&
          read_list(equals + 1, addresses, &row->target_count));
}

/* ---- --assume-unit OPCODE=U ---- */

static warpbound_status read_unit(const char *text, struct wb_arena *arena,
                                  warpbound_unit_assumption *row, warpbound_error *error)
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
  row->opcode = wb_arena_text(arena, text, (size_t)(equals - text));
  row->unit = equals[1];
  return WARPBOUND_OK;
}

/* ---- both ---- */

/* Reads the lists of the options, which the arena has. */
static warpbound_status read_options(const struct arguments *arguments, struct wb_arena *arena,
                                     warpbound_module_options *options, warpbound_error *error)
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
    if (read_unit(units->items[u], arena, &unit[u], error) != WARPBOUND_OK) {
      arguments_blame(arguments, OPTION_ASSUME_UNIT, u, error);
      return error->status;
    }
  }
  options->targets = target;
  options->target_count = targets->count;
  options->units = unit;
  options->unit_count = units->count;
  return arena->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status module_input_parse(const struct arguments *arguments,
                                    const struct wb_input *source, bool machine_code_only,
                                    warpbound_module **module, warpbound_error *error)
{
  struct wb_arena arena = {0};
  warpbound_module_options options = {.machine_code_only = machine_code_only,
                                      .architecture = arguments->value[OPTION_ARCH],
                                      .device = configuration_architecture(arguments)};
  *module = NULL;
  warpbound_status status = read_options(arguments, &arena, &options, error);
  if (status == WARPBOUND_OK)
    status = warpbound_module_parse(source->name, source->bytes, source->length, &options, module,
                                    error);
  wb_arena_free(&arena);
  return status;
}

warpbound_status module_input_read(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error)
{
  struct wb_input source;
  *module = NULL;
  warpbound_status status = source_input_read(arguments, "machine code or a SASS listing",
                                              WB_INPUT_LIMIT, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = module_input_parse(arguments, &source, true, module, error);
  wb_input_free(&source);
  if (status == WARPBOUND_OK)
    status = warpbound_module_check_name(*module, arguments->value[OPTION_KERNEL], error);
  if (status != WARPBOUND_OK) {
    warpbound_module_free(*module);
    *module = NULL;
  }
  return status;
}
