#include "isa/sass_opcodes.h"

#include "base/text/ascii.h"
#include "isa/opcode.h"

#include <string.h>

/* ---- modifiers ---- */

/* A word of a dotted text; none where text is NULL. */
struct word {
  const char *text;
  size_t length;
};

static struct word word_at(const char *text, const char *end)
{
  const char *dot = text < end ? memchr(text, '.', (size_t)(end - text)) : NULL;
  return (struct word){text, (size_t)((dot != NULL ? dot : end) - text)};
}

/* The word after another one of the same text. */
static struct word next_word(struct word word, const char *end)
{
  const char *after = word.text + word.length;
  return after < end ? word_at(after + 1, end) : (struct word){NULL, 0};
}

static bool same(struct word word, const char *other, size_t length)
{
  return word.length == length && memcmp(word.text, other, length) == 0;
}

static bool is(struct word word, const char *other)
{
  size_t i = 0;
  while (i < word.length && other[i] != '\0' && word.text[i] == other[i])
    i++;
  return i == word.length && other[i] == '\0';
}

/* The first modifier: the word after the first. */
static struct word first_modifier(const char *opcode, size_t length)
{
  return next_word(word_at(opcode, opcode + length), opcode + length);
}

bool wb_sass_has_words(const char *text, size_t length, const char *wanted)
{
  const char *end = text + length;
  const char *wanted_end = wanted + strlen(wanted);
  struct word want = word_at(wanted, wanted_end);
  for (struct word word = word_at(text, end); word.text != NULL && want.text != NULL;
       word = next_word(word, end))
    if (same(word, want.text, want.length))
      want = next_word(want, wanted_end);
  return want.text == NULL;
}

static bool has_any(const char *text, size_t length, const char *const *words, size_t count)
{
  const char *end = text + length;
  for (struct word word = word_at(text, end); word.text != NULL; word = next_word(word, end))
    for (size_t w = 0; w < count; w++)
      if (is(word, words[w]))
        return true;
  return false;
}

bool wb_sass_reads_condition_code(const char *opcode, size_t length)
{
  static const char *const words[] = {"X", "XLO", "XMED", "XHI"};
  return has_any(opcode, length, words, sizeof words / sizeof *words);
}

bool wb_sass_tests_shader_state(const char *text, size_t length)
{
  static const char *const words[] = {"CSM_TA",  "CSM_TR",  "CSM_MX",
                                      "FCSM_TA", "FCSM_TR", "FCSM_MX"};
  return has_any(text, length, words, sizeof words / sizeof *words);
}

/* Modifiers that change how many registers an operand has, and how many registers a memory
 * operation then moves. Elements in parts of a register (U8, F16) are not among them. */
static const struct {
  const char *word;
  unsigned registers;
} widths[] = {
    {"64", 2},    {"96", 3},     {"128", 4},    {"256", 8},     {"U64", 2},   {"S64", 2},
    {"F64", 2},   {"U128", 4},   {"WIDE", 2},   {"F32x2", 2},   {"F32x4", 4}, {"F16x4", 2},
    {"F16x8", 4}, {"BF16x4", 2}, {"BF16x8", 4}, {"TRANS64", 2},
};
#define WIDTH_COUNT (sizeof widths / sizeof *widths)

/* The registers of a word of `widths`; 0 for any other word. */
static unsigned width_of(struct word word)
{
  for (size_t w = 0; w < WIDTH_COUNT; w++)
    if (is(word, widths[w].word))
      return widths[w].registers;
  return 0;
}

static bool claims(const char *claimed, struct word word)
{
  const char *end = claimed + strlen(claimed);
  for (struct word claim = word_at(claimed, end); claim.text != NULL; claim = next_word(claim, end))
    if (same(word, claim.text, claim.length))
      return true;
  return false;
}

bool wb_sass_widths_claimed(const char *opcode, size_t length, const char *claimed)
{
  for (struct word word = first_modifier(opcode, length); word.text != NULL;
       word = next_word(word, opcode + length))
    if (width_of(word) > 0 && (claimed == NULL || !claims(claimed, word)))
      return false;
  return true;
}

unsigned wb_sass_memory_width(const char *opcode, size_t length)
{
  unsigned width = 1;
  for (struct word word = first_modifier(opcode, length); word.text != NULL;
       word = next_word(word, opcode + length))
    if (width_of(word) > width)
      width = width_of(word);
  return width;
}

unsigned wb_sass_matrix_count(const char *opcode, size_t length)
{
  struct word last = {NULL, 0};
  for (struct word word = first_modifier(opcode, length); word.text != NULL;
       word = next_word(word, opcode + length))
    last = word;
  if (last.text == NULL)
    return 1;
  return is(last, "4") ? 4 : is(last, "2") ? 2 : 1;
}

/* Shapes m, n, k as opcodes write them without separators. */
static const struct {
  const char *word;
  unsigned m, n, k;
} shapes[] = {
    {"884", 8, 8, 4},     {"1684", 16, 8, 4},     {"1688", 16, 8, 8},     {"16816", 16, 8, 16},
    {"16832", 16, 8, 32}, {"16864", 16, 8, 64},   {"8816", 8, 8, 16},     {"8832", 8, 8, 32},
    {"88128", 8, 8, 128}, {"168128", 16, 8, 128}, {"168256", 16, 8, 256}, {"16x8x4", 16, 8, 4},
    {"16x8x8", 16, 8, 8}, {"16x8x16", 16, 8, 16}, {"8x8x4", 8, 8, 4},
};
#define SHAPE_COUNT (sizeof shapes / sizeof *shapes)

/* Registers for rows * columns elements, spread over 32 lanes. */
static unsigned registers_for(unsigned elements, unsigned bits)
{
  return (elements * bits + 1023) / 1024;
}

/* A decimal number, at most 4 digits; 0 for any other word. */
static unsigned number_of(struct word word)
{
  unsigned value = 0;
  for (size_t i = 0; i < word.length; i++) {
    if (word.length > 4 || !wb_is_digit(word.text[i]))
      return 0;
    value = value * 10 + (unsigned)(word.text[i] - '0');
  }
  return value;
}

/* The columns n of a shape of a group of four warps, "64x256x16"; 0 for any other word. */
static unsigned group_columns(struct word word)
{
  if (word.length < 4 || memcmp(word.text, "64x", 3) != 0)
    return 0;
  const char *columns = word.text + 3;
  const char *times = memchr(columns, 'x', word.length - 3);
  return times != NULL ? number_of((struct word){columns, (size_t)(times - columns)}) : 0;
}

unsigned wb_sass_fragment(const char *opcode, size_t length, char which, unsigned bits)
{
  for (struct word word = first_modifier(opcode, length); word.text != NULL;
       word = next_word(word, opcode + length)) {
    for (size_t s = 0; s < SHAPE_COUNT; s++) {
      if (!is(word, shapes[s].word))
        continue;
      if (which == 'D')
        return registers_for(shapes[s].m * shapes[s].n, bits);
      if (which == 'B')
        return registers_for(shapes[s].n * shapes[s].k, bits);
      const bool sparse = wb_sass_has_words(opcode, length, "SP"); /* half of A is not stored */
      return registers_for(shapes[s].m * shapes[s].k / (sparse ? 2 : 1), bits);
    }
    if (which == 'D' && group_columns(word) > 0)
      return group_columns(word) * bits / 64;
  }
  return 0;
}

unsigned wb_sass_tensor_memory_width(const char *opcode, size_t length)
{
  unsigned repetitions = 1;
  unsigned each = 1;
  for (struct word word = first_modifier(opcode, length); word.text != NULL;
       word = next_word(word, opcode + length)) {
    if (word.length > 1 && word.text[0] == 'x')
      repetitions = number_of((struct word){word.text + 1, word.length - 1});
    else if (is(word, "16dp128bit"))
      each = 2;
    else if (is(word, "16dp256bit"))
      each = 4;
    else if (!is(word, "16dp64bit") && !is(word, "16dp32bit_t0_t15") &&
             !is(word, "16dp32bit_t16_t31") && !is(word, "PACK16BIT") && !is(word, "EXPAND16BIT"))
      return 0;
  }
  return repetitions <= 128 / each ? repetitions * each : 0;
}

unsigned wb_sass_coordinates(const char *text, size_t length)
{
  static const struct {
    const char *word;
    unsigned count;
  } dimensions[] = {
      {"1D", 1},       {"2D", 2},         {"3D", 3},       {"CUBE", 3},  {"1D_BUFFER", 1},
      {"2DMS", 3},     {"A1D", 2},        {"A2D", 3},      {"ACUBE", 4}, {"ARRAY_1D", 2},
      {"ARRAY_2D", 3}, {"ARRAY_CUBE", 4}, {"ARRAY_3D", 4},
  };
  for (struct word word = word_at(text, text + length); word.text != NULL;
       word = next_word(word, text + length))
    for (size_t d = 0; d < sizeof dimensions / sizeof *dimensions; d++)
      if (is(word, dimensions[d].word))
        return dimensions[d].count;
  return 0;
}

/* ---- opcodes ---- */

/* Assumptions of rows that are not the plain truth. */
#define TENSOR                                                                                     \
  "tensor core instructions keep their unit equally long, whatever their shape and types"
#define GROUP                                                                                      \
  "tensor core instructions of warp groups and blocks are counted like those of one warp"
#define TENSOR_MEMORY "access to tensor memory is counted as load/store"
#define BARRIER "waiting at a barrier is not modelled"
#define CLUSTER "waiting for the other blocks of a cluster is not modelled"
#define FENCE "waiting at a fence is not modelled"
#define SLEEP "the time asleep is in no unit's cycles"
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
 * lane what other lanes hold: it never agrees, but for a shuffle of all that reads one lane
 * (wb_sass_facts_make). VOTE, REDUX, MATCH.ALL and R2UR give the
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

/* Whether text begins with `prefix`, which is in lower case. */
static bool begins_with(const char *text, size_t length, const char *prefix)
{
  size_t i = 0;
  while (prefix[i] != '\0' && i < length && wb_small_letter(text[i]) == prefix[i])
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
