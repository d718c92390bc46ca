#include "cli/input/images_input.h"

#include "cli/input/source_input.h"

void images_input_architectures(const warpbound_images *images, int kind, struct wb_text *text)
{
  struct wb_list found = {0};
  for (size_t i = 0; i < warpbound_images_count(images); i++) {
    const warpbound_image image = warpbound_images_image(images, i);
    if (image.architecture[0] != '\0' && (kind < 0 || (int)image.kind == kind))
      wb_list_add(&found, "%s", image.architecture);
  }
  for (size_t i = 0; i < found.count; i++)
    wb_text_format(text, "%s%s", i > 0 ? ", " : "", found.items[i]);
  wb_list_free(&found);
}

static warpbound_status check_architecture(const struct images_input *input, warpbound_error *error)
{
  struct wb_text names = {0};
  if (images_input_next(input, 0) < warpbound_images_count(input->images))
    return WARPBOUND_OK;
  images_input_architectures(input->images, -1, &names);
  wb_fail_at(error, WARPBOUND_USAGE, input->source.name, 0, 0,
             "--arch: expected one of %.300s, found '%.40s'",
             names.data != NULL ? names.data : "none", input->architecture);
  wb_text_free(&names);
  return WARPBOUND_USAGE;
}

warpbound_status images_input_read(const struct arguments *arguments, struct images_input *input,
                                   warpbound_error *error)
{
  input->architecture = arguments->value[OPTION_ARCH];
  warpbound_status status =
      source_input_read(arguments, "a file with GPU code", &input->source, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_read(input->source.name, input->source.bytes, input->source.length,
                                   &input->images, error);
  return status == WARPBOUND_OK ? check_architecture(input, error) : status;
}

void images_input_free(struct images_input *input)
{
  warpbound_images_free(input->images);
  wb_source_free(&input->source);
}

size_t images_input_next(const struct images_input *input, size_t first)
{
  return warpbound_images_find(input->images, input->architecture, first);
}
