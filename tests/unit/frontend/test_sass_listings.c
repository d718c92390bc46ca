/* Whole listings: no instruction is skipped, and both text forms of a cubin say the same. */
#include "base/file.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"
#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>

/* --- files --- */

/* Calls `visit` for each file below a folder whose name ends in `suffix`; false where there
 * is no such folder. */
static bool each_file(const char *folder, const char *suffix, void (*visit)(const char *path))
{
  DIR *listing = opendir(folder);
  if (listing == NULL)
    return false;
  for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    char path[2048];
    struct stat information;
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    assert_int_equal(stat(path, &information), 0);
    const size_t length = strlen(path);
    if (S_ISDIR(information.st_mode))
      each_file(path, suffix, visit);
    else if (length > strlen(suffix) && strcmp(path + length - strlen(suffix), suffix) == 0)
      visit(path);
  }
  closedir(listing);
  return true;
}

static struct wb_input read_source(const char *path)
{
  struct wb_input source;
  warpbound_error error;
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", path, error.message);
  return source;
}

static struct wb_code parse(const char *path, const struct wb_input *source)
{
  struct wb_code code;
  warpbound_error error;
  if (wb_sass_parse(path, source->bytes, source->length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.message);
  const char *broken = wb_code_check(&code);
  if (broken != NULL)
    fail_msg("%s: %s", path, broken);
  return code;
}

/* --- control is understood --- */

/* Whether a register is written by a number or a copy, somewhere in the function. */
static bool is_link(const struct wb_function *function, unsigned number)
{
  for (size_t c = 0; c < function->copy_count; c++)
    if (function->copies[c].to == number && function->copies[c].kind != WB_COPY_CONSTANT)
      return true;
  return false;
}

/* From Volta on: a scope's end is the instruction after a BSYNC; a call inside the function has its
 * address to return to in some register, and so has a return of a kernel. */
static void check_control(const char *path, const struct wb_function *function)
{
  for (size_t i = 0; i < function->instruction_count && function->sm >= 70; i++) {
    const struct wb_instruction *made = &function->instructions[i];
    const uint32_t target =
        made->target_count > 0 ? function->targets[made->first_target] : UINT32_MAX;
    if (made->transfer == WB_TRANSFER_UNSUPPORTED)
      fail_msg("%s:%u: not supported", path, made->line);
    if (made->transfer == WB_TRANSFER_SCOPE_OPEN &&
        (target == 0 || function->instructions[target - 1].transfer != WB_TRANSFER_SCOPE_SYNC))
      fail_msg("%s:%u: no BSYNC stands before its target", path, made->line);
    if (made->transfer == WB_TRANSFER_RETURN_LINKED && function->kernel &&
        !is_link(function, made->link))
      fail_msg("%s:%u: nothing puts an address into its register", path, made->line);
  }
}

/* --- no instruction is skipped --- */

/* Lines that begin with a short comment and an upper-case word or its guard: a count that
 * shares nothing with the parser. */
static size_t crude_count(const struct wb_input *source)
{
  size_t count = 0;
  for (const char *line = source->bytes; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *p = line + strspn(line, " \t");
    const char *digits = p + 2;
    if (strncmp(p, "/*", 2) != 0)
      continue;
    const size_t width = strspn(digits, "0123456789abcdef");
    if (width < 4 || width > 5 || strncmp(digits + width, "*/", 2) != 0)
      continue;
    p = digits + width + 2;
    p += strspn(p, " \t{");
    count += *p == '@' || (*p >= 'A' && *p <= 'Z');
  }
  return count;
}

static size_t total_instructions;

static void check_count(const char *path)
{
  FREED_BY(wb_input_free) struct wb_input source = read_source(path);
  const size_t expected = crude_count(&source);
  size_t found = 0;
  if (source.length > 0) { /* one listing is empty */
    FREED_BY(wb_code_free) struct wb_code code = parse(path, &source);
    assert_true(wb_sass_detect(source.bytes, source.length));
    for (size_t f = 0; f < code.function_count; f++) {
      found += code.functions[f].instruction_count;
      for (size_t i = 0; i < code.functions[f].instruction_count; i++)
        if (code.functions[f].instructions[i].unknown && !code.functions[f].instructions[i].outside)
          fail_msg("%s:%u: not understood", path, code.functions[f].instructions[i].line);
      check_control(path, &code.functions[f]);
    }
  }
  if (found != expected)
    fail_msg("%s: %zu instructions, expected %zu", path, found, expected);
  total_instructions += found;
}

TEST(test_corpus)
{
  char folder[1024];
  snprintf(folder, sizeof folder, "%s/../shared/corpus/sass", getenv("WARPBOUND_SOURCE"));
  total_instructions = 0;
  if (each_file(folder, ".sass", check_count))
    assert_true(total_instructions > 10000);
  else
    print_message("# left out: there is no %s\n", folder);
}

TEST(test_fixtures)
{
  char folder[1024];
  snprintf(folder, sizeof folder, "%s/sass", getenv("WARPBOUND_FIXTURES"));
  total_instructions = 0;
  assert_true(each_file(folder, ".sass", check_count));
  assert_true(total_instructions > 10000);
}

/* --- both forms --- */

static const struct wb_function *find(const struct wb_code *code, const char *name)
{
  for (size_t f = 0; f < code->function_count; f++)
    if (strcmp(code->functions[f].name, name) == 0)
      return &code->functions[f];
  return NULL;
}

static bool same_spans(const struct wb_function *one, uint32_t first_one, uint32_t count_one,
                       const struct wb_function *other, uint32_t first_other, uint32_t count_other)
{
  return count_one == count_other &&
         (count_one == 0 || memcmp(one->spans + first_one, other->spans + first_other,
                                   count_one * sizeof *one->spans) == 0);
}

static bool same_targets(const struct wb_function *one, const struct wb_instruction *a,
                         const struct wb_function *other, const struct wb_instruction *b)
{
  if (a->transfer == WB_TRANSFER_INDEXED_BRANCH) /* cuobjdump does not know them */
    return a->target_count == 0 || b->target_count == 0;
  return a->target_count == b->target_count &&
         (a->target_count == 0 ||
          memcmp(one->targets + a->first_target, other->targets + b->first_target,
                 a->target_count * sizeof *one->targets) == 0);
}

/* From encodings in one form, from attributes of the text in the other, which leave out reuse. */
static bool same_control(const struct wb_encoding *a, const struct wb_encoding *b)
{
  return !a->has_control || !b->has_control ||
         (a->control.stall == b->control.stall && a->control.yield == b->control.yield &&
          a->control.write_barrier == b->control.write_barrier &&
          a->control.read_barrier == b->control.read_barrier &&
          a->control.wait_mask == b->control.wait_mask);
}

static bool same_words(const struct wb_encoding *a, const struct wb_encoding *b)
{
  return a->words[0] == 0 || b->words[0] == 0 ||
         (a->words[0] == b->words[0] && a->words[1] == b->words[1]);
}

static bool same_encoding(const struct wb_function *one, const struct wb_function *other, size_t i)
{
  if (one->encodings == NULL || other->encodings == NULL)
    return true;
  return same_control(&one->encodings[i], &other->encodings[i]) &&
         same_words(&one->encodings[i], &other->encodings[i]);
}

static bool same_instruction(const struct wb_function *one, const struct wb_instruction *a,
                             const struct wb_function *other, const struct wb_instruction *b)
{
  return a->address == b->address && strcmp(a->opcode, b->opcode) == 0 && a->guard == b->guard &&
         a->guard_negated == b->guard_negated && a->never == b->never &&
         a->conditional_code == b->conditional_code && a->uniform == b->uniform &&
         a->dual_issue == b->dual_issue && a->unit == b->unit && a->transfer == b->transfer &&
         a->token == b->token && a->agreement == b->agreement &&
         same_spans(one, a->first_read, a->read_count, other, b->first_read, b->read_count) &&
         same_spans(one, a->first_write, a->write_count, other, b->first_write, b->write_count) &&
         same_targets(one, a, other, b);
}

static void compare_functions(const char *path, const struct wb_function *one,
                              const struct wb_function *other)
{
  if (other == NULL || one->instruction_count != other->instruction_count || one->sm != other->sm ||
      one->kernel != other->kernel)
    fail_msg("%s: %s is another one in the other form", path, one->name);
  for (size_t i = 0; i < one->instruction_count; i++)
    if (!same_instruction(one, &one->instructions[i], other, &other->instructions[i]) ||
        !same_encoding(one, other, i))
      fail_msg("%s: %s differs at 0x%04x in the other form", path, one->name,
               one->instructions[i].address);
}

static size_t compared;

static void compare_with(const char *path, const char *suffix)
{
  char other_path[2048];
  struct stat information;
  const size_t stem = strlen(path) - strlen(".cuobjdump.sass");
  snprintf(other_path, sizeof other_path, "%.*s%s", (int)stem, path, suffix);
  if (stat(other_path, &information) != 0)
    return; /* from Volta on few have both, and few have encodings in both */
  FREED_BY(wb_input_free) struct wb_input source = read_source(path);
  FREED_BY(wb_input_free) struct wb_input other_source = read_source(other_path);
  struct wb_code code = parse(path, &source);
  struct wb_code other = parse(other_path, &other_source);
  assert_string_equal(code.format, "cuobjdump");
  assert_string_equal(other.format, "nvdisasm");
  assert_int_equal(code.function_count, other.function_count);
  for (size_t f = 0; f < code.function_count; f++)
    compare_functions(path, &code.functions[f], find(&other, code.functions[f].name));
  compared += code.function_count;
  wb_code_free(&code);
  wb_code_free(&other);
}

static void compare_forms(const char *path)
{
  compare_with(path, ".nvdisasm.sass");
  compare_with(path, ".nvdisasm-hex.sass");
}

TEST(test_forms)
{
  char folder[1024];
  snprintf(folder, sizeof folder, "%s/sass", getenv("WARPBOUND_FIXTURES"));
  compared = 0;
  assert_true(each_file(folder, ".cuobjdump.sass", compare_forms));
  assert_true(compared >= 300);
}

/* --- jump tables --- */

static bool has_target(const struct wb_function *function, const struct wb_instruction *instruction,
                       uint32_t target)
{
  for (uint32_t t = 0; t < instruction->target_count; t++)
    if (function->targets[instruction->first_target + t] == target)
      return true;
  return false;
}

static void compare_targets(const char *path, const struct wb_function *annotated,
                            const struct wb_function *read)
{
  for (size_t i = 0; i < annotated->instruction_count; i++) {
    const struct wb_instruction *a = &annotated->instructions[i];
    const struct wb_instruction *b = &read->instructions[i];
    if (a->transfer != WB_TRANSFER_INDEXED_BRANCH || a->target_count == 0)
      continue;
    for (size_t n = 0; n < read->annotation_count; n++)
      assert_int_not_equal(read->annotations[n].instruction, i);
    for (uint32_t t = 0; t < a->target_count; t++)
      if (!has_target(read, b, annotated->targets[a->first_target + t]))
        fail_msg("%s: 0x%04x: a target is not in the table", path, a->address);
    for (uint32_t t = 0; t < b->target_count; t++)
      if (!has_target(annotated, a, read->targets[b->first_target + t]))
        fail_msg("%s: 0x%04x: the table has one target more", path, a->address);
    compared++;
  }
}

/* Without its annotations a listing's indexed branches have the same targets, from tables, where
 * the listing has these: nvdisasm -c leaves them out. */
static void compare_tables(const char *path)
{
  struct wb_input source = read_source(path);
  if (strstr(source.bytes, ".nv.constant2.") == NULL) {
    wb_input_free(&source);
    return;
  }
  struct wb_code annotated = parse(path, &source);
  for (char *mark = strstr(source.bytes, "BRANCH_TARGETS"); mark != NULL;
       mark = strstr(mark, "BRANCH_TARGETS"))
    *mark = 'X';
  struct wb_code read = parse(path, &source);
  for (size_t f = 0; f < annotated.function_count; f++)
    compare_targets(path, &annotated.functions[f], &read.functions[f]);
  wb_code_free(&annotated);
  wb_code_free(&read);
  wb_input_free(&source);
}

TEST(test_tables)
{
  char folder[1024];
  snprintf(folder, sizeof folder, "%s/sass", getenv("WARPBOUND_FIXTURES"));
  compared = 0;
  assert_true(each_file(folder, ".nvdisasm.sass", compare_tables));
  assert_true(compared >= 5);
}
