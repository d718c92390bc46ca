/* Images of the public header: the GPU code that a file holds. */
#include "analysis/images/image_facts.h"

#include "api/arguments.h"
#include "base/memory.h"
#include "base/text/demangle.h"
#include "binary/container/container.h"
#include "frontend/binary/binary_front_end.h"
#include "frontend/file_kind.h"
#include "frontend/sass/sass_front_end.h"

#include <stdlib.h>
#include <string.h>

/* Invariant: facts has a row for each image of the list. The list's bytes are the caller's. */
struct warpbound_images {
  char *name;
  struct wb_images list;
  struct wb_image_facts *facts;
  bool listing; /* the one image is a SASS listing */
};

/* The file that is read. */
struct source {
  const char *name; /* "" for none */
  const unsigned char *bytes;
  size_t length;
};

/* ---- reading ---- */

/* Most functions of all images, and most parameters of these: a small file may unpack to many. */
#define FUNCTION_LIMIT ((size_t)1 << 20)
#define PARAMETER_LIMIT ((size_t)1 << 22)

/* The one image of a text. */
static warpbound_status read_text(const struct source *source, struct warpbound_images *images,
                                  warpbound_error *error)
{
  const char *text = (const char *)source->bytes;
  struct wb_images *list = &images->list;
  images->facts = wb_allocate(1, sizeof *images->facts);
  if (images->facts == NULL || !wb_grow(list->items, &list->capacity, 1))
    return wb_out_of_memory(error);
  list->items[0] = (struct wb_image){.kind = WB_IMAGE_PTX,
                                     .place = "",
                                     .identifier = "",
                                     .options = "",
                                     .stored = source->bytes,
                                     .stored_length = source->length,
                                     .length = source->length};
  list->count = 1;
  images->listing = wb_sass_detect(text, source->length);
  if (images->listing)
    return wb_image_facts_of_listing(source->name, text, source->length, &images->facts[0], error);
  warpbound_status status = wb_image_facts_of_ptx(text, source->length, &images->facts[0], error);
  if (status == WARPBOUND_OK && images->facts[0].version[0] == '\0') {
    status = wb_fail_at(
        error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
        "expected PTX, a SASS listing, or a file with GPU code: a cubin, a fat binary, an ELF "
        "program, library or object");
    wb_file_kind_explain(source->name, text, source->length, WB_FILE_KERNEL, error);
  }
  return status;
}

static warpbound_status read_container(const struct source *source, struct warpbound_images *images,
                                       warpbound_error *error)
{
  warpbound_status status =
      wb_container_read(source->name, source->bytes, source->length, &images->list, error);
  if (status != WARPBOUND_OK)
    return status;
  images->facts = wb_allocate(images->list.count, sizeof *images->facts);
  if (images->facts == NULL)
    return wb_out_of_memory(error);
  size_t functions = 0, parameters = 0;
  for (size_t i = 0; i < images->list.count && status == WARPBOUND_OK; i++) {
    status = wb_image_facts_read(source->name, &images->list.items[i], &images->facts[i], error);
    functions += images->facts[i].function_count;
    parameters += images->facts[i].parameter_count;
    if (status == WARPBOUND_OK && (functions > FUNCTION_LIMIT || parameters > PARAMETER_LIMIT))
      status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, source->name, 0, 0,
                          "expected at most %zu functions with %zu parameters", FUNCTION_LIMIT,
                          PARAMETER_LIMIT);
  }
  return status;
}

warpbound_status warpbound_images_read(const char *name, const void *bytes, size_t length,
                                       warpbound_images **images, warpbound_error *error)
{
  const struct source source = {name != NULL ? name : "", bytes, length};
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(images, "images", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(bytes, "bytes", "a file's bytes", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_images *made = wb_allocate(1, sizeof *made);
  if (made == NULL || (made->name = wb_copy_text(source.name, strlen(source.name))) == NULL)
    status = wb_out_of_memory(error);
  else if (wb_container_kind(source.bytes, length) == WB_CONTAINER_NONE)
    status = read_text(&source, made, error);
  else
    status = read_container(&source, made, error);
  if (status == WARPBOUND_OK)
    *images = made;
  else
    warpbound_images_free(made);
  return status;
}

void warpbound_images_free(warpbound_images *images)
{
  if (images == NULL)
    return;
  for (size_t i = 0; images->facts != NULL && i < images->list.count; i++)
    wb_image_facts_free(&images->facts[i]);
  free(images->facts);
  free(images->name);
  wb_images_free(&images->list);
  free(images);
}

/* ---- accessors ---- */

size_t warpbound_images_count(const warpbound_images *images)
{
  return images != NULL ? images->list.count : 0;
}

warpbound_image warpbound_images_image(const warpbound_images *images, size_t index)
{
  static const char *const compressions[] = {"none", "lz4", "zstd"};
  static const warpbound_image_kind kinds[] = {[WB_IMAGE_PTX] = WARPBOUND_IMAGE_PTX,
                                               [WB_IMAGE_CUBIN] = WARPBOUND_IMAGE_CUBIN,
                                               [WB_IMAGE_OTHER] = WARPBOUND_IMAGE_OTHER,
                                               [WB_IMAGE_NONE] = WARPBOUND_IMAGE_DAMAGED};
  if (index >= warpbound_images_count(images))
    return (warpbound_image){.place = "",
                             .architecture = "",
                             .toolkit = "",
                             .ptx_version = "",
                             .identifier = "",
                             .assembler_options = "",
                             .compression = "",
                             .damage = ""};
  const struct wb_image *image = &images->list.items[index];
  const struct wb_image_facts *facts = &images->facts[index];
  return (warpbound_image){.kind = images->listing ? WARPBOUND_IMAGE_LISTING : kinds[image->kind],
                           .place = image->place,
                           .architecture = facts->architecture,
                           .sm = facts->sm,
                           .toolkit = facts->toolkit,
                           .ptx_version = facts->version,
                           .identifier = image->identifier,
                           .assembler_options = image->options,
                           .compression = compressions[image->compression],
                           .offset = image->offset,
                           .stored_bytes = image->stored_length,
                           .bytes = image->length,
                           .debug = image->debug,
                           .relocatable = facts->relocatable,
                           .damage = facts->damage != NULL ? facts->damage : ""};
}

size_t warpbound_images_find(const warpbound_images *images, const char *architecture, size_t first)
{
  return warpbound_images_find_module(images, architecture, NULL, first);
}

size_t warpbound_images_find_module(const warpbound_images *images, const char *architecture,
                                    const char *module, size_t first)
{
  const size_t count = warpbound_images_count(images);
  while (first < count && !((architecture == NULL ||
                             wb_architecture_is(images->facts[first].architecture, architecture)) &&
                            wb_images_is_module(&images->list, first, module)))
    first++;
  return first < count ? first : count;
}

size_t warpbound_images_function_count(const warpbound_images *images, size_t index)
{
  return index < warpbound_images_count(images) ? images->facts[index].function_count : 0;
}

warpbound_image_function warpbound_images_function(const warpbound_images *images, size_t index,
                                                   size_t function)
{
  if (function >= warpbound_images_function_count(images, index))
    return (warpbound_image_function){.name = "", .demangled = ""};
  return images->facts[index].functions[function].facts;
}

size_t warpbound_images_find_function(const warpbound_images *images, size_t index,
                                      const char *name, size_t first)
{
  const size_t count = warpbound_images_function_count(images, index);
  while (first < count && name != NULL &&
         !wb_demangled_matches(name, images->facts[index].functions[first].facts.name))
    first++;
  return first < count ? first : count;
}

warpbound_image_parameter warpbound_images_parameter(const warpbound_images *images, size_t index,
                                                     size_t function, size_t parameter)
{
  if (function >= warpbound_images_function_count(images, index) ||
      parameter >= images->facts[index].functions[function].facts.parameter_count)
    return (warpbound_image_parameter){.name = ""};
  const struct wb_image_facts *facts = &images->facts[index];
  return facts->parameters[facts->functions[function].first_parameter + parameter];
}

/* ---- texts ---- */

warpbound_status warpbound_images_text(const warpbound_images *images, size_t index, char **text,
                                       warpbound_error *error)
{
  warpbound_status status =
      wb_require_text_of(images, "images", "the images of a file", text, error);
  if (status != WARPBOUND_OK)
    return status;
  if (index >= images->list.count || images->list.items[index].kind != WB_IMAGE_PTX)
    return wb_fail(error, WARPBOUND_USAGE, "index: expected an image of PTX or a listing");
  struct wb_image_bytes bytes;
  status = wb_image_unpack(images->name, &images->list.items[index], &bytes, error);
  if (status != WARPBOUND_OK)
    return status;
  *text = wb_copy_text((const char *)bytes.bytes, bytes.length);
  wb_image_bytes_free(&bytes);
  return *text != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* ---- disassembly ---- */

warpbound_status warpbound_disassemble(const char *name, const void *bytes, size_t length,
                                       const warpbound_disassembly_options *options, char **text,
                                       warpbound_error *error)
{
  static const warpbound_disassembly_options defaults = {0};
  warpbound_status status = wb_require_place(text, "text", "the address of a text", error);
  if (status == WARPBOUND_OK)
    status = wb_require(bytes, "bytes", "a file's bytes", error);
  if (status != WARPBOUND_OK)
    return status;
  if (options == NULL)
    options = &defaults;
  if (name == NULL)
    name = "";
  if (!wb_binary_detect(bytes, length))
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected a file with machine code: a cubin, a fat binary, an ELF program, "
                      "library or object");
  const struct wb_image_wish wish = {
      .architecture = options->architecture, .module = options->module, .machine_code_only = true};
  const struct wb_binary_form form = {options->kernel, options->code_only, options->control};
  struct wb_text listing = {0};
  bool ptx;
  status = wb_binary_text(name, bytes, length, &wish, &form, &listing, &ptx, error);
  if (status == WARPBOUND_OK)
    return wb_hand_out(&listing, text, error);
  wb_text_free(&listing);
  return status;
}
