/* The functions of a cubin: symbols of kind STT_FUNC in sections of code. */
#include "binary/cubin/cubin_reader.h"

#include "base/memory.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* st_other of a kernel. */
#define STO_CUDA_ENTRY 0x10

/* In files of the old layout a section of code has the number of registers in sh_info, above the
 * symbol's number, and the number of barriers in sh_flags. */
#define SYMBOL_BITS 0xffffffu
#define REGISTERS_SHIFT 24
#define BARRIERS_SHIFT 20
#define BARRIERS_MASK 0x7f

static bool is_function(const struct wb_cubin *cubin, const struct wb_cubin_symbol *symbol)
{
  return symbol->type == STT_FUNC && symbol->defined &&
         wb_cubin_is_code(&cubin->sections[symbol->section]);
}

static void clear_facts(struct wb_cubin_facts *facts)
{
  *facts = (struct wb_cubin_facts){
      .registers = WB_CUBIN_ABSENT,
      .barriers = WB_CUBIN_ABSENT,
      .frame = WB_CUBIN_ABSENT,
      .min_stack = WB_CUBIN_ABSENT,
      .max_stack = WB_CUBIN_ABSENT,
      .reconvergence_size = WB_CUBIN_ABSENT,
      .parameter_bank = WB_CUBIN_ABSENT,
      .parameter_base = WB_CUBIN_ABSENT,
      .parameter_size = WB_CUBIN_ABSENT,
      .max_registers = WB_CUBIN_ABSENT,
      .max_threads = {WB_CUBIN_ABSENT, WB_CUBIN_ABSENT, WB_CUBIN_ABSENT},
      .required_threads = {WB_CUBIN_ABSENT, WB_CUBIN_ABSENT, WB_CUBIN_ABSENT},
      .cluster = {WB_CUBIN_ABSENT, WB_CUBIN_ABSENT, WB_CUBIN_ABSENT},
      .most_cluster = WB_CUBIN_ABSENT,
      .shared = WB_CUBIN_ABSENT,
      .constants = WB_CUBIN_ABSENT,
      .api_version = WB_CUBIN_ABSENT,
  };
}

static bool add_function(const struct wb_cubin_reader *reader, size_t number)
{
  struct wb_cubin *cubin = reader->cubin;
  const struct wb_cubin_symbol *symbol = &cubin->symbols[number];
  const struct wb_cubin_section *section = &cubin->sections[symbol->section];
  if (symbol->value > section->size || symbol->size > section->size - symbol->value)
    return wb_cubin_fail(reader,
                         "function %.100s: expected 0x%llx bytes at 0x%llx, its section has 0x%llx",
                         symbol->name, (unsigned long long)symbol->size,
                         (unsigned long long)symbol->value, (unsigned long long)section->size);
  struct wb_cubin_function *function = &cubin->functions[cubin->function_count++];
  *function = (struct wb_cubin_function){.name = symbol->name,
                                         .symbol = number,
                                         .section = symbol->section,
                                         .offset = symbol->value,
                                         .size = symbol->size,
                                         .kernel = (symbol->other & STO_CUDA_ENTRY) != 0,
                                         .inner = true};
  clear_facts(&function->facts);
  return true;
}

static int compare_functions(const void *left, const void *right)
{
  const struct wb_cubin_function *a = left, *b = right;
  if (a->section != b->section)
    return a->section < b->section ? -1 : 1;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* Whether the section is there for the function: by its name, ".text." and the function's. */
static bool is_named_for(const struct wb_cubin_section *section,
                         const struct wb_cubin_function *function)
{
  return strncmp(section->name, ".text.", 6) == 0 && strcmp(section->name + 6, function->name) == 0;
}

/* The size of the attached section whose name has the prefix; 0 where there is none. */
static uint32_t attached_size(const struct wb_cubin *cubin, size_t code, const char *prefix)
{
  const size_t number = wb_cubin_section_of(cubin, code, prefix);
  if (number == WB_CUBIN_NONE)
    return 0;
  const uint64_t size = cubin->sections[number].size;
  return size < WB_CUBIN_ABSENT ? (uint32_t)size : WB_CUBIN_ABSENT;
}

/* What heads of sections say of their functions. */
static void read_section_facts(struct wb_cubin *cubin, struct wb_cubin_function *function)
{
  const struct wb_cubin_section *section = &cubin->sections[function->section];
  const uint32_t registers = section->info >> REGISTERS_SHIFT;
  if (cubin->layout == WB_CUBIN_OLD) {
    if (registers > 0)
      function->facts.registers = registers;
    function->facts.barriers = section->flags >> BARRIERS_SHIFT & BARRIERS_MASK;
  } else {
    function->facts.barriers = 0;
  }
  if (!cubin->relocatable) /* the linker lays shared memory out */
    function->facts.shared = attached_size(cubin, function->section, ".nv.shared.");
  function->facts.constants = attached_size(cubin, function->section, ".nv.constant0");
}

/* Finds for each section of code the function that it is there for. */
static void find_main_functions(struct wb_cubin *cubin)
{
  for (size_t f = 0; f < cubin->function_count; f++) {
    struct wb_cubin_function *function = &cubin->functions[f];
    struct wb_cubin_section *section = &cubin->sections[function->section];
    if ((section->info & SYMBOL_BITS) != function->symbol && !is_named_for(section, function))
      continue;
    if (section->function != WB_CUBIN_NONE)
      continue;
    section->function = f;
    function->inner = false;
    read_section_facts(cubin, function);
  }
}

static bool index_functions(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  reader->functions = wb_allocate(cubin->symbol_count, sizeof *reader->functions);
  if (reader->functions == NULL)
    return wb_cubin_out_of_memory(reader);
  for (size_t i = 0; i < cubin->symbol_count; i++)
    reader->functions[i] = UINT32_MAX;
  for (size_t f = 0; f < cubin->function_count; f++)
    reader->functions[cubin->functions[f].symbol] = (uint32_t)f;
  return true;
}

bool wb_cubin_read_functions(struct wb_cubin_reader *reader)
{
  struct wb_cubin *cubin = reader->cubin;
  size_t count = 0;
  for (size_t i = 0; i < cubin->symbol_count; i++)
    count += is_function(cubin, &cubin->symbols[i]);
  if (count > WB_CUBIN_FUNCTION_LIMIT)
    return wb_cubin_fail(reader, "expected at most %zu functions, found %zu",
                         WB_CUBIN_FUNCTION_LIMIT, count);
  if ((cubin->functions = wb_allocate(count, sizeof *cubin->functions)) == NULL)
    return wb_cubin_out_of_memory(reader);
  for (size_t i = 0; i < cubin->symbol_count; i++) {
    if (is_function(cubin, &cubin->symbols[i]) && !add_function(reader, i))
      return false;
  }
  qsort(cubin->functions, count, sizeof *cubin->functions, compare_functions);
  find_main_functions(cubin);
  return index_functions(reader);
}
