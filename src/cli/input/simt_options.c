#include "cli/input/simt_options.h"

#include "base/status.h"
#include "cli/options/word_options.h"

#include <inttypes.h>
#include <stdio.h>

/* The first architecture with convergence barriers. */
#define FIRST_WITH_BARRIERS 70

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
  int stack = false;
  int extent = WARPBOUND_AGREEMENT_ALL;
  int reconvergence = WARPBOUND_RECONVERGENCE_YIELD;
  int together = false;
  warpbound_status status = word_read(arguments, OPTION_STACK, stacks, &stack, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_AGREEMENT, extents, &extent, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_RECONVERGENCE, waiting, &reconvergence, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_MASKS, masks, &together, error);
  *options = (warpbound_simt_options){.acyclic_stack = stack,
                                      .no_groups = arguments->value[OPTION_NO_GROUPS] != NULL,
                                      .agreement = (warpbound_agreement)extent,
                                      .reconvergence = (warpbound_reconvergence)reconvergence,
                                      .masks_together = together};
  return status;
}

/* The latest architecture among the functions that are asked for. */
static uint32_t latest_architecture(const struct arguments *arguments,
                                    const warpbound_module *module)
{
  const char *wanted = arguments->value[OPTION_KERNEL];
  const size_t count = warpbound_module_function_count(module);
  uint32_t latest = 0;
  for (size_t f = warpbound_module_find(module, wanted, 0); f < count;
       f = warpbound_module_find(module, wanted, f + 1)) {
    const uint32_t sm = warpbound_module_function_sm(module, f);
    latest = sm > latest ? sm : latest;
  }
  return latest;
}

warpbound_status simt_options_check(const struct arguments *arguments,
                                    const warpbound_module *module, warpbound_error *error)
{
  static const enum option options[] = {OPTION_RECONVERGENCE, OPTION_MASKS, OPTION_GROUPS};
  const uint32_t latest = latest_architecture(arguments, module);
  char found[32] = "code that names no architecture";
  if (latest >= FIRST_WITH_BARRIERS)
    return WARPBOUND_OK;
  if (latest > 0)
    snprintf(found, sizeof found, "sm_%" PRIu32, latest);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (arguments->value[options[i]] != NULL)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s: expected code for sm_70 or later, which has convergence barriers, "
                     "found %s",
                     option_row(options[i])->name, found);
  }
  return WARPBOUND_OK;
}
