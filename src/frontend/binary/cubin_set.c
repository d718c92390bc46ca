#include "frontend/binary/cubin_set.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const struct wb_cubin_function *wb_cubin_set_function(const struct wb_cubin_set *set, uint32_t item)
{
  const struct wb_open_function *open = &set->functions[item];
  return &set->cubins[open->cubin].cubin.functions[open->function];
}

static bool has_name(const void *items, uint32_t item, const void *key)
{
  const struct wb_cubin_set *set = items;
  return strcmp(wb_cubin_set_function(set, set->names[item])->name, key) == 0;
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
  const struct wb_cubin_set *set = items;
  return hash_of_name(wb_cubin_set_function(set, set->names[item])->name);
}

static bool linked_from(const struct wb_open_cubin *open, const struct wb_open_cubin *before)
{
  return open->cubin.relocatable && !before->cubin.relocatable;
}

/* Whether modules have different code of a name. */
static bool has_several(const struct wb_cubin_set *set, uint32_t name)
{
  return set->functions[set->names[name]].next != 0;
}

/* Lists a function of a name, which then stands for itself. */
static warpbound_status list_function(struct wb_cubin_set *set, size_t cubin, size_t index,
                                      uint32_t name, warpbound_error *error)
{
  struct wb_open_cubin *open = &set->cubins[cubin];
  const size_t section = open->cubin.functions[index].section;
  if (!wb_grow(set->functions, &set->function_capacity, set->function_count + 1))
    return wb_out_of_memory(error);
  const uint32_t number = (uint32_t)set->function_count++;
  set->functions[number] = (struct wb_open_function){
      cubin, index, wb_cubin_section_of(&open->cubin, section, CONSTANTS), 0};
  open->parts[index] = (struct wb_open_part){name, number};
  open->repeated[index] = false;
  if (name == set->name_count) {
    set->names[set->name_count++] = number;
    return WARPBOUND_OK;
  }
  struct wb_open_function *first = &set->functions[set->names[name]];
  set->functions[number].next = first->next;
  first->next = number + 1;
  return WARPBOUND_OK;
}

/* Of more functions of one name it is not asked which are the same. */
#define MOST_COMPARED 64

/* Lists a function, or marks it as repeated where one that is listed has its code, or was linked
 * from it. */
static warpbound_status add_function(struct wb_cubin_set *set, size_t cubin, size_t index,
                                     warpbound_error *error)
{
  struct wb_open_cubin *open = &set->cubins[cubin];
  const struct wb_cubin_function *function = &open->cubin.functions[index];
  if (!wb_grow(set->names, &set->name_capacity, set->name_count + 1) ||
      !wb_hash_table_grow(&set->by_name, set->name_count, hash_of, set))
    return wb_out_of_memory(error);
  uint32_t *slot = wb_hash_table_slot(&set->by_name, hash_of_name(function->name), has_name, set,
                                      function->name);
  if (*slot == 0) {
    const warpbound_status status =
        list_function(set, cubin, index, (uint32_t)set->name_count, error);
    *slot = status == WARPBOUND_OK ? (uint32_t)set->name_count : 0;
    return status;
  }
  const uint32_t name = *slot - 1;
  const struct code code = {&open->cubin, function,
                            wb_cubin_section_of(&open->cubin, function->section, CONSTANTS)};
  uint32_t next = set->names[name] + 1;
  for (size_t compared = 0; next != 0 && compared < MOST_COMPARED; compared++) {
    const struct wb_open_function *other = &set->functions[next - 1];
    const struct wb_open_cubin *before = &set->cubins[other->cubin];
    const struct code code_before = {&before->cubin, wb_cubin_set_function(set, next - 1),
                                     other->constants};
    if (linked_from(open, before) || same_code(&code_before, &code)) {
      open->repeated[index] = true;
      open->parts[index] = (struct wb_open_part){name, next - 1};
      return WARPBOUND_OK;
    }
    next = other->next;
  }
  return list_function(set, cubin, index, name, error);
}

/* Whether what a section refers to has a name that stands for different code in several modules;
 * `all`: whether it refers to any function. */
static bool refers_to_several(const struct wb_cubin_set *set, const struct wb_cubin *cubin,
                              size_t number, bool all)
{
  if (number == WB_CUBIN_NONE)
    return false;
  const struct wb_cubin_slice *slice = &cubin->sections[number].relocations;
  for (size_t r = slice->first; r < slice->first + slice->count; r++) {
    const char *name = cubin->symbols[cubin->relocations[r].symbol].name;
    const uint32_t slot =
        *wb_hash_table_slot(&set->by_name, hash_of_name(name), has_name, set, name);
    if (slot != 0 && (all || has_several(set, slot - 1)))
      return true;
  }
  return false;
}

/* After so many rounds every repeated function that refers to another is listed by itself. */
#define ROUNDS 8

/* Two functions with the same code are two where that calls, by one name, what differs between
 * their modules. */
static warpbound_status part_callers(struct wb_cubin_set *set, warpbound_error *error)
{
  bool changed = set->function_count > set->name_count;
  for (unsigned round = 0; changed; round++) {
    changed = false;
    for (size_t c = 0; c < set->count; c++) {
      const struct wb_open_cubin *open = &set->cubins[c];
      for (size_t f = 0; f < open->cubin.function_count; f++) {
        if (open->cubin.functions[f].inner || !open->repeated[f] ||
            linked_from(open, &set->cubins[set->functions[open->parts[f].listed].cubin]))
          continue;
        const size_t section = open->cubin.functions[f].section;
        const size_t constants = wb_cubin_section_of(&open->cubin, section, CONSTANTS);
        if (!refers_to_several(set, &open->cubin, section, round >= ROUNDS) &&
            !refers_to_several(set, &open->cubin, constants, round >= ROUNDS))
          continue;
        const warpbound_status status = list_function(set, c, f, open->parts[f].name, error);
        if (status != WARPBOUND_OK)
          return status;
        changed = true;
      }
    }
  }
  return WARPBOUND_OK;
}

/* NAME@module_3; NULL: out of memory. */
static const char *with_module(struct wb_cubin_set *set, const char *name, size_t module)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%s" WB_MODULE_SUFFIX "%zu", name, module);
  const char *kept = text.failed ? NULL : wb_name_pool_copy(&set->made, text.data, text.length);
  wb_text_free(&text);
  return kept;
}

/* Whether a section is named for a function: ".nv.info.NAME". */
static bool ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), of_end = strlen(end);
  return length > of_end && text[length - of_end - 1] == '.' &&
         strcmp(text + length - of_end, end) == 0;
}

/* Names a function of several modules with different code after the module that it is of: the
 * symbol, and in its own module all sections. */
static bool name_after_module(struct wb_cubin_set *set, size_t c, size_t f)
{
  struct wb_open_cubin *open = &set->cubins[c];
  struct wb_cubin *cubin = &open->cubin;
  struct wb_cubin_function *function = &cubin->functions[f];
  const size_t module = set->cubins[set->functions[open->parts[f].listed].cubin].module;
  const char *name = with_module(set, function->name, module);
  if (name == NULL)
    return false;
  struct wb_cubin_section *section = &cubin->sections[function->section];
  const struct wb_cubin_slice attached = section->attached;
  for (size_t a = 0; a <= attached.count; a++) {
    struct wb_cubin_section *part =
        a == 0 ? section : &cubin->sections[cubin->attached[attached.first + a - 1]];
    if (ends_with(part->name, function->name)) {
      part->name = with_module(set, part->name, module);
      if (part->name == NULL)
        return false;
    }
  }
  cubin->symbols[function->symbol].name = name;
  function->name = name;
  return true;
}

/* Of a linked cubin and a relocatable one that it may have been linked from, the linked one counts.
 */
static warpbound_status list_functions(struct wb_cubin_set *set, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (int relocatable = 0; relocatable < 2; relocatable++) {
    for (size_t c = 0; c < set->count; c++) {
      const struct wb_cubin *cubin = &set->cubins[c].cubin;
      if (cubin->relocatable != (relocatable == 1))
        continue;
      for (size_t f = 0; f < cubin->function_count && status == WARPBOUND_OK; f++)
        if (!cubin->functions[f].inner)
          status = add_function(set, c, f, error);
    }
  }
  if (status == WARPBOUND_OK)
    status = part_callers(set, error);
  for (size_t c = 0; c < set->count && status == WARPBOUND_OK; c++) {
    const struct wb_open_cubin *open = &set->cubins[c];
    for (size_t f = 0; f < open->cubin.function_count && status == WARPBOUND_OK; f++)
      if (!open->cubin.functions[f].inner && has_several(set, open->parts[f].name) &&
          !name_after_module(set, c, f))
        status = wb_out_of_memory(error);
  }
  return status;
}

/* Whether a cubin has all that it refers to. What a linked cubin has stands for what it was linked
 * from. */
static bool is_closed(const struct wb_cubin_set *set, const struct wb_open_cubin *open)
{
  const struct wb_cubin *cubin = &open->cubin;
  for (size_t f = 0; f < cubin->function_count; f++)
    if (!cubin->functions[f].inner && open->repeated[f] &&
        linked_from(open, &set->cubins[set->functions[open->parts[f].listed].cubin]))
      return false;
  for (size_t r = 0; r < cubin->relocation_count; r++) {
    const struct wb_cubin_symbol *symbol = &cubin->symbols[cubin->relocations[r].symbol];
    if (!symbol->defined && *wb_hash_table_slot(&set->by_name, hash_of_name(symbol->name), has_name,
                                                set, symbol->name) != 0)
      return false;
  }
  return true;
}

size_t wb_cubin_set_alone(const struct wb_cubin_set *set, const char *function)
{
  size_t found = SIZE_MAX;
  for (size_t f = 0; f < set->function_count; f++) {
    if (!wb_demangled_matches(function, wb_cubin_set_function(set, (uint32_t)f)->name))
      continue;
    if (found != SIZE_MAX && found != set->functions[f].cubin)
      return SIZE_MAX;
    found = set->functions[f].cubin;
  }
  return found != SIZE_MAX && is_closed(set, &set->cubins[found]) ? found : SIZE_MAX;
}

/* Opens the cubin of an image and adds it to the set. */
static warpbound_status open_cubin(struct wb_cubin_set *set, const char *name,
                                   const struct wb_images *images, size_t i, warpbound_error *error)
{
  const struct wb_image *image = &images->items[i];
  char full[1024]; /* with the cubin's place in the file, for messages */
  if (!wb_grow(set->cubins, &set->capacity, set->count + 1))
    return wb_out_of_memory(error);
  struct wb_open_cubin *open = &set->cubins[set->count++];
  *open = (struct wb_open_cubin){.module = i + 1};
  snprintf(full, sizeof full, "%s%s%s", name, image->place[0] != '\0' ? ", " : "", image->place);
  warpbound_status status = wb_image_unpack(name, image, &open->bytes, error);
  if (status == WARPBOUND_OK)
    status = wb_cubin_read(full, open->bytes.bytes, open->bytes.length, &open->cubin, error);
  if (status != WARPBOUND_OK)
    return status;
  open->repeated = wb_allocate(open->cubin.function_count, sizeof *open->repeated);
  open->parts = wb_allocate(open->cubin.function_count, sizeof *open->parts);
  return open->repeated != NULL && open->parts != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_cubin_set_free(struct wb_cubin_set *set)
{
  for (size_t c = 0; c < set->count; c++) {
    free(set->cubins[c].repeated);
    free(set->cubins[c].parts);
    wb_cubin_free(&set->cubins[c].cubin);
    wb_image_bytes_free(&set->cubins[c].bytes);
  }
  free(set->cubins);
  free(set->functions);
  free(set->names);
  wb_name_pool_free(&set->made);
  wb_hash_table_free(&set->by_name);
}

warpbound_status wb_cubin_set_open(const char *name, const struct wb_images *images,
                                   const bool *chosen, struct wb_cubin_set *set,
                                   warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  uint64_t bytes = 0;
  *set = (struct wb_cubin_set){0};
  for (size_t i = 0; i < images->count; i++)
    bytes += chosen[i] ? images->items[i].length : 0;
  if (bytes > WB_CONTAINER_BYTES_LIMIT)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                      "expected cubins of at most %llu bytes together, found %llu: one of them by "
                      "--module",
                      (unsigned long long)WB_CONTAINER_BYTES_LIMIT, (unsigned long long)bytes);
  for (size_t i = 0; i < images->count && status == WARPBOUND_OK; i++)
    if (chosen[i])
      status = open_cubin(set, name, images, i, error);
  if (status == WARPBOUND_OK)
    status = list_functions(set, error);
  if (status == WARPBOUND_OK && set->function_count == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected a function in its machine code, found none");
  return status;
}
