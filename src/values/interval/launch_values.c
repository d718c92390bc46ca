#include "values/interval/launch_values.h"

#include "base/binary_search.h"
#include "base/little_endian.h"
#include "isa/opcode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Where bank 0 has the launch: offsets in bytes. */
struct bank_layout {
  uint32_t first; /* the architectures first .. last: 52 for sm_52 */
  uint32_t last;
  uint32_t block_size; /* three words */
  uint32_t grid_size;  /* three words */
  uint32_t parameters;
  uint32_t stack; /* where a thread's stack begins */
};

/* As compiled code uses it, and its sections say (PARAM_CBANK); doc/loop-bounds.md. */
static const struct bank_layout layouts[] = {
    {50, 62, 0x8, 0x14, 0x140, 0x20},
    {70, 89, 0x0, 0xc, 0x160, 0x28},
    {90, 90, 0x0, 0xc, 0x210, 0x28},
    {100, 121, 0x360, 0x370, 0x380, 0x37c},
};

/* NULL where the architecture is not known. */
static const struct bank_layout *layout_of(const struct wb_function *function)
{
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    if (layouts[i].first <= function->sm && function->sm <= layouts[i].last)
      return &layouts[i];
  }
  return NULL;
}

static const uint32_t most_threads[3] = {1024, 1024, 64};
static const uint32_t most_blocks[3] = {INT32_MAX, 65535, 65535};

/* A range up to the limit of every launch. A limit of INT32_MAX is no better than the width of the
 * register. */
static struct wb_integer up_to(int64_t low, int64_t high, uint32_t most, bool of_grid)
{
  const struct wb_integer_end first = {low, false};
  const struct wb_integer_end last = {high, most == INT32_MAX};
  return wb_integer_between(first, last, WB_ORIGIN(of_grid ? WB_ORIGIN_GRID : WB_ORIGIN_BLOCK, 0));
}

/* A size: the given one, or 1..most. */
static struct wb_integer size_of(uint32_t given, uint32_t most, bool of_grid)
{
  return given > 0 ? wb_integer_exactly(given) : up_to(1, most, most, of_grid);
}

/* An index below such a size. */
static struct wb_integer index_below(uint32_t given, uint32_t most, bool of_grid)
{
  return given > 0 ? wb_integer_range(0, (int64_t)given - 1)
                   : up_to(0, (int64_t)most - 1, most, of_grid);
}

uint32_t wb_launch_block(const struct wb_launch *launch, const struct wb_function *function,
                         unsigned axis)
{
  if (launch != NULL && launch->block[axis] > 0)
    return launch->block[axis];
  return function->required_block[axis];
}

/* Most threads along an axis: of any launch, and of any that the function admits. */
static uint32_t most_threads_of(const struct wb_function *function, unsigned axis)
{
  const uint32_t most = function->most_threads;
  return most > 0 && most < most_threads[axis] ? most : most_threads[axis];
}

static uint32_t grid_of(const struct wb_launch *launch, unsigned axis)
{
  return launch != NULL ? launch->grid[axis] : 0;
}

struct wb_integer wb_launch_special(const struct wb_launch *launch,
                                    const struct wb_function *function,
                                    enum wb_special_register special)
{
  const unsigned axis = ((unsigned)special - WB_SPECIAL_THREAD_X) % 3;
  const struct wb_launch_slice *slice = launch != NULL ? launch->slice : NULL;
  switch (special) {
  case WB_SPECIAL_ZERO:
    return wb_integer_exactly(0);
  case WB_SPECIAL_LANE:
    return wb_integer_range(0, 31);
  case WB_SPECIAL_THREAD_X:
  case WB_SPECIAL_THREAD_Y:
  case WB_SPECIAL_THREAD_Z:
    if (slice != NULL)
      return wb_integer_range(slice->thread[axis][0], slice->thread[axis][1]);
    return index_below(wb_launch_block(launch, function, axis), most_threads_of(function, axis),
                       false);
  case WB_SPECIAL_BLOCK_X:
  case WB_SPECIAL_BLOCK_Y:
  case WB_SPECIAL_BLOCK_Z:
    if (slice != NULL)
      return wb_integer_range(slice->block[axis][0], slice->block[axis][1]);
    return index_below(grid_of(launch, axis), most_blocks[axis], true);
  case WB_SPECIAL_BLOCK_SIZE_X:
  case WB_SPECIAL_BLOCK_SIZE_Y:
  case WB_SPECIAL_BLOCK_SIZE_Z:
    return size_of(wb_launch_block(launch, function, axis), most_threads_of(function, axis), false);
  case WB_SPECIAL_GRID_SIZE_X:
  case WB_SPECIAL_GRID_SIZE_Y:
  case WB_SPECIAL_GRID_SIZE_Z:
    return size_of(grid_of(launch, axis), most_blocks[axis], true);
  default:
    return wb_integer_top();
  }
}

bool wb_launch_parameter(const struct wb_function *function, uint32_t place, uint32_t *offset)
{
  const struct bank_layout *layout = layout_of(function);
  if (layout == NULL || place < layout->parameters || place > UINT16_MAX)
    return false;
  *offset = place - layout->parameters;
  return true;
}

bool wb_launch_is_stack(const struct wb_function *function, uint32_t place)
{
  const struct bank_layout *layout = layout_of(function);
  return layout != NULL && place == layout->stack;
}

static bool is_load_before(const void *items, size_t index, const void *instruction)
{
  return ((const struct wb_load_range *)items)[index].instruction < *(const uint32_t *)instruction;
}

const struct wb_load_range *wb_launch_load(const struct wb_launch *launch, uint32_t instruction)
{
  if (launch == NULL || launch->load_count == 0)
    return NULL;
  const size_t index =
      wb_lower_bound(launch->loads, launch->load_count, is_load_before, &instruction);
  return index < launch->load_count && launch->loads[index].instruction == instruction
             ? &launch->loads[index]
             : NULL;
}

uint16_t wb_load_register(const struct wb_function *function, const struct wb_instruction *load)
{
  for (uint32_t s = 0; s < load->write_count; s++) {
    const struct wb_register_span *span = &function->spans[load->first_write + s];
    if (span->first < WB_REGISTER_PREDICATE)
      return span->first;
  }
  return WB_NO_REGISTER;
}

bool wb_load_type_range(const struct wb_function *function, uint32_t instruction,
                        struct wb_load_range *range)
{
  static const struct {
    enum wb_modifier modifier;
    int32_t least, most;
  } types[] = {{WB_MODIFIER_U8, 0, UINT8_MAX},
               {WB_MODIFIER_S8, INT8_MIN, INT8_MAX},
               {WB_MODIFIER_U16, 0, UINT16_MAX},
               {WB_MODIFIER_S16, INT16_MIN, INT16_MAX}};
  const struct wb_instruction *load = &function->instructions[instruction];
  if (load->unknown || load->write_count != 1 || !wb_instruction_loads(load))
    return false;
  *range = (struct wb_load_range){.instruction = instruction,
                                  .number = wb_load_register(function, load),
                                  .bytes = wb_access_bytes(load)};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    if (range->bytes <= 2 && range->number != WB_NO_REGISTER &&
        wb_instruction_has(load, types[t].modifier)) {
      range->least = types[t].least;
      range->most = types[t].most;
      return true;
    }
  }
  return false;
}

static bool is_name_before(const void *items, size_t index, const void *wanted)
{
  const struct wb_parameter_name *name = &((const struct wb_parameter_name *)items)[index];
  const struct wb_parameter_name *other = wanted;
  const int kernels = strcmp(name->kernel, other->kernel);
  return kernels < 0 || (kernels == 0 && name->ordinal < other->ordinal);
}

const struct wb_parameter_name *wb_launch_parameter_name(const struct wb_launch *launch,
                                                         const struct wb_function *function,
                                                         uint16_t ordinal)
{
  const struct wb_parameter_name wanted = {.kernel = function->name, .ordinal = ordinal};
  if (launch == NULL || launch->name_count == 0)
    return NULL;
  const size_t index = wb_lower_bound(launch->names, launch->name_count, is_name_before, &wanted);
  const struct wb_parameter_name *name = &launch->names[index];
  return index < launch->name_count && name->ordinal == ordinal && name->name != NULL &&
                 strcmp(name->kernel, function->name) == 0
             ? name
             : NULL;
}

const struct wb_parameter *wb_launch_named_parameter(const struct wb_launch *launch,
                                                     const struct wb_function *function,
                                                     const char *text, size_t length,
                                                     const struct wb_parameter_name **source)
{
  const size_t own = strlen(function->name);
  const bool whole = length > own && strncmp(text, function->name, own) == 0 && text[own] == '_';
  *source = NULL;
  for (size_t p = 0; p < function->parameter_count; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    const struct wb_parameter_name *name = wb_launch_parameter_name(launch, function, row->ordinal);
    char compiled[32];
    const size_t size = (size_t)snprintf(compiled, sizeof compiled, "param_%u", row->ordinal);
    if ((length == size && memcmp(text, compiled, size) == 0) ||
        (whole && length - own - 1 == size && memcmp(text + own + 1, compiled, size) == 0))
      return row;
    if (name != NULL && strlen(name->name) == length && memcmp(text, name->name, length) == 0) {
      *source = name;
      return row;
    }
  }
  return NULL;
}

void wb_parameter_name_assume(const struct wb_parameter_name *name, struct wb_list *assumptions)
{
  if (name->file == NULL)
    wb_list_add(assumptions, "%s is param_%u of %s, as the debug information has it", name->name,
                (unsigned)name->ordinal, name->kernel);
  else
    wb_list_add(assumptions,
                "%s is param_%u of %s, as %s:%" PRIu32 " has it (--sources): the code was made of "
                "that source",
                name->name, (unsigned)name->ordinal, name->kernel, name->file, name->line);
}

/* Whether the code takes a word of constant memory for the upper one of a number of 64 bits:
 * ISETP.GE.AND.EX P0, PT, R0, c[0x0][0x184], PT, P0. */
static bool is_upper_word(const struct wb_function *function, uint32_t place)
{
  bool found = false;
  for (size_t i = 0; i < function->instruction_count && place % 8 == 4 && !found; i++) {
    const struct wb_instruction *it = &function->instructions[i];
    const bool upper =
        wb_instruction_has(it, WB_MODIFIER_EX) || wb_instruction_has(it, WB_MODIFIER_X);
    for (uint32_t o = 0; o < it->operand_count && upper; o++) {
      const struct wb_operand *operand = &function->operands[it->first_operand + o];
      found |= operand->kind == WB_OPERAND_CONSTANT && operand->index == WB_NO_REGISTER &&
               operand->bank == place >> 16 && operand->value == (place & UINT16_MAX);
    }
  }
  return found;
}

void wb_launch_option(const struct wb_launch *launch, const struct wb_function *function,
                      uint32_t place, bool wide, char text[WB_LAUNCH_OPTION_SIZE])
{
  uint32_t offset;
  const struct wb_parameter_name *name = NULL;
  if (!wb_launch_parameter(function, place, &offset)) {
    snprintf(text, WB_LAUNCH_OPTION_SIZE, "--constant %" PRIu32 ":0x%" PRIx32 "=N%s", place >> 16,
             place & UINT16_MAX, wide ? "L" : "");
    return;
  }
  if (!wide && is_upper_word(function, place)) { /* of a member of a struct, say */
    offset -= 4;
    wide = true;
  }
  for (size_t p = 0; p < function->parameter_count; p++) {
    const struct wb_parameter *parameter = &function->parameters[p];
    if (parameter->size == 8 && offset - parameter->offset < 8) {
      offset = parameter->offset;
      wide = true;
    }
    if (parameter->offset == offset && parameter->size == (wide ? 8 : 4))
      name = wb_launch_parameter_name(launch, function, parameter->ordinal);
  }
  if (name != NULL && strlen(name->name) <= WB_LAUNCH_OPTION_NAME)
    snprintf(text, WB_LAUNCH_OPTION_SIZE, "--param %.*s=N", WB_LAUNCH_OPTION_NAME, name->name);
  else
    snprintf(text, WB_LAUNCH_OPTION_SIZE, "--param 0x%" PRIx32 "=N%s", offset, wide ? "L" : "");
}

/* The four bytes that the launch gives of the function's parameters at an offset. */
static bool find_parameter_word(const struct wb_launch *launch, const struct wb_function *function,
                                uint32_t offset, uint32_t *value)
{
  for (size_t p = 0; launch != NULL && p < launch->parameter_count; p++) {
    const struct wb_parameter_value *parameter = &launch->parameters[p];
    *value = parameter->value;
    if (parameter->offset == offset &&
        (parameter->kernel == NULL || strcmp(parameter->kernel, function->name) == 0))
      return true;
  }
  return false;
}

bool wb_launch_parameter_number(const struct wb_launch *launch, const struct wb_function *function,
                                const struct wb_parameter *parameter, int64_t *number)
{
  uint32_t low, high;
  if ((parameter->size != 4 && parameter->size != 8) ||
      !find_parameter_word(launch, function, parameter->offset, &low))
    return false;
  *number = (int32_t)low;
  if (parameter->size == 4)
    return true;
  const bool known = find_parameter_word(launch, function, parameter->offset + 4U, &high);
  *number = (int64_t)(known ? (uint64_t)high << 32 | low : 0);
  return known;
}

struct wb_integer wb_launch_constant(const struct wb_launch *launch,
                                     const struct wb_function *function, uint32_t bank,
                                     uint32_t offset)
{
  const struct bank_layout *layout = layout_of(function);
  if (layout == NULL || offset % 4 != 0 || bank > UINT8_MAX || offset > UINT16_MAX)
    return wb_integer_top();
  const uint32_t place = bank << 16 | offset;
  for (size_t c = 0; launch != NULL && c < launch->constant_count; c++) {
    if (launch->constants[c].place == place)
      return wb_integer_exactly(launch->constants[c].value);
  }
  /* The function's own constants. */
  if (bank == 2 && function->constant_length >= 4 && offset <= function->constant_length - 4)
    return wb_integer_exactly(wb_u32((const unsigned char *)function->constants + offset));
  if (bank != 0)
    return wb_integer_unknown(WB_ORIGIN(WB_ORIGIN_CONSTANT, place));
  for (unsigned axis = 0; axis < 3; axis++) {
    if (offset == layout->block_size + 4 * axis)
      return size_of(wb_launch_block(launch, function, axis), most_threads_of(function, axis),
                     false);
    if (offset == layout->grid_size + 4 * axis)
      return size_of(grid_of(launch, axis), most_blocks[axis], true);
  }
  uint32_t value;
  if (offset >= layout->parameters &&
      find_parameter_word(launch, function, offset - layout->parameters, &value))
    return wb_integer_exactly(value);
  return wb_integer_unknown(WB_ORIGIN(WB_ORIGIN_CONSTANT, place));
}
