#include "model/linked_function.h"

#include "base/text.h"

#include <string.h>

/* Most instructions of a function with all that it calls. */
#define INSTRUCTION_LIMIT ((size_t)1 << 22)
/* Sections of code begin at multiples of it. */
#define ALIGNMENT 128u
/* Names of an assumption; of more their number is said. */
#define MOST_NAMED 12

struct linking {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct wb_link_choice *choice;
  bool *taken;    /* by function of the code */
  size_t *parts;  /* functions of the code in the order in which they are met */
  size_t count;   /* of parts */
  size_t *called; /* by name of code->called: its function + 1; 0: not looked for, SIZE_MAX: none */
  size_t calls;   /* that are linked */
  size_t targets; /* of these */
  struct wb_function *linked;
};

/* The function of that name, of the same architecture: that of the caller's module, else of another
 * one, as object files call each other's. SIZE_MAX: none, or it is not known which. */
static size_t function_named(const struct linking *linking, const struct wb_function *caller,
                             const char *name)
{
  const struct wb_code *code = linking->code;
  size_t found[2] = {SIZE_MAX, SIZE_MAX};
  size_t count[2] = {0, 0};
  for (size_t f = 0; f < code->function_count; f++) {
    const struct wb_function *function = &code->functions[f];
    bool called = strcmp(function->name, name) == 0;
    for (size_t s = 0; s < function->symbol_count && !called; s++)
      called = function->symbols[s].index == 0 && strcmp(function->symbols[s].name, name) == 0;
    if (!called || !function->defined || function->sm != linking->function->sm)
      continue;
    const bool elsewhere = function->module != caller->module;
    found[elsewhere] = f;
    count[elsewhere]++;
  }
  const bool elsewhere = count[0] == 0;
  return count[elsewhere] == 1 ? found[elsewhere] : SIZE_MAX;
}

/* A callee of a call of a set; SIZE_MAX: it is not in the code. */
static size_t callee_of_set(struct linking *linking, const struct wb_function *caller,
                            const struct wb_call_set *set, uint32_t which)
{
  size_t *known = &linking->called[set->first + which];
  if (*known == 0) {
    const size_t found = function_named(linking, caller, linking->code->called[set->first + which]);
    *known = found == SIZE_MAX ? SIZE_MAX : found + 1;
  }
  return *known == SIZE_MAX ? SIZE_MAX : *known - 1;
}

/* Whether all functions of a set are in the code. */
static bool has_all(struct linking *linking, const struct wb_function *caller,
                    const struct wb_call_set *set)
{
  for (uint32_t n = 0; n < set->count; n++) {
    if (callee_of_set(linking, caller, set, n) == SIZE_MAX)
      return false;
  }
  return true;
}

/* How many functions of the code an instruction may call; 0: its callee is not in the code, or the
 * call stays. Of one by name *callee is that, else *set has them. */
static size_t callees_of(struct linking *linking, const struct wb_function *caller,
                         const struct wb_instruction *call, const struct wb_call_set **set,
                         size_t *callee)
{
  const struct wb_link_choice *choice = linking->choice;
  if (call->transfer != WB_TRANSFER_CALL_OUTSIDE || call->never || call->callee == NULL ||
      (choice != NULL && choice->stays(choice->context, caller, call)))
    return 0;
  *set = wb_function_call_set(caller, (uint32_t)(call - caller->instructions));
  if (*set != NULL)
    return has_all(linking, caller, *set) ? (*set)->count : 0;
  *callee = function_named(linking, caller, call->callee);
  return *callee != SIZE_MAX;
}

static void take(struct linking *linking, size_t callee)
{
  if (linking->taken[callee])
    return;
  linking->taken[callee] = true;
  linking->parts[linking->count++] = callee;
}

/* Takes the functions that a function calls to the parts, if it has not yet. */
static void take_callees(struct linking *linking, const struct wb_function *function)
{
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_call_set *set = NULL;
    size_t callee = SIZE_MAX;
    const size_t count = callees_of(linking, function, &function->instructions[i], &set, &callee);
    linking->calls += count > 0;
    linking->targets += count;
    if (count > 0 && set == NULL)
      take(linking, callee);
    for (uint32_t n = 0; count > 0 && set != NULL && n < set->count; n++)
      take(linking, callee_of_set(linking, function, set, n));
  }
}

/* ---- the linked function ---- */

/* Counts what one more part has. */
static void count_part(struct wb_function *sum, const struct wb_function *part)
{
  sum->instruction_count += part->instruction_count;
  sum->operand_count += part->operand_count;
  sum->span_count += part->span_count;
  sum->target_count += part->target_count;
  sum->annotation_count += part->annotation_count;
  sum->copy_count += part->copy_count;
  sum->symbol_count += part->symbol_count;
}

static void copy(void *to, const void *from, size_t count, size_t size)
{
  if (count > 0)
    memcpy(to, from, count * size);
}

/* Puts a part behind the others; `base` is added to its addresses. */
static void add_part(struct wb_function *linked, const struct wb_function *part, uint32_t base)
{
  const uint32_t first = (uint32_t)linked->instruction_count;
  const uint32_t operand = (uint32_t)linked->operand_count, span = (uint32_t)linked->span_count;
  const uint32_t target = (uint32_t)linked->target_count;
  copy(linked->instructions + first, part->instructions, part->instruction_count,
       sizeof *part->instructions);
  copy(linked->operands + operand, part->operands, part->operand_count, sizeof *part->operands);
  copy(linked->spans + span, part->spans, part->span_count, sizeof *part->spans);
  copy(linked->annotations + linked->annotation_count, part->annotations, part->annotation_count,
       sizeof *part->annotations);
  copy(linked->copies + linked->copy_count, part->copies, part->copy_count, sizeof *part->copies);
  if (linked->encodings != NULL)
    copy(linked->encodings + first, part->encodings, part->instruction_count,
         sizeof *part->encodings);
  for (size_t i = first; i < first + part->instruction_count; i++) {
    struct wb_instruction *instruction = &linked->instructions[i];
    instruction->address += base;
    instruction->first_operand += operand;
    instruction->first_read += span;
    instruction->first_write += span;
    instruction->first_target += target;
  }
  for (size_t t = 0; t < part->target_count; t++)
    linked->targets[target + t] = part->targets[t] + first;
  for (size_t a = 0; a < part->annotation_count; a++) {
    linked->annotations[linked->annotation_count + a].instruction += first;
    linked->annotations[linked->annotation_count + a].first_target += target;
  }
  for (size_t c = 0; c < part->copy_count; c++)
    linked->copies[linked->copy_count + c].instruction += first;
  if (first > 0)
    linked->symbols[linked->symbol_count++] = (struct wb_label){part->name, first, part->line};
  for (size_t s = 0; s < part->symbol_count; s++) {
    linked->symbols[linked->symbol_count + s] = part->symbols[s];
    linked->symbols[linked->symbol_count + s].index += first;
  }
  count_part(linked, part);
  linked->parts[linked->part_count++] = (struct wb_part){part, first, base};
}

/* Makes of a call one that stays in the function, to targets that are added next. */
static void link_call(struct wb_function *linked, struct wb_instruction *call)
{
  const bool wide = linked->wide;
  call->transfer = wide ? WB_TRANSFER_CALL_LINKED : WB_TRANSFER_CALL;
  call->token = wide ? WB_TOKEN_NONE : WB_TOKEN_RETURN;
  call->agreement = WB_AGREES_BY_SOURCES;
  call->callee = call->assumption = NULL;
  call->write_count = call->read_count = 0;
  call->first_read = (uint32_t)linked->span_count;
  if (call->guarded) {
    call->read_count = 1;
    linked->spans[linked->span_count++] = (struct wb_register_span){call->guard, 1};
  }
  call->first_target = (uint32_t)linked->target_count;
  call->target_count = 0;
}

static void add_target(struct wb_function *linked, struct wb_instruction *call, uint32_t target)
{
  linked->targets[linked->target_count++] = target;
  call->target_count++;
}

/* The registers with the address that a call goes to. */
static void read_address(struct wb_function *linked, struct wb_instruction *call)
{
  for (uint32_t o = 0; o < call->operand_count; o++) {
    const struct wb_operand *operand = wb_operand_of(linked, call, o);
    if (operand->kind != WB_OPERAND_REGISTER || operand->number == WB_NO_REGISTER)
      continue;
    linked->spans[linked->span_count++] = (struct wb_register_span){operand->number, 2};
    call->read_count++;
    break;
  }
}

/* What is assumed of a call of one of the functions whose addresses the file takes. NULL: memory is
 * out. */
static const char *name_taken(const struct linking *linking, const struct wb_call_set *set,
                              struct wb_arena *arena)
{
  struct wb_text text = {0};
  wb_text_string(&text, "a call through a register of which the code does not show more goes to a "
                        "function whose address the file takes: ");
  for (uint32_t n = 0; n < set->count && n < MOST_NAMED; n++)
    wb_text_format(&text, "%s%.100s", n > 0 ? ", " : "", linking->code->called[set->first + n]);
  if (set->count > MOST_NAMED)
    wb_text_format(&text, " or one of %u more", (unsigned)(set->count - MOST_NAMED));
  char *kept = text.failed ? NULL : wb_arena_array(arena, char, text.length + 1);
  if (kept != NULL)
    memcpy(kept, text.data, text.length);
  wb_text_free(&text);
  return kept;
}

/* Room for everything; a call takes its targets, and spans for its guard and its address. */
static bool make_room(struct linking *linking, struct wb_arena *arena)
{
  struct wb_function *linked = linking->linked;
  struct wb_function sum = {0};
  bool encoded = true, constants = linking->function->constants != NULL;
  for (size_t p = 0; p < linking->count; p++) {
    const struct wb_function *part = &linking->code->functions[linking->parts[p]];
    count_part(&sum, part);
    encoded &= part->encodings != NULL;
    constants &= p == 0 || part->constant_length == 0;
  }
  *linked = *linking->function;
  for (size_t p = 1; p < linking->count; p++) { /* what a linker gives the kernel */
    const struct wb_function *part = &linking->code->functions[linking->parts[p]];
    if (linked->registers != 0 && part->registers > linked->registers)
      linked->registers = part->registers;
    if (linked->named_barriers != UINT32_MAX && part->named_barriers != UINT32_MAX &&
        part->named_barriers > linked->named_barriers)
      linked->named_barriers = part->named_barriers;
  }
  linked->instructions = wb_arena_array(arena, struct wb_instruction, sum.instruction_count);
  linked->operands = wb_arena_array(arena, struct wb_operand, sum.operand_count);
  linked->spans =
      wb_arena_array(arena, struct wb_register_span, sum.span_count + 2 * linking->calls);
  linked->targets = wb_arena_array(arena, uint32_t, sum.target_count + linking->targets);
  linked->annotations = wb_arena_array(arena, struct wb_annotation, sum.annotation_count);
  linked->copies = wb_arena_array(arena, struct wb_copy, sum.copy_count);
  linked->symbols = wb_arena_array(arena, struct wb_label, sum.symbol_count + linking->count);
  linked->parts = wb_arena_array(arena, struct wb_part, linking->count);
  linked->encodings =
      encoded ? wb_arena_array(arena, struct wb_encoding, sum.instruction_count) : NULL;
  linked->instruction_count = linked->operand_count = linked->span_count = linked->target_count = 0;
  linked->annotation_count = linked->copy_count = linked->symbol_count = linked->part_count = 0;
  if (!constants) {
    linked->constants = NULL;
    linked->constant_length = 0;
  }
  return !arena->failed;
}

/* Links a call of a part, the linked function's instruction; false: memory is out. */
static bool link_one(struct linking *linking, const struct wb_function *part, size_t index,
                     struct wb_instruction *call, const uint32_t *first, struct wb_arena *arena)
{
  struct wb_function *linked = linking->linked;
  const struct wb_call_set *set = NULL;
  size_t callee = SIZE_MAX;
  if (callees_of(linking, part, &part->instructions[index], &set, &callee) == 0)
    return true;
  link_call(linked, call);
  if (set == NULL) {
    add_target(linked, call, first[callee]);
    return true;
  }
  read_address(linked, call);
  for (uint32_t n = 0; n < set->count; n++)
    add_target(linked, call, first[callee_of_set(linking, part, set, n)]);
  call->assumption = set->shown ? NULL : name_taken(linking, set, arena);
  return set->shown || call->assumption != NULL;
}

static bool link_calls(struct linking *linking, const uint32_t *first, struct wb_arena *arena)
{
  struct wb_function *linked = linking->linked;
  bool done = true;
  for (size_t p = 0; p < linked->part_count && done; p++) {
    const struct wb_function *part = linked->parts[p].function;
    for (size_t i = 0; i < part->instruction_count && done; i++)
      done = link_one(linking, part, i, &linked->instructions[linked->parts[p].first + i], first,
                      arena);
  }
  return done;
}

warpbound_status wb_function_link(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_link_choice *choice, struct wb_arena *arena,
                                  const struct wb_function **linked, warpbound_error *error)
{
  struct linking linking = {.code = code,
                            .function = function,
                            .choice = choice,
                            .taken = wb_arena_array(arena, bool, code->function_count),
                            .parts = wb_arena_array(arena, size_t, code->function_count),
                            .called = wb_arena_array(arena, size_t, code->called_count),
                            .linked = wb_arena_array(arena, struct wb_function, 1)};
  uint32_t *first = wb_arena_array(arena, uint32_t, code->function_count);
  if (arena->failed)
    return wb_out_of_memory(error);
  *linked = function;
  if (function->part_count > 0 || function->uncut != NULL)
    return WARPBOUND_OK;
  const size_t own = (size_t)(function - code->functions);
  linking.taken[own] = true;
  linking.parts[linking.count++] = own;
  size_t instructions = 0;
  for (size_t p = 0; p < linking.count && instructions <= INSTRUCTION_LIMIT; p++) {
    const struct wb_function *part = &code->functions[linking.parts[p]];
    instructions += part->instruction_count;
    take_callees(&linking, part);
  }
  if (linking.calls == 0)
    return WARPBOUND_OK;
  if (instructions > INSTRUCTION_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "%.100s: expected at most %zu instructions with those of the functions that it "
                   "calls",
                   function->name, INSTRUCTION_LIMIT);
  if (!make_room(&linking, arena))
    return wb_out_of_memory(error);
  uint32_t base = 0;
  for (size_t p = 0; p < linking.count; p++) {
    const struct wb_function *part = &code->functions[linking.parts[p]];
    first[linking.parts[p]] = (uint32_t)linking.linked->instruction_count;
    add_part(linking.linked, part, base);
    const uint32_t end = part->instructions[part->instruction_count - 1].address + 16;
    base += (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  if (!link_calls(&linking, first, arena))
    return wb_out_of_memory(error);
  *linked = linking.linked;
  return WARPBOUND_OK;
}
