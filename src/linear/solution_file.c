#include "linear/solution_file.h"

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "base/text/ascii.h"
#include "linear/linear_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* table: of the model's columns, or of its rows. */
struct names {
  const struct wb_linear_model *model;
  bool rows;
  struct wb_hash_table table;
};

/* A word of a line, or a name; borrowed. */
struct word {
  const char *text;
  size_t length;
};

static const char *name_of(const struct names *index, size_t at)
{
  return index->rows ? wb_linear_row_name(index->model, at)
                     : wb_linear_column_name(index->model, at);
}

static bool same_name(const void *index, uint32_t at, const void *key)
{
  const struct word *name = key;
  const char *other = name_of(index, at);
  return strncmp(other, name->text, name->length) == 0 && other[name->length] == '\0';
}

static uint32_t *slot_of(const struct names *index, const struct word *name)
{
  const uint64_t hash = wb_hash_finish(wb_hash_bytes(WB_HASH_START, name->text, name->length));
  return wb_hash_table_slot(&index->table, hash, same_name, index, name);
}

/* Borrows the model. False where memory is out. The caller frees the table. */
static bool make_names(struct names *index, const struct wb_linear_model *model, bool rows)
{
  size_t count = rows ? model->row_count : model->column_count;
  *index = (struct names){.model = model, .rows = rows};
  if (!wb_hash_table_reserve(&index->table, count))
    return false;
  for (size_t j = 0; j < count; j++) {
    const char *text = name_of(index, j);
    *slot_of(index, &(struct word){text, strlen(text)}) = (uint32_t)j + 1;
  }
  return true;
}

/* The column (row) of a name; SIZE_MAX where there is none. */
static size_t find_name(const struct names *index, const struct word *name)
{
  if (name->length > WB_LINEAR_NAME_LIMIT)
    return SIZE_MAX;
  uint32_t found = *slot_of(index, name);
  return found != 0 ? found - 1 : SIZE_MAX;
}

/* How far from a whole number a solver's whole number may be. */
#define WHOLE_TOLERANCE 1e-5
/* Words of a line that are looked at; CBC has five, GLPK's tables six. */
#define WORD_LIMIT 8

/* A file under reading. line counts from 1; words are those of the current line, as many as
 * fit. given[j]: column j has a value. */
struct reader {
  const char *name;
  const char *at;
  const char *end;
  size_t line;
  struct word words[WORD_LIMIT];
  size_t count;
  const struct wb_linear_model *model;
  struct names index;
  struct names rows;
  const uint32_t *order;
  bool *given;
  struct wb_linear_outcome *outcome;
  warpbound_error *error;
};

static warpbound_status wrong(const struct reader *reader, const char *expected)
{
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->name, reader->line, 0,
                    "expected %s in the solver's solution, found '%.*s'", expected,
                    reader->count > 0 && reader->words[0].length < 60 ? (int)reader->words[0].length
                                                                      : 0,
                    reader->count > 0 ? reader->words[0].text : "");
}

/* The characters between words; its end, a zero, is one of them. */
static const char between[] = " \t\r\f\v";

/* Splits the next line into words; false at the end. */
static bool next_line(struct reader *reader)
{
  reader->count = 0;
  if (reader->at >= reader->end)
    return false;
  reader->line++;
  while (reader->at < reader->end && *reader->at != '\n') {
    if (strchr(between, *reader->at) != NULL) {
      reader->at++;
      continue;
    }
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at != '\n' && strchr(between, *reader->at) == NULL)
      reader->at++;
    if (reader->count < WORD_LIMIT)
      reader->words[reader->count++] = (struct word){start, (size_t)(reader->at - start)};
  }
  if (reader->at < reader->end)
    reader->at++;
  return true;
}

/* The next line that is not empty. */
static bool next_full_line(struct reader *reader)
{
  while (next_line(reader)) {
    if (reader->count > 0)
      return true;
  }
  return false;
}

static bool is(const struct word *word, const char *text)
{
  return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

/* Whether the line begins with these words, one blank between them. */
static bool line_begins(const struct reader *reader, const char *text)
{
  for (size_t w = 0; *text != '\0'; w++) {
    size_t length = strcspn(text, " ");
    if (w >= reader->count || reader->words[w].length != length ||
        memcmp(reader->words[w].text, text, length) != 0)
      return false;
    text += length + (text[length] == ' ');
  }
  return true;
}

/* A decimal number, whatever the locale; its last digits may be off. */
static bool read_number(const struct word *word, double *number)
{
  const char *at = word->text;
  const char *end = at + word->length;
  double sign = at < end && *at == '-' ? -1 : 1;
  double sum = 0;
  int scale = 0;
  bool digits = false;
  bool point = false;
  at += at < end && (*at == '-' || *at == '+');
  for (; at < end && (wb_is_digit(*at) || (*at == '.' && !point)); at++) {
    if (*at == '.') {
      point = true;
      continue;
    }
    digits = true;
    sum = sum * 10 + (*at - '0');
    scale -= point;
  }
  if (digits && at < end && (*at == 'e' || *at == 'E')) {
    bool negative = ++at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int exponent = 0;
    digits = at < end;
    for (; at < end && wb_is_digit(*at); at++)
      exponent = exponent < 10000 ? exponent * 10 + (*at - '0') : exponent;
    scale += negative ? -exponent : exponent;
  }
  *number = sign * sum * pow(10, scale);
  return digits && at == end && isfinite(*number);
}

static bool read_index(const struct word *word, size_t limit, size_t *index)
{
  double number;
  if (!read_number(word, &number) || number != round(number) || number < 0 ||
      number > (double)limit)
    return false;
  *index = (size_t)number;
  return true;
}

static warpbound_status set_value(struct reader *reader, size_t column, const struct word *text)
{
  double value;
  if (column == SIZE_MAX)
    return wrong(reader, "the name or number of a column");
  if (!read_number(text, &value))
    return wrong(reader, "a column with a number as its value");
  if (reader->given[column])
    return wrong(reader, "one value for each column, not a second one");
  bool whole =
      reader->model->columns[column].integer && fabs(value - round(value)) < WHOLE_TOLERANCE;
  reader->given[column] = true;
  reader->outcome->values[column] = whole ? round(value) : value;
  return WARPBOUND_OK;
}

/* Whether it is the name of a row, or of the second half of one (linear/model_writer.h). */
static bool is_row(const struct reader *reader, const struct word *word)
{
  static const char half[] = "_upper";
  const size_t tail = sizeof half - 1;
  struct word whole = *word;
  if (whole.length > tail && memcmp(whole.text + whole.length - tail, half, tail) == 0)
    whole.length -= tail;
  return find_name(&reader->rows, &whole) != SIZE_MAX || find_name(&reader->rows, word) != SIZE_MAX;
}

/* ---- the dialects ---- */

/* Lines "NAME VALUE .." until the end, or until one that begins with `until`. */
static warpbound_status read_pairs(struct reader *reader, const char *until)
{
  while (next_full_line(reader)) {
    if (until != NULL && is(&reader->words[0], until))
      return WARPBOUND_OK;
    if (reader->words[0].text[0] == '#')
      continue;
    if (reader->count < 2)
      return wrong(reader, "'NAME VALUE'");
    warpbound_status status =
        set_value(reader, find_name(&reader->index, &reader->words[0]), &reader->words[1]);
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* Words at the beginning of a line, and the status that they tell. */
struct saying {
  const char *words;
  enum wb_linear_status status;
};

/* By dialect, each ended by NULL. */
static const struct saying cbc_heads[] = {{"Infeasible", WB_LINEAR_INFEASIBLE},
                                          {"Integer infeasible", WB_LINEAR_INFEASIBLE},
                                          {"Linear relaxation infeasible", WB_LINEAR_INFEASIBLE},
                                          {"Unbounded", WB_LINEAR_UNBOUNDED},
                                          {"Optimal", WB_LINEAR_OPTIMAL},
                                          {"Stopped", WB_LINEAR_FEASIBLE},
                                          {"Status", WB_LINEAR_FEASIBLE},
                                          {"Linear relaxation", WB_LINEAR_FEASIBLE},
                                          {NULL, WB_LINEAR_NONE}};
static const struct saying glpk_reports[] = {
    {"Status: INTEGER OPTIMAL", WB_LINEAR_OPTIMAL},      {"Status: OPTIMAL", WB_LINEAR_OPTIMAL},
    {"Status: INTEGER NON-OPTIMAL", WB_LINEAR_FEASIBLE}, {"Status: FEASIBLE", WB_LINEAR_FEASIBLE},
    {"Status: INTEGER EMPTY", WB_LINEAR_INFEASIBLE},     {NULL, WB_LINEAR_NONE}};
static const struct saying highs_lines[] = {{"Optimal", WB_LINEAR_OPTIMAL},
                                            {"Infeasible", WB_LINEAR_INFEASIBLE},
                                            {"Unbounded", WB_LINEAR_UNBOUNDED},
                                            {NULL, WB_LINEAR_NONE}};
static const struct saying scip_heads[] = {{"solution status: optimal", WB_LINEAR_OPTIMAL},
                                           {"solution status: infeasible", WB_LINEAR_INFEASIBLE},
                                           {"solution status: unbounded", WB_LINEAR_UNBOUNDED},
                                           {NULL, WB_LINEAR_NONE}};

/* The status that the line tells; WB_LINEAR_NONE where it tells none. */
static enum wb_linear_status told(const struct reader *reader, const struct saying *saying)
{
  while (saying->words != NULL && !line_begins(reader, saying->words))
    saying++;
  return saying->status;
}

static bool has_no_values(enum wb_linear_status status)
{
  return status == WB_LINEAR_INFEASIBLE || status == WB_LINEAR_UNBOUNDED;
}

/* "Optimal - objective value ..", "Stopped on time - ..", "Infeasible - ..",
 * "Integer infeasible - ..", "Unbounded - ..", "Linear relaxation infeasible ..". An
 * infeasible problem's values are not of a solution, nor those where none was found. */
static warpbound_status read_cbc(struct reader *reader, enum wb_linear_status status)
{
  bool none = false;
  for (size_t w = 0; w + 1 < reader->count; w++)
    none = none || (is(&reader->words[w], "(no") && is(&reader->words[w + 1], "integer"));
  if (has_no_values(status) || !none)
    reader->outcome->status = status;
  if (has_no_values(status) || none)
    return WARPBOUND_OK;
  /* "INDEX NAME VALUE COST", before it "**" where the column breaks its bounds. With its
   * printingOptions CBC lists the rows too. */
  while (next_full_line(reader)) {
    size_t first = is(&reader->words[0], "**") ? 1 : 0;
    if (reader->count < first + 3)
      return wrong(reader, "'INDEX NAME VALUE COST'");
    const struct word *name = &reader->words[first + 1];
    size_t column = find_name(&reader->index, name);
    if (column == SIZE_MAX && is_row(reader, name))
      continue;
    warpbound_status given = set_value(reader, column, &reader->words[first + 2]);
    if (given != WARPBOUND_OK)
      return given;
  }
  return WARPBOUND_OK;
}

/* A line of GLPK's own format. "s mip ROWS COLUMNS STATUS OBJECTIVE", STATUS being o, f, n or u
 * ("s bas" and "s ipt" of linear programs have other fields), or "j INDEX VALUE". */
static warpbound_status read_glpk_line(struct reader *reader)
{
  const struct wb_linear_model *model = reader->model;
  const struct word *words = reader->words;
  size_t number;
  if (is(&words[0], "s")) {
    if (reader->count < 6 || !is(&words[1], "mip") ||
        !read_index(&words[3], SIZE_MAX / 2, &number) || number != model->column_count)
      return wrong(reader, "'s mip ROWS COLUMNS STATUS OBJECTIVE' of this model");
    if (is(&words[4], "o"))
      reader->outcome->status = WB_LINEAR_OPTIMAL;
    else if (is(&words[4], "f"))
      reader->outcome->status = WB_LINEAR_FEASIBLE;
    else if (is(&words[4], "n"))
      reader->outcome->status = WB_LINEAR_INFEASIBLE;
    return WARPBOUND_OK;
  }
  if (is(&words[0], "j")) {
    if (reader->count < 3 || !read_index(&words[1], model->column_count, &number) || number == 0)
      return wrong(reader, "'j INDEX VALUE'");
    return set_value(reader, reader->order != NULL ? reader->order[number - 1] : number - 1,
                     &words[2]);
  }
  if (!is(&words[0], "c") && !is(&words[0], "i"))
    return wrong(reader, "a line that begins with c, s, i, j or e");
  return WARPBOUND_OK;
}

/* The table of columns of GLPK's report for people, after that of the rows: "NUMBER NAME [*] VALUE
 * ..", the rest on a line of its own where the name is long. */
static warpbound_status read_glpk_report(struct reader *reader)
{
  while (next_full_line(reader) && !line_begins(reader, "No. Column")) {
    const enum wb_linear_status status = told(reader, glpk_reports);
    if (status != WB_LINEAR_NONE)
      reader->outcome->status = status;
  }
  if (!next_full_line(reader)) /* the line of dashes */
    return wrong(reader, "a table of columns");
  size_t number;
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && next_line(reader) && reader->count > 0 &&
         read_index(&reader->words[0], SIZE_MAX / 2, &number)) {
    const size_t column =
        reader->count > 1 ? find_name(&reader->index, &reader->words[1]) : SIZE_MAX;
    size_t value = 2;
    if (reader->count == 2) {
      if (!next_full_line(reader))
        return wrong(reader, "a value on the line after a long name");
      value = 0;
    }
    value += value < reader->count && is(&reader->words[value], "*");
    status = value < reader->count ? set_value(reader, column, &reader->words[value])
                                   : wrong(reader, "'NUMBER NAME VALUE'");
  }
  return status;
}

/* "Model status", the status, "# Primal solution values", "Feasible" or else, then
 * "# Columns N" with pairs and "# Rows M". */
static warpbound_status read_highs(struct reader *reader)
{
  struct wb_linear_outcome *outcome = reader->outcome;
  if (!next_full_line(reader))
    return wrong(reader, "the model's status");
  const enum wb_linear_status status = told(reader, highs_lines);
  if (has_no_values(status)) {
    outcome->status = status;
    return WARPBOUND_OK;
  }
  while (next_full_line(reader) && !line_begins(reader, "# Primal solution values"))
    ;
  if (!next_full_line(reader) || !line_begins(reader, "Feasible"))
    return reader->count > 0 ? WARPBOUND_OK : wrong(reader, "'# Primal solution values'");
  while (next_full_line(reader) && !line_begins(reader, "# Columns"))
    ;
  if (reader->count == 0)
    return wrong(reader, "'# Columns'");
  outcome->status = status == WB_LINEAR_OPTIMAL ? status : WB_LINEAR_FEASIBLE;
  return read_pairs(reader, "#");
}

static warpbound_status read_dialect(struct reader *reader)
{
  const char *start = reader->at;
  while (next_line(reader) && reader->count == 0)
    start = reader->at;
  if (reader->count == 0)
    return wrong(reader, "something");
  const enum wb_linear_status cbc = told(reader, cbc_heads);
  if (cbc != WB_LINEAR_NONE && find_name(&reader->index, &reader->words[0]) == SIZE_MAX)
    return read_cbc(reader, cbc);
  if (line_begins(reader, "c") || line_begins(reader, "s")) {
    bool seen = false; /* the line with the status */
    do {
      if (is(&reader->words[0], "e"))
        return seen ? WARPBOUND_OK : wrong(reader, "a line that begins with s before the end");
      seen = seen || is(&reader->words[0], "s");
      warpbound_status status = read_glpk_line(reader);
      if (status != WARPBOUND_OK)
        return status;
    } while (next_full_line(reader));
    return wrong(reader, "a last line 'e o f'");
  }
  if (line_begins(reader, "Problem:"))
    return read_glpk_report(reader);
  if (line_begins(reader, "Model status"))
    return read_highs(reader);
  if (line_begins(reader, "solution status:") || line_begins(reader, "objective value:")) {
    /* "solution status: ..", then "objective value: ..", or "no solution available". SCIP's
     * functions leave the status out. */
    const enum wb_linear_status status = told(reader, scip_heads);
    if (has_no_values(status)) {
      reader->outcome->status = status;
      return WARPBOUND_OK;
    }
    bool headed = line_begins(reader, "solution status:");
    if (headed && (!next_full_line(reader) || line_begins(reader, "no solution available")))
      return WARPBOUND_OK;
    if (!line_begins(reader, "objective value:"))
      return wrong(reader, "'objective value:'");
    reader->outcome->status = status == WB_LINEAR_OPTIMAL ? status : WB_LINEAR_FEASIBLE;
    return read_pairs(reader, NULL);
  }
  /* Pairs from the current line on: it is read again. */
  reader->at = start;
  reader->line--;
  reader->outcome->status = WB_LINEAR_FEASIBLE;
  return read_pairs(reader, NULL);
}

warpbound_status wb_linear_solution_parse(const char *name, const char *text, size_t length,
                                          const struct wb_linear_model *model,
                                          const uint32_t *order, struct wb_linear_outcome *outcome,
                                          warpbound_error *error)
{
  *outcome = wb_linear_outcome_none(model);
  struct reader reader = {.name = name,
                          .at = text,
                          .end = text + length,
                          .model = model,
                          .order = order,
                          .given = wb_allocate(model->column_count, sizeof *reader.given),
                          .outcome = outcome,
                          .error = error};
  outcome->values = wb_allocate(model->column_count, sizeof *outcome->values);
  bool indexed = make_names(&reader.index, model, false);
  indexed = make_names(&reader.rows, model, true) && indexed;
  warpbound_status status = reader.given != NULL && outcome->values != NULL && indexed
                                ? read_dialect(&reader)
                                : wb_out_of_memory(error);
  const bool found = outcome->status == WB_LINEAR_OPTIMAL || outcome->status == WB_LINEAR_FEASIBLE;
  if (status != WARPBOUND_OK) {
    wb_linear_outcome_free(outcome);
  } else if (found) {
    /* Summed up here; the file's is of no use, for some write its negative. */
    outcome->objective = wb_linear_objective(model, outcome->values);
    if (outcome->status == WB_LINEAR_OPTIMAL)
      outcome->bound = outcome->objective;
  } else {
    free(outcome->values);
    outcome->values = NULL;
  }
  wb_hash_table_free(&reader.index.table);
  wb_hash_table_free(&reader.rows.table);
  free(reader.given);
  return status;
}
