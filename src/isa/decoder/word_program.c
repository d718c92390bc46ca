#include "isa/decoder/word_program.h"

#include "base/memory.h"
#include "isa/decoder/word_choice.h"
#include "isa/decoder/word_names.h"
#include "isa/decoder/word_numbers.h"

#include <string.h>

/* A macro within a macro within ... : more is a circle. */
enum { MOST_DEPTH = 16 };

/* A compilation of one row. Invariant: no test goes on before step `joined`, so that literals from
 * there on may grow. */
struct compiler {
  struct wb_word_code *code;
  const struct wb_word_scope *scope;
  size_t joined;
  size_t longest;
  unsigned depth;
};

/* What may stand between the braces behind a letter or two, and the width that it has. */
struct operand_kind {
  const char *name;
  enum wb_word_step_kind step;
  uint8_t width;
  uint8_t longest;
};

static const struct operand_kind operand_kinds[] = {
    {"R", WB_WORD_STEP_REGISTER, 8, 21},
    {"U", WB_WORD_STEP_UNIFORM_REGISTER, 0, 22},
    {"P", WB_WORD_STEP_PREDICATE, 3, 21},
    {"UP", WB_WORD_STEP_UNIFORM_PREDICATE, 3, 22},
    {"B", WB_WORD_STEP_BARRIER, 4, 21},
    {"SB", WB_WORD_STEP_SCOREBOARD, 3, 22},
    {"x", WB_WORD_STEP_HEXADECIMAL, 0, 18},
    {"s", WB_WORD_STEP_SIGNED_HEXADECIMAL, 0, 19},
    {"i", WB_WORD_STEP_DECIMAL, 0, 20},
    {"j", WB_WORD_STEP_SIGNED_DECIMAL, 0, 21},
    {"o", WB_WORD_STEP_OFFSET, 0, 20},
    {"h", WB_WORD_STEP_HALF, 16, WB_WORD_NUMBER_SIZE},
    {"f", WB_WORD_STEP_SINGLE, 32, WB_WORD_NUMBER_SIZE},
    {"d", WB_WORD_STEP_DOUBLE, 32, WB_WORD_NUMBER_SIZE},
    {"t", WB_WORD_STEP_RELATIVE_TARGET, 0, 19},
    {"T", WB_WORD_STEP_TARGET, 0, 19},
    {"m", WB_WORD_STEP_MASK, 0, 192},
};

bool wb_word_test_read(const char **at, const char *end, struct wb_word_test *test)
{
  if (!wb_word_field_read(at, end, 1, &test->field))
    return false;
  test->differs = *at < end && **at == '!';
  *at += test->differs;
  if (*at == end || *(*at)++ != '=')
    return false;
  return wb_word_number_read(at, end, &test->value);
}

static bool add_step(struct compiler *compiler, struct wb_word_step step)
{
  struct wb_word_code *code = compiler->code;
  if (code->step_count >= UINT32_MAX ||
      !wb_grow(code->steps, &code->step_capacity, code->step_count + 1))
    return false;
  code->steps[code->step_count++] = step;
  return true;
}

/* Gives a step its field: inline where it is bits alone. */
static bool set_field(struct compiler *compiler, struct wb_word_step *step,
                      const struct wb_word_field *field)
{
  struct wb_word_code *code = compiler->code;
  if (field->part_count == 1 && field->times == 1 && field->shift == 0 && field->plus == 0) {
    step->at = field->parts[0].at;
    step->width = field->parts[0].width;
    return true;
  }
  if (code->field_count >= UINT32_MAX ||
      !wb_grow(code->fields, &code->field_capacity, code->field_count + 1))
    return false;
  step->field = (uint32_t)code->field_count;
  code->fields[code->field_count++] = *field;
  return true;
}

static bool add_field_step(struct compiler *compiler, struct wb_word_step step,
                           const struct wb_word_field *field)
{
  return set_field(compiler, &step, field) && add_step(compiler, step);
}

/* Whether literals that follow each other may be one step. */
static bool may_grow(const struct compiler *compiler, size_t length)
{
  const struct wb_word_code *code = compiler->code;
  if (code->step_count <= compiler->joined)
    return false;
  const struct wb_word_step *last = &code->steps[code->step_count - 1];
  return last->kind == WB_WORD_STEP_LITERAL && last->length + length <= UINT8_MAX &&
         last->place + last->length == code->character_count;
}

static enum wb_word_compiled add_literal(struct compiler *compiler, const char *text, size_t length)
{
  struct wb_word_code *code = compiler->code;
  compiler->longest += length;
  if (length > UINT8_MAX)
    return WB_WORD_MALFORMED;
  bool grows = may_grow(compiler, length);
  struct wb_word_step step = {.kind = WB_WORD_STEP_LITERAL, .length = (uint8_t)length};
  if (!wb_word_characters_append(code, text, length, &step.place))
    return WB_WORD_NO_MEMORY;
  if (!grows)
    return add_step(compiler, step) ? WB_WORD_COMPILED : WB_WORD_NO_MEMORY;
  struct wb_word_step *last = &code->steps[code->step_count - 1];
  last->length = (uint8_t)(last->length + length);
  return WB_WORD_COMPILED;
}

/* A literal that depends on a bit: {-B}, {!B}, {~B}, {|B}, {r B}. */
static enum wb_word_compiled compile_mark(struct compiler *compiler, const char *literal,
                                          size_t length, const char *at, const char *end)
{
  struct wb_word_field field;
  struct wb_word_step step = {.kind = WB_WORD_STEP_LITERAL_IF, .length = (uint8_t)length};
  if (!wb_word_field_read(&at, end, 1, &field) || at != end)
    return WB_WORD_MALFORMED;
  compiler->longest += length;
  return wb_word_characters_append(compiler->code, literal, length, &step.place) &&
                 add_field_step(compiler, step, &field)
             ? WB_WORD_COMPILED
             : WB_WORD_NO_MEMORY;
}

static enum wb_word_compiled compile_operand(struct compiler *compiler,
                                             const struct operand_kind *kind, const char *at,
                                             const char *end)
{
  bool uniform = kind->step == WB_WORD_STEP_UNIFORM_REGISTER;
  unsigned width = uniform ? compiler->scope->uniform_width : kind->width;
  struct wb_word_field field;
  if (!wb_word_field_read(&at, end, width, &field) || at != end)
    return WB_WORD_MALFORMED;
  struct wb_word_step step = {.kind = (uint8_t)kind->step};
  if (uniform) /* the register that is always zero */
    step.value = field.width < 32 ? (1U << field.width) - 1 : UINT32_MAX;
  compiler->longest += kind->longest;
  return add_field_step(compiler, step, &field) ? WB_WORD_COMPILED : WB_WORD_NO_MEMORY;
}

/* {FIELD=A/B/...} or {FIELD@LIST}. */
static enum wb_word_compiled compile_choice(struct compiler *compiler, const char *at,
                                            const char *end)
{
  struct wb_word_field field;
  if (!wb_word_field_read(&at, end, 1, &field) || at == end || (*at != '=' && *at != '@'))
    return WB_WORD_MALFORMED;
  const char *list = at + 1, *list_end = end, *otherwise = NULL;
  if (*at == '@') {
    size_t length;
    const struct wb_word_scope *scope = compiler->scope;
    const struct wb_word_text *named =
        wb_word_text_find(scope->family, scope->table, scope->form, list, end, &length);
    if (named == NULL || length != (size_t)(end - list))
      return WB_WORD_MALFORMED;
    list = named->text;
    list_end = list + strlen(list);
    otherwise = named->otherwise;
  }
  struct wb_word_step step = {.kind = WB_WORD_STEP_CHOICE};
  enum wb_word_compiled compiled =
      wb_word_choice_compile(compiler->code, list, list_end, otherwise, &step.place);
  if (compiled != WB_WORD_COMPILED)
    return compiled;
  compiler->longest += compiler->code->choices[step.place].longest;
  return add_field_step(compiler, step, &field) ? WB_WORD_COMPILED : WB_WORD_NO_MEMORY;
}

/* What stands in braces, from `at` up to `end`. */
static enum wb_word_compiled compile_braces(struct compiler *compiler, const char *at,
                                            const char *end)
{
  if (at == end)
    return WB_WORD_MALFORMED;
  if (*at >= '0' && *at <= '9')
    return compile_choice(compiler, at, end);
  if (strchr("-!~|", *at) != NULL)
    return compile_mark(compiler, at, 1, at + 1, end);
  const char *blank = memchr(at, ' ', (size_t)(end - at));
  if (blank == NULL)
    return WB_WORD_MALFORMED;
  if (blank - at == 1 && *at == 'r')
    return compile_mark(compiler, ".reuse", strlen(".reuse"), blank + 1, end);
  for (size_t k = 0; k < sizeof operand_kinds / sizeof *operand_kinds; k++) {
    const char *name = operand_kinds[k].name;
    if (strlen(name) == (size_t)(blank - at) && memcmp(name, at, strlen(name)) == 0)
      return compile_operand(compiler, &operand_kinds[k], blank + 1, end);
  }
  return WB_WORD_MALFORMED;
}

static enum wb_word_compiled compile_text(struct compiler *compiler, const char **at,
                                          const char *end, bool in_group);

static enum wb_word_compiled compile_macro(struct compiler *compiler, const char **at,
                                           const char *end)
{
  const struct wb_word_scope *scope = compiler->scope;
  size_t length;
  const struct wb_word_text *macro =
      wb_word_text_find(scope->family, scope->table, scope->form, *at, end, &length);
  if (macro == NULL || compiler->depth == MOST_DEPTH)
    return WB_WORD_MALFORMED;
  *at += length;
  compiler->depth++;
  const char *text = macro->text;
  enum wb_word_compiled compiled = compile_text(compiler, &text, text + strlen(text), false);
  compiler->depth--;
  return compiled;
}

/* Points the tests of a group, which are steps from `first` on and chained by `place`, to the next
 * step. */
static void close_group(struct compiler *compiler, size_t last_test)
{
  struct wb_word_code *code = compiler->code;
  while (last_test != SIZE_MAX) {
    struct wb_word_step *test = &code->steps[last_test];
    last_test = test->place == UINT32_MAX ? SIZE_MAX : test->place;
    test->place = (uint32_t)code->step_count;
  }
  compiler->joined = code->step_count;
}

/* <COND?TEXT> behind its first character. The tests stand first, each with the number of the one
 * before it as its place until the end of the group is known. */
static enum wb_word_compiled compile_group(struct compiler *compiler, const char **at,
                                           const char *end)
{
  size_t last_test = SIZE_MAX;
  do {
    struct wb_word_test test;
    if (!wb_word_test_read(at, end, &test))
      return WB_WORD_MALFORMED;
    struct wb_word_step step = {
        .kind = test.differs ? WB_WORD_STEP_UNLESS_OTHER : WB_WORD_STEP_UNLESS_EQUAL,
        .value = test.value,
        .place = last_test == SIZE_MAX ? UINT32_MAX : (uint32_t)last_test,
    };
    if (!add_field_step(compiler, step, &test.field))
      return WB_WORD_NO_MEMORY;
    last_test = compiler->code->step_count - 1;
  } while (*at < end && *(*at)++ == '&');
  if ((*at)[-1] != '?')
    return WB_WORD_MALFORMED;
  if (compiler->depth == MOST_DEPTH)
    return WB_WORD_MALFORMED;
  compiler->depth++;
  enum wb_word_compiled compiled = compile_text(compiler, at, end, true);
  compiler->depth--;
  if (compiled == WB_WORD_COMPILED)
    close_group(compiler, last_test);
  return compiled;
}

/* One piece of a text: a run of literal characters, braces, a group or a macro. */
static enum wb_word_compiled compile_piece(struct compiler *compiler, const char **at,
                                           const char *end)
{
  const char *first = *at;
  if (*first == '{') {
    const char *closing = memchr(first, '}', (size_t)(end - first));
    if (closing == NULL)
      return WB_WORD_MALFORMED;
    *at = closing + 1;
    return compile_braces(compiler, first + 1, closing);
  }
  ++*at;
  if (*first == '<')
    return compile_group(compiler, at, end);
  if (*first == '$')
    return compile_macro(compiler, at, end);
  if (*first == '}')
    return WB_WORD_MALFORMED;
  while (*at < end && strchr("{}<>$", **at) == NULL)
    ++*at;
  return add_literal(compiler, first, (size_t)(*at - first));
}

/* Up to `end`; in a group up to its >, which it reads. */
static enum wb_word_compiled compile_text(struct compiler *compiler, const char **at,
                                          const char *end, bool in_group)
{
  while (*at < end) {
    if (**at == '>') {
      ++*at;
      return in_group ? WB_WORD_COMPILED : WB_WORD_MALFORMED;
    }
    enum wb_word_compiled compiled = compile_piece(compiler, at, end);
    if (compiled != WB_WORD_COMPILED)
      return compiled;
  }
  return in_group ? WB_WORD_MALFORMED : WB_WORD_COMPILED;
}

enum wb_word_compiled wb_word_compile(struct wb_word_code *code, const struct wb_word_scope *scope,
                                      const char *text, size_t *longest)
{
  struct compiler compiler = {.code = code, .scope = scope, .joined = code->step_count};
  enum wb_word_compiled compiled = compile_text(&compiler, &text, text + strlen(text), false);
  *longest = compiler.longest;
  return compiled;
}
