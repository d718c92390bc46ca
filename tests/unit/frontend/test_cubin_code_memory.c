/* The code of a cubin, read directly, equals the code of the listing that `disassemble` prints of
 * it: for all binary fixtures, and for cubins whose code is made of the words of
 * tests/fixtures/words. */
#include "binary/cubin/cubin.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "frontend/binary/binary_front_end.h"
#include "unit.h"

/* What is compared, for messages. */
static const char *subject;

static void same_text(const char *one, const char *other, const char *what)
{
  if ((one == NULL) != (other == NULL) || (one != NULL && strcmp(one, other) != 0))
    fail_msg("%s: %s: '%s', by its listing '%s'", subject, what, one != NULL ? one : "NULL",
             other != NULL ? other : "NULL");
}

static void same_bytes(const void *one, size_t count, const void *other, size_t other_count,
                       size_t size, const char *what)
{
  if (count != other_count || (count > 0 && memcmp(one, other, count * size) != 0))
    fail_msg("%s: %s: %zu, by its listing %zu, or other ones", subject, what, count, other_count);
}

static void same_labels(const struct wb_label *one, size_t count, const struct wb_label *other,
                        size_t other_count)
{
  assert_int_equal(count, other_count);
  for (size_t l = 0; l < count; l++) {
    same_text(one[l].name, other[l].name, "label");
    assert_int_equal(one[l].index, other[l].index);
    assert_int_equal(one[l].line, other[l].line);
  }
}

/* Texts by their characters, all other members by their bytes. */
static void same_instruction(struct wb_instruction one, struct wb_instruction other)
{
  same_text(one.opcode, other.opcode, "opcode");
  same_text(one.operands, other.operands, "operands");
  same_text(one.callee, other.callee, "callee");
  same_text(one.assumption, other.assumption, "assumption");
  one.opcode = one.operands = one.callee = one.assumption = NULL;
  other.opcode = other.operands = other.callee = other.assumption = NULL;
  for (size_t b = 0; b < sizeof one; b++)
    if (((const unsigned char *)&one)[b] != ((const unsigned char *)&other)[b])
      fail_msg("%s: byte %zu of the instruction at 0x%x differs", subject, b,
               (unsigned)one.address);
}

static void same_function(const struct wb_function *one, const struct wb_function *other)
{
#define SAME(list, count)                                                                          \
  same_bytes(one->list, one->count, other->list, other->count, sizeof *one->list, #list)
  assert_int_equal(one->instruction_count, other->instruction_count);
  for (size_t i = 0; i < one->instruction_count; i++)
    same_instruction(one->instructions[i], other->instructions[i]);
  for (size_t i = 0; i < one->instruction_count; i++) {
    const struct wb_encoding *a = &one->encodings[i], *b = &other->encodings[i];
    same_bytes(a->words, 2, b->words, 2, sizeof *a->words, "encoding");
    same_bytes(&a->control, 1, &b->control, 1, sizeof a->control, "control");
    assert_true(a->has_control == b->has_control);
  }
  SAME(operands, operand_count);
  SAME(spans, span_count);
  SAME(targets, target_count);
  SAME(annotations, annotation_count);
  /* By members: the bytes between them are any. */
  assert_int_equal(one->copy_count, other->copy_count);
  for (size_t c = 0; c < one->copy_count; c++) {
    assert_int_equal(one->copies[c].value, other->copies[c].value);
    assert_int_equal(one->copies[c].instruction, other->copies[c].instruction);
    assert_int_equal(one->copies[c].to, other->copies[c].to);
    assert_int_equal(one->copies[c].from, other->copies[c].from);
    assert_int_equal(one->copies[c].base, other->copies[c].base);
    assert_int_equal(one->copies[c].kind, other->copies[c].kind);
    assert_int_equal(one->copies[c].clears, other->copies[c].clears);
  }
  SAME(parameters, parameter_count);
  SAME(constants, constant_length);
  same_labels(one->labels, one->label_count, other->labels, other->label_count);
  same_labels(one->symbols, one->symbol_count, other->symbols, other->symbol_count);
  same_text(one->name, other->name, "name");
  same_text(one->kind_source, other->kind_source, "kind_source");
  struct wb_function a = *one, b = *other;
  /* The rest has no pointers. */
  same_bytes(&a.line, 1, &b.line, 1,
             offsetof(struct wb_function, wide) - offsetof(struct wb_function, line), "facts");
  assert_true(a.wide == b.wide && a.kernel == b.kernel && a.defined == b.defined);
#undef SAME
}

/* Whether there is code: both ways, or the same error both ways. */
static bool compare(const char *bytes, size_t length, const char *architecture)
{
  const struct wb_image_wish wish = {.architecture = architecture, .machine_code_only = true};
  struct wb_text listing = {0}, ptx_text = {0};
  struct wb_code direct, listed;
  warpbound_error one = {0}, other = {0};
  bool ptx;
  warpbound_status status = wb_binary_text("x", bytes, length, &wish, NULL, &listing, &ptx, &other);
  if (status == WARPBOUND_OK)
    status = wb_sass_parse("x", listing.data, listing.length, NULL, &listed, &other);
  const warpbound_status found =
      wb_binary_code("x", bytes, length, &wish, NULL, &direct, &ptx_text, &ptx, &one);
  if (found != status || strcmp(one.message, other.message) != 0 || one.line != other.line ||
      one.column != other.column)
    fail_msg("%s: %zu:%zu: %s, by its listing %zu:%zu: %s", subject, one.line, one.column,
             one.message, other.line, other.column, other.message);
  if (status == WARPBOUND_OK) {
    same_text(direct.format, listed.format, "format");
    assert_int_equal(direct.function_count, listed.function_count);
    for (size_t f = 0; f < direct.function_count; f++)
      same_function(&direct.functions[f], &listed.functions[f]);
    assert_int_equal(direct.file_count, listed.file_count);
    for (size_t f = 0; f < direct.file_count; f++)
      same_text(direct.files[f], listed.files[f], "file");
    wb_code_free(&direct);
    wb_code_free(&listed);
  }
  wb_text_free(&listing);
  wb_text_free(&ptx_text);
  return status == WARPBOUND_OK;
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
      {"binary/listings/lines_61.cubin", NULL},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++) {
    struct wb_input source;
    subject = files[f].name;
    fixture_read(&source, "%s", subject);
    assert_true(compare(source.bytes, source.length, files[f].architecture));
    wb_input_free(&source);
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

/* Whether a word can stand anywhere: not those that go somewhere, nor EXIT, which metadata lists.
 */
static bool is_movable(const char *line)
{
  static const char *const others[] = {"EXIT",  "BRA",      "BSSY",     "CAL",  "JMP",
                                       "JCAL",  "PRET",     "PBK",      "PCNT", "SSY",
                                       "PEXIT", "PLONGJMP", "WARPSYNC", "RET"};
  const char *text = line + strcspn(line, "\t\n");
  text += *text == '\t';
  if (*text == '@')
    text += strcspn(text, " \n") + 1;
  for (size_t o = 0; o < COUNT_OF(others); o++)
    if (strncmp(text, others[o], strlen(others[o])) == 0)
      return false;
  return *line != '#' && memchr(line, '?', strcspn(line, "\n")) == NULL;
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
static void compare_words(const char *cubin_name, const char *words_name, unsigned size)
{
  struct wb_input source, words;
  struct wb_cubin cubin;
  warpbound_error error;
  subject = cubin_name;
  fixture_read(&words, "%s", words_name);
  fixture_read(&source, "%s", cubin_name);
  assert_int_equal(
      wb_cubin_read("x", (const unsigned char *)source.bytes, source.length, &cubin, &error),
      WARPBOUND_OK);
  size_t read = 0, rounds = 0;
  const char *line = words.bytes;
  while (line != NULL && *line != '\0') {
    for (size_t s = 0; s < cubin.section_count; s++) {
      const struct wb_cubin_section *section = &cubin.sections[s];
      for (uint64_t at = 0; wb_cubin_is_code(section) && at < section->size; at += size) {
        uint64_t word[2];
        while (line != NULL && *line != '\0' && !is_movable(line)) {
          line = strchr(line, '\n');
          if (line != NULL)
            line++;
        }
        if (line == NULL || *line == '\0' || (size == 8 && at % 32 == 0) ||
            is_exit(&cubin, section, at))
          continue;
        read_word(line, word);
        memcpy(source.bytes + section->place + at, word, size);
        line = strchr(line, '\n');
        if (line != NULL)
          line++;
      }
    }
    rounds++;
    read += compare(source.bytes, source.length, NULL);
  }
  print_message("# %s: %zu of %zu have no error\n", words_name, read, rounds);
  wb_cubin_free(&cubin);
  wb_input_free(&words);
  wb_input_free(&source);
}

TEST(test_words)
{
  compare_words("binary/vectors/old_52.cubin", "words/sm_52.txt", 8);
  compare_words("binary/vectors/old_61.cubin", "words/sm_61.txt", 8);
  compare_words("binary/vectors/new_75.cubin", "words/sm_75.txt", 16);
  compare_words("binary/vectors/relocatable_87.cubin", "words/sm_86.txt", 16);
  compare_words("binary/vectors/old_90a.cubin", "words/sm_90.txt", 16);
  compare_words("binary/vectors/new_120a.cubin", "words/sm_120.txt", 16);
}

static warpbound_status read_code(const void *context, warpbound_error *error)
{
  const struct wb_input *source = context;
  const struct wb_image_wish wish = {.machine_code_only = true};
  struct wb_code code = {0};
  struct wb_text text = {0};
  bool ptx;
  const warpbound_status status =
      wb_binary_code("x", source->bytes, source->length, &wish, NULL, &code, &text, &ptx, error);
  if (status == WARPBOUND_OK)
    wb_code_free(&code);
  wb_text_free(&text);
  return status;
}

TEST(test_failing_allocations)
{
  struct wb_input source;
  fixture_read(&source, "binary/vectors/relocatable_87.cubin");
  assert_true(fail_each(read_code, &source, WARPBOUND_OK) > 0);
  wb_input_free(&source);
}
