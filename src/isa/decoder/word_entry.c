#include "isa/decoder/word_entry.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static unsigned uniform_width_of(unsigned architectures)
{
  return (architectures & WB_FROM_BLACKWELL) != 0 ? 8 : 6;
}

static void set_bits(struct wb_word_entry *entry, unsigned at, unsigned width, uint64_t mask,
                     uint64_t value)
{
  for (unsigned bit = 0; bit < width; bit++) {
    uint64_t here = (uint64_t)1 << ((at + bit) % 64);
    unsigned half = (at + bit) / 64;
    if ((mask >> bit & 1) == 0)
      continue;
    entry->mask[half] |= here;
    entry->value[half] &= ~here;
    if ((value >> bit & 1) != 0)
      entry->value[half] |= here;
  }
}

/* The opcode under its mask. */
static void set_opcode(struct wb_word_entry *entry, const struct wb_word_family *family,
                       const struct wb_word_form *form)
{
  uint16_t whole = (uint16_t)((1U << family->opcode_width) - 1);
  entry->opcode = entry->row->opcode;
  entry->opcode_mask = entry->row->mask;
  if (form != NULL) {
    entry->opcode = (uint16_t)(entry->opcode | form->opcode);
    entry->opcode_mask = (uint16_t)(entry->opcode_mask == 0 ? 0 : entry->opcode_mask | form->mask);
    entry->form = form->letter;
  }
  if (entry->opcode_mask == 0)
    entry->opcode_mask = whole;
  entry->opcode &= entry->opcode_mask;
  set_bits(entry, family->opcode_at, family->opcode_width, entry->opcode_mask, entry->opcode);
}

static bool is_plain(const struct wb_word_test *test)
{
  const struct wb_word_field *field = &test->field;
  return !test->differs && field->times == 1 && field->shift == 0 && field->plus == 0;
}

/* A test of equality as bits of the mask. False: bits that another test wants otherwise. */
static bool set_test(struct wb_word_entry *entry, const struct wb_word_test *test)
{
  struct wb_word_entry before = *entry;
  uint64_t rest = test->value;
  for (unsigned p = 0; p < test->field.part_count; p++) {
    const struct wb_word_part *part = &test->field.parts[p];
    set_bits(entry, part->at, part->width, UINT64_MAX, rest);
    rest = part->width < 64 ? rest >> part->width : 0;
  }
  return rest == 0 && (before.mask[0] & (before.value[0] ^ entry->value[0])) == 0 &&
         (before.mask[1] & (before.value[1] ^ entry->value[1])) == 0;
}

static enum wb_word_compiled compile_where(struct wb_word_entries *entries,
                                           struct wb_word_entry *entry)
{
  entry->first_test = (uint32_t)entries->test_count;
  const char *at = entry->row->where;
  if (at == NULL)
    return WB_WORD_COMPILED;
  const char *end = at + strlen(at);
  for (;; at++) {
    struct wb_word_test test;
    if (!wb_word_test_read(&at, end, &test))
      return WB_WORD_MALFORMED;
    if (!is_plain(&test)) {
      if (!wb_grow(entries->tests, &entries->test_capacity, entries->test_count + 1))
        return WB_WORD_NO_MEMORY;
      entries->tests[entries->test_count++] = test;
      entry->test_count++;
    } else if (!set_test(entry, &test)) {
      return WB_WORD_MALFORMED;
    }
    if (at == end)
      return WB_WORD_COMPILED;
    if (*at != '&')
      return WB_WORD_MALFORMED;
  }
}

static enum wb_word_compiled compile_entry(struct wb_word_entries *entries,
                                           const struct wb_word_scope *scope,
                                           struct wb_word_entry *entry)
{
  enum wb_word_compiled compiled = compile_where(entries, entry);
  if (compiled != WB_WORD_COMPILED)
    return compiled;
  const char *text = entry->row->text;
  if (*text == '^')
    entry->guard = WB_WORD_GUARD_UNIFORM;
  else if (*text == '-')
    entry->guard = WB_WORD_GUARD_NONE;
  text += *text == '^' || *text == '-';

  size_t longest;
  entry->first_step = (uint32_t)entries->code.step_count;
  compiled = wb_word_compile(&entries->code, scope, text, &longest);
  entry->end_step = (uint32_t)entries->code.step_count;
  if (compiled == WB_WORD_COMPILED && longest > WB_WORD_TEXT_LONGEST)
    return WB_WORD_MALFORMED;
  if (compiled != WB_WORD_COMPILED)
    return compiled;
  if (!wb_grow(entries->items, &entries->capacity, entries->count + 1))
    return WB_WORD_NO_MEMORY;
  entries->items[entries->count++] = *entry;
  return WB_WORD_COMPILED;
}

static const struct wb_word_form *find_form(const struct wb_word_family *family, char letter)
{
  for (size_t f = 0; f < family->form_count; f++) {
    if (family->forms[f].letter == letter)
      return &family->forms[f];
  }
  return NULL;
}

/* The row in each of its forms. */
static enum wb_word_compiled compile_row(struct wb_word_entries *entries,
                                         struct wb_word_scope *scope, const struct wb_word_row *row)
{
  const char *letter = row->forms != NULL ? row->forms : "";
  do {
    struct wb_word_entry entry = {.row = row, .guard = WB_WORD_GUARD};
    const struct wb_word_form *form = find_form(scope->family, *letter);
    if (*letter != '\0' && form == NULL)
      return WB_WORD_MALFORMED;
    scope->form = *letter;
    set_opcode(&entry, scope->family, form);
    enum wb_word_compiled compiled = compile_entry(entries, scope, &entry);
    if (compiled != WB_WORD_COMPILED)
      return compiled;
  } while (*letter != '\0' && *++letter != '\0');
  return WB_WORD_COMPILED;
}

warpbound_status wb_word_entries_compile(const struct wb_word_family *family,
                                         unsigned architectures, struct wb_word_entries *entries,
                                         warpbound_error *error)
{
  struct wb_word_scope scope = {.family = family, .uniform_width = uniform_width_of(architectures)};
  for (size_t t = 0; t < family->table_count; t++) {
    scope.table = family->tables[t];
    for (size_t r = 0; r < scope.table->row_count; r++) {
      const struct wb_word_row *row = &scope.table->rows[r];
      if (row->text == NULL || (row->architectures & architectures) == 0)
        continue;
      switch (compile_row(entries, &scope, row)) {
      case WB_WORD_COMPILED:
        break;
      case WB_WORD_NO_MEMORY:
        return wb_out_of_memory(error);
      case WB_WORD_MALFORMED:
        return wb_fail(error, WARPBOUND_INTERNAL, "malformed row 0x%x of machine words: %s",
                       row->opcode, row->text);
      }
    }
  }
  return WARPBOUND_OK;
}

void wb_word_entries_free(struct wb_word_entries *entries)
{
  wb_word_code_free(&entries->code);
  free(entries->items);
  free(entries->tests);
  *entries = (struct wb_word_entries){0};
}

bool wb_word_entry_matches(const struct wb_word_entries *entries, const struct wb_word_entry *entry,
                           const uint64_t word[2])
{
  if ((word[0] & entry->mask[0]) != entry->value[0] ||
      (word[1] & entry->mask[1]) != entry->value[1])
    return false;
  for (uint32_t t = 0; t < entry->test_count; t++) {
    const struct wb_word_test *test = &entries->tests[entry->first_test + t];
    if ((wb_word_field_value(&test->field, word, false) == test->value) == test->differs)
      return false;
  }
  return true;
}

/* Whether a program may find that its row does not apply. */
static bool may_refuse(const struct wb_word_code *code, const struct wb_word_entry *entry)
{
  for (uint32_t s = entry->first_step; s < entry->end_step; s++) {
    if (code->steps[s].kind != WB_WORD_STEP_CHOICE)
      continue;
    const struct wb_word_choice *choice = &code->choices[code->steps[s].place];
    for (uint32_t i = 0; i < choice->count; i++) {
      if (code->options[choice->first + i].kind == WB_WORD_OPTION_NEVER)
        return true;
    }
  }
  return false;
}

bool wb_word_entry_hides(const struct wb_word_entries *entries, const struct wb_word_entry *earlier,
                         const struct wb_word_entry *later)
{
  for (unsigned half = 0; half < 2; half++) {
    if ((earlier->mask[half] & ~later->mask[half]) != 0 ||
        ((earlier->value[half] ^ later->value[half]) & earlier->mask[half]) != 0)
      return false;
  }
  return earlier->test_count == 0 && !may_refuse(&entries->code, earlier);
}
