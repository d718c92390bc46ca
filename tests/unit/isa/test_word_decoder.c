/* The decoder of machine words and the language of its tables: operands, choices, groups, macros,
 * forms, guards, words that no row is of, and rows that do not obey the language. */
#include "isa/decoder/word_decoder.h"
#include "unit.h"

static const struct wb_word_form forms[] = {{'r', 0x200, 0xe00}, {'i', 0x800, 0xe00}};

static const struct wb_word_text family_texts[] = {
    {"rd", "{R 16}", NULL},      {"b", "?", NULL},       {"b/r", "{R 32}", NULL},
    {"b/i", "{x 32:32}", NULL},  {"bc", "{P 32}", NULL}, {"ftz", "{20=/.FTZ}", NULL},
    {"two", "<1=0?$one>", NULL}, {"one", "$two", NULL},
};
static const struct wb_word_text table_texts[] = {
    {"sizes", ".U8/.S8/4:.32/.64/9:.128", ".SIZE%u!"},
    {"names", "A/B/?/!", NULL},
    {"rd", "own{R 16}", NULL},
    {"plain", "/", "NONE"},
};

/* Decodes a word by a table of one row, in a family with the forms and texts above. */
static struct wb_decoded_word decode_by(struct wb_word_row row, uint64_t high, uint64_t low)
{
  row.architectures = WB_TURING;
  struct wb_word_table table = {&row, 1, table_texts, COUNT_OF(table_texts)};
  const struct wb_word_table *tables[] = {&table};
  struct wb_word_family family = {
      .bits = 128,
      .opcode_width = 12,
      .guard_at = 12,
      .forms = forms,
      .form_count = 2,
      .texts = family_texts,
      .text_count = COUNT_OF(family_texts),
      .tables = tables,
      .table_count = 1,
  };
  struct wb_word_decoder *decoder;
  warpbound_error error = {0};
  struct wb_decoded_word decoded = {.knowledge = WB_WORD_UNKNOWN};
  if (wb_word_decoder_make(&family, WB_TURING, &decoder, &error) != WARPBOUND_OK) {
    assert_int_equal(error.status, WARPBOUND_INTERNAL);
    snprintf(decoded.text, sizeof decoded.text, "%s", error.message);
    return decoded;
  }
  uint64_t word[2] = {low, high};
  wb_word_decode(decoder, word, 0x100, &decoded);
  decoded.entry = NULL; /* it is the decoder's */
  wb_word_decoder_free(decoder);
  return decoded;
}

/* The same for a row of opcode 0 and any text, in a word without guard. */
static void expect(const char *text, uint64_t high, uint64_t low, const char *expected)
{
  struct wb_decoded_word decoded =
      decode_by((struct wb_word_row){.text = text}, high, low | 7 << 12);
  assert_string_equal(decoded.text, expected);
  if (decoded.knowledge == WB_WORD_KNOWN)
    assert_int_equal(decoded.length, strlen(expected));
}

TEST(test_operands)
{
  expect("MOV {R 16}, {R 24}", 0, 0xff030000, "MOV R3, RZ");
  expect("{U 24} {U 32}", 0, 0x3f05000000, "UR5 URZ");
  expect("{P 16} {P 20} {UP 16} {UP 20}", 0, 0x720000, "P2 PT UP2 UPT");
  expect("{B 16} {SB 20}", 0, 0x7f0000, "B15 SB7");
  expect("{x 32:32} {s 32:8} {i 32:8} {j 32:8}", 0, 0xf000000000, "0xf0 -0x10 240 -16");
  expect("[{R 16}{o 24:8}{o 32:8}{o 40:8}]", 0, 0x00f01f050000, "[R5+0x1f+-0x10]");
  expect("{x 60:8} {x 64:64} {s 64:64}", 0xffffffffffffffff, 0xa000000000000000,
         "0xfa 0xffffffffffffffff -0x1");
  expect("{m 24:8} {m 32:3}|", 0, 0x8100000000 | 0x81000000, "{7,0} {0}|");
  expect("{m 24:8}|", 0, 0, "|");
  expect("{f 32} {h 32} {d 32}", 0, 0x3f80000000000000, "1 0 0.0078125");
  expect("A {f 32}, {h 32}, {f 32}", 0, 0x8000000000000000, "A -0.0 , 0, -0.0");
  expect("A {f 32}.NEG, {f 32}", 0, 0x7f80000000000000, "A +INF .NEG, +INF");
}

TEST(test_fields)
{
  expect("{x 40:4,32:4}", 0, 0x0a0500000000, "0x5a");
  expect("{x 16:4*3<<2+1}", 0, 0x20000, "0x19");
  expect("{s 16:4*4}", 0, 0xf0000, "-0x4");
  expect("{i 16:2+1}", 0, 0x30000, "4");
  expect("{R 16:7*2}", 0, 0x30000, "R6");
}

TEST(test_marks)
{
  expect("A {-20}{|21}{R 16:4}{|21}{r 22}", 0, 0x730000, "A -|R3|.reuse");
  expect("A {!20}{~21}{R 16:4}{r 22}", 0, 0x030000, "A R3");
}

TEST(test_choices)
{
  expect("A{16:2=/.B/.C}", 0, 0x10000, "A.B");
  expect("A{16:2=/.B/.C}", 0, 0x00000, "A");
  expect("A{16:2=/.B/.C}", 0, 0x30000, "A.INVALID3");
  expect("A {16:2=X/?/3:Y}", 0, 0x10000, "A INVALID1");
  expect("A {16:2=X/?/3:Y}", 0, 0x30000, "A Y");
  expect("A{16:4@sizes}", 0, 0x10000, "A.S8");
  expect("A{16:4@sizes}", 0, 0x50000, "A.64");
  expect("A{16:4@sizes}", 0, 0x90000, "A.128");
  expect("A{16:4@sizes}", 0, 0x30000, "A.SIZE3!");
  expect("A {16:2@names}", 0, 0x20000, "A INVALID2");
  expect("A {16:2@names}", 0, 0x30000, "UNKNOWN 0x0, 0x37000");
  expect("A {16:2@plain}", 0, 0x30000, "A NONE");
}

TEST(test_groups)
{
  expect("A<16=1? {R 24}>, B", 0, 0x5010000, "A R5, B");
  expect("A<16=1? {R 24}>, B", 0, 0x5000000, "A, B");
  expect("A<16:3!=7&20=0?, {P 16}>", 0, 0x020000, "A, P2");
  expect("A<16:3!=7&20=0?, {P 16}>", 0, 0x070000, "A");
  expect("A<16:3!=7&20=0?, {P 16}>", 0, 0x120000, "A");
  expect("A<16=1?B<17=1?C<18=1?D>>E>F", 0, 0x70000, "ABCDEF");
  expect("A<16=1?B<17=1?C<18=1?D>>E>F", 0, 0x50000, "ABEF");
  expect("A<16=1?B<17=1?C<18=1?D>>E>F", 0, 0x60000, "AF");
  expect("A<16:8=0x1f?B>", 0, 0x1f0000, "AB");
}

TEST(test_macros_and_forms)
{
  expect("A$ftz $rd", 0, 0x150000, "A.FTZ ownR21");
  struct wb_word_row row = {.opcode = 0x21, .forms = "ri", .text = "ADD $b $bc"};
  assert_string_equal(decode_by(row, 0, 0x0500007221).text, "ADD R5 P5");
  assert_string_equal(decode_by(row, 0, 0x0500007821).text, "ADD 0x5 P5");
  assert_string_equal(decode_by(row, 0, 0x0500007421).text, "UNKNOWN 0x0, 0x500007421");
}

TEST(test_guards)
{
  struct wb_word_row row = {.text = "A"};
  assert_string_equal(decode_by(row, 0, 0x0000).text, "@P0 A");
  assert_string_equal(decode_by(row, 0, 0xb000).text, "@!P3 A");
  assert_string_equal(decode_by(row, 0, 0xf000).text, "@!PT A");
  assert_string_equal(decode_by(row, 0, 0x7000).text, "A");
  assert_int_equal(decode_by(row, 0, 0xb000).guard_length, 5);
  row.text = "^A";
  assert_string_equal(decode_by(row, 0, 0xb000).text, "@!UP3 A");
  row.text = "-A";
  assert_string_equal(decode_by(row, 0, 0xb000).text, "A");
}

TEST(test_targets)
{
  struct wb_word_row row = {.text = "BRA {t 32:16*4} ;"};
  struct wb_decoded_word decoded = decode_by(row, 0, 0xfffc00007000);
  assert_string_equal(decoded.text, "BRA 0x100 ;");
  assert_true(decoded.has_target);
  assert_int_equal(decoded.target, 0x100);
  assert_int_equal(decoded.target_place, 4);
  assert_int_equal(decoded.target_length, 5);
  decoded = decode_by(row, 0, 0xff0000007000); /* before the code */
  assert_string_equal(decoded.text, "BRA -0x2f0 ;");
  assert_int_equal(decoded.target, -0x2f0);
  assert_int_equal(decoded.target_length, 6);
  row.text = "JMP {T 32:16}";
  assert_int_equal(decode_by(row, 0, 0xfffc00007000).target, 0xfffc);
  row.text = "JMP";
  assert_false(decode_by(row, 0, 0xfffc00007000).has_target);
}

TEST(test_where)
{
  struct wb_word_row row = {.where = "16:2=2&91=1&20:4!=15&30:2<<1=4", .text = "A"};
  uint64_t low = 0x80027000, high = 1 << 27;
  assert_int_equal(decode_by(row, high, low).knowledge, WB_WORD_KNOWN);
  assert_int_equal(decode_by(row, 0, low).knowledge, WB_WORD_UNKNOWN);
  assert_int_equal(decode_by(row, high, low | 0x10000).knowledge, WB_WORD_UNKNOWN);
  assert_int_equal(decode_by(row, high, low | 0xf00000).knowledge, WB_WORD_UNKNOWN);
  assert_int_equal(decode_by(row, high, low | 0x40000000).knowledge, WB_WORD_UNKNOWN);
}

TEST(test_unknown_words)
{
  struct wb_word_row row = {.where = "16=1", .text = "FADD{17=/.FTZ} R0"};
  struct wb_decoded_word decoded = decode_by(row, 0x1, 0x0);
  assert_string_equal(decoded.text, "UNKNOWN.FADD 0x1, 0x0");
  assert_int_equal(decoded.knowledge, WB_WORD_UNKNOWN_FORM);
  assert_string_equal(decode_by(row, 0, 0x1).text, "UNKNOWN 0x0, 0x1");
  row.text = "BRA";
  assert_string_equal(decode_by(row, 0, 0x0).text, "UNKNOWN 0x0, 0x0");
}

TEST(test_malformed_rows)
{
  static const char *const texts[] = {
      "A{",
      "A}",
      "A{}",
      "A{R}",
      "A{R }",
      "A{Q 16}",
      "A{x 16}",
      "A{x 16:0}",
      "A{x 120:16}",
      "A{x 0:64,64:1}",
      "A{R 16",
      "A{16:2}",
      "A{16:2=A/B",
      "A{16:2@none}",
      "A{16:2@sizesX}",
      "A{- 3}",
      "A$none",
      "A$",
      "A$one",
      "A<16=1?B",
      "A<16=1>",
      "A<16?B>",
      "A>",
      "A<16==1?B>",
      "A{x 16:4*}",
      "A{x 16:4<1}",
      "A{x 16:4<<64}",
      "A{x 16:4,}",
      "A{R 300}",
      "A{r 16:2 }",
  };
  for (size_t t = 0; t < COUNT_OF(texts); t++) {
    struct wb_decoded_word decoded = decode_by((struct wb_word_row){.text = texts[t]}, 0, 0);
    char expected[100];
    snprintf(expected, sizeof expected, "malformed row 0x0 of machine words: %s", texts[t]);
    assert_string_equal(decoded.text, expected);
  }
  static const char *const wheres[] = {"", "16", "16=", "16=1&", "16=1,", "16=1&16=0", "16=2"};
  for (size_t w = 0; w < COUNT_OF(wheres); w++) {
    struct wb_word_row row = {.where = wheres[w], .text = "A"};
    assert_string_equal(decode_by(row, 0, 0).text, "malformed row 0x0 of machine words: A");
  }
  struct wb_word_row row = {.forms = "x", .text = "A"};
  assert_string_equal(decode_by(row, 0, 0).text, "malformed row 0x0 of machine words: A");
}

static const unsigned versions[] = {50, 52, 53, 60, 61,  62,  70,  72,  75,  80, 86,
                                    87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

/* Every row of every architecture compiles. */
TEST(test_all_architectures)
{
  for (size_t v = 0; v < COUNT_OF(versions); v++) {
    struct wb_word_decoder *decoder;
    warpbound_error error;
    if (wb_word_decoder_create(versions[v], &decoder, &error) != WARPBOUND_OK)
      fail_msg("sm_%u: %s", versions[v], error.message);
    assert_int_equal(wb_word_decoder_bits(decoder), versions[v] < 70 ? 64 : 128);
    wb_word_decoder_free(decoder);
  }
  static const unsigned unknown[] = {0, 35, 49, 54, 65, 73, 99, 111, 130, UINT32_MAX};
  for (size_t v = 0; v < COUNT_OF(unknown); v++) {
    struct wb_word_decoder *decoder;
    assert_invalid(wb_word_decoder_create(unknown[v], &decoder, NULL));
    assert_null(decoder);
  }
}

/* Words that random ones seldom hit: nvdisasm 13.5 of sm_120 prints these texts. */
TEST(test_uniform_rounding)
{
  static const struct {
    uint64_t bits[2];
    const char *text;
  } words[] = {
      {{0x00000008000b725d, 0x000fe20008114800}, "UFRND.FTZ.F16.FLOOR UR11, UR8"},
      {{0x00000008000b725d, 0x000fe20008402000}, "UFRND.BF16 UR11, UR8"},
      {{0x10000008000b725d, 0x000fe2000820d000}, "UFRND.TRUNC UR11, UR8"},
      {{0x10000008000b725d, 0x000fe20008100800}, "UFRND.F16 UR11, UR8.H1"},
      {{0x20000008000b725d, 0x000fe20008100800}, "UFRND.F16 UR11, UR8.INVALID2"},
      {{0x3f800008000b785d, 0x000fe20008201000}, "UFRND UR11, 1.0000009536743164062"},
      {{0x00003c08000b785d, 0x000fe20008100800}, "UFRND.F16 UR11, 1.0078125"},
      {{0x00003f88000b785d, 0x000fe20008402000}, "UFRND.BF16 UR11, 1.0625"},
      {{0x90000008000b725d, 0x000fe20008402000}, "UFRND.BF16 UR11, -UR8.H1"},
  };
  struct wb_word_decoder *decoder;
  assert_ok(wb_word_decoder_create(120, &decoder, NULL));
  for (size_t w = 0; w < COUNT_OF(words); w++) {
    struct wb_decoded_word decoded;
    wb_word_decode(decoder, words[w].bits, 0, &decoded);
    assert_string_equal(decoded.text, words[w].text);
  }
  wb_word_decoder_free(decoder);
}

/* The control bits of a word of 64 bits stand behind it: those of an FFMA of R1, R2 and R3. */
TEST(test_control_bits)
{
  struct wb_word_decoder *decoder;
  assert_ok(wb_word_decoder_create(52, &decoder, NULL));
  uint64_t word[2] = {0x5980018000270100, 0x7e0};
  struct wb_decoded_word decoded;
  wb_word_decode(decoder, word, 0, &decoded);
  assert_string_equal(decoded.text, "FFMA R0, R1, R2, R3");
  word[1] |= 5 << 17;
  wb_word_decode(decoder, word, 0, &decoded);
  assert_string_equal(decoded.text, "FFMA R0, R1.reuse, R2, R3.reuse");
  wb_word_decoder_free(decoder);
}

/* Whether a program may find that its row does not apply. */
static bool may_refuse(const struct wb_word_code *code, const struct wb_word_entry *entry)
{
  for (uint32_t s = entry->first_step; s < entry->end_step; s++) {
    if (code->steps[s].kind != WB_WORD_STEP_CHOICE)
      continue;
    const struct wb_word_choice *choice = &code->choices[code->steps[s].place];
    for (uint32_t i = 0; i < choice->count; i++)
      if (code->options[choice->first + i].kind == WB_WORD_OPTION_NEVER)
        return true;
  }
  return false;
}

/* Whether no word reaches `later` since `earlier` takes all that it is of: said only where it is
 * plain. */
static bool hides(const struct wb_word_code *code, const struct wb_word_entry *earlier,
                  const struct wb_word_entry *later)
{
  for (unsigned half = 0; half < 2; half++)
    if ((earlier->mask[half] & ~later->mask[half]) != 0 ||
        ((earlier->value[half] ^ later->value[half]) & earlier->mask[half]) != 0)
      return false;
  return earlier->test_count == 0 && !may_refuse(code, earlier);
}

/* A row that is hidden by an earlier one in all its forms and architectures is a mistake. */
static bool is_hidden(const struct wb_word_entries *entries, size_t later)
{
  for (size_t e = 0; e < later; e++) {
    if (hides(&entries->code, &entries->items[e], &entries->items[later]))
      return true;
  }
  return false;
}

static bool is_reached(const struct wb_word_row *row)
{
  for (size_t v = 0; v < COUNT_OF(versions); v++) {
    struct wb_word_decoder *decoder;
    bool reached = false;
    if (wb_word_decoder_create(versions[v], &decoder, NULL) != WARPBOUND_OK)
      return false;
    const struct wb_word_entries *entries = wb_word_decoder_entries(decoder);
    for (size_t e = 0; e < entries->count && !reached; e++)
      reached = entries->items[e].row == row && !is_hidden(entries, e);
    wb_word_decoder_free(decoder);
    if (reached)
      return true;
  }
  return false;
}

TEST(test_every_row_is_reached)
{
  unsigned hidden = 0;
  for (size_t v = 0; v < COUNT_OF(versions); v++) {
    struct wb_word_decoder *decoder;
    assert_ok(wb_word_decoder_create(versions[v], &decoder, NULL));
    const struct wb_word_entries *entries = wb_word_decoder_entries(decoder);
    for (size_t e = 0; e < entries->count; e++) {
      const struct wb_word_row *row = entries->items[e].row;
      if (is_hidden(entries, e) && !is_reached(row)) {
        print_error("row 0x%x is never reached: %s\n", row->opcode, row->text);
        hidden++;
      }
    }
    wb_word_decoder_free(decoder);
  }
  assert_int_equal(hidden, 0);
}
