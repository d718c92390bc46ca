#include "formats/flow_facts_file.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "base/text/choice.h"

#include <stdlib.h>
#include <string.h>

/* A word of a line; in quotes it may hold blanks and '#'. */
struct word {
  const char *text;
  size_t length;
  size_t column;
  bool quoted;
};

struct reader {
  const char *at, *end, *line_start;
  size_t line;
  struct word word; /* length 0 and not quoted: the line's end */
  struct wb_flow_facts *facts;
  struct wb_kernel_facts *kernel;
  warpbound_error *error;
};

/* ---- words ---- */

static warpbound_status expected(const struct reader *r, const char *what)
{
  const struct word *word = &r->word;
  if (word->length == 0 && !word->quoted)
    return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->facts->name, r->line, word->column,
                      "expected %s, found the line's end", what);
  return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->facts->name, r->line, word->column,
                    "expected %s, found '%.*s'", what, (int)(word->length < 60 ? word->length : 60),
                    word->text);
}

static warpbound_status expected_one_of(const struct reader *r, const struct wb_choice *words)
{
  struct wb_text list = {0};
  wb_choice_list(&list, words, "'");
  warpbound_status status = list.failed ? wb_out_of_memory(r->error) : expected(r, list.data);
  wb_text_free(&list);
  return status;
}

static warpbound_status next_word(struct reader *r)
{
  while (r->at < r->end && wb_is_blank(*r->at))
    r->at++;
  r->word = (struct word){.text = r->at, .column = (size_t)(r->at - r->line_start) + 1};
  if (r->at == r->end || *r->at == '\n' || *r->at == '#')
    return WARPBOUND_OK;
  r->word.quoted = *r->at == '"';
  if (r->word.quoted)
    r->word.text = ++r->at;
  while (r->at < r->end && *r->at != '\n' &&
         (r->word.quoted ? *r->at != '"' : !wb_is_blank(*r->at) && *r->at != '#'))
    r->at++;
  r->word.length = (size_t)(r->at - r->word.text);
  if (!r->word.quoted)
    return WARPBOUND_OK;
  if (r->at == r->end || *r->at != '"')
    return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->facts->name, r->line, r->word.column,
                      "expected a second \" in the line, found the line's end");
  r->at++;
  return WARPBOUND_OK;
}

static bool word_is(const struct reader *r, const char *text)
{
  return !r->word.quoted && r->word.length == strlen(text) &&
         memcmp(r->word.text, text, r->word.length) == 0;
}

static bool at_line_end(const struct reader *r)
{
  return r->word.length == 0 && !r->word.quoted;
}

/* Passes a word that has to stand here. */
static warpbound_status pass(struct reader *r, const char *text, const char *what)
{
  return word_is(r, text) ? next_word(r) : expected(r, what);
}

static const char *keep(struct reader *r, const char *text, size_t length)
{
  return memchr(text, 0, length) == NULL ? wb_name_pool_copy(&r->facts->names, text, length) : NULL;
}

/* A number in decimal, or hexadecimal behind 0x, at the start of a text: how many characters
 * it has, 0 where there is none or it is above `most`. */
static size_t scan_number(const char *text, size_t length, uint64_t most, uint64_t *number)
{
  bool hexadecimal = length > 2 && text[0] == '0' && text[1] == 'x';
  size_t i = hexadecimal ? 2 : 0;
  size_t first = i;
  *number = 0;
  for (; i < length; i++) {
    unsigned base = hexadecimal ? 16 : 10;
    unsigned digit = wb_digit_value(text[i]);
    if (digit >= base)
      break;
    if (*number > (most - digit) / base)
      return 0;
    *number = *number * base + digit;
  }
  return i > first ? i : 0;
}

static warpbound_status read_number(struct reader *r, uint64_t most, const char *what,
                                    uint64_t *number)
{
  if (at_line_end(r) || scan_number(r->word.text, r->word.length, most, number) != r->word.length)
    return expected(r, what);
  return next_word(r);
}

/* ---- places ---- */

/* FILE:LINE, the file's name up to the last colon; false where the text is none. */
static bool scan_line(const char *text, size_t length, size_t *file_length, uint64_t *line)
{
  size_t colon = length;
  while (colon > 0 && text[colon - 1] != ':')
    colon--;
  if (colon < 2)
    return false;
  *file_length = colon - 1;
  return length > colon && wb_is_digit(text[colon]) &&
         scan_number(text + colon, length - colon, UINT32_MAX, line) == length - colon;
}

/* ADDRESS, ADDRESS@FILE:LINE, FILE:LINE or a label. */
static warpbound_status read_place(struct reader *r)
{
  struct wb_kernel_facts *kernel = r->kernel;
  struct wb_place place = {0};
  const char *text = r->word.text;
  size_t length = r->word.length;
  uint64_t number;
  if (length == 0)
    return expected(r, "a place: an address (0x0148), FILE:LINE or a label");
  size_t digits = text[0] == '0' && length > 1 && text[1] == 'x'
                      ? scan_number(text, length, UINT32_MAX, &number)
                      : 0;
  if (digits > 0 && (digits == length || text[digits] == '@')) {
    place.has_address = true;
    place.address = (uint32_t)number;
    text += digits < length ? digits + 1 : digits;
    length -= digits < length ? digits + 1 : digits;
  }
  size_t file_length;
  bool has_line = length > 0 && scan_line(text, length, &file_length, &number);
  if (place.has_address && !has_line && length > 0)
    return expected(r, "an address alone, or ADDRESS@FILE:LINE");
  if (has_line) {
    place.file = keep(r, text, file_length);
    place.source_line = (uint32_t)number;
  } else if (!place.has_address) {
    place.label = keep(r, text, length);
  }
  if ((has_line && place.file == NULL) || (!has_line && !place.has_address && place.label == NULL))
    return memchr(text, 0, length) != NULL ? expected(r, "a name without zero bytes")
                                           : wb_out_of_memory(r->error);
  if (!wb_grow(kernel->places, &kernel->place_capacity, kernel->place_count + 1))
    return wb_out_of_memory(r->error);
  kernel->places[kernel->place_count++] = place;
  return next_word(r);
}

/* ---- lines ---- */

/* Nothing, "per thread" or "per warp" at the line's end. */
static warpbound_status read_level(struct reader *r, struct wb_flow_fact *fact)
{
  if (at_line_end(r))
    return WARPBOUND_OK;
  warpbound_status status = pass(r, "per", "'per thread', 'per warp' or the line's end");
  if (status != WARPBOUND_OK)
    return status;
  fact->per_warp = word_is(r, "warp");
  return fact->per_warp ? next_word(r) : pass(r, "thread", "'thread' or 'warp'");
}

/* Nothing, or "per entry of PLACE"; then the level. */
static warpbound_status read_relation(struct reader *r, struct wb_flow_fact *fact)
{
  if (!word_is(r, "per"))
    return read_level(r, fact);
  struct reader before = *r;
  warpbound_status status = next_word(r);
  if (status != WARPBOUND_OK || !word_is(r, "entry")) {
    *r = before;
    return read_level(r, fact);
  }
  status = next_word(r);
  if (status == WARPBOUND_OK)
    status = pass(r, "of", "'of'");
  if (status == WARPBOUND_OK)
    status = read_place(r);
  fact->place_count++;
  return status == WARPBOUND_OK ? read_level(r, fact) : status;
}

/* loop PLACE bound N [per entry of PLACE] [per thread|per warp] */
static warpbound_status read_loop(struct reader *r, struct wb_flow_fact *fact)
{
  fact->place_count = 1;
  warpbound_status status = read_place(r);
  if (status == WARPBOUND_OK)
    status = pass(r, "bound", "'bound'");
  if (status == WARPBOUND_OK)
    status = read_number(r, INT64_MAX, "how many back edges: a whole number", &fact->number);
  return status == WARPBOUND_OK ? read_relation(r, fact) : status;
}

/* run PLACE never, or run PLACE at most N [per entry of PLACE] [per thread|per warp] */
static warpbound_status read_run(struct reader *r, struct wb_flow_fact *fact)
{
  fact->place_count = 1;
  warpbound_status status = read_place(r);
  if (status == WARPBOUND_OK && word_is(r, "never")) {
    fact->per_warp = true; /* what no thread does the warp does not */
    return next_word(r);
  }
  if (status == WARPBOUND_OK)
    status = pass(r, "at", "'never' or 'at most'");
  if (status == WARPBOUND_OK)
    status = pass(r, "most", "'most'");
  if (status == WARPBOUND_OK)
    status = read_number(r, INT64_MAX, "how many runs: a whole number", &fact->number);
  return status == WARPBOUND_OK ? read_relation(r, fact) : status;
}

/* Two or more places, then the level. */
static warpbound_status read_places(struct reader *r, struct wb_flow_fact *fact)
{
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && !at_line_end(r) && !word_is(r, "per")) {
    status = read_place(r);
    fact->place_count++;
  }
  if (status == WARPBOUND_OK && fact->place_count < 2)
    return expected(r, "two places or more");
  if (status == WARPBOUND_OK)
    status = read_level(r, fact);
  if (status == WARPBOUND_OK && fact->kind == WB_FACT_EXCLUSIVE && !fact->per_warp)
    return expected(r, "'per warp': of what threads never do both, their warp may do both");
  return status;
}

static warpbound_status read_kernel(struct reader *r)
{
  struct wb_flow_facts *facts = r->facts;
  if (at_line_end(r))
    return expected(r, "the kernel's name");
  const char *name = keep(r, r->word.text, r->word.length);
  if (name == NULL)
    return memchr(r->word.text, 0, r->word.length) != NULL
               ? expected(r, "a name without zero bytes")
               : wb_out_of_memory(r->error);
  const struct wb_kernel_facts *other = wb_flow_facts_find(facts, name);
  if (other != NULL)
    return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, facts->name, r->line, r->word.column,
                      "expected each kernel once, found '%.100s' again (first in line %u)", name,
                      (unsigned)other->line);
  if (!wb_grow(facts->kernels, &facts->kernel_capacity, facts->kernel_count + 1))
    return wb_out_of_memory(r->error);
  r->kernel = &facts->kernels[facts->kernel_count++];
  *r->kernel = (struct wb_kernel_facts){.kernel = name, .line = (uint32_t)r->line};
  return next_word(r);
}

static warpbound_status read_checksum(struct reader *r)
{
  if (r->kernel->has_checksum)
    return wb_fail_at(r->error, WARPBOUND_INVALID_INPUT, r->facts->name, r->line, 1,
                      "expected one checksum for each kernel, found a second one");
  r->kernel->has_checksum = true;
  return read_number(r, UINT64_MAX, "a checksum: a number", &r->kernel->checksum);
}

static warpbound_status read_fact(struct reader *r, enum wb_fact_kind kind)
{
  struct wb_flow_fact fact = {
      .kind = kind, .first_place = r->kernel->place_count, .line = (uint32_t)r->line};
  warpbound_status status = kind == WB_FACT_LOOP   ? read_loop(r, &fact)
                            : kind == WB_FACT_RUNS ? read_run(r, &fact)
                                                   : read_places(r, &fact);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_kernel_facts *kernel = r->kernel;
  if (!wb_grow(kernel->facts, &kernel->fact_capacity, kernel->fact_count + 1))
    return wb_out_of_memory(r->error);
  kernel->facts[kernel->fact_count++] = fact;
  return WARPBOUND_OK;
}

static warpbound_status read_line(struct reader *r)
{
  enum { KERNEL = -2, CHECKSUM = -1 };
  static const struct wb_choice words[] = {{"kernel", KERNEL},
                                           {"checksum", CHECKSUM},
                                           {"loop", WB_FACT_LOOP},
                                           {"run", WB_FACT_RUNS},
                                           {"equal", WB_FACT_EQUAL},
                                           {"exclusive", WB_FACT_EXCLUSIVE},
                                           {NULL, 0}};
  warpbound_status status = next_word(r);
  if (status != WARPBOUND_OK || at_line_end(r))
    return status;
  const struct wb_choice *choice = words;
  while (choice->name != NULL && !word_is(r, choice->name))
    choice++;
  const bool kernel = choice->name != NULL && choice->value == KERNEL;
  if (!kernel && r->kernel == NULL)
    return expected(r, "'kernel NAME' before any fact");
  if (choice->name == NULL)
    return expected_one_of(r, words);
  status = next_word(r);
  if (status == WARPBOUND_OK)
    status = kernel                      ? read_kernel(r)
             : choice->value == CHECKSUM ? read_checksum(r)
                                         : read_fact(r, (enum wb_fact_kind)choice->value);
  if (status == WARPBOUND_OK && !at_line_end(r))
    return expected(r, "the line's end");
  return status;
}

static void skip_line(struct reader *r)
{
  while (r->at < r->end && *r->at != '\n')
    r->at++;
  if (r->at < r->end)
    r->at++;
  r->line_start = r->at;
  r->line++;
}

warpbound_status wb_flow_facts_parse(const char *name, const char *text, size_t length,
                                     struct wb_flow_facts *facts, warpbound_error *error)
{
  *facts = (struct wb_flow_facts){.name = wb_copy_text(name, strlen(name))};
  struct reader r = {.at = text,
                     .end = text + length,
                     .line_start = text,
                     .line = 1,
                     .facts = facts,
                     .error = error};
  warpbound_status status = facts->name != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  while (status == WARPBOUND_OK && r.at < r.end) {
    status = read_line(&r);
    skip_line(&r);
  }
  if (status != WARPBOUND_OK)
    wb_flow_facts_free(facts);
  return status;
}
