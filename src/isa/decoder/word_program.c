/* Compiles the texts of rows: fields, named texts, choices, then programs. A function that fails
 * returns false: a text is malformed, or memory is out, which code->no_memory says. */
#include "isa/decoder/word_program.h"

#include "base/memory.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

/* Reads a decimal or hexadecimal (0x) number of at most 32 bits. */
static bool read_number(const char **at, const char *end, uint32_t *number)
{
  const char *next = *at;
  const bool hexadecimal = end - next > 2 && next[0] == '0' && next[1] == 'x';
  const unsigned base = hexadecimal ? 16 : 10;
  next += hexadecimal ? 2 : 0;
  const char *first = next;
  uint64_t value = 0;
  for (; next < end && wb_digit_value(*next) < base && value <= UINT32_MAX; next++)
    value = value * base + wb_digit_value(*next);
  if (next == first || value > UINT32_MAX)
    return false;
  *at = next;
  *number = (uint32_t)value;
  return true;
}

/* Whether `sign` stands at *at, which then moves behind it. */
static bool accept(const char **at, const char *end, char sign)
{
  bool there = *at < end && **at == sign;
  *at += there;
  return there;
}

/* Reads a field as word_table.h writes it, from *at up to `end`; leaves *at behind it. own_width is
 * the width of a field that gives none, 0: it must give one. */
static bool read_field(const char **at, const char *end, unsigned own_width,
                       struct wb_word_field *field)
{
  uint32_t shift = 0;
  unsigned total = 0;
  *field = (struct wb_word_field){.times = 1};
  do {
    uint32_t lowest, width = own_width;
    if (field->part_count == WB_WORD_FIELD_PARTS || !read_number(at, end, &lowest) ||
        (accept(at, end, ':') && !read_number(at, end, &width)) || lowest > 127 || width == 0 ||
        width > 64 || lowest + width > 128)
      return false;
    field->parts[field->part_count++] = (struct wb_word_part){(uint8_t)lowest, (uint8_t)width};
    total += width;
  } while (accept(at, end, ','));
  field->width = (uint8_t)total;
  if (total > 64 || (accept(at, end, '*') && !read_number(at, end, &field->times)))
    return false;
  if (accept(at, end, '<') &&
      (!accept(at, end, '<') || !read_number(at, end, &shift) || shift > 63))
    return false;
  field->shift = (uint8_t)shift;
  return !accept(at, end, '+') || read_number(at, end, &field->plus);
}

uint64_t wb_word_field_value(const struct wb_word_field *field, const uint64_t word[2],
                             bool is_signed)
{
  uint64_t value = 0;
  unsigned width = 0;
  for (unsigned p = 0; p < field->part_count; p++) {
    value |= wb_word_bits(word, field->parts[p].at, field->parts[p].width) << width;
    width += field->parts[p].width;
  }
  if (is_signed)
    value = wb_word_sign_extended(value, field->width);
  return (value * field->times << field->shift) + field->plus;
}

bool wb_word_test_read(const char **at, const char *end, struct wb_word_test *test)
{
  if (!read_field(at, end, 1, &test->field))
    return false;
  test->differs = accept(at, end, '!');
  return accept(at, end, '=') && read_number(at, end, &test->value);
}

/* ---- named texts: macros and lists ---- */

/* How well a name fits: twice its length without the form, and one more with it; 0: not at all. */
static size_t fit(const char *name, char form, const char *at, size_t length)
{
  size_t same = 0;
  while (same < length && name[same] != '\0' && name[same] != '/' && name[same] == at[same])
    same++;
  if (name[same] == '\0')
    return 2 * same;
  bool of_form = form != '\0' && name[same] == '/' && name[same + 1] == form;
  return of_form && name[same + 2] == '\0' ? 2 * same + 1 : 0;
}

static const struct wb_word_text *best(const struct wb_word_text *texts, size_t count, char form,
                                       const char *at, size_t length, size_t *best_fit)
{
  const struct wb_word_text *found = NULL;
  for (size_t t = 0; t < count; t++) {
    size_t of_text = texts[t].name != NULL ? fit(texts[t].name, form, at, length) : 0;
    if (of_text > *best_fit) {
      *best_fit = of_text;
      found = &texts[t];
    }
  }
  return found;
}

/* The text with the longest name that the letters and digits from `at` up to `end` begin with, of
 * the table or else of the family; under a form that which is named for it, NAME/F. *length: that
 * of the name, without /F. NULL: none. */
static const struct wb_word_text *find_text(const struct wb_word_scope *scope, const char *at,
                                            const char *end, size_t *length)
{
  size_t best_fit = 0;
  const struct wb_word_text *of_table = best(scope->table->texts, scope->table->text_count,
                                             scope->form, at, (size_t)(end - at), &best_fit);
  const struct wb_word_text *of_family = best(scope->family->texts, scope->family->text_count,
                                              scope->form, at, (size_t)(end - at), &best_fit);
  *length = best_fit / 2;
  return of_family != NULL ? of_family : of_table;
}

/* ---- choices among texts by a field's value: {FIELD=A/B/...} and named lists ---- */

void wb_word_code_free(struct wb_word_code *code)
{
  free(code->steps);
  free(code->fields);
  free(code->choices);
  free(code->options);
  free(code->characters);
  *code = (struct wb_word_code){0};
}

static bool out_of_memory(struct wb_word_code *code)
{
  code->no_memory = true;
  return false;
}

static bool append_characters(struct wb_word_code *code, const char *characters, size_t length,
                              uint32_t *place)
{
  size_t needed = code->character_count + length + WB_WORD_PIECE;
  if (needed > UINT32_MAX || !wb_grow(code->characters, &code->character_capacity, needed))
    return out_of_memory(code);
  *place = (uint32_t)code->character_count;
  if (length > 0)
    memcpy(code->characters + code->character_count, characters, length);
  code->character_count += length;
  memset(code->characters + code->character_count, 0, WB_WORD_PIECE);
  return true;
}

/* More values than any field of modifiers has. */
enum { MOST_VALUES = 1024 };

static bool add_text(struct wb_word_code *code, const char *text, const char *end,
                     struct wb_word_option *option)
{
  if (end - text > UINT8_MAX)
    return false;
  *option = (struct wb_word_option){.kind = WB_WORD_OPTION_TEXT, .length = (uint8_t)(end - text)};
  return append_characters(code, text, option->length, &option->place);
}

/* Reads the options of a list; values that are passed over have no text. */
static bool read_options(struct wb_word_code *code, const char *list, const char *end,
                         struct wb_word_choice *choice)
{
  uint32_t value = 0;
  for (const char *at = list;; at++, value++) {
    const char *behind = at;
    uint32_t given;
    if (read_number(&behind, end, &given) && behind < end && *behind == ':') {
      value = given;
      at = behind + 1;
    }
    const char *slash = memchr(at, '/', (size_t)(end - at));
    const char *text_end = slash != NULL ? slash : end;
    struct wb_word_option option = {.kind = WB_WORD_OPTION_OTHERWISE};
    const bool alone = text_end - at == 1;
    if (alone && *at == '!')
      option.kind = WB_WORD_OPTION_NEVER;
    else if (!(alone && *at == '?') && !add_text(code, at, text_end, &option))
      return false;
    if (value >= MOST_VALUES)
      return false;
    if (!wb_grow(code->options, &code->option_capacity, choice->first + (size_t)value + 1))
      return out_of_memory(code);
    for (; choice->count <= value; choice->count++)
      code->options[code->option_count++] =
          (struct wb_word_option){.kind = WB_WORD_OPTION_OTHERWISE};
    code->options[choice->first + value] = option;
    choice->longest = option.length > choice->longest ? option.length : choice->longest;
    if (slash == NULL)
      return true;
    at = slash;
  }
}

/* What stands for values without a text; where the list's first text is a modifier, NULL begins
 * with a full stop, too. */
static bool read_otherwise(struct wb_word_code *code, const char *otherwise,
                           struct wb_word_choice *choice)
{
  if (otherwise == NULL) {
    otherwise = "INVALID%u";
    for (uint32_t i = 0; i < choice->count; i++) {
      const struct wb_word_option *option = &code->options[choice->first + i];
      if (option->length == 0)
        continue;
      otherwise = code->characters[option->place] == '.' ? ".INVALID%u" : otherwise;
      break;
    }
  }
  const char *number = strstr(otherwise, "%u");
  const char *end = otherwise + strlen(otherwise);
  if (!add_text(code, otherwise, number != NULL ? number : end, &choice->before) ||
      !add_text(code, number != NULL ? number + 2 : end, end, &choice->after))
    return false;
  if (number == NULL) /* no number: the text is all before it, and `after` says so */
    choice->after.kind = WB_WORD_OPTION_NEVER;
  const uint32_t longest = choice->before.length + 20U + choice->after.length;
  choice->longest = longest > choice->longest ? longest : choice->longest;
  return true;
}

/* The number in code->choices of the choice that the list from `list` up to `end` makes.
 * otherwise: the text of values without one, where %u is the value; NULL: INVALID%u, behind a full
 * stop where the list's first text begins with one. The same list is compiled once; lists of equal
 * texts may be one string to the compiler, though they print other values in other ways. */
static bool make_choice(struct wb_word_code *code, const char *list, const char *end,
                        const char *otherwise, uint32_t *number)
{
  for (*number = 0; *number < code->choice_count; ++*number)
    if (code->choices[*number].source == list && code->choices[*number].otherwise == otherwise)
      return true;
  if (code->option_count > UINT32_MAX / 2 ||
      !wb_grow(code->choices, &code->choice_capacity, code->choice_count + 1))
    return out_of_memory(code);
  struct wb_word_choice choice = {
      .source = list, .otherwise = otherwise, .first = (uint32_t)code->option_count};
  if (!read_options(code, list, end, &choice) || !read_otherwise(code, otherwise, &choice))
    return false;
  code->choices[code->choice_count++] = choice;
  return true;
}

/* ---- programs ---- */

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

static bool add_step(struct wb_word_code *code, struct wb_word_step step)
{
  if (code->step_count >= UINT32_MAX ||
      !wb_grow(code->steps, &code->step_capacity, code->step_count + 1))
    return out_of_memory(code);
  code->steps[code->step_count++] = step;
  return true;
}

/* Adds a step with its field: inline where it is bits alone. */
static bool add_field_step(struct wb_word_code *code, struct wb_word_step step,
                           const struct wb_word_field *field)
{
  if (field->part_count == 1 && field->times == 1 && field->shift == 0 && field->plus == 0) {
    step.at = field->parts[0].at;
    step.width = field->parts[0].width;
    return add_step(code, step);
  }
  if (code->field_count >= UINT32_MAX ||
      !wb_grow(code->fields, &code->field_capacity, code->field_count + 1))
    return out_of_memory(code);
  step.field = (uint32_t)code->field_count;
  code->fields[code->field_count++] = *field;
  return add_step(code, step);
}

/* Adds a literal, to the last step where that is one, too. */
static bool add_literal(struct compiler *compiler, const char *text, size_t length)
{
  struct wb_word_code *code = compiler->code;
  struct wb_word_step *last =
      code->step_count > compiler->joined ? &code->steps[code->step_count - 1] : NULL;
  const bool grows = last != NULL && last->kind == WB_WORD_STEP_LITERAL &&
                     last->length + length <= UINT8_MAX &&
                     last->place + last->length == code->character_count;
  struct wb_word_step step = {.kind = WB_WORD_STEP_LITERAL, .length = (uint8_t)length};
  compiler->longest += length;
  if (length > UINT8_MAX || !append_characters(code, text, length, &step.place))
    return false;
  if (!grows)
    return add_step(code, step);
  last->length = (uint8_t)(last->length + length);
  return true;
}

/* A literal that depends on a bit: {-B}, {!B}, {~B}, {|B}, {r B}. */
static bool compile_mark(struct compiler *compiler, const char *literal, size_t length,
                         const char *at, const char *end)
{
  struct wb_word_field field;
  struct wb_word_step step = {.kind = WB_WORD_STEP_LITERAL_IF, .length = (uint8_t)length};
  compiler->longest += length;
  return read_field(&at, end, 1, &field) && at == end &&
         append_characters(compiler->code, literal, length, &step.place) &&
         add_field_step(compiler->code, step, &field);
}

static bool compile_operand(struct compiler *compiler, const struct operand_kind *kind,
                            const char *at, const char *end)
{
  bool uniform = kind->step == WB_WORD_STEP_UNIFORM_REGISTER;
  unsigned width = uniform ? compiler->scope->uniform_width : kind->width;
  struct wb_word_field field;
  struct wb_word_step step = {.kind = (uint8_t)kind->step};
  if (!read_field(&at, end, width, &field) || at != end)
    return false;
  if (uniform) /* the register that is always zero */
    step.value = field.width < 32 ? (1U << field.width) - 1 : UINT32_MAX;
  compiler->longest += kind->longest;
  return add_field_step(compiler->code, step, &field);
}

/* {FIELD=A/B/...} or {FIELD@LIST}. */
static bool compile_choice(struct compiler *compiler, const char *at, const char *end)
{
  struct wb_word_field field;
  struct wb_word_step step = {.kind = WB_WORD_STEP_CHOICE};
  if (!read_field(&at, end, 1, &field) || at == end || (*at != '=' && *at != '@'))
    return false;
  const char *list = at + 1, *list_end = end, *otherwise = NULL;
  if (*at == '@') {
    size_t length;
    const struct wb_word_text *named = find_text(compiler->scope, list, end, &length);
    if (named == NULL || length != (size_t)(end - list))
      return false;
    list = named->text;
    list_end = list + strlen(list);
    otherwise = named->otherwise;
  }
  if (!make_choice(compiler->code, list, list_end, otherwise, &step.place))
    return false;
  compiler->longest += compiler->code->choices[step.place].longest;
  return add_field_step(compiler->code, step, &field);
}

/* What stands in braces, from `at` up to `end`. */
static bool compile_braces(struct compiler *compiler, const char *at, const char *end)
{
  if (at == end)
    return false;
  if (wb_is_digit(*at))
    return compile_choice(compiler, at, end);
  if (strchr("-!~|", *at) != NULL)
    return compile_mark(compiler, at, 1, at + 1, end);
  const char *blank = memchr(at, ' ', (size_t)(end - at));
  if (blank == NULL)
    return false;
  if (blank - at == 1 && *at == 'r')
    return compile_mark(compiler, ".reuse", strlen(".reuse"), blank + 1, end);
  for (size_t k = 0; k < sizeof operand_kinds / sizeof *operand_kinds; k++) {
    const char *name = operand_kinds[k].name;
    if (strlen(name) == (size_t)(blank - at) && memcmp(name, at, strlen(name)) == 0)
      return compile_operand(compiler, &operand_kinds[k], blank + 1, end);
  }
  return false;
}

static bool compile_text(struct compiler *compiler, const char **at, const char *end,
                         bool in_group);

static bool compile_macro(struct compiler *compiler, const char **at, const char *end)
{
  size_t length;
  const struct wb_word_text *macro = find_text(compiler->scope, *at, end, &length);
  if (macro == NULL || compiler->depth == MOST_DEPTH)
    return false;
  *at += length;
  compiler->depth++;
  const char *text = macro->text;
  const bool compiled = compile_text(compiler, &text, text + strlen(text), false);
  compiler->depth--;
  return compiled;
}

/* <COND?TEXT> behind its first character. The tests stand first, each with the number of the one
 * before it as its place until the end of the group is known: they go on at the step behind it. */
static bool compile_group(struct compiler *compiler, const char **at, const char *end)
{
  struct wb_word_code *code = compiler->code;
  uint32_t last_test = UINT32_MAX;
  do {
    struct wb_word_test test;
    if (!wb_word_test_read(at, end, &test))
      return false;
    struct wb_word_step step = {
        .kind = test.differs ? WB_WORD_STEP_UNLESS_OTHER : WB_WORD_STEP_UNLESS_EQUAL,
        .value = test.value,
        .place = last_test,
    };
    if (!add_field_step(code, step, &test.field))
      return false;
    last_test = (uint32_t)(code->step_count - 1);
  } while (*at < end && *(*at)++ == '&');
  if ((*at)[-1] != '?' || compiler->depth == MOST_DEPTH)
    return false;
  compiler->depth++;
  const bool compiled = compile_text(compiler, at, end, true);
  compiler->depth--;
  while (compiled && last_test != UINT32_MAX) {
    struct wb_word_step *test = &code->steps[last_test];
    last_test = test->place;
    test->place = (uint32_t)code->step_count;
  }
  compiler->joined = code->step_count;
  return compiled;
}

/* One piece of a text: a run of literal characters, braces, a group or a macro. */
static bool compile_piece(struct compiler *compiler, const char **at, const char *end)
{
  const char *first = (*at)++;
  const char *closing;
  switch (*first) {
  case '{':
    closing = memchr(first, '}', (size_t)(end - first));
    *at = closing != NULL ? closing + 1 : end;
    return closing != NULL && compile_braces(compiler, first + 1, closing);
  case '<':
    return compile_group(compiler, at, end);
  case '$':
    return compile_macro(compiler, at, end);
  case '}':
    return false;
  default:
    while (*at < end && strchr("{}<>$", **at) == NULL)
      ++*at;
    return add_literal(compiler, first, (size_t)(*at - first));
  }
}

/* Up to `end`; in a group up to its >, which it reads. */
static bool compile_text(struct compiler *compiler, const char **at, const char *end, bool in_group)
{
  while (*at < end) {
    if (accept(at, end, '>'))
      return in_group;
    if (!compile_piece(compiler, at, end))
      return false;
  }
  return !in_group;
}

bool wb_word_compile(struct wb_word_code *code, const struct wb_word_scope *scope, const char *text,
                     size_t *longest)
{
  struct compiler compiler = {.code = code, .scope = scope, .joined = code->step_count};
  const bool compiled = compile_text(&compiler, &text, text + strlen(text), false);
  *longest = compiler.longest;
  return compiled;
}
