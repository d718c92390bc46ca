#include "cli/options/wcet_options.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/input/file_kind.h"
#include "formats/flow_facts/flow_facts_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_TEXT, error);
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
  if (status == WARPBOUND_INVALID_INPUT)
    file_kind_explain(&source, FILE_TEXT, error);
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
    status = launch_options_read(arguments, &options->launch, error);
  options->wcet.launch = &options->launch.launch;
  if (status == WARPBOUND_OK)
    status = read_costs(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_facts(arguments, options, error);
  return status;
}

static warpbound_status check_facts(const struct wcet_options *options, const struct wb_code *code,
                                    warpbound_error *error)
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

/* FOLDER/PATH if that is there, else FOLDER/NAME if that is; else NULL, or no memory. */
static char *find_source(const char *folder, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *names[] = {path, slash != NULL ? slash + 1 : path};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    struct wb_text text = {0};
    wb_text_format(&text, "%s/%s", folder, names[n]);
    char *found = wb_text_take(&text);
    if (found == NULL || access(found, F_OK) == 0)
      return found;
    free(found);
  }
  return NULL;
}

static warpbound_status read_source(const char *path, struct wb_source_bounds *bounds,
                                    warpbound_error *error)
{
  struct wb_source source;
  warpbound_status status = wb_source_read(path, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_source_bounds_parse(source.name, source.bytes, source.length, bounds, error);
  wb_source_free(&source);
  return status;
}

static warpbound_status read_sources(const char *folder, const struct wb_code *code,
                                     struct wcet_options *options, warpbound_error *error)
{
  options->sources = wb_allocate(code->file_count, sizeof *options->sources);
  if (options->sources == NULL)
    return wb_out_of_memory(error);
  options->source_count = code->file_count;
  options->wcet.sources = options->sources;
  size_t found = 0;
  for (size_t f = 0; f < code->file_count; f++) {
    char *path = find_source(folder, code->files[f]);
    if (path == NULL)
      continue;
    found++;
    warpbound_status status = read_source(path, &options->sources[f], error);
    free(path);
    if (status != WARPBOUND_OK)
      return status;
  }
  return found > 0 ? WARPBOUND_OK
                   : wb_fail(error, WARPBOUND_USAGE,
                             "--sources: expected a folder with a source of the listing%s%.100s, "
                             "found none in '%.100s'",
                             code->file_count > 0 ? ", as " : " (which names none: -lineinfo)",
                             code->file_count > 0 ? code->files[0] : "", folder);
}

warpbound_status wcet_options_complete(const struct arguments *arguments,
                                       const struct wb_code *code, struct wcet_options *options,
                                       warpbound_error *error)
{
  warpbound_status status = check_facts(options, code, error);
  if (status == WARPBOUND_OK)
    status = launch_options_complete(arguments, code, &options->launch, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_SOURCES] != NULL)
    status = read_sources(arguments->value[OPTION_SOURCES], code, options, error);
  return status;
}

void wcet_options_free(struct wcet_options *options)
{
  launch_options_free(&options->launch);
  wb_costs_free(&options->costs);
  wb_flow_facts_free(&options->facts);
  for (size_t s = 0; s < options->source_count; s++)
    wb_source_bounds_free(&options->sources[s]);
  free(options->sources);
}
