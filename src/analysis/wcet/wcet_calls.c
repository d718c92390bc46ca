/* Calls of a function that is analysed: which of them are linked, which no thread makes, and what
 * those of code outside cost, as somebody assumes. */
#include "analysis/wcet/wcet_steps.h"

#include "base/checked.h"
#include "base/text.h"
#include "flow/paths/absent_calls.h"
#include "flow/paths/dead_instructions.h"
#include "isa/function_start.h"
#include "isa/runtime_calls.h"
#include "model/linked_function.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which calls facts speak of ---- */

/* Whether a fact names what an instruction calls; one of an address names none. */
static bool names_call(const struct wb_flow_fact *fact, const struct wb_function *function,
                       const struct wb_instruction *call)
{
  if (fact->kind != WB_FACT_CALL || fact->name == NULL)
    return false;
  const bool indirect =
      call->callee == NULL ||
      (call->operand_count > 0 && wb_operand_of(function, call, 0)->kind == WB_OPERAND_REGISTER);
  return (indirect && strcmp(fact->name, "indirect") == 0) ||
         (call->callee != NULL && strcmp(fact->name, call->callee) == 0);
}

/* Whether a fact is of the call at an address of its own function. */
static bool is_at(const struct wb_kernel_facts *facts, const struct wb_flow_fact *fact,
                  uint32_t address)
{
  return fact->kind == WB_FACT_CALL && fact->name == NULL &&
         facts->places[fact->first_place].address == address;
}

/* ---- linking ---- */

struct link_context {
  const struct wb_function *function; /* that is analysed */
  const struct wb_wcet_options *options;
};

/* Whether some fact is of a call. own: addresses of the facts are those of the caller. */
static bool any_of(const struct wb_kernel_facts *facts, bool own, const struct wb_function *caller,
                   const struct wb_instruction *call)
{
  bool found = false;
  for (size_t f = 0; facts != NULL && f < facts->fact_count && !found; f++)
    found = names_call(&facts->facts[f], caller, call) ||
            (own && is_at(facts, &facts->facts[f], call->address));
  return found;
}

/* A call whose cycles somebody assumes is not followed. */
static bool stays(void *context, const struct wb_function *caller,
                  const struct wb_instruction *call)
{
  const struct link_context *of = context;
  const struct wb_flow_facts *facts = of->options->facts;
  const bool own = caller == of->function;
  return any_of(of->options->assumed, own, caller, call) ||
         (facts != NULL &&
          (any_of(wb_flow_facts_find(facts, of->function->name), own, caller, call) ||
           (!own && any_of(wb_flow_facts_find(facts, caller->name), true, caller, call))));
}

warpbound_status wb_wcet_link(const struct wb_code *code, const struct wb_function *function,
                              const struct wb_wcet_options *options, struct wb_arena *arena,
                              const struct wb_function **linked, warpbound_error *error)
{
  struct link_context context = {.function = function, .options = options};
  const struct wb_link_choice choice = {.context = &context, .stays = stays};
  const warpbound_status status = wb_function_link(code, function, &choice, arena, linked, error);
  if (status == WARPBOUND_OK)
    wb_function_starts_settle(*linked);
  return status;
}

/* ---- what calls cost ---- */

/* The facts of calls that are looked at together, and which of them some call is of. */
struct claims {
  struct wb_fact_scope scope;
  const char *file; /* NULL: of options */
  bool *used;       /* by fact */
};

struct counter {
  struct wb_wcet_analysis *analysis;
  struct claims *claims;
  size_t count;
};

/* The function with all its calls. */
static const struct wb_function *as_written(const struct wb_function *function)
{
  return function->uncut != NULL ? function->uncut : function;
}

/* The fact that assumes the least cycles of a call, or that no thread makes it (never); NULL where
 * none does. Marks all that are of it. *file: of that fact. */
static const struct wb_flow_fact *find_assumed(const struct counter *counter, uint32_t index,
                                               bool never, const char **file)
{
  const struct wb_function *function = as_written(counter->analysis->wcet->function);
  const struct wb_instruction *call = &function->instructions[index];
  const struct wb_flow_fact *least = NULL;
  for (size_t c = 0; c < counter->count; c++) {
    const struct claims *claims = &counter->claims[c];
    const struct wb_kernel_facts *facts = claims->scope.facts;
    const bool inside = index >= claims->scope.first && index < claims->scope.end;
    for (size_t f = 0; facts != NULL && f < facts->fact_count && inside; f++) {
      const struct wb_flow_fact *fact = &facts->facts[f];
      const bool at =
          fact->kind == WB_FACT_CALL && fact->name == NULL &&
          wb_fact_scope_at(&claims->scope, facts->places[fact->first_place].address) == index;
      if (fact->never != never || (!at && !names_call(fact, function, call)))
        continue;
      claims->used[f] = true;
      if (least != NULL && fact->number >= least->number)
        continue;
      least = fact;
      *file = claims->file;
    }
  }
  return least;
}

/* Where a fact stands, for messages. */
#define SAID_SIZE 200

static void write_said(const struct wb_flow_fact *fact, const char *file, char said[SAID_SIZE])
{
  if (file != NULL)
    snprintf(said, SAID_SIZE, "%.150s:%" PRIu32, file, fact->line);
  else
    snprintf(said, SAID_SIZE, "%.150s", fact->said);
}

static warpbound_status count_assumed(struct wb_wcet_analysis *analysis, uint32_t index,
                                      const struct wb_flow_fact *fact, const char *file)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *call = &wcet->function->instructions[index];
  char said[SAID_SIZE];
  char *place = wb_code_place(wcet->code, call->opcode, call->address, call);
  if (place == NULL)
    return wb_out_of_memory(analysis->error);
  write_said(fact, file, said);
  wb_list_add(&wcet->assumptions,
              "what %.200s calls (%.100s) takes at most %" PRIu64
              " cycles of its warp, passes no barrier of the block, writes nothing that bounds of "
              "loops rest on, and its lanes return together, or end (%s) declared",
              place, call->callee != NULL ? call->callee : "by a register", fact->number, said);
  free(place);
  wcet->assumed_calls[index] = (int64_t)fact->number;
  return wb_add_signed(wcet->cycles[index], (int64_t)fact->number, &wcet->cycles[index])
             ? WARPBOUND_OK
             : wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                       "the cycles of a call do not fit into 64 bits");
}

/* What would make a proven bound of a call of code that has a name but is not in the file. */
static void write_remedy(const struct wb_instruction *what, char remedy[SAID_SIZE])
{
  if (wb_calls_runtime_end(what))
    snprintf(remedy, SAID_SIZE,
             "--assume-call %.40s=CYCLES says what it takes; each thread comes to such a call, so "
             "that no launch ends without an error",
             what->callee);
  else
    snprintf(remedy, SAID_SIZE,
             "give the linked program, where that holds it; what only the driver has (vprintf) is "
             "in no file: leave the call out, or say what it takes (--assume-call)");
}

/* The cost of code that is called and is not in the listing is in no number. */
static void leave_out(struct wb_wcet_analysis *analysis, const struct wb_instruction *what)
{
  struct wb_wcet *wcet = analysis->wcet;
  char remedy[SAID_SIZE];
  write_remedy(what, remedy);
  if (what->callee == NULL)
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what,
                           "give a file that holds all code that is called, or say where the call "
                           "may go (--targets)",
                           "what it calls is not known, so that its time is in no number");
  else
    wb_estimate_because_of(&wcet->estimate, "call-outside", wcet->code, what, remedy,
                           "it calls %.200s, which is not in the file, so that its time is in no "
                           "number",
                           what->callee);
  wb_list_add(
      &wcet->assumptions,
      "the time of code that is called and not in the listing counts as that of the calling "
      "instruction: the result is an estimate");
  if (what->callee != NULL)
    wb_list_add(&wcet->assumptions, "not counted: %.200s", what->callee);
}

/* Whether it calls code that is not followed. */
static bool is_outside(const struct wb_instruction *what)
{
  return (what->outside || what->transfer == WB_TRANSFER_CALL_OUTSIDE) && !what->never;
}

static warpbound_status count_instruction(const struct counter *counter, uint32_t index)
{
  const struct wb_instruction *what = &counter->analysis->wcet->function->instructions[index];
  const char *file = NULL;
  if (!is_outside(what))
    return WARPBOUND_OK;
  const struct wb_flow_fact *fact = find_assumed(counter, index, false, &file);
  if (fact != NULL)
    return count_assumed(counter->analysis, index, fact, file);
  leave_out(counter->analysis, what);
  return WARPBOUND_OK;
}

/* Refuses facts of calls that no call is of; never: those of calls that no thread makes, or the
 * others. */
static warpbound_status check_used(const struct counter *counter, const struct claims *claims,
                                   bool never)
{
  static const char why[] = "expected a call of code that is not in the function's section, by its "
                            "name, its address or 'indirect', found none in";
  const struct wb_kernel_facts *facts = claims->scope.facts;
  const char *name = claims->scope.function->name;
  warpbound_error *error = counter->analysis->error;
  for (size_t f = 0; facts != NULL && f < facts->fact_count; f++) {
    const struct wb_flow_fact *fact = &facts->facts[f];
    if (fact->kind != WB_FACT_CALL || fact->never != never || claims->used[f])
      continue;
    if (claims->file != NULL)
      return wb_fail_at(error, WARPBOUND_INVALID_INPUT, claims->file, fact->line, fact->column,
                        "%s %.120s", why, name);
    return wb_fail(error, WARPBOUND_USAGE, "%.160s: %s %.120s", fact->said, why, name);
  }
  return WARPBOUND_OK;
}

/* All facts of calls: those of the file by scope, then those of options. False where memory is out.
 */
static bool make_claims(struct counter *counter, const struct wb_fact_scopes *scopes)
{
  struct wb_wcet_analysis *analysis = counter->analysis;
  const struct wb_wcet_options *options = analysis->options;
  const struct wb_function *function = analysis->wcet->function;
  struct wb_arena *arena = &analysis->wcet->arena;
  counter->claims = wb_arena_array(arena, struct claims, scopes->count + 1);
  if (counter->claims == NULL)
    return false;
  for (size_t s = 0; s < scopes->count; s++)
    counter->claims[counter->count++] = (struct claims){
        .scope = scopes->items[s], .file = options->facts != NULL ? options->facts->name : NULL};
  const struct wb_fact_scope of_options = {.facts = options->assumed,
                                           .function = function,
                                           .end = (uint32_t)function->instruction_count};
  counter->claims[counter->count++] = (struct claims){.scope = of_options};
  for (size_t c = 0; c < counter->count; c++) {
    const struct wb_kernel_facts *facts = counter->claims[c].scope.facts;
    counter->claims[c].used = wb_arena_array(arena, bool, facts != NULL ? facts->fact_count : 0);
  }
  return !arena->failed;
}

/* Cycles of a call that no thread makes count nothing, and are of a call. */
static void mark_of_absent(const struct counter *counter)
{
  const struct wb_function *function = counter->analysis->wcet->function;
  for (uint32_t i = 0; function->uncut != NULL && i < function->instruction_count; i++) {
    const char *file = NULL;
    if (is_outside(&function->uncut->instructions[i]) && !is_outside(&function->instructions[i]))
      (void)find_assumed(counter, i, false, &file);
  }
}

warpbound_status wb_wcet_count_calls(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->function->instruction_count;
  struct counter counter = {.analysis = analysis};
  bool *counted = wb_arena_array(&wcet->arena, bool, count);
  wcet->assumed_calls = wb_arena_array(&wcet->arena, int64_t, count);
  if (wcet->arena.failed || !make_claims(&counter, &analysis->scopes))
    return wb_out_of_memory(analysis->error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < count; i++)
    wcet->assumed_calls[i] = -1;
  for (size_t b = 0; b < wcet->graph->block_count; b++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[b];
    for (uint32_t i = block->first; i <= block->last && status == WARPBOUND_OK; i++) {
      if (!counted[i])
        status = count_instruction(&counter, i);
      counted[i] = true;
    }
  }
  mark_of_absent(&counter);
  for (size_t c = 0; c < counter.count && status == WARPBOUND_OK; c++)
    status = check_used(&counter, &counter.claims[c], false);
  return status;
}

/* ---- calls that no thread makes ---- */

static warpbound_status assume_absent(struct wb_wcet_analysis *analysis, uint32_t index,
                                      const struct wb_flow_fact *fact, const char *file)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *call = &wcet->function->instructions[index];
  char said[SAID_SIZE];
  char *place = wb_code_place(wcet->code, call->opcode, call->address, call);
  if (place == NULL)
    return wb_out_of_memory(analysis->error);
  write_said(fact, file, said);
  wb_list_add(&wcet->assumptions,
              "no thread does %.200s, a call of %.100s: the result is of runs in which none does "
              "(%s) declared",
              place, call->callee != NULL ? call->callee : "code that a register names", said);
  free(place);
  return WARPBOUND_OK;
}

/* Marks the calls that facts say no thread makes, and states it of each. */
static warpbound_status mark_said(struct wb_wcet_analysis *analysis, const struct counter *counter,
                                  bool *absent, bool *any)
{
  const struct wb_function *function = analysis->wcet->function;
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t i = 0; i < function->instruction_count && status == WARPBOUND_OK; i++) {
    const char *file = NULL;
    const struct wb_flow_fact *fact =
        is_outside(&function->instructions[i]) ? find_assumed(counter, i, true, &file) : NULL;
    absent[i] = fact != NULL;
    *any |= absent[i];
    if (absent[i])
      status = assume_absent(analysis, i, fact, file);
  }
  return status;
}

/* Marks the calls that end the launch with an error and of which no fact is, in *fails, and in
 * *both with those that facts say no thread makes. Whether there is one. */
static bool mark_failing(const struct wb_wcet *wcet, const struct counter *counter,
                         const bool *absent, bool *fails, bool *both)
{
  bool any = false;
  for (uint32_t i = 0; i < wcet->function->instruction_count; i++) {
    const struct wb_instruction *what = &wcet->function->instructions[i];
    const char *file = NULL;
    fails[i] = !absent[i] && is_outside(what) && wb_calls_runtime_end(what) &&
               find_assumed(counter, i, false, &file) == NULL;
    both[i] = absent[i] || fails[i];
    any |= fails[i];
  }
  return any;
}

warpbound_status wb_wcet_leave_out_calls(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->function->instruction_count;
  struct wb_fact_scopes scopes;
  struct counter counter = {.analysis = analysis};
  bool any = false;
  bool *said = wb_arena_array(&wcet->arena, bool, count);
  bool *fails = wb_arena_array(&wcet->arena, bool, count);
  bool *both = wb_arena_array(&wcet->arena, bool, count);
  wcet->absent = wb_arena_array(&wcet->arena, bool, count);
  if (!wb_fact_scopes_make(analysis->options->facts, wcet->function, &wcet->arena, &scopes) ||
      wcet->arena.failed || !make_claims(&counter, &scopes))
    return wb_out_of_memory(analysis->error);
  warpbound_status status = mark_said(analysis, &counter, said, &any);
  for (size_t c = 0; c < counter.count && status == WARPBOUND_OK; c++)
    status = check_used(&counter, &counter.claims[c], true);
  if (status != WARPBOUND_OK)
    return status;
  if (mark_failing(wcet, &counter, said, fails, both)) {
    status = wb_absent_calls_cut(wcet->function, both, &wcet->arena, &wcet->function, wcet->absent,
                                 analysis->error);
    if (status == WARPBOUND_OK) {
      wcet->fails = fails;
      wcet->never = both;
    }
    /* Where each thread comes to such a call, no launch ends without an error: nothing is taken to
     * be so. */
    if (status != WARPBOUND_INVALID_INPUT)
      return status;
  }
  return any ? wb_absent_calls_cut(wcet->function, said, &wcet->arena, &wcet->function,
                                   wcet->absent, analysis->error)
             : WARPBOUND_OK;
}

/* ---- calls that end the launch with an error ---- */

/* Whether a call is of a function that none of those before it is of. */
static bool is_first_of(const struct wb_function *function, const bool *reached, uint32_t index)
{
  bool first = true;
  for (uint32_t i = 0; i < index && first; i++)
    first = !reached[i] ||
            strcmp(function->instructions[i].callee, function->instructions[index].callee) != 0;
  return first;
}

/* States that no thread makes the calls of a function that are reached, from the first one on. */
static bool state_no_failure(struct wb_wcet *wcet, const bool *reached, uint32_t first)
{
  const struct wb_function *function = wcet->function->uncut;
  const char *callee = function->instructions[first].callee;
  struct wb_text places = {0};
  for (uint32_t i = first; i < function->instruction_count; i++) {
    const struct wb_instruction *call = &function->instructions[i];
    if (!reached[i] || strcmp(call->callee, callee) != 0)
      continue;
    char *place = wb_code_place(wcet->code, call->opcode, call->address, call);
    if (place == NULL) {
      wb_text_free(&places);
      return false;
    }
    wb_text_format(&places, "%s%s", i > first ? "; " : "", place);
    free(place);
  }
  if (!places.failed)
    wb_list_add(&wcet->assumptions,
                "no assertion fails: no thread calls %.100s (%s), which stops the kernel, so that "
                "the launch ends with an error and has no result (--assume-call %.100s=CYCLES: the "
                "call is made, and takes these)",
                callee, places.data, callee);
  const bool failed = places.failed;
  wb_text_free(&places);
  return !failed;
}

warpbound_status wb_wcet_note_failing(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->function->instruction_count;
  if (wcet->fails == NULL)
    return WARPBOUND_OK;
  bool *kept = wb_arena_array(&wcet->arena, bool, count);
  bool *reached = wb_arena_array(&wcet->arena, bool, count);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  warpbound_status status =
      wb_kept_ways_find(wcet->graph, &wcet->forest, &analysis->launch, kept, analysis->error);
  if (status == WARPBOUND_OK)
    status = wb_absent_calls_reached(wcet->function, wcet->never, kept, reached, analysis->error);
  for (uint32_t i = 0; i < count; i++)
    reached[i] = reached[i] && wcet->fails[i];
  for (uint32_t i = 0; i < count && status == WARPBOUND_OK; i++) {
    if (reached[i] && is_first_of(wcet->function->uncut, reached, i) &&
        !state_no_failure(wcet, reached, i))
      status = wb_out_of_memory(analysis->error);
  }
  return status;
}
