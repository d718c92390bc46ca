/* Code: what a front end makes of a listing (PTX, SASS; later a cubin), one model for all: for each
 * instruction where it stands, what it does to control, which unit it occupies, and, of machine
 * code, which registers it reads and writes. Of what it computes, single bits alone (bit_use). */
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
  WB_REGISTER_UNIFORM = 263,           /* UR0 to UR79, of the warp; 255 numbers */
  WB_REGISTER_UNIFORM_PREDICATE = 518, /* UP0 to UP6 */
  WB_REGISTER_BARRIER = 525,           /* B0 to B15, from Volta on */
  WB_REGISTER_COUNT = 541,
  WB_UNIFORM_COUNT = 80, /* uniform registers that there are */
  WB_NO_REGISTER = 0xffff
};

/* Registers first .. first + count - 1, of one kind. Invariant: count > 0. */
struct wb_register_span {
  uint16_t first;
  uint16_t count;
};

enum wb_operand_kind {
  WB_OPERAND_OTHER,         /* a word ("2D", "SB0"), a label, or what is not understood */
  WB_OPERAND_REGISTER,      /* number: the register; WB_NO_REGISTER: RZ, URZ, SRZ */
  WB_OPERAND_PREDICATE,     /* number: the predicate; WB_NO_REGISTER: PT, UPT */
  WB_OPERAND_CONDITION,     /* value: enum wb_condition; the condition code of Maxwell and Pascal */
  WB_OPERAND_NUMBER,        /* value: an integer whose magnitude has 32 bits, in two's complement */
  WB_OPERAND_WIDE_NUMBER,   /* value: an integer of more bits */
  WB_OPERAND_FLOAT,         /* value: the bits of a double */
  WB_OPERAND_CONSTANT,      /* c[bank][index + value] */
  WB_OPERAND_CONSTANT_PART, /* of a constant a part, or one whose bank a register names */
  WB_OPERAND_ADDRESS,       /* [number << scale + index + value] */
  WB_OPERAND_LABEL,   /* value: bytes from the start of the function to the place that it names */
  WB_OPERAND_SPECIAL, /* value: enum wb_special_register */
  WB_OPERAND_SCOREBOARD,  /* value: the number, of SB0 */
  WB_OPERAND_SCOREBOARDS, /* value: a mask of numbers, of {5,3} */
  WB_OPERAND_PRODUCTS     /* value: the number, of gsb0: products of a group of warps */
};

/* Tests of the condition code that instructions of compiled code name. */
enum wb_condition { WB_CONDITION_CC, WB_CONDITION_OTHER };

/* An operand of a SASS instruction. 16 bytes, for listings have millions. */
struct wb_operand {
  uint64_t value;  /* by kind; of a constant and an address the offset in bytes, of an address
                    * in two's complement */
  uint16_t number; /* by kind; of an address the general register, WB_NO_REGISTER for none */
  uint16_t index;  /* of a constant: the register added; of an address: the uniform register or
                    * a second one; WB_NO_REGISTER for none */
  uint8_t kind;    /* enum wb_operand_kind */
  uint8_t bank;    /* of a constant */
  union {
    uint8_t scale; /* of an address: places by which `number` is shifted to the left */
    uint8_t part;  /* of a register or constant: which byte of it, 1 to 3 for .B1 to .B3; 0: none
                    * is named */
  };
  bool negated : 1;      /* by -, or by the ! of a predicate; never of a number */
  bool complemented : 1; /* by ~ */
  bool absolute : 1;     /* |R2| */
  bool half : 1;         /* H0 or H1 of a register or constant */
  bool upper : 1;        /* H1 */
  bool carry : 1;        /* of a result, .CC: the condition code is written too */
  bool wide : 1;         /* of an address: `number` is a pair of registers (.64) */
  bool narrow : 1;       /* of an address: `number` is one register, continued by zeros (.U32) */
};

/* What an instruction does with single bits of a general register. */
enum wb_bit_use {
  WB_BITS_NONE,  /* not known */
  WB_BITS_KEPT,  /* it writes the register: `bits` become numbers of the code, others stay */
  WB_BITS_TESTED /* it writes predicates, as `bits` of the register say, and as nothing else */
};

/* Whether an operand is a register as it stands, not a part of it nor with a sign; RZ and the like
 * too. */
static inline bool wb_operand_is_plain_register(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_REGISTER && !operand->negated && !operand->complemented &&
         !operand->absolute && !operand->half && !operand->carry;
}

/* Whether an operand is [R2 + offset], of one general register (R0 to R254). */
static inline bool wb_operand_is_plain_address(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_ADDRESS && operand->number < WB_REGISTER_PREDICATE &&
         operand->index == WB_NO_REGISTER && operand->scale == 0 && !operand->wide &&
         !operand->narrow;
}

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
  WB_TRANSFER_CALL_FUNCTION,   /* call: direct call; falls through on return */
  WB_TRANSFER_CALL_INDIRECT,   /* call: indirect call; falls through on return */
  WB_TRANSFER_RETURN,          /* ret: ends the function (the thread, in a kernel) */

  /* SASS alone. */
  WB_TRANSFER_PUSH, /* SSY, PBK, PCNT, PRET: pushes (its target, its token) */
  WB_TRANSFER_POP,  /* SYNC, BRK, CONT, RET: waits in the nearest such token; on Kepler after
                     * the effect of its instruction (FADD.S) */
  WB_TRANSFER_CALL, /* CAL: pushes (next instruction, RET), goes to its target */
  WB_TRANSFER_CALL_OUTSIDE, /* JCAL: calls code that is not in the listing, and goes on */
  WB_TRANSFER_UNSUPPORTED,  /* LONGJMP, RTT, ...: a kernel that reaches it is refused */

  /* SASS from Volta on alone. A *scope* is what one execution of a BSSY makes: its lanes, and its
   * target, where they come together again. */
  WB_TRANSFER_SCOPE_OPEN,  /* BSSY: makes a scope, binds it to its barrier register, and goes on */
  WB_TRANSFER_SCOPE_SYNC,  /* BSYNC: waits in the scope that its barrier register is bound to */
  WB_TRANSFER_SCOPE_BREAK, /* BREAK: leaves that scope, and goes on */
  WB_TRANSFER_WARP_SYNC,   /* WARPSYNC: waits for the lanes of a mask, and goes on */
  WB_TRANSFER_CALL_LINKED, /* CALL.REL: goes to its target, or to one of several by a register;
                            * code before it has put the address to return to into registers */
  WB_TRANSFER_RETURN_LINKED, /* RET.REL: goes to the address in its link registers */
  WB_TRANSFER_COUNT
};

/* What lanes that wait are waiting for: on Maxwell and Pascal the kind of an entry of the
 * activation stack, which an instruction pushes or pops. */
enum wb_token {
  WB_TOKEN_NONE, /* the other side of a divergent branch */
  WB_TOKEN_SYNC, /* SSY, SYNC */
  WB_TOKEN_BREAK,
  WB_TOKEN_CONTINUE,
  WB_TOKEN_RETURN,
  WB_TOKEN_SCOPE, /* from Volta on: the other lanes of a scope */
  WB_TOKEN_WARP,  /* from Volta on: all lanes of the warp */
  WB_TOKEN_COUNT
};

/* The lanes that an instruction from Volta on names with a mask. */
enum wb_lane_mask {
  WB_MASK_NONE,     /* it names none */
  WB_MASK_ALL,      /* all lanes of the warp, as its text says */
  WB_MASK_REGISTER, /* by the value of its one register that is no predicate */
  WB_MASK_OTHER     /* some lanes */
};

/* When two lanes that read the same values write the same value, provided that they execute
 * the instruction together. */
enum wb_agreement_rule {
  WB_AGREES_BY_SOURCES, /* deterministic: where the sources agree */
  WB_AGREES_BY_MEMORY,  /* a load of memory that lanes share: the same, an assumption */
  WB_AGREES_BY_LANE,    /* one lane's word for all: one value, an assumption where it is not among
                           them */
  WB_AGREES_ALWAYS,     /* VOTE, B2R, block index, uniform datapath: one value for the warp */
  WB_AGREES_NEVER       /* lane id, thread index, clock, atomics, shuffles, local memory */
};

/* The scheduling information that the compiler put into an instruction's encoding. */
struct wb_control_word {
  uint8_t stall;         /* cycles until its warp may issue again, 0 to 15 */
  bool yield;            /* the scheduler may prefer another warp next */
  uint8_t write_barrier; /* scoreboard barrier released when its results are there; 7: none */
  uint8_t read_barrier;  /* scoreboard barrier released when its operands were read; 7: none */
  uint8_t wait_mask;     /* bit b: waits for barrier b */
  uint8_t reuse;         /* bit o: operand o stays in the reuse cache */
};

/* The bits of an instruction of machine code. Apart from the instruction, for few read it. */
struct wb_encoding {
  uint64_t words[2];              /* low, high; 0, 0 where the listing has none */
  struct wb_control_word control; /* of use where has_control */
  bool has_control;               /* the control information is known */
};

/* Where the listing says that an instruction goes (`BRANCH_TARGETS`): a claim of the compiler, with
 * which the analysis is compared. Invariant: target_count > 0. */
struct wb_annotation {
  uint32_t instruction;  /* its index */
  uint32_t first_target; /* into function->targets */
  uint32_t target_count;
};

/* What a copy does. */
enum wb_copy_kind {
  WB_COPY_NUMBER,   /* to <- value: a number of 32 bits; a barrier register is then bound to no
                     * scope */
  WB_COPY_CONSTANT, /* to <- the word at c[value >> 32][value & 0xffffffff] */
  WB_COPY_LAUNCH,   /* to <- a number that is the same in all lanes of the warp during the launch:
                     * block   index, block and grid size; `value` tells them apart */
  WB_COPY_THREAD,   /* to <- the thread's index in x */
  WB_COPY_OF_WARP,  /* to <- a number that is the same in lanes of a warp whose `from` is a multiple
                     * of 32 that they share, plus the place of the lane in the warp;
                     * WB_NO_REGISTER: in lanes of a warp that is of one row of threads */
  WB_COPY_REGISTER, /* to <- from + value, modulo 2^32; of a barrier register or to one, value is 0
                     */
  WB_COPY_STORE,    /* the word of local memory at base + value <- from; WB_NO_REGISTER: <- what is
                     * not known */
  WB_COPY_LOAD      /* to <- the word of local memory at base + value */
};

/* An instruction from Volta on puts a value unchanged elsewhere, or a number that the code shows:
 * how return addresses, masks of lanes and bindings of barrier registers travel. A guard of the
 * instruction is the copy's too. An instruction of several words has a copy for each.
 * Invariants: registers are numbers below WB_REGISTER_COUNT or WB_NO_REGISTER where the kind has
 * none; `to` is among what the instruction writes. */
struct wb_copy {
  uint64_t value;       /* see enum wb_copy_kind; offsets are of 32 bits, in two's complement */
  uint32_t instruction; /* its index */
  uint16_t to;          /* a register */
  uint16_t from;        /* a register */
  uint16_t base;        /* of a store or load: the register with the address */
  uint8_t kind;         /* enum wb_copy_kind */
  bool clears;          /* unbinds `from`, a barrier register (BMOV.CLEAR) */
};

/* Most modifiers of an opcode that an instruction has as numbers. */
#define WB_MODIFIER_LIMIT 10

/* One instruction. 112 bytes, for listings have 10^6 of them: what few read is in the function's
 * other arrays. Names are zero-ended and live in the code's `names`.
 *
 * Invariants (wb_code_check): spans and targets are within the function's. A branch, a push and a
 * call of SASS have at most one target, an indexed branch any number, other instructions none.
 * `callee` is set for calls by name and to outside, and for no other instruction. guard is
 * WB_NO_REGISTER or a predicate's register, and then `guarded` holds. Of PTX: guard is
 * WB_NO_REGISTER, there are no spans, and what is "SASS:" is 0, false or NULL. */
struct wb_instruction {
  const char *opcode;     /* with its modifiers: "ld.global.f32", "LDG.E.64" */
  const char *operands;   /* SASS: as the listing has them: "R2, [R4]"; "" for none */
  const char *callee;     /* of a call by name or to outside: its name or operand; else NULL */
  const char *assumption; /* what its unit or its facts rest on, or NULL; static or in `names` */
  uint32_t address;       /* SASS: in bytes from the function's start */
  uint32_t line;          /* in the listing, from 1 */
  uint32_t column;        /* in that line, from 1 */
  uint32_t source_file;   /* index into code->files + 1; 0: not known */
  uint32_t source_line;   /* 0: not known */
  uint32_t first_read;    /* SASS: into function->spans */
  uint32_t first_write;   /* SASS: into function->spans */
  uint32_t first_target;  /* into function->targets */
  uint32_t target_count;
  uint32_t first_operand; /* SASS: into function->operands */
  uint16_t number;        /* SASS: enum wb_opcode (isa/opcode.h); 0: not in the table */
  uint16_t read_count;    /* spans read; the guard and the condition code among them */
  uint16_t write_count;   /* spans written */
  uint16_t guard;         /* SASS: the predicate's register; WB_NO_REGISTER for none */
  uint8_t operand_count;  /* SASS */
  uint8_t modifier_count; /* SASS */
  uint8_t modifiers[WB_MODIFIER_LIMIT]; /* SASS: enum wb_modifier, in order; where there are more,
                                           the last one is WB_MODIFIER_OTHER */
  uint8_t unit;                         /* enum wb_unit */
  uint8_t transfer;                     /* enum wb_transfer */
  uint8_t token;                        /* SASS: enum wb_token, pushed or popped */
  uint8_t agreement;                    /* SASS: enum wb_agreement_rule */
  uint8_t barrier;                      /* SASS: of a scope's instructions: 0 to 15 for B0 to B15 */
  uint8_t mask;                         /* SASS: enum wb_lane_mask */
  uint16_t link;             /* SASS: of RETURN_LINKED: the register with the address' low word */
  uint16_t bit_register;     /* SASS: of bit_use: the general register */
  uint32_t bits;             /* SASS: of bit_use: the bits */
  uint8_t bit_use;           /* SASS: enum wb_bit_use */
  bool guarded : 1;          /* some lanes may not do it: it has a guard, other than PT and UPT */
  bool guard_negated : 1;    /* SASS: lanes do it where the guard is false */
  bool never : 1;            /* SASS: guarded by @!PT or @!UPT: no lane does it */
  bool cut : 1;              /* SASS: never, for its way is cut: issues as where a guard is false */
  bool conditional_code : 1; /* SASS: also tests the condition code (CC.NEU): both must hold */
  bool second_predicate : 1; /* SASS: also tests a predicate operand, which is among the reads */
  bool uniform : 1;          /* SASS: BRA.U: the compiler vouches that all lanes agree */
  bool unknown : 1;          /* SASS: not in the opcode table: reads and writes everything */
  bool outside : 1;          /* SASS: calls through a register code that is not in the listing:
                                ends like its RET, and is unknown too */
  bool dual_issue : 1;       /* SASS: issues together with the next instruction */
  bool several : 1;          /* PTX: it can become several machine instructions */
  bool partial_barrier : 1;  /* PTX: a barrier that may be for a part of the block's warps only */
  bool together : 1;   /* SASS: BRA.DIV, BRA.CONV: the lanes that run do it all, or none; which is
                          decided by comparing them with a mask */
  bool unless_all : 1; /* SASS: of those: done where the lanes are *not* all of the mask
                          (BRA.DIV); else where they are */
  bool yields : 1;     /* SASS: lets lanes of the warp that wait run on (YIELD, NANOSLEEP) */
};

/* A name of a place in a function. */
struct wb_label {
  const char *name;
  uint32_t index; /* of the instruction there; instruction_count: the function's end */
  uint32_t line;  /* in the listing */
};

/* A parameter of a kernel. */
struct wb_parameter {
  uint16_t ordinal; /* from 0 */
  uint16_t offset;  /* in bytes from the first one */
  uint16_t size;    /* in bytes */
};

/* A call through a register of one of several functions: names first .. first + count - 1 of
 * code->called. */
struct wb_call_set {
  uint32_t instruction;
  uint32_t first;
  uint32_t count;
  bool shown; /* the code shows that it is one of these; else they are all whose address the module
               * takes */
};

/* What of a linked function comes from one section (model/linked_function.h). */
struct wb_part {
  const struct wb_function *function; /* that of the code, as it was before */
  uint32_t first;                     /* instruction */
  uint32_t base;                      /* what is added to the addresses of the section */
};

/* A kernel or a device function; of machine code its section, with the subroutines that follow in
 * it.
 *
 * Invariants (wb_code_check): targets are below instruction_count or, of PTX, equal to it (the
 * end). Of machine code: addresses ascend; labels, symbols and annotations are by ascending index;
 * parameters are by ordinal; encodings is NULL or has a row for each instruction. What is not
 * defined has no instructions. */
struct wb_function {
  const char *name; /* as the listing has it: mangled */
  struct wb_instruction *instructions;
  size_t instruction_count;
  struct wb_encoding *encodings; /* SASS: by instruction; NULL where the listing has none */
  struct wb_operand *operands;   /* SASS: of all instructions, in order */
  size_t operand_count;
  struct wb_register_span *spans;
  size_t span_count;
  uint32_t *targets; /* instruction indices */
  size_t target_count;
  struct wb_annotation *annotations; /* SASS */
  size_t annotation_count;
  struct wb_copy *copies; /* SASS from Volta on: by ascending instruction */
  size_t copy_count;
  struct wb_call_set *call_sets; /* SASS from Volta on: by ascending instruction */
  size_t call_set_count;
  struct wb_label *labels; /* all labels of the listing */
  size_t label_count;
  struct wb_label *symbols; /* SASS: of the labels the subroutines, and other names of the start */
  size_t symbol_count;
  struct wb_part *parts; /* SASS: of a linked function, by ascending instruction, its own first;
                            none of another one */
  size_t part_count;
  const struct wb_function *uncut; /* SASS: of a copy that was changed, as where ways to calls that
                                      no thread makes are cut (flow/paths/absent_calls.h): the
                                      function as it was; or NULL */
  struct wb_parameter *parameters; /* SASS; none where the listing has none */
  size_t parameter_count;
  const char *constants; /* SASS: the bytes of constant bank 2, where all of them are numbers; NULL:
                            not known */
  size_t constant_length;
  const char
      *kind_source; /* SASS: the assumption that `kernel` rests on; NULL: the listing says it */
  uint32_t line;    /* in the listing */
  uint32_t sm;      /* SASS: 52 for sm_52; 0: not known */
  uint16_t bit_register;  /* SASS: the general register whose bits are followed one by one, as where
                           * code keeps predicates in them; 0: none */
  uint32_t module;        /* SASS: functions of one module of the listing have one number */
  uint32_t block_threads; /* PTX: of each launch, as the listing says; 0: it does not */
  uint32_t required_block[3]; /* SASS: the block size of every launch by dimension (.reqntid), as
                               * the listing says; 0: it does not */
  uint32_t cluster[3];        /* SASS: the blocks of a cluster of every launch by dimension
                               * (.reqnctapercluster), as the listing says; 0: it does not */
  uint32_t most_cluster;      /* SASS: most blocks of a cluster (.maxclusterrank), as the listing
                               * says; 0: it does not */
  bool clustered;             /* SASS: launched in clusters (.explicitcluster), as the listing says:
                               * of a size that the launch gives where cluster does not */
  uint32_t most_threads;      /* SASS: most threads of a block of any launch (.maxntid), as the
                               * listing says; 0: it does not */
  uint32_t registers;         /* SASS: of a thread, as the listing says; 0: it does not */
  uint32_t static_shared;     /* SASS: bytes of shared memory of a block, as the listing says, from
                               * sm_90 on with what the system reserves; UINT32_MAX: it does not */
  uint32_t named_barriers;    /* SASS: of a block, as the listing says; UINT32_MAX: it does not */
  bool wide; /* SASS: words of 128 bits, convergence barriers: Volta and later, whether the listing
              * says which or not */
  bool kernel;    /* a launch can start it */
  bool defined;   /* has a body */
  bool no_return; /* PTX: no call of it returns, as the listing says */
};

/* Which language the code is in, and so which front end made it. */
enum wb_language { WB_LANGUAGE_PTX, WB_LANGUAGE_SASS };

/* What debug information calls a parameter of a function. */
struct wb_debug_name {
  const char *function; /* as the code calls it */
  const char *name;
  uint16_t ordinal; /* of the parameter */
};

/* All of a listing. Owns all of it; see wb_code_free. */
struct wb_code {
  char *name; /* the listing's, for messages */
  enum wb_language language;
  char isa[32];    /* "PTX 8.5", "SASS" */
  char format[32]; /* SASS: the listing's, "cuobjdump" or "nvdisasm"; PTX: "" */
  char target[64]; /* PTX: "sm_52" as the listing says; SASS: "", for each function has its own */
  struct wb_function *functions;
  size_t function_count;
  const char **files; /* source files named by the listing */
  size_t file_count;
  const char **called; /* SASS: names of functions, see struct wb_call_set */
  size_t called_count;
  const char **unread; /* functions of modules of the file that were not read */
  size_t unread_count;
  struct wb_debug_name *debug_names; /* of a cubin; one may stand there more than once */
  size_t debug_name_count, debug_name_capacity;
  struct wb_name_pool names; /* all texts of it but its own name */
};

/* Whether divergence can split the warp's lanes here: guarded, conditional, or indexed,
 * whether the compiler vouches for agreement (uniform) or not. Of machine code. */
bool wb_instruction_conditional(const struct wb_instruction *instruction);

/* Whether one way of an instruction that chose between two is cut, so that each thread which comes
 * to it goes the other one (function->uncut). */
bool wb_instruction_is_cut(const struct wb_function *function, uint32_t index);

/* Whether registers say to which of its targets it goes: an indexed branch, a call by register of
 * one of several functions. */
bool wb_instruction_chooses(const struct wb_instruction *instruction);

/* Operand `number`, from 0, of an instruction of the function. */
const struct wb_operand *wb_operand_of(const struct wb_function *function,
                                       const struct wb_instruction *instruction, uint32_t number);

/* The unit that an instruction occupies; none where no lane ever does it, as is written there. */
enum wb_unit wb_instruction_unit(const struct wb_instruction *instruction);

/* The index of the instruction at an address of machine code, SIZE_MAX where there is none.
 * Logarithmic. */
size_t wb_function_at(const struct wb_function *function, uint64_t address);

/* What was added to the address of an instruction when its section was linked; 0 where none was.
 * Numbers of return addresses are those of the sections. Logarithmic. */
uint32_t wb_function_base(const struct wb_function *function, uint32_t instruction);

/* The functions that a call through a register may call; NULL: not known. Logarithmic. */
const struct wb_call_set *wb_function_call_set(const struct wb_function *function,
                                               uint32_t instruction);

/* The copies of an instruction: the first one's index, and how many in *count. Logarithmic. */
size_t wb_function_copies(const struct wb_function *function, uint32_t instruction, size_t *count);

/* The index of a defined kernel, or SIZE_MAX with an error: by name (also demangled,
 * base/text/demangle.h; where that is not the name of one alone it is an error), or for NULL
 * the only one there is. The error lists the kernels that there are (as many as
 * fit). */
size_t wb_code_find_kernel(const struct wb_code *code, const char *name, warpbound_error *error);

/* The name of a register ("R4", "UP0"), written to `name`. */
void wb_register_name(unsigned number, char name[8]);

void wb_code_free(struct wb_code *code);

/* NULL where all invariants hold; else which one does not, static. Front ends assert it of what
 * they made. Linear. */
const char *wb_code_check(const struct wb_code *code);

/* FNV-1a (Fowler, Noll and Vo; 64 bits) over address, opcode, guard, registers and targets of
 * every instruction: the same for all forms of a listing of the same code, whatever they call
 * their labels and source lines. Against mistakes, not against malice. Linear. */
uint64_t wb_function_checksum(const struct wb_function *function);

#endif
