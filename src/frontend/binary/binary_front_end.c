#include "frontend/binary/binary_front_end.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "binary/container/container.h"
#include "binary/listing/cubin_listing.h"
#include "frontend/binary/cubin_code.h"
#include "frontend/binary/cubin_set.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which images are meant ---- */

/* How an image is named: that of PTX is virtual. */
#define NAME_SIZE 32

static const char *name_of(const struct wb_image *image, char name[NAME_SIZE])
{
  const bool ptx = image->kind == WB_IMAGE_PTX;
  if (ptx && strncmp(image->architecture_name, "sm_", 3) == 0)
    snprintf(name, NAME_SIZE, "compute_%s", image->architecture_name + 3);
  else
    snprintf(name, NAME_SIZE, "%s", image->architecture_name);
  return name;
}

static bool wanted(const struct wb_images *images, size_t i, const struct wb_image_wish *wish)
{
  const enum wb_image_kind kind = images->items[i].kind;
  return wb_images_is_module(images, i, wish->module) &&
         (kind == WB_IMAGE_CUBIN || (kind == WB_IMAGE_PTX && !wish->machine_code_only));
}

static bool same_name(const struct wb_image *one, const struct wb_image *other)
{
  char first[NAME_SIZE];
  char second[NAME_SIZE];
  return one->kind == other->kind && strcmp(name_of(one, first), name_of(other, second)) == 0;
}

/* The only image of the kind but for others with its name; SIZE_MAX where there is none or are
 * several. */
static size_t only_one(const struct wb_images *images, const struct wb_image_wish *wish,
                       enum wb_image_kind kind)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++) {
    if (images->items[i].kind != kind || !wanted(images, i, wish))
      continue;
    if (found == SIZE_MAX)
      found = i;
    else if (!same_name(&images->items[found], &images->items[i]))
      return SIZE_MAX;
  }
  return found;
}

/* The name that is asked for; of "sm_90" also sm_90a, where sm_90 is not there. */
static size_t named(const struct wb_images *images, const struct wb_image_wish *wish)
{
  char name[NAME_SIZE];
  for (size_t i = 0; i < images->count; i++)
    if (wanted(images, i, wish) &&
        strcmp(name_of(&images->items[i], name), wish->architecture) == 0)
      return i;
  for (size_t i = 0; i < images->count; i++)
    if (images->items[i].kind == WB_IMAGE_CUBIN && wanted(images, i, wish) &&
        wb_architecture_is(images->items[i].architecture_name, wish->architecture))
      return i;
  return SIZE_MAX;
}

/* Machine code runs on its own architecture, and without a suffix on later ones of its major
 * version. */
static bool runs_on(const struct wb_image *image, uint32_t device)
{
  if (image->kind != WB_IMAGE_CUBIN || image->architecture > device)
    return false;
  return image->architecture == device ||
         (image->suffix == '\0' && image->architecture / 10 == device / 10);
}

static size_t for_device(const struct wb_images *images, const struct wb_image_wish *wish)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++)
    if (wanted(images, i, wish) && runs_on(&images->items[i], wish->device) &&
        (best == SIZE_MAX || images->items[i].architecture > images->items[best].architecture))
      best = i;
  return best;
}

static size_t choose(const struct wb_images *images, const struct wb_image_wish *wish)
{
  if (wish->architecture != NULL)
    return named(images, wish);
  size_t chosen = only_one(images, wish, WB_IMAGE_CUBIN);
  if (chosen == SIZE_MAX && wish->device > 0)
    chosen = for_device(images, wish);
  bool cubins = false;
  for (size_t i = 0; i < images->count; i++)
    cubins = cubins || (images->items[i].kind == WB_IMAGE_CUBIN && wanted(images, i, wish));
  if (chosen == SIZE_MAX && !cubins)
    chosen = only_one(images, wish, WB_IMAGE_PTX);
  return chosen;
}

/* Of a list of names no more is printed: a file may hold images of any number of names. */
#define LIST_SIZE 300

/* "sm_75, sm_87, compute_90" */
static void list_names(const struct wb_images *images, const struct wb_image_wish *wish,
                       struct wb_text *list)
{
  char name[NAME_SIZE];
  size_t listed[LIST_SIZE];
  size_t count = 0;
  for (size_t i = 0; i < images->count && list->length < LIST_SIZE && count < LIST_SIZE; i++) {
    bool known = !wanted(images, i, wish);
    for (size_t l = 0; l < count && !known; l++)
      known = same_name(&images->items[listed[l]], &images->items[i]);
    if (known)
      continue;
    listed[count++] = i;
    wb_text_format(list, "%s%s", list->length > 0 ? ", " : "", name_of(&images->items[i], name));
  }
}

/* "1 (sm_75, a.o, .nv_fatbin, entry 1), 4 (sm_75, b.o, ...": those that could be meant, and how
 * many more there are. */
static void list_modules(const struct wb_images *images, const struct wb_image_wish *wish,
                         struct wb_text *list)
{
  char name[NAME_SIZE];
  size_t more = 0;
  for (size_t i = 0; i < images->count; i++) {
    if (!wanted(images, i, wish))
      continue;
    if (list->length > LIST_SIZE / 2) {
      more++;
      continue;
    }
    const struct wb_image *image = &images->items[i];
    wb_text_format(list, "%s%zu (%s%s%.60s)", list->length > 0 ? ", " : "", i + 1,
                   name_of(image, name), image->place[0] != '\0' ? ", " : "", image->place);
  }
  if (more > 0)
    wb_text_format(list, " and %zu more", more);
}

/* No module has the name or number of --module. */
static warpbound_status refuse_module(const char *name, const struct wb_images *images,
                                      const struct wb_image_wish *wish, warpbound_error *error)
{
  struct wb_image_wish any = *wish;
  struct wb_text list = {0};
  any.module = NULL;
  list_modules(images, &any, &list);
  const warpbound_status status =
      list.failed ? wb_out_of_memory(error)
                  : wb_fail(error, WARPBOUND_USAGE,
                            "--module: expected the number or name of a module with %s in %.100s, "
                            "found '%.60s'; it has %.400s",
                            wish->machine_code_only ? "machine code" : "kernels", name,
                            wish->module, list.length > 0 ? list.data : "none");
  wb_text_free(&list);
  return status;
}

/* There is no image that could be meant: what is damaged says why. */
static warpbound_status refuse_all(const char *name, const struct wb_images *images,
                                   const struct wb_image_wish *wish, warpbound_error *error)
{
  for (size_t i = 0; i < images->count; i++) {
    struct wb_image_bytes unpacked;
    if (images->items[i].damage != NULL && wb_images_is_module(images, i, wish->module))
      return wb_image_unpack(name, &images->items[i], &unpacked, error);
  }
  if (wish->module != NULL)
    return refuse_module(name, images, wish, error);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                    "expected %s, found %zu image%s without",
                    wish->machine_code_only ? "machine code (a cubin)" : "kernels", images->count,
                    images->count == 1 ? "" : "s");
}

static warpbound_status refuse(const char *name, const struct wb_images *images,
                               const struct wb_image_wish *wish, warpbound_error *error)
{
  struct wb_text list = {0};
  list_names(images, wish, &list);
  warpbound_status status;
  if (list.failed)
    status = wb_out_of_memory(error);
  else if (list.length == 0)
    status = refuse_all(name, images, wish, error);
  else if (wish->architecture != NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "--arch: expected one of %.300s, found '%.40s'",
                     list.data, wish->architecture);
  else if (wish->device > 0)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--sm: none of the code in %.100s runs on sm_%" PRIu32
                     "; it has code for %.300s: one of these by --arch, with --allow-other-sm",
                     name, wish->device, list.data);
  else
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--arch: expected one of %.300s, for %.100s has code for each, found none",
                     list.data, name);
  wb_text_free(&list);
  return status;
}

warpbound_status wb_images_choose(const char *name, const struct wb_images *images,
                                  const struct wb_image_wish *wish, bool *chosen,
                                  warpbound_error *error)
{
  const size_t meant = choose(images, wish);
  if (meant == SIZE_MAX)
    return refuse(name, images, wish, error);
  for (size_t i = 0; i < images->count; i++)
    chosen[i] = wanted(images, i, wish) && same_name(&images->items[i], &images->items[meant]);
  return WARPBOUND_OK;
}

/* ---- text and code ---- */

bool wb_binary_detect(const char *bytes, size_t length)
{
  return wb_container_kind((const unsigned char *)bytes, length) != WB_CONTAINER_NONE;
}

/* The index in the set of the one function that a user means. */
static warpbound_status find_function(const struct wb_cubin_set *set, const char *wanted,
                                      size_t *found, warpbound_error *error)
{
  *found = set->function_count;
  for (size_t f = 0; f < set->function_count; f++) {
    const char *mangled = wb_cubin_set_function(set, (uint32_t)f)->name;
    if (!wb_demangled_matches(wanted, mangled))
      continue;
    if (*found < set->function_count)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--kernel: expected the name of one function, '%.80s' may be %.100s or "
                     "%.100s%s",
                     wanted, wb_cubin_set_function(set, (uint32_t)*found)->name, mangled,
                     strstr(mangled, WB_MODULE_SUFFIX) != NULL ? " (or --module N)" : "");
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

/* The listings of all of them, or of the one with the function that is wanted. */
static warpbound_status list_cubins(const struct wb_cubin_set *set,
                                    const struct wb_binary_form *form, struct wb_text *text,
                                    warpbound_error *error)
{
  assert(form != NULL);
  struct wb_listing_options options = {.code_only = form->code_only,
                                       .without_lines = form->code_only,
                                       .without_encodings = form->code_only,
                                       .control = form->control};
  size_t function = 0;
  warpbound_status status = WARPBOUND_OK;
  if (form->kernel != NULL) {
    status = find_function(set, form->kernel, &function, error);
    if (status != WARPBOUND_OK)
      return status;
    assert(function < set->function_count);
    options.kernel = wb_cubin_set_function(set, (uint32_t)function)->name;
    return wb_cubin_listing(&set->cubins[set->functions[function].cubin].cubin, &options, text,
                            error);
  }
  for (size_t c = 0; c < set->count && status == WARPBOUND_OK; c++) {
    options.omitted = set->cubins[c].repeated;
    status = wb_cubin_listing(&set->cubins[c].cubin, &options, text, error);
  }
  return status;
}

/* The names of the functions of other cubins than the one that is read. */
static bool note_unread(const struct wb_cubin_set *set, size_t alone, struct wb_code *code)
{
  code->unread = wb_allocate(set->function_count, sizeof *code->unread);
  if (code->unread == NULL)
    return false;
  for (size_t f = 0; f < set->function_count; f++) {
    const char *name = wb_cubin_set_function(set, (uint32_t)f)->name;
    if (set->functions[f].cubin == alone)
      continue;
    code->unread[code->unread_count] = wb_name_pool_copy(&code->names, name, strlen(name));
    if (code->unread[code->unread_count++] == NULL)
      return false;
  }
  return true;
}

/* The instructions of all cubins, or of the one that is enough for the function that is wanted. */
static warpbound_status read_cubins(const char *name, const struct wb_cubin_set *set,
                                    const char *wanted, const struct request *request,
                                    warpbound_error *error)
{
  struct wb_sass_parser parser;
  struct wb_code *code = request->code;
  struct wb_text full = {0}; /* the name, where one is read alone with its module */
  const size_t alone =
      wanted != NULL && set->count > 1 ? wb_cubin_set_alone(set, wanted) : SIZE_MAX;
  wb_text_string(&full, name);
  if (alone != SIZE_MAX)
    wb_text_format(&full, ", module %zu", set->cubins[alone].module);
  bool read =
      wb_sass_begin(&parser, full.data != NULL ? full.data : "", request->options, code, error);
  if (read && (full.failed || (alone != SIZE_MAX && !note_unread(set, alone, code))))
    read = wb_sass_out_of_memory(&parser);
  wb_text_free(&full);
  snprintf(code->format, sizeof code->format, "nvdisasm");
  for (size_t c = 0; c < set->count && read; c++) {
    if (alone != SIZE_MAX && c != alone)
      continue;
    /* What another cubin holds for the one that is read alone is read of that one itself. */
    const struct wb_listing_options options = {
        .omitted = alone == SIZE_MAX ? set->cubins[c].repeated : NULL};
    read = wb_cubin_code(&set->cubins[c].cubin, &options, &parser);
  }
  return wb_sass_end(&parser, read);
}

static warpbound_status cubins_text(const char *name, const struct wb_images *images,
                                    const bool *chosen, const struct wb_image_wish *wish,
                                    const struct request *request, struct wb_text *text,
                                    warpbound_error *error)
{
  struct wb_cubin_set set;
  warpbound_status status = wb_cubin_set_open(name, images, chosen, &set, error);
  if (status == WARPBOUND_OK && request->code != NULL)
    status = read_cubins(name, &set, wish->kernel, request, error);
  else if (status == WARPBOUND_OK && request->form != NULL)
    status = list_cubins(&set, request->form, text, error);
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
                        "expected one module of PTX, found several: %.80s; %.80s; one of these by "
                        "--module %zu or %zu",
                        image->place, images->items[i].place, (size_t)(image - images->items) + 1,
                        i + 1);
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

static warpbound_status read_binary(const char *name, const char *bytes, size_t length,
                                    const struct wb_image_wish *wish, const struct request *request,
                                    struct wb_text *text, bool *ptx, warpbound_error *error)
{
  struct wb_images images = {0};
  bool *chosen = NULL;
  *ptx = false;
  warpbound_status status =
      wb_container_read(name, (const unsigned char *)bytes, length, &images, error);
  if (status == WARPBOUND_OK) {
    chosen = wb_allocate(images.count, sizeof *chosen);
    status = chosen != NULL ? wb_images_choose(name, &images, wish, chosen, error)
                            : wb_out_of_memory(error);
  }
  for (size_t i = 0; i < images.count && status == WARPBOUND_OK; i++)
    *ptx = *ptx || (chosen[i] && images.items[i].kind == WB_IMAGE_PTX);
  if (status == WARPBOUND_OK)
    status = *ptx ? ptx_text(name, &images, chosen, text, error)
                  : cubins_text(name, &images, chosen, wish, request, text, error);
  free(chosen);
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
