/* What instructions read, write and do: tests/fixtures/sass_facts.txt, written by hand, against
 * what the front end makes of each statement in a listing of its own. */
#include "base/file.h"
#include "base/text.h"
#include "fixtures.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#define MOST_FIELDS 5

static const char *const transfers[] = {
    [WB_TRANSFER_NEXT] = "next",
    [WB_TRANSFER_BRANCH] = "branch",
    [WB_TRANSFER_INDEXED_BRANCH] = "indexed",
    [WB_TRANSFER_EXIT] = "exit",
    [WB_TRANSFER_PUSH] = "push",
    [WB_TRANSFER_POP] = "pop",
    [WB_TRANSFER_CALL] = "call",
    [WB_TRANSFER_CALL_OUTSIDE] = "outside",
    [WB_TRANSFER_SCOPE_OPEN] = "scope-open",
    [WB_TRANSFER_SCOPE_SYNC] = "scope-sync",
    [WB_TRANSFER_SCOPE_BREAK] = "scope-break",
    [WB_TRANSFER_WARP_SYNC] = "warp-sync",
    [WB_TRANSFER_CALL_LINKED] = "call-linked",
    [WB_TRANSFER_RETURN_LINKED] = "return-linked",
    [WB_TRANSFER_UNSUPPORTED] = "unsupported",
};
static const char *const tokens[] = {"", " sync", " break", " continue", " return"};
static const char *const rules[] = {"sources", "memory", "lane", "always", "never"};

/* The set of registers that a field names, all of them false before. */
static void read_registers(const char *field, bool set[WB_REGISTER_COUNT])
{
  if (strcmp(field, "all") == 0)
    memset(set, 1, WB_REGISTER_COUNT);
  if (strcmp(field, "all") == 0 || strcmp(field, "-") == 0)
    return;
  char copy[256];
  snprintf(copy, sizeof copy, "%s", field);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    char *to = strchr(word, '-');
    bool in = false;
    if (to != NULL)
      *to++ = '\0';
    unsigned named = 0;
    for (unsigned r = 0; r < WB_REGISTER_COUNT; r++) {
      char name[8];
      wb_register_name(r, name);
      const bool first = strcmp(name, word) == 0;
      const bool last = strcmp(name, to != NULL ? to : word) == 0;
      in = in || first;
      set[r] = set[r] || in;
      named += first || (to != NULL && last);
      if (last)
        in = false;
    }
    if (named != (to != NULL ? 2 : 1))
      fail_msg("'%s' names no registers", field);
  }
}

static void fill_set(const struct wb_function *function, uint32_t first, uint32_t count,
                     bool set[WB_REGISTER_COUNT])
{
  for (uint32_t s = 0; s < count; s++) {
    const struct wb_register_span *span = &function->spans[first + s];
    assert_true(span->count > 0);
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++)
      set[r] = true;
  }
}

static void compare_sets(const char *statement, const char *what, const char *field,
                         const bool made[WB_REGISTER_COUNT])
{
  bool expected[WB_REGISTER_COUNT] = {false};
  read_registers(field, expected);
  for (unsigned r = 0; r < WB_REGISTER_COUNT; r++) {
    char name[8];
    wb_register_name(r, name);
    if (expected[r] != made[r])
      fail_msg("%s: %s is%s %s", statement, name, made[r] ? "" : " not", what);
  }
}

/* fields: read, written, transfer, unit, agreement. */
static void check(unsigned sm, const char *statement, char *fields[MOST_FIELDS])
{
  bool reads[WB_REGISTER_COUNT] = {false};
  bool writes[WB_REGISTER_COUNT] = {false};
  char transfer[40];
  /* The statement as the only one of a function. */
  FREED_BY(wb_text_free) struct wb_text listing = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error;
  wb_text_format(&listing, "\tcode for sm_%u\n\t\tFunction : k\n        /*%04x*/  %s ;\n", sm,
                 sm < 70 ? 8U : 0U, statement);
  if (wb_sass_parse("facts", listing.data, listing.length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", statement, error.message);
  assert_int_equal(code.functions[0].instruction_count, 1);
  const struct wb_function *function = &code.functions[0];
  const struct wb_instruction *made = &function->instructions[0];
  fill_set(function, made->first_read, made->read_count, reads);
  fill_set(function, made->first_write, made->write_count, writes);
  compare_sets(statement, "read", fields[0], reads);
  compare_sets(statement, "written", fields[1], writes);
  /* A call pushes a return token whatever is said. */
  snprintf(transfer, sizeof transfer, "%s%s", transfers[made->transfer],
           made->transfer == WB_TRANSFER_CALL ? "" : tokens[made->token]);
  if (strcmp(transfer, fields[2]) != 0)
    fail_msg("%s: transfer is %s", statement, transfer);
  if (wb_unit_letter(made->unit) != fields[3][0])
    fail_msg("%s: unit is %c", statement, wb_unit_letter(made->unit));
  if (strcmp(rules[made->agreement], fields[4]) != 0)
    fail_msg("%s: agreement is %s", statement, rules[made->agreement]);
}

/* `statement => read; written; transfer; unit; agreement` */
static void check_line(unsigned sm, char *line)
{
  char *fields[MOST_FIELDS];
  char *arrow = strstr(line, " => ");
  assert_non_null(arrow);
  *arrow = '\0';
  char *field = arrow + 4;
  for (size_t f = 0; f < MOST_FIELDS; f++) {
    char *end = strchr(field, ';');
    assert_true((end != NULL) == (f + 1 < MOST_FIELDS));
    fields[f] = field;
    if (end != NULL) {
      *end = '\0';
      field = end + 1 + strspn(end + 1, " ");
    }
  }
  check(sm, line, fields);
}

TEST(test_facts)
{
  struct wb_input source;
  size_t checked = 0;
  unsigned sm = 0;
  fixture_read(&source, "sass_facts.txt");
  for (char *line = source.bytes; line != NULL && *line != '\0';) {
    char *newline = strchr(line, '\n');
    if (newline != NULL)
      *newline = '\0';
    if (strncmp(line, "sm_", 3) == 0) {
      sm = (unsigned)strtoul(line + 3, NULL, 10);
    } else if (line[0] != '\0' && line[0] != '#') {
      check_line(sm, line);
      checked++;
    }
    line = newline != NULL ? newline + 1 : NULL;
  }
  wb_input_free(&source);
  assert_true(checked >= 300);
}
