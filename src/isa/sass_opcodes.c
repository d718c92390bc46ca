#include "isa/sass_opcodes.h"

#include "isa/opcode_search.h"
#include "isa/sass_modifiers.h"

#include <string.h>

/* Assumptions of rows that are not the plain truth. */
#define TENSOR                                                                                     \
  "tensor core instructions keep their unit equally long, whatever their shape and types"
#define GROUP                                                                                      \
  "tensor core instructions of warp groups and blocks are counted like those of one warp"
#define TENSOR_MEMORY "access to tensor memory is counted as load/store"
#define BARRIER "waiting at a barrier is not modelled"
#define FENCE "waiting at a fence is not modelled"
#define SLEEP "the time asleep is not modelled"
#define RESOURCE "waiting for registers is not modelled"
#define ASYNCHRONOUS "waiting for asynchronous operations is not modelled"
#define TRAP "a trap ends the lanes that reach it"
#define MATRICES "how many registers it loads is not known; counted as four"
#define SURFACE "how many registers a formatted surface access moves is not known; counted as four"
#define HALVES "pairs of half-precision components are counted as whole registers"

#define ANY (WB_SASS_64 | WB_SASS_128)
#define OLD WB_SASS_64
#define NEW WB_SASS_128

#define L WB_UNIT_LOAD_STORE
#define C WB_UNIT_CORE
#define S WB_UNIT_SPECIAL
#define D WB_UNIT_DOUBLE
#define T WB_UNIT_TENSOR
#define N WB_UNIT_NONE
#define B WB_UNIT_BARRIER

#define NEXT WB_TRANSFER_NEXT, WB_TOKEN_NONE
#define BRANCH WB_TRANSFER_BRANCH, WB_TOKEN_NONE
#define INDEXED WB_TRANSFER_INDEXED_BRANCH, WB_TOKEN_NONE
#define PUSH_SYNC WB_TRANSFER_PUSH, WB_TOKEN_SYNC
#define PUSH_BREAK WB_TRANSFER_PUSH, WB_TOKEN_BREAK
#define PUSH_CONTINUE WB_TRANSFER_PUSH, WB_TOKEN_CONTINUE
#define PUSH_RETURN WB_TRANSFER_PUSH, WB_TOKEN_RETURN
#define POP_SYNC WB_TRANSFER_POP, WB_TOKEN_SYNC
#define POP_BREAK WB_TRANSFER_POP, WB_TOKEN_BREAK
#define POP_CONTINUE WB_TRANSFER_POP, WB_TOKEN_CONTINUE
#define POP_RETURN WB_TRANSFER_POP, WB_TOKEN_RETURN
#define CALL WB_TRANSFER_CALL, WB_TOKEN_RETURN
#define CALL_OUTSIDE WB_TRANSFER_CALL_OUTSIDE, WB_TOKEN_NONE
#define EXIT WB_TRANSFER_EXIT, WB_TOKEN_NONE
#define SCOPE_OPEN WB_TRANSFER_SCOPE_OPEN, WB_TOKEN_NONE
#define SCOPE_SYNC WB_TRANSFER_SCOPE_SYNC, WB_TOKEN_NONE
#define SCOPE_BREAK WB_TRANSFER_SCOPE_BREAK, WB_TOKEN_NONE
#define WARP_SYNC WB_TRANSFER_WARP_SYNC, WB_TOKEN_NONE
#define CALL_LINKED WB_TRANSFER_CALL_LINKED, WB_TOKEN_NONE
#define RETURN_LINKED WB_TRANSFER_RETURN_LINKED, WB_TOKEN_NONE
#define UNSUPPORTED WB_TRANSFER_UNSUPPORTED, WB_TOKEN_NONE

#define SOURCES WB_AGREES_BY_SOURCES
#define MEMORY WB_AGREES_BY_MEMORY
#define ALWAYS WB_AGREES_ALWAYS
#define NEVER WB_AGREES_NEVER
#define SPECIAL WB_AGREES_NEVER /* unless its operand s says more */

/* Kepler (sm_30) to Blackwell (sm_120), what compilers of CUDA emit. Invariant: sorted by
 * opcode (strcmp), rows of one opcode together, special ones before general ones.
 *
 * Units as in the table of PTX: D is arithmetic on doubles, conversions from and to them
 * included; L goes through the load/store pipe, to other lanes too (SHFL), or starts a copy
 * (LDGSTS, UBLKCP, UTMALDG) or asks a barrier in shared memory (SYNCS); branches and
 * what else changes control are C; the uniform datapath is counted as C. S is the pipe of
 * MUFU, which converts (F2I, I2F, F2F) and counts bits (POPC, FLO) too. T multiplies
 * matrices; of Blackwell's tensor cores all that is sent to them (UTC...).
 *
 * An operand that is read may be counted wider than it is: that can only lose agreement.
 * One that is written must be exact, or its row's agreement is NEVER.
 *
 * A product of matrices, a shuffle or a search among lanes (HMMA, SHFL, MATCH.ANY) gives a
 * lane what other lanes hold: it never agrees. VOTE, REDUX, MATCH.ALL and R2UR give the
 * warp one value. */
static const struct wb_sass_opcode rows[] = {
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)                                                                  \
  {#name, modifiers, operands, families, unit, transfer, agreement, assumption},
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  {#name, modifiers, operands, families, unit, transfer, agreement, assumption},
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const char *opcode_of(size_t row)
{
  return rows[row].opcode;
}

/* Whether a row of the same first word answers for this opcode. */
static bool applies(const struct wb_sass_opcode *row, const char *opcode, size_t length,
                    enum wb_sass_family family)
{
  return (row->families & (unsigned)family) != 0 &&
         (row->modifiers == NULL || wb_sass_has_words(opcode, length, row->modifiers)) &&
         (strpbrk(row->operands, "mb") != NULL ||
          wb_sass_widths_claimed(opcode, length, row->modifiers));
}

const struct wb_sass_opcode *wb_sass_opcode_find(const char *opcode, size_t length,
                                                 enum wb_sass_family family)
{
  const char *dot = length > 0 ? memchr(opcode, '.', length) : NULL;
  const size_t word = dot != NULL ? (size_t)(dot - opcode) : length;
  for (size_t r = wb_opcode_lower_bound(opcode_of, ROW_COUNT, opcode, word); r < ROW_COUNT; r++) {
    if (wb_opcode_compare(opcode, word, rows[r].opcode) != 0)
      break;
    if (applies(&rows[r], opcode, length, family))
      return &rows[r];
  }
  return NULL;
}

const struct wb_sass_opcode *wb_sass_opcode_rows(size_t *count)
{
  *count = ROW_COUNT;
  return rows;
}

static char lower(char c)
{
  return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether text begins with `prefix`, which is in lower case. */
static bool begins_with(const char *text, size_t length, const char *prefix)
{
  size_t i = 0;
  while (prefix[i] != '\0' && i < length && lower(text[i]) == prefix[i])
    i++;
  return prefix[i] == '\0';
}

enum wb_agreement_rule wb_sass_special_register(const char *name, size_t length)
{
  /* SRZ is zero; the rest are block index, block size, and grid size. */
  static const char *const shared[] = {"srz", "sr_ctaid", "sr_ntid", "sr_nctaid"};
  for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
    if (begins_with(name, length, shared[s]))
      return WB_AGREES_ALWAYS;
  return WB_AGREES_NEVER;
}

bool wb_sass_joins(const char *opcode, size_t length)
{
  return length > 2 && opcode[length - 2] == '.' && opcode[length - 1] == 'S';
}
