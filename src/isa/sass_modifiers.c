#include "isa/sass_modifiers.h"

#include "base/text/ascii.h"

#include <string.h>

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
