#include "flow/definitions/address_base.h"

#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <string.h>

#define MOST_VALUES 128
#define MOST_WORDS 32

/* A walk backwards from the upper word of an address. */
struct walk {
  struct wb_definitions *definitions;
  const struct wb_function *function;
  struct value {
    uint32_t block;
    uint32_t instruction;
    uint16_t number;
  } values[MOST_VALUES];
  size_t count;
  uint32_t words[MOST_WORDS]; /* of parameters that it depends on: offsets */
  size_t word_count;
  bool lost; /* it depends on something that may be a pointer and is not known */
};

static void add_word(struct walk *walk, unsigned bank, uint64_t offset)
{
  uint32_t parameter;
  /* Other constants, as sizes, are no pointers of parameters. */
  if (bank != 0 || !wb_launch_parameter(walk->function, (uint32_t)offset, &parameter)) {
    walk->lost |= bank != 0;
    return;
  }
  for (size_t w = 0; w < walk->word_count; w++) {
    if (walk->words[w] == parameter)
      return;
  }
  if (walk->word_count == MOST_WORDS)
    walk->lost = true;
  else
    walk->words[walk->word_count++] = parameter;
}

static void add_register(struct walk *walk, uint32_t block, uint32_t index, uint32_t number)
{
  struct wb_definitions *definitions = walk->definitions;
  wb_definitions_find(definitions, block, index, number, NULL);
  walk->lost |= definitions->more || definitions->count == 0;
  for (size_t d = 0; d < definitions->count; d++) {
    const struct wb_definition *found = &definitions->found[d];
    bool known = false;
    for (size_t v = 0; v < walk->count && !known; v++)
      known = walk->values[v].instruction == found->instruction &&
              walk->values[v].block == found->block && walk->values[v].number == number;
    if (!known && walk->count == MOST_VALUES)
      walk->lost = true;
    else if (!known)
      walk->values[walk->count++] =
          (struct value){found->block, found->instruction, (uint16_t)number};
  }
}

static void follow(struct walk *walk, const struct value *value)
{
  const struct wb_instruction *instruction = &walk->function->instructions[value->instruction];
  const struct wb_access_kind *access = wb_access_kind_of((enum wb_opcode)instruction->number);
  struct wb_value_sources sources;
  wb_value_sources_find(walk->function, value->instruction, value->number, &sources);
  if (!sources.known) {
    /* A loaded index is moved by; a loaded pointer is another base. */
    walk->lost |= access->action != WB_ACTION_LOAD || access->space == WB_SPACE_CONSTANT ||
                  wb_access_bytes(instruction) > 4;
    return;
  }
  for (size_t s = 0; s < sources.count && !walk->lost; s++) {
    const struct wb_source *source = &sources.items[s];
    const bool pair = source->kind == WB_SOURCE_REGISTER_PAIR;
    if (source->kind == WB_SOURCE_CONSTANT || source->kind == WB_SOURCE_CONSTANT_PAIR) {
      walk->lost |= source->index != WB_NO_REGISTER;
      add_word(walk, source->bank, source->value);
      if (source->kind == WB_SOURCE_CONSTANT_PAIR)
        add_word(walk, source->bank, source->value + 4);
    } else if (pair || source->kind == WB_SOURCE_REGISTER || source->kind == WB_SOURCE_PREDICATE) {
      add_register(walk, value->block, value->instruction, source->number);
      if (pair)
        add_register(walk, value->block, value->instruction, source->number + 1U);
    } else {
      walk->lost |= source->kind == WB_SOURCE_LABEL;
    }
  }
}

/* Whether a word can be the upper one of a pointer, which stands at a multiple of eight bytes;
 * where the listing says which parameters there are, of one of eight bytes or more. */
static bool is_upper(const struct walk *walk, uint32_t word)
{
  for (size_t p = 0; p < walk->function->parameter_count; p++) {
    const struct wb_parameter *parameter = &walk->function->parameters[p];
    if (word - parameter->offset < parameter->size)
      return parameter->size >= 8 && (word - parameter->offset) % 8 == 4;
  }
  return word % 8 == 4;
}

/* Whether the launch says which number the upper word is, and not that it is of a buffer's pointer:
 * a size. */
static bool is_size(const struct walk *walk, const struct wb_launch *launch, uint32_t word)
{
  bool given = false;
  for (size_t p = 0; launch != NULL && p < launch->parameter_count; p++) {
    const struct wb_parameter_value *value = &launch->parameters[p];
    given |= value->offset == word &&
             (value->kernel == NULL || strcmp(value->kernel, walk->function->name) == 0);
  }
  for (size_t b = 0; given && b < launch->buffer_count; b++)
    given = launch->buffers[b].parameter + 4 != word;
  return given;
}

uint32_t wb_address_base(struct wb_definitions *definitions, const struct wb_launch *launch,
                         uint32_t block, uint32_t instruction)
{
  const struct wb_function *function = definitions->graph->function;
  const struct wb_instruction *access = &function->instructions[instruction];
  struct walk walk = {.definitions = definitions, .function = function};
  /* Copies name their place in shared memory first. */
  bool skip = wb_access_kind_of((enum wb_opcode)access->number)->action == WB_ACTION_COPY;
  for (uint32_t o = 0; o < access->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(function, access, o);
    if (operand->kind != WB_OPERAND_ADDRESS)
      continue;
    if (skip) {
      skip = false;
      continue;
    }
    const bool pair = operand->number < WB_REGISTER_PREDICATE && !operand->narrow &&
                      (operand->wide || wb_instruction_has(access, WB_MODIFIER_E));
    if (pair)
      add_register(&walk, block, instruction, operand->number + 1U);
    if (operand->index != WB_NO_REGISTER && operand->index >= WB_REGISTER_UNIFORM)
      add_register(&walk, block, instruction, operand->index + 1U);
    else
      walk.lost |= operand->index != WB_NO_REGISTER || !pair;
  }
  for (size_t v = 0; v < walk.count && !walk.lost; v++) {
    const struct value value = walk.values[v];
    follow(&walk, &value);
  }
  uint32_t base = WB_NO_BASE;
  for (size_t w = 0; w < walk.word_count && !walk.lost; w++) {
    if (!is_upper(&walk, walk.words[w]) || is_size(&walk, launch, walk.words[w]))
      continue;
    walk.lost = base != WB_NO_BASE;
    base = walk.words[w] - 4;
  }
  return walk.lost ? WB_NO_BASE : base;
}
