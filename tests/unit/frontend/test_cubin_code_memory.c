/* The code of a cubin, read directly, equals the code of the listing that `disassemble` prints of
 * it: for all binary fixtures, and for cubins whose code is made of the words of
 * tests/fixtures/words. */
#include "base/random.h"
#include "binary/cubin/cubin.h"
#include "code/two_ways.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "frontend/binary/binary_front_end.h"
#include "isa/decoder/word_decoder.h"
#include "unit.h"

/* What is compared, for messages. */
static const char *subject;

/* Whether there is code: both ways, or the same error both ways. */
static bool compare(const struct wb_input *source, const char *architecture)
{
  struct two_ways ways;
  compare_two_ways(source->bytes, source->length, architecture, &ways);
  if (ways.difference[0] != '\0')
    fail_msg("%s: %s", subject, ways.difference);
  return ways.read;
}

TEST(test_fixtures)
{
  static const struct {
    const char *name;
    const char *architecture; /* of a file of several */
  } files[] = {
      {"binary/vectors/new_120a.cubin", NULL},        {"binary/vectors/new_75.cubin", NULL},
      {"binary/vectors/old_52.cubin", NULL},          {"binary/vectors/old_61.cubin", NULL},
      {"binary/vectors/old_90a.cubin", NULL},         {"binary/vectors/relocatable_87.cubin", NULL},
      {"binary/vectors/relocations_120.cubin", NULL}, {"binary/vectors/relocations_52.cubin", NULL},
      {"binary/vectors/relocations_75.cubin", NULL},  {"binary/vectors/clusters.fatbin", NULL},
      {"binary/vectors/family.fatbin", NULL},         {"binary/listings/branches_75.cubin", NULL},
      {"binary/listings/lines_61.cubin", NULL},       {"binary/vectors/modules.fatbin", "sm_87"},
      {"binary/vectors/modules.fatbin", "sm_75"},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    FREED_BY(wb_input_free) struct wb_input source;
    subject = files[f].name;
    fixture_read(&source, "%s", subject);
    assert_true(compare(&source, files[f].architecture));
  }
}

/* The lower and the upper half of the word that a line begins with. */
static void read_word(const char *line, uint64_t word[2])
{
  const size_t digits = strcspn(line, "\t");
  const size_t high = digits > 16 ? digits - 16 : 0;
  char part[17];
  snprintf(part, sizeof part, "%.*s", (int)high, line);
  word[1] = strtoull(part, NULL, 16);
  snprintf(part, sizeof part, "%.*s", (int)(digits - high), line + high);
  word[0] = strtoull(part, NULL, 16);
}

/* Whether an instruction can stand anywhere: not those that go somewhere, nor EXIT, which metadata
 * lists. */
static bool is_movable(const char *text)
{
  static const char *const others[] = {"EXIT",  "BRA",      "BSSY",     "CAL",  "JMP",
                                       "JCAL",  "PRET",     "PBK",      "PCNT", "SSY",
                                       "PEXIT", "PLONGJMP", "WARPSYNC", "RET"};
  if (*text == '@')
    text += strcspn(text, " ") + 1;
  for (size_t o = 0; o < COUNT_OF(others); o++)
    if (strncmp(text, others[o], strlen(others[o])) == 0)
      return false;
  return strchr(text, '?') == NULL;
}

/* Words of a file of tests/fixtures/words, one after the other. */
struct word_source {
  const char *line;
  const struct wb_word_decoder *decoder;
  struct wb_random random;
  unsigned flips; /* random bits that are changed in each word; 0: none */
};

/* The next word that is known and can stand anywhere; false where the file ends. */
static bool next_word(struct word_source *source, uint64_t word[2])
{
  while (source->line != NULL && *source->line != '\0') {
    const char *line = source->line;
    source->line = strchr(line, '\n');
    source->line += source->line != NULL;
    if (*line == '#')
      continue;
    read_word(line, word);
    const unsigned bits = wb_word_decoder_bits(source->decoder);
    for (unsigned f = 0; f < source->flips; f++) {
      const uint64_t bit = wb_random_below(&source->random, bits);
      word[bit / 64] ^= UINT64_C(1) << bit % 64;
    }
    struct wb_decoded_word decoded;
    wb_word_decode(source->decoder, word, 0, &decoded);
    if (decoded.knowledge == WB_WORD_KNOWN && is_movable(decoded.text))
      return true;
  }
  return false;
}

/* Whether metadata lists an EXIT at an offset of a section. */
static bool is_exit(const struct wb_cubin *cubin, const struct wb_cubin_section *section,
                    uint64_t at)
{
  if (section->function == WB_CUBIN_NONE)
    return false;
  const struct wb_cubin_slice *exits = &cubin->functions[section->function].facts.exits;
  for (size_t e = 0; e < exits->count; e++)
    if (cubin->offsets[exits->first + e] == at)
      return true;
  return false;
}

/* Fills the code of a cubin with the words of a file, again and again until all were there. */
static void compare_words(const char *cubin_name, const char *words_name, unsigned flips)
{
  struct wb_input source, words;
  FREED_BY(wb_cubin_free) struct wb_cubin cubin;
  struct wb_word_decoder *decoder;
  subject = cubin_name;
  fixture_read(&words, "%s", words_name);
  fixture_read(&source, "%s", cubin_name);
  assert_ok(wb_word_decoder_create((unsigned)strtoul(strrchr(words_name, '_') + 1, NULL, 10),
                                   &decoder, NULL));
  assert_ok(wb_cubin_read("x", (const unsigned char *)source.bytes, source.length, &cubin, NULL));
  struct word_source from = {.line = words.bytes, .decoder = decoder, .flips = flips};
  const unsigned size = wb_word_decoder_bits(decoder) / 8;
  size_t read = 0, rounds = 0, placed = 0;
  for (bool more = true; more; rounds++) {
    for (size_t s = 0; s < cubin.section_count; s++) {
      const struct wb_cubin_section *section = &cubin.sections[s];
      for (uint64_t at = 0; wb_cubin_is_code(section) && at < section->size; at += size) {
        uint64_t word[2];
        if ((size == 8 && at % 32 == 0) || is_exit(&cubin, section, at))
          continue;
        more = next_word(&from, word);
        if (!more)
          break;
        memcpy(source.bytes + section->place + at, word, size);
        placed++;
      }
    }
    read += compare(&source, NULL);
  }
  print_message("# %s, %u bits flipped: %zu words, %zu of %zu cubins have no error\n", words_name,
                flips, placed, read, rounds);
  assert_true(placed > 1000);
  wb_word_decoder_free(decoder);
  wb_input_free(&words);
  wb_input_free(&source);
}

/* The words as they are, and with some bits changed at random. */
TEST(test_words)
{
  static const char *const files[][2] = {
      {"binary/vectors/old_52.cubin", "words/sm_52.txt"},
      {"binary/vectors/old_61.cubin", "words/sm_61.txt"},
      {"binary/vectors/new_75.cubin", "words/sm_75.txt"},
      {"binary/vectors/relocatable_87.cubin", "words/sm_86.txt"},
      {"binary/vectors/old_90a.cubin", "words/sm_90.txt"},
      {"binary/vectors/new_120a.cubin", "words/sm_120.txt"},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++)
    for (unsigned flips = 0; flips <= 3; flips++)
      compare_words(files[f][0], files[f][1], flips);
}

static warpbound_status read_code(const void *context, warpbound_error *error)
{
  const struct wb_input *source = context;
  const struct wb_image_wish wish = {.machine_code_only = true, .device = 87};
  struct wb_code code = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  bool ptx;
  const warpbound_status status =
      wb_binary_code("x", source->bytes, source->length, &wish, NULL, &code, &text, &ptx, error);
  if (status == WARPBOUND_OK)
    wb_code_free(&code);
  return status;
}

TEST(test_failing_allocations)
{
  static const char *const files[] = {"binary/vectors/relocatable_87.cubin",
                                      "binary/vectors/modules.fatbin"};
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    FREED_BY(wb_input_free) struct wb_input source;
    fixture_read(&source, files[f]);
    assert_true(fail_each(read_code, &source, WARPBOUND_OK) > 0);
  }
}

/* Fills the control words of a cubin's code with random bits. */
static void randomise_control(struct wb_input *source, struct wb_random *random)
{
  struct wb_cubin cubin;
  warpbound_error error;
  unsigned char *bytes = (unsigned char *)source->bytes;
  assert_ok(wb_cubin_read("x", bytes, source->length, &cubin, &error));
  for (size_t s = 0; s < cubin.section_count; s++) {
    const struct wb_cubin_section *section = &cubin.sections[s];
    const bool wide = cubin.architecture >= 70;
    if (!wb_cubin_is_code(section))
      continue;
    for (uint64_t at = 0; at + (wide ? 16 : 32) <= section->size; at += wide ? 16 : 32) {
      const uint64_t drawn = wb_random_next(random);
      /* Bits 105 to 125 of an instruction, or a word before three. */
      for (unsigned bit = wide ? 105 : 0; bit < (wide ? 126 : 63); bit++) {
        unsigned char *byte = &bytes[section->place + at + bit / 8];
        const unsigned one = 1U << bit % 8;
        *byte = (unsigned char)((drawn >> bit % 64 & 1) != 0 ? *byte | one : *byte & ~one);
      }
    }
  }
  wb_cubin_free(&cubin);
}

/* Whether what the listing says of control words is what they say. */
static bool control_is_read_back(const struct wb_input *source)
{
  const struct wb_image_wish wish = {.machine_code_only = true, .device = 87};
  const struct wb_binary_form form = {.code_only = true, .control = true};
  FREED_BY(wb_text_free) struct wb_text listing = {0}, none = {0};
  struct wb_code direct, listed;
  warpbound_error error;
  bool ptx;
  if (wb_binary_code("x", source->bytes, source->length, &wish, NULL, &direct, &none, &ptx,
                     &error) != WARPBOUND_OK)
    return false; /* the bits of a pair without its second, say */
  assert_ok(
      wb_binary_text("x", source->bytes, source->length, &wish, &form, &listing, &ptx, &error));
  assert_ok(wb_sass_parse("x", listing.data, listing.length, NULL, &listed, &error));
  assert_int_equal(direct.function_count, listed.function_count);
  for (size_t f = 0; f < direct.function_count; f++) {
    const struct wb_function *one = &direct.functions[f], *other = &listed.functions[f];
    assert_int_equal(one->instruction_count, other->instruction_count);
    for (size_t i = 0; i < one->instruction_count; i++) {
      const struct wb_control_word *a = &one->encodings[i].control;
      const struct wb_control_word *b = &other->encodings[i].control;
      assert_true(other->encodings[i].has_control);
      assert_int_equal(a->stall, b->stall);
      assert_int_equal(a->yield, b->yield);
      assert_int_equal(a->write_barrier, b->write_barrier);
      assert_int_equal(a->read_barrier, b->read_barrier);
      assert_int_equal(a->wait_mask, b->wait_mask);
      assert_int_equal(a->reuse, b->reuse);
      assert_int_equal(one->instructions[i].dual_issue, other->instructions[i].dual_issue);
    }
  }
  wb_code_free(&direct);
  wb_code_free(&listed);
  return true;
}

TEST(test_control_words)
{
  static const char *const files[] = {
      "binary/vectors/old_52.cubin",       "binary/vectors/old_61.cubin",
      "binary/vectors/new_75.cubin",       "binary/vectors/relocatable_87.cubin",
      "binary/vectors/old_90a.cubin",      "binary/vectors/new_120a.cubin",
      "binary/listings/branches_75.cubin",
  };
  struct wb_random random = {28};
  size_t read = 0;
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    FREED_BY(wb_input_free) struct wb_input source;
    fixture_read(&source, "%s", files[f]);
    assert_true(control_is_read_back(&source));
    for (unsigned n = 0; n < 40; n++) {
      randomise_control(&source, &random);
      read += control_is_read_back(&source);
    }
  }
  assert_true(read > 150);
}
