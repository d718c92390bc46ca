/* Warpbound: bounds on the worst-case execution time of GPU kernels.
 *
 * The one public header. Handles are opaque; whoever receives a handle from a
 * function of this page frees it with the matching *_free. No function prints
 * or ends the process, none keeps state between calls, and every one may be
 * called from several threads at a time on different handles.
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

/* What went wrong and where. Line and column count from 1; 0 means none. The
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

/* A makespan question: warps of one kernel instruction string on one SM. */
typedef struct warpbound_instance warpbound_instance;
/* The answer: bounds, bracket and witness. */
typedef struct warpbound_result warpbound_result;

typedef enum warpbound_method {
  WARPBOUND_METHOD_AUTO,   /* bounds, then the search where its table fits */
  WARPBOUND_METHOD_BOUNDS, /* what about a second allows */
  WARPBOUND_METHOD_EXACT,  /* the search; WARPBOUND_LIMIT where it does not close */
  WARPBOUND_METHOD_ANNEAL, /* bounds; annealing for the lower end */
  WARPBOUND_METHOD_ILP     /* bounds; the integer program of ECRTS 2012, solved by CBC: its schedule
                              is a lower end, its bound an estimate */
} warpbound_method;

/* Simulated annealing (WARPBOUND_METHOD_ANNEAL). Zero a struct for the defaults. */
typedef struct warpbound_annealing {
  bool published;      /* as in ETFA 2013; false: the windowed variant */
  uint64_t iterations; /* of each run; 0: 2,000,000 */
  uint32_t runs;       /* 0: 8, two from each initial string */
  double temperature;  /* at the beginning, in cycles; 0: 0.3 */
  uint64_t seed;
} warpbound_annealing;

/* Limits and wishes. Zero a struct for the defaults. The functions may be called from
 * another thread than the caller's, but never two at a time. */
typedef struct warpbound_options {
  warpbound_method method;
  double time_limit;                  /* seconds; 0: none. Results then depend on the machine. */
  uint64_t memory_limit;              /* bytes for search tables; 0: 1 GiB */
  uint32_t threads;                   /* 0: one a processor. Results do not depend on it. */
  bool (*interrupted)(void *context); /* polled; true stops the work. May be NULL. */
  /* Told now and then: the bracket so far and what is under way (phase, valid during the
   * call), and how far that is, 0..1. May be NULL. */
  void (*progress)(void *context, const char *phase, double fraction);
  void *context;
  warpbound_annealing annealing;
} warpbound_options;

/* The version as "major.minor.patch". */
WARPBOUND_API const char *warpbound_version(void);

/* The field's word for a kind: "exact", "upper", ... */
WARPBOUND_API const char *warpbound_kind_name(warpbound_kind kind);

/* Makes an instance.
 *   string       kernel instruction string over L, C, S, D, N and B (barrier), with counts
 *                where wanted: "5L9C2L9C"; 1 to 1,000,000 instructions
 *   units        capacity of each unit type of one partition, "L=1,C=4";
 *                fractions as "S=1/8"
 *   issue_slots  most instructions that a partition issues in a cycle; 0: no cap
 *   partitions   partitions of the SM, 1 or more
 *   warps        warps on the SM, 1 to 65,536
 * Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_instance_create(const char *string, const char *units,
                                                         uint32_t issue_slots, uint32_t partitions,
                                                         uint32_t warps,
                                                         warpbound_instance **instance,
                                                         warpbound_error *error);
/* The same on a device of the table: "kepler", "sm_35", "3.5". */
WARPBOUND_API warpbound_status warpbound_instance_for_device(const char *string, const char *device,
                                                             uint32_t warps,
                                                             warpbound_instance **instance,
                                                             warpbound_error *error);
/* Restricts an instance to schedulers that are fair between the repetitions of a sub-block: the
 * instructions first .. first + length * count - 1, from 1, are `count` times the same `length`
 * instructions, and of warps that compete one whose next instruction is of an earlier repetition
 * goes first (doc/makespan.md). Once, for an SM of one partition. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INTERNAL. */
WARPBOUND_API warpbound_status warpbound_instance_make_fair(warpbound_instance *instance,
                                                            size_t first, size_t length,
                                                            size_t count, warpbound_error *error);
/* Makes the instance's warps `blocks` blocks of as many warps each (an instance begins with one).
 * Blocks matter where the string has barriers (B): a warp that has done one waits for all warps of
 * its block. Before warpbound_instance_make_fair. Errors: WARPBOUND_USAGE where the number of warps
 * is no multiple of `blocks`, or fairness was asked for; WARPBOUND_INTERNAL. The instance is as
 * before then. */
WARPBOUND_API warpbound_status warpbound_instance_divide(warpbound_instance *instance,
                                                         uint32_t blocks, warpbound_error *error);
/* Says that the instance's string is an estimate of what a warp does, as one of
 * warpbound_kernel_string is. No bound of a result is of a better kind then: each is
 * WARPBOUND_ESTIMATE, but for WARPBOUND_PUBLISHED. */
WARPBOUND_API void warpbound_instance_mark_estimate(warpbound_instance *instance);
WARPBOUND_API void warpbound_instance_free(warpbound_instance *instance);

/* Bounds the worst-case makespan over all work-conserving schedules. options may
 * be NULL. On WARPBOUND_OK and WARPBOUND_LIMIT *result is set, and its bracket is
 * valid; otherwise it is NULL. */
WARPBOUND_API warpbound_status warpbound_makespan(const warpbound_instance *instance,
                                                  const warpbound_options *options,
                                                  warpbound_result **result,
                                                  warpbound_error *error);
WARPBOUND_API void warpbound_result_free(warpbound_result *result);

/* The bracket's ends. Both are equal, and of kind exact, where it is closed (of kind estimate
 * where the instance's string is one). */
WARPBOUND_API warpbound_bound warpbound_result_lower(const warpbound_result *result);
WARPBOUND_API warpbound_bound warpbound_result_upper(const warpbound_result *result);
/* Every bound that was computed, index 0 .. count - 1. */
WARPBOUND_API size_t warpbound_result_bound_count(const warpbound_result *result);
WARPBOUND_API warpbound_bound warpbound_result_bound(const warpbound_result *result, size_t index);

/* The result as the JSON object of `warpbound makespan --json`. *json is to be
 * freed with warpbound_text_free. */
WARPBOUND_API warpbound_status warpbound_result_json(const warpbound_result *result, char **json,
                                                     warpbound_error *error);
/* The witness as a schedule file's text; WARPBOUND_LIMIT where the result has
 * none. *json is to be freed with warpbound_text_free. */
WARPBOUND_API warpbound_status warpbound_result_schedule(const warpbound_result *result,
                                                         char **json, warpbound_error *error);

/* Checks a schedule file's text with code that shares nothing with what makes
 * schedules. WARPBOUND_CHECK_FAILED: the message is the first violation. */
WARPBOUND_API warpbound_status warpbound_verify_schedule(const char *json, size_t length,
                                                         uint64_t *makespan,
                                                         warpbound_error *error);

/* The kernel instruction string (with counts) of a PTX text along a path of most
 * instructions, each loop's body done `iterations` times (0: a loop is an error). PTX is not
 * machine code, so that the string is an estimate of what a warp does, and so is all that rests
 * on it: see warpbound_instance_mark_estimate. kernel may be NULL where the text holds one.
 * *string is to be freed with warpbound_text_free. */
WARPBOUND_API warpbound_status warpbound_kernel_string(const char *ptx, size_t length,
                                                       const char *kernel, uint32_t iterations,
                                                       char **string, warpbound_error *error);

WARPBOUND_API void warpbound_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
