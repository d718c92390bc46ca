#include "flow/costs.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest cost of one instruction: far above any latency, and sums of it stay small. */
#define COST_LIMIT 1000000000

/* ---- reading ---- */

struct reader {
  const char *at, *end, *line_start;
  size_t line;
  struct wb_costs *costs;
  size_t capacity;
  warpbound_error *error;
};

static warpbound_status expected(const struct reader *reader, const char *what)
{
  const bool end = reader->at == reader->end || *reader->at == '\n';
  const char found[] = {'\'', end ? '\0' : *reader->at, '\'', '\0'};
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->costs->name, reader->line,
                    (size_t)(reader->at - reader->line_start) + 1, "expected %s, found %s", what,
                    end ? "the line's end" : found);
}

static void skip_blanks(struct reader *reader)
{
  while (reader->at < reader->end &&
         (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
    reader->at++;
  if (reader->at < reader->end && *reader->at == '#') {
    while (reader->at < reader->end && *reader->at != '\n')
      reader->at++;
  }
}

static bool at_line_end(const struct reader *reader)
{
  return reader->at == reader->end || *reader->at == '\n';
}

static warpbound_status read_row(struct reader *reader)
{
  struct wb_cost_row row = {.name = reader->at, .line = (uint32_t)reader->line};
  while (reader->at < reader->end &&
         (wb_is_alphanumeric(*reader->at) || (*reader->at) == '.' || (*reader->at) == '_'))
    reader->at++;
  row.length = (size_t)(reader->at - row.name);
  if (row.length == 0)
    return expected(reader, "an opcode or 'default'");
  skip_blanks(reader);
  if (at_line_end(reader) || !wb_is_digit(*reader->at))
    return expected(reader, "a whole number of cycles");
  const char *number = reader->at;
  for (; reader->at < reader->end && wb_is_digit(*reader->at); reader->at++) {
    row.cycles = row.cycles * 10 + (*reader->at - '0');
    if (row.cycles > COST_LIMIT) {
      reader->at = number;
      return expected(reader, "at most 1000000000 cycles");
    }
  }
  skip_blanks(reader);
  if (!at_line_end(reader))
    return expected(reader, "the line's end");
  if (row.length == strlen("default") && memcmp(row.name, "default", row.length) == 0) {
    if (reader->costs->fallback >= 0)
      return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->costs->name, reader->line,
                        1, "expected one row 'default', found a second one");
    reader->costs->fallback = row.cycles;
    return WARPBOUND_OK;
  }
  if (!wb_grow(reader->costs->rows, &reader->capacity, reader->costs->row_count + 1))
    return wb_out_of_memory(reader->error);
  reader->costs->rows[reader->costs->row_count++] = row;
  return WARPBOUND_OK;
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_rows(const void *a, const void *b)
{
  const struct wb_cost_row *left = a;
  const struct wb_cost_row *right = b;
  int order = compare_names(left->name, left->length, right->name, right->length);
  return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

warpbound_status wb_costs_parse(const char *name, const char *text, size_t length,
                                struct wb_costs *costs, warpbound_error *error)
{
  *costs = (struct wb_costs){.kind = WB_COST_TABLE, .fallback = -1};
  costs->name = wb_copy_text(name, strlen(name));
  costs->text = wb_copy_text(text, length);
  warpbound_status status = WARPBOUND_OK;
  if (costs->name == NULL || costs->text == NULL)
    status = wb_out_of_memory(error);
  struct reader reader = {.at = costs->text,
                          .end = costs->text == NULL ? NULL : costs->text + length,
                          .line_start = costs->text,
                          .line = 1,
                          .costs = costs,
                          .error = error};
  while (status == WARPBOUND_OK && reader.at < reader.end) {
    skip_blanks(&reader);
    if (!at_line_end(&reader))
      status = read_row(&reader);
    if (status == WARPBOUND_OK && reader.at < reader.end) {
      reader.line_start = ++reader.at;
      reader.line++;
    }
  }
  if (status == WARPBOUND_OK && costs->row_count > 1)
    qsort(costs->rows, costs->row_count, sizeof *costs->rows, compare_rows);
  for (size_t r = 1; status == WARPBOUND_OK && r < costs->row_count; r++) {
    const struct wb_cost_row *row = &costs->rows[r];
    if (compare_names(row->name, row->length, row[-1].name, row[-1].length) == 0)
      status =
          wb_fail_at(error, WARPBOUND_INVALID_INPUT, costs->name, row->line, 1,
                     "expected each opcode once, found '%.*s' again (first in line %u)",
                     (int)(row->length < 60 ? row->length : 60), row->name, (unsigned)row[-1].line);
  }
  if (status != WARPBOUND_OK)
    wb_costs_free(costs);
  return status;
}

/* ---- applying ---- */

/* The row of an opcode with modifiers, or NULL: the fallback's. */
static const struct wb_cost_row *look_up(const struct wb_costs *costs, const char *opcode)
{
  for (size_t length = strlen(opcode); length > 0;) {
    size_t low = 0;
    size_t high = costs->row_count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      const struct wb_cost_row *row = &costs->rows[middle];
      const int order = compare_names(row->name, row->length, opcode, length);
      if (order == 0)
        return row;
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle;
    }
    do
      length--;
    while (length > 0 && opcode[length] != '.');
  }
  return NULL;
}

static warpbound_status say_missing(const struct wb_costs *costs, const struct wb_list *missing,
                                    warpbound_error *error)
{
  struct wb_text names = {0};
  for (size_t m = 0; m < missing->count; m++)
    wb_text_format(&names, "%s%s", m > 0 ? ", " : "", missing->items[m]);
  const warpbound_status status =
      missing->failed || names.failed
          ? wb_out_of_memory(error)
          : wb_fail_at(error, WARPBOUND_FACTS_MISSING, costs->name, 0, 0,
                       "there is no row for %.300s: add one each, or a row 'default CYCLES'",
                       names.data);
  wb_text_free(&names);
  return status;
}

static warpbound_status apply_table(const struct wb_costs *costs,
                                    const struct wb_function *function, int64_t *cycles,
                                    struct wb_list *assumptions, warpbound_error *error)
{
  struct wb_list missing = {0};
  bool *used = wb_allocate(costs->row_count + 1, sizeof *used);
  if (used == NULL)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_cost_row *row = look_up(costs, function->instructions[i].opcode);
    cycles[i] = row != NULL ? row->cycles : costs->fallback;
    used[row != NULL ? (size_t)(row - costs->rows) : costs->row_count] = true;
    if (cycles[i] < 0 && missing.count < 20)
      wb_list_add(&missing, "%s", function->instructions[i].opcode);
  }
  warpbound_status status = WARPBOUND_OK;
  if (missing.failed || missing.count > 0)
    status = say_missing(costs, &missing, error);
  else {
    /* used: by row, and of the fallback. "declared by costs.txt (--cost): FADD 4, others 1". */
    struct wb_text rows = {0};
    const char *before = "";
    for (size_t r = 0; r <= costs->row_count; r++) {
      const bool others = r == costs->row_count;
      if (!used[r])
        continue;
      wb_text_format(&rows, "%s%.*s %" PRId64, before, others ? 6 : (int)costs->rows[r].length,
                     others ? "others" : costs->rows[r].name,
                     others ? costs->fallback : costs->rows[r].cycles);
      before = ", ";
    }
    if (!rows.failed && rows.data != NULL)
      wb_list_add(assumptions, "cycles of instructions are those that %s declares (--cost): %s",
                  costs->name, rows.data);
    assumptions->failed |= rows.failed;
    wb_text_free(&rows);
  }
  free(used);
  wb_list_free(&missing);
  return status;
}

warpbound_status wb_costs_apply(const struct wb_costs *costs, const struct wb_function *function,
                                int64_t *cycles, struct wb_list *assumptions,
                                warpbound_error *error)
{
  if (costs->kind == WB_COST_TABLE)
    return apply_table(costs, function, cycles, assumptions, error);
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    cycles[i] = 1;
    if (costs->kind != WB_COST_STALLS)
      continue;
    if (function->encodings == NULL || !function->encodings[i].has_control)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "%.150s: stalls stand in the encodings, and the instruction in line %u has "
                     "none; a listing of cuobjdump -sass has them",
                     function->name, (unsigned)instruction->line);
    const uint8_t stall = function->encodings[i].control.stall;
    cycles[i] = stall > 0 ? stall : instruction->dual_issue ? 0 : 1;
  }
  wb_list_add(assumptions,
              costs->kind == WB_COST_STALLS
                  ? "stalls are issue times without waiting for memory, barriers or scoreboards"
                  : "every instruction takes one cycle (--cost unit)");
  return WARPBOUND_OK;
}

void wb_costs_free(struct wb_costs *costs)
{
  free(costs->name);
  free(costs->text);
  free(costs->rows);
  *costs = (struct wb_costs){0};
}
