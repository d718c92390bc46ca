/* What sections .nv.info (of all functions) and .nv.info.NAME (of one) say: a list of records of a
 * format, an attribute and a value. */
#include "binary/cubin/cubin_reader.h"

#include "base/little_endian.h"
#include "base/memory.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* sh_type of these sections. */
#define SHT_CUDA_INFO 0x70000000u

/* How a record gives its value: not at all, in one or two bytes of its head, or in as many bytes
 * after it as the head says. */
enum { FORMAT_NONE = 1, FORMAT_BYTE = 2, FORMAT_HALF = 3, FORMAT_SIZED = 4 };

enum {
  MAX_THREADS = 0x05,
  PARAM_CBANK = 0x0a,
  REQNTID = 0x10,
  FRAME_SIZE = 0x11,
  MIN_STACK_SIZE = 0x12,
  KPARAM_INFO = 0x17,
  CBANK_PARAM_SIZE = 0x19,
  MAXREG_COUNT = 0x1b,
  EXIT_INSTR_OFFSETS = 0x1c,
  S2RCTAID_INSTR_OFFSETS = 0x1d,
  CRS_STACK_SIZE = 0x1e,
  MAX_STACK_SIZE = 0x23,
  COOP_GROUP_INSTR_OFFSETS = 0x28,
  REGCOUNT = 0x2f,
  INT_WARP_WIDE_INSTR_OFFSETS = 0x31,
  INDIRECT_BRANCH_TARGETS = 0x34,
  CUDA_API_VERSION = 0x37,
  CTA_PER_CLUSTER = 0x3d,
  EXPLICIT_CLUSTER = 0x3e,
  MAX_CLUSTER_RANK = 0x3f,
  KPARAM_INFO_V2 = 0x45,
  SYSCALL_OFFSETS = 0x46,
  NUM_BARRIERS = 0x4c
};

#define MEMBER(name) offsetof(struct wb_cubin_facts, name)

/* Attributes of one number or of a few of them, and where they go. */
static const struct {
  unsigned char attribute;
  unsigned char count;
  bool symbol; /* the number comes after that of the function's symbol */
  size_t member;
} numbers[] = {
    {MAX_THREADS, 3, false, MEMBER(max_threads)},
    {REQNTID, 3, false, MEMBER(required_threads)},
    {CTA_PER_CLUSTER, 3, false, MEMBER(cluster)},
    {MAX_CLUSTER_RANK, 1, false, MEMBER(most_cluster)},
    {FRAME_SIZE, 1, true, MEMBER(frame)},
    {MIN_STACK_SIZE, 1, true, MEMBER(min_stack)},
    {MAX_STACK_SIZE, 1, true, MEMBER(max_stack)},
    {REGCOUNT, 1, true, MEMBER(registers)},
    {CBANK_PARAM_SIZE, 1, false, MEMBER(parameter_size)},
    {MAXREG_COUNT, 1, false, MEMBER(max_registers)},
    {CRS_STACK_SIZE, 1, false, MEMBER(reconvergence_size)},
    {CUDA_API_VERSION, 1, false, MEMBER(api_version)},
    {NUM_BARRIERS, 1, false, MEMBER(barriers)},
};

/* Attributes that are lists of offsets in the function's section, and where they go. */
static const struct {
  unsigned char attribute;
  size_t member;
} lists[] = {
    {EXIT_INSTR_OFFSETS, MEMBER(exits)},
    {S2RCTAID_INSTR_OFFSETS, MEMBER(block_reads)},
    {INT_WARP_WIDE_INSTR_OFFSETS, MEMBER(warp_wide)},
    {COOP_GROUP_INSTR_OFFSETS, MEMBER(cooperative)},
    {SYSCALL_OFFSETS, MEMBER(system_calls)},
};

#define LIST_COUNT (sizeof lists / sizeof *lists)

/* One record. */
struct record {
  unsigned attribute;
  const unsigned char *data; /* its value, of any format */
  size_t size;
  uint64_t place; /* in the file */
};

/* The walk over all records. It is done twice, since a list may come in several records: first
 * lists are counted, then filled. */
struct walk {
  struct wb_cubin_reader *reader;
  struct wb_cubin *cubin;
  bool filling;
  size_t section;                     /* whose records they are */
  struct wb_cubin_function *function; /* whom they are about; NULL in .nv.info */
  size_t target_count;                /* targets of indirect branches so far */
  size_t next_target;                 /* in offsets[], when filling */
};

static bool fail_record(const struct walk *walk, const struct record *record, const char *expected)
{
  return wb_cubin_fail(walk->reader,
                       "section %zu (%.100s), attribute 0x%02x at offset 0x%llx: expected %s",
                       walk->section, walk->cubin->sections[walk->section].name, record->attribute,
                       (unsigned long long)record->place, expected);
}

/* A number of a record, of as many bytes as its format has. */
static uint32_t number_at(const struct record *record, size_t at)
{
  uint32_t number = 0;
  for (size_t b = 0; b < 4 && at + b < record->size; b++)
    number |= (uint32_t)record->data[at + b] << 8 * b;
  return number;
}

/* The function of a symbol that a record names; *found is NULL for a symbol of another kind. */
static bool find_function(const struct walk *walk, const struct record *record,
                          struct wb_cubin_function **found)
{
  const uint32_t symbol = number_at(record, 0);
  if (symbol >= walk->cubin->symbol_count)
    return fail_record(walk, record, "the number of a symbol");
  const uint32_t function = walk->reader->functions[symbol];
  *found = function != UINT32_MAX ? &walk->cubin->functions[function] : NULL;
  return true;
}

static bool read_numbers(const struct walk *walk, const struct record *record, size_t row)
{
  struct wb_cubin_function *function = walk->function;
  size_t at = 0;
  if (numbers[row].symbol && record->size >= 8) {
    if (!find_function(walk, record, &function))
      return false;
    at = 4;
  }
  if (function == NULL || record->size == 0)
    return true;
  if (numbers[row].count > 1 && record->size < (size_t)4 * numbers[row].count)
    return fail_record(walk, record, "a number for each of x, y and z");
  uint32_t *member = (uint32_t *)(void *)((char *)&function->facts + numbers[row].member);
  for (size_t i = 0; i < numbers[row].count; i++)
    member[i] = number_at(record, at + 4 * i);
  return true;
}

/* The digit of a constant bank in a section's name, ".nv.constant0.NAME". */
static uint32_t bank_of(const struct wb_cubin *cubin, const struct wb_cubin_symbol *symbol)
{
  static const char prefix[] = ".nv.constant";
  const char *name = symbol->defined ? cubin->sections[symbol->section].name : "";
  for (size_t i = 0; i + 1 < sizeof prefix; i++) {
    if (name[i] != prefix[i])
      return 0;
  }
  const char digit = name[sizeof prefix - 1];
  return digit >= '0' && digit <= '9' ? (uint32_t)(digit - '0') : 0;
}

static bool read_bank(const struct walk *walk, const struct record *record)
{
  const uint32_t symbol = number_at(record, 0);
  if (record->size < 8 || symbol >= walk->cubin->symbol_count)
    return fail_record(walk, record, "a symbol, an offset and a size");
  struct wb_cubin_facts *facts = &walk->function->facts;
  facts->parameter_bank = bank_of(walk->cubin, &walk->cubin->symbols[symbol]);
  facts->parameter_base = wb_u16(record->data + 4);
  facts->parameter_size = wb_u16(record->data + 6);
  return true;
}

/* One parameter: of the first kind with its size above 18 other bits, of the second, for sizes that
 * do not fit there, with a word of its own. */
static bool read_parameter(const struct walk *walk, const struct record *record)
{
  if (record->size < 12)
    return fail_record(walk, record, "12 bytes");
  struct wb_cubin_slice *slice = &walk->function->facts.parameters;
  if (walk->filling) {
    const uint32_t last = wb_u32(record->data + 8);
    walk->cubin->parameters[slice->first + slice->count] = (struct wb_cubin_parameter){
        .ordinal = wb_u16(record->data + 4),
        .offset = wb_u16(record->data + 6),
        .size = record->attribute == KPARAM_INFO ? last >> 18 : last,
    };
  }
  slice->count++;
  return true;
}

/* Whether an offset is of an instruction of the function's section. */
static bool check_offset(const struct walk *walk, const struct record *record, uint32_t offset)
{
  if (offset < walk->cubin->sections[walk->function->section].size)
    return true;
  return fail_record(walk, record, "offsets within the function's section");
}

static bool read_list(const struct walk *walk, const struct record *record, size_t row)
{
  struct wb_cubin_slice *slice =
      (struct wb_cubin_slice *)(void *)((char *)&walk->function->facts + lists[row].member);
  if (record->size % 4 != 0)
    return fail_record(walk, record, "offsets of four bytes");
  for (size_t at = 0; at < record->size; at += 4) {
    const uint32_t offset = wb_u32(record->data + at);
    if (!check_offset(walk, record, offset))
      return false;
    if (walk->filling)
      walk->cubin->offsets[slice->first + slice->count] = offset;
    slice->count++;
  }
  return true;
}

/* The targets of one indirect branch: offset, a word of no known use, their number, and they. */
static bool read_branch(struct walk *walk, const struct record *record, size_t at, uint32_t count)
{
  struct wb_cubin_slice *slice = &walk->function->facts.branches;
  const uint32_t place = wb_u32(record->data + at);
  if (!check_offset(walk, record, place))
    return false;
  if (walk->filling)
    walk->cubin->branches[slice->first + slice->count] =
        (struct wb_cubin_branch){.at = place, .targets = {walk->next_target, count}};
  slice->count++;
  walk->target_count += count;
  for (uint32_t t = 0; t < count; t++) {
    const uint32_t target = wb_u32(record->data + at + 12 + 4 * (size_t)t);
    if (!check_offset(walk, record, target))
      return false;
    if (walk->filling)
      walk->cubin->offsets[walk->next_target++] = target;
  }
  return true;
}

static bool read_branches(struct walk *walk, const struct record *record)
{
  size_t at = 0;
  while (at < record->size) {
    if (record->size - at < 12)
      return fail_record(walk, record, "12 bytes before the targets of a branch");
    const uint32_t count = wb_u32(record->data + at + 8);
    if (count > (record->size - at - 12) / 4)
      return fail_record(walk, record, "as many targets of a branch as it says");
    if (!read_branch(walk, record, at, count))
      return false;
    at += 12 + 4 * (size_t)count;
  }
  return true;
}

/* Records of all kinds that are not understood are passed over. */
static bool read_record(struct walk *walk, const struct record *record)
{
  for (size_t row = 0; row < sizeof numbers / sizeof *numbers; row++) {
    if (numbers[row].attribute == record->attribute)
      return read_numbers(walk, record, row);
  }
  if (walk->function == NULL)
    return true;
  for (size_t row = 0; row < LIST_COUNT; row++) {
    if (lists[row].attribute == record->attribute)
      return read_list(walk, record, row);
  }
  switch (record->attribute) {
  case EXPLICIT_CLUSTER:
    walk->function->facts.clustered = true;
    return true;
  case PARAM_CBANK:
    return read_bank(walk, record);
  case KPARAM_INFO:
  case KPARAM_INFO_V2:
    return read_parameter(walk, record);
  case INDIRECT_BRANCH_TARGETS:
    return read_branches(walk, record);
  default:
    return true;
  }
}

/* The record at *at of the section, and *at behind it. */
static bool next_record(const struct walk *walk, uint64_t *at, struct record *record)
{
  const struct wb_cubin_section *section = &walk->cubin->sections[walk->section];
  const unsigned char *head = section->bytes + *at;
  *record = (struct record){.place = section->place + *at};
  if (section->size - *at < 4)
    return fail_record(walk, record, "a record of four bytes");
  *record = (struct record){.attribute = head[1], .data = head + 2, .place = section->place + *at};
  *at += 4;
  switch (head[0]) {
  case FORMAT_NONE:
    return true;
  case FORMAT_BYTE:
    record->size = 1;
    return true;
  case FORMAT_HALF:
    record->size = 2;
    return true;
  case FORMAT_SIZED:
    record->size = wb_u16(head + 2);
    record->data = head + 4;
    if (record->size > section->size - *at)
      return fail_record(walk, record, "a value within its section");
    *at += record->size;
    return true;
  default:
    return fail_record(walk, record, "format 1, 2, 3 or 4");
  }
}

static bool walk_section(struct walk *walk, size_t number)
{
  struct wb_cubin *cubin = walk->cubin;
  const struct wb_cubin_section *section = &cubin->sections[number];
  walk->section = number;
  walk->function = NULL;
  if (section->info > 0 && section->info < cubin->section_count) {
    const size_t function = cubin->sections[section->info].function;
    if (function == WB_CUBIN_NONE)
      return true;
    walk->function = &cubin->functions[function];
  }
  for (uint64_t at = 0; at < section->size;) {
    struct record record;
    if (!next_record(walk, &at, &record) || !read_record(walk, &record))
      return false;
  }
  return true;
}

static bool walk_all(struct walk *walk)
{
  for (size_t s = 1; s < walk->cubin->section_count; s++) {
    const struct wb_cubin_section *section = &walk->cubin->sections[s];
    const bool info = section->type == SHT_CUDA_INFO && section->bytes != NULL;
    if (!info && strncmp(section->name, ".nv.info", strlen(".nv.info")) == 0)
      return wb_cubin_fail(walk->reader,
                           "section %zu (%.100s): expected a section of attributes (type 0x%x), "
                           "found type 0x%lx",
                           s, section->name, SHT_CUDA_INFO, (unsigned long)section->type);
    if (info && !walk_section(walk, s))
      return false;
  }
  return true;
}

/* Gives a list that was counted its place after *first others, and empties it. */
static void place(struct wb_cubin_slice *slice, size_t *first)
{
  slice->first = *first;
  *first += slice->count;
  slice->count = 0;
}

static bool place_lists(struct walk *walk)
{
  struct wb_cubin *cubin = walk->cubin;
  for (size_t f = 0; f < cubin->function_count; f++) {
    struct wb_cubin_facts *facts = &cubin->functions[f].facts;
    place(&facts->parameters, &cubin->parameter_count);
    place(&facts->branches, &cubin->branch_count);
    for (size_t row = 0; row < LIST_COUNT; row++)
      place((struct wb_cubin_slice *)(void *)((char *)facts + lists[row].member),
            &cubin->offset_count);
  }
  walk->next_target = cubin->offset_count;
  cubin->offset_count += walk->target_count;
  cubin->parameters = wb_allocate(cubin->parameter_count, sizeof *cubin->parameters);
  cubin->branches = wb_allocate(cubin->branch_count, sizeof *cubin->branches);
  cubin->offsets = wb_allocate(cubin->offset_count, sizeof *cubin->offsets);
  return (cubin->parameters != NULL && cubin->branches != NULL && cubin->offsets != NULL) ||
         wb_cubin_out_of_memory(walk->reader);
}

static int compare_parameters(const void *left, const void *right)
{
  const struct wb_cubin_parameter *a = left, *b = right;
  return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

bool wb_cubin_read_attributes(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  struct walk walk = {.reader = reader, .cubin = cubin};
  if (!walk_all(&walk) || !place_lists(&walk))
    return false;
  walk.filling = true;
  if (!walk_all(&walk))
    return false;
  for (size_t f = 0; f < cubin->function_count; f++) {
    const struct wb_cubin_slice *slice = &cubin->functions[f].facts.parameters;
    if (slice->count > 1)
      qsort(cubin->parameters + slice->first, slice->count, sizeof *cubin->parameters,
            compare_parameters);
  }
  return true;
}
