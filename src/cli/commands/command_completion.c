/* `warpbound completion`: the tables of commands, options and devices. */
#include "cli/commands/commands.h"

#include "cli/input/device_input.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "report/device_report.h"

#include <stdint.h>
#include <string.h>

/* ---- parts of all scripts ---- */

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

static void write_names(struct wb_text *text)
{
  size_t count;
  const struct command_row *commands = command_rows(&count);
  for (size_t c = 0; c < count; c++)
    wb_text_format(text, "%s ", command_name(commands[c].bit));
  wb_text_string(text, "help");
}

/* "--warps | -W": the spellings of an option. */
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

/* Appends a piece of a script, with what {{NAME}} in it stands for. */
static void write_script(const char *script, struct wb_text *text)
{
  static const struct {
    const char *name;
    void (*write)(struct wb_text *text);
    const char *between; /* spellings of options that take a value, where there is no `write` */
  } parts[] = {{"{{launch devices}}", write_launch_devices, NULL},
               {"{{devices}}", write_devices, NULL},
               {"{{commands}}", write_names, NULL},
               {"{{valued cases}}", NULL, " | "},
               {"{{valued words}}", NULL, " "}};
  for (const char *next = strstr(script, "{{"); next != NULL; next = strstr(script, "{{")) {
    wb_text_append(text, script, (size_t)(next - script));
    script = next;
    for (size_t p = 0; p < sizeof parts / sizeof *parts && script == next; p++) {
      const size_t length = strlen(parts[p].name);
      if (strncmp(next, parts[p].name, length) != 0)
        continue;
      if (parts[p].write != NULL)
        parts[p].write(text);
      else
        write_valued(parts[p].between, text);
      script += length;
    }
  }
  wb_text_string(text, script);
}

/* What completes the value of an option. */
enum completed {
  COMPLETED_NOTHING,
  COMPLETED_WORDS,   /* those of the option's row */
  COMPLETED_FILES,   /* its help calls it one */
  COMPLETED_DEVICES, /* names of devices, and files */
  COMPLETED_KERNELS, /* of the input that is already on the line */
  COMPLETED_COUNT
};

/* How a shell completes a value: the pieces of a script before and after the words, if there are
 * some. */
struct completion {
  const char *before;
  const char *after; /* NULL: no words */
};

static void write_value(const struct completion forms[COMPLETED_COUNT], enum option option,
                        struct wb_text *text)
{
  const struct option_row *row = &option_rows[option];
  const bool file = row->argument != NULL && (strstr(row->argument, "FILE") != NULL ||
                                              strstr(row->argument, "FOLDER") != NULL);
  const enum completed completed = row->values != NULL       ? COMPLETED_WORDS
                                   : option == OPTION_KERNEL ? COMPLETED_KERNELS
                                   : option == OPTION_SM     ? COMPLETED_DEVICES
                                   : file                    ? COMPLETED_FILES
                                                             : COMPLETED_NOTHING;
  write_script(forms[completed].before, text);
  if (forms[completed].after == NULL)
    return;
  wb_text_string(text, row->values);
  wb_text_string(text, forms[completed].after);
}

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

/* ---- bash ---- */

/* The input on the line is a file that is no option's value. */
static const char bash_head[] =
    "# Completion of warpbound for bash; written by 'warpbound completion bash'.\n"
    "_warpbound_devices()\n{\n"
    "  COMPREPLY=($(compgen -W \"$devices\" -- \"$word\"))\n"
    "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n}\n"
    "_warpbound_kernels()\n{\n"
    "  local at file= name\n"
    "  for ((at = 2; at < ${#COMP_WORDS[@]}; at++)); do\n"
    "    [ \"$at\" -ne \"$COMP_CWORD\" ] || continue\n"
    "    case ${COMP_WORDS[at - 1]} in\n    {{valued cases}}) continue ;;\n    esac\n"
    "    name=${COMP_WORDS[at]/#\\~\\//$HOME/}\n"
    "    [ ! -f \"$name\" ] || file=$name\n"
    "  done\n"
    "  [ -n \"$file\" ] || return 0\n"
    "  while IFS= read -r name; do\n"
    "    [[ $name != \"$1\"* ]] || COMPREPLY+=(\"$name\")\n"
    "  done < <(\"${COMP_WORDS[0]/#\\~\\//$HOME/}\" kernels --names -- \"$file\" "
    "2>/dev/null)\n}\n"
    "_warpbound()\n{\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} "
    "previous=${COMP_WORDS[COMP_CWORD - 1]} options= inputs= devices\n"
    "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"${COMP_WORDS[1]}\" = help ]; then\n"
    "    COMPREPLY=($(compgen -W '{{commands}} --version' -- \"$word\"))\n    return\n  fi\n"
    "  [ \"$word\" != = ] || word=\n"
    "  [ \"$previous\" != = ] || previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  devices='{{devices}}'\n"
    "  [ \"${COMP_WORDS[1]}\" != analyze ] || devices='{{launch devices}}'\n"
    "  case $previous in\n";
static const char bash_tail[] = "  esac\n"
                                "  case $word in\n"
                                "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                                "  *) if [ -n \"$inputs\" ]; then\n"
                                "       COMPREPLY=($(compgen -W \"$inputs\" -- \"$word\"))\n"
                                "     else\n"
                                "       COMPREPLY=($(compgen -f -- \"$word\"))\n"
                                "     fi ;;\n"
                                "  esac\n}\n"
                                "complete -o filenames -F _warpbound warpbound\n";

static void write_bash(struct wb_text *text)
{
  static const struct completion forms[COMPLETED_COUNT] = {
      [COMPLETED_NOTHING] = {"COMPREPLY=()", NULL},
      [COMPLETED_WORDS] = {"COMPREPLY=($(compgen -W '", "' -- \"$word\"))"},
      [COMPLETED_FILES] = {"COMPREPLY=($(compgen -f -- \"$word\"))", NULL},
      [COMPLETED_DEVICES] = {"_warpbound_devices", NULL},
      [COMPLETED_KERNELS] = {"COMPREPLY=(); _warpbound_kernels \"$word\"", NULL},
  };
  size_t count;
  const struct command_row *commands = command_rows(&count);
  write_script(bash_head, text);
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (option_rows[o].argument == NULL)
      continue;
    wb_text_string(text, "  ");
    write_spellings(&option_rows[o], " | ", text);
    wb_text_string(text, ") ");
    write_value(forms, (enum option)o, text);
    wb_text_string(text, "; return ;;\n");
  }
  wb_text_string(text, "  esac\n  case ${COMP_WORDS[1]} in\n");
  /* The options of a command, and the words that its input is one of; files where none are
   * written. */
  for (size_t c = 0; c < count; c++) {
    const char *separator = "";
    wb_text_format(text, "  %s) options='", command_name(commands[c].bit));
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (!(option_rows[o].commands & commands[c].bit))
        continue;
      wb_text_format(text, "%s--%s", separator, option_rows[o].name);
      separator = " ";
    }
    wb_text_format(text, "' inputs=\"%s\" ;;\n",
                   commands[c].bit == COMMAND_COMPLETION ? "bash zsh fish"
                   : commands[c].bit == COMMAND_DEVICES  ? "$devices"
                                                         : "");
  }
  wb_text_string(text, bash_tail);
}

/* ---- zsh ---- */

/* What _arguments takes of each spelling of an option. */
static void write_zsh_option(enum option option, struct wb_text *text)
{
  static const struct completion forms[COMPLETED_COUNT] = {
      [COMPLETED_NOTHING] = {": ", NULL},
      [COMPLETED_WORDS] = {":(", ")"},
      [COMPLETED_FILES] = {":_files", NULL},
      [COMPLETED_DEVICES] = {":_warpbound_sm", NULL},
      [COMPLETED_KERNELS] = {":_warpbound_kernels", NULL},
  };
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
      write_value(forms, option, text);
    }
    wb_text_string(text, "' \\\n");
  }
}

static void write_zsh(struct wb_text *text)
{
  static const char head[] =
      "#compdef warpbound\n"
      "# Completion of warpbound for zsh; written by 'warpbound completion zsh'.\n"
      "_warpbound_devices()\n{\n  compadd - {{devices}}\n}\n_warpbound_sm()\n{\n"
      "  if [[ $command == analyze ]]; then compadd - {{launch devices}}; else "
      "_warpbound_devices; fi\n  _files\n}\n"
      "_warpbound_kernels()\n{\n"
      "  local at file= name\n"
      "  for ((at = 2; at <= $#words; at++)); do\n"
      "    (( at != CURRENT )) || continue\n"
      "    case $words[at-1] in\n    {{valued cases}}) continue ;;\n    esac\n"
      "    name=${(Q)words[at]/#\\~\\//$HOME/}\n"
      "    [[ ! -f $name ]] || file=$name\n"
      "  done\n"
      "  [[ -n $file ]] || return 1\n"
      "  compadd - ${(f)\"$($program kernels --names -- $file 2>/dev/null)\"}\n"
      "}\n"
      "_warpbound()\n{\n"
      "  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
      "    local -a commands\n    commands=(\n";
  size_t count;
  const struct command_row *commands = command_rows(&count);
  write_script(head, text);
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "      '%s:", command_name(commands[c].bit));
    write_quoted(commands[c].summary, "", "'\\''", text);
    wb_text_string(text, "'\n");
  }
  wb_text_string(text, "      'help:the list of commands, or the help of one'\n    )\n"
                       "    _describe command commands\n    return\n  fi\n"
                       "  local program=${(Q)words[1]/#\\~\\//$HOME/} command=$words[2]\n"
                       "  shift words\n  (( CURRENT-- ))\n"
                       "  case $command in\n");
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "  %s)\n    _arguments -s \\\n", command_name(commands[c].bit));
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (option_rows[o].commands & commands[c].bit)
        write_zsh_option((enum option)o, text);
    }
    wb_text_format(text, "      '1:%s'\n    ;;\n",
                   commands[c].bit == COMMAND_DEVICES      ? "device:_warpbound_devices"
                   : commands[c].bit == COMMAND_COMPLETION ? "shell:(bash zsh fish)"
                                                           : "input:_files");
  }
  wb_text_string(text, "  esac\n}\n_warpbound \"$@\"\n");
}

/* ---- fish ---- */

static void write_fish_option(const struct command_row *command, enum option option,
                              struct wb_text *text)
{
  static const struct completion forms[COMPLETED_COUNT] = {
      [COMPLETED_NOTHING] = {" -x", NULL},
      [COMPLETED_WORDS] = {" -x -a '", "'"},
      [COMPLETED_FILES] = {" -r -F", NULL},
      [COMPLETED_DEVICES] = {" -r -F -a '{{devices}}'", NULL},
      [COMPLETED_KERNELS] = {" -x -a '(__warpbound_kernels)'", NULL},
  };
  const struct option_row *row = &option_rows[option];
  wb_text_format(text, "complete -c warpbound -n '__fish_seen_subcommand_from %s' -l %s",
                 command_name(command->bit), row->name);
  if (row->letter != '\0')
    wb_text_format(text, " -s %c", row->letter);
  if (option == OPTION_SM && command->bit == COMMAND_ANALYZE)
    write_script(" -r -F -a '{{launch devices}}'", text);
  else if (row->argument != NULL)
    write_value(forms, option, text);
  wb_text_string(text, " -d '");
  write_quoted(row->help, "\\", "\\'", text);
  wb_text_string(text, "'\n");
}

static void write_fish(struct wb_text *text)
{
  static const char head[] =
      "# Completion of warpbound for fish; written by 'warpbound completion fish'.\n"
      "function __warpbound_kernels\n"
      "    set -l words (commandline -op)\n"
      "    set -l file\n"
      "    for at in (seq 3 (count $words))\n"
      "        contains -- $words[(math $at - 1)] {{valued words}}\n        and continue\n"
      "        set -l name (string replace -r '^~/' $HOME/ -- $words[$at])\n"
      "        test -f \"$name\"; and set file $name\n"
      "    end\n"
      "    test -n \"$file\"\n"
      "    and command $words[1] kernels --names -- $file 2>/dev/null\n"
      "end\n";
  /* Commands, and inputs that are words. */
  static const char words[] =
      "complete -c warpbound -f -n __fish_use_subcommand -a help -d 'the list of "
      "commands, or the help of one'\n"
      "complete -c warpbound -f -n '__fish_seen_subcommand_from help' -a '{{commands}}'\n"
      "complete -c warpbound -f -n '__fish_seen_subcommand_from completion' "
      "-a 'bash zsh fish'\n"
      "complete -c warpbound -f -n '__fish_seen_subcommand_from devices' -a '{{devices}}'\n";
  size_t count;
  const struct command_row *commands = command_rows(&count);
  write_script(head, text);
  for (size_t c = 0; c < count; c++) {
    wb_text_format(text, "complete -c warpbound -f -n __fish_use_subcommand -a %s -d '",
                   command_name(commands[c].bit));
    write_quoted(commands[c].summary, "\\", "\\'", text);
    wb_text_string(text, "'\n");
  }
  write_script(words, text);
  for (size_t c = 0; c < count; c++) {
    for (int o = 0; o < OPTION_COUNT; o++) {
      if (option_rows[o].commands & commands[c].bit)
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
