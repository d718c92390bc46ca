/* The table of opcodes against the tables of machine words: what an instruction reads and writes
 * besides registers. Random words of every row of the decoder, for architectures from Maxwell to
 * Blackwell. A field of the word where the decoder prints a predicate is written or read by where
 * it stands in the word, which the table of opcodes does not know: it knows operands by their
 * order in the text. The condition code, which has no field, is told by the marks of the text.
 *   WARPBOUND_CROSS_RUNS  words of each row (6 without it)
 *   WARPBOUND_SEED        seed of the first word */
#include "base/random.h"
#include "isa/decoder/word_decoder.h"
#include "isa/sass_facts.h"
#include "unit.h"

#define DEFAULT_WORDS 6
#define DEFAULT_SEED 20261124

/* Two numbers of predicates that a field is given in turn. */
#define ONE 5
#define OTHER 6

/* A field of three bits that names a predicate where the decoder prints one for it. */
struct field {
  uint8_t bits; /* of the family's words */
  uint8_t at;
  bool written;
};

static const struct field fields[] = {
    {64, 0, true},    {64, 3, true},    {64, 45, true},  {64, 48, true},   {64, 51, true},
    {64, 12, false},  {64, 29, false},  {64, 39, false}, {64, 47, false},  {64, 58, false},
    {128, 66, true},  {128, 81, true},  {128, 84, true}, {128, 24, false}, {128, 68, false},
    {128, 77, false}, {128, 87, false},
};

struct sums {
  uint64_t words, understood, written, read, codes_read, codes_written, lanes, failures;
};

/* The decoded text in parts, and what the table of opcodes says of it. */
struct parsed {
  char text[WB_WORD_TEXT_LONGEST + 32]; /* from the opcode on */
  size_t opcode_length;
  struct wb_sass_operand operands[WB_SASS_MOST_OPERANDS];
  size_t count;
  struct wb_sass_facts facts;
  bool understood; /* else every register is taken to be read and written */
};

static void parse(const struct wb_decoded_word *word, unsigned bits, struct parsed *parsed)
{
  const enum wb_sass_family family = bits == 64 ? WB_SASS_64 : WB_SASS_128;
  snprintf(parsed->text, sizeof parsed->text, "%.*s", (int)(word->length - word->guard_length),
           word->text + word->guard_length);
  parsed->opcode_length = strcspn(parsed->text, " ");
  parsed->count = 0;
  const char *cursor = parsed->text + parsed->opcode_length;
  const char *end = parsed->text + strlen(parsed->text);
  bool valid = true;
  while (parsed->count < WB_SASS_MOST_OPERANDS &&
         wb_sass_next_operand(&cursor, end, &parsed->operands[parsed->count])) {
    valid = valid && parsed->operands[parsed->count].fault == NULL;
    parsed->count++;
  }
  const struct wb_sass_opcode *row =
      wb_sass_opcode_find(parsed->text, parsed->opcode_length, family);
  parsed->understood = valid && row != NULL &&
                       wb_sass_facts_make(&parsed->facts, row, family, parsed->text,
                                          parsed->opcode_length, parsed->operands, parsed->count);
}

static bool has(const struct wb_register_span *spans, size_t count, unsigned number)
{
  for (size_t s = 0; s < count; s++)
    if (number >= spans[s].first && number < (unsigned)spans[s].first + spans[s].count)
      return true;
  return false;
}

static bool reads(const struct parsed *parsed, unsigned number)
{
  return has(parsed->facts.reads, parsed->facts.read_count, number);
}

static bool writes(const struct parsed *parsed, unsigned number)
{
  return has(parsed->facts.writes, parsed->facts.write_count, number);
}

static void complain(struct sums *sums, unsigned sm, const struct parsed *parsed, const char *what)
{
  sums->failures++;
  if (sums->failures <= 40)
    fprintf(stderr, "sm_%u: %s: %s\n", sm, parsed->text, what);
}

/* ---- words ---- */

static void set_field(uint64_t word[2], unsigned at, unsigned width, uint64_t value)
{
  for (unsigned b = 0; b < width; b++) {
    const uint64_t bit = UINT64_C(1) << ((at + b) % 64);
    uint64_t *half = &word[(at + b) / 64];
    *half = (value >> b & 1) != 0 ? *half | bit : *half & ~bit;
  }
}

/* A word of the row without guard. False where it is of another row, or not known. */
static bool draw(const struct wb_word_decoder *decoder, const struct wb_word_entry *entry,
                 struct wb_random *random, uint64_t word[2], struct wb_decoded_word *decoded)
{
  const unsigned bits = wb_word_decoder_bits(decoder);
  /* Few bits, or many: modifiers that no word may have together are seldom met. */
  for (unsigned half = 0; half < 2; half++) {
    uint64_t drawn = wb_random_next(random);
    if (wb_random_below(random, 3) > 0)
      drawn &= wb_random_next(random);
    word[half] = (drawn & ~entry->mask[half]) | entry->value[half];
  }
  set_field(word, bits == 64 ? 16 : 12, 4, 7);
  wb_word_decode(decoder, word, 0x1000, decoded);
  return decoded->knowledge == WB_WORD_KNOWN && decoded->entry == entry;
}

/* ---- predicates ---- */

/* Where two texts differ in nothing but P5 and P6, or UP5 and UP6: the register that the first one
 * names; else WB_NO_REGISTER. */
static unsigned named(const char *one, const char *other)
{
  size_t at = 0;
  while (one[at] != '\0' && one[at] == other[at])
    at++;
  if (at < 2 || one[at] != '0' + ONE || other[at] != '0' + OTHER || one[at - 1] != 'P' ||
      strcmp(one + at + 1, other + at + 1) != 0)
    return WB_NO_REGISTER;
  return (one[at - 2] == 'U' ? WB_REGISTER_UNIFORM_PREDICATE : WB_REGISTER_PREDICATE) + ONE;
}

static void check_field(const struct wb_word_decoder *decoder, unsigned sm, const uint64_t drawn[2],
                        const struct field *field, struct sums *sums)
{
  struct wb_decoded_word decoded[2];
  struct parsed parsed[2];
  for (unsigned w = 0; w < 2; w++) {
    uint64_t word[2] = {drawn[0], drawn[1]};
    set_field(word, field->at, 3, w == 0 ? ONE : OTHER);
    wb_word_decode(decoder, word, 0x1000, &decoded[w]);
    if (decoded[w].knowledge != WB_WORD_KNOWN)
      return;
    parse(&decoded[w], field->bits, &parsed[w]);
  }
  const unsigned number = named(parsed[0].text, parsed[1].text);
  if (number == WB_NO_REGISTER || !parsed[0].understood || !parsed[1].understood)
    return;
  sums->written += field->written;
  sums->read += !field->written;
  for (unsigned w = 0; w < 2; w++) {
    if (field->written && !writes(&parsed[w], number + w * (OTHER - ONE)))
      complain(sums, sm, &parsed[w], "a predicate that it writes is not among those written");
    if (!field->written && !reads(&parsed[w], number + w * (OTHER - ONE)))
      complain(sums, sm, &parsed[w], "a predicate that it reads is not among those read");
  }
}

/* ---- the condition code, states of shaders, special registers ---- */

/* Whether the opcode has one of the modifiers. */
static bool has_modifier(const struct parsed *parsed, const char *const *words, size_t count)
{
  const char *end = parsed->text + parsed->opcode_length;
  for (const char *at = memchr(parsed->text, '.', parsed->opcode_length); at != NULL;
       at = memchr(at, '.', (size_t)(end - at))) {
    at++;
    const char *dot = memchr(at, '.', (size_t)(end - at));
    const size_t length = (size_t)((dot != NULL ? dot : end) - at);
    for (size_t w = 0; w < count; w++)
      if (strlen(words[w]) == length && memcmp(words[w], at, length) == 0)
        return true;
  }
  return false;
}

static bool is(const struct wb_sass_operand *operand, const char *text)
{
  return strlen(text) == operand->length && memcmp(text, operand->text, operand->length) == 0;
}

static bool begins(const struct wb_sass_operand *operand, const char *text)
{
  return operand->length >= strlen(text) && memcmp(text, operand->text, strlen(text)) == 0;
}

static bool ends(const struct wb_sass_operand *operand, const char *text)
{
  const size_t length = strlen(text);
  return operand->length > length &&
         memcmp(operand->text + operand->length - length, text, length) == 0;
}

/* Up to Pascal. */
static void check_condition_code(unsigned sm, const struct parsed *parsed, struct sums *sums)
{
  static const char *const carries[] = {"X", "XLO", "XMED", "XHI"};
  static const char *const states[] = {"CSM_TA",  "CSM_TR",  "CSM_MX",
                                       "FCSM_TA", "FCSM_TR", "FCSM_MX"};
  const bool packs = strncmp(parsed->text, "R2P", 3) == 0;
  /* NOP waits, if at all, and does nothing else. */
  if (strncmp(parsed->text, "NOP", 3) == 0)
    return;
  bool read = has_modifier(parsed, carries, COUNT_OF(carries));
  bool written = false;
  bool state = has_modifier(parsed, states, COUNT_OF(states));
  for (size_t o = 0; o < parsed->count; o++) {
    const struct wb_sass_operand *operand = &parsed->operands[o];
    const bool tested = begins(operand, "CC.") && !is(operand, "CC.T") && !is(operand, "CC.F");
    written = written || ends(operand, ".CC") || (packs && o == 0 && is(operand, "CC"));
    read = read || tested || is(operand, "CC");
    state = state || (tested && strstr(parsed->text, "CSM_") != NULL);
  }
  sums->codes_read += read;
  sums->codes_written += written;
  if (read && !reads(parsed, WB_REGISTER_CONDITION_CODE))
    complain(sums, sm, parsed, "it reads the condition code, which is not among those read");
  if (written && !writes(parsed, WB_REGISTER_CONDITION_CODE))
    complain(sums, sm, parsed, "it writes the condition code, which is not among those written");
  if (state && parsed->facts.agreement != WB_AGREES_NEVER)
    complain(sums, sm, parsed, "lanes are said to agree on a state that no register has");
}

/* What another lane may have otherwise, but for the registers of the uniform datapath, which a
 * group agrees on always. */
static void check_lanes(unsigned sm, const struct parsed *parsed, struct sums *sums)
{
  static const char *const agreed[] = {"SR_CTAID", "SR_NTID", "SR_NCTAID", "SRZ"};
  for (size_t o = 0; o < parsed->count; o++) {
    const struct wb_sass_operand *operand = &parsed->operands[o];
    bool differs = begins(operand, "SR_") || begins(operand, "SR") || begins(operand, "SM_");
    for (size_t a = 0; a < COUNT_OF(agreed); a++)
      differs = differs && !begins(operand, agreed[a]);
    differs = differs && operand->kind == WB_SASS_WORD && begins(&parsed->operands[0], "R");
    sums->lanes += differs;
    if (differs && parsed->facts.agreement != WB_AGREES_NEVER)
      complain(sums, sm, parsed, "lanes are said to agree on a special register");
    if (strncmp(parsed->text, "BMOV", 4) == 0 && o > 0 && operand->kind == WB_SASS_WORD &&
        !is(operand, "MACTIVE") && parsed->facts.agreement != WB_AGREES_NEVER)
      complain(sums, sm, parsed, "lanes are said to agree on a state of the warp");
    if (o > 0 && is(operand, "MACTIVE") && parsed->facts.agreement == WB_AGREES_BY_SOURCES)
      complain(sums, sm, parsed, "which lanes run is said to follow from what is read");
  }
}

/* PR: all predicates, or those of a mask. */
static void check_all_predicates(unsigned sm, const struct parsed *parsed, struct sums *sums)
{
  const bool packs = strncmp(parsed->text, "R2P", 3) == 0;
  const struct wb_sass_operand *last = &parsed->operands[parsed->count - 1];
  for (size_t o = 0; o < parsed->count; o++) {
    if (!is(&parsed->operands[o], "PR"))
      continue;
    for (unsigned p = 0; p < 7; p++) {
      /* A mask of what is read counts where it has no bits beside those of predicates. */
      const bool masked = last->kind == WB_SASS_NUMBER && last->integer &&
                          ((uint64_t)last->value >> p & 1) == 0 &&
                          (packs || (last->value >= 0 && last->value < 0x80));
      if (packs && !masked && !writes(parsed, WB_REGISTER_PREDICATE + p))
        complain(sums, sm, parsed, "a predicate of PR is not among those written");
      if (!packs && !masked && !reads(parsed, WB_REGISTER_PREDICATE + p))
        complain(sums, sm, parsed, "a predicate of PR is not among those read");
    }
  }
}

/* ---- all ---- */

static void try_word(const struct wb_word_decoder *decoder, unsigned sm,
                     const struct wb_word_entry *entry, struct wb_random *random, struct sums *sums)
{
  const unsigned bits = wb_word_decoder_bits(decoder);
  struct wb_decoded_word decoded;
  struct parsed parsed;
  uint64_t word[2];
  if (!draw(decoder, entry, random, word, &decoded))
    return;
  sums->words++;
  for (size_t f = 0; f < COUNT_OF(fields); f++)
    if (fields[f].bits == bits)
      check_field(decoder, sm, word, &fields[f], sums);
  parse(&decoded, bits, &parsed);
  if (!parsed.understood)
    return;
  sums->understood++;
  if (bits == 64)
    check_condition_code(sm, &parsed, sums);
  check_lanes(sm, &parsed, sums);
  if (parsed.count > 0)
    check_all_predicates(sm, &parsed, sums);
}

static void try_architecture(unsigned sm, struct sums *sums)
{
  struct wb_word_decoder *decoder;
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", DEFAULT_SEED) + sm};
  const uint64_t words = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_WORDS);
  assert_ok(wb_word_decoder_create(sm, &decoder, NULL));
  const struct wb_word_entries *entries = wb_word_decoder_entries(decoder);
  for (size_t e = 0; e < entries->count; e++)
    for (uint64_t w = 0; w < words; w++)
      try_word(decoder, sm, &entries->items[e], &random, sums);
  wb_word_decoder_free(decoder);
}

static void show(const char *what, const struct sums *sums)
{
  printf("# %s: %llu words, %llu with a row of the table of opcodes; %llu predicates written, "
         "%llu read; condition code %llu times read, %llu written; %llu special registers\n",
         what, (unsigned long long)sums->words, (unsigned long long)sums->understood,
         (unsigned long long)sums->written, (unsigned long long)sums->read,
         (unsigned long long)sums->codes_read, (unsigned long long)sums->codes_written,
         (unsigned long long)sums->lanes);
}

TEST(test_maxwell_and_pascal)
{
  static const unsigned architectures[] = {50, 52, 53, 60, 61, 62};
  struct sums sums = {0};
  (void)state;
  for (size_t a = 0; a < COUNT_OF(architectures); a++)
    try_architecture(architectures[a], &sums);
  show("sm_50 to sm_62", &sums);
  assert_true(sums.codes_read > 0 && sums.codes_written > 0 && sums.written > 0 && sums.read > 0);
  assert_int_equal(sums.failures, 0);
}

TEST(test_volta_and_later)
{
  static const unsigned architectures[] = {70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 120};
  struct sums sums = {0};
  (void)state;
  for (size_t a = 0; a < COUNT_OF(architectures); a++)
    try_architecture(architectures[a], &sums);
  show("sm_70 to sm_120", &sums);
  assert_true(sums.written > 0 && sums.read > 0 && sums.lanes > 0);
  assert_int_equal(sums.failures, 0);
}

/* The lane that a lane reads by a shuffle, and whether it is within range (PTX ISA, `shfl.sync`).
 */
static unsigned lane_read(unsigned mode, unsigned lane, unsigned b, unsigned c, bool *within)
{
  const unsigned clamp = c & 31, parts = c >> 8 & 31;
  const unsigned least = lane & parts, most = least | (clamp & ~parts);
  const unsigned read = mode == 0   ? least | (b & ~parts)
                        : mode == 1 ? lane - b
                        : mode == 2 ? lane + b
                                    : lane ^ b;
  *within = mode == 1 ? (int)read >= (int)most : (int)read <= (int)most;
  return *within ? read : lane;
}

/* Lanes are said to agree on what a shuffle gives just where all of them read one lane. */
TEST(test_shuffles)
{
  static const char *const modes[] = {"IDX", "UP", "DOWN", "BFLY"};
  size_t alike = 0;
  (void)state;
  for (unsigned t = 0; t < 4 * 32 * 1024; t++) {
    const unsigned mode = t / (32 * 1024), b = t / 1024 % 32, c = (t % 1024 / 32) << 8 | t % 32;
    struct wb_decoded_word word = {0};
    struct parsed parsed;
    bool first_within, within, same = true;
    const unsigned first = lane_read(mode, 0, b, c, &first_within);
    for (unsigned lane = 1; lane < 32; lane++)
      same = lane_read(mode, lane, b, c, &within) == first && within == first_within && same;
    word.length = (size_t)snprintf(word.text, sizeof word.text, "SHFL.%s P0, R0, R1, 0x%x, 0x%x",
                                   modes[mode], b, c);
    parse(&word, t % 2 == 0 ? 64 : 128, &parsed);
    assert_true(parsed.understood);
    if ((parsed.facts.agreement == WB_AGREES_BY_LANE) != same)
      fail_msg("%s: lanes %s one lane", word.text, same ? "read" : "do not read");
    alike += same;
  }
  assert_true(alike > 0);
}

/* The opcodes that read the condition code without naming it, each one. */
TEST(test_extended_opcodes)
{
  static const char *const texts[] = {
      "IADD.X R0, R1, R2",
      "IADD3.X R0, R1, R2, R3",
      "IADD32I.X R0, R1, 0x1",
      "LEA.X R0, R1, R2, 0x2",
      "LEA.HI.X R0, R1, R2, R3, 0x2",
      "IMNMX.XLO R0, R1, R2, PT",
      "IMNMX.U32.XMED R0, R1, R2, PT",
      "IMNMX.XHI R0, R1, R2, PT",
      "IMAD.X R0, R1, R2, R3",
      "XMAD.X R0, R1, R2, R3",
      "LOP.AND.X R0, R1, R2",
      "LOP32I.AND.X R0, R1, 0x1",
      "LOP3.LUT.X R0, R1, R2, R3, 0x96",
      "SHL.X R0, R1, R2",
      "SHR.U32.X R0, R1, R2",
      "SHR.XHI R0, R1, R2",
      "SHF.L.X R0, R1, R2, R3",
      "SHF.R.XHI R0, R1, R2, R3",
      "ISET.LT.X.AND R0, R1, R2, PT",
      "ISETP.LT.X.AND P0, PT, R1, R2, PT",
      "CSET.NE.AND R0, CC, PT",
      "CSETP.NE.AND P0, PT, CC, PT",
      "P2R R0, CC, R1, R2",
      "R2P CC, R0, 0x3",
      "BRA CC.NE, 0x40",
      "EXIT CC.LT",
  };
  (void)state;
  for (size_t t = 0; t < COUNT_OF(texts); t++) {
    struct wb_decoded_word word = {.length = strlen(texts[t])};
    struct parsed parsed;
    snprintf(word.text, sizeof word.text, "%s", texts[t]);
    parse(&word, 64, &parsed);
    if (!parsed.understood || !reads(&parsed, WB_REGISTER_CONDITION_CODE))
      fail_msg("%s: the condition code is not read", texts[t]);
  }
}
