/* Prints the text of machine words, as the decoder knows it: decode_words SM [--address A]
 * [--step] [--rows | --list] < words. A word a line, in hexadecimal, of 128 bits from sm_70 on,
 * else of 64; ? where it is unknown. --address: where each stands; --step: each stands behind the
 * one before it. --rows: before each text the row's number, opcode and text. --list: no words, but
 * all rows: number, the bits that make a word theirs (mask and value), text. */
#include "isa/decoder/word_decoder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit(char character)
{
  const char *digits = "0123456789abcdef";
  const char *found = character != '\0' ? strchr(digits, character | 0x20) : NULL;
  return found != NULL ? (int)(found - digits) : -1;
}

static void read_word(const char *line, uint64_t word[2])
{
  word[0] = word[1] = 0;
  if (line[0] == '0' && (line[1] | 0x20) == 'x')
    line += 2;
  for (; digit(*line) >= 0; line++) {
    word[1] = word[1] << 4 | word[0] >> 60;
    word[0] = word[0] << 4 | (uint64_t)digit(*line);
  }
}

static void print_row(const struct wb_word_entries *entries, const struct wb_word_entry *entry)
{
  if (entry == NULL)
    return;
  printf("%td 0x%x", entry - entries->items, entry->opcode);
  if (entry->form != 0)
    printf(" form %c", entry->form);
  printf("\t%s\t", entry->row->text);
}

static void list_rows(const struct wb_word_entries *entries, unsigned bits)
{
  int digits = (int)bits / 4 - 16;
  for (size_t i = 0; i < entries->count; i++) {
    const struct wb_word_entry *entry = &entries->items[i];
    const uint64_t *pairs[] = {entry->mask, entry->value};
    printf("%zu", i);
    for (size_t p = 0; p < 2; p++) {
      printf("\t");
      if (digits > 0)
        printf("%0*" PRIx64, digits, pairs[p][1]);
      printf("%016" PRIx64, pairs[p][0]);
    }
    printf("\t%s\n", entry->row->text);
  }
}

int main(int count, char **words)
{
  uint64_t address = 0;
  bool rows = false, step = false, list = false;
  if (count < 2) {
    fprintf(stderr, "usage: decode_words SM [--address A] [--step] [--rows | --list] < words\n");
    return 2;
  }
  for (int i = 2; i < count; i++) {
    rows = rows || strcmp(words[i], "--rows") == 0;
    list = list || strcmp(words[i], "--list") == 0;
    step = step || strcmp(words[i], "--step") == 0;
    if (strcmp(words[i], "--address") == 0 && i + 1 < count)
      address = strtoull(words[++i], NULL, 0);
  }
  struct wb_word_decoder *decoder;
  warpbound_error error;
  unsigned sm = (unsigned)strtoul(words[1] + strcspn(words[1], "0123456789"), NULL, 10);
  if (wb_word_decoder_create(sm, &decoder, &error) != WARPBOUND_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  if (list)
    list_rows(wb_word_decoder_entries(decoder), wb_word_decoder_bits(decoder));
  char line[256];
  struct wb_decoded_word decoded;
  while (!list && fgets(line, sizeof line, stdin) != NULL) {
    uint64_t word[2];
    read_word(line, word);
    wb_word_decode(decoder, word, address, &decoded);
    if (rows)
      print_row(wb_word_decoder_entries(decoder), decoded.entry);
    puts(decoded.knowledge == WB_WORD_KNOWN ? decoded.text : "?");
    address += step ? wb_word_decoder_bits(decoder) / 8 : 0;
  }
  wb_word_decoder_free(decoder);
  return 0;
}
