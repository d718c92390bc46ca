/* Warpbound: bounds on the worst-case execution time of GPU kernels.
 *
 * The one public header. Handles are opaque; whoever receives a handle from a
 * function of this page frees it with the matching *_free, which takes NULL too. No function
 * prints or ends the process, none keeps state between calls, and every one may be
 * called from several threads at a time on different handles.
 *
 * Errors: every function that can fail returns a status; `error`, its last argument, says what
 * went wrong and where, and may be NULL. After a failure each handle or text that the function
 * would have made is NULL, unless its page says otherwise. An argument that is NULL, or outside its
 * range, is WARPBOUND_USAGE with a message, where nothing else is said. Functions that only
 * read a handle and have no status take NULL too, and any index: they return 0, false, "" or a
 * struct of these (a bound being of kind estimate) where there is nothing to return.
 *
 * Texts of a handle (const char *) live as long as the handle. Texts that are handed out (char *)
 * belong to the caller, who frees them with warpbound_text_free.
 *
 * Units: time is counted in cycles of the streaming multiprocessor (SM), one
 * cycle being the time in which a warp issues at most one instruction.
 *
 * Licence: Apache-2.0. */
#ifndef WARPBOUND_H
#define WARPBOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define WARPBOUND_API __attribute__((visibility("default")))
#else
#define WARPBOUND_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. The values are also the exit statuses of the program. */
typedef enum warpbound_status {
  WARPBOUND_OK = 0,
  WARPBOUND_CHECK_FAILED = 1,  /* a schedule or certificate was refused */
  WARPBOUND_USAGE = 2,         /* an argument is wrong */
  WARPBOUND_INVALID_INPUT = 3, /* input not understood or not valid */
  WARPBOUND_FACTS_MISSING = 4, /* the input needs facts that only a person can give */
  WARPBOUND_LIMIT = 5,         /* a time or memory limit was reached; results are valid */
  WARPBOUND_INTERNAL = 6       /* out of memory, or a mistake of Warpbound's own */
} warpbound_status;

/* A failure and its place. Line and column count from 1; 0 means none. The
 * caller owns the struct; nothing in it needs freeing. */
typedef struct warpbound_error {
  warpbound_status status;
  size_t line;
  size_t column;
  char file[256];
  char message[512];
} warpbound_error;

/* How a number is known. */
typedef enum warpbound_kind {
  WARPBOUND_EXACT,    /* proven equal to the worst case of the model */
  WARPBOUND_UPPER,    /* proven: the worst case is at most this */
  WARPBOUND_LOWER,    /* a schedule reaches it: the worst case is at least this */
  WARPBOUND_ESTIMATE, /* neither */
  WARPBOUND_PUBLISHED /* a formula of the literature, not proven safe */
} warpbound_kind;

/* One bound. The strings belong to the library and live as long as the result
 * that the bound came from. */
typedef struct warpbound_bound {
  const char *name;   /* short identifier, "closed-form" */
  const char *source; /* paper and equation, or where our proof stands */
  uint64_t cycles;
  warpbound_kind kind;
} warpbound_bound;

/* A makespan question: warps of one kernel on one SM. */
typedef struct warpbound_instance warpbound_instance;
/* The answer: bounds, bracket and witness. */
typedef struct warpbound_result warpbound_result;

/* ---- options ---- */

typedef enum warpbound_method {
  WARPBOUND_METHOD_AUTO,   /* bounds, then the search where its table fits */
  WARPBOUND_METHOD_BOUNDS, /* what about a second allows */
  WARPBOUND_METHOD_EXACT,  /* the search; WARPBOUND_LIMIT where it does not close */
  WARPBOUND_METHOD_ANNEAL, /* bounds; annealing for the lower end */
  WARPBOUND_METHOD_ILP /* bounds; the integer program of ECRTS 2012: its schedule is a lower end,
                          its bound an estimate */
} warpbound_method;

/* Where a run of simulated annealing begins (ETFA 2013): with the schedule of a policy, or with a
 * random one. */
typedef enum warpbound_initial {
  WARPBOUND_INITIAL_ALL, /* each of the others in turn */
  WARPBOUND_INITIAL_ROUND_ROBIN,
  WARPBOUND_INITIAL_FIXED_PRIORITY,
  WARPBOUND_INITIAL_MOST_PENDING,
  WARPBOUND_INITIAL_RANDOM
} warpbound_initial;

/* Simulated annealing (WARPBOUND_METHOD_ANNEAL). Zero a struct for the defaults. */
typedef struct warpbound_annealing {
  bool published;            /* as in ETFA 2013; false: the windowed variant */
  uint64_t iterations;       /* of each run; 0: 2,000,000 */
  uint32_t runs;             /* at most 4,096; 0: 8, two from each initial string */
  double temperature;        /* at the beginning, in cycles; 0: 0.3 */
  uint64_t seed;             /* of the random choices */
  warpbound_initial initial; /* where runs begin */
  bool closed_too;           /* also where the bracket is closed before, for its convergence */
} warpbound_annealing;

/* How the integer program says that no warp idles without need (doc/integer_program.md). */
typedef enum warpbound_integer_form {
  WARPBOUND_INTEGER_SHORT,         /* by the counts of busy units */
  WARPBOUND_INTEGER_LONG,          /* by truth values, as published */
  WARPBOUND_INTEGER_LONG_CORRECTED /* the same, corrected */
} warpbound_integer_form;

/* The integer program of ECRTS 2012 (WARPBOUND_METHOD_ILP). Zero a struct for the defaults. Texts
 * are borrowed for the call. */
typedef struct warpbound_integer_program {
  warpbound_integer_form form;
  uint64_t horizon;           /* in cycles, at most 2^31 - 1; 0: the least that is proven */
  bool allow_short;           /* also a horizon below what is proven: the optimum may be less
                                 than the worst case */
  bool build_only;            /* nobody is asked to solve it */
  const char *program_file;   /* write the integer program there, *.lp or *.mps; NULL: do not */
  const char *solver_command; /* words of a solver's command, with {model} or {mps} and
                                 {solution} for its files and {seconds} for the time that is
                                 left; NULL: CBC */
} warpbound_integer_program;

/* Limits and wishes. Zero a struct for the defaults. Limits bind in every function that takes
 * them; the rest is for makespans. The functions may be called from another thread than the
 * caller's, but never two at a time. */
typedef struct warpbound_options {
  warpbound_method method;
  double time_limit;                  /* seconds, 0 or more; 0: none. Results then depend on the
                                         machine. */
  uint64_t memory_limit;              /* bytes for search tables, at most 2^48; 0: 1 GiB */
  uint32_t threads;                   /* at most 64; 0: one a processor. Results do not depend on
                                         it. */
  bool (*interrupted)(void *context); /* polled; true stops the work. May be NULL. */
  /* Called now and then with the phase under way and the bracket so far (a text, valid during
   * the call), and how far that is, 0..1. May be NULL. */
  void (*progress)(void *context, const char *phase, double fraction);
  void *context;
  bool policies_only; /* the lower end is by scheduling policies alone; the method is then
                         WARPBOUND_METHOD_BOUNDS, whatever is asked */
  const char *policy; /* with policies_only: the one; NULL: the longest schedule of all. Borrowed
                         for the call. */
  bool certify;       /* look for a certificate of the upper end where no search leaves one */
  bool fewer_warps;   /* look for the exact makespans of fewer warps, for the literature's formulas,
                         even where the bracket is closed without */
  warpbound_annealing annealing;
  warpbound_integer_program integer_program;
} warpbound_options;

/* The scheduling policies, index 0 .. count - 1: names as "greedy-then-oldest", and a sentence. */
WARPBOUND_API size_t warpbound_policy_count(void);
WARPBOUND_API const char *warpbound_policy_name(size_t index);
WARPBOUND_API const char *warpbound_policy_description(size_t index);

/* The version as "major.minor.patch". */
WARPBOUND_API const char *warpbound_version(void);

/* The field's word for a kind: "exact", "upper", ...; "unknown" for any other number. */
WARPBOUND_API const char *warpbound_kind_name(warpbound_kind kind);

/* ---- streaming multiprocessors ---- */

/* The configuration of an SM: its partitions, each with its units and issue slots. */
typedef struct warpbound_sm warpbound_sm;

/* The types of units that instructions use. Instructions of no unit (N) and barriers (B) have
 * none. */
typedef enum warpbound_unit {
  WARPBOUND_UNIT_LOAD_STORE, /* L */
  WARPBOUND_UNIT_CORE,       /* C: CUDA cores */
  WARPBOUND_UNIT_SPECIAL,    /* S: special functions */
  WARPBOUND_UNIT_DOUBLE,     /* D: double precision */
  WARPBOUND_UNIT_TENSOR      /* T: tensor cores */
} warpbound_unit;
#define WARPBOUND_UNIT_COUNT 5

/* The units of one type: numerator / denominator warp instructions start in a cycle, in lowest
 * terms (numerator 0: there are no such units), and each holds its unit for `hold` cycles. */
typedef struct warpbound_capacity {
  uint32_t numerator;
  uint32_t denominator;
  uint32_t hold; /* 1 to 65,536 */
  bool shared;   /* by all partitions; the capacity is then the SM's, else a partition's */
} warpbound_capacity;

/* Makes a configuration.
 *   units        capacity of each unit type of one partition, "L=1,C=4";
 *                fractions as "S=1/8"
 *   issue_slots  most instructions that a partition issues in a cycle, at most 65,536; 0: no cap
 *   partitions   partitions of the SM, 1 to 64
 * Errors: WARPBOUND_USAGE with the column, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_sm_create(const char *units, uint32_t issue_slots,
                                                   uint32_t partitions, warpbound_sm **sm,
                                                   warpbound_error *error);
/* The configuration of a device of the table (warpbound_device_find). */
WARPBOUND_API warpbound_status warpbound_sm_for_device(const char *device, warpbound_sm **sm,
                                                       warpbound_error *error);
/* The configuration that the text of an SM file describes (doc/formats.md); `name` is the file's,
 * for messages. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT with the file and the key,
 * WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_sm_from_json(const char *name, const char *json,
                                                      size_t length, warpbound_sm **sm,
                                                      warpbound_error *error);
/* Another cap on issue slots, another number of partitions; ranges as in warpbound_sm_create. After
 * an error the configuration is as before. */
WARPBOUND_API warpbound_status warpbound_sm_set_issue_slots(warpbound_sm *sm, uint32_t issue_slots,
                                                            warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_sm_set_partitions(warpbound_sm *sm, uint32_t partitions,
                                                           warpbound_error *error);
/* Has messages about the configuration begin with `origin`, up to 31 bytes of which are copied: the
 * option of a program that it was made from, say. "units" unless set. Of a configuration from a
 * file messages name the file. */
WARPBOUND_API warpbound_status warpbound_sm_set_origin(warpbound_sm *sm, const char *origin,
                                                       warpbound_error *error);
WARPBOUND_API void warpbound_sm_free(warpbound_sm *sm);

/* For output: "sm_52 (Maxwell, ...)", "the units given". */
WARPBOUND_API const char *warpbound_sm_name(const warpbound_sm *sm);
WARPBOUND_API uint32_t warpbound_sm_issue_slots(const warpbound_sm *sm);
WARPBOUND_API uint32_t warpbound_sm_partitions(const warpbound_sm *sm);
/* Warps that the SM holds at once; 0: not known. */
WARPBOUND_API uint32_t warpbound_sm_max_warps(const warpbound_sm *sm);
WARPBOUND_API warpbound_capacity warpbound_sm_units(const warpbound_sm *sm, warpbound_unit unit);

/* A row of the device table: the SM of one of NVIDIA's architectures. All counts are of one SM but
 * issue_slots (of a partition) and lanes (of a partition, or of the SM where shared). Texts are
 * static. */
typedef struct warpbound_device {
  const char *name;         /* "sm_52" */
  const char *architecture; /* "Maxwell" */
  const char *example;      /* a product */
  uint32_t major, minor;    /* compute capability */
  uint32_t partitions;      /* of the SM */
  uint32_t issue_slots;     /* instructions that a partition issues in a cycle */
  uint32_t
      lanes[WARPBOUND_UNIT_COUNT];   /* by unit type; 32 lanes start a warp instruction a cycle */
  bool shared[WARPBOUND_UNIT_COUNT]; /* by unit type: all partitions share the lanes */
  uint32_t tensor_cores;             /* of the SM; their lanes are a rate, 0 where there are none */
  uint32_t max_warps, max_threads, max_blocks; /* that reside at once */
  uint32_t shared_memory;                      /* KiB */
  const char *source;                          /* document and section */
  const char *note;                            /* what the row simplifies; NULL: nothing */
} warpbound_device;

WARPBOUND_API size_t warpbound_device_count(void);
/* Row `index`, 0 .. count - 1. */
WARPBOUND_API warpbound_device warpbound_device_row(size_t index);
/* The row of a name: "sm_52", "5.2", an architecture in any case ("maxwell": its first row) or a
 * word of an example ("orin"). Errors: WARPBOUND_USAGE, with the name that was likely meant. */
WARPBOUND_API warpbound_status warpbound_device_find(const char *name, size_t *index,
                                                     warpbound_error *error);

/* ---- code: modules, kernels, paths, control flow, WCET, traces ----
 *
 * An option's text that is wrong is called in messages as the program calls the option ("--take").
 * `limits` of these functions: time_limit, memory_limit, interrupted, progress and context count,
 * the rest does not. NULL: no limits. */

/* A parsed input: a kernel instruction string, PTX, machine code or a SASS listing. */
typedef struct warpbound_module warpbound_module;
/* One function of a module, which it borrows: free the module after it. */
typedef struct warpbound_kernel warpbound_kernel;
/* What is known of a module's kernels beyond their code. Borrows the module. */
typedef struct warpbound_annotations warpbound_annotations;
/* The paths that a warp can take through a kernel, and its string. Borrows the module. */
typedef struct warpbound_paths warpbound_paths;
/* The warp-level control-flow graph of a kernel of machine code. Borrows the module. */
typedef struct warpbound_control_flow warpbound_control_flow;
/* The WCET of one warp that runs alone. Borrows the module. */
typedef struct warpbound_wcet warpbound_wcet;
/* A random execution of one warp, step by step. Borrows the module. */
typedef struct warpbound_trace warpbound_trace;

/* What a module was parsed from. */
typedef enum warpbound_input_form {
  WARPBOUND_INPUT_STRING, /* a kernel instruction string */
  WARPBOUND_INPUT_PTX,    /* PTX, ISA 1.4 to 9.x: not machine code */
  WARPBOUND_INPUT_SASS /* machine code: a cubin or a file that holds some, or a listing of cuobjdump
                          -sass or nvdisasm */
} warpbound_input_form;

/* A text in memory, borrowed while a call runs. */
typedef struct warpbound_input {
  const char *name; /* for messages, a file's; NULL: none */
  const char *text; /* NULL: no such input */
  size_t length;    /* in bytes */
} warpbound_input;

/* Where an indexed branch of a SASS listing goes, where the listing does not say. */
typedef struct warpbound_targets {
  const char *kernel;      /* mangled; NULL: the only one with such a branch at that address */
  uint64_t address;        /* of the branch, in bytes from the function's start */
  const uint64_t *targets; /* addresses in the same function */
  size_t target_count;
} warpbound_targets;

/* The unit type of a PTX opcode that the table lacks, or instead of the table's. */
typedef struct warpbound_unit_assumption {
  const char *opcode; /* its first word "frobnicate", or its beginning "add.f128" */
  char unit;          /* L, C, S, D, T or N */
} warpbound_unit_assumption;

/* How a module is read. Zero a struct for the defaults. Everything is borrowed. */
typedef struct warpbound_module_options {
  bool machine_code_only;   /* refuse strings and PTX */
  const char *architecture; /* of a file with code for several: "sm_87", "compute_90" for PTX; NULL:
                               the only one, or the one for `device` */
  const char *module;       /* of a file with several: a module by number, place or source
                               (warpbound_images_find_module); NULL: all */
  const char *kernel;       /* the only function that is asked for (warpbound_module_find): of a
                               file with several modules, the one that has it is read alone where
                               it has all that it calls, and lines in messages are of its listing;
                               NULL: all */
  const char *device;       /* a device of the table (warpbound_device_find); NULL: none */
  const warpbound_targets *targets;
  size_t target_count;
  const warpbound_unit_assumption *units; /* each is an assumption of what rests on it */
  size_t unit_count;
} warpbound_module_options;

/* Parses a text of any content; its form is found from the content. name: for messages, NULL for
 * none. options may be NULL. A zero byte that ends PTX and counts in length is ignored.
 * Errors: WARPBOUND_INVALID_INPUT with line and column; where the text is of another kind (a
 * cubin, CUDA C++, ...) the message says of which, and what makes of it one that is read;
 * WARPBOUND_FACTS_MISSING where PTX has opcodes that the table lacks; WARPBOUND_USAGE for targets
 * that fit no branch, or an unknown unit; WARPBOUND_INTERNAL. *module is then NULL.
 * Near linear in length. */
WARPBOUND_API warpbound_status warpbound_module_parse(const char *name, const char *text,
                                                      size_t length,
                                                      const warpbound_module_options *options,
                                                      warpbound_module **module,
                                                      warpbound_error *error);
/* The module of a kernel instruction string, as of warpbound_instance_create; name as above.
 * Errors: WARPBOUND_INVALID_INPUT with the character, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_module_of_string(const char *name, const char *string,
                                                          warpbound_module **module,
                                                          warpbound_error *error);
WARPBOUND_API void warpbound_module_free(warpbound_module *module);

WARPBOUND_API warpbound_input_form warpbound_module_form(const warpbound_module *module);
/* Functions that have instructions: kernels, and in machine code device functions too. A string
 * counts as one kernel without a name. */
WARPBOUND_API size_t warpbound_module_function_count(const warpbound_module *module);
/* Of function `index`, 0 .. count - 1, in the text's order. The name is as in the text; demangled
 * as in the source, the same where it is not mangled. */
WARPBOUND_API const char *warpbound_module_function_name(const warpbound_module *module,
                                                         size_t index);
WARPBOUND_API const char *warpbound_module_function_demangled(const warpbound_module *module,
                                                              size_t index);
WARPBOUND_API bool warpbound_module_function_is_kernel(const warpbound_module *module,
                                                       size_t index);
/* Its architecture, as 52 for sm_52; 0: the text does not say. */
WARPBOUND_API uint32_t warpbound_module_function_sm(const warpbound_module *module, size_t index);
WARPBOUND_API size_t warpbound_module_function_instruction_count(const warpbound_module *module,
                                                                 size_t index);
/* The source files that the text's line information names. */
WARPBOUND_API size_t warpbound_module_source_count(const warpbound_module *module);
WARPBOUND_API const char *warpbound_module_source(const warpbound_module *module, size_t index);

/* The next function from `first` on that a user who writes `name` can mean: mangled, demangled,
 * without parameters or template arguments, of machine code also NAME@sm_52; NULL means all. The
 * number of functions where there is none. */
WARPBOUND_API size_t warpbound_module_find(const warpbound_module *module, const char *name,
                                           size_t first);
/* Errors: WARPBOUND_USAGE where no function can be meant by `name`; the message lists them. */
WARPBOUND_API warpbound_status warpbound_module_check_name(const warpbound_module *module,
                                                           const char *name,
                                                           warpbound_error *error);

/* Chooses the one kernel that `name` means (warpbound_module_find), the only one for NULL; of
 * machine code the only function where none is a kernel. Errors: WARPBOUND_USAGE where none or
 * several are meant, with their names; WARPBOUND_INVALID_INPUT where the text has no kernel;
 * WARPBOUND_INTERNAL. *kernel is then NULL. */
WARPBOUND_API warpbound_status warpbound_kernel_choose(const warpbound_module *module,
                                                       const char *name, warpbound_kernel **kernel,
                                                       warpbound_error *error);
/* The function with an index, kernel or not. Errors: WARPBOUND_USAGE beyond the number of
 * functions, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_kernel_at(const warpbound_module *module, size_t index,
                                                   warpbound_kernel **kernel,
                                                   warpbound_error *error);
WARPBOUND_API void warpbound_kernel_free(warpbound_kernel *kernel);
/* Its index in the module. */
WARPBOUND_API size_t warpbound_kernel_index(const warpbound_kernel *kernel);

/* What an instruction costs a warp that runs alone. */
typedef enum warpbound_cost_model {
  WARPBOUND_COST_UNIT,   /* one cycle each */
  WARPBOUND_COST_STALLS, /* the issue stalls that the compiler wrote into the encodings */
  WARPBOUND_COST_TABLE   /* cycles by opcode, from a table */
} warpbound_cost_model;

/* A value of the launch's parameters: of the four bytes at the offset, or of eight where `wide` or
 * where the listing says that the parameter has as many. */
typedef struct warpbound_parameter {
  const char *name; /* "param_2", KERNEL_param_2 as in PTX, or as a source of the annotations calls
                     * it; NULL: by its offset */
  uint32_t offset;  /* in bytes from the first parameter: a multiple of 4 below 65,536 */
  uint64_t value;   /* of negative ones the two's complement of 64 bits */
  bool wide;
  bool single; /* the value is the bits of a float of 32 bits: no parameter of eight bytes has it */
  bool yields; /* where an entry without this gives the same bytes other values, those hold */
  const char *said; /* how messages call the entry; NULL: made of the other members */
} warpbound_parameter;

/* A value of constant memory: four bytes, or eight where `wide`. */
typedef struct warpbound_constant {
  uint32_t bank;   /* 0 to 17 */
  uint32_t offset; /* in bytes: a multiple of 4 below 65,536 */
  uint64_t value;
  bool wide;
  bool yields;      /* as of a parameter */
  const char *said; /* as of a parameter */
} warpbound_constant;

/* What is known of a module's kernels. Zero a struct for nothing. Everything is borrowed. */
typedef struct warpbound_annotation_options {
  warpbound_input flow_facts; /* doc/flow-facts.md */
  /* Sources with loop bounds in comments and pragmas: by index of warpbound_module_source. */
  const warpbound_input *sources;
  size_t source_count;
  uint32_t block[3]; /* threads of a block; 0: not known */
  uint32_t grid[3];  /* blocks of the launch; 0: not known */
  const warpbound_parameter *parameters;
  size_t parameter_count;
  /* The function that named parameters are of, as warpbound_module_find; NULL: all. */
  const char *kernel;
  const warpbound_constant *constants;
  size_t constant_count;
  /* What loads give, for each function that is analysed by itself: "0x100<=64", "kernel.cu:12>=1",
   * "param_2=0..64", "param:0x10=0..64". said: how messages call them, as of a parameter; NULL: by
   * their text. */
  const char *const *loads;
  const char *const *loads_said;
  size_t load_count;
  /* What calls of code outside take of their warp, in cycles: "vprintf=5000", "indirect=5000" (by a
   * register), "0x170=5000" (the address of a call); said: as of loads. */
  const char *const *calls;
  const char *const *calls_said;
  size_t call_count;
  warpbound_cost_model cost;
  warpbound_input costs; /* WARPBOUND_COST_TABLE: lines OPCODE CYCLES or default CYCLES */
  /* What other instructions give that write an integer of which the code tells no range, as
   * conversions of floats, for each function as of loads: "0x100<=64", "kernel.cu:12=0..64". */
  const char *const *values;
  const char *const *values_said;
  size_t value_count;
} warpbound_annotation_options;

/* Prepares what is known, once for all kernels of a module of machine code.
 * Errors: WARPBOUND_INVALID_INPUT with file, line and column (a text is not understood, or speaks
 * of a kernel that the module has not); WARPBOUND_USAGE (no machine code; an offset, a bank or a
 * cost out of range; a parameter has no such name, or is too small for the value; an offset is
 * outside of the parameters; bytes are given two values); WARPBOUND_INTERNAL. *annotations is then
 * NULL. */
WARPBOUND_API warpbound_status warpbound_annotations_create(
    const warpbound_module *module, const warpbound_annotation_options *options,
    warpbound_annotations **annotations, warpbound_error *error);
WARPBOUND_API void warpbound_annotations_free(warpbound_annotations *annotations);

/* Entries that yielded to others, a line each, by index from 0; "" beyond the last. */
WARPBOUND_API size_t warpbound_annotations_note_count(const warpbound_annotations *annotations);
WARPBOUND_API const char *warpbound_annotations_note(const warpbound_annotations *annotations,
                                                     size_t index);

/* Whose registers are known to agree between lanes. */
typedef enum warpbound_agreement {
  WARPBOUND_AGREEMENT_ALL,    /* those of all groups of lanes */
  WARPBOUND_AGREEMENT_ACTIVE, /* those of the active lanes */
  WARPBOUND_AGREEMENT_NONE
} warpbound_agreement;

/* How far a BSYNC is trusted to wait for all lanes of its scope: code for sm_70 and later. */
typedef enum warpbound_reconvergence {
  WARPBOUND_RECONVERGENCE_YIELD,  /* it waits, but in scopes in whose body lanes may yield */
  WARPBOUND_RECONVERGENCE_NEVER,  /* no BSYNC waits: this covers the other two */
  WARPBOUND_RECONVERGENCE_ALWAYS, /* every BSYNC waits: an assumption */
} warpbound_reconvergence;

/* The abstract interpretation of SIMT execution. Zero a struct for the defaults. The first two are
 * of the activation stack (to sm_62), the last three of convergence barriers (from sm_70 on); on
 * other code they have no effect. */
typedef struct warpbound_simt_options {
  bool acyclic_stack; /* the domain of activation stacks without cycles */
  bool no_groups;     /* nothing is known of which groups of lanes are empty */
  warpbound_agreement agreement;
  warpbound_reconvergence reconvergence;
  bool masks_together; /* lanes that do a WARPSYNC of some lanes together stay together: an
                        * assumption; false: they may part there, and unite with others */
  uint32_t block[3];   /* threads of a block by dimension, which decide what BRA.DIV and BRA.CONV do
                        * where they are a multiple of 32; 0: not known, but as the code requires
                        * it. Of a WCET, paths and launches, those of the annotations count */
} warpbound_simt_options;

/* The control flow of a kernel, or another function, of machine code for sm_50 and later.
 * simt and limits may be NULL. Near linear in the number of instructions and calling contexts.
 * Errors: WARPBOUND_USAGE (no machine code); WARPBOUND_INTERNAL; *flow is then NULL.
 * WARPBOUND_INVALID_INPUT (a control instruction that is not supported, another architecture),
 * WARPBOUND_FACTS_MISSING (an indexed branch without targets) and WARPBOUND_LIMIT: the function is
 * refused; *flow is there, without a graph, for the writers, and is to be freed. */
WARPBOUND_API warpbound_status warpbound_control_flow_analyse(const warpbound_kernel *kernel,
                                                              const warpbound_simt_options *simt,
                                                              const warpbound_options *limits,
                                                              warpbound_control_flow **flow,
                                                              warpbound_error *error);
WARPBOUND_API void warpbound_control_flow_free(warpbound_control_flow *flow);

/* What a graph consists of; all 0 of a refused function. */
typedef struct warpbound_control_flow_size {
  size_t blocks; /* basic blocks, calling contexts united */
  size_t edges;
  size_t reactivations; /* the edges to lanes that waited; none from sm_70 on */
  size_t contexts;      /* calling contexts, the function itself included */
  size_t loops;
  size_t divergence_points; /* instructions that may split the lanes of a warp */
  size_t uniform_branches;  /* conditional ones on which all lanes agree */
  size_t scopes;            /* of convergence barriers; none to sm_62 */
} warpbound_control_flow_size;
WARPBOUND_API warpbound_control_flow_size
warpbound_control_flow_size_of(const warpbound_control_flow *flow);
/* What the graph rests on: sentences. */
WARPBOUND_API size_t warpbound_control_flow_assumption_count(const warpbound_control_flow *flow);
WARPBOUND_API const char *warpbound_control_flow_assumption(const warpbound_control_flow *flow,
                                                            size_t index);
/* The JSON object of `warpbound cfg --json` (doc/formats.md), the text for people, and the graph
 * for Graphviz. Errors: WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_control_flow_json(const warpbound_control_flow *flow,
                                                           char **text, warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_control_flow_text(const warpbound_control_flow *flow,
                                                           char **text, warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_control_flow_dot(const warpbound_control_flow *flow,
                                                          char **text, warpbound_error *error);

/* How the worst path of one warp is looked for. Zero a struct for the defaults. */
typedef struct warpbound_wcet_options {
  warpbound_simt_options simt;
  const warpbound_annotations *annotations; /* of the same module; NULL: none */
  /* Back edges of the warp for each entry of a loop of which nothing is known: with it the bound
   * is an estimate; without it such a loop is an error. */
  bool has_default_loop_bound;
  uint64_t default_loop_bound; /* at most INT64_MAX */
  /* Back edges of a thread for each entry of a loop that does nothing but wait (for the result of
   * an atomic, a word of memory that it loads again or by a strong load, a clock) and has no other
   * bound: an assumption that the result lists; 0: none. */
  uint64_t spin_bound;
  /* Move facts that were written for other code by their source lines, for
   * warpbound_wcet_template, and end there with WARPBOUND_FACTS_MISSING. */
  bool move_facts;
  const char *program_file;   /* write the integer program there, *.lp or *.mps; NULL: do not */
  const char *solver_command; /* words of a solver's command, as of --solver-command; NULL: CBC */
} warpbound_wcet_options;

/* The WCET of one warp that runs a kernel alone: by bounds on loops and an integer program over
 * the warp-level graph (IPET), proven by prices that are checked in integers (doc/ipet.md).
 * options and limits may be NULL. The kernel is not needed any more after the call, the
 * annotations as long as the result.
 * Errors: WARPBOUND_USAGE (no machine code, a value out of its range), WARPBOUND_INVALID_INPUT
 * (as of warpbound_control_flow_analyse; facts that do not fit the code), WARPBOUND_INTERNAL; *wcet
 * is then NULL. WARPBOUND_LIMIT: *wcet is there, and its bound holds, where the search for a path
 * that reaches it was ended; NULL after an interruption before. WARPBOUND_FACTS_MISSING (the
 * message names the first loop without a bound): *wcet is there, with its loops and for
 * warpbound_wcet_template, and is to be freed. */
WARPBOUND_API warpbound_status warpbound_wcet_analyse(const warpbound_kernel *kernel,
                                                      const warpbound_wcet_options *options,
                                                      const warpbound_options *limits,
                                                      warpbound_wcet **wcet,
                                                      warpbound_error *error);
WARPBOUND_API void warpbound_wcet_free(warpbound_wcet *wcet);

/* The bound in cycles: WARPBOUND_UPPER, or WARPBOUND_ESTIMATE where it rests on a default loop
 * bound or on code that is not in the module. Where facts are missing: UINT64_MAX. */
WARPBOUND_API warpbound_bound warpbound_wcet_bound(const warpbound_wcet *wcet);
/* Cycles of the worst path that was found, at most the bound; 0: none was. */
WARPBOUND_API uint64_t warpbound_wcet_path_cycles(const warpbound_wcet *wcet);
/* How often that path runs an instruction, from 0 in the function; 0 beyond the last. */
WARPBOUND_API uint64_t warpbound_wcet_runs(const warpbound_wcet *wcet, size_t instruction);

/* A loop of the graph. Texts live as long as the result. */
typedef struct warpbound_loop {
  uint32_t address;    /* of its header, in bytes from the function's start */
  const char *file;    /* of the source line that names it best; NULL: not known */
  uint32_t line;       /* 0: not known */
  bool bounded;        /* false: nothing is known of it, and the two bounds are 0 */
  bool per_warp;       /* `bound` is of the warp; else of each thread */
  uint64_t bound;      /* back edges for each entry of the loop */
  uint64_t warp_bound; /* the same of the warp */
  const char *source;  /* of the bound: "unknown", "default", "fact", "comment" or "found" */
  const char *reason;  /* why, for people; NULL: not said */
} warpbound_loop;
WARPBOUND_API size_t warpbound_wcet_loop_count(const warpbound_wcet *wcet);
WARPBOUND_API warpbound_loop warpbound_wcet_loop(const warpbound_wcet *wcet, size_t index);
/* What the bound rests on. */
WARPBOUND_API size_t warpbound_wcet_assumption_count(const warpbound_wcet *wcet);
WARPBOUND_API const char *warpbound_wcet_assumption(const warpbound_wcet *wcet, size_t index);
/* The JSON object of a kernel in `warpbound wcet --json`, and the text for people.
 * WARPBOUND_FACTS_MISSING where the result has no bound. */
WARPBOUND_API warpbound_status warpbound_wcet_json(const warpbound_wcet *wcet, char **text,
                                                   warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_wcet_text(const warpbound_wcet *wcet, char **text,
                                                   warpbound_error *error);
/* A file of flow facts (doc/flow-facts.md) with those of the annotations and a line with a '?' for
 * each loop without a bound. */
WARPBOUND_API warpbound_status warpbound_wcet_template(const warpbound_wcet *wcet, char **text,
                                                       warpbound_error *error);

/* ---- parameters, and the loops that need them ---- */

/* The parameters of a kernel, and which of its loops have no bound without a value of them. */
typedef struct warpbound_parameters warpbound_parameters;

/* Looks at the loops with what the options give, and with examples for what they do not: where a
 * kernel leaves a loop out for these, what that loop needs besides is not found. The costs and the
 * file of an integer program are not used. options and limits may be NULL. Kernel and annotations
 * are needed as long as the result. Errors: those of warpbound_wcet_analyse but
 * WARPBOUND_FACTS_MISSING for loops; *parameters is then NULL. */
WARPBOUND_API warpbound_status warpbound_parameters_find(const warpbound_kernel *kernel,
                                                         const warpbound_wcet_options *options,
                                                         const warpbound_options *limits,
                                                         warpbound_parameters **parameters,
                                                         warpbound_error *error);
WARPBOUND_API void warpbound_parameters_free(warpbound_parameters *parameters);

/* What code and sources say of a parameter. */
typedef struct warpbound_parameter_facts {
  uint32_t ordinal; /* from 0: "param_0" */
  uint32_t offset;  /* in bytes, from the first one */
  uint32_t size;
  const char *name; /* as the sources of the annotations call it; NULL: they do not say */
  const char *file; /* of that source; NULL: none */
  uint32_t line;    /* of the kernel's name there; 0: none */
} warpbound_parameter_facts;
WARPBOUND_API size_t warpbound_parameters_count(const warpbound_parameters *parameters);
WARPBOUND_API warpbound_parameter_facts
warpbound_parameters_parameter(const warpbound_parameters *parameters, size_t index);

/* That a loop has no bound without a value of a parameter, or of a member of one. */
typedef struct warpbound_parameter_need {
  size_t parameter;   /* index; the number of parameters where the code names none there */
  uint32_t offset;    /* of the value, in bytes from the first parameter */
  const char *option; /* that gives it, with N for the value: "--param n=N" */
  uint32_t address;   /* of the loop's header, in bytes from the function's start */
  const char *file;   /* of the loop's source line; NULL: not known */
  uint32_t line;      /* 0: not known */
} warpbound_parameter_need;
/* By offset, then by address. */
WARPBOUND_API size_t warpbound_parameters_need_count(const warpbound_parameters *parameters);
WARPBOUND_API warpbound_parameter_need
warpbound_parameters_need(const warpbound_parameters *parameters, size_t index);

/* ---- WCET from measured times ---- */

/* Measured times between places of code (doc/measured/hybrid.md, "TIMES"). */
typedef struct warpbound_times warpbound_times;
/* The WCET of one warp from measured times and the code's own paths. Borrows module and times. */
typedef struct warpbound_hybrid warpbound_hybrid;

/* Reads times from comma-separated values in memory. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT with line and column, WARPBOUND_INTERNAL; *times is then NULL. */
WARPBOUND_API warpbound_status warpbound_times_create(const warpbound_input *input,
                                                      warpbound_times **times,
                                                      warpbound_error *error);
WARPBOUND_API void warpbound_times_free(warpbound_times *times);
WARPBOUND_API size_t warpbound_times_row_count(const warpbound_times *times);
/* Whether every row names its kernel. */
WARPBOUND_API bool warpbound_times_name_kernels(const warpbound_times *times);
/* How many rows are of function `index` of the module: they name it, or no kernel at all. */
WARPBOUND_API size_t warpbound_times_rows_of(const warpbound_times *times,
                                             const warpbound_module *module, size_t index);

/* What code costs that no row of the times covers. */
typedef enum warpbound_unmeasured {
  WARPBOUND_UNMEASURED_REFUSED, /* nothing: such code is WARPBOUND_FACTS_MISSING */
  WARPBOUND_UNMEASURED_CYCLES,  /* so many cycles for each instruction */
  WARPBOUND_UNMEASURED_STATIC   /* each instruction's static cost, of the annotations */
} warpbound_unmeasured;

/* Zero a struct for the defaults; times are needed. */
typedef struct warpbound_hybrid_options {
  warpbound_wcet_options wcet; /* bounds, facts and static costs */
  const warpbound_times *times;
  warpbound_unmeasured unmeasured;
  uint64_t unmeasured_cycles; /* of an instruction, at most 10^9 */
  /* Nothing is run, and no segment taken, more often than in some measured run of a warp (Betts and
   * Donaldson, ECRTS 2013): the paths are then observed ones too. Every row from a place needs a
   * count. */
  bool observed_counts;
} warpbound_hybrid_options;

/* The largest cost of a path of one warp, where costs are the longest measured times between places
 * and paths are those of the code, its loop bounds and flow facts (doc/measured/hybrid.md): an
 * estimate. limits may be NULL. The kernel is not needed any more after the call; annotations and
 * times are as long as the result. Errors: those of warpbound_wcet_analyse; WARPBOUND_INVALID_INPUT
 * also where a row names a place that the code does not have, or the times are of other code;
 * *hybrid is then NULL. WARPBOUND_FACTS_MISSING (no row of the kernel, code that no row covers, a
 * loop without a bound): *hybrid has the parts that are not measured, and is to be freed. */
WARPBOUND_API warpbound_status warpbound_hybrid_analyse(const warpbound_kernel *kernel,
                                                        const warpbound_hybrid_options *options,
                                                        const warpbound_options *limits,
                                                        warpbound_hybrid **hybrid,
                                                        warpbound_error *error);
WARPBOUND_API void warpbound_hybrid_free(warpbound_hybrid *hybrid);

/* The result: WARPBOUND_ESTIMATE always. Where facts are missing: UINT64_MAX. */
WARPBOUND_API warpbound_bound warpbound_hybrid_bound(const warpbound_hybrid *hybrid);
/* The purely static number, as warpbound_wcet_bound; UINT64_MAX where it is not known. */
WARPBOUND_API warpbound_bound warpbound_hybrid_static(const warpbound_hybrid *hybrid);

/* The whole runs of warps among the rows, from start to end. */
typedef struct warpbound_high_water {
  uint64_t cycles; /* the longest */
  double mean;
  size_t runs; /* 0: there are none */
  bool above;  /* it is above the result: the segments miss some of the time */
} warpbound_high_water;
WARPBOUND_API warpbound_high_water warpbound_hybrid_high_water(const warpbound_hybrid *hybrid);

/* Code that no row covers: a segment between two places, or some instructions. */
typedef struct warpbound_gap {
  bool segment;
  bool from_start, to_end; /* of a segment: it begins at the start, ends at the end of the warp */
  uint32_t first, last;    /* addresses of instructions, where it does not; in bytes from the
                              function's    start */
} warpbound_gap;
WARPBOUND_API size_t warpbound_hybrid_gap_count(const warpbound_hybrid *hybrid);
WARPBOUND_API warpbound_gap warpbound_hybrid_gap(const warpbound_hybrid *hybrid, size_t index);
/* Cycles of the worst path by costs of code that was not measured. */
WARPBOUND_API uint64_t warpbound_hybrid_unmeasured_cycles(const warpbound_hybrid *hybrid);
/* What the result rests on. */
WARPBOUND_API size_t warpbound_hybrid_assumption_count(const warpbound_hybrid *hybrid);
WARPBOUND_API const char *warpbound_hybrid_assumption(const warpbound_hybrid *hybrid, size_t index);
/* The JSON object of a kernel in `warpbound hybrid --json`, and the text for people.
 * WARPBOUND_FACTS_MISSING where there is no result. */
WARPBOUND_API warpbound_status warpbound_hybrid_json(const warpbound_hybrid *hybrid, char **text,
                                                     warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_hybrid_text(const warpbound_hybrid *hybrid, char **text,
                                                     warpbound_error *error);

/* Which path of a PTX kernel. */
typedef enum warpbound_path_order {
  WARPBOUND_PATH_LONGEST,     /* of most instructions */
  WARPBOUND_PATH_FALL_THROUGH /* with the fewest conditional branches taken */
} warpbound_path_order;

/* How often the body of a loop of PTX is done. */
typedef struct warpbound_loop_iterations {
  const char *loop;    /* a label or the number of a line within it, of loops the innermost */
  uint32_t iterations; /* 1 to 1,000,000 */
} warpbound_loop_iterations;

/* What calls of a function do whose body PTX has not. */
typedef struct warpbound_call_assumption {
  const char *name;   /* "indirect": calls by register */
  const char *string; /* a kernel instruction string */
} warpbound_call_assumption;

/* Which paths are wanted. Zero a struct for the defaults. Everything is borrowed. */
typedef struct warpbound_paths_options {
  /* Of PTX: one path is walked, which is an estimate of what a warp does (doc/ptx.md). */
  warpbound_path_order order;
  uint32_t iterations;                    /* of each loop, to 1,000,000; 0: a loop is an error */
  const warpbound_loop_iterations *loops; /* of single loops; later ones win */
  size_t loop_count;
  const char *through; /* a label: the path ends before it; a line: after it; NULL: at the end */
  const char *const *takes; /* labels that it goes through, lines whose branch it takes */
  size_t take_count;
  const warpbound_call_assumption *calls;
  size_t call_count;
  /* Of machine code: all paths that a warp can take (doc/all-paths.md). */
  warpbound_wcet_options wcet;
  /* The device that the code is to run on, as of warpbound_instance_for_device. Code of an
   * architecture that does not run there is an error, or where allowed an assumption. NULL: not
   * known. */
  const char *device;
  bool allow_other_device;
} warpbound_paths_options;

/* Finds the paths of a kernel. The kernel is not needed any more after the call, the annotations
 * as long as the paths. Of a string there is one path and nothing to find. options and limits may
 * be NULL.
 * Errors: WARPBOUND_FACTS_MISSING (a loop without iterations or a bound, a call of unknown code,
 * no worst path of one warp), WARPBOUND_INVALID_INPUT (recursion, more than 1,000,000
 * instructions, control flow that is not analysed), WARPBOUND_USAGE (no path is as it is wanted;
 * another architecture; a value out of its range), WARPBOUND_LIMIT, WARPBOUND_INTERNAL, with file
 * and line where there are. *paths is then NULL. */
WARPBOUND_API warpbound_status warpbound_paths_find(const warpbound_kernel *kernel,
                                                    const warpbound_paths_options *options,
                                                    const warpbound_options *limits,
                                                    warpbound_paths **paths,
                                                    warpbound_error *error);
WARPBOUND_API void warpbound_paths_free(warpbound_paths *paths);

/* The kernel instruction string, with counts, of the path that was walked; of machine code that of
 * the worst path of one warp alone, to which others may be worse for many warps. Lives as long as
 * the paths. */
WARPBOUND_API const char *warpbound_paths_string(const warpbound_paths *paths);
/* Its instructions. */
WARPBOUND_API size_t warpbound_paths_length(const warpbound_paths *paths);
/* Whether the string, or the set of paths, is an estimate of what a warp does: nothing that rests
 * on it is proven of the kernel. */
WARPBOUND_API bool warpbound_paths_is_estimate(const warpbound_paths *paths);
/* Whether all paths have the one string. */
WARPBOUND_API bool warpbound_paths_are_one(const warpbound_paths *paths);
/* What the string rests on. */
WARPBOUND_API size_t warpbound_paths_assumption_count(const warpbound_paths *paths);
WARPBOUND_API const char *warpbound_paths_assumption(const warpbound_paths *paths, size_t index);
/* The JSON object of `warpbound string --json`. */
WARPBOUND_API warpbound_status warpbound_paths_json(const warpbound_paths *paths, char **text,
                                                    warpbound_error *error);

/* Which of a warp's groups of lanes runs next, in code for sm_70 and later. */
typedef enum warpbound_group_order {
  WARPBOUND_GROUPS_RANDOM,  /* any */
  WARPBOUND_GROUPS_LOWEST,  /* that at the lowest address */
  WARPBOUND_GROUPS_HIGHEST, /* that at the highest */
  WARPBOUND_GROUPS_NEWEST,  /* that was made last: depth first */
  WARPBOUND_GROUPS_MOST,    /* that of most lanes */
  WARPBOUND_GROUPS_FEWEST,  /* that of fewest lanes */
  WARPBOUND_GROUPS_STARVE   /* any, but that of a random lane as late as possible */
} warpbound_group_order;

/* A random execution. Zero a struct for the defaults. The last three are of convergence barriers
 * (from sm_70 on); on other code they have no effect. */
typedef struct warpbound_trace_options {
  uint64_t seed;
  uint32_t lanes; /* of the warp, 1 to 32; 0: 32 */
  uint64_t steps; /* the run ends after so many instructions, 1 to 1,000,000; 0: 10,000 */
  warpbound_group_order groups;
  warpbound_reconvergence reconvergence;
  bool masks_together; /* as in warpbound_simt_options */
} warpbound_trace_options;

/* Runs one warp of a kernel of machine code for sm_50 and later. No instruction's meaning is needed
 * but, from sm_70 on, those of copies: what one writes is drawn at random, the same for lanes that
 * read the same; so any path can occur that divergence and reconvergence allow. The same seed
 * gives the same run. From sm_70 on each step is one of a group of lanes. options and limits may
 * be NULL. Errors: WARPBOUND_USAGE (no machine code, a value out of its range),
 * WARPBOUND_INVALID_INPUT, WARPBOUND_FACTS_MISSING, WARPBOUND_INTERNAL; *trace is then NULL.
 * WARPBOUND_LIMIT: *trace is there where a limit of time or an interruption ended the run. */
WARPBOUND_API warpbound_status warpbound_trace_run(const warpbound_kernel *kernel,
                                                   const warpbound_trace_options *options,
                                                   const warpbound_options *limits,
                                                   warpbound_trace **trace, warpbound_error *error);
WARPBOUND_API void warpbound_trace_free(warpbound_trace *trace);

/* Steps that were run. */
WARPBOUND_API uint64_t warpbound_trace_steps(const warpbound_trace *trace);
/* Whether all lanes came to their end. */
WARPBOUND_API bool warpbound_trace_ended(const warpbound_trace *trace);
/* Whether the run ended because all groups of lanes wait for others: from sm_70 on. */
WARPBOUND_API bool warpbound_trace_is_deadlock(const warpbound_trace *trace);
/* The index in the function of the instruction of a step, from 0, and the mask of lanes that were
 * there; SIZE_MAX and 0 beyond the last step. */
WARPBOUND_API size_t warpbound_trace_instruction(const warpbound_trace *trace, uint64_t step);
WARPBOUND_API uint32_t warpbound_trace_lanes(const warpbound_trace *trace, uint64_t step);
/* The number of the group of lanes that does a step, from 1; 0 to sm_62 and beyond the last step.
 */
WARPBOUND_API uint64_t warpbound_trace_group(const warpbound_trace *trace, uint64_t step);
/* The JSON object of `warpbound run --json`, and the text for people. Errors: WARPBOUND_INTERNAL.
 */
WARPBOUND_API warpbound_status warpbound_trace_json(const warpbound_trace *trace, char **text,
                                                    warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_trace_text(const warpbound_trace *trace, char **text,
                                                    warpbound_error *error);

/* ---- images: GPU code in files ---- */

/* The GPU code of a file: each piece of PTX or machine code in it is an image. */
typedef struct warpbound_images warpbound_images;

/* A number that an image does not say. */
#define WARPBOUND_UNKNOWN UINT32_MAX

typedef enum warpbound_image_kind {
  WARPBOUND_IMAGE_PTX,
  WARPBOUND_IMAGE_CUBIN,   /* machine code */
  WARPBOUND_IMAGE_LISTING, /* a SASS listing */
  WARPBOUND_IMAGE_OTHER,   /* what no analysis reads: code for a later link (LTO) */
  WARPBOUND_IMAGE_DAMAGED  /* not even its kind is known */
} warpbound_image_kind;

/* An image. The texts live as long as the handle and are never NULL; "" is what is not known. */
typedef struct warpbound_image {
  warpbound_image_kind kind;
  const char *place;             /* in the file: "b.o, .nv_fatbin, entry 2"; "" for all of it */
  const char *architecture;      /* "sm_90a", of PTX "compute_90a" */
  uint32_t sm;                   /* 90 of it; 0: not known */
  const char *toolkit;           /* of a cubin: the CUDA release, "13.0" */
  const char *ptx_version;       /* of PTX: "9.0" */
  const char *identifier;        /* the source that it was compiled from */
  const char *assembler_options; /* of PTX: for who compiles it at load time */
  const char *compression;       /* "none", "lz4", "zstd" */
  uint64_t offset;               /* of its bytes in the file */
  uint64_t stored_bytes;         /* in the file */
  uint64_t bytes;                /* after decompression */
  bool debug;                    /* compiled with -G */
  bool relocatable;              /* not linked */
  const char *damage;            /* why it cannot be read; "": it can */
} warpbound_image;

/* A kernel or a device function of an image. Sizes are in bytes; WARPBOUND_UNKNOWN where the image
 * does not say, as PTX does of all resources. */
typedef struct warpbound_image_function {
  const char *name;             /* mangled */
  const char *demangled;        /* as in the source; the same where it is not mangled */
  bool kernel;                  /* a launch can start it */
  uint32_t registers;           /* of a thread */
  uint32_t barriers;            /* of a block */
  uint32_t shared_bytes;        /* static shared memory of a block; from sm_90 on with 1,024 bytes
                                   that the system keeps */
  uint32_t frame_bytes;         /* its stack frame in local memory, of a thread */
  uint32_t stack_bytes;         /* the same with what it calls */
  uint32_t reconvergence_bytes; /* of a warp (sm_50 to sm_62) */
  uint32_t constant_bytes;      /* of constant bank 0, the parameters among them */
  uint32_t code_bytes;          /* of its section, with subroutines in it */
  uint32_t parameter_base;      /* of the first parameter in constant bank 0 */
  uint32_t parameter_bytes;     /* of all parameters */
  size_t parameter_count;
  uint32_t max_threads[3];      /* most threads of a block by dimension (__launch_bounds__,
                                   .maxntid), whose product counts; 0: no bound */
  uint32_t required_threads[3]; /* threads of every block by dimension (.reqntid); 0: any */
  uint32_t cluster[3];          /* blocks of every cluster by dimension (__cluster_dims__,
                                   .reqnctapercluster); 0: the file does not say */
  uint32_t most_cluster;        /* most blocks of a cluster (.maxclusterrank); 0: no bound */
  bool clustered; /* every launch is one of clusters (.explicitcluster), of a size that the launch
                     gives where `cluster` is 0 */
} warpbound_image_function;

/* A parameter of a kernel. */
typedef struct warpbound_image_parameter {
  const char *name; /* of PTX; "" of machine code */
  uint32_t ordinal; /* from 0 */
  uint32_t offset;  /* from the first one */
  uint32_t size;
} warpbound_image_parameter;

/* Lists the images of a file of any content: PTX, a SASS listing, a cubin, linked or not, a fat
 * binary, an ELF program, shared library or object with fat binaries, a static library of objects.
 * Which it is shows in the bytes. These must outlive the handle. name: for messages, NULL for none.
 * What is damaged is an image with its damage. Limits: files within files 4 deep, 65,536 images,
 * each of 268,435,456 bytes after decompression and all together of four times as many.
 * Errors: WARPBOUND_INVALID_INPUT where the file is none of these, holds no GPU code or is over a
 * limit; WARPBOUND_INTERNAL. *images is then NULL. Near linear in length and the decompressed
 * size. */
WARPBOUND_API warpbound_status warpbound_images_read(const char *name, const void *bytes,
                                                     size_t length, warpbound_images **images,
                                                     warpbound_error *error);
WARPBOUND_API void warpbound_images_free(warpbound_images *images);

/* In the file's order. */
WARPBOUND_API size_t warpbound_images_count(const warpbound_images *images);
WARPBOUND_API warpbound_image warpbound_images_image(const warpbound_images *images, size_t index);
/* The next image from `first` on that is for an architecture: "sm_90a", or "sm_90" for sm_90,
 * sm_90a and sm_90f; NULL means all. The number of images where there is none. */
WARPBOUND_API size_t warpbound_images_find(const warpbound_images *images, const char *architecture,
                                           size_t first);

/* The same of one module, which is an image by its number from 1 ("3"), or are those whose place is
 * the name or begins with it ("b.o" of "b.o, .nv_fatbin, entry 2"), or whose source has it; NULL
 * means all. */
WARPBOUND_API size_t warpbound_images_find_module(const warpbound_images *images,
                                                  const char *architecture, const char *module,
                                                  size_t first);

/* Kernels and, of machine code, device functions with a section of their own. */
WARPBOUND_API size_t warpbound_images_function_count(const warpbound_images *images, size_t index);
WARPBOUND_API warpbound_image_function warpbound_images_function(const warpbound_images *images,
                                                                 size_t index, size_t function);
/* The next function of an image from `first` on that a user who writes `name` can mean: mangled,
 * demangled, without parameters or template arguments; NULL means all. The number of functions
 * where there is none. */
WARPBOUND_API size_t warpbound_images_find_function(const warpbound_images *images, size_t index,
                                                    const char *name, size_t first);
/* By ordinal. */
WARPBOUND_API warpbound_image_parameter warpbound_images_parameter(const warpbound_images *images,
                                                                   size_t index, size_t function,
                                                                   size_t parameter);

/* The text of PTX or of a listing, decompressed. Errors: WARPBOUND_USAGE for an image of another
 * kind or an index that is none; WARPBOUND_INVALID_INPUT where it is damaged;
 * WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_images_text(const warpbound_images *images, size_t index,
                                                     char **text, warpbound_error *error);

/* A device for the analysis of whole launches: resources, latencies, residency (doc/devices.md). */
typedef struct warpbound_gpu warpbound_gpu;
/* The analysis of a launch. Borrows the module, the device and the annotations. */
typedef struct warpbound_launch warpbound_launch;

/* The bundled devices, index 0 .. count - 1. */
WARPBOUND_API size_t warpbound_gpu_count(void);
WARPBOUND_API const char *warpbound_gpu_bundled_name(size_t index);
/* A bundled device by name ("orin-agx"), architecture ("sm_87": the first) or a word of its
 * product. Errors: WARPBOUND_USAGE where there is none, with near names; WARPBOUND_INTERNAL. *gpu
 * is then NULL. */
WARPBOUND_API warpbound_status warpbound_gpu_bundled(const char *name, warpbound_gpu **gpu,
                                                     warpbound_error *error);
/* A device file. Errors: WARPBOUND_INVALID_INPUT with the place, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_gpu_from_json(const char *name, const char *json,
                                                       size_t length, warpbound_gpu **gpu,
                                                       warpbound_error *error);
/* Changes a value: "l2.delay=600"; it is then declared by the user. A time is so many cycles of the
 * SM's clock, or "l2.delay=300ns" or ps. Errors: WARPBOUND_USAGE where
 * there is no such value, or the device would not be valid; it is then as before. */
WARPBOUND_API warpbound_status warpbound_gpu_set(warpbound_gpu *gpu, const char *text,
                                                 warpbound_error *error);
/* Sets a mode of the device by its name, as a power mode of Jetson ("15W"), in any case: before
 * values are changed, as it changes some. Errors: WARPBOUND_USAGE where there is no such mode. */
WARPBOUND_API warpbound_status warpbound_gpu_set_mode(warpbound_gpu *gpu, const char *name,
                                                      warpbound_error *error);
/* Other clients of the memory of an integrated GPU: each access to it takes at most thousandths /
 * 1000 of its time on an idle device (1000 to 1000000); these times are then declared by the user.
 * Errors: WARPBOUND_USAGE where the device has no resource "dram", or a time would be too long. */
WARPBOUND_API warpbound_status warpbound_gpu_slow_memory(warpbound_gpu *gpu, uint32_t thousandths,
                                                         warpbound_error *error);
WARPBOUND_API const char *warpbound_gpu_name(const warpbound_gpu *gpu);
WARPBOUND_API uint32_t warpbound_gpu_architecture(const warpbound_gpu *gpu); /* 87 for sm_87 */
WARPBOUND_API uint32_t warpbound_gpu_sms(const warpbound_gpu *gpu);
WARPBOUND_API uint64_t warpbound_gpu_clock(const warpbound_gpu *gpu); /* Hz */
/* The configuration of one SM of a device: partitions and most warps are the device's, units and
 * issue slots those of its architecture in the table; its name says so. Errors:
 * WARPBOUND_INVALID_INPUT where the table lacks the architecture, or where the device's numbers are
 * beyond what a configuration may have, with the device's file; WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_sm_for_gpu(const warpbound_gpu *gpu, warpbound_sm **sm,
                                                    warpbound_error *error);
/* The device as a file. */
WARPBOUND_API warpbound_status warpbound_gpu_json(const warpbound_gpu *gpu, char **text,
                                                  warpbound_error *error);
WARPBOUND_API void warpbound_gpu_free(warpbound_gpu *gpu);

/* What is asked of a launch. Zero a struct for the defaults. Everything is borrowed. */
/* What is known of the barriers that the warps of a block pass. The last two are the caller's word,
 * a named assumption. */
typedef enum warpbound_barriers {
  WARPBOUND_BARRIERS_SHOWN, /* what the code shows; else bounds are estimates */
  WARPBOUND_BARRIERS_SAME,  /* all warps pass the same ones, at the same places of the code, in
                             * the same order, as CUDA demands of __syncthreads; from sm_70 on
                             * some may end before the first one, where none names a count */
  WARPBOUND_BARRIERS_END    /* no warp waits for ever, whichever warps pass a barrier */
} warpbound_barriers;

typedef struct warpbound_launch_options {
  warpbound_wcet_options wcet; /* with annotations that have grid and block */
  uint32_t dynamic_shared;     /* bytes of a block */
  bool has_dynamic_shared;     /* 0 too is what the launch asks for; else it is an assumption */
  uint32_t registers;          /* of a thread; 0: as the file says */
  bool has_static_shared;      /* else as the file says */
  uint32_t static_shared;      /* bytes of a block */
  bool has_barriers;           /* else as the file says, or one */
  uint32_t barriers;           /* named barriers */
  bool allow_other_device;     /* code of an architecture that the device does not run: an
                                  assumption, instead of WARPBOUND_USAGE */
  bool balanced_dispatch; /* a block goes to an SM with the fewest blocks: an assumption; else to
                             any with room */
  bool unlimited_queues;  /* no queue before the stages of an SM's loads and stores is ever full: an
                             assumption, by which stages in series are paid once
                             (doc/launches/series.md) */
  bool unlimited_memory_queue; /* the queue before the GPU's memory is never full, and each sector
                                  goes on to it by itself: an assumption, by which L2 and the
                                  memory are paid once (doc/launches/pair.md) */
  uint64_t simulate;           /* most warp instructions to simulate for the lower end; 0: none */
  uint64_t seed;               /* of the simulations */
  size_t timeline_events;      /* events of the longest simulated run to keep, for pictures */
  bool sensitivity;            /* find what a smaller bound, latency or service is worth */
  uint32_t carveout;           /* least bytes that the shared memory of an SM is set to, or
                                  WARPBOUND_LARGEST_CARVEOUT: an assumption; 0: any that holds a block */
  uint32_t cluster[3];         /* blocks of a cluster by dimension; 0: as the code says. Clusters of
                                  several blocks are WARPBOUND_INVALID_INPUT */
  warpbound_barriers barriers_known; /* what is known of the barriers of the warps of a block */
  uint32_t foreign_share; /* other clients of the memory hold at most so many millionths of it in
                             the first t cycles of the launch, for each t
                             (doc/launches/foreign-traffic.md) */
  uint64_t foreign_rate;  /* the same in bytes a second, beside foreign_share 0 */
  uint64_t foreign_burst; /* and bytes more */
  bool as_if_compiled;    /* registers may be others than the file's: an assumption. Else other
                             registers, static shared memory or barriers than the file's are
                             WARPBOUND_USAGE */
  /* What pointers among the parameters point to: "param_2=65536", "0x10=1M,read-only",
   * "0x8=4K,aligned", "8=1M,read-only,block-lines=40". An access that is based on such a pointer is
   * in its buffer, none stores into one that is read-only, one that is aligned is a multiple of
   * 256, and each block accesses so many lines of 128 bytes of it at most: an assumption, and
   * WARPBOUND_USAGE where the code or a parameter's value shows otherwise. */
  const char *const *buffers;
  size_t buffer_count;
  bool warm_start; /* caches of instructions, constants and translations have all that the launch
                    * needs of them when it begins: an assumption. Else none of it is there. */
  bool warm_l2;    /* what L2 keeps of the buffers is there when the launch begins: an assumption */
  bool in_company; /* other launches may run meanwhile, for warpbound_frame_analyse: L2 keeps
                    * nothing for this one */
} warpbound_launch_options;

/* In place of a size of shared memory: the largest that the device has. */
#define WARPBOUND_LARGEST_CARVEOUT UINT32_MAX

/* Bounds the time of a whole launch from above and below (doc/launch.md). limits may be NULL.
 * Errors: WARPBOUND_USAGE (no machine code, no grid or block, a value out of its range),
 * WARPBOUND_INVALID_INPUT (a block does not fit on the device; code without control words; those of
 * warpbound_wcet_analyse), WARPBOUND_INTERNAL; *launch is then NULL. WARPBOUND_FACTS_MISSING: a
 * loop without a bound, or registers that are not known; *launch is there for
 * warpbound_launch_template. WARPBOUND_LIMIT: *launch is NULL, or there with a valid bracket. */
WARPBOUND_API warpbound_status warpbound_launch_analyse(const warpbound_kernel *kernel,
                                                        const warpbound_gpu *gpu,
                                                        const warpbound_launch_options *options,
                                                        const warpbound_options *limits,
                                                        warpbound_launch **launch,
                                                        warpbound_error *error);
WARPBOUND_API void warpbound_launch_free(warpbound_launch *launch);

/* The ends of the bracket in cycles of the SM's clock; UINT64_MAX and 0 where facts are missing. */
WARPBOUND_API warpbound_bound warpbound_launch_upper(const warpbound_launch *launch);
WARPBOUND_API warpbound_bound warpbound_launch_lower(const warpbound_launch *launch);
/* Blocks that reside on an SM, and what limits them: "registers". Of several sizes that its shared
 * memory may have, that with the greatest upper end. */
WARPBOUND_API uint32_t warpbound_launch_resident_blocks(const warpbound_launch *launch);
WARPBOUND_API const char *warpbound_launch_residency_limit(const warpbound_launch *launch);
/* ceil(blocks / (SMs * resident blocks)). */
WARPBOUND_API uint64_t warpbound_launch_waves(const warpbound_launch *launch);
WARPBOUND_API size_t warpbound_launch_assumption_count(const warpbound_launch *launch);
WARPBOUND_API const char *warpbound_launch_assumption(const warpbound_launch *launch, size_t index);
/* The JSON object of `warpbound analyze --json`, and the text for people. WARPBOUND_FACTS_MISSING
 * where the result has no bound. */
WARPBOUND_API warpbound_status warpbound_launch_json(const warpbound_launch *launch, char **text,
                                                     warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_launch_text(const warpbound_launch *launch, char **text,
                                                     warpbound_error *error);
/* What proves the upper end, for warpbound_verify. Errors: WARPBOUND_FACTS_MISSING where there is
 * none, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_launch_certificate(const warpbound_launch *launch,
                                                            char **text, warpbound_error *error);
/* The longest simulated run, which takes the lower end where that is by simulation, for
 * warpbound_verify. Errors: WARPBOUND_FACTS_MISSING where none was simulated, WARPBOUND_LIMIT where
 * it has more than 4,000,000 issues and requests, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_launch_run(const warpbound_launch *launch, char **text,
                                                    warpbound_error *error);
/* As warpbound_wcet_template. */
WARPBOUND_API warpbound_status warpbound_launch_template(const warpbound_launch *launch,
                                                         char **text, warpbound_error *error);

/* ---- launches together (doc/launches/together.md) ---- */

/* What a step of a frame does. */
typedef enum warpbound_step_kind {
  WARPBOUND_STEP_LAUNCH,         /* runs a launch */
  WARPBOUND_STEP_COPY_TO_DEVICE, /* the first four take an engine of their kind, one at a time: */
  WARPBOUND_STEP_COPY_TO_HOST,
  WARPBOUND_STEP_COPY_ON_DEVICE,
  WARPBOUND_STEP_FILL, /* sets memory of the device */
  WARPBOUND_STEP_HOST  /* a function of the host; one runs at a time */
} warpbound_step_kind;

/* A step. Zero what does not apply. Everything is borrowed. Times are in nanoseconds. */
typedef struct warpbound_step {
  const char *name;
  warpbound_step_kind kind;
  size_t launch;         /* of a launch: its number */
  uint64_t bytes;        /* of a copy or fill */
  uint64_t rate;         /* least bytes a second of it, while launches run; 0: no bytes */
  uint64_t time_ns;      /* most of a host's function; of a copy or fill, beside its bytes */
  uint64_t gap_ns;       /* most from the end of what it comes after to its release */
  uint32_t memory_share; /* most millionths of its time for which it holds all of the memory */
  const char *stream;    /* comes after the step before it of the stream, and after those of the
                            frame before; NULL: of none */
  const size_t *after;   /* and after these steps, of lower numbers */
  size_t after_count;
  bool beside;        /* a launch that no order holds back: it comes at any time, once, or */
  uint64_t period_ns; /* again and again, at least so long after the time before; 0: once */
} warpbound_step;

/* A launch of a frame, analysed with in_company, all of one device. Borrowed. */
typedef struct warpbound_frame_launch {
  const char *name;
  const warpbound_launch *launch;
} warpbound_frame_launch;

typedef struct warpbound_frame_options {
  bool own_sms;       /* each launch has SMs of its own, as many as the device that it was analysed
                         for; all steps are launches beside each other. Else all share them */
  uint64_t period_ns; /* of the frame: it begins again, at least so long after; 0: once */
  uint32_t in_flight; /* most frames under way at a time; 0: 1 */
  uint64_t deadline_ns; /* of the frame, from its begin; 0: none */
} warpbound_frame_options;

/* The bounds of a frame. Borrows the launches. */
typedef struct warpbound_frame warpbound_frame;

/* Bounds the time of a graph of steps, from its begin until all of it has ended, and that of each
 * launch beside it from its release. Without a step of the graph: of these alone. Errors:
 * WARPBOUND_USAGE (a step or launch that is not as said above), WARPBOUND_INVALID_INPUT (launches
 * of several devices, of which L2 keeps data, or whose code no cache keeps together; a launch or
 * frame that is released again before its bound; numbers that do not fit), WARPBOUND_INTERNAL.
 * *frame is then NULL. */
WARPBOUND_API warpbound_status warpbound_frame_analyse(
    const warpbound_frame_launch *launches, size_t launch_count, const warpbound_step *steps,
    size_t step_count, const warpbound_frame_options *options, warpbound_frame **frame,
    warpbound_error *error);
WARPBOUND_API void warpbound_frame_free(warpbound_frame *frame);

/* The ends of the bracket of the graph; 0 cycles where it has no step. */
WARPBOUND_API warpbound_bound warpbound_frame_upper(const warpbound_frame *frame);
WARPBOUND_API warpbound_bound warpbound_frame_lower(const warpbound_frame *frame);
/* Frames that may be under way at a time. */
WARPBOUND_API uint32_t warpbound_frame_in_flight(const warpbound_frame *frame);
/* Of a step beside the graph: the bound on its launch from its release. Else 0. */
WARPBOUND_API uint64_t warpbound_frame_response(const warpbound_frame *frame, size_t step);
/* The same from below: what some run of all launches takes from its release; 0: none is known. */
WARPBOUND_API uint64_t warpbound_frame_response_lower(const warpbound_frame *frame, size_t step);
/* Of a step of the graph: by how many cycles it could take longer before the longest path grew, and
 * whether it is on that path. */
WARPBOUND_API uint64_t warpbound_frame_slack(const warpbound_frame *frame, size_t step);
WARPBOUND_API bool warpbound_frame_is_critical(const warpbound_frame *frame, size_t step);
/* Whether all deadlines and budgets of the frame are kept by the upper end. */
WARPBOUND_API bool warpbound_frame_in_time(const warpbound_frame *frame);
WARPBOUND_API size_t warpbound_frame_assumption_count(const warpbound_frame *frame);
WARPBOUND_API const char *warpbound_frame_assumption(const warpbound_frame *frame, size_t index);
/* The JSON object of `warpbound analyze --graph --json`, the text for people, the picture. */
WARPBOUND_API warpbound_status warpbound_frame_json(const warpbound_frame *frame, char **text,
                                                    warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_frame_text(const warpbound_frame *frame, char **text,
                                                    warpbound_error *error);
/* What proves the bounds, for warpbound_verify. Errors: WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_frame_certificate(const warpbound_frame *frame,
                                                           char **text, warpbound_error *error);
/* The longest simulated run of all launches, as of warpbound_launch_run; without a graph that of
 * the launch that took longest. */
WARPBOUND_API warpbound_status warpbound_frame_run(const warpbound_frame *frame, char **text,
                                                   warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_frame_svg(const warpbound_frame *frame, char **text,
                                                   warpbound_error *error);

/* What of a file's machine code is wanted as a text. Zero a struct for all of it, which
 * warpbound_module_parse reads. */
typedef struct warpbound_disassembly_options {
  const char *architecture; /* as of warpbound_module_options */
  const char *module;       /* the same */
  const char *kernel;       /* the section of that function alone, by a name as of
                               warpbound_images_find_function; NULL: all */
  bool code_only;           /* no attributes, no constants, no source lines, no encodings */
  bool control;             /* what control words say, after each instruction */
} warpbound_disassembly_options;

/* The listing of the machine code of a file of warpbound_images_read, in the form of NVIDIA's
 * nvdisasm. name: for messages, NULL for none. options may be NULL.
 * Errors: WARPBOUND_INVALID_INPUT where the file has no machine code, is damaged, or the machine
 * code of its architecture is not known; WARPBOUND_USAGE where several architectures or functions
 * can be meant, or none; WARPBOUND_INTERNAL. *text is then NULL. */
WARPBOUND_API warpbound_status warpbound_disassemble(const char *name, const void *bytes,
                                                     size_t length,
                                                     const warpbound_disassembly_options *options,
                                                     char **text, warpbound_error *error);

/* ---- instrumentation: times between places of a kernel ---- */

/* Where the instrumented kernel reads the clock, beside its start and its ends. */
typedef enum warpbound_instrument_at {
  WARPBOUND_AT_BLOCKS, /* the entry of each basic block of the PTX */
  WARPBOUND_AT_LOOPS,  /* the header of each loop */
  WARPBOUND_AT_LINES,  /* the entry of each block and each change of the source line (.loc) */
  WARPBOUND_AT_GIVEN   /* the given points alone */
} warpbound_instrument_at;

/* Zero a struct for the only kernel and all of its blocks. */
typedef struct warpbound_instrument_options {
  const char *kernel; /* mangled or as in the source; NULL: the only one */
  warpbound_instrument_at at;
  const char *const *points; /* more of them: labels, FILE:LINE of the source, lines of the PTX */
  size_t point_count;
} warpbound_instrument_options;

/* The PTX with probes that keep, for each warp, the longest time and the count of each transition
 * from point to point (doc/measured/instrument.md); lines are added to the text, and nothing else
 * is changed. name: the file's, for messages and .loc, NULL for none. options may be NULL. The
 * caller frees *instrumented with warpbound_text_free. Errors: WARPBOUND_INVALID_INPUT where the
 * text is no PTX, was instrumented before, branches to a place that it does not name, or has too
 * many transitions; WARPBOUND_USAGE for a kernel or point that is not there; WARPBOUND_INTERNAL.
 * *instrumented is then NULL. */
WARPBOUND_API warpbound_status warpbound_instrument(const char *name, const char *text,
                                                    size_t length,
                                                    const warpbound_instrument_options *options,
                                                    char **instrumented, warpbound_error *error);

/* The raw output of that instrumented text (examples/measure writes it) as times between places,
 * for hybrid analysis: comma-separated values, kernel,run,warp,from,to,count,cycles. text is the
 * PTX before instrumentation, options are those of warpbound_instrument; raw_name is for messages,
 * NULL for none. Errors: those of warpbound_instrument, and WARPBOUND_INVALID_INPUT where the raw
 * output is damaged or of another text, kernel or choice of points. *times is then NULL. */
WARPBOUND_API warpbound_status warpbound_instrument_times(
    const char *name, const char *text, size_t length, const warpbound_instrument_options *options,
    const char *raw_name, const void *raw, size_t raw_length, char **times, warpbound_error *error);

/* ---- makespan questions ---- */

/* Makes an instance.
 *   string       kernel instruction string over L, C, S, D, T, N and B (barrier), with counts
 *                where wanted: "5L9C2L9C"; 1 to 1,000,000 instructions
 *   units, issue_slots, partitions
 *                as in warpbound_sm_create
 *   warps        warps on the SM, 1 to 65,536
 * Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_instance_create(const char *string, const char *units,
                                                         uint32_t issue_slots, uint32_t partitions,
                                                         uint32_t warps,
                                                         warpbound_instance **instance,
                                                         warpbound_error *error);
/* The same on any configuration, which is copied. The warps are `blocks` blocks of as many warps
 * each, which matter where the string has barriers (B): a warp that has done one waits for all
 * warps of its block. Errors: WARPBOUND_USAGE too where the number of warps is no multiple of
 * `blocks`. */
WARPBOUND_API warpbound_status warpbound_instance_on(const char *string, const warpbound_sm *sm,
                                                     uint32_t warps, uint32_t blocks,
                                                     warpbound_instance **instance,
                                                     warpbound_error *error);
/* The same of all warps that each take any of a kernel's paths: the upper end is of all of these,
 * the lower end is a schedule of some. What the paths rest on the result does; it is an estimate
 * where they are. The paths must outlive the instance and its results, and of those that share them
 * not two are to be analysed at a time. Errors: those of warpbound_instance_on. */
WARPBOUND_API warpbound_status warpbound_instance_of_paths(warpbound_paths *paths,
                                                           const warpbound_sm *sm, uint32_t warps,
                                                           uint32_t blocks,
                                                           warpbound_instance **instance,
                                                           warpbound_error *error);
/* Restricts an instance to schedulers that are fair between the repetitions of a sub-block: the
 * instructions first .. first + length * count - 1, from 1, are `count` times the same `length`
 * instructions, and of warps that compete one whose next instruction is of an earlier repetition
 * goes first (doc/makespan.md). Once, for an SM of one partition. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INTERNAL; the instance is as before then. */
WARPBOUND_API warpbound_status warpbound_instance_make_fair(warpbound_instance *instance,
                                                            size_t first, size_t length,
                                                            size_t count, warpbound_error *error);
WARPBOUND_API void warpbound_instance_free(warpbound_instance *instance);

/* ---- makespans ---- */

/* Bounds the worst-case makespan over all work-conserving schedules. options may
 * be NULL. On WARPBOUND_OK and WARPBOUND_LIMIT *result is set, and its bracket is
 * valid; otherwise it is NULL, and so it is where paths are several and a limit was reached before
 * any bound over all of them was proven. The result does not need the instance any longer, but what
 * that was made of other than a string (warpbound_paths). Time and memory: see the method; limits
 * and interruptions leave a valid bracket. Errors: WARPBOUND_USAGE (an option is outside its range;
 * the horizon; a file or a solver command that does not work), WARPBOUND_INVALID_INPUT (a bound
 * beyond 64 bits; a solver's answer that cannot be read), WARPBOUND_CHECK_FAILED (a solver's answer
 * is refuted), WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_makespan(const warpbound_instance *instance,
                                                  const warpbound_options *options,
                                                  warpbound_result **result,
                                                  warpbound_error *error);
WARPBOUND_API void warpbound_result_free(warpbound_result *result);

/* The number of warps that the result is about. */
WARPBOUND_API uint32_t warpbound_result_warps(const warpbound_result *result);
/* The bracket's ends. Both are equal, and of kind exact, where it is closed (of kind estimate
 * where the instance's string is one). */
WARPBOUND_API warpbound_bound warpbound_result_lower(const warpbound_result *result);
WARPBOUND_API warpbound_bound warpbound_result_upper(const warpbound_result *result);
/* Every bound that was computed, index 0 .. count - 1. */
WARPBOUND_API size_t warpbound_result_bound_count(const warpbound_result *result);
WARPBOUND_API warpbound_bound warpbound_result_bound(const warpbound_result *result, size_t index);

/* The longest schedule that was found: its cycles, 0 where there is none, and what made it. It may
 * be shorter than the lower end, which is sometimes known without a schedule. */
WARPBOUND_API uint64_t warpbound_result_witness(const warpbound_result *result);
WARPBOUND_API const char *warpbound_result_witness_method(const warpbound_result *result);

/* The assumptions of the result, and notes on steps that were left out: sentences. */
WARPBOUND_API size_t warpbound_result_assumption_count(const warpbound_result *result);
WARPBOUND_API const char *warpbound_result_assumption(const warpbound_result *result, size_t index);
WARPBOUND_API size_t warpbound_result_note_count(const warpbound_result *result);
WARPBOUND_API const char *warpbound_result_note(const warpbound_result *result, size_t index);

/* The paths that warps may take, where the kernel has several. */
typedef struct warpbound_path_summary {
  size_t strings; /* how many different strings of paths are known; 0: the kernel has one string */
  bool all;       /* there are no others */
  bool mixed;     /* the lower end is a schedule in which warps take different paths */
  const char *shown; /* else: the path that it is a schedule of, in words */
} warpbound_path_summary;
WARPBOUND_API warpbound_path_summary warpbound_result_paths(const warpbound_result *result);

/* The result as the JSON object of `warpbound makespan --json`, which has what the searches,
 * annealing and the integer program did and found, and the phases between barriers. */
WARPBOUND_API warpbound_status warpbound_result_json(const warpbound_result *result, char **json,
                                                     warpbound_error *error);
/* The witness as a schedule file's text; WARPBOUND_LIMIT where the result has
 * none, or one whose file would be larger than what warpbound_verify reads. */
WARPBOUND_API warpbound_status warpbound_result_schedule(const warpbound_result *result,
                                                         char **json, warpbound_error *error);
/* A certificate of an upper bound, which warpbound_verify checks: the text of a file. *cycles is
 * what it proves, the upper end or more; may be NULL. WARPBOUND_LIMIT where there is none (see
 * warpbound_options.certify). */
WARPBOUND_API warpbound_status warpbound_result_certificate(const warpbound_result *result,
                                                            char **json, uint64_t *cycles,
                                                            warpbound_error *error);
/* The witness as a picture, a Gantt chart: an SVG page. WARPBOUND_LIMIT where the result has none.
 */
WARPBOUND_API warpbound_status warpbound_result_gantt(const warpbound_result *result, char **svg,
                                                      warpbound_error *error);

/* ---- makespans over a range of warps ---- */

/* The brackets for several numbers of warps. */
typedef struct warpbound_series warpbound_series;

/* Receives each result of a series, with its status, WARPBOUND_OK or WARPBOUND_LIMIT. The result
 * is valid during the call, and not to be freed. Returns WARPBOUND_OK to continue; any other status
 * ends the series and is its own, *error (which may be NULL) saying why. */
typedef warpbound_status warpbound_series_visitor(void *context, const warpbound_result *result,
                                                  warpbound_status status, warpbound_error *error);

/* Asks an instance's question for each number of warps from `first` to `last`, at most 65,536, that
 * its blocks divide; its own number of warps does not matter. The largest comes first: what its
 * search finds serves the others, so that a series takes far less time than its questions by
 * themselves. The time limit is of all together. visit may be NULL; options too.
 * *series is set where there is at least one result, whatever the status. WARPBOUND_LIMIT: that
 * is the status of a result. Errors: WARPBOUND_USAGE, those of warpbound_makespan. */
WARPBOUND_API warpbound_status warpbound_makespan_series(const warpbound_instance *instance,
                                                         uint32_t first, uint32_t last,
                                                         const warpbound_options *options,
                                                         warpbound_series_visitor *visit,
                                                         void *context, warpbound_series **series,
                                                         warpbound_error *error);
WARPBOUND_API void warpbound_series_free(warpbound_series *series);

/* The bracket for one number of warps. */
typedef struct warpbound_series_row {
  uint32_t warps;
  warpbound_bound lower;
  warpbound_bound upper;
} warpbound_series_row;
/* By ascending number of warps. */
WARPBOUND_API size_t warpbound_series_count(const warpbound_series *series);
WARPBOUND_API warpbound_series_row warpbound_series_at(const warpbound_series *series,
                                                       size_t index);

/* A line over the numbers w of warps of a partition, ceil(W / partitions) of W warps: the floor of
 * (slope * w + offset) / divisor cycles. */
typedef struct warpbound_line {
  int64_t slope;
  int64_t offset;
  int64_t divisor;     /* 1 or more; 0: there is no line */
  uint64_t from_warps; /* the numbers W of warps that it is about */
  uint64_t to_warps;   /* UINT64_MAX: every larger one */
} warpbound_line;
/* An upper bound for every number of warps from one on, where a potential proves one. */
WARPBOUND_API warpbound_line warpbound_series_upper_line(const warpbound_series *series);
/* A line that the last rows lie on, all exact. That further numbers of warps do is an estimate. */
WARPBOUND_API warpbound_line warpbound_series_exact_line(const warpbound_series *series);

/* ---- measured times ----
 *
 * Statistics of extreme values over times that were measured: whether they may be applied, fits to
 * the largest times, and the levels that one run exceeds with a given probability (pWCET). A fit is
 * an estimate, never a bound. The sign of a shape xi is Coles's: xi > 0 is a heavy tail. */

/* Series of measured times. */
typedef struct warpbound_samples warpbound_samples;
/* Their analysis. Borrows the samples: free these after it. */
typedef struct warpbound_measured warpbound_measured;

/* Which values of a file are meant. Zero a struct for what the file shows by itself. Texts are
 * borrowed for the call. */
typedef struct warpbound_samples_options {
  const char *column; /* the times': its name, with the unit in brackets or without, or its number
                         from 1; of JSON the member's name. NULL: the only column of numbers, or the
                         one that is named as times are */
  const char *group; /* the column whose values tell runs or kernels apart, each a series; NULL: one
                        series */
  const char *unit;  /* cycles, ns, us, ms or s; NULL: as the file says, "time (us)" or "time_ns" */
  size_t skip;       /* runs at the begin of each series that are left out: of the warm-up */
} warpbound_samples_options;

/* Reads the text of a file of times: CSV (separated by commas, semicolons, tabs or blanks; with a
 * header or none), JSON (an array of numbers, an array of objects, an object of arrays), or what
 * Nsight Systems exports as SQLite, as doc/input.md says. name: for messages. options may be NULL.
 * Errors: WARPBOUND_INVALID_INPUT with line and column (a value that is no number, not finite or
 * negative; a missing cell; two units; no values at all; more than 10^8 values), WARPBOUND_USAGE
 * (no column, or several, can be meant, which are listed; the file says another unit),
 * WARPBOUND_INTERNAL. Linear in the text. */
WARPBOUND_API warpbound_status warpbound_samples_parse(const char *name, const char *text,
                                                       size_t length,
                                                       const warpbound_samples_options *options,
                                                       warpbound_samples **samples,
                                                       warpbound_error *error);
/* One series of values in the order in which they were measured, which are copied. unit: as of the
 * options; NULL: not said. Errors: WARPBOUND_USAGE (a value that is not finite or negative, a count
 * of 0 or above 10^8, the unit), WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_samples_create(const double *values, size_t count,
                                                        const char *unit,
                                                        warpbound_samples **samples,
                                                        warpbound_error *error);
WARPBOUND_API void warpbound_samples_free(warpbound_samples *samples);

/* "cycles", "ns", "us", "ms" or "s"; "" where it is not said. */
WARPBOUND_API const char *warpbound_samples_unit(const warpbound_samples *samples);
/* The series, index 0 .. count - 1, in the order in which the file first names them: the name of
 * each ("" of the only one), its number of values, and these (NULL where there are none). */
WARPBOUND_API size_t warpbound_samples_series_count(const warpbound_samples *samples);
WARPBOUND_API const char *warpbound_samples_series_name(const warpbound_samples *samples,
                                                        size_t series);
WARPBOUND_API size_t warpbound_samples_count(const warpbound_samples *samples, size_t series);
WARPBOUND_API const double *warpbound_samples_values(const warpbound_samples *samples,
                                                     size_t series);

typedef enum warpbound_tail_method {
  WARPBOUND_TAIL_BOTH,
  WARPBOUND_TAIL_BLOCK_MAXIMA,
  WARPBOUND_TAIL_PEAKS /* over a threshold */
} warpbound_tail_method;

/* How a threshold is chosen that is not given (doc/measured/evt.md). */
typedef enum warpbound_threshold_rule {
  WARPBOUND_THRESHOLD_ANDERSON_DARLING, /* the lowest that is not refused */
  WARPBOUND_THRESHOLD_NORTHROP_COLEMAN, /* the lowest above which the shape is the same */
  WARPBOUND_THRESHOLD_STABILITY         /* the lowest from which on the parameters are stable */
} warpbound_threshold_rule;

/* Most probabilities of an analysis. */
#define WARPBOUND_MEASURED_LEVELS 32

/* What is asked of measured times. Zero a struct for the defaults. Borrowed for the call. */
typedef struct warpbound_measured_options {
  warpbound_tail_method method;
  size_t block_size;  /* values of a block; 1: the values are maxima already; 0: chosen */
  bool has_threshold; /* false: it is chosen by the rule */
  double threshold;   /* in the samples' unit */
  warpbound_threshold_rule rule;
  bool no_declustering; /* every value above the threshold is a peak; false: one of a cluster */
  size_t run_length;    /* values at or below the threshold that end a cluster; 0: estimated */
  const double *probabilities; /* that one run takes longer, each 1e-300 to 0.5 */
  size_t probability_count;    /* at most WARPBOUND_MEASURED_LEVELS; 0: 1e-3, 1e-6, 1e-9, 1e-12 */
  double confidence;           /* of intervals, 0.5 to 0.9999; 0: 0.95 */
  double significance;         /* of tests, 1e-6 to 0.5; 0: 0.05 */
  uint32_t replicates;         /* of the bootstrap of goodness of fit, at most 100,000; 0: 199 */
  uint32_t bootstrap;          /* of intervals, at most 100,000; 0: none */
  uint64_t seed;
  bool fit_anyway;          /* fit data too to which the statistics do not apply */
  bool has_bound;           /* a proven bound stands beside the fits */
  double bound;             /* in the samples' unit, above 0 */
  const char *bound_source; /* where it is from, for reports; NULL: "given" */
} warpbound_measured_options;

/* Analyses each series. options and limits may be NULL; of limits time_limit, threads, interrupted,
 * progress and context count. Data of any kind have a verdict: nothing that is wrong with them is
 * an error. The result is the same on any number of threads. Errors: WARPBOUND_USAGE (an option
 * outside its range), WARPBOUND_LIMIT, WARPBOUND_INTERNAL. At WARPBOUND_LIMIT *measured holds the
 * series that are done, the first of the samples, and is freed as any other; NULL where none is. */
WARPBOUND_API warpbound_status warpbound_measured_analyse(const warpbound_samples *samples,
                                                          const warpbound_measured_options *options,
                                                          const warpbound_options *limits,
                                                          warpbound_measured **measured,
                                                          warpbound_error *error);
WARPBOUND_API void warpbound_measured_free(warpbound_measured *measured);
/* The series that were analysed: those of the samples, or fewer where a limit ended it. */
WARPBOUND_API size_t warpbound_measured_series_count(const warpbound_measured *measured);

typedef enum warpbound_applicability {
  WARPBOUND_APPLICABLE,
  WARPBOUND_APPLICABLE_WITH_CARE,
  WARPBOUND_NOT_APPLICABLE
} warpbound_applicability;

/* "applicable", "applicable with care", "not applicable"; "unknown" for a number that is none. */
WARPBOUND_API const char *warpbound_applicability_name(warpbound_applicability applicability);

/* Of each series of the samples: whether the statistics apply, and the verdict in words. A series
 * that is not there: not applicable. */
WARPBOUND_API warpbound_applicability
warpbound_measured_applicability(const warpbound_measured *measured, size_t series);
WARPBOUND_API const char *warpbound_measured_verdict(const warpbound_measured *measured,
                                                     size_t series);

/* A check of applicability. Texts live as long as the result. */
typedef struct warpbound_measured_check {
  const char *name;  /* short identifier, "ljung-box" */
  const char *title; /* "independence (Ljung-Box)" */
  bool done;         /* false: it could not be made; `meaning` says why */
  double statistic;  /* NaN: it has none */
  double p_value;    /* NaN: it has none */
  double adjusted;   /* the p-value adjusted for the number of tests (Holm 1979); NaN: none */
  warpbound_applicability outcome;
  const char *meaning; /* a sentence */
  const char *advice;  /* what to do; "" where it passes */
} warpbound_measured_check;
WARPBOUND_API size_t warpbound_measured_check_count(const warpbound_measured *measured);
WARPBOUND_API warpbound_measured_check
warpbound_measured_check_at(const warpbound_measured *measured, size_t series, size_t check);

/* A fit of a distribution to the largest times. Numbers that are not there are NaN. */
typedef struct warpbound_measured_fit {
  const char *name;  /* "gev", "gumbel", "gpd", ... */
  const char *title; /* "GEV, maximum likelihood" */
  bool made;         /* false: it was not, `why` says why, and nothing else is set */
  const char *why;
  size_t count;    /* values that it is fitted to: maxima, or peaks */
  double location; /* of peaks: the threshold */
  double location_error;
  double scale;
  double scale_error;
  double shape; /* xi > 0: heavy tail */
  double shape_error;
  double shape_low, shape_high; /* interval by profile likelihood; may be infinite */
  double negative_log_likelihood;
  double anderson_darling_p; /* goodness of fit */
  double cramer_von_mises_p;
  bool at_boundary; /* the likelihood has no maximum above xi = -1 */
  bool impossible;  /* no time above its end is possible, and one was observed */
} warpbound_measured_fit;
WARPBOUND_API size_t warpbound_measured_fit_count(const warpbound_measured *measured);
WARPBOUND_API warpbound_measured_fit warpbound_measured_fit_at(const warpbound_measured *measured,
                                                               size_t series, size_t fit);

/* An estimate of the time that one run exceeds with a probability, in the samples' unit. */
typedef struct warpbound_measured_level {
  double probability;
  double level;     /* NaN: the fit does not speak of it, or is not made */
  double error;     /* standard error by the delta method; NaN: none */
  double low, high; /* interval by profile likelihood; may be infinite; NaN: none */
  double bootstrap_low, bootstrap_high; /* NaN: none */
  bool extrapolated;                    /* above all observations */
  bool below_observed; /* refuted: a longer time was measured, of which the fit gives all runs
                          together a chance below the significance */
  bool above_bound;    /* pessimistic: no run takes longer than the proven bound */
} warpbound_measured_level;
/* By probability that was asked for. */
WARPBOUND_API size_t warpbound_measured_level_count(const warpbound_measured *measured);
WARPBOUND_API warpbound_measured_level warpbound_measured_level_at(
    const warpbound_measured *measured, size_t series, size_t fit, size_t level);

/* The one answer: levels averaged over neighbouring thresholds or block sizes, whose intervals
 * carry that choice. */
typedef struct warpbound_recommended_level {
  double probability;
  double level, low, high; /* NaN: none is recommended */
  bool observed;           /* a quantile of the times with the interval of its rank: no fit */
} warpbound_recommended_level;
/* The fit that the levels are of, by its index in warpbound_measured_fit_at; the number of fits
 * where none is recommended. */
WARPBOUND_API size_t warpbound_measured_recommended(const warpbound_measured *measured,
                                                    size_t series);
/* Why this one, or why none; "" for a series that is not there. Lives as long as measured. */
WARPBOUND_API const char *warpbound_measured_reason(const warpbound_measured *measured,
                                                    size_t series);
/* level: by probability that was asked for. */
WARPBOUND_API warpbound_recommended_level
warpbound_measured_recommended_at(const warpbound_measured *measured, size_t series, size_t level);

/* The text of `warpbound evt`, its JSON object, and an HTML page with all plots, which needs no
 * network. Errors: WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_measured_text(const warpbound_measured *measured,
                                                       char **text, warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_measured_json(const warpbound_measured *measured,
                                                       char **json, warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_measured_page(const warpbound_measured *measured,
                                                       char **html, warpbound_error *error);

/* ---- checks ---- */

/* The kinds of files that can be checked, by their claim (doc/formats.md). */
typedef enum warpbound_claim {
  WARPBOUND_CLAIM_SCHEDULE,  /* a lower bound: a schedule (warpbound-schedule-1) */
  WARPBOUND_CLAIM_POTENTIAL, /* an upper bound by a potential (warpbound-potential-1) */
  WARPBOUND_CLAIM_RUNS,      /* an upper bound by the run abstraction (warpbound-runs-1) */
  WARPBOUND_CLAIM_PHASES,    /* an upper bound that adds up over phases (warpbound-phases-1) */
  WARPBOUND_CLAIM_PATHS,     /* an upper bound over all paths (warpbound-paths-1) */
  WARPBOUND_CLAIM_LAUNCH,    /* an upper bound on a whole launch (warpbound-launch-1) */
  WARPBOUND_CLAIM_FRAME,     /* bounds on launches together (warpbound-frame-1) */
  WARPBOUND_CLAIM_LAUNCH_RUN /* a run of a launch, or of launches together: a lower end
                                (warpbound-launch-run-1) */
} warpbound_claim;

/* The verdict of a check. */
typedef struct warpbound_verdict warpbound_verdict;

/* Checks the text of a schedule file or of a certificate with code that shares nothing with what
 * makes them. `name` is the file's, for messages. options may be NULL: its limits bind.
 * WARPBOUND_OK: the claim holds. WARPBOUND_CHECK_FAILED: it does not, the message is the first
 * violation. *verdict is set in both cases, and only then. WARPBOUND_INVALID_INPUT: the text is no
 * such file, or more than 128 MiB. WARPBOUND_LIMIT: time, memory or an interruption ended the
 * check, and nothing is decided. Time: of schedules linear; of certificates that of their own
 * checks (doc/formats.md). */
WARPBOUND_API warpbound_status warpbound_verify(const char *name, const char *text, size_t length,
                                                const warpbound_options *options,
                                                warpbound_verdict **verdict,
                                                warpbound_error *error);
WARPBOUND_API void warpbound_verdict_free(warpbound_verdict *verdict);

WARPBOUND_API warpbound_claim warpbound_verdict_claim(const warpbound_verdict *verdict);
WARPBOUND_API bool warpbound_verdict_valid(const warpbound_verdict *verdict);
/* The first violation, in words; "" where the claim holds. */
WARPBOUND_API const char *warpbound_verdict_violation(const warpbound_verdict *verdict);
/* The number of warps that the file is about. */
WARPBOUND_API uint64_t warpbound_verdict_warps(const warpbound_verdict *verdict);
/* The cycles that the file claims; 0 for a schedule, which claims none. */
WARPBOUND_API uint64_t warpbound_verdict_claimed(const warpbound_verdict *verdict);
/* The cycles that were found: a schedule's makespan, or what a certificate proves, which is at most
 * what it claims; 0 where the claim does not hold. */
WARPBOUND_API uint64_t warpbound_verdict_cycles(const warpbound_verdict *verdict);
/* The bound of a potential for every number of warps from one on, where it claims one. */
WARPBOUND_API warpbound_line warpbound_verdict_line(const warpbound_verdict *verdict);
/* Whether the proof takes for granted that all warps of a block pass the same barriers in the same
 * order. */
WARPBOUND_API bool warpbound_verdict_assumes_same_barriers(const warpbound_verdict *verdict);
/* The verdict as `warpbound verify` prints it: for people, and as a JSON object. */
WARPBOUND_API warpbound_status warpbound_verdict_text(const warpbound_verdict *verdict, char **text,
                                                      warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_verdict_json(const warpbound_verdict *verdict, char **json,
                                                      warpbound_error *error);

/* ---- comparisons ---- */

/* The comparison of two results of launches. */
typedef struct warpbound_comparison warpbound_comparison;

/* Compares two texts that `warpbound analyze --json` or warpbound_launch_json wrote, of one launch
 * or of a list of them. Launches of one name belong together; the result of one launch, not in a
 * list, belongs to that of the only launch of the other text whatever their names are. most_growth:
 * a launch fails where its upper end grew by more, in hundredths of a percent (500 for 5 %), in
 * cycles or, where the clock is another one, in time, where the end was proven and is an estimate,
 * or where the new results do not have it; UINT64_MAX: nothing fails. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_USAGE where a text is NULL, WARPBOUND_INTERNAL; *comparison is
 * then NULL. n log n in the texts. */
WARPBOUND_API warpbound_status warpbound_compare(const warpbound_input *before,
                                                 const warpbound_input *after, uint64_t most_growth,
                                                 warpbound_comparison **comparison,
                                                 warpbound_error *error);
WARPBOUND_API void warpbound_comparison_free(warpbound_comparison *comparison);
/* How many launches fail, and the first of them in words; "" where none does. */
WARPBOUND_API size_t warpbound_comparison_failures(const warpbound_comparison *comparison);
WARPBOUND_API const char *warpbound_comparison_failure(const warpbound_comparison *comparison);
/* The comparison as `warpbound compare` prints it: for people, and as a JSON object. */
WARPBOUND_API warpbound_status warpbound_comparison_text(const warpbound_comparison *comparison,
                                                         char **text, warpbound_error *error);
WARPBOUND_API warpbound_status warpbound_comparison_json(const warpbound_comparison *comparison,
                                                         char **json, warpbound_error *error);

WARPBOUND_API void warpbound_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
