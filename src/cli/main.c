/* The program: finds the command, parses its options, runs it, reports failure. */
#include "base/text/nearest.h"
#include "cli/commands/commands.h"
#include "cli/output/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_overview(struct wb_text *text)
{
  wb_text_string(text, "warpbound bounds the worst-case execution time of GPU kernels\n\n"
                       "Usage: warpbound COMMAND [OPTIONS] [INPUT]\n\nCommands:\n");
  size_t count;
  const struct command_row *rows = command_rows(&count);
  for (size_t i = 0; i < count; i++)
    wb_text_format(text, "  %-11s %s\n", command_name(rows[i].bit), rows[i].summary);
  wb_text_string(text,
                 "\nThe answer comes first: --quiet prints it alone, --json an object for "
                 "scripts.\n'warpbound help COMMAND' explains a command; 'warpbound "
                 "--version' names the version.\n"
                 "Examples:\n"
                 "  warpbound analyze examples/matrix_multiply.fatbin -k matrix_tiled --grid 4,4 "
                 "\\\n    --block 8,8 --sm orin-agx --param param_3=32\n"
                 "  warpbound makespan 5L9C2L9C -W 4 --units L=1,C=4\n");
}

static warpbound_status print_help(const struct command_row *row, warpbound_error *error)
{
  struct wb_text text = {0};
  const char *name = command_name(row->bit);
  wb_text_format(&text, "warpbound %s: %s\n\nUsage: warpbound %s %s\n\nOptions:\n", name,
                 row->summary, name, row->form);
  options_help(row->bit, &text);
  wb_text_format(&text, "\n%s", row->examples);
  return terminal_print(&text, error);
}

static warpbound_status no_such_command(const char *name, warpbound_error *error)
{
  char hint[WB_HINT_SIZE];
  size_t count;
  const struct command_row *rows = command_rows(&count);
  struct wb_nearest nearest = wb_nearest_start(name);
  for (size_t i = 0; i < count; i++)
    wb_nearest_offer(&nearest, command_name(rows[i].bit));
  return wb_fail(error, WARPBOUND_USAGE,
                 "there is no command '%.60s'%s; 'warpbound help' lists them", name,
                 wb_nearest_hint(&nearest, "", hint));
}

static warpbound_status help(int count, char **words, warpbound_error *error)
{
  struct wb_text text = {0};
  if (count == 0) {
    write_overview(&text);
    return terminal_print(&text, error);
  }
  const struct command_row *row = command_find(words[0]);
  return row != NULL ? print_help(row, error) : no_such_command(words[0], error);
}

/* Digits from which on a number is above what any option takes. */
#define LARGE_DIGITS 20

/* Says of a value that was refused that its number is too large, where it has so many digits. */
static void explain_large_number(warpbound_error *error)
{
  static const char digits[] = "0123456789";
  const char *found = strstr(error->message, "found '");
  const warpbound_error cause = *error;
  if (error->status != WARPBOUND_USAGE || found == NULL)
    return;
  for (const char *at = strpbrk(found, digits); at != NULL; at = strpbrk(at, digits)) {
    const size_t length = strspn(at, digits);
    if (length >= LARGE_DIGITS) {
      (void)wb_fail(error, cause.status, "%s: the number is too large", cause.message);
      return;
    }
    at += length;
  }
}

static warpbound_status run(int count, char **words, warpbound_error *error)
{
  if (count == 0) {
    /* Nothing was asked: wrong usage, and what there is to ask. */
    struct wb_text overview = {0};
    write_overview(&overview);
    const bool failed = overview.failed;
    if (!failed)
      fputs(overview.data, stderr);
    wb_text_free(&overview);
    return failed ? wb_out_of_memory(error) : WARPBOUND_USAGE;
  }
  const char *name = words[0];
  if (strcmp(name, "--version") == 0) {
    struct wb_text text = {0};
    wb_text_format(&text, "warpbound %s\n", warpbound_version());
    return terminal_print(&text, error);
  }
  if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    return help(count - 1, words + 1, error);
  const struct command_row *row = command_find(name);
  if (row == NULL)
    return no_such_command(name, error);
  struct arguments arguments;
  struct wb_list notes = {0};
  warpbound_status status = arguments_parse(&arguments, row->bit, count - 1, words + 1, error);
  arguments.notes = &notes;
  if (status == WARPBOUND_OK)
    status =
        arguments.value[OPTION_HELP] != NULL ? print_help(row, error) : row->run(&arguments, error);
  if (status == WARPBOUND_USAGE && error->message[0] != '\0') {
    explain_large_number(error);
    arguments_blame_named(&arguments, error);
    status = error->status;
  }
  for (size_t n = 0; n < notes.count; n++)
    terminal_note(notes.items[n]);
  wb_list_free(&notes);
  arguments_free(&arguments);
  return status;
}

int main(int argc, char **argv)
{
  warpbound_error error = {0};
  warpbound_status status = run(argc - 1, argv + 1, &error);
  if (status != WARPBOUND_OK && error.message[0] != '\0')
    terminal_error(&error);
  return (int)status;
}
