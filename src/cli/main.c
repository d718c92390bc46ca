/* The program: the table of commands; finds the one asked for, parses its options, runs it, reports
 * failure. */
#include "cli/commands/commands.h"

#include "base/text/nearest.h"
#include "cli/output/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command_row rows[] = {
    {COMMAND_ANALYZE, "FILE --grid X[,Y,Z] --block X[,Y,Z] --sm NAME|FILE [OPTIONS]",
     "the worst case of a whole launch on a device, as a bracket in cycles and seconds",
     "FILE holds machine code with control words: a cubin, a fat binary, a program, or a listing "
     "of\n"
     "cuobjdump -sass or nvdisasm -hex. The upper end holds for every order in which the hardware\n"
     "may serve warps, requests and blocks, with latencies at most those of the device file\n"
     "(doc/launch.md, doc/devices.md); what is only measured on an idle device is an assumption,\n"
     "listed first. The lower end is a run that the same model allows.\n"
     "Exit status 1: the upper end is above --budget or --deadline; 4: a loop without a bound\n"
     "(--template FILE writes what to fill in); 5: a limit was reached; the bracket is valid.\n"
     "\n"
     "Examples:\n"
     "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 16,16 --block "
     "16,16"
     " \\\n"
     "    --sm orin-agx --param param_3=256 --deadline 20ms\n"
     "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 16,16 --block "
     "16,16"
     " \\\n"
     "    --sm orin-agx --param param_3=256 --report report.html\n",
     command_analyze},
    {COMMAND_CHECK, "[PROJECT] [OPTIONS]",
     "all launches of a project: a table, a report, a verdict for continuous integration",
     "PROJECT is a project file (doc/launches/project.md), or a folder with warpbound.yaml; "
     "default\n"
     "warpbound.yaml. Launches are analysed by several processes (--threads). A result is kept, "
     "and\n"
     "used again where neither the program nor any of its inputs changed; --no-cache forbids it.\n"
     "--report writes index.html and a page for each launch; --report-ci SARIF with paths as the\n"
     "project has them, one result a cause, or JUnit XML; --output the object that --json prints.\n"
     "Exit status: 1 where a deadline or budget is not met by an upper end, where one is no proof\n"
     "and that is required, or where one is worse than --baseline allows; else, of the first\n"
     "launch without a bound, 3 (not understood), 4 (facts are missing), 5 (a limit) or 6 (the\n"
     "process that analysed it ended before its result).\n"
     "\n"
     "Examples:\n"
     "  warpbound check examples/project/warpbound.yaml\n"
     "  warpbound check examples/ci/launches.json --sm orin-agx \\\n"
     "    --binary examples/matrix_multiply.fatbin --report-ci check.sarif\n"
     "  warpbound check examples/project --baseline baseline.json --update-baseline\n"
     "  warpbound check examples/project --shard 1/2 --output shard-1.json\n",
     command_check},
    {COMMAND_INIT, "BINARY [OPTIONS]", "writes a project file with the kernels of a binary",
     "Writes warpbound.yaml, or the file of --output, which must not be there: each kernel with "
     "what\n"
     "the binary says of it, a launch of each, and what is missing as lines after '#'. Of code "
     "for\n"
     "several architectures that for --sm, else the first. Parameters have the names of --sources, "
     "and\n"
     "the lines of the loops that need them.\n"
     "\n"
     "Examples:\n"
     "  warpbound init examples/matrix_multiply.fatbin --sm orin-agx --output mine.yaml\n",
     command_init},
    {COMMAND_KERNELS, "FILE [OPTIONS]", "the kernels in a file, and what each of them needs",
     "FILE is a cubin, a fat binary, an ELF program, shared library or object of CUDA, a static\n"
     "library of objects, PTX, a SASS listing, or - for standard input; which one shows in its\n"
     "bytes. For each piece of GPU code: where it lies, architecture, PTX or SASS, toolkit; for\n"
     "each kernel: registers of a thread, static shared memory of a block, stack of a thread in\n"
     "bytes, barriers, parameters and their bytes, threads of a block (<=N: at most; N: exactly).\n"
     "From sm_90 on shared memory counts 1,024 bytes that the system keeps. - is not known.\n"
     "--json has offsets and sizes of parameters too. With --kernel, or with --sources for all: "
     "the\n"
     "parameters by their names, and the loops that have no bound until they are given.\n"
     "Exit status 3: the file is not understood, or all of it is damaged.\n"
     "\n"
     "Examples:\n"
     "  warpbound kernels examples/matrix_multiply.fatbin\n"
     "  warpbound kernels examples/matrix_multiply.fatbin --arch sm_87 --json\n"
     "  warpbound kernels examples/tutorial/kernels.fatbin -k gemm --sources examples/tutorial\n"
     "  warpbound kernels examples/voronoi.ptx\n",
     command_kernels},
    {COMMAND_COMPARE, "OLD NEW [OPTIONS]",
     "two results of analyze: what grew, and what of the code made it",
     "OLD and NEW are what 'analyze --json' or 'check --json' printed, of one launch or of a list "
     "of\n"
     "them (--launches), or - for standard input, as of another revision: 'git show REV:FILE |'. "
     "With\n"
     "--project FILE they are binaries: the project's launches are analysed with each. Launches "
     "of\n"
     "one name are compared: both ends, parts of the upper end, source lines, bounds of loops,\n"
     "requests to memory, registers and blocks of an SM, values of the device, assumptions. Two\n"
     "results of one launch are compared whatever their names are.\n"
     "Exit status 1: with --fail-above, an upper end grew by more than that, was proven and is an\n"
     "estimate, or the new results do not have the launch.\n"
     "\n"
     "Examples:\n"
     "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 4,4 \\\n"
     "    --block 8,8 --sm orin-agx --param param_3=32 --json > old.json\n"
     "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 4,4 \\\n"
     "    --block 8,8 --sm orin-agx --param param_3=33 --json > new.json\n"
     "  warpbound compare old.json new.json --fail-above 5%\n"
     "  warpbound compare examples/gate/filter.fatbin \\\n"
     "    examples/gate/pull-request/filter.fatbin --project examples/gate/warpbound.yaml\n",
     command_compare},
    {COMMAND_MERGE, "RESULTS.json.. [OPTIONS]",
     "unites the results of the shards of a check, as if it had been one",
     "The files are what 'check --shard K/N --output FILE' wrote, of all shards. Prints, writes "
     "and\n"
     "ends as 'check' does; the pages of --report FOLDER are those that the shards wrote there.\n"
     "Refuses (status 3) shards whose program, project, options, devices or files were not the "
     "same.\n"
     "\n"
     "Examples:\n"
     "  warpbound check examples/project --shard 1/2 --output shard-1.json\n"
     "  warpbound check examples/project --shard 2/2 --output shard-2.json\n"
     "  warpbound merge shard-1.json shard-2.json\n",
     command_merge},
    {COMMAND_WCET, "FILE [OPTIONS]",
     "the WCET of one warp that runs alone, of each kernel of a SASS listing",
     "FILE is a listing of cuobjdump -sass or nvdisasm, for sm_50 and later, or - for standard\n"
     "input. The warp-level graph of 'cfg', bounds on its loops and an integer program (IPET)\n"
     "give the most expensive path, from sm_70 on the most expensive run of all groups of lanes;\n"
     "the bound is proven by prices that are checked in integers.\n"
     "Bounds that the code shows are found, others come from --flow-facts, or are the one of\n"
     "--default-loop-bound. A bound of threads is one of the warp where the lanes of an iteration\n"
     "took all earlier ones, and times the lanes elsewhere.\n"
     "Exit status 4: loops without a bound are named; --template FILE writes what to fill in.\n"
     "\n"
     "Examples:\n"
     "  warpbound wcet examples/matrix_multiply.sass --default-loop-bound 10\n"
     "  warpbound wcet examples/matrix_multiply.sass --template facts\n"
     "  warpbound wcet examples/divergence.sass --json\n"
     "  warpbound wcet examples/mandelbrot.sass --reconvergence always --default-loop-bound 10\n",
     command_wcet},
    {COMMAND_MAKESPAN, "STRING|FILE -W N --units L=1,C=4|--sm NAME [OPTIONS]",
     "the worst-case makespan of W identical warps, as a bracket",
     "STRING is a kernel instruction string over L (load/store), C (CUDA core), S (special\n"
     "function), D (double precision), T (tensor core), N (issue only) and B (a barrier of the\n"
     "warps of a block), with counts: 5L9C2L9C. FILE is PTX or a SASS listing (with the options\n"
     "of 'string': --flow-facts, --default-loop-bound of SASS), an instance file, or holds a\n"
     "STRING; - is standard input.\n"
     "Exit status 5: a limit was reached; the bracket printed is valid.\n"
     "\n"
     "Examples:\n"
     "  warpbound makespan 5L9C2L9C -W 4 --units L=1,C=4 --draw\n"
     "  warpbound makespan examples/voronoi.json --json\n"
     "  warpbound makespan LLCLL -W 1..8 --units L=1,C=1\n"
     "  warpbound makespan 5L9C2L9C -W 16 --sm sm_61 --method bounds\n"
     "  warpbound makespan 5L9C2L9C -W 16 --units L=1,C=4 --method anneal --iterations 100000\n"
     "  warpbound makespan CC -W 4 --units C=2 --method ilp\n"
     "  warpbound makespan LCCLCC -W 4 --units L=1,C=2 --fair-blocks 1,3,2\n"
     "  warpbound makespan 2LBCB2LBCB -W 6 --units L=2,C=1 --blocks 2\n",
     command_makespan},
    {COMMAND_SIMULATE, "STRING|FILE -W N --units L=1,C=4|--sm NAME [OPTIONS]",
     "the schedule of one scheduling policy",
     "Policies: greedy-then-oldest, loose-round-robin, greedy-then-round-robin,\n"
     "fixed-priority, most-pending. One policy's makespan is a lower bound on the worst case.\n"
     "\n"
     "Examples:\n"
     "  warpbound simulate 5L9C2L9C -W 4 --units L=1,C=4 --policy greedy-then-oldest --draw\n",
     command_simulate},
    {COMMAND_ILP, "STRING|FILE -W N --units L=1,C=4|--sm NAME [OPTIONS]",
     "the worst-case makespan by the integer program of ECRTS 2012",
     "Builds the program whose optimum is the worst-case makespan, writes it for other solvers,\n"
     "solves it, and checks the schedule that the solution is. The words of a solver command\n"
     "are separated by blanks ('..' and \"..\" keep them together); no shell reads them.\n"
     "{model} is the LP file, {mps} the MPS file, {solution} the file that the solver is to\n"
     "write, {seconds} the time that is left. Solution files of HiGHS, CBC, GLPK, SCIP and\n"
     "Gurobi are read. Exit status 1: the solver's answer is refuted.\n"
     "\n"
     "Examples:\n"
     "  warpbound ilp CC -W 4 --units C=2 --solve\n"
     "  warpbound ilp CC -W 4 --units C=2 --form long-corrected --write program.lp\n"
     "  warpbound ilp CC -W 4 --units C=2 --horizon 4 --allow-short-horizon --solve\n"
     "  warpbound ilp CC -W 4 --units C=2 --solver-command 'glpsol --lp {model} -w {solution}'\n",
     command_ilp},
    {COMMAND_STRING, "FILE [OPTIONS]", "the kernel instruction string of a PTX or SASS kernel",
     "FILE is PTX, a SASS listing, an instance file, or - for standard input. Of PTX the string\n"
     "is that of a path of most instructions, each loop's body done --loop-iterations times; PTX\n"
     "is not machine code, so that it is an estimate, as is what rests on it (doc/ptx.md). Of "
     "SASS\n"
     "it is that of a worst path of one warp alone, as\n"
     "'wcet' finds it, with --flow-facts or --default-loop-bound where the code does not bound a\n"
     "loop. With --sm or --units it is normalised for the SM.\n"
     "\n"
     "Examples:\n"
     "  warpbound string examples/voronoi.ptx --through '$loop_test'\n"
     "  warpbound string examples/voronoi.ptx --iterations 3 --classes\n"
     "  warpbound string examples/matrix_multiply.sass -k matrix_tiled --default-loop-bound 3\n",
     command_string},
    {COMMAND_CFG, "FILE [OPTIONS]",
     "the warp-level control-flow graph of each kernel of a SASS listing",
     "FILE is a listing of cuobjdump -sass or nvdisasm, or - for standard input. What can run\n"
     "next when the lanes of a warp diverge and reconverge is found by abstract interpretation\n"
     "of the activation stack (Maxwell and Pascal: sm_50 to sm_62) or of the groups of lanes that\n"
     "convergence barriers join (Volta to Blackwell: sm_70 to sm_121). All functions of the\n"
     "listing are shown, or that of --kernel NAME (NAME@sm_52 where there are several of the\n"
     "name).\n"
     "--reconvergence says how far a BSYNC is trusted to wait for all lanes of its scope: unless\n"
     "lanes may yield in it, never, or always. --masks says whether lanes that do a WARPSYNC of\n"
     "some lanes together may part there. Both are of sm_70 and later.\n"
     "Exit status 3: the listing, or a kernel of it, is not understood; 4: it does not say where\n"
     "an indexed branch goes (--targets). The other kernels are printed.\n"
     "\n"
     "Examples:\n"
     "  warpbound cfg examples/matrix_multiply.sass\n"
     "  warpbound cfg examples/matrix_multiply.sass --json --contexts\n"
     "  warpbound cfg examples/matrix_multiply.sass --agreement none --svg graph.svg\n"
     "  warpbound cfg examples/mandelbrot.sass --reconvergence never\n",
     command_cfg},
    {COMMAND_RUN, "FILE [OPTIONS]",
     "a random execution of one warp of a SASS listing, step by step",
     "FILE is a listing of cuobjdump -sass or nvdisasm, or - for standard input. No instruction's\n"
     "meaning is needed: what an instruction writes is drawn at random, the same for lanes that\n"
     "read the same; so loops end by chance, and any path can occur that divergence and\n"
     "reconvergence allow. For each step: its address, how many entries the activation stack has,\n"
     "from sm_70 on the number of the group of lanes that does it, the mask of lanes that are\n"
     "there; after ';' which of them do it, where they then wait, and which lanes that waited "
     "run\n"
     "again. A run of groups that wait for one another for ever ends, and says so.\n"
     "\n"
     "Examples:\n"
     "  warpbound run examples/divergence.sass\n"
     "  warpbound run examples/divergence.sass --kernel divergence --seed 7 --lanes 4 --json\n",
     command_run},
    {COMMAND_EVT, "FILE [OPTIONS]",
     "statistics of measured times: whether they apply, and pWCET estimates",
     "FILE holds times in the order in which they were measured: CSV (separated by commas,\n"
     "semicolons, tabs or blanks), JSON (an array of numbers or of objects, or an object of\n"
     "arrays), or what Nsight Systems exports as SQLite; - is standard input (doc/input.md).\n"
     "First it is tested whether extreme value statistics apply: independence, stationarity,\n"
     "ties, one mode, enough of them. Then distributions are fitted to maxima of blocks and to\n"
     "peaks over a threshold, and the levels estimated that one run exceeds with --probability\n"
     "(pWCET). A fit is an estimate, never a bound; nothing is fitted to data that fail the\n"
     "tests, unless --fit-anyway is given. The sign of a shape: xi > 0 is a heavy tail.\n"
     "--bound CYCLES, or what wcet, makespan or analyze --json print, stands beside the fits; "
     "where\n"
     "the times are no cycles, --clock converts it.\n"
     "Exit status 1: with --require-applicable, where the statistics do not apply; 5: ended by\n"
     "--time-limit or Ctrl-C before the last number, of which none is printed.\n"
     "\n"
     "Examples:\n"
     "  warpbound evt examples/times.csv\n"
     "  warpbound evt examples/times.csv --probability 1e-9 --method peaks --quiet\n"
     "  warpbound evt examples/times.csv --bound 40000 --clock 1.3GHz --plots plots\n",
     command_evt},
    {COMMAND_HYBRID, "FILE --times TIMES [OPTIONS]",
     "the WCET of one warp from measured times and the code's own paths: an estimate",
     "FILE is as of 'wcet', TIMES has the longest measured times between places of the code\n"
     "(addresses, labels, source lines), or of whole blocks, in comma-separated values:\n"
     "kernel,run,warp,from,to,count,cycles (doc/measured/hybrid.md). They are the costs of an "
     "integer\n"
     "program whose paths and loop bounds are those of 'wcet', not those that happened to be\n"
     "measured; with --counts observed, no place runs more often than in the measured run that\n"
     "passed it most, maybe another run of another place (Betts and Donaldson, ECRTS 2013).\n"
     "Beside the result stand the longest measured whole run and the number of 'wcet'.\n"
     "Exit status 4: code that no time covers is named, or a loop has no bound; 1: the result is\n"
     "below the longest whole run.\n"
     "\n"
     "Examples:\n"
     "  warpbound hybrid examples/divergence.sass --times examples/divergence-times.csv\n"
     "  warpbound hybrid kernel.sass --times times.csv --unmeasured static --flow-facts facts\n"
     "  warpbound hybrid kernel.sass --times times.csv --counts observed --json\n",
     command_hybrid},
    {COMMAND_INSTRUMENT, "FILE.ptx [OPTIONS]",
     "PTX that measures the time between places of a kernel",
     "Adds probes to one kernel: at its start, at each place chosen and at each end they read the\n"
     "clock, and keep for each warp the longest time and the count of each transition from one to\n"
     "the next. The rest of the text stays as it is; its machine code has about ten registers\n"
     "more, loops are unrolled less, and short branches stay (examples/measure/compare-graphs\n"
     "says which blocks are left). The program of examples/measure runs the result and writes\n"
     "RAW; with --raw, and otherwise the same options, RAW becomes the times that 'hybrid' reads,\n"
     "whose places are lines of warpbound-points (doc/measured/instrument.md).\n"
     "\n"
     "Examples:\n"
     "  warpbound instrument examples/voronoi.ptx -o measured.ptx\n"
     "  warpbound instrument examples/voronoi.ptx --at loops -o measured.ptx\n"
     "  warpbound instrument examples/voronoi.ptx --raw raw -o times.csv\n",
     command_instrument},
    {COMMAND_VERIFY, "FILE.json [OPTIONS]", "an independent check of a schedule or a certificate",
     "Of a schedule: every warp runs the whole string in order, at most one instruction a cycle,\n"
     "within capacities and issue slots, and no warp idles that could be served; fair between\n"
     "sub-blocks where the file says so.\n"
     "Of a potential, which proves an upper bound: every step has a value, every move of a cycle\n"
     "from every state gains enough, and the bound follows (doc/potentials/potentials.md).\n"
     "Of a cut into runs, which proves one too: the longest path of its run abstraction is found\n"
     "anew (doc/makespan.md); that takes memory and time, which the options limit.\n"
     "Exit status 1: not valid; the first violation is named. 5: a limit was reached, and nothing\n"
     "is known of the file.\n"
     "\n"
     "Examples:\n"
     "  warpbound makespan CC -W 4 --units C=2 --schedule schedule.json\n"
     "  warpbound verify schedule.json\n",
     command_verify},
    {COMMAND_DISASSEMBLE, "FILE [OPTIONS]", "the machine code of a file as text",
     "FILE is a file of 'kernels' with machine code, or - for standard input. The listing has the\n"
     "form of NVIDIA's nvdisasm, for sm_50 and later, and needs no CUDA toolkit; 'cfg', 'wcet' "
     "and\n"
     "the other commands read it. A word that is not known is written as UNKNOWN with its bits.\n"
     "--arch is needed where the file has code for several architectures, --module where several\n"
     "modules have different functions of one name; else these are named NAME@module_N.\n"
     "\n"
     "Examples:\n"
     "  warpbound disassemble examples/matrix_multiply.fatbin --arch sm_87 -k matrix_tiled\n"
     "  warpbound disassemble examples/matrix_multiply.fatbin --arch sm_75 -o listing.sass\n",
     command_disassemble},
    {COMMAND_DEVICES, "[NAME] [OPTIONS]",
     "the device table: SM configurations by name, with sources",
     "NAME is a compute capability (sm_52, 5.2), an architecture (maxwell), or a device for "
     "launches\n"
     "(orin-agx): all its values with their sources, or with --json its file, which you can "
     "change\n"
     "and give to analyze --sm (doc/devices.md). --check compares with measured launches.\n"
     "\n"
     "Examples:\n"
     "  warpbound devices\n"
     "  warpbound devices sm_87\n"
     "  warpbound devices orin-agx --json > mine.json\n"
     "  warpbound devices a100 --check doc/measured/hardware.csv\n",
     command_devices},
    {COMMAND_COMPLETION, "bash|zsh|fish", "a script that completes command lines in a shell",
     "'make install' puts the scripts where the shells look for them.\n"
     "\n"
     "Examples:\n"
     "  warpbound completion bash\n",
     command_completion},
};

#define ROWS (sizeof rows / sizeof *rows)

const struct command_row *command_rows(size_t *count)
{
  *count = ROWS;
  return rows;
}

static void write_overview(struct wb_text *text)
{
  wb_text_string(text, "warpbound bounds the worst-case execution time of GPU kernels\n\n"
                       "Usage: warpbound COMMAND [OPTIONS] [INPUT]\n\nCommands:\n");
  for (size_t i = 0; i < ROWS; i++)
    wb_text_format(text, "  %-11s %s\n", command_name(rows[i].bit), rows[i].summary);
  wb_text_string(text,
                 "\nThe answer comes first: --quiet prints it alone, --json an object for "
                 "scripts.\n'warpbound help COMMAND' explains a command; 'warpbound "
                 "--version' names the version.\n"
                 "Examples:\n"
                 "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 4,4 "
                 "\\\n    --block 8,8 --sm orin-agx --param param_3=32\n"
                 "  warpbound makespan 5L9C2L9C -W 4 --units L=1,C=4\n");
}

static warpbound_status print_help(const struct command_row *row, warpbound_error *error)
{
  struct wb_text text = {0};
  const char *name = command_name(row->bit);
  wb_text_format(&text, "warpbound %s: %s\n\nUsage: warpbound %s %s\n\nOptions:\n", name,
                 row->summary, name, row->form);
  options_help(row->bit, &text);
  wb_text_format(&text, "\n%s", row->examples);
  return terminal_print(&text, error);
}

/* The row of a command; NULL where there is none. */
static const struct command_row *find(const char *name, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t i = 0; i < ROWS; i++) {
    if (strcmp(command_name(rows[i].bit), name) == 0)
      return &rows[i];
    wb_nearest_offer(&nearest, command_name(rows[i].bit));
  }
  wb_fail(error, WARPBOUND_USAGE, "there is no command '%.60s'%s; 'warpbound help' lists them",
          name, wb_nearest_hint(&nearest, "", hint));
  return NULL;
}

/* Digits from which on a number is above what any option takes. */
#define LARGE_DIGITS 20

/* Says of a value that was refused that its number is too large, where it has so many digits. */
static void explain_large_number(warpbound_error *error)
{
  static const char digits[] = "0123456789";
  const char *found = strstr(error->message, "found '");
  const warpbound_error cause = *error;
  if (error->status != WARPBOUND_USAGE || found == NULL)
    return;
  for (const char *at = strpbrk(found, digits); at != NULL; at = strpbrk(at, digits)) {
    const size_t length = strspn(at, digits);
    if (length >= LARGE_DIGITS) {
      (void)wb_fail(error, cause.status, "%s: the number is too large", cause.message);
      return;
    }
    at += length;
  }
}

static warpbound_status run(int count, char **words, warpbound_error *error)
{
  if (count == 0) {
    /* Nothing was asked: wrong usage, and what there is to ask. */
    struct wb_text overview = {0};
    write_overview(&overview);
    const bool failed = overview.failed;
    if (!failed)
      fputs(overview.data, stderr);
    wb_text_free(&overview);
    return failed ? wb_out_of_memory(error) : WARPBOUND_USAGE;
  }
  const char *name = words[0];
  if (strcmp(name, "--version") == 0) {
    struct wb_text text = {0};
    wb_text_format(&text, "warpbound %s\n", warpbound_version());
    return terminal_print(&text, error);
  }
  const bool help =
      strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
  if (help && count == 1) {
    struct wb_text overview = {0};
    write_overview(&overview);
    return terminal_print(&overview, error);
  }
  const struct command_row *row = find(help ? words[1] : name, error);
  if (row == NULL)
    return WARPBOUND_USAGE;
  if (help)
    return print_help(row, error);
  struct arguments arguments;
  struct wb_list notes = {0};
  warpbound_status status = arguments_parse(&arguments, row->bit, count - 1, words + 1, error);
  arguments.notes = &notes;
  if (status == WARPBOUND_OK)
    status =
        arguments.value[OPTION_HELP] != NULL ? print_help(row, error) : row->run(&arguments, error);
  if (status == WARPBOUND_USAGE && error->message[0] != '\0') {
    explain_large_number(error);
    arguments_blame_named(&arguments, error);
    status = error->status;
  }
  for (size_t n = 0; n < notes.count; n++)
    terminal_note(notes.items[n]);
  wb_list_free(&notes);
  arguments_free(&arguments);
  return status;
}

int main(int argc, char **argv)
{
  warpbound_error error = {0};
  warpbound_status status = run(argc - 1, argv + 1, &error);
  if (status != WARPBOUND_OK && error.message[0] != '\0')
    terminal_error(&error);
  return (int)status;
}
