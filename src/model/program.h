/* A program: what a front end makes of a listing, the same for every ISA. */
#ifndef WB_MODEL_PROGRAM_H
#define WB_MODEL_PROGRAM_H

#include "base/name_pool.h"
#include "base/status.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an instruction does to control. With a guard it may also do nothing. */
enum wb_flow {
  WB_FLOW_NEXT,            /* goes on to the next instruction */
  WB_FLOW_BRANCH,          /* jumps to its one target */
  WB_FLOW_INDEXED_BRANCH,  /* jumps to one of its targets, by a register */
  WB_FLOW_INDIRECT_BRANCH, /* jumps to a place that the listing does not name */
  WB_FLOW_CALL,            /* calls `callee` and goes on */
  WB_FLOW_INDIRECT_CALL,   /* calls what a register points to and goes on */
  WB_FLOW_RETURN,          /* ends the function (the thread, in a kernel) */
  WB_FLOW_EXIT             /* ends the thread */
};

/* Names (opcode, callee, label, function, file) are zero-ended and live in the
 * program's `names`. */
struct wb_instruction {
  const char *opcode;     /* with its modifiers, "ld.global.f32" */
  const char *callee;     /* WB_FLOW_CALL: the function's name; else NULL */
  const char *assumption; /* what its unit rests on, or NULL; static or in `names` */
  uint32_t line;          /* in the listing, from 1 */
  uint32_t column;
  uint32_t source_file;  /* index into program->files + 1; 0: not known */
  uint32_t source_line;  /* 0: not known */
  uint32_t first_target; /* index into function->targets */
  uint32_t target_count; /* 1 for a branch, any number for an indexed branch */
  uint8_t unit;          /* enum wb_unit */
  uint8_t flow;          /* enum wb_flow */
  bool guarded;          /* some lanes may not do it */
  bool several;          /* it can become several machine instructions */
  bool partial_barrier;  /* a barrier that may be for a part of the block's warps only */
};

/* A place in a function: index == instruction_count is its end. */
struct wb_label {
  const char *name;
  uint32_t index;
  uint32_t line;
};

struct wb_function {
  const char *name;
  struct wb_instruction *instructions;
  size_t instruction_count;
  struct wb_label *labels;
  size_t label_count;
  uint32_t *targets; /* instruction indices, instruction_count for the end */
  size_t target_count;
  uint32_t line;
  uint32_t block_threads; /* of each launch, as the listing says; 0: it does not */
  bool kernel;            /* .entry: a launch can start it */
  bool defined;           /* has a body */
  bool no_return;         /* no call of it returns, as the listing says */
};

/* Owns all of it; see wb_program_free. */
struct wb_program {
  char *name;      /* the listing's, for messages */
  char isa[32];    /* "PTX 8.5" */
  char target[64]; /* "sm_52" as the listing says */
  struct wb_function *functions;
  size_t function_count;
  const char **files; /* source files named by the listing */
  size_t file_count;
  struct wb_name_pool names; /* all texts of it but its own name */
};

/* The index of a defined kernel, or SIZE_MAX with an error: by name (also demangled,
 * base/text/demangle.h; where that is not the name of one alone it is an error), or for NULL
 * the only one there is. The error lists the kernels that there are (as many as
 * fit). */
size_t wb_program_find_kernel(const struct wb_program *program, const char *name,
                              warpbound_error *error);

/* The function of that name (a defined one where there is one), or NULL.
 * Linear in the number of functions. */
const struct wb_function *wb_program_find_function(const struct wb_program *program,
                                                   const char *name);

void wb_program_free(struct wb_program *program);

#endif
