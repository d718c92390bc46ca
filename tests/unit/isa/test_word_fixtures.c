/* Random machine words of every row of the tables: what the decoder prints against the text of
 * NVIDIA's disassembler (tests/fixtures/words, by scripts/make-word-fixtures). */
#include "fixtures.h"
#include "isa/decoder/word_decoder.h"
#include "isa/sass_opcodes.h"
#include "unit.h"

/* The word that a line begins with: its digits, and the number in halves of 64 bits. */
static size_t read_word(const char *line, uint64_t word[2])
{
  const size_t digits = strcspn(line, "\t");
  char part[17];
  const size_t high = digits > 16 ? digits - 16 : 0;
  snprintf(part, sizeof part, "%.*s", (int)high, line);
  word[1] = strtoull(part, NULL, 16);
  snprintf(part, sizeof part, "%.*s", (int)(digits - high), line + high);
  word[0] = strtoull(part, NULL, 16);
  return digits;
}

/* Whether differences.txt lists the word: lines of an architecture, a blank, a word. */
static bool is_listed(const char *differences, const char *architecture, const char *line,
                      size_t digits)
{
  char entry[64];
  snprintf(entry, sizeof entry, "\n%s %.*s", architecture, (int)digits, line);
  return strstr(differences, entry) != NULL;
}

/* Opcodes that words have and src/isa/opcodes.def has not, so that they count as unknown
 * (doc/architecture.md): of graphics, of the system, and some of which nothing says what they read
 * and write. */
static const char *const without_row[] = {"AL2P",  "ALD",    "AST",    "CSMTEST", "FOOTPRINT",
                                          "IPA",   "ISBERD", "ISBEWR", "LDTRAM",  "OUT",
                                          "PIXLD", "QADD4",  "QFMA4",  "QMUL4",   "STP",
                                          "TMML",  "TXA",    "UREDGR", "USTGR",   "WARPGROUPSET"};

static bool met[COUNT_OF(without_row)];

static bool is_row(const char *name, size_t length)
{
  size_t count;
  bool found = false;
  const struct wb_sass_opcode *rows = wb_sass_opcode_rows(&count);
  for (size_t r = 0; r < count && !found; r++)
    found = strlen(rows[r].opcode) == length && strncmp(rows[r].opcode, name, length) == 0;
  return found;
}

/* Whether the opcode of a text has a row, or is listed above. */
static bool is_known(const char *text)
{
  text = *text == '@' ? text + strcspn(text, " ") + 1 : text;
  const size_t length = strcspn(text, ". ");
  for (size_t i = 0; i < COUNT_OF(without_row); i++) {
    if (strlen(without_row[i]) == length && strncmp(text, without_row[i], length) == 0) {
      met[i] = true;
      return !is_row(text, length);
    }
  }
  return is_row(text, length);
}

/* Each word of the architecture's fixture decodes to the text beside it. */
static void compare_words(const char *architecture)
{
  struct wb_word_decoder *decoder;
  struct wb_decoded_word decoded;
  char name[32];
  size_t words = 0, differences = 0;
  snprintf(name, sizeof name, "%s.txt", architecture);
  struct wb_input source, listed;
  fixture_read(&source, "words/%s", name);
  fixture_read(&listed, "words/differences.txt");
  assert_ok(wb_word_decoder_create((unsigned)strtoul(architecture + 3, NULL, 10), &decoder, NULL));
  for (char *line = source.bytes, *next; line != NULL && *line != '\0'; line = next) {
    uint64_t word[2];
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = '\0';
    if (*line == '#')
      continue;
    const size_t digits = read_word(line, word);
    wb_word_decode(decoder, word, 0, &decoded);
    const bool equal = strcmp(decoded.text, line + digits + 1) == 0;
    words++;
    if (!is_known(line + digits + 1))
      fail_msg("%s: a row and no row, or neither", line);
    if (equal == !is_listed(listed.bytes, architecture, line, digits))
      continue;
    differences++;
    if (differences <= 10)
      print_error("%s%s\n  %s\n", line, equal ? "\n  is no difference any more" : "", decoded.text);
  }
  wb_word_decoder_free(decoder);
  wb_input_free(&listed);
  wb_input_free(&source);
  if (differences > 0)
    fail_msg("%s: %zu of %zu words", architecture, differences, words);
  assert_true(words > 1000);
}

TEST(every_word_has_the_disassemblers_text)
{
  static const char *const architectures[] = {"sm_50", "sm_52",  "sm_60",  "sm_61",  "sm_70",
                                              "sm_72", "sm_75",  "sm_80",  "sm_86",  "sm_89",
                                              "sm_90", "sm_100", "sm_101", "sm_103", "sm_120"};
  for (size_t i = 0; i < COUNT_OF(architectures); i++)
    compare_words(architectures[i]);
  for (size_t i = 0; i < COUNT_OF(without_row); i++)
    if (!met[i])
      fail_msg("%s: no word has it", without_row[i]);
}
