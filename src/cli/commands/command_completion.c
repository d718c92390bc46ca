/* `warpbound completion`: scripts that complete the command line of a shell, written from the
 * tables of commands and options. */
#include "cli/commands/commands.h"

#include "cli/options/option_values.h"
#include "cli/output/terminal.h"

#include <string.h>

/* What completes the value of an option, or the input of a command. */
enum completed {
  COMPLETED_NOTHING,
  COMPLETED_WORDS,   /* those of the option's row */
  COMPLETED_FILES,   /* its help calls it one */
  COMPLETED_DEVICES, /* names of devices, and files */
  COMPLETED_KERNELS  /* of the input that is already on the line */
};

static enum completed value_of(int option)
{
  const struct option_row *row = &option_rows[option];
  if (row->values != NULL)
    return COMPLETED_WORDS;
  if (option == OPTION_KERNEL)
    return COMPLETED_KERNELS;
  if (option == OPTION_SM)
    return COMPLETED_DEVICES;
  return row->argument != NULL &&
                 (strstr(row->argument, "FILE") != NULL || strstr(row->argument, "FOLDER") != NULL)
             ? COMPLETED_FILES
             : COMPLETED_NOTHING;
}

/* The words that a command's input is one of; files where none are written. */
static void write_inputs(unsigned command, struct wb_text *text)
{
  if (command == COMMAND_COMPLETION)
    wb_text_string(text, "bash zsh fish");
  else if (command == COMMAND_DEVICES)
    wb_text_string(text, "$devices");
}

/* The names that --sm of `analyze` takes, then also those of the other commands. */
static void write_launch_devices(struct wb_text *text)
{
  for (size_t d = 0; d < warpbound_gpu_count(); d++)
    wb_text_format(text, "%s%s", d > 0 ? " " : "", warpbound_gpu_bundled_name(d));
}

static void write_devices(struct wb_text *text)
{
  write_launch_devices(text);
  for (size_t d = 0; d < warpbound_device_count(); d++)
    wb_text_format(text, " %s", warpbound_device_row(d).name);
}

static bool has(const struct command_row *command, int option)
{
  return (option_rows[option].commands & command->bit) != 0;
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

/* The spellings of all options that take a value: "--warps | -W | --units". */
static void write_valued(const char *between, struct wb_text *text)
{
  const char *before = "";
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (option_rows[o].argument == NULL)
      continue;
    wb_text_string(text, before);
    write_spellings(&option_rows[o], between, text);
    before = between;
  }
}

/* Functions that the completion calls: the input on the line is a file that is no option's value.
 */
static void write_bash_functions(struct wb_text *text)
{
  wb_text_string(text, "_warpbound_devices()\n{\n"
                       "  COMPREPLY=($(compgen -W \"$devices\" -- \"$word\"))\n"
                       "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
                       "_warpbound_kernels()\n{\n"
                       "  local at file= name\n"
                       "  for ((at = 2; at < ${#COMP_WORDS[@]}; at++)); do\n"
                       "    [ \"$at\" -ne \"$COMP_CWORD\" ] || continue\n"
                       "    case ${COMP_WORDS[at - 1]} in\n    ");
  write_valued(" | ", text);
  wb_text_string(text,
                 ") continue ;;\n    esac\n"
                 "    name=${COMP_WORDS[at]/#\\~\\//$HOME/}\n"
                 "    [ ! -f \"$name\" ] || file=$name\n"
                 "  done\n"
                 "  [ -n \"$file\" ] || return 0\n"
                 "  while IFS= read -r name; do\n"
                 "    [[ $name != \"$1\"* ]] || COMPREPLY+=(\"$name\")\n"
                 "  done < <(\"${COMP_WORDS[0]/#\\~\\//$HOME/}\" kernels --names -- \"$file\" "
                 "2>/dev/null)\n}\n");
}

static void write_bash_value(int option, struct wb_text *text)
{
  switch (value_of(option)) {
  case COMPLETED_WORDS:
    wb_text_format(text, "COMPREPLY=($(compgen -W '%s' -- \"$word\"))", option_rows[option].values);
    return;
  case COMPLETED_DEVICES:
    wb_text_string(text, "_warpbound_devices");
    return;
  case COMPLETED_KERNELS:
    wb_text_string(text, "COMPREPLY=(); _warpbound_kernels \"$word\"");
    return;
  case COMPLETED_FILES:
    wb_text_string(text, "COMPREPLY=($(compgen -f -- \"$word\"))");
    return;
  default:
    wb_text_string(text, "COMPREPLY=()");
  }
}

static void write_bash_values(struct wb_text *text)
{
  wb_text_string(text, "  case $previous in\n");
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (option_rows[o].argument == NULL)
      continue;
    wb_text_string(text, "  ");
    write_spellings(&option_rows[o], " | ", text);
    wb_text_string(text, ") ");
    write_bash_value(o, text);
    wb_text_string(text, "; return ;;\n");
  }
  wb_text_string(text, "  esac\n");
}

static void write_bash_command(const struct command_row *command, struct wb_text *text)
{
  const char *separator = "";
  wb_text_format(text, "  %s) options='", command_name(command->bit));
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (!has(command, o))
      continue;
    wb_text_format(text, "%s--%s", separator, option_rows[o].name);
    separator = " ";
  }
  wb_text_string(text, "' inputs=\"");
  write_inputs(command->bit, text);
  wb_text_string(text, "\" ;;\n");
}

static void write_bash_head(struct wb_text *text)
{
  wb_text_string(text, "_warpbound()\n{\n"
                       "  local word=${COMP_WORDS[COMP_CWORD]} "
                       "previous=${COMP_WORDS[COMP_CWORD - 1]} options= inputs= devices\n"
                       "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n"
                       "    COMPREPLY=($(compgen -W '");
  write_names(text);
  wb_text_string(text, " --version' -- \"$word\"))\n    return\n  fi\n"
                       "  [ \"$word\" != = ] || word=\n"
                       "  [ \"$previous\" != = ] || previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
                       "  devices='");
  write_devices(text);
  wb_text_string(text, "'\n  [ \"${COMP_WORDS[1]}\" != analyze ] || devices='");
  write_launch_devices(text);
  wb_text_string(text, "'\n");
}

static void write_bash(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text,
                 "# Completion of warpbound for bash; written by 'warpbound completion bash'.\n");
  write_bash_functions(text);
  write_bash_head(text);
  write_bash_values(text);
  wb_text_string(text, "  case ${COMP_WORDS[1]} in\n");
  for (size_t c = 0; c < count; c++)
    write_bash_command(&commands[c], text);
  wb_text_string(text, "  esac\n"
                       "  case $word in\n"
                       "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                       "  *) if [ -n \"$inputs\" ]; then\n"
                       "       COMPREPLY=($(compgen -W \"$inputs\" -- \"$word\"))\n"
                       "     else\n"
                       "       COMPREPLY=($(compgen -f -- \"$word\"))\n"
                       "     fi ;;\n"
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

/* What _arguments does for a value. */
static void write_zsh_value(int option, struct wb_text *text)
{
  switch (value_of(option)) {
  case COMPLETED_WORDS:
    wb_text_format(text, ":(%s)", option_rows[option].values);
    return;
  case COMPLETED_DEVICES:
    wb_text_string(text, ":_warpbound_sm");
    return;
  case COMPLETED_KERNELS:
    wb_text_string(text, ":_warpbound_kernels");
    return;
  case COMPLETED_FILES:
    wb_text_string(text, ":_files");
    return;
  default:
    wb_text_string(text, ": ");
  }
}

static void write_zsh_option(enum option option, struct wb_text *text)
{
  const struct option_row *row = &option_rows[option];
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
      write_zsh_value(option, text);
    }
    wb_text_string(text, "' \\\n");
  }
}

static void write_zsh_functions(struct wb_text *text)
{
  wb_text_string(text, "_warpbound_devices()\n{\n  compadd - ");
  write_devices(text);
  wb_text_string(text, "\n}\n_warpbound_sm()\n{\n"
                       "  if [[ $command == analyze ]]; then compadd - ");
  write_launch_devices(text);
  wb_text_string(text, "; else _warpbound_devices; fi\n  _files\n}\n"
                       "_warpbound_kernels()\n{\n"
                       "  local at file= name\n"
                       "  for ((at = 2; at <= $#words; at++)); do\n"
                       "    (( at != CURRENT )) || continue\n"
                       "    case $words[at-1] in\n    ");
  write_valued(" | ", text);
  wb_text_string(text, ") continue ;;\n    esac\n"
                       "    name=${(Q)words[at]/#\\~\\//$HOME/}\n"
                       "    [[ ! -f $name ]] || file=$name\n"
                       "  done\n"
                       "  [[ -n $file ]] || return 1\n"
                       "  compadd - ${(f)\"$($program kernels --names -- $file 2>/dev/null)\"}\n"
                       "}\n");
}

static void write_zsh_commands(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text, "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
                       "    local -a commands\n    commands=(\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "      '%s:", command_name(commands[c].bit));
    write_quoted(commands[c].summary, "", "'\\''", text);
    wb_text_string(text, "'\n");
  }
  wb_text_string(text, "      'help:the list of commands, or the help of one'\n    )\n"
                       "    _describe command commands\n    return\n  fi\n");
}

static void write_zsh_input(unsigned command, struct wb_text *text)
{
  if (command == COMMAND_DEVICES)
    wb_text_string(text, "      '1:device:_warpbound_devices'\n    ;;\n");
  else if (command == COMMAND_COMPLETION)
    wb_text_string(text, "      '1:shell:(bash zsh fish)'\n    ;;\n");
  else
    wb_text_string(text, "      '1:input:_files'\n    ;;\n");
}

static void write_zsh(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text,
                 "#compdef warpbound\n"
                 "# Completion of warpbound for zsh; written by 'warpbound completion zsh'.\n");
  write_zsh_functions(text);
  wb_text_string(text, "_warpbound()\n{\n");
  write_zsh_commands(text);
  wb_text_string(text, "  local program=${(Q)words[1]/#\\~\\//$HOME/} command=$words[2]\n"
                       "  shift words\n  (( CURRENT-- ))\n"
                       "  case $command in\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "  %s)\n    _arguments -s \\\n", command_name(commands[c].bit));
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (has(&commands[c], o))
        write_zsh_option((enum option)o, text);
    }
    write_zsh_input(commands[c].bit, text);
  }
  wb_text_string(text, "  esac\n}\n_warpbound \"$@\"\n");
}

/* The kernels of the input on the line, as in bash. */
static void write_fish_functions(struct wb_text *text)
{
  wb_text_string(text, "function __warpbound_kernels\n"
                       "    set -l words (commandline -op)\n"
                       "    set -l file\n"
                       "    for at in (seq 3 (count $words))\n"
                       "        contains -- $words[(math $at - 1)] ");
  write_valued(" ", text);
  wb_text_string(text, "\n        and continue\n"
                       "        set -l name (string replace -r '^~/' $HOME/ -- $words[$at])\n"
                       "        test -f \"$name\"; and set file $name\n"
                       "    end\n"
                       "    test -n \"$file\"\n"
                       "    and command $words[1] kernels --names -- $file 2>/dev/null\n"
                       "end\n");
}

static void write_fish_value(const struct command_row *command, int option, struct wb_text *text)
{
  switch (value_of(option)) {
  case COMPLETED_WORDS:
    wb_text_format(text, " -x -a '%s'", option_rows[option].values);
    return;
  case COMPLETED_DEVICES:
    wb_text_string(text, " -r -F -a '");
    if (command->bit == COMMAND_ANALYZE)
      write_launch_devices(text);
    else
      write_devices(text);
    wb_text_string(text, "'");
    return;
  case COMPLETED_KERNELS:
    wb_text_string(text, " -x -a '(__warpbound_kernels)'");
    return;
  case COMPLETED_FILES:
    wb_text_string(text, " -r -F");
    return;
  default:
    wb_text_string(text, option_rows[option].argument != NULL ? " -x" : "");
  }
}

static void write_fish_option(const struct command_row *command, enum option option,
                              struct wb_text *text)
{
  const struct option_row *row = &option_rows[option];
  wb_text_format(text, "complete -c warpbound -n '__fish_seen_subcommand_from %s' -l %s",
                 command_name(command->bit), row->name);
  if (row->letter != '\0')
    wb_text_format(text, " -s %c", row->letter);
  write_fish_value(command, option, text);
  wb_text_string(text, " -d '");
  write_quoted(row->help, "\\", "\\'", text);
  wb_text_string(text, "'\n");
}

/* Commands, and inputs that are words. */
static void write_fish_words(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
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
  wb_text_string(text, "'\ncomplete -c warpbound -f -n '__fish_seen_subcommand_from completion' "
                       "-a 'bash zsh fish'\n"
                       "complete -c warpbound -f -n '__fish_seen_subcommand_from devices' -a '");
  write_devices(text);
  wb_text_string(text, "'\n");
}

static void write_fish(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  wb_text_string(text,
                 "# Completion of warpbound for fish; written by 'warpbound completion fish'.\n");
  write_fish_functions(text);
  write_fish_words(text);
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
