#include "isa/decoder/word_decoder.h"

#include "base/memory.h"
#include "isa/decoder/word_printer.h"
#include "isa/encoding/words128/words128.h"
#include "isa/encoding/words64/words64.h"
#include "isa/sass_opcodes.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

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

/* Compiles what `where` asks: tests of equality become bits of the mask. */
static bool compile_where(struct wb_word_entries *entries, struct wb_word_entry *entry)
{
  entry->first_test = (uint32_t)entries->test_count;
  const char *at = entry->row->where;
  const char *end = at != NULL ? at + strlen(at) : NULL;
  for (; at != NULL; at++) {
    struct wb_word_test test;
    if (!wb_word_test_read(&at, end, &test))
      return false;
    const struct wb_word_field *field = &test.field;
    const bool plain = !test.differs && field->times == 1 && field->shift == 0 && field->plus == 0;
    if (plain && !set_test(entry, &test))
      return false;
    if (!plain) {
      if (!wb_grow(entries->tests, &entries->test_capacity, entries->test_count + 1)) {
        entries->code.no_memory = true;
        return false;
      }
      entries->tests[entries->test_count++] = test;
      entry->test_count++;
    }
    if (at == end)
      return true;
    if (*at != '&')
      return false;
  }
  return true;
}

/* Compiles the row in one of its forms. */
static bool compile_entry(struct wb_word_entries *entries, struct wb_word_scope *scope,
                          const struct wb_word_row *row, char letter)
{
  const struct wb_word_family *family = scope->family;
  struct wb_word_entry entry = {
      .row = row, .guard = WB_WORD_GUARD, .opcode = row->opcode, .opcode_mask = row->mask};
  size_t f = 0;
  while (letter != '\0' && f < family->form_count && family->forms[f].letter != letter)
    f++;
  if (letter != '\0' && f == family->form_count)
    return false;
  if (letter != '\0') {
    entry.opcode |= family->forms[f].opcode;
    entry.opcode_mask |= entry.opcode_mask == 0 ? 0 : family->forms[f].mask;
    entry.form = letter;
  }
  if (entry.opcode_mask == 0)
    entry.opcode_mask = (uint16_t)((1U << family->opcode_width) - 1);
  entry.opcode &= entry.opcode_mask;
  set_bits(&entry, family->opcode_at, family->opcode_width, entry.opcode_mask, entry.opcode);
  scope->form = letter;
  if (!compile_where(entries, &entry))
    return false;
  const char *text = row->text;
  if (*text == '^' || *text == '-')
    entry.guard = *text++ == '^' ? WB_WORD_GUARD_UNIFORM : WB_WORD_GUARD_NONE;
  size_t longest;
  entry.first_step = (uint32_t)entries->code.step_count;
  if (!wb_word_compile(&entries->code, scope, text, &longest) || longest > WB_WORD_TEXT_LONGEST)
    return false;
  entry.end_step = (uint32_t)entries->code.step_count;
  entries->code.no_memory = !wb_grow(entries->items, &entries->capacity, entries->count + 1);
  if (entries->code.no_memory)
    return false;
  entries->items[entries->count++] = entry;
  return true;
}

/* Compiles the rows of a family that one of `architectures` has, each in all of its forms. A row
 * that does not obey the language is WARPBOUND_INTERNAL with its text. */
static warpbound_status compile_entries(const struct wb_word_family *family, unsigned architectures,
                                        struct wb_word_entries *entries, warpbound_error *error)
{
  struct wb_word_scope scope = {.family = family,
                                .uniform_width = (architectures & WB_FROM_BLACKWELL) != 0 ? 8 : 6};
  for (size_t t = 0; t < family->table_count; t++) {
    scope.table = family->tables[t];
    for (size_t r = 0; r < scope.table->row_count; r++) {
      const struct wb_word_row *row = &scope.table->rows[r];
      if (row->text == NULL || (row->architectures & architectures) == 0)
        continue;
      const char *letter = row->forms != NULL ? row->forms : "";
      bool compiled;
      do
        compiled = compile_entry(entries, &scope, row, *letter);
      while (compiled && *letter != '\0' && *++letter != '\0');
      if (!compiled && entries->code.no_memory)
        return wb_out_of_memory(error);
      if (!compiled)
        return wb_fail(error, WARPBOUND_INTERNAL, "malformed row 0x%x of machine words: %s",
                       row->opcode, row->text);
    }
  }
  return WARPBOUND_OK;
}

static bool matches(const struct wb_word_entries *entries, const struct wb_word_entry *entry,
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

/* ---- the decoder ---- */

/* Rows are found by the highest bits of their opcode field. */
enum { BUCKET_BITS = 12, BUCKETS = 1 << BUCKET_BITS };

struct wb_word_decoder {
  const struct wb_word_family *family;
  struct wb_word_entries entries;
  uint32_t *bucket_rows;           /* numbers of entries, bucket by bucket, ascending */
  uint32_t first_row[BUCKETS + 1]; /* of each bucket in bucket_rows */
};

static const struct {
  unsigned first, last; /* sm numbers */
  unsigned architecture;
} architectures[] = {
    {50, 50, WB_MAXWELL_50},      {52, 53, WB_MAXWELL_52},
    {60, 60, WB_PASCAL_60},       {61, 62, WB_PASCAL_61},
    {70, 70, WB_VOLTA_70},        {72, 72, WB_VOLTA_72},
    {75, 75, WB_TURING},          {80, 80, WB_AMPERE},
    {86, 88, WB_AMPERE_86},       {89, 89, WB_ADA},
    {90, 90, WB_HOPPER},          {100, 100, WB_BLACKWELL_100},
    {101, 101, WB_BLACKWELL_101}, {103, 103, WB_BLACKWELL_103},
    {110, 110, WB_BLACKWELL_101}, {120, 121, WB_BLACKWELL_120},
};

/* Puts an entry's number behind the rows of each bucket that its words may be in; rows: NULL: only
 * counts. */
static void put_entry(const struct wb_word_decoder *decoder, size_t number, uint32_t *next,
                      uint32_t *rows)
{
  const struct wb_word_entry *entry = &decoder->entries.items[number];
  unsigned shift = decoder->family->opcode_width - BUCKET_BITS;
  uint32_t fixed = entry->opcode_mask >> shift, value = entry->opcode >> shift;
  uint32_t free_bits = ~fixed & (BUCKETS - 1);
  uint32_t free_value = 0;
  do {
    if (rows != NULL)
      rows[next[value | free_value]] = (uint32_t)number;
    next[value | free_value]++;
    free_value = (free_value - free_bits) & free_bits;
  } while (free_value != 0);
}

/* Counts the rows of each bucket, then puts them behind those of the buckets before it. */
static warpbound_status fill_buckets(struct wb_word_decoder *decoder, warpbound_error *error)
{
  const size_t count = decoder->entries.count;
  uint32_t *next = wb_allocate(BUCKETS, sizeof *next);
  if (next == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < count; e++)
    put_entry(decoder, e, next, NULL);
  uint32_t total = 0;
  for (unsigned b = 0; b < BUCKETS; b++) {
    decoder->first_row[b] = total;
    total += next[b];
    next[b] = decoder->first_row[b];
  }
  decoder->first_row[BUCKETS] = total;
  decoder->bucket_rows = wb_allocate(total, sizeof *decoder->bucket_rows);
  for (size_t e = 0; decoder->bucket_rows != NULL && e < count; e++)
    put_entry(decoder, e, next, decoder->bucket_rows);
  free(next);
  return decoder->bucket_rows != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_word_decoder_make(const struct wb_word_family *family, unsigned set,
                                      struct wb_word_decoder **decoder, warpbound_error *error)
{
  *decoder = wb_allocate(1, sizeof **decoder);
  if (*decoder == NULL)
    return wb_out_of_memory(error);
  (*decoder)->family = family;
  warpbound_status status = compile_entries(family, set, &(*decoder)->entries, error);
  if (status == WARPBOUND_OK)
    status = fill_buckets(*decoder, error);
  if (status != WARPBOUND_OK) {
    wb_word_decoder_free(*decoder);
    *decoder = NULL;
  }
  return status;
}

warpbound_status wb_word_decoder_create(unsigned sm, struct wb_word_decoder **decoder,
                                        warpbound_error *error)
{
  *decoder = NULL;
  for (size_t a = 0; a < sizeof architectures / sizeof *architectures; a++) {
    if (sm >= architectures[a].first && sm <= architectures[a].last)
      return wb_word_decoder_make(sm < 70 ? &wb_words64 : &wb_words128,
                                  architectures[a].architecture, decoder, error);
  }
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "machine code of sm_%u is not known, but that of other GPUs from sm_50 to sm_121",
                 sm);
}

void wb_word_decoder_free(struct wb_word_decoder *decoder)
{
  if (decoder == NULL)
    return;
  wb_word_code_free(&decoder->entries.code);
  free(decoder->entries.items);
  free(decoder->entries.tests);
  free(decoder->bucket_rows);
  free(decoder);
}

unsigned wb_word_decoder_bits(const struct wb_word_decoder *decoder)
{
  return decoder->family->bits;
}

const struct wb_word_entries *wb_word_decoder_entries(const struct wb_word_decoder *decoder)
{
  return &decoder->entries;
}

static unsigned bucket_of(const struct wb_word_decoder *decoder, const uint64_t word[2])
{
  const struct wb_word_family *family = decoder->family;
  return (unsigned)wb_word_bits(word, family->opcode_at + family->opcode_width - BUCKET_BITS,
                                BUCKET_BITS);
}

static char *put_string(char *to, const char *string)
{
  while (*string != '\0')
    *to++ = *string++;
  return to;
}

/* @P0, @!UP3: nothing where it is PT. */
static char *put_guard(char *to, unsigned bits, bool uniform)
{
  unsigned number = bits & 7, negated = bits >> 3 & 1;
  if (number == 7 && !negated)
    return to;
  *to++ = '@';
  if (negated)
    *to++ = '!';
  if (uniform)
    *to++ = 'U';
  *to++ = 'P';
  *to++ = (char)(number == 7 ? 'T' : '0' + number);
  *to++ = ' ';
  return to;
}

/* Prints the word by an entry that it matches; false where the entry does not apply. */
static bool decode_by(const struct wb_word_decoder *decoder, const struct wb_word_entry *entry,
                      const uint64_t word[2], uint64_t address, struct wb_decoded_word *decoded)
{
  char *to = decoded->text;
  if (entry->guard != WB_WORD_GUARD_NONE)
    to = put_guard(to, (unsigned)wb_word_bits(word, decoder->family->guard_at, 4),
                   entry->guard == WB_WORD_GUARD_UNIFORM);
  decoded->guard_length = (size_t)(to - decoded->text);
  struct wb_word_print print = {.word = word, .next = address + decoder->family->bits / 8};
  char *end = wb_word_run(&decoder->entries.code, entry->first_step, entry->end_step, &print, to);
  if (end == NULL)
    return false;
  decoded->blank_behind = end > to && end[-1] == ' ';
  end -= decoded->blank_behind;
  *end = '\0';
  decoded->length = (size_t)(end - decoded->text);
  decoded->has_target = print.target_text != NULL;
  if (decoded->has_target) {
    decoded->target_place = (size_t)(print.target_text - decoded->text);
    decoded->target_length = (size_t)(print.target_end - print.target_text);
    decoded->target = print.target;
  }
  decoded->entry = entry;
  decoded->knowledge = WB_WORD_KNOWN;
  return true;
}

/* The letters, digits and underscores that an entry's text begins with. */
static const char *mnemonic_of(const struct wb_word_code *code, const struct wb_word_entry *entry,
                               size_t *length)
{
  const struct wb_word_step *step = &code->steps[entry->first_step];
  *length = 0;
  if (entry->first_step == entry->end_step || step->kind != WB_WORD_STEP_LITERAL)
    return "";
  const char *text = code->characters + step->place;
  while (*length < step->length &&
         ((text[*length] >= 'A' && text[*length] <= 'Z') || text[*length] == '_' ||
          (text[*length] >= '0' && text[*length] <= '9')))
    ++*length;
  return text;
}

/* Whether instructions of an entry do nothing but go on to the next one. */
static bool goes_on(const struct wb_word_decoder *decoder, const struct wb_word_entry *entry)
{
  size_t length;
  const char *mnemonic = mnemonic_of(&decoder->entries.code, entry, &length);
  const struct wb_sass_opcode *opcode =
      wb_sass_opcode_find(mnemonic, length, decoder->family->bits == 64 ? WB_SASS_64 : WB_SASS_128);
  return opcode != NULL && opcode->transfer == WB_TRANSFER_NEXT;
}

/* No row applies. The mnemonic is known where the opcode is that of rows of one that goes on. */
static void decode_unknown(const struct wb_word_decoder *decoder, const uint64_t word[2],
                           struct wb_decoded_word *decoded)
{
  const struct wb_word_family *family = decoder->family;
  const unsigned bucket = bucket_of(decoder, word);
  unsigned opcode = (unsigned)wb_word_bits(word, family->opcode_at, family->opcode_width);
  const struct wb_word_entry *named = NULL;
  bool goes = true;
  for (uint32_t r = decoder->first_row[bucket]; r < decoder->first_row[bucket + 1]; r++) {
    const struct wb_word_entry *entry = &decoder->entries.items[decoder->bucket_rows[r]];
    if ((opcode & entry->opcode_mask) != entry->opcode)
      continue;
    goes = goes && goes_on(decoder, entry);
    named = named != NULL ? named : entry;
  }
  char *to = put_string(decoded->text, "UNKNOWN");
  decoded->knowledge = WB_WORD_UNKNOWN;
  if (named != NULL && goes) {
    size_t length;
    const char *mnemonic = mnemonic_of(&decoder->entries.code, named, &length);
    *to++ = '.';
    memcpy(to, mnemonic, length);
    to += length;
    decoded->knowledge = WB_WORD_UNKNOWN_FORM;
  }
  *to++ = ' ';
  if (family->bits == 128) {
    to = wb_print_hexadecimal(to, word[1]);
    to = put_string(to, ", ");
  }
  to = wb_print_hexadecimal(to, word[0]);
  *to = '\0';
  decoded->length = (size_t)(to - decoded->text);
  decoded->guard_length = 0;
  decoded->blank_behind = false;
  decoded->has_target = false;
  decoded->entry = NULL;
}

void wb_word_decode(const struct wb_word_decoder *decoder, const uint64_t word[2], uint64_t address,
                    struct wb_decoded_word *decoded)
{
  const unsigned bucket = bucket_of(decoder, word);
  for (uint32_t r = decoder->first_row[bucket]; r < decoder->first_row[bucket + 1]; r++) {
    const struct wb_word_entry *entry = &decoder->entries.items[decoder->bucket_rows[r]];
    if (matches(&decoder->entries, entry, word) &&
        decode_by(decoder, entry, word, address, decoded))
      return;
  }
  decode_unknown(decoder, word, decoded);
}
