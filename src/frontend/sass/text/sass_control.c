/* Control information: stalls, barriers and yields, as encodings and texts have it.
 *
 * Maxwell and Pascal: a control word at each multiple of 0x20 serves the three instructions
 * after it, 21 bits each. Volta and later: bits 105 to 125 of each instruction. Both hold,
 * from the lowest bit:
 *   0-3 stall   4 no yield   5-7 write barrier   8-10 read barrier   11-16 wait mask   17-20 reuse
 */
#include "frontend/sass/text/sass_control.h"

#include "frontend/sass/text/sass_scanner.h"

#include <string.h>

#define SLOT_BITS 21
#define SLOT_MASK ((UINT64_C(1) << SLOT_BITS) - 1)
#define FIRST_HIGH_BIT (105 - 64)

/* Instructions that one control word stands before, itself included, in bytes. */
#define BUNDLE 0x20U

struct wb_control_word wb_sass_control(uint64_t slot)
{
  return (struct wb_control_word){
      .stall = (uint8_t)(slot & 15),
      .yield = (slot >> 4 & 1) == 0,
      .write_barrier = (uint8_t)(slot >> 5 & 7),
      .read_barrier = (uint8_t)(slot >> 8 & 7),
      .wait_mask = (uint8_t)(slot >> 11 & 63),
      .reuse = (uint8_t)(slot >> 17 & 15),
  };
}

void wb_sass_control_from_word(const struct wb_sass_parser *parser,
                               struct wb_sass_statement *statement)
{
  const uint32_t offset = statement->address - parser->control_block;
  /* Kepler's control words are other ones. */
  const bool known = parser->sm == 0 || parser->sm >= 50;
  if (!parser->has_control_word || !known || offset == 0 || offset >= BUNDLE || offset % 8 != 0)
    return;
  const unsigned slot = offset / 8 - 1;
  statement->control = wb_sass_control(parser->control_word >> (SLOT_BITS * slot) & SLOT_MASK);
  statement->has_control = true;
}

/* The second half of a 128-bit encoding. */
static void add_high_half(struct wb_sass_statement *statement, uint64_t encoding)
{
  statement->encoding[1] = encoding;
  statement->encoding_count = 2;
  statement->control = wb_sass_control(encoding >> FIRST_HIGH_BIT & SLOT_MASK);
  statement->has_control = true;
}

bool wb_sass_encoding_line(struct wb_sass_parser *parser, uint64_t encoding,
                           struct wb_sass_piece line)
{
  struct wb_sass_statement *last =
      parser->statement_count > 0 ? &parser->statements[parser->statement_count - 1] : NULL;
  const bool wide = parser->sm > 0 ? parser->sm >= 70 : !parser->eights;
  if (last != NULL && last->encoding_count == 0) {
    last->encoding[0] = encoding; /* of the second of a pair: it stands a line late */
    last->encoding_count = 1;
    return true;
  }
  if (wide && last != NULL && last->encoding_count == 1) {
    add_high_half(last, encoding);
    return true;
  }
  parser->control_block = last != NULL ? last->address + 8 : 0;
  if (parser->control_block % BUNDLE != 0 || (wide && (last != NULL || parser->sm > 0)))
    return wb_sass_expected(parser, parser->line, parser->line_start, line, "an instruction");
  parser->control_word = encoding;
  parser->has_control_word = true;
  return true;
}

/* The digit after a prefix such as "&wr=0x" or "&wr=sb"; false where there is none. */
static bool barrier(struct wb_sass_piece word, const char *prefix, uint8_t *value)
{
  const size_t length = strlen(prefix);
  if (!wb_sass_begins(word, prefix) || word.length == length)
    return false;
  const char digit = word.text[word.length - 1];
  if (digit < '0' || digit > '5')
    return false;
  *value = (uint8_t)(digit - '0');
  return true;
}

/* The stall of ?trans5 (the warp goes on) or ?WAIT5_END_GROUP (others may have their turn). */
static bool stall(struct wb_sass_piece word, struct wb_control_word *control)
{
  const bool wait = wb_sass_begins(word, "?WAIT");
  if (!wait && !wb_sass_begins(word, "?trans"))
    return false;
  unsigned value = 0;
  for (size_t i = wait ? 5 : 6; i < word.length && wb_is_digit(word.text[i]); i++)
    value = value > 15 ? 15 : value * 10 + (unsigned)(word.text[i] - '0');
  control->stall = (uint8_t)(value > 15 ? 15 : value);
  control->yield = wait;
  return true;
}

/* The barriers of &req={0,1}, from its brace on. */
static uint8_t wait_mask(struct wb_sass_piece text)
{
  uint8_t mask = 0;
  for (size_t i = 0; i < text.length && text.text[i] != '}'; i++)
    if (text.text[i] >= '0' && text.text[i] <= '5')
      mask |= (uint8_t)(1U << (text.text[i] - '0'));
  return mask;
}

void wb_sass_control_from_attributes(struct wb_sass_statement *statement,
                                     struct wb_sass_piece attributes)
{
  struct wb_control_word control = {.write_barrier = 7, .read_barrier = 7};
  bool known = false;
  if (attributes.length == 0)
    return;
  const char *end = attributes.text + attributes.length;
  for (const char *p = attributes.text; p < end;) {
    const char *start = p;
    while (p < end && !wb_is_blank(*p))
      p++;
    const struct wb_sass_piece word = {start, (size_t)(p - start)};
    known |= stall(word, &control);
    if (wb_sass_begins(word, "&req={"))
      control.wait_mask = wait_mask((struct wb_sass_piece){start, (size_t)(end - start)});
    else if (!barrier(word, "&wr=", &control.write_barrier))
      barrier(word, "&rd=", &control.read_barrier);
    while (p < end && wb_is_blank(*p))
      p++;
  }
  if (!known)
    return;
  statement->control = control;
  statement->has_control = true;
}
