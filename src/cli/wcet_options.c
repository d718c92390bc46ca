#include "cli/wcet_options.h"

#include "base/file.h"
#include "frontend/flow_facts_file.h"

#include <string.h>

static warpbound_status read_costs(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  const char *value = arguments->value[OPTION_COST];
  options->wcet.costs = &options->costs;
  if (value == NULL || strcmp(value, "unit") == 0)
    return WARPBOUND_OK;
  if (strcmp(value, "stalls") == 0) {
    options->costs.kind = WB_COST_STALLS;
    return WARPBOUND_OK;
  }
  struct wb_source source;
  warpbound_status status = wb_source_read(value, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_costs_parse(source.name, source.bytes, source.length, &options->costs, error);
  wb_source_free(&source);
  return status;
}

static warpbound_status read_facts(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  const char *name = arguments->value[OPTION_FLOW_FACTS];
  struct wb_source source;
  if (name == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_source_read(name, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_flow_facts_parse(source.name, source.bytes, source.length, &options->facts, error);
  options->wcet.facts = &options->facts;
  wb_source_free(&source);
  return status;
}

warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  *options = (struct wcet_options){0};
  warpbound_status status = arguments_number(arguments, OPTION_DEFAULT_LOOP_BOUND, 0, INT64_MAX,
                                             UINT64_MAX, &options->wcet.default_bound, error);
  if (status == WARPBOUND_OK)
    status = read_costs(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_facts(arguments, options, error);
  return status;
}

warpbound_status wcet_options_check(const struct wcet_options *options,
                                    const struct wb_machine_code *code, warpbound_error *error)
{
  for (size_t k = 0; k < options->facts.kernel_count; k++) {
    const struct wb_kernel_facts *kernel = &options->facts.kernels[k];
    size_t f = 0;
    while (f < code->function_count && strcmp(code->functions[f].name, kernel->kernel) != 0)
      f++;
    if (f == code->function_count)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, options->facts.name, kernel->line, 0,
                        "there is no kernel '%.120s' in %.120s", kernel->kernel, code->name);
  }
  return WARPBOUND_OK;
}

void wcet_options_free(struct wcet_options *options)
{
  wb_costs_free(&options->costs);
  wb_flow_facts_free(&options->facts);
}
