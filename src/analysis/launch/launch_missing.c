/* What a launch without a bound lacks: all of it at once, so that one more run is enough. */
#include "analysis/launch/launch_steps.h"

#include "analysis/wcet/parameter_needs.h"
#include "base/checked.h"
#include "base/text.h"
#include "base/text/demangle.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Source lines of loops that one option bounds, and letters of a reason, in a message. */
#define MOST_PLACES 4
#define LONGEST_REASON 220
/* Letters of a message but for its end. */
#define LONGEST_MESSAGE 350

/* The list being made. */
struct missing {
  struct wb_launch_analysis *analysis;
  size_t capacity;
  struct wb_text reason; /* of the row at hand */
};

/* ---- rows ---- */

static bool is_listed(const struct wb_launch_analysis *analysis, const char *option)
{
  bool found = analysis->arena.failed; /* a text of some row is lost */
  for (size_t m = 0; m < analysis->missing_count && !found; m++)
    found = strcmp(analysis->missing[m].option, option) == 0;
  return found;
}

/* Adds a row, with missing->reason, which is empty afterwards; what is listed already stays as it
 * is. */
static void add(struct missing *missing, const char *option, bool fact)
{
  struct wb_launch_analysis *analysis = missing->analysis;
  struct wb_text *reason = &missing->reason;
  analysis->arena.failed |= reason->failed;
  if (!is_listed(analysis, option) && analysis->missing_count < missing->capacity)
    analysis->missing[analysis->missing_count++] = (struct wb_missing_fact){
        .option = wb_arena_text(&analysis->arena, option, strlen(option)),
        .reason = wb_arena_text(&analysis->arena, reason->data != NULL ? reason->data : "",
                                reason->length),
        .fact = fact};
  wb_text_free(reason);
}

static void add_sizes(struct missing *missing, const struct wb_launch_job *job)
{
  const struct wb_launch *launch = job->question->wcet.launch;
  if (launch == NULL || !wb_launch_size_is_given(launch->grid)) {
    wb_text_string(&missing->reason, "the blocks of the launch");
    add(missing, "--grid X[,Y,Z]", false);
  }
  if ((launch == NULL || !wb_launch_size_is_given(launch->block)) &&
      !wb_launch_size_is_given(job->analysis->function->required_block)) {
    wb_text_string(&missing->reason, "the threads of a block");
    add(missing, "--block X[,Y,Z]", false);
  }
}

/* What limits the blocks of an SM, where neither the file nor the user says it. */
static void add_block_needs(struct missing *missing, const struct wb_launch_job *job)
{
  const struct wb_function *function = job->analysis->function;
  const warpbound_launch_options *options = job->question->options;
  uint32_t count;
  if (options->registers == 0 && function->registers == 0) {
    wb_text_string(&missing->reason, "the file does not say the registers of a thread");
    add(missing, "--registers N", false);
  }
  if (!options->has_static_shared && function->static_shared == UINT32_MAX) {
    wb_text_string(&missing->reason, "the file does not say the shared memory of a block");
    add(missing, "--static-shared BYTES", false);
  }
  if (!options->has_barriers && function->named_barriers == UINT32_MAX &&
      wb_named_barriers_count(function, &count) != NULL) {
    wb_text_string(&missing->reason, "a barrier's number is not in the code");
    add(missing, "--barriers N", false);
  }
  if (function->clustered && !wb_launch_size_is_given(function->cluster) &&
      !wb_launch_size_is_given(options->cluster)) {
    wb_text_string(&missing->reason,
                   "the blocks of a cluster, of which the code has some; 1: none");
    add(missing, "--cluster X,Y,Z", false);
  }
  const struct wb_instruction *access = options->has_dynamic_shared ? NULL : wb_lacking_shared(job);
  if (access != NULL) {
    char *place = wb_code_place(job->analysis->code, access->opcode, access->address, access);
    if (place != NULL)
      wb_text_format(&missing->reason,
                     "%s accesses shared memory, and the code has none of its own", place);
    missing->reason.failed |= place == NULL;
    free(place);
    add(missing, "--dynamic-shared BYTES", false);
  }
}

/* "kernel.cu:12", or the address where no line is known. */
static void write_place(struct wb_text *text, const char *file, uint32_t line, uint32_t address)
{
  const char *slash = file != NULL ? strrchr(file, '/') : NULL;
  if (file != NULL)
    wb_text_format(text, "%.100s:%" PRIu32, slash != NULL ? slash + 1 : file, line);
  else
    wb_text_format(text, "0x%04" PRIx32, address);
}

/* The loops that the option of a need bounds: "loops at kernel.cu:12, kernel.cu:14". */
static void write_loops(struct wb_text *text, const struct wb_parameter_needs *needs, size_t first)
{
  const struct wb_parameter_need *items = needs->items;
  struct wb_text list = {0};
  size_t places = 0;
  for (size_t n = first; n < needs->count; n++) {
    bool said = strcmp(items[n].option, items[first].option) != 0;
    for (size_t m = first; m < n && !said; m++)
      said = items[n].line > 0 && items[m].line == items[n].line &&
             items[m].file == items[n].file && strcmp(items[m].option, items[first].option) == 0;
    if (said)
      continue;
    if (++places <= MOST_PLACES) {
      wb_text_string(&list, places == 1 ? "" : ", ");
      write_place(&list, items[n].file, items[n].line, items[n].address);
    }
  }
  text->failed |= list.failed;
  if (!list.failed && list.data != NULL)
    wb_text_format(text, "loop%s at %s", places == 1 ? "" : "s", list.data);
  if (places > MOST_PLACES)
    wb_text_format(text, " and %zu more", places - MOST_PLACES);
  wb_text_free(&list);
}

/* A hint without what would help, which the row itself says. */
static size_t length_of_cause(const char *hint)
{
  static const char *const helps[] = {": --", ": a flow fact"};
  size_t length = strlen(hint);
  for (size_t h = 0; h < sizeof helps / sizeof *helps; h++) {
    const char *help = strstr(hint, helps[h]);
    if (help != NULL)
      length = wb_minimum(length, (size_t)(help - hint));
  }
  return length;
}

/* The parameter that a hint names, where nothing else would do as well: "--param n=N" of "R3's
 * limit comes from c[0x0][0x168] (comparison at 0x0950): --param n=N may bound it". *length: its
 * letters; 0: there is none. */
static const char *parameter_of_hint(const char *hint, size_t *length)
{
  static const char before[] = ": --param ", after[] = " may bound it";
  const char *help = strstr(hint, before);
  const char *end = help != NULL ? strstr(help, after) : NULL;
  *length = 0;
  if (end == NULL)
    return NULL;
  help += 2;
  const size_t whole = (size_t)(end - help);
  if (strcspn(help + strlen("--param "), " ") + strlen("--param ") == whole)
    *length = whole;
  return help;
}

/* Adds a loop that no word of the parameters was shown to bound. */
static void add_other(struct missing *missing, const struct wb_loop_need *need)
{
  const char *hint = need->hint != NULL ? need->hint : "";
  const bool option = need->fact[0] == '-';
  size_t length;
  const char *parameter = parameter_of_hint(hint, &length);
  wb_text_string(&missing->reason, "loop at ");
  write_place(&missing->reason, need->file, need->line, need->address);
  if (length_of_cause(hint) > 0)
    wb_text_format(&missing->reason, ": %.*s", (int)length_of_cause(hint), hint);
  if (!option && length > 0) {
    char named[WB_LAUNCH_OPTION_SIZE];
    snprintf(named, sizeof named, "%.*s", (int)length, parameter);
    add(missing, named, false);
  } else {
    add(missing, need->fact, !option);
  }
}

static void add_loops(struct missing *missing, const struct wb_parameter_needs *needs)
{
  for (size_t n = 0; n < needs->count; n++) {
    bool said = false;
    for (size_t m = 0; m < n && !said; m++)
      said = strcmp(needs->items[m].option, needs->items[n].option) == 0;
    if (said)
      continue;
    write_loops(&missing->reason, needs, n);
    add(missing, needs->items[n].option, false);
  }
  for (size_t n = 0; n < needs->other_count; n++)
    add_other(missing, &needs->others[n]);
}

/* ---- the message ---- */

/* "fft(float2*, int): facts are missing: --grid X[,Y,Z] (the blocks of the launch); ...". */
static void write_message(const struct wb_launch_job *job, struct wb_text *text)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  const char *mangled = analysis->function->name;
  char *name = wb_demangle(mangled);
  size_t told = 0;
  bool facts = false, unnamed = false;
  wb_text_format(text, "%.120s: facts are missing: ", name != NULL ? name : mangled);
  free(name);
  for (; told < analysis->missing_count; told++) {
    const struct wb_missing_fact *row = &analysis->missing[told];
    const size_t room = LONGEST_MESSAGE - wb_minimum(text->length, LONGEST_MESSAGE);
    const size_t taken = strlen(row->option) + 10;
    if (told > 0 && taken > room)
      break;
    const size_t letters = wb_minimum(room > taken ? room - taken : 0, LONGEST_REASON);
    facts |= row->fact;
    unnamed |= strncmp(row->option, "--param 0x", 10) == 0;
    if (told > 0)
      wb_text_string(text, "; ");
    wb_text_format(text, row->fact ? "a fact '%s'" : "%s", row->option);
    if (strlen(row->reason) <= letters)
      wb_text_format(text, " (%s)", row->reason);
    else if (letters > 20)
      wb_text_format(text, " (%.*s...)", (int)letters - 3, row->reason);
  }
  if (told < analysis->missing_count)
    wb_text_format(text, "; and %zu more", analysis->missing_count - told);
  if (facts)
    wb_text_string(text,
                   "; facts go into the file of --flow-facts, which --template FILE begins; or "
                   "--default-loop-bound N for all, an estimate");
  if (unnamed && !job->question->wcet.sources && analysis->code->file_count > 0)
    wb_text_string(text, "; --sources FOLDER gives parameters their names");
}

/* ---- the whole ---- */

static bool lacks_loops(const struct wb_wcet *wcet)
{
  bool lacks = false;
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++)
    lacks |= wcet->loops[l].source == WB_BOUND_UNKNOWN && wcet->loops[l].fact != NULL;
  return lacks;
}

warpbound_status wb_launch_missing_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_wcet *wcet = &analysis->paths.wcet;
  struct missing missing = {.analysis = analysis};
  struct wb_parameter_needs needs = {0};
  struct wb_text text = {0};
  warpbound_status status = WARPBOUND_OK;
  if (wcet->function != NULL)
    analysis->function = wcet->function;
  if (wcet->facts.moved)
    return WARPBOUND_FACTS_MISSING; /* a person checks them first */
  /* Who looks at the loops again changes the code again. */
  const struct wb_function *function = analysis->function;
  if (function->uncut != NULL)
    function = function->uncut;
  if (lacks_loops(wcet) || !wb_launch_size_is_given(analysis->grid))
    status = wb_parameter_needs_find(analysis->code, function, &job->question->wcet, job->control,
                                     &needs, job->error);
  if (status != WARPBOUND_OK)
    return status;
  missing.capacity = needs.count + needs.other_count + 7; /* of the rows of the launch */
  analysis->missing = wb_arena_array(&analysis->arena, struct wb_missing_fact, missing.capacity);
  if (analysis->missing != NULL) {
    add_sizes(&missing, job);
    add_loops(&missing, &needs);
    add_block_needs(&missing, job);
    write_message(job, &text);
  }
  wb_parameter_needs_free(&needs);
  if (analysis->arena.failed || text.failed) {
    analysis->missing_count = 0;
    status = wb_out_of_memory(job->error);
  } else if (analysis->missing_count > 0) {
    status = wb_fail_at(job->error, WARPBOUND_FACTS_MISSING, analysis->code->name, 0, 0, "%s",
                        text.data);
  } else {
    status = WARPBOUND_FACTS_MISSING; /* the message stays */
  }
  wb_text_free(&text);
  return status;
}
