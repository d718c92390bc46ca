#include "model/code.h"

#include "base/binary_search.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "base/text/nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wb_instruction_conditional(const struct wb_instruction *instruction)
{
  return instruction->guard != WB_NO_REGISTER || instruction->conditional_code ||
         instruction->second_predicate || instruction->together ||
         wb_instruction_chooses(instruction);
}

bool wb_instruction_is_cut(const struct wb_function *function, uint32_t index)
{
  return function->uncut != NULL &&
         wb_instruction_conditional(&function->uncut->instructions[index]) &&
         !wb_instruction_conditional(&function->instructions[index]);
}

bool wb_instruction_chooses(const struct wb_instruction *instruction)
{
  return instruction->transfer == WB_TRANSFER_INDEXED_BRANCH ||
         (instruction->transfer == WB_TRANSFER_CALL_LINKED && instruction->target_count > 1);
}

const struct wb_operand *wb_operand_of(const struct wb_function *function,
                                       const struct wb_instruction *instruction, uint32_t number)
{
  return &function->operands[instruction->first_operand + number];
}

enum wb_unit wb_instruction_unit(const struct wb_instruction *instruction)
{
  return instruction->never && !instruction->cut ? WB_UNIT_NONE : (enum wb_unit)instruction->unit;
}

static bool is_below_address(const void *instructions, size_t index, const void *address)
{
  return ((const struct wb_instruction *)instructions)[index].address < *(const uint64_t *)address;
}

size_t wb_function_at(const struct wb_function *function, uint64_t address)
{
  const size_t at = wb_lower_bound(function->instructions, function->instruction_count,
                                   is_below_address, &address);
  const bool found =
      at < function->instruction_count && function->instructions[at].address == address;
  return found ? at : SIZE_MAX;
}

static bool begins_by(const void *parts, size_t index, const void *instruction)
{
  return ((const struct wb_part *)parts)[index].first <= *(const uint32_t *)instruction;
}

uint32_t wb_function_base(const struct wb_function *function, uint32_t instruction)
{
  const size_t behind =
      wb_lower_bound(function->parts, function->part_count, begins_by, &instruction);
  return behind > 0 ? function->parts[behind - 1].base : 0;
}

static bool is_copied_before(const void *copies, size_t index, const void *instruction)
{
  return ((const struct wb_copy *)copies)[index].instruction < *(const uint32_t *)instruction;
}

size_t wb_function_copies(const struct wb_function *function, uint32_t instruction, size_t *count)
{
  const size_t first =
      wb_lower_bound(function->copies, function->copy_count, is_copied_before, &instruction);
  size_t end = first;
  while (end < function->copy_count && function->copies[end].instruction == instruction)
    end++;
  *count = end - first;
  return first;
}

void wb_register_name(unsigned number, char name[8])
{
  static const struct {
    unsigned first;
    const char *prefix;
  } kinds[] = {
      {WB_REGISTER_BARRIER, "B"},  {WB_REGISTER_UNIFORM_PREDICATE, "UP"},
      {WB_REGISTER_UNIFORM, "UR"}, {WB_REGISTER_PREDICATE, "P"},
      {WB_REGISTER_GENERAL, "R"},
  };
  if (number == WB_REGISTER_CONDITION_CODE) {
    snprintf(name, 8, "CC");
    return;
  }
  size_t k = 0;
  while (kinds[k].first > number)
    k++;
  snprintf(name, 8, "%s%u", kinds[k].prefix, (number - kinds[k].first) % 1000);
}

size_t wb_code_find_kernel(const struct wb_code *code, const char *name, warpbound_error *error)
{
  size_t found = SIZE_MAX;
  size_t matches = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (!function->kernel || !function->defined)
      continue;
    if (name != NULL && strcmp(function->name, name) == 0)
      return f;
    if (name == NULL || wb_demangled_matches(name, function->name)) {
      found = f;
      matches++;
    }
  }
  if (matches == 1)
    return found;
  struct wb_text list = {0};
  struct wb_nearest nearest = wb_nearest_start(name != NULL ? name : "");
  char hint[WB_HINT_SIZE];
  size_t kernels = 0;
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    if (function->kernel && function->defined)
      wb_nearest_offer(&nearest, function->name);
    bool shown = matches == 0 || name == NULL || wb_demangled_matches(name, function->name);
    if (function->kernel && function->defined && shown && list.length < 300)
      wb_text_format(&list, "%s%s", kernels++ > 0 ? ", " : "", function->name);
  }
  char *names = wb_text_take(&list);
  if (names == NULL)
    wb_out_of_memory(error);
  else if (kernels == 0)
    wb_fail_at(error, WARPBOUND_INVALID_INPUT, code->name, 0, 0,
               "expected a kernel (.entry with a body), found none");
  else if (name != NULL && matches == 0)
    wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0,
               "there is no kernel '%.120s'%s; there is: %s", name,
               wb_nearest_hint(&nearest, "", hint), names);
  else
    wb_fail_at(error, WARPBOUND_USAGE, code->name, 0, 0,
               "several kernels, say which with --kernel: %s", names);
  free(names);
  return SIZE_MAX;
}

void wb_code_free(struct wb_code *code)
{
  for (size_t f = 0; f < code->function_count; f++) {
    struct wb_function *function = &code->functions[f];
    free(function->instructions);
    free(function->encodings);
    free(function->operands);
    free(function->spans);
    free(function->targets);
    free(function->annotations);
    free(function->copies);
    free(function->call_sets);
    free(function->labels);
    free(function->symbols);
    free(function->parameters);
  }
  wb_name_pool_free(&code->names);
  free(code->functions);
  free(code->files);
  free(code->called);
  free(code->unread);
  free(code->debug_names);
  free(code->name);
  *code = (struct wb_code){0};
}

static void add_number(uint64_t *sum, uint64_t number)
{
  for (unsigned byte = 0; byte < 8; byte++)
    *sum = wb_hash_byte(*sum, (uint8_t)(number >> (8 * byte)));
}

static void add_spans(uint64_t *sum, const struct wb_function *function, uint32_t first,
                      uint32_t count)
{
  add_number(sum, count);
  for (uint32_t s = first; s < first + count; s++)
    add_number(sum, (uint64_t)function->spans[s].first << 16 | function->spans[s].count);
}

uint64_t wb_function_checksum(const struct wb_function *function)
{
  uint64_t sum = WB_HASH_START;
  if (function->uncut != NULL)
    return wb_function_checksum(function->uncut);
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    add_number(&sum, instruction->address);
    for (const char *c = instruction->opcode; *c != '\0'; c++)
      add_number(&sum, (unsigned char)*c);
    add_number(&sum, (uint64_t)instruction->guard << 1 | instruction->guard_negated);
    add_spans(&sum, function, instruction->first_read, instruction->read_count);
    add_spans(&sum, function, instruction->first_write, instruction->write_count);
    if (wb_instruction_chooses(instruction))
      continue; /* the forms differ in what they know of its targets */
    for (uint32_t t = 0; t < instruction->target_count; t++)
      add_number(&sum, function->targets[instruction->first_target + t]);
  }
  return sum;
}

static bool is_set_before(const void *sets, size_t index, const void *instruction)
{
  return ((const struct wb_call_set *)sets)[index].instruction < *(const uint32_t *)instruction;
}

const struct wb_call_set *wb_function_call_set(const struct wb_function *function,
                                               uint32_t instruction)
{
  const size_t at =
      wb_lower_bound(function->call_sets, function->call_set_count, is_set_before, &instruction);
  const struct wb_call_set *set = function->call_sets + at;
  return at < function->call_set_count && set->instruction == instruction ? set : NULL;
}

/* ---- invariants ---- */

/* A list of `count` items from `first` on lies within one of `length` items. */
static bool within(uint32_t first, uint32_t count, size_t length)
{
  return (size_t)first + count <= length;
}

/* A list and its length: an empty one needs no memory. */
static bool is_list(const void *items, size_t count)
{
  return items != NULL || count == 0;
}

/* ---- one instruction ---- */

/* What an instruction may have by its control transfer. */
struct transfer_rule {
  bool ptx, sass;         /* the languages that have it */
  uint32_t least_targets; /* of the instruction */
  uint32_t most_targets;  /* of the instruction */
  uint8_t least_token;    /* enum wb_token: pushes, pops and calls are of one kind each */
  uint8_t most_token;     /* enum wb_token */
  bool callee, barrier;   /* it has one */
};

static const struct transfer_rule transfer_rules[WB_TRANSFER_COUNT] = {
    [WB_TRANSFER_NEXT] = {.ptx = true, .sass = true},
    [WB_TRANSFER_BRANCH] = {true, true, 1, 1},
    [WB_TRANSFER_INDEXED_BRANCH] = {true, true, 0, UINT32_MAX},
    [WB_TRANSFER_EXIT] = {.ptx = true, .sass = true},
    [WB_TRANSFER_INDIRECT_BRANCH] = {.ptx = true},
    [WB_TRANSFER_CALL_FUNCTION] = {.ptx = true, .callee = true},
    [WB_TRANSFER_CALL_INDIRECT] = {.ptx = true},
    [WB_TRANSFER_RETURN] = {.ptx = true},
    [WB_TRANSFER_PUSH] = {false, true, 1, 1, WB_TOKEN_NONE + 1, WB_TOKEN_RETURN},
    [WB_TRANSFER_POP] = {false, true, 0, 0, WB_TOKEN_NONE + 1, WB_TOKEN_RETURN},
    [WB_TRANSFER_CALL] = {false, true, 1, 1, WB_TOKEN_RETURN, WB_TOKEN_RETURN},
    [WB_TRANSFER_CALL_OUTSIDE] = {.sass = true, .callee = true},
    [WB_TRANSFER_UNSUPPORTED] = {false, true, 0, UINT32_MAX},
    [WB_TRANSFER_SCOPE_OPEN] = {false, true, 1, 1, .barrier = true},
    [WB_TRANSFER_SCOPE_SYNC] = {.sass = true, .barrier = true},
    [WB_TRANSFER_SCOPE_BREAK] = {.sass = true, .barrier = true},
    [WB_TRANSFER_WARP_SYNC] = {false, true, 0, 1},
    [WB_TRANSFER_CALL_LINKED] = {false, true, 1, UINT32_MAX},
    [WB_TRANSFER_RETURN_LINKED] = {.sass = true},
};

static const char *check_common(const struct wb_code *code, const struct wb_function *function,
                                const struct wb_instruction *instruction)
{
  if (instruction->opcode == NULL)
    return "an instruction has no opcode";
  if (instruction->line == 0 || instruction->column == 0)
    return "an instruction has no place in the listing";
  if (instruction->source_file > code->file_count)
    return "an instruction's source file is not among the code's";
  if (instruction->unit >= WB_UNIT_COUNT)
    return "an instruction's unit is invalid";
  if (instruction->transfer >= WB_TRANSFER_COUNT)
    return "an instruction's control transfer is invalid";
  const struct transfer_rule *rule = &transfer_rules[instruction->transfer];
  if (code->language == WB_LANGUAGE_PTX ? !rule->ptx : !rule->sass)
    return "an instruction's control transfer is another language's";
  if (!within(instruction->first_target, instruction->target_count, function->target_count))
    return "an instruction's targets are not among the function's";
  if (instruction->target_count < rule->least_targets ||
      instruction->target_count > rule->most_targets)
    return "an instruction has a number of targets that its control transfer does not allow";
  const bool ends_in_call = instruction->transfer == WB_TRANSFER_EXIT && instruction->outside;
  if ((instruction->callee != NULL) != (rule->callee || ends_in_call))
    return "a call by name has no callee, or another instruction has one";
  return NULL;
}

static const char *check_ptx(const struct wb_instruction *instruction)
{
  if (instruction->guard != WB_NO_REGISTER || instruction->read_count != 0 ||
      instruction->write_count != 0)
    return "an instruction of PTX has registers";
  if (instruction->operands != NULL || instruction->address != 0)
    return "an instruction of PTX has an address or operands";
  if (instruction->token != WB_TOKEN_NONE || instruction->agreement != WB_AGREES_BY_SOURCES ||
      instruction->guard_negated || instruction->never || instruction->cut ||
      instruction->conditional_code || instruction->second_predicate || instruction->uniform ||
      instruction->unknown || instruction->outside || instruction->dual_issue)
    return "an instruction of PTX has a fact of machine code";
  return NULL;
}

static const char *check_machine(const struct wb_function *function,
                                 const struct wb_instruction *instruction)
{
  if (instruction->operands == NULL)
    return "an instruction of machine code has no operands, not even empty ones";
  if (!within(instruction->first_read, instruction->read_count, function->span_count) ||
      !within(instruction->first_write, instruction->write_count, function->span_count))
    return "an instruction's registers are not among the function's";
  if (instruction->guarded != (instruction->guard != WB_NO_REGISTER))
    return "an instruction is guarded without a guard, or the other way round";
  if (instruction->guarded && !((instruction->guard >= WB_REGISTER_PREDICATE &&
                                 instruction->guard < WB_REGISTER_CONDITION_CODE) ||
                                (instruction->guard >= WB_REGISTER_UNIFORM_PREDICATE &&
                                 instruction->guard < WB_REGISTER_BARRIER)))
    return "a guard is no predicate";
  bool reads_guard = false;
  for (uint32_t s = 0; s < instruction->read_count; s++) {
    const struct wb_register_span span = function->spans[instruction->first_read + s];
    reads_guard |= instruction->guard >= span.first && instruction->guard < span.first + span.count;
  }
  if (instruction->guarded && !reads_guard)
    return "a guard is not among what its instruction reads";
  const struct transfer_rule *rule = &transfer_rules[instruction->transfer];
  if (instruction->token < rule->least_token || instruction->token > rule->most_token)
    return "an instruction's token is not one of its control transfer";
  if (instruction->agreement > WB_AGREES_NEVER)
    return "an instruction's agreement rule is invalid";
  if (instruction->unknown && instruction->assumption == NULL)
    return "an instruction that is not understood states no assumption";
  if (instruction->several || instruction->partial_barrier)
    return "an instruction of machine code has a fact of PTX";
  /* What instructions from Volta on alone have. */
  if (instruction->barrier > (rule->barrier ? 15 : 0))
    return "a barrier register is invalid, or of an instruction that has none";
  if (instruction->mask > WB_MASK_OTHER)
    return "an instruction's mask of lanes is invalid";
  if (instruction->together && instruction->transfer != WB_TRANSFER_BRANCH)
    return "an instruction that is no branch is done by all lanes or none";
  if (instruction->unless_all && !instruction->together)
    return "a branch that compares lanes with no mask waits for some to be missing";
  if (instruction->link >=
      (instruction->transfer == WB_TRANSFER_RETURN_LINKED ? WB_REGISTER_UNIFORM_PREDICATE : 1))
    return "a link register is invalid, or of an instruction that has none";
  return NULL;
}

/* ---- one function ---- */

static const char *check_lists(const struct wb_function *function, enum wb_language language)
{
  /* The kinds of registers, as the numbers after their last ones. */
  static const unsigned ends[] = {WB_REGISTER_PREDICATE, WB_REGISTER_CONDITION_CODE,
                                  WB_REGISTER_UNIFORM,   WB_REGISTER_UNIFORM_PREDICATE,
                                  WB_REGISTER_BARRIER,   WB_REGISTER_COUNT};
  const size_t kinds = sizeof ends / sizeof *ends;
  if (!is_list(function->instructions, function->instruction_count) ||
      !is_list(function->spans, function->span_count) ||
      !is_list(function->targets, function->target_count) ||
      !is_list(function->annotations, function->annotation_count) ||
      !is_list(function->copies, function->copy_count) ||
      !is_list(function->call_sets, function->call_set_count) ||
      !is_list(function->labels, function->label_count) ||
      !is_list(function->symbols, function->symbol_count) ||
      !is_list(function->parameters, function->parameter_count) ||
      !is_list(function->constants, function->constant_length))
    return "a function's list is missing";
  const size_t targets = function->instruction_count + (language == WB_LANGUAGE_PTX);
  for (size_t t = 0; t < function->target_count; t++) {
    if (function->targets[t] >= targets)
      return "a target is not in its function";
  }
  for (size_t s = 0; s < function->span_count; s++) {
    const struct wb_register_span span = function->spans[s];
    size_t k = 0;
    while (k < kinds && ends[k] <= span.first)
      k++;
    if (span.count == 0 || k == kinds || span.first + span.count > ends[k])
      return "registers are none, or of several kinds";
  }
  return NULL;
}

/* Labels of machine code are sorted and stand before an instruction. */
static const char *check_labels(const struct wb_function *function, const struct wb_label *labels,
                                size_t count, enum wb_language language)
{
  const size_t places = function->instruction_count + (language == WB_LANGUAGE_PTX);
  for (size_t l = 0; l < count; l++) {
    if (labels[l].name == NULL || labels[l].index >= places)
      return "a label has no name or no place in its function";
    if (language == WB_LANGUAGE_SASS && l > 0 && labels[l].index < labels[l - 1].index)
      return "labels are not in order";
  }
  return NULL;
}

static bool is_register(unsigned number, bool wanted)
{
  return wanted ? number < WB_REGISTER_COUNT : number == WB_NO_REGISTER;
}

static const char *check_machine_lists(const struct wb_function *function)
{
  for (size_t i = 1; i < function->instruction_count; i++) {
    if (function->instructions[i].address <= function->instructions[i - 1].address)
      return "addresses do not ascend";
  }
  for (size_t a = 0; a < function->annotation_count; a++) {
    const struct wb_annotation *annotation = &function->annotations[a];
    if (annotation->instruction >= function->instruction_count || annotation->target_count == 0 ||
        !within(annotation->first_target, annotation->target_count, function->target_count))
      return "an annotation is of no instruction, or has no targets in its function";
    if (a > 0 && annotation->instruction <= annotation[-1].instruction)
      return "annotations are not in order";
  }
  for (size_t p = 1; p < function->parameter_count; p++) {
    if (function->parameters[p].ordinal <= function->parameters[p - 1].ordinal)
      return "parameters are not in order";
  }
  for (size_t c = 0; c < function->copy_count; c++) {
    const struct wb_copy *copy = &function->copies[c];
    const bool memory = copy->kind == WB_COPY_STORE || copy->kind == WB_COPY_LOAD;
    if (copy->instruction >= function->instruction_count || copy->kind > WB_COPY_LOAD)
      return "a copy is of no instruction, or of no kind";
    if (c > 0 && copy->instruction < copy[-1].instruction)
      return "copies are not in order";
    const bool nothing = (copy->kind == WB_COPY_STORE || copy->kind == WB_COPY_OF_WARP) &&
                         copy->from == WB_NO_REGISTER;
    const bool reads = copy->kind == WB_COPY_REGISTER || copy->kind == WB_COPY_OF_WARP ||
                       copy->kind == WB_COPY_STORE;
    if (!is_register(copy->to, copy->kind != WB_COPY_STORE) || !is_register(copy->base, memory) ||
        !is_register(copy->from, reads && !nothing))
      return "a copy lacks a register, or has one too many";
  }
  return NULL;
}

static const char *check_call_sets(const struct wb_code *code, const struct wb_function *function)
{
  for (size_t s = 0; s < function->call_set_count; s++) {
    const struct wb_call_set *set = &function->call_sets[s];
    if (set->instruction >= function->instruction_count || set->count == 0 ||
        !within(set->first, set->count, code->called_count))
      return "a set of functions that are called is of no instruction, or has no names";
    if (s > 0 && set->instruction <= set[-1].instruction)
      return "sets of functions that are called are not in order";
  }
  return NULL;
}

static const char *check_function(const struct wb_code *code, const struct wb_function *function)
{
  if (function->name == NULL)
    return "a function has no name";
  if (!function->defined && function->instruction_count > 0)
    return "a function without a body has instructions";
  if (code->language == WB_LANGUAGE_SASS && function->instruction_count == 0)
    return "a function of machine code has no instructions";
  const char *broken = check_lists(function, code->language);
  if (broken == NULL)
    broken = check_labels(function, function->labels, function->label_count, code->language);
  if (broken == NULL)
    broken = check_labels(function, function->symbols, function->symbol_count, code->language);
  if (broken == NULL && code->language == WB_LANGUAGE_SASS)
    broken = check_machine_lists(function);
  if (broken == NULL)
    broken = check_call_sets(code, function);
  for (size_t i = 0; broken == NULL && i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    broken = check_common(code, function, instruction);
    if (broken == NULL)
      broken = code->language == WB_LANGUAGE_PTX ? check_ptx(instruction)
                                                 : check_machine(function, instruction);
  }
  return broken;
}

const char *wb_code_check(const struct wb_code *code)
{
  if (code->name == NULL)
    return "the code has no name";
  for (size_t f = 0; f < code->file_count; f++) {
    if (code->files[f] == NULL)
      return "a source file has no name";
  }
  const char *broken = NULL;
  for (size_t f = 0; broken == NULL && f < code->function_count; f++)
    broken = check_function(code, &code->functions[f]);
  return broken;
}
