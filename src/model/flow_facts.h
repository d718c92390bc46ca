/* Flow facts: what people know of a kernel's paths. Format of the file: doc/flow-facts.md. */
#ifndef WB_MODEL_FLOW_FACTS_H
#define WB_MODEL_FLOW_FACTS_H

#include "base/name_pool.h"
#include "base/status.h"
#include "base/text/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place of the code: an address, a label of the listing, a source line, or an address with the
 * line that it was compiled from. */
struct wb_place {
  const char *label; /* NULL: none */
  const char
      *file; /* of source_line: as much of the end of its path as tells it apart; NULL: none */
  uint32_t source_line; /* 0: none */
  uint32_t address;     /* in bytes from the function's start; of use where has_address */
  bool has_address;
  uint32_t column; /* in the line of its fact; 0: not from a file */
  /* Of loads: those whose address is based on a pointer among the kernel's parameters. */
  bool is_parameter;
  bool is_offset;     /* `parameter` is an offset in bytes, else a number from 0 */
  uint32_t parameter; /* of use where is_parameter */
};

enum wb_fact_kind {
  WB_FACT_LOOP,      /* back edges of the loop places[0] for each entry of it or, with a second
                        place, of that loop: at most `number` */
  WB_FACT_RUNS,      /* runs of places[0] in each run of the kernel or, with a second place, for
                        each entry of that loop: at most `number` */
  WB_FACT_EQUAL,     /* all places run equally often in each run of the kernel */
  WB_FACT_EXCLUSIVE, /* in one run of the kernel at most one of the places runs */
  WB_FACT_LOOPS,     /* back edges of each loop that does nothing but wait, for each entry of it: at
                        most `number`; of those that wait for one of `waits` */
  WB_FACT_LOAD,      /* what the loads of places[0] give is from `least` to `most`, or nothing
                        writes it while the kernel runs (`unchanged`) */
  WB_FACT_VALUE,     /* what the instruction at places[0] writes, an integer, is from `least` to
                        `most` each time that a lane does it */
  WB_FACT_CALL, /* a call of code outside takes `number` cycles of the warp at most, or no thread
                   makes it (`never`): that at places[0] or, without a place, each of `name` */
  WB_FACT_DEPTH /* at most `number` calls of the function `name` are under way at once in one
                   thread */
};

/* What loops wait for, as bits. */
enum wb_spin {
  WB_SPIN_CAS = 1 << 0,    /* the result of a compare-and-swap */
  WB_SPIN_ATOMIC = 1 << 1, /* that of any atomic */
  WB_SPIN_LOAD = 1 << 2,   /* a word of memory that the loop loads again, or by a strong load */
  WB_SPIN_CLOCK = 1 << 3,  /* a clock */
  WB_SPIN_ANY = (1 << 4) - 1
};

/* One fact. */
struct wb_flow_fact {
  enum wb_fact_kind kind;
  size_t first_place; /* into the kernel's places */
  size_t place_count;
  uint64_t number; /* the bound */
  bool per_warp;   /* it speaks of the warp; else of each thread */
  bool never;      /* of calls: no thread makes one */
  bool unchanged;  /* of loads: nothing writes what they read */
  bool has_least;  /* of a range: it has a lower end, else it begins where the width allows */
  bool has_most;   /* the same of the upper end */
  int64_t least, most;
  const char *name; /* of what is called; "indirect": by a register */
  const char *said; /* how messages call it; NULL: by its line in the fact file */
  uint8_t waits;    /* of loops that wait: enum wb_spin */
  uint32_t line;    /* in the fact file */
  uint32_t column;  /* of the number in that line; of other facts 0 */
};

/* The facts of one kernel. */
struct wb_kernel_facts {
  const char *kernel; /* its name */
  struct wb_flow_fact *facts;
  size_t fact_count, fact_capacity;
  struct wb_place *places;
  size_t place_count, place_capacity;
  uint64_t checksum; /* of the code that they were written for (wb_function_checksum) */
  bool has_checksum;
  uint32_t line, column; /* of the name, in the fact file */
};

/* Owns all of it: wb_flow_facts_free. */
struct wb_flow_facts {
  char *name; /* the file's, for messages */
  struct wb_kernel_facts *kernels;
  size_t kernel_count, kernel_capacity;
  struct wb_name_pool names; /* all texts of it but its own name */
};

/* The facts of a kernel, or NULL. */
const struct wb_kernel_facts *wb_flow_facts_find(const struct wb_flow_facts *facts,
                                                 const char *kernel);

/* "cas", "atomic", "load", "clock", "spin": the words of files, by enum wb_spin, the narrowest
 * first. Ends with a row without a name. */
extern const struct wb_choice wb_spin_names[];

/* Whether a place needs the code to be as it was: it has an address or a label. */
bool wb_place_is_fragile(const struct wb_place *place);

void wb_flow_facts_free(struct wb_flow_facts *facts);

#endif
