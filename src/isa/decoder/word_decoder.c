#include "isa/decoder/word_decoder.h"

#include "base/memory.h"
#include "isa/decoder/word_numbers.h"
#include "isa/decoder/word_printer.h"
#include "isa/encoding/words128/words128.h"
#include "isa/encoding/words64/words64.h"
#include "isa/sass_opcodes.h"

#include <stdlib.h>
#include <string.h>

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
    {60, 62, WB_PASCAL},          {70, 72, WB_VOLTA},
    {75, 75, WB_TURING},          {80, 80, WB_AMPERE},
    {86, 88, WB_AMPERE_86},       {89, 89, WB_ADA},
    {90, 90, WB_HOPPER},          {100, 101, WB_BLACKWELL_100},
    {103, 103, WB_BLACKWELL_103}, {110, 110, WB_BLACKWELL_100},
    {120, 121, WB_BLACKWELL_120},
};

/* Calls visit for each bucket that words of an entry may be in. */
static void visit_buckets(const struct wb_word_decoder *decoder, const struct wb_word_entry *entry,
                          void (*visit)(uint32_t *bucket, uint32_t entry, uint32_t *rows),
                          uint32_t *buckets, uint32_t *rows)
{
  unsigned shift = decoder->family->opcode_width - BUCKET_BITS;
  uint32_t fixed = entry->opcode_mask >> shift, value = entry->opcode >> shift;
  uint32_t free_bits = ~fixed & (BUCKETS - 1);
  uint32_t free_value = 0;
  do {
    visit(&buckets[value | free_value], (uint32_t)(entry - decoder->entries.items), rows);
    free_value = (free_value - free_bits) & free_bits;
  } while (free_value != 0);
}

static void count_row(uint32_t *bucket, uint32_t entry, uint32_t *rows)
{
  (void)entry;
  (void)rows;
  ++*bucket;
}

static void put_row(uint32_t *bucket, uint32_t entry, uint32_t *rows)
{
  rows[(*bucket)++] = entry;
}

/* Counts the rows of each bucket, then puts them behind those of the buckets before it. */
static warpbound_status fill_buckets(struct wb_word_decoder *decoder, warpbound_error *error)
{
  const struct wb_word_entries *entries = &decoder->entries;
  uint32_t *next = wb_allocate(BUCKETS, sizeof *next);
  if (next == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < entries->count; e++)
    visit_buckets(decoder, &entries->items[e], count_row, next, NULL);
  uint32_t total = 0;
  for (unsigned b = 0; b < BUCKETS; b++) {
    decoder->first_row[b] = total;
    total += next[b];
    next[b] = decoder->first_row[b];
  }
  decoder->first_row[BUCKETS] = total;
  decoder->bucket_rows = wb_allocate(total, sizeof *decoder->bucket_rows);
  if (decoder->bucket_rows != NULL) {
    for (size_t e = 0; e < entries->count; e++)
      visit_buckets(decoder, &entries->items[e], put_row, next, decoder->bucket_rows);
  }
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
  warpbound_status status = wb_word_entries_compile(family, set, &(*decoder)->entries, error);
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
  wb_word_entries_free(&decoder->entries);
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
    if (wb_word_entry_matches(&decoder->entries, entry, word) &&
        decode_by(decoder, entry, word, address, decoded))
      return;
  }
  decode_unknown(decoder, word, decoded);
}
