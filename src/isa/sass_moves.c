#include "isa/sass_moves.h"

#include "isa/opcode_search.h"

#include <string.h>

/* `modifiers`: those that may follow the opcode, in any number, in front of each and after the last
 * one a blank. */
struct move {
  const char *opcode;
  const char *modifiers;
  enum wb_sass_move move;
};

/* Invariant: sorted by opcode. */
static const struct move moves[] = {
    {"BMOV", " 32 CLEAR RELIABLE RECONVERGENT ", WB_SASS_MOVE_BARRIER},
    {"CS2R", " 32 64 ", WB_SASS_MOVE_SPECIAL},
    {"IADD", " ", WB_SASS_MOVE_SUM},
    {"IADD3", " ", WB_SASS_MOVE_SUM},
    {"IMAD", " MOV IADD U32 S32 ", WB_SASS_MOVE_PRODUCT},
    {"LDC", " 32 64 128 ", WB_SASS_MOVE_CONSTANT},
    {"LDCU", " 32 64 128 ", WB_SASS_MOVE_CONSTANT},
    {"LDL", " 32 64 128 LU CI CV EF EL ", WB_SASS_MOVE_LOAD},
    {"MOV", " 64 SPILL FILL ", WB_SASS_MOVE_PLAIN},
    {"MOV32I", " ", WB_SASS_MOVE_PLAIN},
    {"R2UR", " SPILL FILL ", WB_SASS_MOVE_PLAIN},
    {"S2R", " ", WB_SASS_MOVE_SPECIAL},
    {"S2UR", " ", WB_SASS_MOVE_SPECIAL},
    {"STL", " U8 S8 U16 S16 32 64 128 CI CV EF EL ", WB_SASS_MOVE_STORE},
    {"UIADD3", " ", WB_SASS_MOVE_SUM},
    {"UIMAD", " MOV IADD U32 S32 ", WB_SASS_MOVE_PRODUCT},
    {"ULDC", " 32 64 128 ", WB_SASS_MOVE_CONSTANT},
    {"UMOV", " 64 SPILL FILL ", WB_SASS_MOVE_PLAIN},
    {"UVIADD", " ", WB_SASS_MOVE_SUM},
    {"VIADD", " ", WB_SASS_MOVE_SUM},
};
#define MOVE_COUNT (sizeof moves / sizeof *moves)

static const char *opcode_of(size_t row)
{
  return moves[row].opcode;
}

/* Whether a word is among those of a list with blanks around them. */
static bool is_among(const char *word, size_t length, const char *list)
{
  for (const char *p = strchr(list, ' '); p[1] != '\0'; p = strchr(p + 1, ' '))
    if (strncmp(p + 1, word, length) == 0 && p[1 + length] == ' ')
      return true;
  return false;
}

enum wb_sass_move wb_sass_move_of(const char *opcode, size_t length)
{
  const char *end = opcode + length;
  const char *dot = length > 0 ? memchr(opcode, '.', length) : NULL;
  const size_t word = dot != NULL ? (size_t)(dot - opcode) : length;
  const size_t row = wb_opcode_lower_bound(opcode_of, MOVE_COUNT, opcode, word);
  if (row == MOVE_COUNT || wb_opcode_compare(opcode, word, moves[row].opcode) != 0)
    return WB_SASS_MOVE_NONE;
  while (dot != NULL) {
    const char *start = dot + 1;
    dot = start < end ? memchr(start, '.', (size_t)(end - start)) : NULL;
    const size_t modifier = (size_t)((dot != NULL ? dot : end) - start);
    if (modifier == 0 || !is_among(start, modifier, moves[row].modifiers))
      return WB_SASS_MOVE_NONE;
  }
  return moves[row].move;
}

bool wb_sass_launch_value(const char *name, size_t length, uint64_t *value)
{
  static const char *const names[] = {
      "SRZ",       "SR_CTAID.X", "SR_CTAID.Y",  "SR_CTAID.Z",  "SR_NTID.X",
      "SR_NTID.Y", "SR_NTID.Z",  "SR_NCTAID.X", "SR_NCTAID.Y", "SR_NCTAID.Z",
  };
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    *value = n;
    if (length == strlen(names[n]) && memcmp(name, names[n], length) == 0)
      return true;
  }
  return false;
}
