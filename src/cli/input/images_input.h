/* From the command line's words to the images of a file: --arch. */
#ifndef WB_CLI_INPUT_IMAGES_INPUT_H
#define WB_CLI_INPUT_IMAGES_INPUT_H

#include "base/file.h"
#include "cli/options/options.h"
#include "warpbound.h"

/* The GPU code of arguments->input. Zero it; free with images_input_free, also after an error. */
struct images_input {
  struct wb_source source;
  warpbound_images *images;
  const char *architecture; /* of --arch, or NULL */
};

/* Reads the file, and checks that it has an image for --arch. Errors: those of
 * warpbound_images_read; WARPBOUND_USAGE, with the architectures that there are. */
warpbound_status images_input_read(const struct arguments *arguments, struct images_input *input,
                                   warpbound_error *error);
void images_input_free(struct images_input *input);

/* The next image from `first` on that is wanted; the number of images where there is none. */
size_t images_input_next(const struct images_input *input, size_t first);

/* The architectures of images of a kind (all kinds for -1), "sm_75, sm_90a", to be freed with
 * wb_text_free. */
void images_input_architectures(const warpbound_images *images, int kind, struct wb_text *text);

#endif
