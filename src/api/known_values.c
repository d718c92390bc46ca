/* The values of parameters and constants that annotations give a launch: by offset or by name, each
 * held against the code and against the others. */
#include "api/annotation_maker.h"

#include "base/memory.h"
#include "base/text.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters that a message lists. */
#define LISTED_PARAMETERS 16
#define SAID_SIZE 160

/* What an entry of the parameters, or of the constants, gives one word of. */
struct wb_known_word {
  const char *kernel; /* of parameters: the kernel that has them, NULL: each */
  uint32_t place;     /* of parameters their offset, else as in struct wb_constant_value */
  uint32_t value;
  size_t entry;
  bool constant;
  bool yields;  /* as its entry */
  bool implied; /* the upper half of a parameter that was given as one of four bytes */
};
/* ---- words ---- */

/* How messages call an entry. */
static const char *entry_said(const struct wb_annotation_maker *maker, bool constant, size_t entry,
                              char text[SAID_SIZE])
{
  if (constant) {
    const warpbound_constant *row = &maker->options->constants[entry];
    snprintf(text, SAID_SIZE, "%" PRIu32 ":0x%" PRIx32 "=%" PRIu64, row->bank, row->offset,
             row->value);
    return row->said != NULL ? row->said : text;
  }
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  if (parameter->name != NULL)
    snprintf(text, SAID_SIZE, "%.100s=%" PRIu64, parameter->name, parameter->value);
  else
    snprintf(text, SAID_SIZE, "0x%" PRIx32 "=%" PRIu64, parameter->offset, parameter->value);
  return parameter->said != NULL ? parameter->said : text;
}

/* Adds a word of a value, and where it is wide the next one. */
static warpbound_status add_words(struct wb_annotation_maker *maker, struct wb_known_word word,
                                  uint64_t value, bool wide)
{
  const size_t count = wide ? 2 : 1;
  if (!wb_grow(maker->words, &maker->word_capacity, maker->word_count + count))
    return wb_out_of_memory(maker->error);
  for (size_t w = 0; w < count; w++, word.place += 4) {
    word.value = (uint32_t)(value >> (32 * w));
    maker->words[maker->word_count++] = word;
  }
  return WARPBOUND_OK;
}

/* ---- parameters by offset ---- */

/* How an entry stands to the parameters of a function. */
enum suits { SUITS, SUITS_OUTSIDE, SUITS_NARROW };

/* The function's parameter that has the byte at an offset, or NULL. */
static const struct wb_parameter *parameter_at(const struct wb_function *function, uint32_t offset)
{
  for (size_t p = 0; p < function->parameter_count; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    if (row->offset <= offset && offset - row->offset < row->size)
      return row;
  }
  return NULL;
}

/* Whether parameters share four bytes with this one. */
static bool shares_word(const struct wb_function *function, const struct wb_parameter *row)
{
  const uint32_t word = row->offset & ~UINT32_C(3);
  for (uint32_t byte = word; byte < word + 4; byte++) {
    const struct wb_parameter *other = parameter_at(function, byte);
    if (other != NULL && other != row)
      return true;
  }
  return false;
}

static enum suits suits_at(const struct wb_function *function, const warpbound_parameter *parameter)
{
  const struct wb_parameter *row = parameter_at(function, parameter->offset);
  if (row == NULL)
    return SUITS_OUTSIDE;
  const uint32_t left = row->size - (parameter->offset - row->offset);
  if (row->size == 8 && parameter->single)
    return SUITS_NARROW;
  if (left >= 8 || (left >= 4 && !parameter->wide))
    return SUITS;
  if (parameter->wide)
    return SUITS_NARROW;
  /* Of small parameters that share a word the value is that of all. */
  return shares_word(function, row) || wb_value_fits(parameter->value, left) ? SUITS : SUITS_NARROW;
}

static warpbound_status refuse_narrow(const struct wb_annotation_maker *maker, size_t entry,
                                      const struct wb_function *function,
                                      const struct wb_parameter *row)
{
  char text[SAID_SIZE];
  return wb_fail(maker->error, WARPBOUND_USAGE,
                 "%.100s: the value does not fit: param_%u of %.100s, at 0x%x, has %u byte%s",
                 entry_said(maker, false, entry, text), row->ordinal, function->name, row->offset,
                 row->size, row->size == 1 ? "" : "s");
}

/* An offset has to be in the parameters of a kernel that is meant, where these are known, and the
 * value to fit. */
static warpbound_status check_offset(const struct wb_annotation_maker *maker, size_t entry)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  char text[SAID_SIZE];
  const struct wb_function *first = NULL;
  size_t next = 0;
  for (const struct wb_function *function = wb_annotated_function(maker, &next); function != NULL;
       function = wb_annotated_function(maker, &next)) {
    if (!function->kernel)
      continue;
    if (function->parameter_count == 0 || suits_at(function, parameter) == SUITS)
      return WARPBOUND_OK;
    first = first == NULL ? function : first;
  }
  if (first == NULL)
    return WARPBOUND_OK;
  if (suits_at(first, parameter) != SUITS_OUTSIDE)
    return refuse_narrow(maker, entry, first, parameter_at(first, parameter->offset));
  uint32_t end = 0;
  for (size_t p = 0; p < first->parameter_count; p++) {
    const struct wb_parameter *row = &first->parameters[p];
    end = row->offset + row->size > end ? (uint32_t)(row->offset + row->size) : end;
  }
  return wb_fail(maker->error, WARPBOUND_USAGE,
                 "%.100s: the offset is in none of the parameters of %.100s, which end before "
                 "0x%" PRIx32,
                 entry_said(maker, false, entry, text), first->name, end);
}

/* ---- parameters by name ---- */

static warpbound_status no_such_name(const struct wb_annotation_maker *maker, const char *name)
{
  struct wb_text known = {0};
  size_t next = 0;
  const struct wb_function *function = wb_annotated_function(maker, &next);
  while (function != NULL && function->parameter_count == 0)
    function = wb_annotated_function(maker, &next);
  if (function == NULL)
    return wb_fail(maker->error, WARPBOUND_USAGE,
                   "--param: expected OFFSET=VALUE, for this listing has no numbers of parameters "
                   "(nvdisasm without -c prints them), found the name '%.60s'",
                   name);
  for (size_t p = 0; p < function->parameter_count && p < LISTED_PARAMETERS; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    const struct wb_parameter_name *source =
        wb_launch_parameter_name(&maker->annotations->launch, function, row->ordinal);
    wb_text_format(&known, "%s%.60s%sparam_%u (at 0x%x)", p > 0 ? ", " : "",
                   source != NULL ? source->name : "", source != NULL ? " or " : "", row->ordinal,
                   row->offset);
  }
  warpbound_status status =
      known.failed ? wb_out_of_memory(maker->error)
                   : wb_fail(maker->error, WARPBOUND_USAGE,
                             "--param: no parameter is called '%.60s'; %.100s has %.240s", name,
                             function->name, known.data);
  wb_text_free(&known);
  return status;
}

/* The value of a parameter that a function has by that name. What shares four bytes with others
 * says nothing of a word. */
static warpbound_status add_named(struct wb_annotation_maker *maker, size_t entry,
                                  const struct wb_function *function,
                                  const struct wb_parameter *row)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  char text[SAID_SIZE];
  if ((row->size == 8 && parameter->single) ||
      (row->size < 8 &&
       (parameter->wide || (row->size > 0 && !wb_value_fits(parameter->value, row->size)))))
    return refuse_narrow(maker, entry, function, row);
  if (row->size < 4 && (row->offset % 4 != 0 || shares_word(function, row))) {
    wb_list_add(&maker->annotations->notes,
                "%s is not used: param_%u of %s has its four bytes with other parameters; 0x%x=N "
                "gives all of them",
                entry_said(maker, false, entry, text), row->ordinal, function->name,
                row->offset & ~3U);
    return WARPBOUND_OK;
  }
  const struct wb_known_word word = {
      .kernel = function->name, .place = row->offset, .entry = entry, .yields = parameter->yields};
  return add_words(maker, word, parameter->value, parameter->wide || row->size == 8);
}

/* What the entry says of the function, beyond what it says of all. */
static warpbound_status add_of_function(struct wb_annotation_maker *maker, size_t entry,
                                        const struct wb_function *function, bool *found)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  const struct wb_launch *launch = &maker->annotations->launch;
  const char *name = parameter->name;
  const struct wb_parameter_name *source;
  warpbound_status status = WARPBOUND_OK;
  if (name != NULL) {
    const struct wb_parameter *row =
        wb_launch_named_parameter(launch, function, name, strlen(name), &source);
    if (row == NULL)
      return WARPBOUND_OK;
    *found = true;
    if (source != NULL)
      maker->annotations->names[source - launch->names].used = true;
    return add_named(maker, entry, function, row);
  }
  for (size_t p = 0; p < function->parameter_count && status == WARPBOUND_OK; p++) {
    const struct wb_parameter *row = &function->parameters[p];
    if (row->offset != parameter->offset || row->size != 8 || parameter->wide || parameter->single)
      continue;
    const struct wb_known_word upper = {.kernel = function->name,
                                        .place = row->offset + 4U,
                                        .entry = entry,
                                        .yields = parameter->yields,
                                        .implied = true};
    status = add_words(maker, upper, parameter->value >> 32, false);
  }
  return status;
}

static warpbound_status add_parameter(struct wb_annotation_maker *maker, size_t entry)
{
  const warpbound_parameter *parameter = &maker->options->parameters[entry];
  bool found = parameter->name == NULL;
  size_t next = 0;
  warpbound_status status = found ? check_offset(maker, entry) : WARPBOUND_OK;
  if (status == WARPBOUND_OK && found) {
    const struct wb_known_word word = {
        .place = parameter->offset, .entry = entry, .yields = parameter->yields};
    status = add_words(maker, word, parameter->value, parameter->wide);
  }
  for (const struct wb_function *function = wb_annotated_function(maker, &next);
       function != NULL && status == WARPBOUND_OK; function = wb_annotated_function(maker, &next))
    status = add_of_function(maker, entry, function, &found);
  return status != WARPBOUND_OK || found ? status : no_such_name(maker, parameter->name);
}

/* ---- which values hold ---- */

/* A word of bank 0 that the launch, and one of bank 2 that the file, says too. */
static warpbound_status check_known(const struct wb_annotation_maker *maker,
                                    const struct wb_known_word *word)
{
  const warpbound_constant *entry = &maker->options->constants[word->entry];
  const uint32_t offset = word->place & WB_BANK_OFFSET_LIMIT;
  struct wb_launch launch = maker->annotations->launch;
  char text[SAID_SIZE];
  const char *said = entry_said(maker, true, word->entry, text);
  size_t next = 0;
  launch.constant_count = 0;
  for (const struct wb_function *function = wb_annotated_function(maker, &next); function != NULL;
       function = wb_annotated_function(maker, &next)) {
    const struct wb_integer known = wb_launch_constant(&launch, function, entry->bank, offset);
    if (!wb_integer_is_exact(&known) || (uint32_t)known.low == word->value)
      continue;
    if (entry->bank == 0)
      return wb_fail(maker->error, WARPBOUND_USAGE,
                     "%.100s: expected %" PRIu32 " at c[0x0][0x%" PRIx32 "] of %.100s, as the "
                     "block, the grid or a parameter of the launch says",
                     said, (uint32_t)known.low, offset, function->name);
    wb_list_add(&maker->annotations->notes,
                "%s in place of %" PRIu32 " of the file at c[0x%" PRIx32 "][0x%" PRIx32 "] of %s",
                said, (uint32_t)known.low, entry->bank, offset, function->name);
  }
  return WARPBOUND_OK;
}

/* Compares a word with those of its kind that hold already, of which the first of a place counts.
 */
static warpbound_status compare(const struct wb_annotation_maker *maker,
                                const struct wb_known_word *held, size_t count,
                                const struct wb_known_word *word)
{
  char text[SAID_SIZE];
  char other[SAID_SIZE];
  for (size_t h = 0; h < count; h++) {
    const struct wb_known_word *first = &held[h];
    if (first->value == word->value || first->implied || word->implied ||
        first->constant != word->constant ||
        !(first->place == word->place && (first->kernel == NULL || word->kernel == NULL ||
                                          strcmp(first->kernel, word->kernel) == 0)))
      continue;
    const char *first_said = entry_said(maker, first->constant, first->entry, other);
    const char *said = entry_said(maker, word->constant, word->entry, text);
    if (first->yields == word->yields)
      return wb_fail(maker->error, WARPBOUND_USAGE,
                     "two values for four bytes at 0x%" PRIx32 ": %.150s, and %.150s",
                     word->place & WB_BANK_OFFSET_LIMIT, first_said, said);
    wb_list_add(&maker->annotations->notes, "%s in place of %s", first_said, said);
  }
  return WARPBOUND_OK;
}

/* Gives the launch the words: parameters, then constants; of each first what does not yield, and of
 * that first what was said of the word itself, for the first word of a place holds. */
static warpbound_status set_values(const struct wb_annotation_maker *maker)
{
  struct warpbound_annotations *annotations = maker->annotations;
  struct wb_launch *launch = &annotations->launch;
  struct wb_known_word *held = wb_allocate(maker->word_count, sizeof *held);
  size_t count = 0;
  annotations->parameters = wb_allocate(maker->word_count, sizeof *annotations->parameters);
  annotations->constants = wb_allocate(maker->word_count, sizeof *annotations->constants);
  launch->parameters = annotations->parameters;
  launch->constants = annotations->constants;
  warpbound_status status = WARPBOUND_OK;
  if (held == NULL || annotations->parameters == NULL || annotations->constants == NULL)
    status = wb_out_of_memory(maker->error);
  for (size_t at = 0; at < 8 * maker->word_count && status == WARPBOUND_OK; at++) {
    const size_t pass = at / maker->word_count;
    const struct wb_known_word *word = &maker->words[at % maker->word_count];
    if (word->constant != (pass >= 4) || word->yields != (pass % 4 >= 2) ||
        word->implied != (pass % 2 == 1))
      continue;
    if (word->constant)
      status = check_known(maker, word);
    if (status == WARPBOUND_OK)
      status = compare(maker, held, count, word);
    if (status != WARPBOUND_OK)
      break;
    held[count++] = *word;
    if (word->constant)
      annotations->constants[launch->constant_count++] =
          (struct wb_constant_value){word->place, word->value};
    else
      annotations->parameters[launch->parameter_count++] =
          (struct wb_parameter_value){word->kernel, word->place, word->value};
  }
  free(held);
  return status;
}

warpbound_status wb_set_known_values(struct wb_annotation_maker *maker)
{
  const warpbound_annotation_options *options = maker->options;
  warpbound_status status = WARPBOUND_OK;
  for (size_t p = 0; p < options->parameter_count && status == WARPBOUND_OK; p++)
    status = add_parameter(maker, p);
  for (size_t c = 0; c < options->constant_count && status == WARPBOUND_OK; c++) {
    const warpbound_constant *constant = &options->constants[c];
    const struct wb_known_word word = {.place = constant->bank << 16 | constant->offset,
                                       .entry = c,
                                       .constant = true,
                                       .yields = constant->yields};
    const bool both = constant->wide && constant->offset < WB_BANK_OFFSET_LIMIT - 4;
    status = add_words(maker, word, constant->value, both);
  }
  if (status == WARPBOUND_OK)
    status = set_values(maker);
  return status == WARPBOUND_OK && maker->annotations->notes.failed ? wb_out_of_memory(maker->error)
                                                                    : status;
}
