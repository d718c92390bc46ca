#include "cli/input/launch/analyze_options.h"

#include "base/status.h"
#include "cli/input/gpu_input.h"
#include "cli/input/launch_options.h"
#include "cli/options/word_options.h"

#include <string.h>

/* Warp instructions that are simulated unless --simulate says otherwise. */
#define DEFAULT_SIMULATION UINT64_C(5000000)

static warpbound_status read_deadline(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
  static const struct unit_scale units[] = {
      {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
  const char *text = arguments->value[OPTION_DEADLINE];
  if (text == NULL || measured_number(text, units, &options->deadline))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--deadline: expected a time above 0 as 2ms, 800us or 0.1s, found '%.60s'", text);
}

/* A number of 32 bits; `most` is the fallback. */
static warpbound_status read_small(const struct arguments *arguments, enum option option,
                                   uint64_t least, uint32_t fallback, uint32_t *value,
                                   warpbound_error *error)
{
  uint64_t number = fallback;
  const warpbound_status status =
      arguments_number(arguments, option, least, UINT32_MAX - 1, fallback, &number, error);
  *value = (uint32_t)number;
  return status;
}

static warpbound_status read_dispatch(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
  static const struct wb_choice choices[] = {{"any", 0}, {"balanced", 1}, {NULL, 0}};
  int balanced;
  const warpbound_status status = word_read(arguments, OPTION_DISPATCH, choices, &balanced, error);
  options->launch.balanced_dispatch = balanced != 0;
  return status;
}

static warpbound_status read_carveout(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
  const char *text = arguments->value[OPTION_CARVEOUT];
  uint32_t *bytes = &options->launch.carveout;
  warpbound_error wrong = {0};
  if (text != NULL && strcmp(text, "max") == 0)
    *bytes = WARPBOUND_LARGEST_CARVEOUT;
  else if (arguments_bytes(arguments, OPTION_CARVEOUT, bytes, &wrong) != WARPBOUND_OK)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--carveout: expected 'max', or bytes of shared memory as 65536 or 64K, found "
                   "'%.60s'",
                   text);
  return WARPBOUND_OK;
}

static bool sweeps_registers(const struct arguments *arguments)
{
  const char *sweep = arguments->value[OPTION_SWEEP];
  return sweep != NULL && strncmp(sweep, "registers=", strlen("registers=")) == 0;
}

static warpbound_status read_block(const struct arguments *arguments,
                                   struct analyze_options *options, warpbound_error *error)
{
  warpbound_launch_options *launch = &options->launch;
  warpbound_status status =
      arguments_bytes(arguments, OPTION_DYNAMIC_SHARED, &launch->dynamic_shared, error);
  if (status == WARPBOUND_OK)
    status = read_small(arguments, OPTION_REGISTERS, 1, 0, &launch->registers, error);
  if (status == WARPBOUND_OK)
    status = arguments_bytes(arguments, OPTION_STATIC_SHARED, &launch->static_shared, error);
  if (status == WARPBOUND_OK)
    status = read_small(arguments, OPTION_BARRIERS, 0, 0, &launch->barriers, error);
  launch->allow_other_device = arguments->value[OPTION_ALLOW_OTHER_SM] != NULL;
  launch->has_dynamic_shared = arguments->value[OPTION_DYNAMIC_SHARED] != NULL;
  launch->has_static_shared = arguments->value[OPTION_STATIC_SHARED] != NULL;
  launch->as_if_compiled = sweeps_registers(arguments);
  launch->has_barriers = arguments->value[OPTION_BARRIERS] != NULL;
  return status;
}

warpbound_status analyze_options_read(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error)
{
  warpbound_launch_options *launch = &options->launch;
  warpbound_status status = wcet_options_read(arguments, &options->wcet, error);
  if (status == WARPBOUND_OK)
    status = read_deadline(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_BUDGET, 1, INT64_MAX, 0, &options->budget, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_SIMULATE, 0, INT64_MAX, DEFAULT_SIMULATION,
                              &launch->simulate, error);
  if (status == WARPBOUND_OK)
    status = arguments_number(arguments, OPTION_SEED, 0, UINT64_MAX, 0, &launch->seed, error);
  if (status == WARPBOUND_OK)
    status = read_dispatch(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_carveout(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = launch_size_read(arguments, OPTION_CLUSTER, launch->cluster, error);
  if (status == WARPBOUND_OK)
    status = read_block(arguments, options, error);
  return status;
}

warpbound_status analyze_options_complete(const struct arguments *arguments,
                                          const warpbound_module *module,
                                          struct analyze_options *options, warpbound_error *error)
{
  options->wcet.wcet.move_facts = arguments->value[OPTION_TEMPLATE] != NULL;
  const warpbound_status status = wcet_options_complete(arguments, module, &options->wcet, error);
  options->launch.wcet = options->wcet.wcet;
  return status;
}

void analyze_options_free(struct analyze_options *options)
{
  wcet_options_free(&options->wcet);
}
