/* The table of options, the names of the commands, and the values of a command line. */
#include "cli/options/options.h"

#include "base/text/nearest.h"
#include "formats/samples/samples_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAKESPAN_LIKE (COMMAND_MAKESPAN | COMMAND_SIMULATE | COMMAND_ILP)
#define INTEGER (COMMAND_ILP | COMMAND_MAKESPAN)
#define FROM_KERNEL (MAKESPAN_LIKE | COMMAND_STRING)
#define GRAPHS (COMMAND_CFG | COMMAND_WCET)
#define FROM_SASS (GRAPHS | COMMAND_RUN | COMMAND_ANALYZE | COMMAND_HYBRID)
#define WORST_PATH (FROM_KERNEL | COMMAND_WCET | COMMAND_ANALYZE | COMMAND_HYBRID)
#define SEARCHES (MAKESPAN_LIKE | COMMAND_VERIFY)
#define LONG_WORK (SEARCHES | GRAPHS | COMMAND_ANALYZE | COMMAND_HYBRID)
#define OF_PROJECT (COMMAND_CHECK | COMMAND_MERGE)
#define TIMED (LONG_WORK | COMMAND_EVT | COMMAND_CHECK)
#define HAS_ANSWER                                                                                 \
  (FROM_KERNEL | FROM_SASS | COMMAND_VERIFY | COMMAND_EVT | COMMAND_COMPARE | OF_PROJECT)
#define ANY                                                                                        \
  (FROM_KERNEL | FROM_SASS | TIMED | COMMAND_DEVICES | COMMAND_KERNELS | COMMAND_COMPARE |         \
   OF_PROJECT)
#define EVERY ALL_COMMANDS

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION(name, ...) [OPTION_##name] = {__VA_ARGS__},
#include "cli/options/option_rows.def"
#undef OPTION
};

/* All commands, in the order in which help lists them. */
static const struct {
  enum command bit;
  const char *name;
} names[] = {
    {COMMAND_ANALYZE, "analyze"},   {COMMAND_CHECK, "check"},
    {COMMAND_INIT, "init"},         {COMMAND_KERNELS, "kernels"},
    {COMMAND_COMPARE, "compare"},   {COMMAND_MERGE, "merge"},
    {COMMAND_WCET, "wcet"},         {COMMAND_MAKESPAN, "makespan"},
    {COMMAND_SIMULATE, "simulate"}, {COMMAND_ILP, "ilp"},
    {COMMAND_STRING, "string"},     {COMMAND_CFG, "cfg"},
    {COMMAND_RUN, "run"},           {COMMAND_EVT, "evt"},
    {COMMAND_HYBRID, "hybrid"},     {COMMAND_INSTRUMENT, "instrument"},
    {COMMAND_VERIFY, "verify"},     {COMMAND_DISASSEMBLE, "disassemble"},
    {COMMAND_DEVICES, "devices"},   {COMMAND_COMPLETION, "completion"},
};

const char *command_name(unsigned bit)
{
  size_t i = 0;
  while (names[i].bit != bit)
    i++;
  return names[i].name;
}

/* A part of a text. */
struct part {
  const char *text;
  size_t length;
};

static bool read_number(struct part part, uint64_t *number)
{
  const bool hexadecimal = part.length > 2 && part.text[0] == '0' && (part.text[1] | 32) == 'x';
  const char *digits = part.text + (hexadecimal ? 2 : 0);
  const char *known = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  const size_t length = strspn(digits, known);
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return length > 0 && digits + length == part.text + part.length && errno == 0;
}

static bool are_same(struct part a, struct part b)
{
  uint64_t first;
  uint64_t second;
  if (a.length == b.length && memcmp(a.text, b.text, a.length) == 0)
    return true;
  return read_number(a, &first) && read_number(b, &second) && first == second;
}

/* Splits a text at its first '='; the place of a text without one is empty. */
static void split(const char *text, struct part *place, struct part *value)
{
  const char *equals = strchr(text, '=');
  *place = (struct part){text, equals != NULL ? (size_t)(equals - text) : 0};
  value->text = equals != NULL ? equals + 1 : text;
  value->length = strlen(value->text);
}

/* ---- sets of addresses ---- */

/* Splits the next number off a list with commas; false at its end. */
static bool next_item(struct part *list, struct part *item)
{
  if (list->text == NULL)
    return false;
  const char *comma = memchr(list->text, ',', list->length);
  *item = (struct part){list->text, comma != NULL ? (size_t)(comma - list->text) : list->length};
  list->length -= comma != NULL ? item->length + 1 : list->length;
  list->text = comma != NULL ? comma + 1 : NULL;
  return true;
}

/* Whether the first list has no item that the second has not. */
static bool is_within(struct part list, struct part other)
{
  struct part item;
  bool within = true;
  while (within && next_item(&list, &item)) {
    struct part rest = other;
    struct part candidate;
    within = false;
    while (!within && next_item(&rest, &candidate))
      within = are_same(item, candidate);
  }
  return within;
}

/* Splits KERNEL:ADDRESS at its last ':'. */
static struct part split_kernel(struct part *place)
{
  for (size_t i = place->length; i > 0; i--) {
    if (place->text[i - 1] != ':')
      continue;
    const struct part kernel = {place->text, i - 1};
    *place = (struct part){place->text + i, place->length - i};
    return kernel;
  }
  return (struct part){place->text, 0};
}

enum value_match values_compare(enum value_places places, const char *a, const char *b)
{
  struct part first;
  struct part second;
  struct part value;
  struct part other;
  if (places == PLACES_NONE)
    return VALUES_APART;
  split(a, &first, &value);
  split(b, &second, &other);
  /* A value that names no kernel is of all. */
  if (places == PLACES_TARGETS) {
    const struct part kernel = split_kernel(&first);
    const struct part with = split_kernel(&second);
    if (kernel.length > 0 && with.length > 0 && !are_same(kernel, with))
      return VALUES_APART;
  }
  if (!are_same(first, second))
    return VALUES_APART;
  const bool same = places == PLACES_TARGETS ? is_within(value, other) && is_within(other, value)
                                             : are_same(value, other);
  return same ? VALUES_EQUAL : VALUES_DIFFER;
}

/* A command with more options shows them in groups. */
#define MOST_UNGROUPED 10

/* The option of a long name of `length` characters, or OPTION_COUNT. */
static enum option find_long(unsigned command, const char *name, size_t length)
{
  for (int o = 0; o < OPTION_COUNT; o++) {
    if ((option_rows[o].commands & command) && strlen(option_rows[o].name) == length &&
        strncmp(option_rows[o].name, name, length) == 0)
      return (enum option)o;
  }
  return OPTION_COUNT;
}

/* An option that the command has not: another command's, or one that nobody has. */
static warpbound_status unknown(unsigned command, const char *word, size_t length,
                                warpbound_error *error)
{
  char name[64];
  char hint[WB_HINT_SIZE];
  struct wb_text text = {0};
  const char *of = command_name(command);
  snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
  struct wb_nearest nearest = wb_nearest_start(name);
  for (int o = 0; o < OPTION_COUNT; o++) {
    if (option_rows[o].commands & command)
      wb_nearest_offer(&nearest, option_rows[o].name);
  }
  enum option elsewhere = find_long(ALL_COMMANDS, word, length);
  wb_text_format(&text, "unknown option '--%s'%s", name, wb_nearest_hint(&nearest, "--", hint));
  if (nearest.best == NULL && elsewhere != OPTION_COUNT) {
    wb_text_string(&text, "; it is an option of ");
    /* The commands that have an option, as words: "makespan, simulate and ilp". */
    const size_t count = sizeof names / sizeof *names;
    size_t left = 0;
    for (size_t c = 0; c < count; c++)
      left += (option_rows[elsewhere].commands & names[c].bit) != 0;
    bool first = true;
    for (size_t c = 0; c < count; c++) {
      if (!(option_rows[elsewhere].commands & names[c].bit))
        continue;
      wb_text_format(&text, "%s%s", first ? "" : left > 1 ? ", " : " and ", names[c].name);
      first = false;
      left--;
    }
  }
  warpbound_status status =
      text.failed ? wb_out_of_memory(error)
                  : wb_fail(error, WARPBOUND_USAGE, "%s; 'warpbound help %s' lists those of %s",
                            text.data, of, of);
  wb_text_free(&text);
  return status;
}

/* Refuses two values of one place; both are of the command line, or both of a file. */
static warpbound_status refuse_two(enum option option, const char *one, const char *other,
                                   warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected one value%s, found '%.60s' and '%.60s'",
                 option_rows[option].name, option_rows[option].repeatable ? " for a place" : "",
                 one, other);
}

/* Compares a value with those of the option from `from` on, of a single one with that: *match, and
 * *other where they are of one place. */
static void compare_with(const struct arguments *arguments, enum option option, const char *value,
                         size_t from, size_t to, enum value_match *match, const char **other)
{
  const struct wb_list *given = &arguments->repeated[option];
  *match = VALUES_APART;
  for (size_t i = from; i < to && *match == VALUES_APART; i++) {
    *match = values_compare(option_rows[option].places, given->items[i], value);
    *other = given->items[i];
  }
}

static warpbound_status store(struct arguments *arguments, enum option option, const char *value,
                              warpbound_error *error)
{
  struct wb_list *given = &arguments->repeated[option];
  enum value_match match;
  const char *other = arguments->value[option];
  if (!option_rows[option].repeatable) {
    if (other != NULL && strcmp(other, value) != 0)
      return refuse_two(option, other, value, error);
    arguments->value[option] = value;
    return WARPBOUND_OK;
  }
  compare_with(arguments, option, value, arguments->from_file[option], given->count, &match,
               &other);
  if (match == VALUES_DIFFER)
    return refuse_two(option, other, value, error);
  wb_list_add(given, "%s", value);
  return given->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* A word that is no option. */
static warpbound_status take_input(struct arguments *arguments, unsigned command, const char *word,
                                   warpbound_error *error)
{
  const bool second = command == COMMAND_COMPARE;
  if (command == COMMAND_MERGE) {
    wb_list_add(&arguments->inputs, "%s", word);
    return arguments->inputs.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  }
  if (arguments->input == NULL) {
    arguments->input = word;
  } else if (second && arguments->second_input == NULL) {
    arguments->second_input = word;
  } else {
    return wb_fail(error, WARPBOUND_USAGE, "expected %s, found '%.60s' and '%.60s'",
                   second ? "two inputs" : "one input",
                   second ? arguments->second_input : arguments->input, word);
  }
  return WARPBOUND_OK;
}

warpbound_status arguments_parse(struct arguments *arguments, unsigned command, int count,
                                 char **words, warpbound_error *error)
{
  bool only_inputs = false; /* after "--" */
  warpbound_status status = WARPBOUND_OK;
  *arguments = (struct arguments){.words = words, .word_count = count};
  for (int at = 0; at < count && status == WARPBOUND_OK; at++) {
    const char *word = words[at];
    if (!only_inputs && strcmp(word, "--") == 0) {
      only_inputs = true;
      continue;
    }
    if (only_inputs || word[0] != '-' || word[1] == '\0') {
      status = take_input(arguments, command, word, error);
      continue;
    }
    /* --NAME, --NAME=VALUE, -N or -NVALUE. */
    enum option option = OPTION_COUNT;
    const char *joined = word[2] != '\0' ? word + 2 : NULL;
    if (word[1] == '-') {
      const size_t length = strcspn(word + 2, "=");
      option = find_long(command, word + 2, length);
      joined = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
      if (option == OPTION_COUNT)
        return unknown(command, word + 2, length, error);
    }
    for (int o = 0; o < OPTION_COUNT && option == OPTION_COUNT; o++) {
      if ((option_rows[o].commands & command) && option_rows[o].letter == word[1])
        option = (enum option)o;
    }
    if (option == OPTION_COUNT)
      return wb_fail(error, WARPBOUND_USAGE,
                     "unknown option '-%c'; 'warpbound help %s' lists those of %s", word[1],
                     command_name(command), command_name(command));
    const struct option_row *row = &option_rows[option];
    if (row->argument == NULL && joined != NULL)
      return wb_fail(error, WARPBOUND_USAGE, "--%s takes no value, found '%.60s'", row->name,
                     joined);
    if (row->argument == NULL)
      joined = "";
    else if (joined == NULL && at + 1 >= count)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a value (%s)", row->name,
                     row->argument);
    status = store(arguments, option, joined != NULL ? joined : words[++at], error);
  }
  return status;
}

enum option arguments_first_given(const struct arguments *arguments, const enum option *options,
                                  size_t count)
{
  for (size_t o = 0; o < count; o++) {
    if (arguments->value[options[o]] != NULL || arguments->repeated[options[o]].count > 0)
      return options[o];
  }
  return OPTION_COUNT;
}

enum option option_of_key(const char *key)
{
  char dashed[32];
  size_t length = strlen(key);
  if (length >= sizeof dashed)
    return OPTION_COUNT;
  for (size_t i = 0; i <= length; i++)
    dashed[i] = key[i] == '_' ? '-' : key[i];
  enum option option = find_long(INSTANCE_COMMANDS, dashed, length);
  return option == OPTION_HELP ? OPTION_COUNT : option;
}

const char *arguments_keep(struct arguments *arguments, const char *text)
{
  return wb_arena_text(&arguments->owned, text, strlen(text));
}

void arguments_note_kept(const struct arguments *arguments, enum option option, const char *typed,
                         const char *found, const char *place)
{
  if (arguments->notes != NULL && strcmp(typed, found) != 0)
    wb_list_add(arguments->notes, "--%s %.100s of the command line in place of '%.100s' of %.200s",
                option_rows[option].name, typed, found, place);
}

warpbound_status arguments_set_default(struct arguments *arguments, unsigned command,
                                       enum option option, const char *key, const char *text,
                                       warpbound_error *error)
{
  const struct wb_list *given = &arguments->repeated[option];
  const bool first = arguments->key[option] == NULL;
  const char *typed = arguments->value[option];
  if (!(option_rows[option].commands & command))
    return WARPBOUND_OK;
  /* What the command line says of the same place stands. */
  enum value_match match = typed != NULL && first ? VALUES_DIFFER : VALUES_APART;
  if (option_rows[option].repeatable)
    compare_with(arguments, option, text, 0, first ? given->count : arguments->from_file[option],
                 &match, &typed);
  if (match == VALUES_DIFFER)
    arguments_note_kept(arguments, option, typed, text, arguments->instance);
  if (match != VALUES_APART)
    return WARPBOUND_OK;
  if (option_rows[option].repeatable && first)
    arguments->from_file[option] = given->count;
  if (first)
    arguments->key[option] = arguments_keep(arguments, key);
  const char *kept = arguments_keep(arguments, text);
  if (arguments->key[option] == NULL || kept == NULL)
    return wb_out_of_memory(error);
  const warpbound_status status = store(arguments, option, kept, error);
  if (status == WARPBOUND_USAGE)
    arguments_blame(arguments, option, arguments->from_file[option], error);
  return status == WARPBOUND_USAGE ? error->status : status;
}

void arguments_blame(const struct arguments *arguments, enum option option, size_t index,
                     warpbound_error *error)
{
  const char *key = arguments->key[option];
  bool typed =
      key == NULL || (option_rows[option].repeatable && index < arguments->from_file[option]);
  if (typed || error->status != WARPBOUND_USAGE)
    return;
  warpbound_error cause = *error;
  const char *name = option_rows[option].name;
  bool named =
      strncmp(cause.message, "--", 2) == 0 && strncmp(cause.message + 2, name, strlen(name)) == 0;
  wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0, "%s%s%s", key,
             named ? "" : ": ", named ? cause.message + 2 + strlen(name) : cause.message);
}

/* Whether all options that a message names and that were given come from the file. */
static bool all_from_file(const struct arguments *arguments, const char *message)
{
  bool any = false;
  for (const char *at = strstr(message, "--"); at != NULL; at = strstr(at + 2, "--")) {
    enum option option =
        find_long(ALL_COMMANDS, at + 2, strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-"));
    if (option == OPTION_COUNT || arguments->value[option] == NULL)
      continue;
    if (arguments->key[option] == NULL)
      return false;
    any = true;
  }
  return any;
}

void arguments_blame_named(const struct arguments *arguments, warpbound_error *error)
{
  const warpbound_error cause = *error;
  const char *message = cause.message;
  if (error->status != WARPBOUND_USAGE || arguments->instance == NULL)
    return;
  /* A message about one option begins with "--NAME: " or "--NAME, PART: "; "--schedule, --gantt and
   * --draw need" is about no single one. */
  enum option option = OPTION_COUNT;
  if (strncmp(message, "--", 2) == 0) {
    const size_t length = strcspn(message + 2, " :,");
    const char *next = message + 2 + length;
    if (*next == ':' || (next[0] == ',' && next[1] == ' ' && next[2] != '-'))
      option = find_long(ALL_COMMANDS, message + 2, length);
  }
  if (option != OPTION_COUNT && !option_rows[option].repeatable)
    arguments_blame(arguments, option, 0, error);
  else if (all_from_file(arguments, message))
    wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->instance, 0, 0, "%s", message);
}

void arguments_free(struct arguments *arguments)
{
  for (int o = 0; o < OPTION_COUNT; o++)
    wb_list_free(&arguments->repeated[o]);
  wb_list_free(&arguments->inputs);
  wb_arena_free(&arguments->owned);
}

const char *arguments_keep_path(struct arguments *arguments, const char *file, const char *path)
{
  const char *slash = strrchr(file, '/');
  struct wb_text text = {0};
  if (path[0] != '/' && slash != NULL)
    wb_text_append(&text, file, (size_t)(slash - file) + 1);
  wb_text_string(&text, path);
  const char *kept = text.failed ? NULL : arguments_keep(arguments, text.data);
  wb_text_free(&text);
  return kept;
}

warpbound_status arguments_resolve_path(struct arguments *arguments, enum option option,
                                        warpbound_error *error)
{
  if (arguments->key[option] == NULL || arguments->value[option] == NULL)
    return WARPBOUND_OK;
  const char *kept = arguments_keep_path(arguments, arguments->instance, arguments->value[option]);
  if (kept == NULL)
    return wb_out_of_memory(error);
  arguments->value[option] = kept;
  return WARPBOUND_OK;
}

void options_help(unsigned command, struct wb_text *text)
{
  static const char *const titles[GROUP_COUNT] = {
      [GROUP_QUESTION] = "question",
      [GROUP_MACHINE] = "machine",
      [GROUP_METHOD] = "method and limits",
      [GROUP_ANNEALING] = "annealing",
      [GROUP_INTEGER] = "integer program",
      [GROUP_KERNEL] = "kernel files",
      [GROUP_LOOPS] = "loops",
      [GROUP_FILES] = "files to write",
      [GROUP_OUTPUT] = "output",
  };
  size_t count = 0;
  for (int o = 0; o < OPTION_COUNT; o++)
    count += (option_rows[o].commands & command) != 0;
  for (int g = 0; g < GROUP_COUNT; g++) {
    bool titled = count <= MOST_UNGROUPED;
    for (int o = 0; o < OPTION_COUNT; o++) {
      const struct option_row *row = &option_rows[o];
      if (!(row->commands & command) || row->group != (enum option_group)g)
        continue;
      if (!titled)
        wb_text_format(text, "\n %s\n", titles[g]);
      titled = true;
      char left[48];
      char letter[8] = "   ";
      if (row->letter != '\0')
        snprintf(letter, sizeof letter, "-%c,", row->letter);
      snprintf(left, sizeof left, "%s --%s%s%s", letter, row->name,
               row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
      wb_text_format(text, "  %-29s %s\n", left, row->help);
    }
  }
}

/* ---- values ---- */

warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *words, int *value, warpbound_error *error)
{
  char prefix[64];
  snprintf(prefix, sizeof prefix, "--%s: ", option_rows[option].name);
  return arguments->value[option] != NULL
             ? wb_choice_read(words, prefix, arguments->value[option], value, error)
             : WARPBOUND_OK;
}

const char *number_read(const char *at, uint64_t most, uint64_t *number)
{
  const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char *digits = hexadecimal ? at + 2 : at;
  const size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  if (length == 0 || length > 20)
    return NULL;
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return errno == 0 && *number <= most ? digits + length : NULL;
}

/* A whole number with one of the suffixes, powers of 1024, or none. */
static bool read_scaled(const char *text, const char *suffixes, uint64_t least, uint64_t most,
                        uint64_t *number)
{
  errno = 0;
  char *end;
  const unsigned long long digits = strtoull(text, &end, 10);
  const char *suffix = *end != '\0' ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
  const unsigned shift = suffix != NULL ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
  *number = (uint64_t)digits << shift;
  return *text >= '0' && *text <= '9' && end[suffix != NULL] == '\0' && errno == 0 &&
         digits <= (UINT64_MAX >> shift) && *number >= least && *number <= most;
}

bool whole_read(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
  return read_scaled(text, "", least, most, number);
}

static bool read_sizes(const char *at, uint32_t size[3])
{
  size[0] = size[1] = size[2] = 1;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t number = 0;
    at = number_read(at, INT32_MAX, &number);
    size[axis] = (uint32_t)number;
    if (at == NULL || number == 0 || (*at != '\0' && *at != ','))
      return false;
    if (*at++ == '\0')
      return true;
  }
  return false;
}

/* Stores a number in a member of a bool, an enumeration or an unsigned type. */
static void store_number(const struct option_member *member, uint64_t number, void *at)
{
  const uint32_t narrow = (uint32_t)number;
  const bool truth = number != 0;
  _Static_assert(sizeof(bool) == 1 && sizeof(enum option) == sizeof narrow, "sizes of members");
  memcpy(at,
         member->size == sizeof truth    ? (const void *)&truth
         : member->size == sizeof narrow ? (const void *)&narrow
                                         : (const void *)&number,
         member->size);
}

/* Reads the value of an option that is there. */
static warpbound_status read_value(const struct option_member *member, const char *text, void *at,
                                   warpbound_error *error)
{
  const char *name = option_rows[member->option].name;
  const size_t length = strlen(text);
  uint64_t number = 0;
  double real = 0;
  char *end;
  switch (member->type) {
  case VALUE_WHOLE:
    if (!whole_read(text, member->least, member->most, &number))
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", found '%.60s'",
                     name, member->least, member->most, text);
    store_number(member, number, at);
    return WARPBOUND_OK;
  case VALUE_BYTES:
    if (!read_scaled(text, "KMGT", member->least, member->most, &number))
      break;
    store_number(member, number, at);
    return WARPBOUND_OK;
  case VALUE_POSITIVE:
    /* strtod reads hexadecimal, signs and names as well. */
    real = strtod(text, &end);
    if (!(text[strspn(text, "0123456789.eE+-")] == '\0' && *text != '+' && *text != '-' &&
          end != text && *end == '\0' && isfinite(real) && real > 0))
      break;
    memcpy(at, &real, sizeof real);
    return WARPBOUND_OK;
  case VALUE_FRACTION:
    if (length == 0 || wb_number_read(text, length, &real) != length || real < member->low ||
        real > member->high)
      return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a number from %g to %g, found '%.60s'",
                     name, member->low, member->high, text);
    memcpy(at, &real, sizeof real);
    return WARPBOUND_OK;
  default:
    return read_sizes(text, at)
               ? WARPBOUND_OK
               : wb_fail(error, WARPBOUND_USAGE,
                         "--%s: expected X, X,Y or X,Y,Z above 0 and below 2^31, found '%.60s'",
                         name, text);
  }
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected %s, found '%.60s'", name, member->expected,
                 text);
}

warpbound_status option_members_read(const struct arguments *arguments,
                                     const struct option_member *members, size_t count, void *into,
                                     warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (size_t m = 0; m < count && status == WARPBOUND_OK; m++) {
    const struct option_member *member = &members[m];
    const char *text = arguments->value[member->option];
    void *at = (char *)into + member->offset;
    int word = 0;
    if (member->type == VALUE_TEXT) {
      memcpy(at, &text, sizeof text);
    } else if (member->type == VALUE_GIVEN) {
      store_number(member, text != NULL, at);
    } else if (text != NULL && member->type == VALUE_WORD) {
      status = word_read(arguments, member->option, member->words, &word, error);
      store_number(member, (uint64_t)word, at);
    } else if (text != NULL) {
      status = read_value(member, text, at, error);
    }
  }
  return status;
}
