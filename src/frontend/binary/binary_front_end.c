#include "frontend/binary/binary_front_end.h"

#include "base/memory.h"
#include "base/text/demangle.h"
#include "binary/container/container.h"
#include "binary/listing/cubin_listing.h"
#include "frontend/binary/cubin_code.h"
#include "frontend/binary/cubin_set.h"
#include "frontend/sass/sass_front_end.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

bool wb_binary_detect(const char *bytes, size_t length)
{
  return wb_container_kind((const unsigned char *)bytes, length) != WB_CONTAINER_NONE;
}

/* The function of an index in a set. */
static const struct wb_cubin_function *function_of(const struct wb_cubin_set *set, size_t index)
{
  const struct wb_open_function *open = &set->functions[index];
  return &set->cubins[open->cubin].cubin.functions[open->function];
}

/* The index in the set of the one function that a user means. */
static warpbound_status find_function(const struct wb_cubin_set *set, const char *wanted,
                                      size_t *found, warpbound_error *error)
{
  *found = set->function_count;
  for (size_t f = 0; f < set->function_count; f++) {
    const char *mangled = function_of(set, f)->name;
    if (!wb_demangled_matches(wanted, mangled))
      continue;
    if (*found < set->function_count)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--kernel: expected the name of one function, '%.80s' may be %.100s or "
                     "%.100s",
                     wanted, function_of(set, *found)->name, mangled);
    *found = f;
  }
  if (*found == set->function_count)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--kernel: expected a function of the file ('warpbound kernels' lists them), "
                   "found '%.100s'",
                   wanted);
  return WARPBOUND_OK;
}

/* What is asked for: the listing of machine code, or its instructions. */
struct request {
  const struct wb_binary_form *form;
  const struct wb_sass_options *options;
  struct wb_code *code; /* NULL: the listing */
};

static warpbound_status cubins_code(const struct wb_cubin_set *set, const char *name,
                                    const struct request *request, warpbound_error *error)
{
  struct wb_sass_parser parser;
  bool read = wb_sass_begin(&parser, name, request->options, request->code, error);
  snprintf(request->code->format, sizeof request->code->format, "nvdisasm");
  for (size_t c = 0; c < set->count && read; c++) {
    const struct wb_listing_options options = {.omitted = set->cubins[c].repeated};
    read = wb_cubin_code(&set->cubins[c].cubin, &options, &parser);
  }
  return wb_sass_end(&parser, read);
}

/* The listings of all of them, or of the one with the function that is wanted. */
static warpbound_status list_cubins(const struct wb_cubin_set *set,
                                    const struct wb_binary_form *form, struct wb_text *text,
                                    warpbound_error *error)
{
  assert(form != NULL);
  struct wb_listing_options options = {.code_only = form->code_only,
                                       .without_lines = form->code_only,
                                       .without_encodings = form->code_only};
  size_t function = 0;
  warpbound_status status = WARPBOUND_OK;
  if (form->kernel != NULL) {
    status = find_function(set, form->kernel, &function, error);
    if (status != WARPBOUND_OK)
      return status;
    options.kernel = function_of(set, function)->name;
    return wb_cubin_listing(&set->cubins[set->functions[function].cubin].cubin, &options, text,
                            error);
  }
  for (size_t c = 0; c < set->count && status == WARPBOUND_OK; c++) {
    options.omitted = set->cubins[c].repeated;
    status = wb_cubin_listing(&set->cubins[c].cubin, &options, text, error);
  }
  return status;
}

static warpbound_status cubins_text(const char *name, const struct wb_images *images,
                                    const bool *chosen, const struct request *request,
                                    struct wb_text *text, warpbound_error *error)
{
  struct wb_cubin_set set = {0};
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < images->count && status == WARPBOUND_OK; i++)
    if (chosen[i])
      status = wb_cubin_set_open(&set, name, &images->items[i], error);
  if (status == WARPBOUND_OK)
    status = wb_cubin_set_list(&set, name, error);
  if (status == WARPBOUND_OK && set.function_count == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected a function in its machine code, found none");
  if (status == WARPBOUND_OK)
    status = request->code != NULL ? cubins_code(&set, name, request, error)
                                   : list_cubins(&set, request->form, text, error);
  wb_cubin_set_free(&set);
  return status;
}

static warpbound_status ptx_text(const char *name, const struct wb_images *images,
                                 const bool *chosen, struct wb_text *text, warpbound_error *error)
{
  const struct wb_image *image = NULL;
  for (size_t i = 0; i < images->count; i++) {
    if (!chosen[i])
      continue;
    if (image != NULL)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected one module of PTX, found several: %.80s; %.80s", image->place,
                        images->items[i].place);
    image = &images->items[i];
  }
  struct wb_image_bytes unpacked;
  warpbound_status status = wb_image_unpack(name, image, &unpacked, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_text_append(text, (const char *)unpacked.bytes, unpacked.length);
  wb_image_bytes_free(&unpacked);
  return text->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

static warpbound_status chosen_text(const char *name, const struct wb_images *images,
                                    const struct wb_image_wish *wish, const struct request *request,
                                    struct wb_text *text, bool *ptx, warpbound_error *error)
{
  bool *chosen = wb_allocate(images->count, sizeof *chosen);
  if (chosen == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = wb_images_choose(name, images, wish, chosen, error);
  for (size_t i = 0; i < images->count && status == WARPBOUND_OK; i++)
    *ptx = *ptx || (chosen[i] && images->items[i].kind == WB_IMAGE_PTX);
  if (status == WARPBOUND_OK)
    status = *ptx ? ptx_text(name, images, chosen, text, error)
                  : cubins_text(name, images, chosen, request, text, error);
  free(chosen);
  return status;
}

static warpbound_status read_binary(const char *name, const char *bytes, size_t length,
                                    const struct wb_image_wish *wish, const struct request *request,
                                    struct wb_text *text, bool *ptx, warpbound_error *error)
{
  struct wb_images images = {0};
  *ptx = false;
  warpbound_status status =
      wb_container_read(name, (const unsigned char *)bytes, length, &images, error);
  if (status == WARPBOUND_OK)
    status = chosen_text(name, &images, wish, request, text, ptx, error);
  wb_images_free(&images);
  return status;
}

warpbound_status wb_binary_text(const char *name, const char *bytes, size_t length,
                                const struct wb_image_wish *wish, const struct wb_binary_form *form,
                                struct wb_text *text, bool *ptx, warpbound_error *error)
{
  static const struct wb_binary_form whole = {0};
  const struct request request = {.form = form != NULL ? form : &whole};
  return read_binary(name, bytes, length, wish, &request, text, ptx, error);
}

warpbound_status wb_binary_code(const char *name, const char *bytes, size_t length,
                                const struct wb_image_wish *wish,
                                const struct wb_sass_options *options, struct wb_code *code,
                                struct wb_text *text, bool *ptx, warpbound_error *error)
{
  const struct request request = {.options = options, .code = code};
  return read_binary(name, bytes, length, wish, &request, text, ptx, error);
}
