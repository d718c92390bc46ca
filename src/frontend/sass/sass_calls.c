/* What calls through a register call: code that the listing does not have; what constant bank 4
 * names; functions of the section, whose places constant bank 2 has. Before Volta a call through a
 * register is a jump behind a PRET. */
#include "base/memory.h"
#include "frontend/sass/sass_origin.h"
#include "frontend/sass/sass_parser.h"
#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "isa/runtime_calls.h"
#include "isa/sass_operand.h"

#include <string.h>

/* The calls of one function. */
struct calls {
  struct wb_sass_parser *parser;
  struct wb_function *function;
  struct wb_sass_origin origin; /* of the function */
};

/* ---- calls through a register of code that the listing does not have: printf, malloc, functions
 * by pointer ---- */

#define CALLED_OUTSIDE                                                                             \
  "code that is called through a register is not in the listing: it returns, with all lanes that " \
  "called it, together; it may write every register"

/* A jump of which no target is known, and that the listing says to be a call, or that a PRET stands
 * before, wherever that returns to. A jump table has no PRET before it. */
void wb_sass_outside_calls(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    const struct wb_function *function = &parser->code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      struct wb_instruction *jump = &function->instructions[i];
      const bool returns = i > 0 && jump[-1].transfer == WB_TRANSFER_PUSH &&
                           jump[-1].token == WB_TOKEN_RETURN && !jump[-1].never;
      jump->outside = jump->transfer == WB_TRANSFER_INDEXED_BRANCH && jump->target_count == 0 &&
                      (jump->outside || returns);
      if (!jump->outside)
        continue;
      /* The code that is called ends with RET: the lanes go on where the nearest PRET said, or
       * return from the function that it is called from. */
      jump->transfer = WB_TRANSFER_POP;
      jump->token = WB_TOKEN_RETURN;
      jump->unknown = true;
      jump->assumption = CALLED_OUTSIDE;
    }
  }
}

/* ---- calls by register of what constant bank 4 names ---- */

/* MOV R0, 0x40 ; LDC.64 R2, c[0x4][R0] ; CALL.ABS.NOINC R2 */

#define BANK_OF_ADDRESSES 4

/* Operand `write` of the lowered instruction `index` that brings a word of a constant bank to the
 * register `number`, or NULL. *word: how many words behind the source. */
static const struct wb_source *constant_source(const struct wb_micro_code *code, uint16_t number,
                                               uint32_t *word)
{
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    const struct wb_micro_operation *made = &code->operations[write->result];
    const uint32_t behind = (uint32_t)number - write->number;
    const bool wide = made->kind == WB_MICRO_WIDE_COPY && write->wide;
    if (behind > (wide ? 1u : 0u) || (made->kind != WB_MICRO_COPY && !wide))
      continue;
    *word = behind;
    return made->sources[0].negated || made->sources[0].complemented ? NULL : &made->sources[0];
  }
  return NULL;
}

/* A word of a constant bank that a register has: at an offset, to which a register may be added. */
struct word {
  uint32_t at;
  uint16_t index; /* WB_NO_REGISTER: none is added */
  const struct wb_instruction *load;
};

/* Which word of a constant bank a register has before an instruction. */
static bool find_word(const struct calls *calls, size_t before, uint16_t number, unsigned bank,
                      struct word *word)
{
  const struct wb_function *function = calls->origin.function;
  struct wb_micro_code code;
  uint32_t behind = 0;
  const struct wb_instruction *made = wb_sass_maker(&calls->origin, before, &number);
  if (made == NULL || !wb_lower(function, (uint32_t)(made - function->instructions), &code))
    return false;
  const struct wb_source *source = constant_source(&code, number, &behind);
  if (source == NULL || source->bank != bank ||
      (source->kind != WB_SOURCE_CONSTANT && source->kind != WB_SOURCE_CONSTANT_PAIR))
    return false;
  *word = (struct word){(uint32_t)source->value + 4 * behind, source->index, made};
  return true;
}

/* The number that a register has before an instruction. */
static bool find_number(const struct calls *calls, size_t before, uint16_t number, uint32_t *value)
{
  const struct wb_function *function = calls->origin.function;
  const struct wb_instruction *set = wb_sass_maker(&calls->origin, before, &number);
  struct wb_micro_code code;
  if (set == NULL)
    return false;
  if (function->wide) {
    const struct wb_copy *copy = wb_sass_copied(&calls->origin, set, number, WB_COPY_NUMBER);
    *value = copy != NULL ? (uint32_t)copy->value : 0;
    return copy != NULL;
  }
  if (!wb_lower(function, (uint32_t)(set - function->instructions), &code))
    return false;
  for (size_t w = 0; w < code.write_count; w++) {
    const struct wb_micro_operation *made = &code.operations[code.writes[w].result];
    const struct wb_source *source = &made->sources[0];
    if (code.writes[w].number != number || made->kind != WB_MICRO_COPY ||
        source->kind != WB_SOURCE_NUMBER || source->negated || source->complemented)
      continue;
    *value = (uint32_t)source->value;
    return true;
  }
  return false;
}

/* Where in constant bank 4 the word stands that a register has before an instruction. */
static bool find_address(const struct calls *calls, size_t before, uint16_t number, uint32_t *at)
{
  struct word word;
  if (!find_word(calls, before, number, BANK_OF_ADDRESSES, &word))
    return false;
  *at = word.at;
  if (word.index == WB_NO_REGISTER)
    return true;
  uint32_t added = 0;
  const size_t load = (size_t)(word.load - calls->origin.function->instructions);
  const bool found = find_number(calls, load, word.index, &added);
  *at += added;
  return found;
}

/* The name of the symbol whose address, of so many bytes, is at an offset in the bank of a
 * function's module; NULL: none. */
static const char *name_at(const struct wb_sass_parser *parser, size_t function, uint32_t offset,
                           uint32_t size)
{
  size_t module = parser->module_count;
  while (module > 0 && parser->module_starts[module - 1] > function)
    module--;
  const char *name = NULL;
  for (size_t a = 0; a < parser->address_count; a++) {
    const struct wb_sass_address *row = &parser->addresses[a];
    if ((size_t)row->module + 1 != module || row->offset != offset)
      continue;
    if (name != NULL || row->size != size)
      return NULL;
    name = row->name;
  }
  return name;
}

/* Where in constant bank 4 the address stands that a call goes to: its operand is a register pair,
 * or such a constant itself. */
static bool find_called(const struct calls *calls, size_t index, uint32_t *at)
{
  const struct wb_instruction *call = &calls->origin.function->instructions[index];
  uint32_t o = 0, high;
  while (o < call->operand_count &&
         wb_operand_of(calls->origin.function, call, o)->kind == WB_OPERAND_PREDICATE)
    o++;
  const struct wb_operand *operand = wb_sass_operand_at(&calls->origin, call, o);
  if (call->transfer != WB_TRANSFER_CALL_OUTSIDE || operand == NULL ||
      !wb_instruction_has(call, WB_MODIFIER_ABS))
    return false;
  *at = (uint32_t)operand->value;
  if (operand->kind == WB_OPERAND_CONSTANT)
    return operand->bank == BANK_OF_ADDRESSES && operand->index == WB_NO_REGISTER;
  return wb_sass_calls_register(calls->origin.function, call) &&
         find_address(calls, index, operand->number, at) &&
         find_address(calls, index, (uint16_t)(operand->number + 1), &high) && high == *at + 4;
}

/* The register in which functions expect the address to return to. */
#define LINK_REGISTER (WB_REGISTER_GENERAL + 20)

/* Whether the code before a call shows that it returns to the next instruction. */
static bool shows_return(const struct calls *calls, size_t index)
{
  const struct wb_function *function = calls->origin.function;
  uint16_t number = LINK_REGISTER;
  const struct wb_instruction *set = wb_sass_maker(&calls->origin, index, &number);
  const struct wb_copy *copy =
      set != NULL ? wb_sass_copied(&calls->origin, set, number, WB_COPY_NUMBER) : NULL;
  return copy != NULL && index + 1 < function->instruction_count &&
         copy->value == function->instructions[index + 1].address;
}

/* Whether the file has a function of that name, which is then what a call by it calls. */
static bool defines(const struct wb_code *code, const char *name)
{
  bool defined = false;
  for (size_t f = 0; f < code->function_count; f++)
    defined |= code->functions[f].defined && strcmp(code->functions[f].name, name) == 0;
  return defined;
}

/* Whether a function of the file can be linked to a call: it is not there, or the code before the
 * call shows to where it returns. */
static bool may_be_linked(const struct calls *calls, size_t index, const char *name)
{
  return !defines(calls->parser->code, name) || shows_return(calls, index);
}

/* Names what an instruction calls by register; false where that is not found. */
static bool name_call(const struct calls *calls, size_t function, size_t index)
{
  struct wb_instruction *call = &calls->function->instructions[index];
  uint32_t at;
  if (!find_called(calls, index, &at))
    return false;
  const char *name = name_at(calls->parser, function, at, sizeof(uint64_t));
  const bool named = name != NULL && may_be_linked(calls, index, name);
  if (named)
    call->callee = name;
  return named;
}

/* ---- calls by register of functions of the section, whose places constant bank 2 has ---- */

/* LDC.64 R6, c[0x2][R2] ; CALL.REL.NOINC R6 `(kernel) */

#define BANK_OF_PLACES 2

#define FROM_TABLE                                                                                 \
  "what it calls through a register is one of the places that constant bank 2 has of its section"

/* Whether the last operand of an instruction is the start of the function: `(kernel), or 0x0. */
static bool names_start(const struct wb_function *function, const struct wb_operand *operand,
                        const char *operands)
{
  const char *name;
  size_t length;
  if (operand->kind == WB_OPERAND_LABEL || operand->kind == WB_OPERAND_NUMBER)
    return operand->value == 0;
  return wb_sass_last_symbol(operands, "`(", &name, &length) && strlen(function->name) == length &&
         memcmp(function->name, name, length) == 0;
}

/* The register with the lower word of the address that an instruction calls, which counts from the
 * start of the section. */
static bool find_relative(const struct calls *calls, const struct wb_instruction *call,
                          uint16_t *number)
{
  const struct wb_operand *address = NULL, *base = NULL;
  for (uint32_t o = 0; o < call->operand_count; o++) {
    const struct wb_operand *operand = wb_sass_operand_at(&calls->origin, call, o);
    if (operand->kind == WB_OPERAND_PREDICATE)
      continue;
    base = address != NULL ? operand : NULL;
    address = address != NULL ? address : operand;
  }
  if (!wb_sass_calls_register(calls->function, call) || base == NULL ||
      wb_instruction_has(call, WB_MODIFIER_ABS) ||
      !names_start(calls->function, base, call->operands))
    return false;
  *number = address->number;
  return true;
}

/* The instruction whose place a pair of words of constant bank 2 is; SIZE_MAX: none's. Zeros name
 * the start, which no code calls: they are padding. */
static size_t place_at(const struct wb_function *function, size_t at)
{
  uint64_t value = 0;
  for (unsigned byte = 0; byte < sizeof value; byte++)
    value |= (uint64_t)(unsigned char)function->constants[at + byte] << (8 * byte);
  return value != 0 ? wb_function_at(function, value) : SIZE_MAX;
}

/* Makes of a call by register one of the targets that were added, by the registers that it reads.
 */
static bool link_places(const struct calls *calls, struct wb_instruction *call, uint16_t number,
                        size_t first_target)
{
  struct wb_function *function = calls->function;
  size_t capacity = function->span_count;
  if (!wb_grow(function->spans, &capacity, function->span_count + 2))
    return false;
  call->first_read = (uint32_t)function->span_count;
  call->read_count = call->write_count = 0;
  if (call->guarded) {
    function->spans[function->span_count++] = (struct wb_register_span){call->guard, 1};
    call->read_count++;
  }
  function->spans[function->span_count++] = (struct wb_register_span){number, 2};
  call->read_count++;
  call->transfer = WB_TRANSFER_CALL_LINKED;
  call->agreement = WB_AGREES_BY_SOURCES;
  call->callee = call->assumption = NULL;
  call->first_target = (uint32_t)first_target;
  call->target_count = (uint32_t)(function->target_count - first_target);
  return true;
}

/* Gives a call by register the targets that constant bank 2 has: of the place that the code names,
 * or of all. False where memory is out. */
static bool call_places(const struct calls *calls, size_t index)
{
  struct wb_function *function = calls->function;
  struct wb_instruction *call = &function->instructions[index];
  struct word low, high;
  uint16_t number;
  if (function->constants == NULL || !find_relative(calls, call, &number) ||
      !find_word(calls, index, number, BANK_OF_PLACES, &low) ||
      !find_word(calls, index, (uint16_t)(number + 1), BANK_OF_PLACES, &high) ||
      high.load != low.load || high.at != low.at + 4 || high.index != low.index)
    return true;
  const bool one = low.index == WB_NO_REGISTER;
  const size_t first = function->target_count;
  size_t capacity = first;
  for (size_t at = one ? low.at : 0; at + 8 <= function->constant_length; at += 8) {
    const size_t place = place_at(function, at);
    bool listed = place == SIZE_MAX;
    for (size_t t = first; t < function->target_count && !listed; t++)
      listed = function->targets[t] == place;
    if (!listed && !wb_sass_add_target(calls->parser, function, &capacity, place))
      return false;
    if (one)
      break;
  }
  if (function->target_count == first)
    return true;
  if (!link_places(calls, call, number, first))
    return wb_sass_out_of_memory(calls->parser);
  call->assumption = one ? NULL : FROM_TABLE;
  return true;
}

/* ---- calls by register of functions whose addresses the file takes ---- */

/* UMOV UR4, 32@lo(add) ; @UP0 UMOV UR4, 32@lo(mul) ; MOV R2, UR4 ; .. ; CALL.ABS.NOINC R2 */

#define MOST_SHOWN 16 /* functions, of each of which the address is moved */
#define MOST_MOVES 8  /* through registers, one after the other */

struct shown {
  const char *half; /* "32@lo(" */
  const char *names[MOST_SHOWN];
  size_t lengths[MOST_SHOWN];
  size_t count;
};

/* Adds the function half of whose address an instruction moves to its register. */
static bool add_moved(const struct wb_instruction *move, struct shown *shown)
{
  const char *name;
  size_t length;
  if ((move->number != WB_OPCODE_MOV && move->number != WB_OPCODE_UMOV) ||
      !wb_sass_last_symbol(move->operands, shown->half, &name, &length))
    return false;
  for (size_t n = 0; n < shown->count; n++)
    if (shown->lengths[n] == length && memcmp(shown->names[n], name, length) == 0)
      return true;
  if (shown->count == MOST_SHOWN)
    return false;
  shown->names[shown->count] = name;
  shown->lengths[shown->count++] = length;
  return true;
}

/* Adds all functions half of whose addresses a register may have before an instruction: writers
 * that a guard may skip, and the first one that none does. */
static bool find_shown(const struct calls *calls, size_t before, uint16_t number, unsigned moves,
                       struct shown *shown)
{
  const struct wb_instruction *writer = NULL;
  do {
    writer = wb_sass_last_writer(&calls->origin, before, number);
    if (writer == NULL || moves == 0)
      return false;
    before = (size_t)(writer - calls->function->instructions);
    const struct wb_copy *copy = wb_sass_copied(&calls->origin, writer, number, WB_COPY_REGISTER);
    if (copy != NULL ? copy->value != 0 || !find_shown(calls, before, copy->from, moves - 1, shown)
                     : !add_moved(writer, shown))
      return false;
  } while (writer->guard != WB_NO_REGISTER);
  return true;
}

/* Whether the code shows both halves of the address that it calls; the functions are in *low. */
static bool shows_functions(const struct calls *calls, size_t index, uint16_t number,
                            struct shown *low)
{
  struct shown high = {.half = "32@hi("};
  *low = (struct shown){.half = "32@lo("};
  if (!find_shown(calls, index, number, MOST_MOVES, low) ||
      !find_shown(calls, index, (uint16_t)(number + 1), MOST_MOVES, &high) ||
      low->count != high.count)
    return false;
  for (size_t n = 0; n < low->count; n++) {
    bool found = false;
    for (size_t h = 0; h < high.count; h++)
      found |= low->lengths[n] == high.lengths[h] &&
               memcmp(low->names[n], high.names[h], low->lengths[n]) == 0;
    if (!found)
      return false;
  }
  return true;
}

static bool add_called(struct wb_sass_parser *parser, const char *name)
{
  struct wb_code *code = parser->code;
  if (name == NULL || !wb_grow(code->called, &parser->called_capacity, code->called_count + 1))
    return wb_sass_out_of_memory(parser);
  code->called[code->called_count++] = name;
  return true;
}

/* Whether only the driver has a function: no code keeps its address. */
static bool is_of_driver(const struct wb_code *code, const char *name)
{
  bool driver = wb_runtime_call_find(name) != NULL;
  for (size_t f = 0; f < code->function_count && driver; f++)
    driver = !code->functions[f].defined || strcmp(code->functions[f].name, name) != 0;
  return driver;
}

/* Lists the functions whose addresses calls of a cubin may get: those that it takes itself where it
 * is linked; of an object file those that any of the file takes. */
static bool list_taken(struct wb_sass_parser *parser, struct wb_sass_cubin *cubin)
{
  for (const struct wb_sass_cubin *before = parser->cubins; before < cubin; before++) {
    if (cubin->relocatable && before->relocatable && before->sm == cubin->sm && before->count > 0) {
      cubin->first = before->first;
      cubin->count = before->count;
      return true;
    }
  }
  const size_t first = parser->code->called_count;
  const struct wb_sass_cubin *from = parser->cubins;
  for (size_t t = 0; t < parser->taken_count; t++) {
    while (from->module != parser->taken[t].module)
      from++;
    const bool other = cubin->relocatable && from->relocatable && from->sm == cubin->sm;
    if ((from == cubin || other) && !is_of_driver(parser->code, parser->taken[t].name) &&
        !add_called(parser, parser->taken[t].name))
      return false;
  }
  cubin->first = (uint32_t)first;
  cubin->count = (uint32_t)(parser->code->called_count - first);
  return true;
}

/* The cubin that a function is of; NULL where its module is a listing. */
static struct wb_sass_cubin *cubin_of(const struct wb_sass_parser *parser, size_t function)
{
  size_t module = parser->module_count;
  while (module > 0 && parser->module_starts[module - 1] > function)
    module--;
  for (size_t c = 0; c < parser->cubin_count; c++)
    if ((size_t)parser->cubins[c].module + 1 == module)
      return &parser->cubins[c];
  return NULL;
}

/* Notes which functions a call by register may call: those that the code before it shows, else all
 * whose addresses are taken. */
static bool call_functions(const struct calls *calls, struct wb_sass_cubin *cubin, size_t index)
{
  struct wb_sass_parser *parser = calls->parser;
  struct wb_function *function = calls->function;
  const struct wb_instruction *call = &function->instructions[index];
  struct shown shown;
  if (!wb_sass_calls_register(function, call) || !wb_instruction_has(call, WB_MODIFIER_ABS) ||
      !shows_return(calls, index))
    return true;
  uint32_t o = 0;
  while (wb_operand_of(function, call, o)->kind == WB_OPERAND_PREDICATE)
    o++;
  struct wb_call_set set = {.instruction = (uint32_t)index,
                            .first = (uint32_t)parser->code->called_count};
  set.shown = shows_functions(calls, index, wb_operand_of(function, call, o)->number, &shown);
  for (size_t n = 0; set.shown && n < shown.count; n++)
    if (!add_called(parser,
                    wb_sass_keep(parser, (struct wb_sass_piece){shown.names[n], shown.lengths[n]})))
      return false;
  set.count = (uint32_t)parser->code->called_count - set.first;
  if (!set.shown) {
    if (cubin == NULL || (cubin->relocatable && parser->code->unread_count > 0))
      return true;
    if (cubin->count == 0 && !list_taken(parser, cubin))
      return false;
    set.first = cubin->first;
    set.count = cubin->count;
  }
  size_t capacity = function->call_set_count;
  if (set.count == 0)
    return true;
  if (!wb_grow(function->call_sets, &capacity, function->call_set_count + 1))
    return wb_sass_out_of_memory(parser);
  function->call_sets[function->call_set_count++] = set;
  return true;
}

/* ---- calls before Volta of what constant bank 4 names ---- */

/* MOV32I R0, 0x0 ; LDC R3, c[0x4][R0] ; PRET `(next) ; JMX R3: addresses of code have 32 bits. */

/* What an instruction that calls outside by a jump through a register calls; NULL: it is not known,
 * or the jump goes elsewhere than to the start of that. */
static const char *jumps_to(const struct calls *calls, size_t function, size_t index)
{
  const struct wb_instruction *jump = &calls->function->instructions[index];
  const struct wb_operand *address = NULL;
  uint32_t at;
  for (uint32_t o = 0; o < jump->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(calls->function, jump, o);
    if (operand->kind == WB_OPERAND_PREDICATE)
      continue;
    if (address != NULL)
      return NULL;
    address = operand;
  }
  if (jump->number != WB_OPCODE_JMX || address == NULL || !wb_operand_is_plain_register(address) ||
      address->number == WB_NO_REGISTER || !find_address(calls, index, address->number, &at))
    return NULL;
  return name_at(calls->parser, function, at, sizeof(uint32_t));
}

#define NEVER_RETURNS                                                                              \
  "what the code calls where an assertion fails stops the kernel and does not return (CUDA C++ "   \
  "Programming Guide): the lanes that call it end"

/* Whether another object that is linked with that of a function may define the name: it is not
 * linked yet, and the name is not one that is reserved for implementations (C17, 7.1.3). */
static bool may_be_elsewhere(const struct wb_sass_parser *parser, size_t function, const char *name)
{
  const struct wb_sass_cubin *const cubin = cubin_of(parser, function);
  return (cubin != NULL ? cubin->relocatable : parser->relocatable) && strncmp(name, "__", 2) != 0;
}

/* What the runtime has and never returns ends the lanes that call it; a function of the file with
 * such a name may return. */
static void end_call(const struct wb_sass_parser *parser, size_t function,
                     struct wb_instruction *call)
{
  const struct wb_runtime_call *row =
      call->transfer == WB_TRANSFER_CALL_OUTSIDE ? wb_runtime_call_find(call->callee) : NULL;
  if (row == NULL || !row->ends_thread || defines(parser->code, call->callee) ||
      may_be_elsewhere(parser, function, call->callee))
    return;
  call->transfer = WB_TRANSFER_EXIT;
  call->outside = true;
  call->write_count = 0;
  call->assumption = NEVER_RETURNS;
}

/* The same of jumps of a function before Volta: all others stay calls of what is not known. */
static bool end_jumps(struct wb_sass_parser *parser, size_t index)
{
  struct wb_function *function = &parser->code->functions[index];
  struct calls calls = {.parser = parser, .function = function};
  if (!wb_sass_origin_begin(function, &calls.origin))
    return wb_sass_out_of_memory(parser);
  for (size_t i = 0; i < function->instruction_count; i++) {
    struct wb_instruction *jump = &function->instructions[i];
    const char *name = jump->outside && jump->transfer == WB_TRANSFER_POP && !jump->never
                           ? jumps_to(&calls, index, i)
                           : NULL;
    const struct wb_runtime_call *row = name != NULL ? wb_runtime_call_find(name) : NULL;
    if (row == NULL || !row->ends_thread || defines(parser->code, name) ||
        may_be_elsewhere(parser, index, name))
      continue;
    jump->transfer = WB_TRANSFER_EXIT;
    jump->token = WB_TOKEN_NONE;
    jump->unknown = false;
    jump->write_count = 0;
    jump->callee = name;
    jump->assumption = NEVER_RETURNS;
  }
  wb_sass_origin_end(&calls.origin);
  return true;
}

/* What the calls of a function by register call. */
static bool function_calls(struct wb_sass_parser *parser, size_t index)
{
  struct wb_function *function = &parser->code->functions[index];
  struct calls calls = {.parser = parser, .function = function};
  struct wb_sass_cubin *cubin = cubin_of(parser, index);
  bool done = wb_sass_origin_begin(function, &calls.origin) || wb_sass_out_of_memory(parser);
  for (size_t i = 0; i < function->instruction_count && done; i++) {
    if (function->instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE &&
        !name_call(&calls, index, i))
      done = call_places(&calls, i) && call_functions(&calls, cubin, i);
  }
  wb_sass_origin_end(&calls.origin);
  return done;
}

bool wb_sass_name_calls(struct wb_sass_parser *parser)
{
  for (size_t f = 0; f < parser->code->function_count; f++) {
    struct wb_function *function = &parser->code->functions[f];
    bool any = false;
    for (size_t i = 0; i < function->instruction_count; i++)
      any |= function->wide ? function->instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE
                            : function->instructions[i].outside;
    if (any && !(function->wide ? function_calls(parser, f) : end_jumps(parser, f)))
      return false;
    for (size_t i = 0; i < function->instruction_count; i++)
      end_call(parser, f, &function->instructions[i]);
  }
  return true;
}
