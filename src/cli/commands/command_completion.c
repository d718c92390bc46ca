/* `warpbound completion`: scripts that complete the command line of a shell, written from the
 * tables of commands and options. */
#include "cli/commands/commands.h"

#include "cli/options/word_options.h"
#include "cli/output/terminal.h"

#include <string.h>

/* Whether an option's value is a file: its help calls it one. */
static bool takes_file(const struct option_row *row)
{
  return row->argument != NULL &&
         (strstr(row->argument, "FILE") != NULL || strstr(row->argument, "FOLDER") != NULL);
}

static bool has(const struct command_row *command, int option)
{
  return (option_row((enum option)option)->commands & command->bit) != 0;
}

static void write_names(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  for (size_t c = 0; c < count; c++)
    wb_text_format(text, "%s ", command_name(commands[c].bit));
  wb_text_string(text, "help");
}

/* ---- bash ---- */

/* "--warps|-W": the spellings of an option. */
static void write_spellings(const struct option_row *row, const char *between, struct wb_text *text)
{
  wb_text_format(text, "--%s", row->name);
  if (row->letter != '\0')
    wb_text_format(text, "%s-%c", between, row->letter);
}

static void write_bash_values(struct wb_text *text)
{
  wb_text_string(text, "  case $previous in\n");
  for (int o = 0; o < OPTION_COUNT; o++) {
    const struct option_row *row = option_row((enum option)o);
    const char *values = option_row((enum option)o)->values;
    if (row->argument == NULL)
      continue;
    wb_text_string(text, "  ");
    write_spellings(row, " | ", text);
    if (values != NULL)
      wb_text_format(text, ") COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", values);
    else
      wb_text_format(text, ") COMPREPLY=(%s); return ;;\n",
                     takes_file(row) ? "$(compgen -f -- \"$word\")" : "");
  }
  wb_text_string(text, "  esac\n");
}

static void write_bash(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text,
                 "# Completion of warpbound for bash; written by 'warpbound completion bash'.\n"
                 "_warpbound()\n{\n"
                 "  local word=${COMP_WORDS[COMP_CWORD]} "
                 "previous=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
                 "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n"
                 "    COMPREPLY=($(compgen -W '");
  write_names(text);
  wb_text_string(text, " --version' -- \"$word\"))\n    return\n  fi\n");
  write_bash_values(text);
  wb_text_string(text, "  case ${COMP_WORDS[1]} in\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "  %s) options='", command_name(commands[c].bit));
    const char *separator = "";
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (!has(&commands[c], o))
        continue;
      wb_text_format(text, "%s--%s", separator, option_row((enum option)o)->name);
      separator = " ";
    }
    wb_text_string(text, "' ;;\n");
  }
  wb_text_string(text, "  esac\n"
                       "  case $word in\n"
                       "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                       "  *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
                       "  esac\n}\n"
                       "complete -o filenames -F _warpbound warpbound\n");
}

/* ---- zsh and fish ---- */

/* A text in single quotes of a shell; in zsh's descriptions brackets and colons have a meaning. */
static void write_quoted(const char *string, const char *special, const char *quote,
                         struct wb_text *text)
{
  for (; *string != '\0'; string++) {
    if (*string == '\'')
      wb_text_string(text, quote);
    else if (strchr(special, *string) != NULL)
      wb_text_format(text, "\\%c", *string);
    else
      wb_text_append(text, string, 1);
  }
}

static void write_zsh_option(enum option option, struct wb_text *text)
{
  const struct option_row *row = option_row(option);
  const char *values = row->values;
  for (int spelling = 0; spelling < (row->letter != '\0' ? 2 : 1); spelling++) {
    wb_text_format(text, "      '%s", row->repeatable ? "*" : "");
    if (spelling == 0)
      wb_text_format(text, "--%s%s", row->name, row->argument != NULL ? "=" : "");
    else
      wb_text_format(text, "-%c%s", row->letter, row->argument != NULL ? "+" : "");
    wb_text_string(text, "[");
    write_quoted(row->help, "[]:\\", "'\\''", text);
    wb_text_string(text, "]");
    if (row->argument != NULL) {
      wb_text_string(text, ":");
      write_quoted(row->argument, "[]:\\", "'\\''", text);
      if (values != NULL)
        wb_text_format(text, ":(%s)", values);
      else
        wb_text_string(text, takes_file(row) ? ":_files" : ": ");
    }
    wb_text_string(text, "' \\\n");
  }
}

static void write_zsh(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text, "#compdef warpbound\n"
                       "# Completion of warpbound for zsh; written by 'warpbound completion zsh'.\n"
                       "_warpbound()\n{\n"
                       "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
                       "    local -a commands\n    commands=(\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "      '%s:", command_name(commands[c].bit));
    write_quoted(commands[c].summary, "", "'\\''", text);
    wb_text_string(text, "'\n");
  }
  wb_text_string(text, "      'help:the list of commands, or the help of one'\n    )\n"
                       "    _describe command commands\n    return\n  fi\n"
                       "  local command=$words[2]\n"
                       "  shift words\n  (( CURRENT-- ))\n"
                       "  case $command in\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "  %s)\n    _arguments -s \\\n", command_name(commands[c].bit));
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (has(&commands[c], o))
        write_zsh_option((enum option)o, text);
    }
    wb_text_string(text, "      '1:input:_files'\n    ;;\n");
  }
  wb_text_string(text, "  esac\n}\n_warpbound \"$@\"\n");
}

static void write_fish_option(const struct command_row *command, enum option option,
                              struct wb_text *text)
{
  const struct option_row *row = option_row(option);
  const char *values = row->values;
  wb_text_format(text, "complete -c warpbound -n '__fish_seen_subcommand_from %s' -l %s",
                 command_name(command->bit), row->name);
  if (row->letter != '\0')
    wb_text_format(text, " -s %c", row->letter);
  if (values != NULL)
    wb_text_format(text, " -x -a '%s'", values);
  else if (row->argument != NULL)
    wb_text_string(text, takes_file(row) ? " -r -F" : " -x");
  wb_text_string(text, " -d '");
  write_quoted(row->help, "\\", "\\'", text);
  wb_text_string(text, "'\n");
}

static void write_fish(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text,
                 "# Completion of warpbound for fish; written by 'warpbound completion fish'.\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "complete -c warpbound -f -n __fish_use_subcommand -a %s -d '",
                   command_name(commands[c].bit));
    write_quoted(commands[c].summary, "\\", "\\'", text);
    wb_text_string(text, "'\n");
  }
  wb_text_string(text, "complete -c warpbound -f -n __fish_use_subcommand -a help -d 'the list of "
                       "commands, or the help of one'\n"
                       "complete -c warpbound -f -n '__fish_seen_subcommand_from help' -a '");
  write_names(text);
  wb_text_string(text, "'\n");
  for (size_t c = 0; c < count; c++) {
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (has(&commands[c], o))
        write_fish_option(&commands[c], (enum option)o, text);
    }
  }
}

/* ---- the command ---- */

warpbound_status command_completion(struct arguments *arguments, warpbound_error *error)
{
  enum { BASH, ZSH, FISH };
  static const struct wb_choice shells[] = {
      {"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}, {NULL, 0}};
  static void (*const writers[])(struct wb_text * text) = {write_bash, write_zsh, write_fish};
  struct wb_text text = {0};
  int shell;
  if (arguments->input == NULL) {
    wb_choice_list(&text, shells, "");
    warpbound_status status =
        text.failed ? wb_out_of_memory(error)
                    : wb_fail(error, WARPBOUND_USAGE, "expected a shell: %s", text.data);
    wb_text_free(&text);
    return status;
  }
  warpbound_status status = wb_choice_read(shells, "", arguments->input, &shell, error);
  if (status != WARPBOUND_OK)
    return status;
  writers[shell](&text);
  return terminal_print(&text, error);
}
