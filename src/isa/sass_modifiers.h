/* The modifiers of a SASS opcode: the words after its dots, and the numbers of registers
 * that they stand for. */
#ifndef WB_ISA_SASS_MODIFIERS_H
#define WB_ISA_SASS_MODIFIERS_H

#include <stdbool.h>
#include <stddef.h>

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
