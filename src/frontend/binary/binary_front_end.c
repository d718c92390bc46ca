#include "frontend/binary/binary_front_end.h"

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "binary/container/container.h"
#include "binary/cubin/cubin.h"
#include "binary/listing/cubin_listing.h"
#include "frontend/binary/cubin_code.h"

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

static bool wanted(const struct wb_image *image, const struct wb_image_wish *wish)
{
  return image->kind == WB_IMAGE_CUBIN || (image->kind == WB_IMAGE_PTX && !wish->machine_code_only);
}

static bool same_name(const struct wb_image *one, const struct wb_image *other)
{
  char first[NAME_SIZE];
  char second[NAME_SIZE];
  return one->kind == other->kind && strcmp(name_of(one, first), name_of(other, second)) == 0;
}

/* The only image of the kind but for others with its name; SIZE_MAX where there is none or are
 * several. */
static size_t only_one(const struct wb_images *images, enum wb_image_kind kind)
{
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++) {
    if (images->items[i].kind != kind)
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
    if (wanted(&images->items[i], wish) &&
        strcmp(name_of(&images->items[i], name), wish->architecture) == 0)
      return i;
  for (size_t i = 0; i < images->count; i++)
    if (images->items[i].kind == WB_IMAGE_CUBIN &&
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

static size_t for_device(const struct wb_images *images, uint32_t device)
{
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < images->count; i++)
    if (runs_on(&images->items[i], device) &&
        (best == SIZE_MAX || images->items[i].architecture > images->items[best].architecture))
      best = i;
  return best;
}

static size_t choose(const struct wb_images *images, const struct wb_image_wish *wish)
{
  if (wish->architecture != NULL)
    return named(images, wish);
  size_t chosen = only_one(images, WB_IMAGE_CUBIN);
  if (chosen == SIZE_MAX && wish->device > 0)
    chosen = for_device(images, wish->device);
  bool cubins = false;
  for (size_t i = 0; i < images->count; i++)
    cubins = cubins || images->items[i].kind == WB_IMAGE_CUBIN;
  if (chosen == SIZE_MAX && !cubins && !wish->machine_code_only)
    chosen = only_one(images, WB_IMAGE_PTX);
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
    bool known = !wanted(&images->items[i], wish);
    for (size_t l = 0; l < count && !known; l++)
      known = same_name(&images->items[listed[l]], &images->items[i]);
    if (known)
      continue;
    listed[count++] = i;
    wb_text_format(list, "%s%s", list->length > 0 ? ", " : "", name_of(&images->items[i], name));
  }
}

/* There is no image that could be meant: what is damaged says why. */
static warpbound_status refuse_all(const char *name, const struct wb_images *images,
                                   const struct wb_image_wish *wish, warpbound_error *error)
{
  for (size_t i = 0; i < images->count; i++) {
    struct wb_image_bytes unpacked;
    if (images->items[i].damage != NULL)
      return wb_image_unpack(name, &images->items[i], &unpacked, error);
  }
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
    chosen[i] = same_name(&images->items[i], &images->items[meant]);
  return WARPBOUND_OK;
}

/* ---- the cubins that are read together, with each function once ---- */

/* A cubin, its bytes, and which of its functions an earlier one holds already. */
struct wb_open_cubin {
  const struct wb_image *image;
  struct wb_image_bytes bytes;
  struct wb_cubin cubin;
  bool *repeated; /* by index of cubin.functions */
};

/* A function with a section of its own, in the order in which they were met. */
struct wb_open_function {
  size_t cubin;     /* index of cubins */
  size_t function;  /* index of its functions */
  size_t constants; /* the section of its jump tables and literals, or WB_CUBIN_NONE */
};

/* Zero it; free with wb_cubin_set_free. */
struct wb_cubin_set {
  struct wb_open_cubin *cubins;
  size_t count;
  size_t capacity;
  struct wb_open_function *functions; /* no two of one name */
  size_t function_count;
  size_t function_capacity;
  struct wb_hash_table by_name; /* of functions */
};

/* The section of constants of a function: its jump tables and literals. */
#define CONSTANTS ".nv.constant2."

/* Symbols are the same that have the same name. */
static bool same_relocations(const struct wb_cubin *one, const struct wb_cubin_section *first,
                             const struct wb_cubin *other, const struct wb_cubin_section *second)
{
  if (first->relocations.count != second->relocations.count)
    return false;
  for (size_t r = 0; r < first->relocations.count; r++) {
    const struct wb_cubin_relocation *a = &one->relocations[first->relocations.first + r];
    const struct wb_cubin_relocation *b = &other->relocations[second->relocations.first + r];
    if (a->offset != b->offset || a->type != b->type || a->addend != b->addend ||
        strcmp(one->symbols[a->symbol].name, other->symbols[b->symbol].name) != 0)
      return false;
  }
  return true;
}

static bool same_section(const struct wb_cubin *one, size_t first, const struct wb_cubin *other,
                         size_t second)
{
  if (first == WB_CUBIN_NONE || second == WB_CUBIN_NONE)
    return first == second;
  const struct wb_cubin_section *a = &one->sections[first];
  const struct wb_cubin_section *b = &other->sections[second];
  return a->size == b->size && (a->bytes == NULL) == (b->bytes == NULL) &&
         (a->bytes == NULL || memcmp(a->bytes, b->bytes, a->size) == 0) &&
         same_relocations(one, a, other, b);
}

/* A function, and the section of its constants. */
struct code {
  const struct wb_cubin *cubin;
  const struct wb_cubin_function *function;
  size_t constants;
};

/* What a launch may ask for, the instructions, the jump tables and literals. */
static bool same_code(const struct code *one, const struct code *other)
{
  const struct wb_cubin_function *first = one->function, *second = other->function;
  const struct wb_cubin_facts *a = &first->facts, *b = &second->facts;
  return first->kernel == second->kernel && a->clustered == b->clustered &&
         a->most_cluster == b->most_cluster &&
         memcmp(a->required_threads, b->required_threads, sizeof a->required_threads) == 0 &&
         memcmp(a->max_threads, b->max_threads, sizeof a->max_threads) == 0 &&
         memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
         same_section(one->cubin, first->section, other->cubin, second->section) &&
         same_section(one->cubin, one->constants, other->cubin, other->constants);
}

static const struct wb_cubin_function *function_at(const struct wb_cubin_set *set, uint32_t item)
{
  const struct wb_open_function *open = &set->functions[item];
  return &set->cubins[open->cubin].cubin.functions[open->function];
}

static bool has_name(const void *items, uint32_t item, const void *key)
{
  return strcmp(function_at(items, item)->name, key) == 0;
}

static uint64_t hash_of_name(const char *name)
{
  uint64_t hash = WB_HASH_START;
  for (; *name != '\0'; name++)
    hash = wb_hash_byte(hash, (uint8_t)*name);
  return hash;
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  return hash_of_name(function_at(items, item)->name);
}

/* Lists a function, or marks it as repeated. */
static warpbound_status add_function(struct wb_cubin_set *set, const char *name, size_t cubin,
                                     size_t index, warpbound_error *error)
{
  struct wb_open_cubin *open = &set->cubins[cubin];
  const struct wb_cubin_function *function = &open->cubin.functions[index];
  if (!wb_grow(set->functions, &set->function_capacity, set->function_count + 1) ||
      !wb_hash_table_grow(&set->by_name, set->function_count, hash_of, set))
    return wb_out_of_memory(error);
  uint32_t *slot = wb_hash_table_slot(&set->by_name, hash_of_name(function->name), has_name, set,
                                      function->name);
  const struct code code = {&open->cubin, function,
                            wb_cubin_section_of(&open->cubin, function->section, CONSTANTS)};
  if (*slot == 0) {
    set->functions[set->function_count] = (struct wb_open_function){cubin, index, code.constants};
    *slot = (uint32_t)++set->function_count;
    return WARPBOUND_OK;
  }
  const struct wb_open_cubin *before = &set->cubins[set->functions[*slot - 1].cubin];
  const struct code code_before = {&before->cubin, function_at(set, *slot - 1),
                                   set->functions[*slot - 1].constants};
  open->repeated[index] = true;
  const bool linked_from = open->cubin.relocatable && !before->cubin.relocatable;
  if (linked_from || same_code(&code_before, &code))
    return WARPBOUND_OK;
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                    "expected one '%.100s', found two with different code: %.80s; %.80s",
                    function->name, before->image->place, open->image->place);
}

/* Once all are open: lists their functions, and marks those that stand more than once. Of a linked
 * cubin and a relocatable one that it may have been linked from, the linked one counts. Errors:
 * WARPBOUND_INVALID_INPUT for a function that two linked ones, or two relocatable ones, have with
 * different code. */
static warpbound_status list_functions(struct wb_cubin_set *set, const char *name,
                                       warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (int relocatable = 0; relocatable < 2; relocatable++) {
    for (size_t c = 0; c < set->count; c++) {
      const struct wb_cubin *cubin = &set->cubins[c].cubin;
      if (cubin->relocatable != (relocatable == 1))
        continue;
      for (size_t f = 0; f < cubin->function_count && status == WARPBOUND_OK; f++)
        if (!cubin->functions[f].inner)
          status = add_function(set, name, c, f, error);
    }
  }
  return status;
}

/* Opens the cubin of an image and adds it to the set. */
static warpbound_status open_cubin(struct wb_cubin_set *set, const char *name,
                                   const struct wb_image *image, warpbound_error *error)
{
  char full[1024]; /* with the cubin's place in the file, for messages */
  if (!wb_grow(set->cubins, &set->capacity, set->count + 1))
    return wb_out_of_memory(error);
  struct wb_open_cubin *open = &set->cubins[set->count++];
  *open = (struct wb_open_cubin){.image = image};
  snprintf(full, sizeof full, "%s%s%s", name, image->place[0] != '\0' ? ", " : "", image->place);
  warpbound_status status = wb_image_unpack(name, image, &open->bytes, error);
  if (status == WARPBOUND_OK)
    status = wb_cubin_read(full, open->bytes.bytes, open->bytes.length, &open->cubin, error);
  if (status != WARPBOUND_OK)
    return status;
  open->repeated = wb_allocate(open->cubin.function_count, sizeof *open->repeated);
  return open->repeated != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

static void free_set(struct wb_cubin_set *set)
{
  for (size_t c = 0; c < set->count; c++) {
    free(set->cubins[c].repeated);
    wb_cubin_free(&set->cubins[c].cubin);
    wb_image_bytes_free(&set->cubins[c].bytes);
  }
  free(set->cubins);
  free(set->functions);
  wb_hash_table_free(&set->by_name);
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
    const char *mangled = function_at(set, (uint32_t)f)->name;
    if (!wb_demangled_matches(wanted, mangled))
      continue;
    if (*found < set->function_count)
      return wb_fail(error, WARPBOUND_USAGE,
                     "--kernel: expected the name of one function, '%.80s' may be %.100s or "
                     "%.100s",
                     wanted, function_at(set, (uint32_t)*found)->name, mangled);
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
                                       .without_encodings = form->code_only};
  size_t function = 0;
  warpbound_status status = WARPBOUND_OK;
  if (form->kernel != NULL) {
    status = find_function(set, form->kernel, &function, error);
    if (status != WARPBOUND_OK)
      return status;
    assert(function < set->function_count);
    options.kernel = function_at(set, (uint32_t)function)->name;
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
      status = open_cubin(&set, name, &images->items[i], error);
  if (status == WARPBOUND_OK)
    status = list_functions(&set, name, error);
  if (status == WARPBOUND_OK && set.function_count == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected a function in its machine code, found none");
  if (status == WARPBOUND_OK && request->code == NULL) {
    status = list_cubins(&set, request->form, text, error);
  } else if (status == WARPBOUND_OK) {
    struct wb_sass_parser parser;
    bool read = wb_sass_begin(&parser, name, request->options, request->code, error);
    snprintf(request->code->format, sizeof request->code->format, "nvdisasm");
    for (size_t c = 0; c < set.count && read; c++) {
      const struct wb_listing_options options = {.omitted = set.cubins[c].repeated};
      read = wb_cubin_code(&set.cubins[c].cubin, &options, &parser);
    }
    status = wb_sass_end(&parser, read);
  }
  free_set(&set);
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
                  : cubins_text(name, &images, chosen, request, text, error);
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
