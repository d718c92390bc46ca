/* Opcodes of SASS, their modifiers and special registers as numbers; what opcodes do. */
#ifndef WB_ISA_OPCODE_H
#define WB_ISA_OPCODE_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One number for the first word of an opcode, both families; WB_OPCODE_NONE: not in the table. */
enum wb_opcode {
  WB_OPCODE_NONE,
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  WB_OPCODE_##name,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
  WB_OPCODE_COUNT
};

/* What an opcode does beside its results, as bits. */
enum wb_trait {
  WB_TRAIT_FENCE = 1 << 0,          /* waits until what its warp has stored is there for others */
  WB_TRAIT_HIDDEN_WAIT = 1 << 1,    /* waits for a time that the code asks for, registers of other
                                     * warps, or other blocks */
  WB_TRAIT_STARTS_COPY = 1 << 2,    /* starts a copy to shared memory that goes on by itself */
  WB_TRAIT_STARTS_PRODUCT = 1 << 3, /* starts a product of matrices of a group of warps */
  WB_TRAIT_COMMITS_COPY = 1 << 4,   /* its scoreboard waits for copies started before */
  WB_TRAIT_WAITS_FOR_SCOREBOARDS = 1 << 5, /* DEPBAR: for those among its operands */
  WB_TRAIT_WAITS_FOR_PRODUCTS = 1 << 6,    /* may wait for products of a group of warps */
  WB_TRAIT_LOADS_CONSTANT = 1 << 7,        /* its constant operand is a load, not a factor */
  WB_TRAIT_BLOCK_BARRIER = 1 << 8,         /* BAR: its first operand is the number of a barrier */
  WB_TRAIT_YIELDS = 1 << 9,                /* lets other lanes of its warp run on before its own */
  WB_TRAIT_BREAKPOINT = 1 << 10,           /* BPT: with TRAP it ends its lanes */
  WB_TRAIT_MOVES_BARRIER_REGISTER = 1 << 11, /* BMOV */
  WB_TRAIT_LOADS_LOCAL = 1 << 12,            /* LDL */
  WB_TRAIT_STORES_LOCAL = 1 << 13,           /* STL */
  WB_TRAIT_LOADS_BARRIER = 1 << 14,          /* B2R: of a barrier, or with RESULT what a BAR.RED
                                              * found */
  WB_TRAIT_STORES_LATER = 1 << 15            /* STAS, REDAS: done some time after they are issued,
                                              * which a barrier in memory tells */
};

/* Assumptions of rows about launches that overlap (programmatic dependent launch): such a launch
 * waits in ACQBULK for those before it, and begins where these do PREEXIT. */
#define WB_NOT_DEPENDENT                                                                           \
  "not dependent: the launch is not launched as dependent on one before (programmatic stream "     \
  "serialization), so that griddepcontrol.wait (ACQBULK) ends at once"
#define WB_NO_DEPENDENTS                                                                           \
  "no dependents: no launch is launched as dependent on this one (programmatic stream "            \
  "serialization), so that griddepcontrol.launch_dependents (PREEXIT) begins none beside it"

/* The words after an opcode's dots. */
enum wb_modifier {
  WB_MODIFIER_OTHER, /* one that has no meaning for any analysis */
#define MODIFIER(name) WB_MODIFIER_##name,
#include "isa/modifiers.def"
#undef MODIFIER
  WB_MODIFIER_COUNT
};

/* Numbers of the words of a text such as "IMAD.WIDE.U32", for the fields of an instruction.
 * Logarithmic in the sizes of the tables for each word. */
void wb_opcode_parse(const char *text, size_t length, struct wb_instruction *instruction);

/* The name of an opcode, without modifiers; "" for WB_OPCODE_NONE. */
const char *wb_opcode_name(enum wb_opcode opcode);

/* The length of a name such as "IMAD.WIDE" where it is the opcode of a text or its first words; 0:
 * it is not. */
size_t wb_opcode_matches(const char *text, const char *name);

/* Whether the opcode of an instruction has that trait. Its operands may still be of a form that is
 * not known. */
bool wb_instruction_is(const struct wb_instruction *instruction, enum wb_trait trait);

/* Whether the modifier is among those of the instruction. */
bool wb_instruction_has(const struct wb_instruction *instruction, enum wb_modifier modifier);

/* Whether the instruction has these modifiers in this order and no other. */
bool wb_instruction_has_just(const struct wb_instruction *instruction,
                             const enum wb_modifier *modifiers, size_t count);

/* Whether the instruction goes by what all lanes together say (.ANY, .ALL), not by each lane's own
 * condition. */
bool wb_instruction_votes(const struct wb_instruction *instruction);

/* Whether all modifiers of the instruction are among these. */
bool wb_instruction_has_among(const struct wb_instruction *instruction,
                              const enum wb_modifier *modifiers, size_t count);

/* How many bytes of local memory LDL or STL moves, each lane. False where it has a modifier of
 * which it is not known that all bits stay. */
bool wb_instruction_local_bytes(const struct wb_instruction *instruction, unsigned *bytes);

/* The instructions by which compilers approximate 1 / d and 2^32 / d of an integer d. */
enum wb_reciprocal_step {
  WB_RECIPROCAL_NONE,
  WB_RECIPROCAL_FROM_SIGNED,   /* I2F.RP: of 32 bits, to single precision, rounded up */
  WB_RECIPROCAL_FROM_UNSIGNED, /* I2F.U32.RP */
  WB_RECIPROCAL_OF_FLOAT,      /* MUFU.RCP: wrong by one unit in the last place at most */
  WB_RECIPROCAL_TO_UNSIGNED    /* F2I.U32.TRUNC: of single precision, towards 0 */
};

/* Which of these an instruction is, by its opcode and modifiers. */
enum wb_reciprocal_step wb_instruction_reciprocal_step(const struct wb_instruction *instruction);

/* ---- search in a table whose rows ascend by opcode ---- */

/* The opcode of a row of the table. */
typedef const char *wb_opcode_of_row(size_t row);

/* As strcmp, of the first `length` bytes of text, any bytes, and an opcode. */
int wb_opcode_compare(const char *text, size_t length, const char *opcode);

/* The first of `count` rows whose opcode is not below the first `length` bytes of text; count where
 * all are. Logarithmic. */
size_t wb_opcode_lower_bound(wb_opcode_of_row *opcode_of, size_t count, const char *text,
                             size_t length);

/* ---- access to memory: a row for every opcode of the load/store pipe and of the tensor cores,
 * also for those that access nothing ---- */

enum wb_memory_space {
  WB_SPACE_GLOBAL,
  WB_SPACE_SHARED,
  WB_SPACE_LOCAL,
  WB_SPACE_CONSTANT, /* LDC */
  WB_SPACE_GENERIC,  /* global, shared or local: LD, ST, ATOM without a space */
  WB_SPACE_TEXTURE,  /* textures and surfaces */
  WB_SPACE_COUNT
};

/* What an opcode does with memory. */
enum wb_access_action {
  WB_ACTION_UNLISTED, /* not in the table: no access */
  WB_ACTION_NONE,     /* nothing that takes sectors or passes: shuffles, queries, cache control */
  WB_ACTION_LOAD,
  WB_ACTION_STORE,
  WB_ACTION_COPY,         /* loads and stores: LDGSTS */
  WB_ACTION_UPDATE,       /* an atomic that returns nothing: RED */
  WB_ACTION_ATOMIC,       /* an atomic that returns a value */
  WB_ACTION_LOAD_MATRIX,  /* rows of 16 bytes, each of one lane's address: LDSM */
  WB_ACTION_STORE_MATRIX, /* STSM */
  WB_ACTION_FILTER,       /* a texture that may be filtered: several texels of each lane */
  WB_ACTION_BULK /* more than its lanes' own bytes: copies of blocks, tensor memory, products that
                  * read shared memory */
};

struct wb_access_kind {
  uint8_t space;  /* enum wb_memory_space */
  uint8_t action; /* enum wb_access_action */
  uint8_t bytes;  /* of one lane whatever the modifiers; 0: they say it */
};

/* The row of an opcode. */
const struct wb_access_kind *wb_access_kind_of(enum wb_opcode opcode);

/* The bytes that one lane of an instruction accesses: 1 to 32. */
uint8_t wb_access_bytes(const struct wb_instruction *instruction);

/* Whether an instruction is a load of global, shared or local memory. */
bool wb_instruction_loads(const struct wb_instruction *instruction);

/* Whether an instruction loads from constant memory. */
bool wb_instruction_loads_constant(const struct wb_instruction *instruction);

/* ---- the special registers whose value an analysis knows something of ---- */

enum wb_special_register {
  WB_SPECIAL_OTHER,
  WB_SPECIAL_CLOCK,    /* a clock or timer: SR_CLOCKLO and the like */
  WB_SPECIAL_ZERO,     /* SRZ */
  WB_SPECIAL_LANE,     /* SR_LANEID */
  WB_SPECIAL_THREAD_X, /* SR_TID.X; Y and Z after it, and so on */
  WB_SPECIAL_THREAD_Y,
  WB_SPECIAL_THREAD_Z,
  WB_SPECIAL_BLOCK_X, /* SR_CTAID.X */
  WB_SPECIAL_BLOCK_Y,
  WB_SPECIAL_BLOCK_Z,
  WB_SPECIAL_BLOCK_SIZE_X, /* SR_NTID.X */
  WB_SPECIAL_BLOCK_SIZE_Y,
  WB_SPECIAL_BLOCK_SIZE_Z,
  WB_SPECIAL_GRID_SIZE_X, /* SR_NCTAID.X */
  WB_SPECIAL_GRID_SIZE_Y,
  WB_SPECIAL_GRID_SIZE_Z,
  WB_SPECIAL_CLUSTER_BLOCK, /* SR_CgaCtaId: of the block in its cluster */
  WB_SPECIAL_COUNT
};

/* The register that a listing from Maxwell on calls by that name. Linear in WB_SPECIAL_COUNT. */
enum wb_special_register wb_special_register_named(const char *name, size_t length);

/* Whether all threads of a block read it alike: its index, also in its cluster, its size, and the
 * grid's; of_launch: all of a launch, whatever their blocks. */
bool wb_special_register_is_alike(enum wb_special_register special, bool of_launch);

#endif
