#include "cli/input/wcet_options.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/input/simt_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static warpbound_input input_of(const struct wb_source *source)
{
  return (warpbound_input){source->name, source->bytes, source->length};
}

static warpbound_status read_costs(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  const char *value = arguments->value[OPTION_COST];
  if (value == NULL || strcmp(value, "unit") == 0)
    return WARPBOUND_OK;
  options->known.cost = WARPBOUND_COST_STALLS;
  if (strcmp(value, "stalls") == 0)
    return WARPBOUND_OK;
  options->known.cost = WARPBOUND_COST_TABLE;
  warpbound_status status = wb_source_read(value, &options->costs, error);
  if (status == WARPBOUND_OK)
    options->known.costs = input_of(&options->costs);
  return status;
}

static warpbound_status read_facts(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  const char *name = arguments->value[OPTION_FLOW_FACTS];
  if (name == NULL)
    return WARPBOUND_OK;
  warpbound_status status = wb_source_read(name, &options->facts, error);
  if (status == WARPBOUND_OK)
    options->known.flow_facts = input_of(&options->facts);
  return status;
}

warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error)
{
  warpbound_wcet_options *wcet = &options->wcet;
  warpbound_status status = arguments_number(arguments, OPTION_DEFAULT_LOOP_BOUND, 0, INT64_MAX, 0,
                                             &wcet->default_loop_bound, error);
  wcet->has_default_loop_bound = arguments->value[OPTION_DEFAULT_LOOP_BOUND] != NULL;
  if (status == WARPBOUND_OK)
    status = launch_options_read(arguments, &options->launch, &options->known, error);
  if (status == WARPBOUND_OK)
    status = read_costs(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = read_facts(arguments, options, error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(arguments, &wcet->simt, error);
  return status;
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

static warpbound_status read_sources(const char *folder, const warpbound_module *module,
                                     struct wcet_options *options, warpbound_error *error)
{
  const size_t count = warpbound_module_source_count(module);
  size_t found = 0;
  options->files = wb_allocate(count, sizeof *options->files);
  options->sources = wb_allocate(count, sizeof *options->sources);
  if (options->files == NULL || options->sources == NULL)
    return wb_out_of_memory(error);
  options->source_count = count;
  options->known.sources = options->sources;
  options->known.source_count = count;
  for (size_t f = 0; f < count; f++) {
    char *path = find_source(folder, warpbound_module_source(module, f));
    if (path == NULL)
      continue;
    found++;
    warpbound_status status = wb_source_read(path, &options->files[f], error);
    free(path);
    if (status != WARPBOUND_OK)
      return status;
    options->sources[f] = input_of(&options->files[f]);
  }
  return found > 0 ? WARPBOUND_OK
                   : wb_fail(error, WARPBOUND_USAGE,
                             "--sources: expected a folder with a source of the listing%s%.100s, "
                             "found none in '%.100s'",
                             count > 0 ? ", as " : " (which names none: -lineinfo)",
                             count > 0 ? warpbound_module_source(module, 0) : "", folder);
}

warpbound_status wcet_options_complete(const struct arguments *arguments,
                                       const warpbound_module *module, struct wcet_options *options,
                                       warpbound_error *error)
{
  const char *folder = arguments->value[OPTION_SOURCES];
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
  launch_options_free(&options->launch);
  wb_source_free(&options->facts);
  wb_source_free(&options->costs);
  for (size_t f = 0; f < options->source_count; f++)
    wb_source_free(&options->files[f]);
  free(options->files);
  free(options->sources);
}
