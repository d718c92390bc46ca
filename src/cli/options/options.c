#include "cli/options/options.h"

#include "base/text/nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKESPAN_LIKE (COMMAND_MAKESPAN | COMMAND_SIMULATE | COMMAND_ILP)
#define INTEGER (COMMAND_ILP | COMMAND_MAKESPAN)
#define FROM_KERNEL (MAKESPAN_LIKE | COMMAND_STRING)
#define GRAPHS (COMMAND_CFG | COMMAND_WCET)
#define FROM_SASS (GRAPHS | COMMAND_RUN | COMMAND_ANALYZE | COMMAND_HYBRID)
#define WORST_PATH (FROM_KERNEL | COMMAND_WCET | COMMAND_ANALYZE | COMMAND_HYBRID)
#define SEARCHES (MAKESPAN_LIKE | COMMAND_VERIFY)
#define LONG_WORK (SEARCHES | GRAPHS | COMMAND_ANALYZE | COMMAND_HYBRID)
#define TIMED (LONG_WORK | COMMAND_EVT)
#define HAS_ANSWER (FROM_KERNEL | FROM_SASS | COMMAND_VERIFY | COMMAND_EVT)
#define ANY (FROM_KERNEL | FROM_SASS | TIMED | COMMAND_DEVICES | COMMAND_KERNELS)
/* The commands that may read an instance file, or stand in one. */
#define IN_FILES (ANY & ~(unsigned)COMMAND_EVT)
#define EVERY (ANY | COMMAND_DISASSEMBLE | COMMAND_INSTRUMENT | COMMAND_COMPLETION)

/* A command with more options shows them in groups. */
#define MOST_UNGROUPED 10

static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_WARPS] = {"warps", 'W', "N", false, MAKESPAN_LIKE,
                      "warps on the SM, 1 to 65536; A..B prints a table", GROUP_QUESTION},
    [OPTION_UNITS] = {"units", 'u', "L=1,C=4", false, FROM_KERNEL,
                      "capacity of each unit type of one partition; fractions as S=1/8",
                      GROUP_MACHINE},
    [OPTION_ISSUE_SLOTS] = {"issue-slots", '\0', "N", false, FROM_KERNEL,
                            "most instructions a partition issues in a cycle (0: no cap)",
                            GROUP_MACHINE},
    [OPTION_PARTITIONS] = {"partitions", '\0', "P", false, FROM_KERNEL,
                           "partitions of the SM (default 1)", GROUP_MACHINE},
    [OPTION_SM] = {"sm", '\0', "NAME|FILE", false, FROM_KERNEL | COMMAND_ANALYZE,
                   "a device of 'warpbound devices' or a JSON file, instead of --units",
                   GROUP_MACHINE},
    [OPTION_ALLOW_OTHER_SM] = {"allow-other-sm", '\0', NULL, false, FROM_KERNEL | COMMAND_ANALYZE,
                               "machine code of another architecture than --sm's: an assumption",
                               GROUP_MACHINE},
    [OPTION_BLOCKS] = {"blocks", '\0', "K", false, MAKESPAN_LIKE,
                       "number of blocks; the warps are divided evenly (default 1)",
                       GROUP_QUESTION},
    [OPTION_FAIR_BLOCKS] = {"fair-blocks", '\0', "FIRST,LENGTH,COUNT", false, MAKESPAN_LIKE,
                            "a scheduler that serves earlier repetitions of a sub-block first",
                            GROUP_QUESTION},
    [OPTION_METHOD] = {"method", 'm', "METHOD", false, COMMAND_MAKESPAN,
                       "auto (default: bounds, then search), bounds, exact, anneal, ilp",
                       GROUP_METHOD, "auto bounds exact anneal ilp"},
    [OPTION_VARIANT] = {"variant", '\0', "NAME", false, COMMAND_MAKESPAN,
                        "of annealing: windowed (default) or published (ETFA 2013)",
                        GROUP_ANNEALING, "windowed published"},
    [OPTION_INITIAL] = {"initial", '\0', "NAME", false, COMMAND_MAKESPAN,
                        "where runs begin: round-robin, fixed-priority, most-pending, random, all",
                        GROUP_ANNEALING, "round-robin fixed-priority most-pending random all"},
    [OPTION_TEMPERATURE] = {"temperature", '\0', "T0", false, COMMAND_MAKESPAN,
                            "annealing's first temperature, in cycles (default 0.3)",
                            GROUP_ANNEALING},
    [OPTION_RUNS] = {"runs", '\0', "N", false, COMMAND_MAKESPAN,
                     "runs of the annealing (default 8)", GROUP_ANNEALING},
    [OPTION_POLICY] =
        {"policy", 'p', "POLICY", false, COMMAND_SIMULATE,
         "the policy; without it each of them in turn", GROUP_QUESTION,
         "greedy-then-oldest loose-round-robin greedy-then-round-robin fixed-priority "
         "most-pending"},
    [OPTION_FORM] = {"form", '\0', "FORM", false, INTEGER,
                     "of the integer program: short (default), long, long-corrected", GROUP_INTEGER,
                     "short long long-corrected"},
    [OPTION_HORIZON] = {"horizon", '\0', "N", false, COMMAND_ILP,
                        "cycles of the program (default: the least bound that is proven)",
                        GROUP_INTEGER},
    [OPTION_ALLOW_SHORT_HORIZON] = {"allow-short-horizon", '\0', NULL, false, COMMAND_ILP,
                                    "take a horizon that may cut the worst case off",
                                    GROUP_INTEGER},
    [OPTION_WRITE] = {"write", '\0', "FILE.lp|.mps", false,
                      COMMAND_ILP | COMMAND_WCET | COMMAND_HYBRID,
                      "write the program as CPLEX LP or free MPS", GROUP_FILES},
    [OPTION_SOLVE] = {"solve", '\0', NULL, false, COMMAND_ILP, "solve it; without, only build it",
                      GROUP_INTEGER},
    [OPTION_SOLVER] = {"solver", '\0', "cbc", false, INTEGER | COMMAND_WCET | COMMAND_HYBRID,
                       "the solver that is built in", GROUP_INTEGER, "cbc"},
    [OPTION_SOLVER_COMMAND] = {"solver-command", '\0', "WORDS", false,
                               INTEGER | COMMAND_WCET | COMMAND_HYBRID,
                               "another one, with {model} and {solution} for its files",
                               GROUP_INTEGER},
    [OPTION_TIME_LIMIT] = {"time-limit", '\0', "S", false, TIMED,
                           "stop after S seconds; what is reached is printed", GROUP_METHOD},
    [OPTION_MEMORY_LIMIT] = {"memory-limit", '\0', "SIZE", false, LONG_WORK,
                             "bytes for tables, as 512M or 4G (default 1G)", GROUP_METHOD},
    [OPTION_THREADS] = {"threads", '\0', "N", false, SEARCHES | COMMAND_EVT,
                        "threads to use; the result is the same for any number", GROUP_METHOD},
    [OPTION_SEED] = {"seed", '\0', "N", false,
                     MAKESPAN_LIKE | COMMAND_RUN | COMMAND_ANALYZE | COMMAND_EVT,
                     "seed of random choices: of annealing, a run or a bootstrap (default 0)",
                     GROUP_METHOD},
    [OPTION_KERNEL] = {"kernel", 'k', "NAME", false,
                       FROM_KERNEL | FROM_SASS | COMMAND_DISASSEMBLE | COMMAND_INSTRUMENT |
                           COMMAND_EVT,
                       "the kernel, where the file holds several: mangled or as in the source",
                       GROUP_KERNEL},
    [OPTION_ARCH] = {"arch", '\0', "sm_NN", false,
                     FROM_SASS | FROM_KERNEL | COMMAND_KERNELS | COMMAND_DISASSEMBLE,
                     "the GPU code for an architecture, where a binary has it for several",
                     GROUP_KERNEL},
    [OPTION_CODE_ONLY] = {"code-only", '\0', NULL, false, COMMAND_DISASSEMBLE,
                          "instructions alone: no metadata, no encodings", GROUP_OUTPUT},
    [OPTION_LOOP_ITERATIONS] = {"loop-iterations", '\0', "N", true, FROM_KERNEL,
                                "how often each loop's body is done; LABEL=N, LINE=N: that of one",
                                GROUP_KERNEL, .places = PLACES_NAMED},
    [OPTION_ITERATIONS] = {"iterations", '\0', "N", false, FROM_KERNEL,
                           "the same; with --method anneal: of each of its runs (default 2000000)",
                           GROUP_KERNEL},
    [OPTION_THROUGH] = {"through", '\0', "LABEL|LINE", false, FROM_KERNEL,
                        "end the path before the label, or after the line's instruction",
                        GROUP_KERNEL},
    [OPTION_TAKE] = {"take", '\0', "LABEL|LINE", true, FROM_KERNEL,
                     "go through the label, or take the line's branch; may be repeated",
                     GROUP_KERNEL},
    [OPTION_PATH] = {"path", '\0', "PATH", false, FROM_KERNEL,
                     "of a PTX kernel: longest (default) or fall-through", GROUP_KERNEL},
    [OPTION_LANES] = {"lanes", '\0', "N", false, COMMAND_RUN, "lanes of the warp (default 32)",
                      GROUP_QUESTION},
    [OPTION_STEPS] = {"steps", '\0', "N", false, COMMAND_RUN,
                      "end the run after N instructions (default 10000)", GROUP_QUESTION},
    [OPTION_GROUPS] = {"groups", '\0', "ORDER", false, COMMAND_RUN,
                       "which group runs next: random (default), lowest, highest, newest, "
                       "most, fewest, starve",
                       GROUP_QUESTION, "random lowest highest newest most fewest starve"},
    [OPTION_ASSUME_UNIT] = {"assume-unit", '\0', "OPCODE=U", true, FROM_KERNEL,
                            "unit type L, C, S, D, T or N of an opcode; may be repeated",
                            GROUP_KERNEL, .places = PLACES_NAMED},
    [OPTION_ASSUME_CALL] = {"assume-call", '\0', "NAME=STRING", true, FROM_KERNEL,
                            "what calls of NAME do ('indirect': by register); may be repeated",
                            GROUP_KERNEL, .places = PLACES_NAMED},
    [OPTION_CLASSES] = {"classes", '\0', NULL, false, COMMAND_STRING,
                        "show each instruction of the path with its unit", GROUP_OUTPUT},
    [OPTION_SCHEDULE] = {"schedule", '\0', "FILE.json", false, MAKESPAN_LIKE,
                         "write the witness schedule", GROUP_FILES},
    [OPTION_CERTIFICATE] = {"certificate", '\0', "FILE.json", false,
                            COMMAND_MAKESPAN | COMMAND_ANALYZE,
                            "write what proves the upper end, for 'verify'", GROUP_FILES},
    [OPTION_GANTT] = {"gantt", '\0', "FILE.svg", false, MAKESPAN_LIKE, "draw the witness schedule",
                      GROUP_FILES},
    [OPTION_CONVERGENCE] = {"convergence", '\0', "FILE.csv|.svg", false, COMMAND_MAKESPAN,
                            "write or draw the tractable bound of ECRTS 2012 over y", GROUP_FILES},
    [OPTION_DRAW] = {"draw", '\0', NULL, false, MAKESPAN_LIKE,
                     "draw the witness schedule in the terminal", GROUP_OUTPUT},
    [OPTION_TRACE] = {"trace", '\0', "FILE.csv", false, COMMAND_MAKESPAN,
                      "write every improvement of the annealing", GROUP_FILES},
    [OPTION_PLOT] = {"plot", '\0', "FILE.svg", false, COMMAND_MAKESPAN | COMMAND_ANALYZE,
                     "draw the convergence of the annealing's runs, or the bounds of --sweep",
                     GROUP_FILES},
    [OPTION_OUTPUT] = {"output", 'o', "FILE", false, COMMAND_DISASSEMBLE | COMMAND_INSTRUMENT,
                       "write the listing, PTX or times there", GROUP_FILES},
    [OPTION_AT] = {"at", '\0', "PLACES", false, COMMAND_INSTRUMENT,
                   "where to read the clock: blocks (default), loops, lines; given (default with "
                   "--point)",
                   GROUP_QUESTION, "blocks loops lines given"},
    [OPTION_POINT] = {"point", '\0', "PLACE", true, COMMAND_INSTRUMENT,
                      "and there: LABEL, FILE:LINE of the source, LINE of the PTX; may be repeated",
                      GROUP_QUESTION},
    [OPTION_RAW] = {"raw", '\0', "RAW", false, COMMAND_INSTRUMENT,
                    "write no PTX, but the times of this output of it", GROUP_QUESTION},
    [OPTION_DOT] = {"dot", '\0', "FILE.dot", false, GRAPHS, "write the graph for Graphviz",
                    GROUP_FILES},
    [OPTION_SVG] = {"svg", '\0', "FILE.svg", false, GRAPHS,
                    "draw the graph (needs the program dot of Graphviz)", GROUP_FILES},
    [OPTION_STACK] = {"stack", '\0', "DOMAIN", false, GRAPHS,
                      "of the activation stack: graph (default) or acyclic", GROUP_METHOD,
                      "graph acyclic"},
    [OPTION_NO_GROUPS] = {"no-groups", '\0', NULL, false, GRAPHS,
                          "know nothing of which groups of lanes are empty", GROUP_METHOD},
    [OPTION_AGREEMENT] = {"agreement", '\0', "EXTENT", false, GRAPHS,
                          "whose registers agree: all (default), active, none", GROUP_METHOD,
                          "all active none"},
    [OPTION_RECONVERGENCE] =
        {"reconvergence", '\0', "WHEN", false, FROM_KERNEL | FROM_SASS,
         "BSYNC waits for all lanes: yield (default: unless they yield), never, always",
         GROUP_KERNEL, "yield never always"},
    [OPTION_MASKS] = {"masks", '\0', "HOW", false, FROM_KERNEL | FROM_SASS,
                      "lanes at a WARPSYNC of some of them: apart (default), together",
                      GROUP_KERNEL, "apart together"},
    [OPTION_TARGETS] = {"targets", '\0', "ADDRESS=A,B,C", true, FROM_SASS | FROM_KERNEL,
                        "where the BRX at ADDRESS can go; KERNEL:ADDRESS=.. for one of several",
                        GROUP_KERNEL, .places = PLACES_TARGETS},
    [OPTION_CONTEXTS] = {"contexts", '\0', NULL, false, COMMAND_CFG, "show calling contexts",
                         GROUP_OUTPUT},
    [OPTION_FLOW_FACTS] = {"flow-facts", '\0', "FILE", false, WORST_PATH,
                           "what you know of loops and paths (doc/flow-facts.md)", GROUP_LOOPS},
    [OPTION_SOURCES] = {"sources", '\0', "FOLDER", false, WORST_PATH,
                        "take loop bounds from comments and pragmas of the sources there",
                        GROUP_LOOPS},
    [OPTION_DEFAULT_LOOP_BOUND] =
        {"default-loop-bound", '\0', "N", false, WORST_PATH,
         "of loops of which nothing is known, for the warp: then an estimate", GROUP_LOOPS},
    [OPTION_TEMPLATE] = {"template", '\0', "FILE", false, COMMAND_WCET | COMMAND_ANALYZE,
                         "write the flow facts that are missing, to be filled in", GROUP_FILES},
    [OPTION_COST] = {"cost", '\0', "unit|stalls|FILE", false,
                     FROM_KERNEL | COMMAND_WCET | COMMAND_HYBRID,
                     "cycles of an instruction: one (default), the compiler's stalls, or a table",
                     GROUP_KERNEL},
    [OPTION_BLOCK] = {"block", '\0', "X[,Y,Z]", false, WORST_PATH | COMMAND_CFG,
                      "threads of a block", GROUP_KERNEL},
    [OPTION_GRID] = {"grid", '\0', "X[,Y,Z]", false, WORST_PATH, "blocks of the launch",
                     GROUP_KERNEL},
    [OPTION_PARAM] = {"param", '\0', "OFFSET=VALUE", true, WORST_PATH,
                      "four bytes of the kernel's parameters, eight with L behind the value or "
                      "where it needs them; or param_N=VALUE; may be repeated",
                      GROUP_KERNEL},
    [OPTION_CONSTANT] = {"constant", '\0', "BANK:OFFSET=VALUE", true, WORST_PATH,
                         "the same of constant memory", GROUP_KERNEL},
    [OPTION_SET] = {"set", '\0', "NAME=VALUE", true, COMMAND_ANALYZE,
                    "change a value of the device, as l2.delay=600; may be repeated", GROUP_MACHINE,
                    .places = PLACES_NAMED},
    [OPTION_CLOCK] = {"clock", '\0', "FREQUENCY", false, COMMAND_ANALYZE | COMMAND_EVT,
                      "of the SMs, as 1.3GHz or 930MHz", GROUP_MACHINE},
    [OPTION_DISPATCH] =
        {"dispatch", '\0', "HOW", false, COMMAND_ANALYZE,
         "where blocks go: any SM with room (default), or balanced: the SM with the "
         "fewest, an assumption",
         GROUP_MACHINE, "any balanced"},
    [OPTION_CLUSTER] =
        {"cluster", '\0', "X[,Y,Z]", false, COMMAND_ANALYZE,
         "blocks of a cluster of the launch, where the code does not say: 1 for none",
         GROUP_QUESTION},
    [OPTION_CARVEOUT] = {"carveout", '\0', "max|BYTES", false, COMMAND_ANALYZE,
                         "shared memory that each SM is set to: the largest, or at least so many "
                         "bytes, as 64K (default: any that holds a block), an assumption",
                         GROUP_MACHINE},
    [OPTION_DYNAMIC_SHARED] = {"dynamic-shared", '\0', "BYTES", false, COMMAND_ANALYZE,
                               "shared memory of a block that the launch asks for, as 49152 or 48K",
                               GROUP_QUESTION},
    [OPTION_STATIC_SHARED] = {"static-shared", '\0', "BYTES", false, COMMAND_ANALYZE,
                              "shared memory of a block in the code, where the file does not say",
                              GROUP_QUESTION},
    [OPTION_REGISTERS] = {"registers", '\0', "N", false, COMMAND_ANALYZE,
                          "registers of a thread, where the file does not say", GROUP_QUESTION},
    [OPTION_BARRIERS] = {"barriers", '\0', "N", false, COMMAND_ANALYZE,
                         "named barriers of a block, where the file does not say", GROUP_QUESTION},
    [OPTION_DEADLINE] = {"deadline", '\0', "TIME", false, COMMAND_ANALYZE,
                         "exit status 1 where the upper end is later, as 2ms or 800us",
                         GROUP_QUESTION},
    [OPTION_BUDGET] = {"budget", '\0', "CYCLES", false, COMMAND_ANALYZE,
                       "exit status 1 where the upper end is above", GROUP_QUESTION},
    [OPTION_REQUIRE_PROOF] = {"require-proof", '\0', NULL, false,
                              MAKESPAN_LIKE | COMMAND_WCET | COMMAND_ANALYZE | COMMAND_HYBRID,
                              "exit status 1 where the bound is an estimate", GROUP_OUTPUT},
    [OPTION_LAUNCHES] = {"launches", '\0', "FILE.json", false, COMMAND_ANALYZE,
                         "several launches, a table (doc/analyze.md)", GROUP_QUESTION},
    [OPTION_SWEEP] = {"sweep", '\0', "WHAT=A..B[:STEP]", false, COMMAND_ANALYZE,
                      "a table over block, registers or sms: block=64..1024", GROUP_QUESTION},
    [OPTION_SIMULATE] = {"simulate", '\0', "N", false, COMMAND_ANALYZE,
                         "most warp instructions to simulate for the lower end (default 5000000)",
                         GROUP_METHOD},
    [OPTION_ACCESSES] = {"accesses", '\0', NULL, false, COMMAND_ANALYZE,
                         "show every access to memory, by source line", GROUP_OUTPUT},
    [OPTION_NAMES] = {"names", '\0', NULL, false, COMMAND_KERNELS,
                      "the names of kernels alone, as --kernel takes them, a line each",
                      GROUP_OUTPUT},
    [OPTION_REPORT] = {"report", '\0', "FOLDER|FILE.html", false, COMMAND_ANALYZE,
                       "write a page with all of it, to be opened from disk", GROUP_OUTPUT},
    [OPTION_REPORT_CI] = {"report-ci", '\0', "FILE.sarif|.xml", true, COMMAND_ANALYZE,
                          "write the verdict as SARIF or JUnit XML; may be repeated", GROUP_OUTPUT},
    [OPTION_TIMELINE] = {"timeline", '\0', "FILE.svg", false, COMMAND_ANALYZE,
                         "draw the longest simulated run", GROUP_FILES},
    [OPTION_COLUMN] = {"column", '\0', "NAME|N", false, COMMAND_EVT,
                       "the times' column, or JSON's member (default: the one that can be meant)",
                       GROUP_QUESTION},
    [OPTION_GROUP] = {"group", '\0', "NAME|N", false, COMMAND_EVT,
                      "the column that tells runs or kernels apart, each a series", GROUP_QUESTION},
    [OPTION_UNIT] = {"unit", '\0', "UNIT", false, COMMAND_EVT,
                     "of the times, where the file does not say: cycles (default), ns, us, ms, s",
                     GROUP_QUESTION, "cycles ns us ms s"},
    [OPTION_PROBABILITY] =
        {"probability", 'p', "P[,P..]", true, COMMAND_EVT,
         "that one run takes longer (default 1e-3,1e-6,1e-9,1e-12); may be repeated",
         GROUP_QUESTION},
    [OPTION_TAIL_METHOD] = {"method", 'm', "METHOD", false, COMMAND_EVT,
                            "block-maxima, peaks (over a threshold), both (default)", GROUP_METHOD,
                            "both block-maxima peaks"},
    [OPTION_BLOCK_SIZE] = {"block-size", '\0', "N", false, COMMAND_EVT,
                           "times of a block; 1: they are maxima already (default: chosen)",
                           GROUP_METHOD},
    [OPTION_THRESHOLD] = {"threshold", '\0', "TIME", false, COMMAND_EVT,
                          "of the peaks, in the unit of the times (default: by the rule)",
                          GROUP_METHOD},
    [OPTION_THRESHOLD_RULE] = {"threshold-rule", '\0', "RULE", false, COMMAND_EVT,
                               "anderson-darling (default), northrop-coleman, stability",
                               GROUP_METHOD, "anderson-darling northrop-coleman stability"},
    [OPTION_RUN_LENGTH] = {"run-length", '\0', "N", false, COMMAND_EVT,
                           "times at or below the threshold that end a cluster of peaks "
                           "(default: estimated)",
                           GROUP_METHOD},
    [OPTION_NO_DECLUSTER] = {"no-decluster", '\0', NULL, false, COMMAND_EVT,
                             "every time above the threshold is a peak", GROUP_METHOD},
    [OPTION_CONFIDENCE] = {"confidence", '\0', "P", false, COMMAND_EVT,
                           "of intervals (default 0.95)", GROUP_METHOD},
    [OPTION_SIGNIFICANCE] = {"significance", '\0', "P", false, COMMAND_EVT,
                             "of tests (default 0.05)", GROUP_METHOD},
    [OPTION_BOOTSTRAP] = {"bootstrap", '\0', "N", false, COMMAND_EVT,
                          "intervals of levels by N replicates too", GROUP_METHOD},
    [OPTION_REPLICATES] = {"replicates", '\0', "N", false, COMMAND_EVT,
                           "of the bootstrap of goodness of fit (default 199)", GROUP_METHOD},
    [OPTION_FIT_ANYWAY] = {"fit-anyway", '\0', NULL, false, COMMAND_EVT,
                           "fit data too to which the statistics do not apply", GROUP_METHOD},
    [OPTION_REQUIRE_APPLICABLE] = {"require-applicable", '\0', NULL, false, COMMAND_EVT,
                                   "exit status 1 where they do not apply", GROUP_QUESTION},
    [OPTION_BOUND] = {"bound", '\0', "CYCLES|FILE.json", false, COMMAND_EVT,
                      "a proven bound to stand beside the fits, or the --json of wcet, makespan or "
                      "analyze",
                      GROUP_QUESTION},
    [OPTION_PLOTS] = {"plots", '\0', "FOLDER", false, COMMAND_EVT,
                      "write the plots as SVG, and a page with all of them", GROUP_OUTPUT},
    [OPTION_TIMES] = {"times", '\0', "FILE", false, COMMAND_HYBRID,
                      "measured times between places of the code (doc/measured/hybrid.md)",
                      GROUP_QUESTION},
    [OPTION_UNMEASURED] = {"unmeasured", '\0', "CYCLES|static", false, COMMAND_HYBRID,
                           "what an instruction costs that no time covers: cycles, or as --cost",
                           GROUP_QUESTION, "static"},
    [OPTION_COUNTS] = {"counts", '\0', "code|observed", false, COMMAND_HYBRID,
                       "how often code runs: by its bounds (default), or at most as measured",
                       GROUP_QUESTION, "code observed"},
    [OPTION_JSON] = {"json", '\0', NULL, false, ANY, "one JSON object on standard output",
                     GROUP_OUTPUT},
    [OPTION_QUIET] = {"quiet", 'q', NULL, false, HAS_ANSWER, "the answer alone", GROUP_OUTPUT},
    [OPTION_NO_PROGRESS] = {"no-progress", '\0', NULL, false, TIMED,
                            "no progress line on a terminal", GROUP_OUTPUT},
    [OPTION_HELP] = {"help", 'h', NULL, false, EVERY, "this help", GROUP_OUTPUT},
};

const struct option_row *option_row(enum option option)
{
  return &rows[option];
}

/* The option of a long name of `length` characters, or OPTION_COUNT. */
static enum option find_long(unsigned command, const char *name, size_t length)
{
  for (int o = 0; o < OPTION_COUNT; o++) {
    if ((rows[o].commands & command) && strlen(rows[o].name) == length &&
        strncmp(rows[o].name, name, length) == 0)
      return (enum option)o;
  }
  return OPTION_COUNT;
}

static enum option find_short(unsigned command, char letter)
{
  for (int o = 0; o < OPTION_COUNT; o++) {
    if ((rows[o].commands & command) && rows[o].letter != '\0' && rows[o].letter == letter)
      return (enum option)o;
  }
  return OPTION_COUNT;
}

/* The commands that have an option, as words: "makespan, simulate and ilp". */
static void write_commands(enum option option, struct wb_text *text)
{
  size_t count;
  size_t left = 0;
  const struct command_name *commands = command_names(&count);
  for (size_t c = 0; c < count; c++)
    left += (rows[option].commands & commands[c].bit) != 0;
  bool first = true;
  for (size_t c = 0; c < count; c++) {
    if (!(rows[option].commands & commands[c].bit))
      continue;
    wb_text_format(text, "%s%s", first ? "" : left > 1 ? ", " : " and ", commands[c].name);
    first = false;
    left--;
  }
}

/* An option that the command has not: another command's, or one that nobody has. */
static warpbound_status unknown(unsigned command, const char *word, size_t length,
                                warpbound_error *error)
{
  char name[64];
  char hint[WB_HINT_SIZE];
  struct wb_text text = {0};
  const char *of = command_name(command);
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
  struct wb_nearest nearest = wb_nearest_start(name);
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (rows[o].commands & command)
      wb_nearest_offer(&nearest, rows[o].name);
  }
  enum option elsewhere = find_long(EVERY, word, length);
  wb_text_format(&text, "unknown option '--%s'%s", name, wb_nearest_hint(&nearest, "--", hint));
  if (nearest.best == NULL && elsewhere != OPTION_COUNT) {
    wb_text_string(&text, "; it is an option of ");
    write_commands(elsewhere, &text);
  }
  warpbound_status status =
      text.failed ? wb_out_of_memory(error)
                  : wb_fail(error, WARPBOUND_USAGE, "%s; 'warpbound help %s' lists those of %s",
                            text.data, of, of);
  wb_text_free(&text);
  return status;
}

/* Refuses two values of one place; both are of the command line, or both of a file. */
static warpbound_status refuse_two(enum option option, const char *one, const char *other,
                                   warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected one value%s, found '%.60s' and '%.60s'",
                 rows[option].name, rows[option].repeatable ? " for a place" : "", one, other);
}

/* Compares a value with those of the option from `from` on, of a single one with that: *match, and
 * *other where they are of one place. */
static void compare_with(const struct arguments *arguments, enum option option, const char *value,
                         size_t from, size_t to, enum value_match *match, const char **other)
{
  const struct wb_list *given = &arguments->repeated[option];
  *match = VALUES_APART;
  for (size_t i = from; i < to && *match == VALUES_APART; i++) {
    *match = values_compare(rows[option].places, given->items[i], value);
    *other = given->items[i];
  }
}

static warpbound_status store(struct arguments *arguments, enum option option, const char *value,
                              warpbound_error *error)
{
  struct wb_list *given = &arguments->repeated[option];
  enum value_match match;
  const char *other = arguments->value[option];
  if (!rows[option].repeatable) {
    if (other != NULL && strcmp(other, value) != 0)
      return refuse_two(option, other, value, error);
    arguments->value[option] = value;
    return WARPBOUND_OK;
  }
  compare_with(arguments, option, value, arguments->from_file[option], given->count, &match,
               &other);
  if (match == VALUES_DIFFER)
    return refuse_two(option, other, value, error);
  wb_list_add(given, "%s", value);
  return given->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* The words of the command line, and where in them the parser stands. */
struct words {
  char **words;
  int count;
  int at;
};

/* Takes an option's value: what is joined to it, or the next word. */
static warpbound_status take(struct arguments *arguments, enum option option, const char *joined,
                             struct words *words, warpbound_error *error)
{
  const struct option_row *row = &rows[option];
  if (row->argument == NULL) {
    if (joined != NULL)
      return wb_fail(error, WARPBOUND_USAGE, "--%s takes no value, found '%.60s'", row->name,
                     joined);
    return store(arguments, option, "", error);
  }
  if (joined == NULL && words->at >= words->count)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a value (%s)", row->name, row->argument);
  return store(arguments, option, joined != NULL ? joined : words->words[words->at++], error);
}

static warpbound_status parse_long(struct arguments *arguments, unsigned command, const char *word,
                                   struct words *words, warpbound_error *error)
{
  const char *name = word + 2;
  size_t length = strcspn(name, "=");
  enum option option = find_long(command, name, length);
  if (option == OPTION_COUNT)
    return unknown(command, name, length, error);
  return take(arguments, option, name[length] == '=' ? name + length + 1 : NULL, words, error);
}

static warpbound_status parse_short(struct arguments *arguments, unsigned command, const char *word,
                                    struct words *words, warpbound_error *error)
{
  enum option option = find_short(command, word[1]);
  if (option == OPTION_COUNT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "unknown option '-%c'; 'warpbound help %s' lists those of %s", word[1],
                   command_name(command), command_name(command));
  return take(arguments, option, word[2] != '\0' ? word + 2 : NULL, words, error);
}

static warpbound_status parse_word(struct arguments *arguments, unsigned command, const char *word,
                                   struct words *words, bool *only_inputs, warpbound_error *error)
{
  if (!*only_inputs && strcmp(word, "--") == 0) {
    *only_inputs = true;
    return WARPBOUND_OK;
  }
  if (!*only_inputs && strncmp(word, "--", 2) == 0)
    return parse_long(arguments, command, word, words, error);
  if (!*only_inputs && word[0] == '-' && word[1] != '\0')
    return parse_short(arguments, command, word, words, error);
  if (arguments->input != NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected one input, found '%.60s' and '%.60s'",
                   arguments->input, word);
  arguments->input = word;
  return WARPBOUND_OK;
}

warpbound_status arguments_parse(struct arguments *arguments, unsigned command, int count,
                                 char **words, warpbound_error *error)
{
  *arguments = (struct arguments){0};
  struct words rest = {words, count, 0};
  bool only_inputs = false;
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && rest.at < rest.count) {
    const char *word = rest.words[rest.at++];
    status = parse_word(arguments, command, word, &rest, &only_inputs, error);
  }
  return status;
}

enum option option_of_key(const char *key)
{
  char dashed[32];
  size_t length = strlen(key);
  if (length >= sizeof dashed)
    return OPTION_COUNT;
  for (size_t i = 0; i <= length; i++)
    dashed[i] = key[i] == '_' ? '-' : key[i];
  enum option option = find_long(IN_FILES, dashed, length);
  return option == OPTION_HELP ? OPTION_COUNT : option;
}

const char *arguments_keep(struct arguments *arguments, const char *text)
{
  struct wb_list *owned = &arguments->owned;
  wb_list_add(owned, "%s", text);
  for (size_t i = 0; i < owned->count; i++) {
    if (strcmp(owned->items[i], text) == 0)
      return owned->items[i];
  }
  return NULL;
}

void arguments_note_kept(const struct arguments *arguments, enum option option, const char *typed,
                         const char *found, const char *place)
{
  if (arguments->notes != NULL && strcmp(typed, found) != 0)
    wb_list_add(arguments->notes, "--%s %.100s of the command line in place of '%.100s' of %.200s",
                rows[option].name, typed, found, place);
}

/* Whether the command line says something of the place of a file's value, which then is not
 * taken. */
static bool is_typed(const struct arguments *arguments, enum option option, const char *text)
{
  const struct wb_list *given = &arguments->repeated[option];
  const bool in_file = arguments->key[option] != NULL;
  const char *typed = arguments->value[option];
  enum value_match match = typed != NULL && !in_file ? VALUES_DIFFER : VALUES_APART;
  if (rows[option].repeatable)
    compare_with(arguments, option, text, 0, in_file ? arguments->from_file[option] : given->count,
                 &match, &typed);
  if (match == VALUES_DIFFER)
    arguments_note_kept(arguments, option, typed, text, arguments->instance);
  return match != VALUES_APART;
}

warpbound_status arguments_set_default(struct arguments *arguments, unsigned command,
                                       enum option option, const char *key, const char *text,
                                       warpbound_error *error)
{
  bool first = arguments->key[option] == NULL;
  if (!(rows[option].commands & command) || is_typed(arguments, option, text))
    return WARPBOUND_OK;
  if (rows[option].repeatable && first)
    arguments->from_file[option] = arguments->repeated[option].count;
  if (first)
    arguments->key[option] = arguments_keep(arguments, key);
  const char *kept = arguments_keep(arguments, text);
  if (arguments->key[option] == NULL || kept == NULL)
    return wb_out_of_memory(error);
  const warpbound_status status = store(arguments, option, kept, error);
  if (status == WARPBOUND_USAGE)
    arguments_blame(arguments, option, arguments->from_file[option], error);
  return status == WARPBOUND_USAGE ? error->status : status;
}

void arguments_blame(const struct arguments *arguments, enum option option, size_t index,
                     warpbound_error *error)
{
  const char *key = arguments->key[option];
  bool typed = key == NULL || (rows[option].repeatable && index < arguments->from_file[option]);
  if (typed || error->status != WARPBOUND_USAGE)
    return;
  warpbound_error cause = *error;
  const char *name = rows[option].name;
  bool named =
      strncmp(cause.message, "--", 2) == 0 && strncmp(cause.message + 2, name, strlen(name)) == 0;
  wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0, "%s%s%s", key,
             named ? "" : ": ", named ? cause.message + 2 + strlen(name) : cause.message);
}

/* The option, not a repeatable one, that a message is about: it begins with "--NAME: "
 * or "--NAME, PART: ". Else OPTION_COUNT. */
static enum option subject_of(const char *message)
{
  if (strncmp(message, "--", 2) != 0)
    return OPTION_COUNT;
  size_t length = strcspn(message + 2, " :,");
  const char *next = message + 2 + length;
  /* "--schedule, --gantt and --draw need" is about no single one. */
  bool single = *next == ':' || (next[0] == ',' && next[1] == ' ' && next[2] != '-');
  enum option option = single ? find_long(EVERY, message + 2, length) : OPTION_COUNT;
  return option != OPTION_COUNT && !rows[option].repeatable ? option : OPTION_COUNT;
}

/* Whether all options that a message names and that were given come from the file. */
static bool all_from_file(const struct arguments *arguments, const char *message)
{
  bool any = false;
  for (const char *at = strstr(message, "--"); at != NULL; at = strstr(at + 2, "--")) {
    enum option option = find_long(EVERY, at + 2, strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-"));
    if (option == OPTION_COUNT || arguments->value[option] == NULL)
      continue;
    if (arguments->key[option] == NULL)
      return false;
    any = true;
  }
  return any;
}

void arguments_blame_named(const struct arguments *arguments, warpbound_error *error)
{
  if (error->status != WARPBOUND_USAGE || arguments->instance == NULL)
    return;
  enum option option = subject_of(error->message);
  warpbound_error cause = *error;
  if (option != OPTION_COUNT)
    arguments_blame(arguments, option, 0, error);
  else if (all_from_file(arguments, cause.message))
    wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0, "%s", cause.message);
}

void arguments_free(struct arguments *arguments)
{
  for (int o = 0; o < OPTION_COUNT; o++)
    wb_list_free(&arguments->repeated[o]);
  wb_list_free(&arguments->owned);
}

warpbound_status arguments_number(const struct arguments *arguments, enum option option,
                                  uint64_t least, uint64_t most, uint64_t fallback, uint64_t *value,
                                  warpbound_error *error)
{
  const char *text = arguments->value[option];
  *value = fallback;
  if (text == NULL)
    return WARPBOUND_OK;
  errno = 0;
  char *end;
  unsigned long long number = strtoull(text, &end, 10);
  bool digits = *text >= '0' && *text <= '9' && *end == '\0';
  if (!digits || errno != 0 || number < least || number > most)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", found '%.60s'",
                   rows[option].name, least, most, text);
  *value = number;
  return WARPBOUND_OK;
}

/* A number above 0 of what `expected` says. */
static warpbound_status positive(const struct arguments *arguments, enum option option,
                                 const char *expected, double *value, warpbound_error *error)
{
  const char *text = arguments->value[option];
  *value = 0;
  if (text == NULL)
    return WARPBOUND_OK;
  char *end;
  *value = strtod(text, &end);
  /* strtod reads hexadecimal, signs and names as well. */
  bool decimal = text[strspn(text, "0123456789.eE+-")] == '\0' && *text != '+' && *text != '-';
  if (!decimal || end == text || *end != '\0' || !isfinite(*value) || *value <= 0)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected %s above 0, found '%.60s'",
                   rows[option].name, expected, text);
  return WARPBOUND_OK;
}

warpbound_status arguments_seconds(const struct arguments *arguments, enum option option,
                                   double *seconds, warpbound_error *error)
{
  return positive(arguments, option, "seconds", seconds, error);
}

warpbound_status arguments_positive(const struct arguments *arguments, enum option option,
                                    double *value, warpbound_error *error)
{
  return positive(arguments, option, "a number", value, error);
}

/* Bytes of at least `least` and at most `most`, with K, M, G or T behind. False where the text is
 * none. */
static bool read_bytes(const char *text, uint64_t least, uint64_t most, uint64_t *bytes)
{
  static const char suffixes[] = "KMGT";
  errno = 0;
  char *end;
  const unsigned long long number = strtoull(text, &end, 10);
  unsigned shift = 0;
  const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
  if (suffix != NULL) {
    shift = 10 * (unsigned)(suffix - suffixes + 1);
    end++;
  }
  const bool digits = *text >= '0' && *text <= '9' && *end == '\0';
  *bytes = (uint64_t)number << shift;
  return digits && errno == 0 && number <= (UINT64_MAX >> shift) && *bytes >= least &&
         *bytes <= most;
}

warpbound_status arguments_size(const struct arguments *arguments, enum option option,
                                uint64_t *bytes, warpbound_error *error)
{
  const char *text = arguments->value[option];
  *bytes = 0;
  if (text == NULL || read_bytes(text, 1, UINT64_MAX, bytes))
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--%s: expected bytes as 1000000, 512M or 4G, found '%.60s'", rows[option].name,
                 text);
}

warpbound_status arguments_bytes(const struct arguments *arguments, enum option option,
                                 uint32_t *bytes, warpbound_error *error)
{
  const char *text = arguments->value[option];
  uint64_t number = 0;
  const bool read = text == NULL || read_bytes(text, 0, UINT32_MAX - 1, &number);
  *bytes = (uint32_t)number;
  return read ? WARPBOUND_OK
              : wb_fail(error, WARPBOUND_USAGE,
                        "--%s: expected bytes as 49152 or 48K, below 4G, found '%.60s'",
                        rows[option].name, text);
}

static void help_row(const struct option_row *row, struct wb_text *text)
{
  char left[48];
  char letter[8] = "   ";
  if (row->letter != '\0')
    snprintf(letter, sizeof letter, "-%c,", row->letter);
  snprintf(left, sizeof left, "%s --%s%s%s", letter, row->name, row->argument != NULL ? " " : "",
           row->argument != NULL ? row->argument : "");
  wb_text_format(text, "  %-29s %s\n", left, row->help);
}

static size_t count_options(unsigned command)
{
  size_t count = 0;
  for (int o = 0; o < OPTION_COUNT; o++)
    count += (rows[o].commands & command) != 0;
  return count;
}

void options_help(unsigned command, struct wb_text *text)
{
  static const char *const titles[GROUP_COUNT] = {
      [GROUP_QUESTION] = "question",
      [GROUP_MACHINE] = "machine",
      [GROUP_METHOD] = "method and limits",
      [GROUP_ANNEALING] = "annealing",
      [GROUP_INTEGER] = "integer program",
      [GROUP_KERNEL] = "kernel files",
      [GROUP_LOOPS] = "loops",
      [GROUP_FILES] = "files to write",
      [GROUP_OUTPUT] = "output",
  };
  bool grouped = count_options(command) > MOST_UNGROUPED;
  for (int g = 0; g < GROUP_COUNT; g++) {
    bool titled = !grouped;
    for (int o = 0; o < OPTION_COUNT; o++) {
      const struct option_row *row = &rows[o];
      if (!(row->commands & command) || row->group != (enum option_group)g)
        continue;
      if (!titled)
        wb_text_format(text, "\n %s\n", titles[g]);
      titled = true;
      help_row(row, text);
    }
  }
}
