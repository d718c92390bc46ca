#include "formats/flow_facts/flow_facts_file.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* FILE:LINE, the file's name up to the last colon; false where the text is none. */
static bool read_source_line(const char *text, size_t length, struct wb_place_words *place)
{
  uint64_t line;
  size_t colon = length;
  while (colon > 0 && text[colon - 1] != ':')
    colon--;
  if (colon < 2 || length == colon || !wb_is_digit(text[colon]) ||
      wb_number_word(text + colon, length - colon, UINT32_MAX, &line) != length - colon)
    return false;
  place->file = text;
  place->file_length = colon - 1;
  place->source_line = (uint32_t)line;
  return true;
}

bool wb_place_words_read(const char *text, size_t length, struct wb_place_words *place)
{
  uint64_t number;
  *place = (struct wb_place_words){0};
  const size_t digits = text[0] == '0' && length > 1 && text[1] == 'x'
                            ? wb_number_word(text, length, UINT32_MAX, &number)
                            : 0;
  if (digits > 0 && (digits == length || text[digits] == '@')) {
    place->has_address = true;
    place->address = (uint32_t)number;
    return digits == length || read_source_line(text + digits + 1, length - digits - 1, place);
  }
  if (read_source_line(text, length, place))
    return true;
  place->label = text;
  place->label_length = length;
  return true;
}

/* A word of a line. */
struct word {
  const char *text; /* without the quotes; not ended by a zero byte */
  size_t length;
  size_t column; /* from 1, of the quote if there is one */
  bool quoted;   /* it may hold blanks and '#' */
};

/* A file being read. */
struct reader {
  const char *at, *end; /* the first character after the word at hand; the file's end */
  const char *line_start;
  size_t line;      /* from 1 */
  struct word word; /* at hand; length 0 and not quoted: the line's end */
  struct wb_flow_facts *facts;
  struct wb_kernel_facts *kernel; /* the facts of the last one named; NULL before the first */
  warpbound_status status;        /* after the first failure, which is in *error, no word is read:
                                     the word at hand is the line's end */
  warpbound_error *error;
};

/* ---- words ---- */

static void fail(struct reader *reader, warpbound_status status)
{
  reader->status = status;
  reader->at = reader->end;
  reader->word = (struct word){.text = reader->end};
}

/* Fails with "expected WHAT, found 'WORD'EXTRA". */
static void expected_with(struct reader *reader, const char *what, const char *extra)
{
  const struct word *word = &reader->word;
  if (reader->status != WARPBOUND_OK)
    return;
  if (word->length == 0 && !word->quoted)
    fail(reader, wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name,
                            reader->line, word->column, "expected %s, found the line's end", what));
  else
    fail(reader, wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name,
                            reader->line, word->column, "expected %s, found '%.*s'%s", what,
                            (int)(word->length < 60 ? word->length : 60), word->text, extra));
}

static void expected(struct reader *reader, const char *what)
{
  expected_with(reader, what, "");
}

static void next_word(struct reader *reader)
{
  while (reader->at < reader->end && wb_is_blank(*reader->at))
    reader->at++;
  reader->word =
      (struct word){.text = reader->at, .column = (size_t)(reader->at - reader->line_start) + 1};
  if (reader->at == reader->end || *reader->at == '\n' || *reader->at == '#')
    return;
  reader->word.quoted = *reader->at == '"';
  if (reader->word.quoted)
    reader->word.text = ++reader->at;
  while (
      reader->at < reader->end && *reader->at != '\n' &&
      (reader->word.quoted ? *reader->at != '"' : !wb_is_blank(*reader->at) && *reader->at != '#'))
    reader->at++;
  reader->word.length = (size_t)(reader->at - reader->word.text);
  if (!reader->word.quoted)
    return;
  if (reader->at == reader->end || *reader->at != '"')
    fail(reader,
         wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                    reader->word.column, "expected a second \" in the line, found the line's end"));
  else
    reader->at++;
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
static void pass(struct reader *reader, const char *text, const char *what)
{
  if (word_is(reader, text))
    next_word(reader);
  else
    expected(reader, what);
}

/* A copy of a part of the word at hand; NULL after a failure. */
static const char *keep(struct reader *reader, const char *text, size_t length)
{
  if (memchr(text, 0, length) != NULL) {
    expected(reader, "a name without zero bytes");
    return NULL;
  }
  const char *copy = wb_name_pool_copy(&reader->facts->names, text, length);
  if (copy == NULL)
    fail(reader, wb_out_of_memory(reader->error));
  return copy;
}

static void read_number(struct reader *reader, uint64_t most, const char *what, uint64_t *number)
{
  const struct word *word = &reader->word;
  if (!at_line_end(reader) &&
      wb_number_word(word->text, word->length, most, number) == word->length) {
    next_word(reader);
    return;
  }
  size_t digits = 0;
  while (digits < word->length && wb_is_digit(word->text[digits]))
    digits++;
  expected_with(reader, what,
                digits > 0 && digits == word->length ? ": the number is too large" : "");
}

/* One of the words of a table, which is passed; 0 after a failure. */
static int read_choice(struct reader *reader, const struct wb_choice *choice)
{
  const struct wb_choice *first = choice;
  while (choice->name != NULL && !word_is(reader, choice->name))
    choice++;
  if (choice->name != NULL) {
    next_word(reader);
    return choice->value;
  }
  struct wb_text list = {0};
  wb_choice_list(&list, first, "'");
  if (list.failed)
    fail(reader, wb_out_of_memory(reader->error));
  expected(reader, list.data);
  wb_text_free(&list);
  return 0;
}

/* ---- places ---- */

/* ADDRESS, ADDRESS@FILE:LINE, FILE:LINE or a label. */
static void read_place(struct reader *reader)
{
  struct wb_kernel_facts *kernel = reader->kernel;
  struct wb_place_words words = {0};
  if (reader->word.length == 0)
    expected(reader, "a place: an address (0x0148), FILE:LINE or a label");
  else if (!wb_place_words_read(reader->word.text, reader->word.length, &words))
    expected(reader, "an address alone, or ADDRESS@FILE:LINE");
  struct wb_place place = {.source_line = words.source_line,
                           .address = words.address,
                           .has_address = words.has_address,
                           .column = (uint32_t)reader->word.column};
  if (reader->status == WARPBOUND_OK && words.file != NULL)
    place.file = keep(reader, words.file, words.file_length);
  if (reader->status == WARPBOUND_OK && words.label != NULL)
    place.label = keep(reader, words.label, words.label_length);
  if (reader->status != WARPBOUND_OK)
    return;
  if (!wb_grow(kernel->places, &kernel->place_capacity, kernel->place_count + 1)) {
    fail(reader, wb_out_of_memory(reader->error));
    return;
  }
  kernel->places[kernel->place_count++] = place;
  next_word(reader);
}

static void read_signed(struct reader *reader, int64_t *number)
{
  if (!at_line_end(reader) &&
      wb_signed_word(reader->word.text, reader->word.length, number) == reader->word.length)
    next_word(reader);
  else
    expected(reader, "a whole number of at most 63 bits");
}

/* at least N, at most N, from A to B */
static void read_range(struct reader *reader, struct wb_flow_fact *fact)
{
  fact->column = (uint32_t)reader->word.column;
  fact->unchanged = fact->kind == WB_FACT_LOAD && word_is(reader, "unchanged");
  if (fact->unchanged) {
    next_word(reader);
    return;
  }
  if (word_is(reader, "from")) {
    fact->has_least = fact->has_most = true;
    next_word(reader);
    read_signed(reader, &fact->least);
    pass(reader, "to", "'to'");
    read_signed(reader, &fact->most);
    if (reader->status == WARPBOUND_OK && fact->least > fact->most)
      fail(reader,
           wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                      fact->column, "expected a range from the lesser to the greater number"));
    return;
  }
  pass(reader, "at",
       fact->kind == WB_FACT_LOAD ? "'at least', 'at most', 'from' or 'unchanged'"
                                  : "'at least', 'at most' or 'from'");
  fact->has_most = word_is(reader, "most");
  fact->has_least = !fact->has_most;
  if (fact->has_most)
    next_word(reader);
  else
    pass(reader, "least", "'least' or 'most'");
  read_signed(reader, fact->has_most ? &fact->most : &fact->least);
}

/* ---- lines ---- */

/* Nothing, "per thread" or "per warp" at the line's end. */
static void read_level(struct reader *reader, struct wb_flow_fact *fact)
{
  if (at_line_end(reader))
    return;
  pass(reader, "per", "'per thread', 'per warp' or the line's end");
  fact->per_warp = word_is(reader, "warp");
  if (fact->per_warp)
    next_word(reader);
  else
    pass(reader, "thread", "'thread' or 'warp'");
}

/* The number of a fact; then nothing, or "per entry of PLACE"; then the level. */
static void read_count(struct reader *reader, const char *what, struct wb_flow_fact *fact)
{
  fact->column = (uint32_t)reader->word.column;
  read_number(reader, INT64_MAX, what, &fact->number);
  const struct reader before = *reader;
  if (word_is(reader, "per")) {
    next_word(reader);
    if (word_is(reader, "entry")) {
      next_word(reader);
      pass(reader, "of", "'of'");
      read_place(reader);
      fact->place_count++;
    } else if (reader->status == WARPBOUND_OK) {
      *reader = before;
    }
  }
  read_level(reader, fact);
}

/* depth NAME <= N; name: the word at hand. */
static void read_depth(struct reader *reader, const struct word *name, struct wb_flow_fact *fact)
{
  if (at_line_end(reader))
    expected(reader, "the name of a function that is called");
  fact->name = keep(reader, name->text, name->length);
  next_word(reader);
  pass(reader, "<=", "'<='");
  fact->column = (uint32_t)reader->word.column;
  read_number(reader, UINT32_MAX, "how many calls at once: a whole number", &fact->number);
  if (fact->number == 0 && reader->status == WARPBOUND_OK)
    fail(reader,
         wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line,
                    fact->column, "expected how many calls at once, 1 at least, found 0"));
}

/* The rest of a fact of calls, loads or values; name: the word at hand. */
static void read_assumed(struct reader *reader, const struct word *name, struct wb_flow_fact *fact)
{
  if (fact->kind == WB_FACT_CALL) { /* call NAME|ADDRESS takes N | never */
    struct wb_place_words words = {0};
    if (name->length > 0 && wb_place_words_read(name->text, name->length, &words) &&
        words.has_address) {
      fact->place_count = 1;
      read_place(reader);
    } else if (at_line_end(reader)) {
      expected(reader, "what is called: its name, 'indirect' or the address of the call");
    } else {
      fact->name = keep(reader, name->text, name->length);
      next_word(reader);
    }
    fact->never = word_is(reader, "never");
    fact->column = (uint32_t)reader->word.column;
    pass(reader, fact->never ? "never" : "takes", "'takes' or 'never'");
    if (!fact->never) {
      fact->column = (uint32_t)reader->word.column;
      read_number(reader, INT64_MAX, "how many cycles: a whole number", &fact->number);
    }
  } else { /* load PLACE at least N | at most N | from A to B | unchanged; of values the same */
    struct wb_place place = {.column = (uint32_t)reader->word.column};
    fact->place_count = 1;
    read_place(reader);
    if (reader->status == WARPBOUND_OK && fact->kind == WB_FACT_LOAD &&
        wb_parameter_place_read(name->text, name->length, &place))
      reader->kernel->places[fact->first_place] = place;
    read_range(reader, fact);
  }
}

static void read_fact(struct reader *reader, enum wb_fact_kind kind)
{
  struct wb_kernel_facts *kernel = reader->kernel;
  assert(kernel != NULL);
  struct wb_flow_fact fact = {
      .kind = kind, .first_place = kernel->place_count, .line = (uint32_t)reader->line};
  const struct word name = reader->word;
  if (kind == WB_FACT_LOOP || kind == WB_FACT_RUNS) {
    fact.place_count = 1;
    read_place(reader);
  }
  if (kind == WB_FACT_DEPTH) {
    read_depth(reader, &name, &fact);
  } else if (kind == WB_FACT_CALL || kind == WB_FACT_LOAD || kind == WB_FACT_VALUE) {
    read_assumed(reader, &name, &fact);
  } else if (kind == WB_FACT_LOOPS) { /* loops CLASS bound N [per thread|per warp] */
    fact.waits = (uint8_t)read_choice(reader, wb_spin_names);
    pass(reader, "bound", "'bound'");
    fact.column = (uint32_t)reader->word.column;
    read_number(reader, INT64_MAX, "how many back edges: a whole number", &fact.number);
    read_level(reader, &fact);
  } else if (kind ==
             WB_FACT_LOOP) { /* loop PLACE bound N [per entry of PLACE] [per thread|per warp] */
    pass(reader, "bound", "'bound'");
    read_count(reader, "how many back edges: a whole number", &fact);
  } else if (kind == WB_FACT_RUNS && word_is(reader, "never")) { /* run PLACE never */
    fact.per_warp = true; /* no thread runs it, so the warp does not */
    fact.column = (uint32_t)reader->word.column;
    next_word(reader);
  } else if (kind == WB_FACT_RUNS) { /* run PLACE at most N, and as of loops */
    pass(reader, "at", "'never' or 'at most'");
    pass(reader, "most", "'most'");
    read_count(reader, "how many runs: a whole number", &fact);
  } else { /* two or more places, then the level */
    for (; !at_line_end(reader) && !word_is(reader, "per"); fact.place_count++)
      read_place(reader);
    if (fact.place_count < 2)
      expected(reader, "two places or more");
    read_level(reader, &fact);
    if (kind == WB_FACT_EXCLUSIVE && !fact.per_warp)
      expected(reader, "'per warp': of what threads never do both, their warp may do both");
  }
  if (reader->status != WARPBOUND_OK)
    return;
  if (wb_grow(kernel->facts, &kernel->fact_capacity, kernel->fact_count + 1))
    kernel->facts[kernel->fact_count++] = fact;
  else
    fail(reader, wb_out_of_memory(reader->error));
}

static void read_kernel(struct reader *reader)
{
  struct wb_flow_facts *facts = reader->facts;
  if (at_line_end(reader))
    expected(reader, "the kernel's name");
  const char *name =
      reader->status == WARPBOUND_OK ? keep(reader, reader->word.text, reader->word.length) : NULL;
  if (name == NULL)
    return;
  const struct wb_kernel_facts *other = wb_flow_facts_find(facts, name);
  if (other != NULL)
    fail(reader, wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, facts->name, reader->line,
                            reader->word.column,
                            "expected each kernel once, found '%.100s' again (first in line %u)",
                            name, (unsigned)other->line));
  else if (!wb_grow(facts->kernels, &facts->kernel_capacity, facts->kernel_count + 1))
    fail(reader, wb_out_of_memory(reader->error));
  if (reader->status != WARPBOUND_OK)
    return;
  reader->kernel = &facts->kernels[facts->kernel_count++];
  *reader->kernel = (struct wb_kernel_facts){
      .kernel = name, .line = (uint32_t)reader->line, .column = (uint32_t)reader->word.column};
  next_word(reader);
}

/* The first words of lines, by the kind of fact (enum wb_fact_kind) or one of these. */
enum { WB_FLOW_FACTS_KERNEL = -2, WB_FLOW_FACTS_CHECKSUM = -1 };
static const struct wb_choice first_words[] = {
    {"kernel", WB_FLOW_FACTS_KERNEL}, {"checksum", WB_FLOW_FACTS_CHECKSUM},
    {"loop", WB_FACT_LOOP},           {"run", WB_FACT_RUNS},
    {"equal", WB_FACT_EQUAL},         {"exclusive", WB_FACT_EXCLUSIVE},
    {"loops", WB_FACT_LOOPS},         {"load", WB_FACT_LOAD},
    {"value", WB_FACT_VALUE},         {"call", WB_FACT_CALL},
    {"depth", WB_FACT_DEPTH},         {NULL, 0}};

static void read_line(struct reader *reader)
{
  next_word(reader);
  if (at_line_end(reader))
    return;
  if (reader->kernel == NULL && !word_is(reader, "kernel"))
    expected(reader, "'kernel NAME' before any fact");
  const int kind = read_choice(reader, first_words);
  if (reader->status != WARPBOUND_OK)
    return;
  assert(kind == WB_FLOW_FACTS_KERNEL || reader->kernel != NULL);
  if (kind == WB_FLOW_FACTS_KERNEL) {
    read_kernel(reader);
  } else if (kind != WB_FLOW_FACTS_CHECKSUM) {
    read_fact(reader, (enum wb_fact_kind)kind);
  } else if (reader->kernel->has_checksum && reader->status == WARPBOUND_OK) {
    fail(reader,
         wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->facts->name, reader->line, 1,
                    "expected one checksum for each kernel, found a second one"));
  } else {
    reader->kernel->has_checksum = true;
    read_number(reader, UINT64_MAX, "a checksum: a number", &reader->kernel->checksum);
  }
  if (!at_line_end(reader))
    expected(reader, "the line's end");
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
  if (facts->name == NULL)
    fail(&reader, wb_out_of_memory(error));
  while (reader.at < reader.end) {
    read_line(&reader);
    while (reader.at < reader.end && *reader.at != '\n')
      reader.at++;
    if (reader.at < reader.end)
      reader.at++;
    reader.line_start = reader.at;
    reader.line++;
  }
  if (reader.status != WARPBOUND_OK)
    wb_flow_facts_free(facts);
  return reader.status;
}

/* In quotes where the word would end early otherwise. */
static void write_word(const char *word, struct wb_text *text)
{
  bool quoted = strpbrk(word, " \t\r#") != NULL || word[0] == '\0';
  wb_text_format(text, quoted ? "\"%s\"" : "%s", word);
}

void wb_flow_facts_write_place(const struct wb_place *place, struct wb_text *text)
{
  struct wb_text word = {0};
  wb_text_string(&word, "");
  if (place->is_parameter)
    wb_text_format(&word, place->is_offset ? "param:0x%" PRIx32 : "param_%" PRIu32,
                   place->parameter);
  if (place->has_address)
    wb_text_format(&word, "0x%04" PRIx32 "%s", place->address, place->file != NULL ? "@" : "");
  if (place->file != NULL)
    wb_text_format(&word, "%s:%" PRIu32, place->file, place->source_line);
  if (place->label != NULL)
    wb_text_string(&word, place->label);
  if (word.failed)
    text->failed = true;
  else
    write_word(word.data, text);
  wb_text_free(&word);
}

void wb_flow_facts_write_kernel(const char *kernel, uint64_t checksum, struct wb_text *text)
{
  wb_text_format(text, "\n%s ", wb_choice_name(first_words, WB_FLOW_FACTS_KERNEL));
  write_word(kernel, text);
  wb_text_format(text, "\n%s 0x%016" PRIx64 "\n",
                 wb_choice_name(first_words, WB_FLOW_FACTS_CHECKSUM), checksum);
}

void wb_flow_facts_write_fact(const struct wb_flow_fact *fact, const struct wb_place *places,
                              struct wb_text *text)
{
  bool counted = fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS;
  bool never = fact->never || /* of calls */
               (fact->kind == WB_FACT_RUNS && fact->number == 0 && fact->place_count == 1);
  wb_text_format(text, "%s ", wb_choice_name(first_words, (int)fact->kind));
  if (fact->place_count > 0)
    wb_flow_facts_write_place(&places[0], text);
  if (fact->name != NULL)
    write_word(fact->name, text);
  if (fact->kind == WB_FACT_DEPTH)
    wb_text_format(text, " <= %" PRIu64, fact->number);
  if (fact->kind == WB_FACT_CALL && !fact->never)
    wb_text_format(text, " takes %" PRIu64, fact->number);
  if (fact->kind == WB_FACT_LOOPS)
    wb_text_format(text, "%s bound %" PRIu64, wb_choice_name(wb_spin_names, fact->waits),
                   fact->number);
  const bool ranged = fact->kind == WB_FACT_LOAD || fact->kind == WB_FACT_VALUE;
  if (fact->unchanged)
    wb_text_string(text, " unchanged");
  else if (ranged && fact->has_least && fact->has_most)
    wb_text_format(text, " from %" PRId64 " to %" PRId64, fact->least, fact->most);
  else if (ranged)
    wb_text_format(text, " at %s %" PRId64, fact->has_most ? "most" : "least",
                   fact->has_most ? fact->most : fact->least);
  if (never)
    wb_text_string(text, " never");
  else if (counted)
    wb_text_format(text, " %s %" PRIu64, fact->kind == WB_FACT_LOOP ? "bound" : "at most",
                   fact->number);
  for (size_t p = 1; p < fact->place_count; p++) {
    wb_text_string(text, counted ? " per entry of " : " ");
    wb_flow_facts_write_place(&places[p], text);
  }
  if (!never && !ranged && fact->kind != WB_FACT_CALL && fact->kind != WB_FACT_DEPTH)
    wb_text_format(text, " per %s", fact->per_warp ? "warp" : "thread");
  wb_text_string(text, "\n");
}

void wb_flow_facts_write_open_loop(const struct wb_place *place, struct wb_text *text)
{
  wb_text_format(text, "%s ", wb_choice_name(first_words, WB_FACT_LOOP));
  wb_flow_facts_write_place(place, text);
  wb_text_string(text, " bound ?\n");
}
