/* The reader of flow fact files. */
#include "formats/flow_facts/flow_facts_file.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "formats/flow_facts/place_words.h"

#include <stdlib.h>
#include <string.h>

/* A word of a line. */
struct word {
  /* Without the quotes; not ended by a zero byte. */
  const char *text;
  size_t length;
  /* From 1, of the quote if there is one. */
  size_t column;
  /* It may hold blanks and '#'. */
  bool quoted;
};

/* A file being read. */
struct reader {
  /* The first character after the word at hand, the file's end, and the start of the line. */
  const char *at, *end, *line_start;
  /* From 1. */
  size_t line;
  /* The word at hand; length 0 and not quoted: the line's end. */
  struct word word;
  struct wb_flow_facts *facts;
  /* The facts of the last kernel named; NULL before the first. */
  struct wb_kernel_facts *kernel;
  warpbound_error *error;
};

/* ---- words ---- */

static warpbound_status expected(const struct reader *reader, const char *what)
{
  const struct word *word = &reader->word;
  if (word->length == 0 && !word->quoted)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                      word->column, "expected %s, found the line's end", what);
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                    word->column, "expected %s, found '%.*s'", what,
                    (int)(word->length < 60 ? word->length : 60), word->text);
}

static warpbound_status next_word(struct reader *reader)
{
  while (reader->at < reader->end && wb_is_blank(*reader->at))
    reader->at++;
  reader->word =
      (struct word){.text = reader->at, .column = (size_t)(reader->at - reader->line_start) + 1};
  if (reader->at == reader->end || *reader->at == '\n' || *reader->at == '#')
    return WARPBOUND_OK;
  reader->word.quoted = *reader->at == '"';
  if (reader->word.quoted)
    reader->word.text = ++reader->at;
  while (
      reader->at < reader->end && *reader->at != '\n' &&
      (reader->word.quoted ? *reader->at != '"' : !wb_is_blank(*reader->at) && *reader->at != '#'))
    reader->at++;
  reader->word.length = (size_t)(reader->at - reader->word.text);
  if (!reader->word.quoted)
    return WARPBOUND_OK;
  if (reader->at == reader->end || *reader->at != '"')
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                      reader->word.column,
                      "expected a second \" in the line, found the line's end");
  reader->at++;
  return WARPBOUND_OK;
}

static bool word_is(const struct reader *reader, const char *text)
{
  return !reader->word.quoted && reader->word.length == strlen(text) &&
         memcmp(reader->word.text, text, reader->word.length) == 0;
}

static bool at_line_end(const struct reader *reader)
{
  return reader->word.length == 0 && !reader->word.quoted;
}

/* Takes a word that has to be `text`; messages call it `what`. */
static warpbound_status pass(struct reader *reader, const char *text, const char *what)
{
  return word_is(reader, text) ? next_word(reader) : expected(reader, what);
}

static const char *keep(struct reader *reader, const char *text, size_t length)
{
  return memchr(text, 0, length) == NULL ? wb_name_pool_copy(&reader->facts->names, text, length)
                                         : NULL;
}

/* A number of which all is right but its size. */
static warpbound_status too_large(const struct reader *reader, const char *what)
{
  const struct word *word = &reader->word;
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                    word->column, "expected %s, found '%.*s': the number is too large", what,
                    (int)(word->length < 60 ? word->length : 60), word->text);
}

static bool is_digits(const struct word *word)
{
  size_t digits = 0;
  while (digits < word->length && word->text[digits] >= '0' && word->text[digits] <= '9')
    digits++;
  return digits > 0 && digits == word->length;
}

static warpbound_status read_number(struct reader *reader, uint64_t most, const char *what,
                                    uint64_t *number)
{
  if (at_line_end(reader) ||
      wb_number_word(reader->word.text, reader->word.length, most, number) != reader->word.length)
    return is_digits(&reader->word) ? too_large(reader, what) : expected(reader, what);
  return next_word(reader);
}

/* ---- places ---- */

/* ADDRESS, ADDRESS@FILE:LINE, FILE:LINE or a label. */
static warpbound_status read_place(struct reader *reader)
{
  struct wb_kernel_facts *kernel = reader->kernel;
  struct wb_place_words words;
  if (reader->word.length == 0)
    return expected(reader, "a place: an address (0x0148), FILE:LINE or a label");
  if (!wb_place_words_read(reader->word.text, reader->word.length, &words))
    return expected(reader, "an address alone, or ADDRESS@FILE:LINE");
  struct wb_place place = {.source_line = words.source_line,
                           .address = words.address,
                           .has_address = words.has_address,
                           .column = (uint32_t)reader->word.column};
  if (words.file != NULL)
    place.file = keep(reader, words.file, words.file_length);
  if (words.label != NULL)
    place.label = keep(reader, words.label, words.label_length);
  if ((words.file != NULL && place.file == NULL) || (words.label != NULL && place.label == NULL))
    return memchr(reader->word.text, 0, reader->word.length) != NULL
               ? expected(reader, "a name without zero bytes")
               : wb_out_of_memory(reader->error);
  if (!wb_grow(kernel->places, &kernel->place_capacity, kernel->place_count + 1))
    return wb_out_of_memory(reader->error);
  kernel->places[kernel->place_count++] = place;
  return next_word(reader);
}

/* ---- lines ---- */

/* Nothing, "per thread" or "per warp" at the line's end. */
static warpbound_status read_level(struct reader *reader, struct wb_flow_fact *fact)
{
  if (at_line_end(reader))
    return WARPBOUND_OK;
  warpbound_status status = pass(reader, "per", "'per thread', 'per warp' or the line's end");
  if (status != WARPBOUND_OK)
    return status;
  fact->per_warp = word_is(reader, "warp");
  return fact->per_warp ? next_word(reader) : pass(reader, "thread", "'thread' or 'warp'");
}

/* Nothing, or "per entry of PLACE"; then the level. */
static warpbound_status read_relation(struct reader *reader, struct wb_flow_fact *fact)
{
  if (!word_is(reader, "per"))
    return read_level(reader, fact);
  struct reader before = *reader;
  warpbound_status status = next_word(reader);
  if (status != WARPBOUND_OK || !word_is(reader, "entry")) {
    *reader = before;
    return read_level(reader, fact);
  }
  status = next_word(reader);
  if (status == WARPBOUND_OK)
    status = pass(reader, "of", "'of'");
  if (status == WARPBOUND_OK)
    status = read_place(reader);
  fact->place_count++;
  return status == WARPBOUND_OK ? read_level(reader, fact) : status;
}

/* The number of a fact, and where it stands. */
static warpbound_status read_count(struct reader *reader, const char *what,
                                   struct wb_flow_fact *fact)
{
  fact->column = (uint32_t)reader->word.column;
  return read_number(reader, INT64_MAX, what, &fact->number);
}

/* loop PLACE bound N [per entry of PLACE] [per thread|per warp] */
static warpbound_status read_loop(struct reader *reader, struct wb_flow_fact *fact)
{
  fact->place_count = 1;
  warpbound_status status = read_place(reader);
  if (status == WARPBOUND_OK)
    status = pass(reader, "bound", "'bound'");
  if (status == WARPBOUND_OK)
    status = read_count(reader, "how many back edges: a whole number", fact);
  return status == WARPBOUND_OK ? read_relation(reader, fact) : status;
}

/* run PLACE never, or run PLACE at most N [per entry of PLACE] [per thread|per warp] */
static warpbound_status read_run(struct reader *reader, struct wb_flow_fact *fact)
{
  fact->place_count = 1;
  warpbound_status status = read_place(reader);
  if (status == WARPBOUND_OK && word_is(reader, "never")) {
    fact->per_warp = true; /* no thread runs it, so the warp does not */
    fact->column = (uint32_t)reader->word.column;
    return next_word(reader);
  }
  if (status == WARPBOUND_OK)
    status = pass(reader, "at", "'never' or 'at most'");
  if (status == WARPBOUND_OK)
    status = pass(reader, "most", "'most'");
  if (status == WARPBOUND_OK)
    status = read_count(reader, "how many runs: a whole number", fact);
  return status == WARPBOUND_OK ? read_relation(reader, fact) : status;
}

/* Two or more places, then the level. */
static warpbound_status read_places(struct reader *reader, struct wb_flow_fact *fact)
{
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && !at_line_end(reader) && !word_is(reader, "per")) {
    status = read_place(reader);
    fact->place_count++;
  }
  if (status == WARPBOUND_OK && fact->place_count < 2)
    return expected(reader, "two places or more");
  if (status == WARPBOUND_OK)
    status = read_level(reader, fact);
  if (status == WARPBOUND_OK && fact->kind == WB_FACT_EXCLUSIVE && !fact->per_warp)
    return expected(reader, "'per warp': of what threads never do both, their warp may do both");
  return status;
}

static warpbound_status read_kernel(struct reader *reader)
{
  struct wb_flow_facts *facts = reader->facts;
  if (at_line_end(reader))
    return expected(reader, "the kernel's name");
  const char *name = keep(reader, reader->word.text, reader->word.length);
  if (name == NULL)
    return memchr(reader->word.text, 0, reader->word.length) != NULL
               ? expected(reader, "a name without zero bytes")
               : wb_out_of_memory(reader->error);
  const struct wb_kernel_facts *other = wb_flow_facts_find(facts, name);
  if (other != NULL)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, facts->name, reader->line,
                      reader->word.column,
                      "expected each kernel once, found '%.100s' again (first in line %u)", name,
                      (unsigned)other->line);
  if (!wb_grow(facts->kernels, &facts->kernel_capacity, facts->kernel_count + 1))
    return wb_out_of_memory(reader->error);
  reader->kernel = &facts->kernels[facts->kernel_count++];
  *reader->kernel = (struct wb_kernel_facts){
      .kernel = name, .line = (uint32_t)reader->line, .column = (uint32_t)reader->word.column};
  return next_word(reader);
}

static warpbound_status read_checksum(struct reader *reader)
{
  if (reader->kernel->has_checksum)
    return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line, 1,
                      "expected one checksum for each kernel, found a second one");
  reader->kernel->has_checksum = true;
  return read_number(reader, UINT64_MAX, "a checksum: a number", &reader->kernel->checksum);
}

static warpbound_status read_fact(struct reader *reader, enum wb_fact_kind kind)
{
  struct wb_flow_fact fact = {
      .kind = kind, .first_place = reader->kernel->place_count, .line = (uint32_t)reader->line};
  warpbound_status status = kind == WB_FACT_LOOP   ? read_loop(reader, &fact)
                            : kind == WB_FACT_RUNS ? read_run(reader, &fact)
                                                   : read_places(reader, &fact);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_kernel_facts *kernel = reader->kernel;
  if (!wb_grow(kernel->facts, &kernel->fact_capacity, kernel->fact_count + 1))
    return wb_out_of_memory(reader->error);
  kernel->facts[kernel->fact_count++] = fact;
  return WARPBOUND_OK;
}

const struct wb_choice wb_flow_facts_words[] = {{"kernel", WB_FLOW_FACTS_KERNEL},
                                                {"checksum", WB_FLOW_FACTS_CHECKSUM},
                                                {"loop", WB_FACT_LOOP},
                                                {"run", WB_FACT_RUNS},
                                                {"equal", WB_FACT_EQUAL},
                                                {"exclusive", WB_FACT_EXCLUSIVE},
                                                {NULL, 0}};

static warpbound_status read_line(struct reader *reader)
{
  warpbound_status status = next_word(reader);
  if (status != WARPBOUND_OK || at_line_end(reader))
    return status;
  const struct wb_choice *choice = wb_flow_facts_words;
  while (choice->name != NULL && !word_is(reader, choice->name))
    choice++;
  bool kernel = choice->name != NULL && choice->value == WB_FLOW_FACTS_KERNEL;
  if (!kernel && reader->kernel == NULL)
    return expected(reader, "'kernel NAME' before any fact");
  if (choice->name == NULL) {
    struct wb_text list = {0};
    wb_choice_list(&list, wb_flow_facts_words, "'");
    status = list.failed ? wb_out_of_memory(reader->error) : expected(reader, list.data);
    wb_text_free(&list);
    return status;
  }
  status = next_word(reader);
  if (status == WARPBOUND_OK)
    status = kernel ? read_kernel(reader)
             : choice->value == WB_FLOW_FACTS_CHECKSUM
                 ? read_checksum(reader)
                 : read_fact(reader, (enum wb_fact_kind)choice->value);
  if (status == WARPBOUND_OK && !at_line_end(reader))
    return expected(reader, "the line's end");
  return status;
}

warpbound_status wb_flow_facts_parse(const char *name, const char *text, size_t length,
                                     struct wb_flow_facts *facts, warpbound_error *error)
{
  *facts = (struct wb_flow_facts){.name = wb_copy_text(name, strlen(name))};
  struct reader reader = {.at = text,
                          .end = text + length,
                          .line_start = text,
                          .line = 1,
                          .facts = facts,
                          .error = error};
  warpbound_status status = facts->name != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  while (status == WARPBOUND_OK && reader.at < reader.end) {
    status = read_line(&reader);
    while (reader.at < reader.end && *reader.at != '\n')
      reader.at++;
    if (reader.at < reader.end)
      reader.at++;
    reader.line_start = reader.at;
    reader.line++;
  }
  if (status != WARPBOUND_OK)
    wb_flow_facts_free(facts);
  return status;
}
