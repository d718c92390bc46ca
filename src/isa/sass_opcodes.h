/* The table of SASS opcodes, Kepler to Blackwell: from an opcode with its modifiers to the
 * unit that it occupies, its control transfer, which of its operands it writes, and when
 * the lanes of a warp get one value. Nothing else in the project knows SASS opcodes. */
#ifndef WB_ISA_SASS_OPCODES_H
#define WB_ISA_SASS_OPCODES_H

#include "model/code.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two families of encodings, as bits. */
enum wb_sass_family {
  WB_SASS_64 = 1, /* Kepler, Maxwell, Pascal: words of 64 bits, a stack of tokens, CC */
  WB_SASS_128 = 2 /* Volta and later: words of 128 bits, convergence barriers */
};

/* One row. It applies to an opcode of one of the families whose first word is `opcode` and
 * which has the words of `modifiers` ("WIDE", "F64.F32"; NULL: any) after it, in this order,
 * others between; the first row that applies counts. A modifier that changes how many
 * registers an operand has (F64, WIDE, 128) must be among a row's own, or its operands must
 * have the width m, or be descriptions (b): a row never answers for a width that it does not know.
 *
 * operands: a letter for each operand, in order, separated by blanks, a width after it:
 *   R  a register, written        O  a register, written; may be missing
 *   r  read, of any kind          U  a register, read and written
 *   w  read; where it is a word, a state that may differ by lane
 *   P  a predicate, written; may be missing
 *   V  the same; where there is one, lanes need not agree on what is written
 *   a  read; an address of global memory: a pair of registers with the modifier E
 *   j  where to go: a label, an address, or a register
 *   M  a mask of lanes, read; missing where j is all that is left
 *   q  a predicate or condition that is tested too; may be missing
 *   s  a special register, which decides whether lanes agree
 *   K  the predicates of a mask, written; k: all predicates, read
 *   b  read; registers that describe a copy or product, 16 from each that is named
 * and a letter of no operand:
 *   u  the compiler vouches that lanes agree
 * A star: this one and all that follow. Widths, in registers: none 1, or a digit; m as the
 * modifiers say (64: 2); n one, two or four matrices; t, x, y components of a texture: all,
 * the third and fourth, the first two; v coordinates of a texture or surface; A16, B16, D32
 * fragment of a matrix, its elements of so many bits; z as many as an access to tensor memory
 * moves. An instruction with other operands
 * than its row is not understood. */
struct wb_sass_opcode {
  const char *opcode;
  const char *modifiers;
  const char *operands;
  uint8_t families;  /* enum wb_sass_family, or both */
  uint8_t unit;      /* enum wb_unit */
  uint8_t transfer;  /* enum wb_transfer */
  uint8_t token;     /* enum wb_token */
  uint8_t agreement; /* enum wb_agreement_rule */
  const char *assumption;
};

/* The row for a full opcode ("IMAD.WIDE.U32"), or NULL where the table lacks it.
 * Logarithmic in the size of the table, linear in length. */
const struct wb_sass_opcode *wb_sass_opcode_find(const char *opcode, size_t length,
                                                 enum wb_sass_family family);

/* All rows in order, for listings and tests. */
const struct wb_sass_opcode *wb_sass_opcode_rows(size_t *count);

/* Whether lanes that read a special register ("SR_CTAID.X") together get one value. Kepler's
 * listings write SR_CTAid_X. */
enum wb_agreement_rule wb_sass_special_register(const char *name, size_t length);

/* Whether an opcode of the 64-bit family ends in .S: on Kepler the lanes that have done it
 * go on as if a SYNC followed. */
bool wb_sass_joins(const char *opcode, size_t length);

/* ---- modifiers: the words after an opcode's dots, and the numbers of registers that they stand
 * for
 * ---- */

/* Whether the words of `wanted` ("F64.F32") are among those of a dotted text, in order. */
bool wb_sass_has_words(const char *text, size_t length, const char *wanted);

/* Whether an opcode of the family of 64 bits reads the condition code by one of its modifiers: the
 * carry, or what the upper words of a number have shown (X, XLO, XMED, XHI). The mask of lanes that
 * VABSDIFF4.X names is taken for one too. */
bool wb_sass_reads_condition_code(const char *opcode, size_t length);

/* Whether an opcode or a condition tests states of shaders (CSM_TA, FCSM_MX), which VOTE.VTG sets
 * and which stand in no register. */
bool wb_sass_tests_shader_state(const char *text, size_t length);

/* Whether each word of an opcode that changes the width of operands is among `claimed`
 * (NULL: none). */
bool wb_sass_widths_claimed(const char *opcode, size_t length, const char *claimed);

/* How many registers a memory operation moves: 1 unless a modifier says otherwise. */
unsigned wb_sass_memory_width(const char *opcode, size_t length);

/* How many matrices, of one register each, a matrix load or store moves: 1, 2 or 4. */
unsigned wb_sass_matrix_count(const char *opcode, size_t length);

/* How many registers hold a lane's part of operand `which` ('A', 'B', or 'D' for result and
 * addend) of a matrix product, its elements of `bits` each; 0 where the opcode does not say
 * the shape. Of a product of a group of warps ("64x8x16") only 'D' is known. */
unsigned wb_sass_fragment(const char *opcode, size_t length, char which, unsigned bits);

/* How many registers an access to tensor memory (LDTM, STTM) moves; 0 where the opcode has a
 * modifier that is not known. */
unsigned wb_sass_tensor_memory_width(const char *opcode, size_t length);

/* How many coordinates a dotted text names ("2D" two); 0 where none of its words does. */
unsigned wb_sass_coordinates(const char *text, size_t length);

#endif
