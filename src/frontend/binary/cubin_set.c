#include "frontend/binary/cubin_set.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same code ---- */

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

static bool same_cluster(const struct wb_cubin_facts *one, const struct wb_cubin_facts *other)
{
  return one->clustered == other->clustered && one->most_cluster == other->most_cluster &&
         memcmp(one->cluster, other->cluster, sizeof one->cluster) == 0;
}

static bool same_code(const struct code *one, const struct code *other)
{
  const struct wb_cubin_function *first = one->function, *second = other->function;
  return first->kernel == second->kernel &&
         memcmp(first->facts.required_threads, second->facts.required_threads,
                sizeof first->facts.required_threads) == 0 &&
         memcmp(first->facts.max_threads, second->facts.max_threads,
                sizeof first->facts.max_threads) == 0 &&
         same_cluster(&first->facts, &second->facts) &&
         same_section(one->cubin, first->section, other->cubin, second->section) &&
         same_section(one->cubin, one->constants, other->cubin, other->constants);
}

/* ---- functions by name ---- */

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

static warpbound_status refuse_other(const char *name, const char *function,
                                     const struct wb_open_cubin *first,
                                     const struct wb_open_cubin *second, warpbound_error *error)
{
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                    "expected one '%.100s', found two with different code: %.80s; %.80s", function,
                    first->image->place, second->image->place);
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
  return linked_from || same_code(&code_before, &code)
             ? WARPBOUND_OK
             : refuse_other(name, function->name, before, open, error);
}

/* ---- the set ---- */

static void close_cubin(struct wb_open_cubin *open)
{
  free(open->repeated);
  wb_cubin_free(&open->cubin);
  wb_image_bytes_free(&open->bytes);
}

/* The name of the file with the cubin's place in it, for messages. */
static void full_name(const char *name, const struct wb_image *image, char *full, size_t size)
{
  snprintf(full, size, "%s%s%s", name, image->place[0] != '\0' ? ", " : "", image->place);
}

static warpbound_status open_cubin(const char *name, const struct wb_image *image,
                                   struct wb_open_cubin *open, warpbound_error *error)
{
  char full[1024];
  full_name(name, image, full, sizeof full);
  *open = (struct wb_open_cubin){.image = image};
  warpbound_status status = wb_image_unpack(name, image, &open->bytes, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_cubin_read(full, open->bytes.bytes, open->bytes.length, &open->cubin, error);
  if (status == WARPBOUND_OK) {
    open->repeated = wb_allocate(open->cubin.function_count, sizeof *open->repeated);
    if (open->repeated != NULL)
      return WARPBOUND_OK;
    wb_cubin_free(&open->cubin);
    status = wb_out_of_memory(error);
  }
  wb_image_bytes_free(&open->bytes);
  return status;
}

warpbound_status wb_cubin_set_open(struct wb_cubin_set *set, const char *name,
                                   const struct wb_image *image, warpbound_error *error)
{
  if (!wb_grow(set->cubins, &set->capacity, set->count + 1))
    return wb_out_of_memory(error);
  warpbound_status status = open_cubin(name, image, &set->cubins[set->count], error);
  set->count += status == WARPBOUND_OK;
  return status;
}

warpbound_status wb_cubin_set_list(struct wb_cubin_set *set, const char *name,
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

void wb_cubin_set_free(struct wb_cubin_set *set)
{
  for (size_t c = 0; c < set->count; c++)
    close_cubin(&set->cubins[c]);
  free(set->cubins);
  free(set->functions);
  wb_hash_table_free(&set->by_name);
  *set = (struct wb_cubin_set){0};
}
