/* Code: what a front end makes of a listing (PTX, SASS; later a cubin), one model for all: for each
 * instruction where it stands, what it does to control, which unit it occupies, and, of machine
 * code, which registers it reads and writes. Nothing of what it computes. */
#ifndef WB_MODEL_CODE_H
#define WB_MODEL_CODE_H

#include "base/name_pool.h"
#include "base/status.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers of all kinds under one numbering, so that sets of them are bit sets. RZ, PT,
 * URZ and UPT hold constants and have no number. */
enum {
  WB_REGISTER_GENERAL = 0,             /* R0 to R254 */
  WB_REGISTER_PREDICATE = 255,         /* P0 to P6 */
  WB_REGISTER_CONDITION_CODE = 262,    /* CC, of each lane */
  WB_REGISTER_UNIFORM = 263,           /* UR0 to UR254, shared by the warp */
  WB_REGISTER_UNIFORM_PREDICATE = 518, /* UP0 to UP6 */
  WB_REGISTER_BARRIER = 525,           /* B0 to B15, from Volta on */
  WB_REGISTER_COUNT = 541,
  WB_NO_REGISTER = 0xffff
};

/* Registers first .. first + count - 1, of one kind. Invariant: count > 0. */
struct wb_register_span {
  uint16_t first;
  uint16_t count;
};

/* The control transfer of an instruction. With a guard or a condition, those lanes for which it is
 * false go on to the next instruction instead. */
enum wb_transfer {
  /* Both front ends. */
  WB_TRANSFER_NEXT,           /* none: goes on to the next instruction */
  WB_TRANSFER_BRANCH,         /* to its one target; PTX bra; SASS BRA, JMP */
  WB_TRANSFER_INDEXED_BRANCH, /* to one of its targets, by a register; PTX brx.idx; SASS BRX, JMX */
  WB_TRANSFER_EXIT,           /* ends its lanes; PTX exit, trap; SASS EXIT, KIL */

  /* PTX alone. */
  WB_TRANSFER_INDIRECT_BRANCH, /* to a place that the listing does not name */
  WB_TRANSFER_CALL_FUNCTION,   /* call: calls the function `callee`, and goes on */
  WB_TRANSFER_CALL_INDIRECT,   /* call: calls what a register points to, and goes on */
  WB_TRANSFER_RETURN,          /* ret: ends the function (the thread, in a kernel) */

  /* SASS alone. */
  WB_TRANSFER_PUSH, /* SSY, PBK, PCNT, PRET: pushes (its target, its token) */
  WB_TRANSFER_POP,  /* SYNC, BRK, CONT, RET: waits in the nearest such token; on Kepler after
                     * the effect of its instruction (FADD.S) */
  WB_TRANSFER_CALL, /* CAL: pushes (next instruction, RET), goes to its target */
  WB_TRANSFER_CALL_OUTSIDE, /* JCAL: calls code that is not in the listing, and goes on */
  WB_TRANSFER_VOLTA,        /* BSSY, BSYNC, WARPSYNC, ...: not analysed */
  WB_TRANSFER_UNSUPPORTED,  /* LONGJMP, RTT, ...: a kernel that reaches it is refused */
  WB_TRANSFER_COUNT
};

/* The kind of entry of the activation stack that an instruction pushes or pops. */
enum wb_token {
  WB_TOKEN_NONE, /* the other side of a divergent branch */
  WB_TOKEN_SYNC, /* SSY, SYNC */
  WB_TOKEN_BREAK,
  WB_TOKEN_CONTINUE,
  WB_TOKEN_RETURN,
  WB_TOKEN_COUNT
};

/* When two lanes that read the same values write the same value, provided that they execute
 * the instruction together. */
enum wb_agreement_rule {
  WB_AGREES_BY_SOURCES, /* deterministic: where the sources agree */
  WB_AGREES_BY_MEMORY,  /* a load of memory that lanes share: the same, an assumption */
  WB_AGREES_ALWAYS,     /* VOTE, B2R, block index, uniform datapath: one value for the warp */
  WB_AGREES_NEVER       /* lane id, thread index, clock, atomics, shuffles, local memory */
};

/* The control information of one instruction, from its encoding. stall: cycles until its
 * warp may issue again, 0..15; barriers: 7 for none; wait_mask: bit b: waits for barrier b. */
struct wb_control_word {
  uint8_t stall;
  bool yield;
  uint8_t write_barrier;
  uint8_t read_barrier;
  uint8_t wait_mask;
  uint8_t reuse;
};

/* Names are zero-ended and live in the code's `names`. "Index" is that of an instruction of the
 * same function. */
struct wb_instruction {
  const char *opcode;     /* with its modifiers: "ld.global.f32", "LDG.E.64" */
  const char *operands;   /* SASS, as the listing has them: "R2, [R4]"; "" for none; PTX: NULL */
  const char *callee;     /* of a call by name or to outside: its name or operand; else NULL */
  const char *assumption; /* what its unit or its facts rest on, or NULL; static or in `names` */
  uint64_t encoding[2];   /* low, high; 0, 0 where the listing has none */
  uint32_t address;       /* SASS: in bytes from the function's start */
  uint32_t line;          /* in the listing, from 1 */
  uint32_t column;        /* in that line, from 1 */
  uint32_t source_file;   /* index into files + 1; 0: not known */
  uint32_t source_line;   /* 0: not known */
  uint32_t first_read;    /* into function->spans */
  uint32_t read_count;    /* spans read; the guard and the condition code among them */
  uint32_t first_write;   /* into function->spans */
  uint32_t write_count;
  uint32_t first_target;     /* into function->targets */
  uint32_t target_count;     /* 1: branch, push, call; any: indexed branch */
  uint32_t first_annotation; /* into function->targets: the listing's BRANCH_TARGETS */
  uint32_t annotation_count;
  uint16_t guard;        /* SASS: the predicate's register, WB_NO_REGISTER for none; PTX: that */
  bool guarded;          /* some lanes may not do it: it has a guard other than PT and UPT */
  bool guard_negated;    /* lanes do it where the guard is false */
  bool never;            /* guarded by @!PT or @!UPT: no lane does it */
  bool conditional_code; /* also tests the condition code (CC.NEU): both must hold */
  bool second_predicate; /* also tests a predicate operand, which is among the reads */
  bool uniform;          /* BRA.U: the compiler vouches that all lanes agree */
  bool unknown;          /* not in the opcode table: reads and writes everything */
  bool outside;          /* calls through a register code that is not in the listing: ends
                            like its RET, and is unknown too */
  bool several;          /* PTX: it can become several machine instructions */
  bool partial_barrier;  /* PTX: a barrier that may be for a part of the block's warps only */
  bool has_control;      /* `control` is known */
  bool dual_issue;       /* issues together with the next instruction */
  uint8_t unit;          /* enum wb_unit */
  uint8_t transfer;      /* enum wb_transfer */
  uint8_t token;         /* enum wb_token: pushed or popped */
  uint8_t agreement;     /* enum wb_agreement_rule */
  struct wb_control_word control;
};

/* A name of a place in a function: index == instruction_count is its end. */
struct wb_label {
  const char *name;
  uint32_t index;
  uint32_t line; /* of the listing; 0: not known */
};

/* A parameter of a kernel: its number from 0, where it stands among them and how long it is, in
 * bytes. */
struct wb_parameter {
  uint16_t ordinal;
  uint16_t offset;
  uint16_t size;
};

/* A kernel or a device function; of machine code a section, with the subroutines that follow in
 * it, its instructions in ascending order of address. */
struct wb_function {
  const char *name;
  struct wb_instruction *instructions;
  size_t instruction_count;
  struct wb_register_span *spans;
  size_t span_count;
  uint32_t *targets; /* instruction indices; PTX: instruction_count for the end */
  size_t target_count;
  struct wb_label *symbols; /* SASS: subroutines and other names of the start, by ascending index */
  size_t symbol_count;
  struct wb_label *labels; /* all labels of the listing; SASS: by ascending index */
  size_t label_count;
  struct wb_parameter *parameters; /* by ordinal; none where the listing has none */
  size_t parameter_count;
  const char *constants; /* the bytes of constant bank 2, where all of them are numbers, or NULL */
  size_t constant_length;
  const char *kind_source; /* what says that it is a kernel, or none: an assumption, or NULL */
  uint32_t line;           /* in the listing */
  uint32_t sm;             /* SASS: 52 for sm_52; 0: not known */
  uint32_t block_threads;  /* of each launch, as the listing says; 0: it does not */
  bool kernel;             /* a launch can start it */
  bool defined;            /* has a body */
  bool no_return;          /* no call of it returns, as the listing says */
};

/* Owns all of it; see wb_code_free. */
struct wb_code {
  char *name;      /* the listing's, for messages */
  char isa[32];    /* "PTX 8.5", "SASS" */
  char format[32]; /* of SASS: "cuobjdump", "nvdisasm"; else "" */
  char target[64]; /* of PTX: "sm_52" as the listing says; else "" */
  struct wb_function *functions;
  size_t function_count;
  const char **files; /* source files named by the listing */
  size_t file_count;
  struct wb_name_pool names; /* all texts of it but its own name */
};

/* Whether divergence can split the warp's lanes here: guarded, conditional, or indexed,
 * whether the compiler vouches for agreement (uniform) or not. Of machine code. */
bool wb_instruction_conditional(const struct wb_instruction *instruction);

/* The index of the instruction at an address of machine code, SIZE_MAX where there is none.
 * Logarithmic. */
size_t wb_function_at(const struct wb_function *function, uint64_t address);

/* The index of a defined kernel, or SIZE_MAX with an error: by name (also demangled,
 * base/text/demangle.h; where that is not the name of one alone it is an error), or for NULL
 * the only one there is. The error lists the kernels that there are (as many as
 * fit). */
size_t wb_code_find_kernel(const struct wb_code *code, const char *name, warpbound_error *error);

/* The function of that name (a defined one where there is one), or NULL.
 * Linear in the number of functions. */
const struct wb_function *wb_code_find_function(const struct wb_code *code, const char *name);

/* The name of a register ("R4", "UP0"), written to `name`. */
void wb_register_name(unsigned number, char name[8]);

void wb_code_free(struct wb_code *code);

#endif
