/* Machine code: what a front end makes of a SASS listing (later of a cubin): for each
 * instruction what it reads, what it writes and what it does to control, and nothing of
 * what it computes. */
#ifndef WB_MODEL_MACHINE_CODE_H
#define WB_MODEL_MACHINE_CODE_H

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

/* What an instruction does to control. With a guard or a condition, those lanes for which
 * it is false go on to the next instruction instead. */
enum wb_transfer {
  WB_TRANSFER_NEXT,           /* a data instruction: goes on to the next one */
  WB_TRANSFER_BRANCH,         /* BRA, JMP: to its one target */
  WB_TRANSFER_INDEXED_BRANCH, /* BRX, JMX: to one of its targets, by a register */
  WB_TRANSFER_PUSH,           /* SSY, PBK, PCNT, PRET: pushes (its target, its token) */
  WB_TRANSFER_POP,            /* SYNC, BRK, CONT, RET: waits in the nearest such token; on
                               * Kepler behind the effect of its instruction (FADD.S) */
  WB_TRANSFER_CALL,           /* CAL: pushes (next instruction, RET), goes to its target */
  WB_TRANSFER_CALL_OUTSIDE,   /* JCAL: calls code that is not in the listing, and goes on */
  WB_TRANSFER_EXIT,           /* EXIT, KIL: ends its lanes */
  WB_TRANSFER_VOLTA,          /* BSSY, BSYNC, WARPSYNC, ...: not analysed */
  WB_TRANSFER_UNSUPPORTED     /* LONGJMP, RTT, ...: a kernel that reaches it is refused */
};

/* What kind of entry of the activation stack an instruction pushes or pops. */
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

/* Names live in the code's `names`. "Index" is that of an instruction of the same function. */
struct wb_machine_instruction {
  const char *opcode;     /* with its modifiers: "LDG.E.64" */
  const char *operands;   /* as the listing has them: "R2, [R4]"; "" for none */
  const char *callee;     /* WB_TRANSFER_CALL_OUTSIDE: its name or operand; else NULL */
  const char *assumption; /* what its facts rest on, or NULL */
  uint64_t encoding[2];   /* low, high; 0, 0 where the listing has none */
  uint32_t address;       /* in bytes from the function's start */
  uint32_t line;          /* in the listing, from 1 */
  uint32_t column;
  uint32_t source_file; /* index into files + 1; 0: not known */
  uint32_t source_line; /* 0: not known */
  uint32_t first_read;  /* into function->spans */
  uint32_t read_count;  /* spans read; the guard and the condition code among them */
  uint32_t first_write; /* into function->spans */
  uint32_t write_count;
  uint32_t first_target;     /* into function->targets */
  uint32_t target_count;     /* 1: branch, push, call; any: indexed branch */
  uint32_t first_annotation; /* into function->targets: the listing's BRANCH_TARGETS */
  uint32_t annotation_count;
  uint16_t guard; /* the predicate's register, WB_NO_REGISTER for none */
  bool guard_negated;
  bool never;            /* guarded by @!PT or @!UPT: no lane does it */
  bool conditional_code; /* also tests the condition code (CC.NEU): both must hold */
  bool second_predicate; /* also tests a predicate operand, which is among the reads */
  bool uniform;          /* BRA.U: the compiler vouches that all lanes agree */
  bool unknown;          /* not in the opcode table: reads and writes everything */
  bool outside;          /* calls through a register code that is not in the listing: ends
                            like its RET, and is unknown too */
  bool has_control;
  bool dual_issue;   /* issues together with the next instruction */
  uint8_t unit;      /* enum wb_unit */
  uint8_t transfer;  /* enum wb_transfer */
  uint8_t token;     /* enum wb_token: pushed or popped */
  uint8_t agreement; /* enum wb_agreement_rule */
  struct wb_control_word control;
};

/* A symbol inside a function's section: a subroutine, or another name of its start. */
struct wb_machine_symbol {
  const char *name;
  uint32_t index;
};

/* A parameter of a kernel: its number from 0, where it stands among them and how long it is, in
 * bytes. */
struct wb_machine_parameter {
  uint16_t ordinal;
  uint16_t offset;
  uint16_t size;
};

/* One section of code: a kernel or a device function with the subroutines behind it.
 * Instructions are in ascending order of address. */
struct wb_machine_function {
  const char *name;
  struct wb_machine_instruction *instructions;
  size_t instruction_count;
  struct wb_register_span *spans;
  size_t span_count;
  uint32_t *targets; /* instruction indices */
  size_t target_count;
  struct wb_machine_symbol *symbols; /* by ascending index */
  size_t symbol_count;
  struct wb_machine_symbol *labels; /* all labels of the listing, by ascending index */
  size_t label_count;
  struct wb_machine_parameter *parameters; /* by ordinal; none where the listing has none */
  size_t parameter_count;
  const char *constants; /* the bytes of constant bank 2, where all of them are numbers, or NULL */
  size_t constant_length;
  const char *kind_source; /* what says that it is a kernel, or none: an assumption, or NULL */
  uint32_t line;           /* in the listing */
  uint32_t sm;             /* 52 for sm_52; 0: not known */
  bool kernel;             /* a launch can start it */
};

/* Owns all of it; see wb_machine_code_free. */
struct wb_machine_code {
  char *name;      /* the listing's, for messages */
  char format[32]; /* "cuobjdump", "nvdisasm" */
  struct wb_machine_function *functions;
  size_t function_count;
  const char **files; /* source files named by line information */
  size_t file_count;
  struct wb_name_pool names; /* all texts of it but its own name */
};

/* Whether divergence can split the warp's lanes here: guarded, conditional, or indexed,
 * whether the compiler vouches for agreement (uniform) or not. */
bool wb_machine_instruction_conditional(const struct wb_machine_instruction *instruction);

/* The index of the instruction at an address, SIZE_MAX where there is none. Logarithmic. */
size_t wb_machine_function_at(const struct wb_machine_function *function, uint64_t address);

/* The name of a register ("R4", "UP0"), written to `name`. */
void wb_register_name(unsigned number, char name[8]);

void wb_machine_code_free(struct wb_machine_code *code);

#endif
