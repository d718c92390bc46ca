/* `warpbound kernels`, `disassemble`, `instrument` and `run`: the code of a file. */
#include "cli/commands/commands.h"

#include "cli/input/kernel_needs.h"
#include "cli/input/module_input.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "report/images_report.h"
#include "report/warp_report.h"

#include <stdio.h>

/* Of more architectures none is named in a message: a damaged file may have any number. */
#define MOST_NAMED 40

/* Whether an image is of the module of --module and for the architecture of --arch; the error says
 * which ones there are. */
static warpbound_status check_wish(const struct wb_images_wish *wish, const char *name,
                                   warpbound_error *error)
{
  const size_t count = warpbound_images_count(wish->images);
  const bool no_module = warpbound_images_find_module(wish->images, NULL, wish->module, 0) == count;
  struct wb_list found = {0};
  struct wb_text names = {0};
  if (wb_images_next(wish, 0) < count)
    return WARPBOUND_OK;
  if (no_module)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--module: expected a number up to %zu or the name of a module "
                   "('warpbound kernels %.100s' lists them), found '%.60s'",
                   count, name, wish->module);
  for (size_t i = 0; i < count && found.count < MOST_NAMED; i++) {
    const warpbound_image image = warpbound_images_image(wish->images, i);
    if (image.architecture[0] != '\0' &&
        warpbound_images_find_module(wish->images, NULL, wish->module, i) == i)
      wb_list_add(&found, "%s", image.architecture);
  }
  for (size_t i = 0; i < found.count; i++)
    wb_text_format(&names, "%s%s", i > 0 ? ", " : "", found.items[i]);
  wb_fail(error, WARPBOUND_USAGE, "--arch: expected one of %.300s, found '%.40s'",
          names.data != NULL ? names.data : "none", wish->architecture);
  wb_text_free(&names);
  wb_list_free(&found);
  return WARPBOUND_USAGE;
}

warpbound_status command_kernels(struct arguments *arguments, warpbound_error *error)
{
  struct wb_images_wish wish = {.architecture = arguments->value[OPTION_ARCH],
                                .module = arguments->value[OPTION_MODULE]};
  struct wb_input source = {0};
  struct kernel_needs list = {0};
  warpbound_images *images = NULL;
  if (arguments->value[OPTION_NAMES] != NULL && arguments->value[OPTION_JSON] != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected one of --names and --json, found both (the object has the names)");
  warpbound_status status =
      source_input_read(arguments, "a file with GPU code", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_read(source.name, source.bytes, source.length, &images, error);
  wish.images = images;
  if (status == WARPBOUND_OK)
    status = check_wish(&wish, source.name, error);
  if (status == WARPBOUND_OK &&
      (arguments->value[OPTION_KERNEL] != NULL || arguments->value[OPTION_SOURCES] != NULL))
    status = kernel_needs_read(arguments, &source, &wish, &list, error);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    if (arguments->value[OPTION_NAMES] != NULL)
      wb_images_names(&wish, &text);
    else if (arguments->value[OPTION_JSON] != NULL)
      wb_images_json(&wish, &text);
    else
      wb_images_text(&wish, terminal_colour(stdout), &text);
    status = terminal_print(&text, error);
  }
  if (status == WARPBOUND_OK) {
    /* What is damaged: a failure where everything that was asked for is. */
    const size_t count = warpbound_images_count(images);
    status = WARPBOUND_INVALID_INPUT;
    for (size_t i = wb_images_next(&wish, 0); i < count; i = wb_images_next(&wish, i + 1)) {
      const warpbound_image image = warpbound_images_image(images, i);
      warpbound_error damage;
      if (image.damage[0] == '\0') {
        status = WARPBOUND_OK;
        continue;
      }
      wb_fail_at(&damage, WARPBOUND_INVALID_INPUT, source.name, 0, 0, "%s", image.damage);
      terminal_error(&damage);
    }
  }
  kernel_needs_free(&list);
  warpbound_images_free(images);
  wb_input_free(&source);
  return status;
}

/* ---- disassemble ---- */

warpbound_status command_disassemble(struct arguments *arguments, warpbound_error *error)
{
  const warpbound_disassembly_options options = {
      .architecture = arguments->value[OPTION_ARCH],
      .module = arguments->value[OPTION_MODULE],
      .kernel = arguments->value[OPTION_KERNEL],
      .code_only = arguments->value[OPTION_CODE_ONLY] != NULL,
      .control = arguments->value[OPTION_CONTROL] != NULL,
  };
  struct wb_input source = {0};
  char *listing;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK)
    status =
        source_input_read(arguments, "a file with machine code", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK)
    status =
        warpbound_disassemble(source.name, source.bytes, source.length, &options, &listing, error);
  if (status == WARPBOUND_OK)
    status = output_or_print(arguments, listing, error);
  wb_input_free(&source);
  return status;
}

/* ---- instrument ---- */

warpbound_status command_instrument(struct arguments *arguments, warpbound_error *error)
{
  warpbound_instrument_options options;
  struct wb_input source = {0};
  struct wb_input raw = {0};
  const char *raw_name = arguments->value[OPTION_RAW];
  char *text = NULL;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK) {
    static const struct wb_choice places[] = {{"blocks", WARPBOUND_AT_BLOCKS},
                                              {"loops", WARPBOUND_AT_LOOPS},
                                              {"lines", WARPBOUND_AT_LINES},
                                              {"given", WARPBOUND_AT_GIVEN},
                                              {NULL, 0}};
    static const struct option_member at = {
        OPTION_AT, VALUE_WORD, OPTION_MEMBER(warpbound_instrument_options, at), places};
    const struct wb_list *points = &arguments->repeated[OPTION_POINT];
    options = (warpbound_instrument_options){
        .kernel = arguments->value[OPTION_KERNEL],
        .at = points->count > 0 ? WARPBOUND_AT_GIVEN : WARPBOUND_AT_BLOCKS,
        .points = (const char *const *)points->items,
        .point_count = points->count,
    };
    status = option_members_read(arguments, &at, 1, &options, error);
  }
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a PTX file", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK && raw_name != NULL)
    status = wb_input_read(raw_name, &raw, error);
  if (status == WARPBOUND_OK && raw_name != NULL)
    status = warpbound_instrument_times(source.name, source.bytes, source.length, &options,
                                        raw.name, raw.bytes, raw.length, &text, error);
  else if (status == WARPBOUND_OK)
    status = warpbound_instrument(source.name, source.bytes, source.length, &options, &text, error);
  if (status == WARPBOUND_OK)
    status = output_or_print(arguments, text, error);
  wb_input_free(&raw);
  wb_input_free(&source);
  return status;
}

/* ---- run ---- */

/* Ranges of warpbound_trace_options. */
#define LANE_LIMIT 32
#define STEP_LIMIT 1000000

warpbound_status command_run(struct arguments *arguments, warpbound_error *error)
{
  warpbound_trace_options options = {0};
  warpbound_module *module = NULL;
  warpbound_kernel *kernel = NULL;
  warpbound_trace *trace = NULL;
  static const struct wb_choice orders[] = {
      {"random", WARPBOUND_GROUPS_RANDOM},   {"lowest", WARPBOUND_GROUPS_LOWEST},
      {"highest", WARPBOUND_GROUPS_HIGHEST}, {"newest", WARPBOUND_GROUPS_NEWEST},
      {"most", WARPBOUND_GROUPS_MOST},       {"fewest", WARPBOUND_GROUPS_FEWEST},
      {"starve", WARPBOUND_GROUPS_STARVE},   {NULL, 0}};
  static const struct option_member members[] = {
      {OPTION_SEED, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, seed), .most = UINT64_MAX},
      {OPTION_LANES, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, lanes), .least = 1,
       .most = LANE_LIMIT},
      {OPTION_STEPS, VALUE_WHOLE, OPTION_MEMBER(warpbound_trace_options, steps), .least = 1,
       .most = STEP_LIMIT},
      {OPTION_GROUPS, VALUE_WORD, OPTION_MEMBER(warpbound_trace_options, groups), orders},
  };
  warpbound_simt_options simt = {0};
  warpbound_status status =
      option_members_read(arguments, members, sizeof members / sizeof *members, &options, error);
  if (status == WARPBOUND_OK)
    status = simt_options_read(arguments, &simt, error);
  options.reconvergence = simt.reconvergence;
  options.masks_together = simt.masks_together;
  if (status == WARPBOUND_OK)
    status = module_input_read(arguments, &module, error);
  if (status == WARPBOUND_OK)
    status = simt_options_check(arguments, module, error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(module, arguments->value[OPTION_KERNEL], &kernel, error);
  if (status == WARPBOUND_OK)
    status = warpbound_trace_run(kernel, &options, NULL, &trace, error);
  if (status == WARPBOUND_OK) {
    struct wb_text text = {0};
    if (arguments->value[OPTION_JSON] != NULL)
      wb_trace_json(trace, &text);
    else
      wb_trace_text(trace, arguments->value[OPTION_QUIET] != NULL, terminal_colour(stdout), &text);
    status = terminal_print(&text, error);
  }
  warpbound_trace_free(trace);
  warpbound_kernel_free(kernel);
  warpbound_module_free(module);
  return status;
}
