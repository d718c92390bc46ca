#include "cli/input/kernel_needs.h"

#include "cli/input/module_input.h"

#include <stdio.h>

/* Most kernels whose loops are looked at. */
#define MOST_KERNELS 4096

struct shown_kernel {
  warpbound_module *module;
  warpbound_kernel *kernel;
  struct wcet_options options;
  warpbound_parameters *parameters;
  warpbound_error error;
};

void kernel_needs_free(struct kernel_needs *list)
{
  for (size_t k = 0; k < list->count; k++) {
    struct shown_kernel *shown = &list->kernels[k];
    warpbound_parameters_free(shown->parameters);
    wcet_options_free(&shown->options);
    warpbound_kernel_free(shown->kernel);
    warpbound_module_free(shown->module);
  }
  wb_arena_free(&list->arena);
}

/* Reads one kernel of an image and looks at its loops. Its error is in *shown. */
static warpbound_status look_at_kernel(const struct arguments *arguments,
                                       const struct wb_input *source, size_t image,
                                       const char *name, struct shown_kernel *shown)
{
  char module[32];
  snprintf(module, sizeof module, "%zu", image + 1);
  const warpbound_module_options how = {
      .machine_code_only = true, .module = module, .kernel = name};
  warpbound_status status = wcet_options_read(arguments, &shown->options, &shown->error);
  if (status == WARPBOUND_OK)
    status = warpbound_module_parse(source->name, source->bytes, source->length, &how,
                                    &shown->module, &shown->error);
  if (status == WARPBOUND_OK)
    status = warpbound_kernel_choose(shown->module, name, &shown->kernel, &shown->error);
  if (status == WARPBOUND_OK)
    status = wcet_options_complete(arguments, shown->module, &shown->options, &shown->error);
  if (status == WARPBOUND_OK)
    status = warpbound_parameters_find(shown->kernel, &shown->options.wcet, NULL,
                                       &shown->parameters, &shown->error);
  return status;
}

warpbound_status kernel_needs_read(const struct arguments *arguments, const struct wb_input *source,
                                   struct wb_images_wish *wish, struct kernel_needs *list,
                                   warpbound_error *error)
{
  const char *wanted = arguments->value[OPTION_KERNEL];
  const size_t images = warpbound_images_count(wish->images);
  list->rows = wb_arena_array(&list->arena, struct wb_kernel_needs, MOST_KERNELS);
  list->kernels = wb_arena_array(&list->arena, struct shown_kernel, MOST_KERNELS);
  if (list->arena.failed)
    return wb_out_of_memory(error);
  for (size_t i = wb_images_next(wish, 0); i < images; i = wb_images_next(wish, i + 1)) {
    const warpbound_image image = warpbound_images_image(wish->images, i);
    const size_t count = warpbound_images_function_count(wish->images, i);
    const bool code = image.kind == WARPBOUND_IMAGE_CUBIN || image.kind == WARPBOUND_IMAGE_LISTING;
    for (size_t f = warpbound_images_find_function(wish->images, i, wanted, 0);
         code && f < count && list->count < MOST_KERNELS;
         f = warpbound_images_find_function(wish->images, i, wanted, f + 1)) {
      const warpbound_image_function function = warpbound_images_function(wish->images, i, f);
      struct shown_kernel *shown = &list->kernels[list->count];
      if (!function.kernel)
        continue;
      const warpbound_status status = look_at_kernel(arguments, source, i, function.name, shown);
      list->rows[list->count++] = (struct wb_kernel_needs){
          .image = i, .function = f, .parameters = shown->parameters, .why = shown->error.message};
      if (status == WARPBOUND_USAGE || status == WARPBOUND_INTERNAL)
        return wb_fail_with(error, &shown->error);
    }
  }
  wish->needs = list->rows;
  wish->need_count = list->count;
  return list->count > 0 || wanted == NULL
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE,
                       "--kernel: no kernel in machine code is called '%.100s' ('warpbound kernels "
                       "%.100s --names' lists them)",
                       wanted, source->name);
}
