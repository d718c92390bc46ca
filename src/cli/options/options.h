/* Command-line options: one table from which parser, instance files, help and completion follow. */
#ifndef WB_CLI_OPTIONS_OPTIONS_H
#define WB_CLI_OPTIONS_OPTIONS_H

#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the values of an option look like. */
enum value_places {
  PLACES_NONE,   /* each value counts by itself */
  PLACES_NAMED,  /* NAME=VALUE; without a name a value of all */
  PLACES_TARGETS /* [KERNEL:]ADDRESS=A,B,C, a set of addresses */
};

enum value_match {
  VALUES_APART, /* of two places */
  VALUES_EQUAL, /* the same of one place */
  VALUES_DIFFER /* something else of one place */
};

/* How two values of such an option stand to each other. Numbers are compared as numbers, decimal or
 * hexadecimal after 0x. */
enum value_match values_compare(enum value_places places, const char *a, const char *b);

/* The commands, as bits of the sets in which an option is known. */
enum command {
  COMMAND_STRING = 1 << 0,
  COMMAND_MAKESPAN = 1 << 1,
  COMMAND_SIMULATE = 1 << 2,
  COMMAND_VERIFY = 1 << 3,
  COMMAND_DEVICES = 1 << 4,
  COMMAND_ILP = 1 << 5,
  COMMAND_CFG = 1 << 6,
  COMMAND_RUN = 1 << 7,
  COMMAND_WCET = 1 << 8,
  COMMAND_KERNELS = 1 << 9,
  COMMAND_DISASSEMBLE = 1 << 10,
  COMMAND_ANALYZE = 1 << 11,
  COMMAND_EVT = 1 << 12,
  COMMAND_HYBRID = 1 << 13,
  COMMAND_INSTRUMENT = 1 << 14,
  COMMAND_COMPLETION = 1 << 15,
  COMMAND_COMPARE = 1 << 16,
  COMMAND_CHECK = 1 << 17,
  COMMAND_MERGE = 1 << 18,
  COMMAND_INIT = 1 << 19
};

/* The name of the command with a bit. */
const char *command_name(unsigned bit);

#define ALL_COMMANDS (~0U)
/* Those that may read an instance file, or whose options one may have. */
#define INSTANCE_COMMANDS                                                                          \
  (ALL_COMMANDS &                                                                                  \
   ~(unsigned)(COMMAND_EVT | COMMAND_DISASSEMBLE | COMMAND_INSTRUMENT | COMMAND_COMPLETION |       \
               COMMAND_COMPARE | COMMAND_MERGE | COMMAND_INIT))

/* OPTION_WARPS and so on, in the order of the rows. */
enum option {
#define OPTION(name, ...) OPTION_##name,
#include "cli/options/option_rows.def"
#undef OPTION
  OPTION_COUNT
};

/* The groups of the help, in its order. Every option of GROUP_FILES names a file to write. */
enum option_group {
  GROUP_QUESTION,
  GROUP_MACHINE,
  GROUP_METHOD,
  GROUP_ANNEALING,
  GROUP_INTEGER,
  GROUP_KERNEL,
  GROUP_LOOPS,
  GROUP_FILES,
  GROUP_OUTPUT,
  GROUP_COUNT
};

/* A row of the table. Texts are static. */
struct option_row {
  const char *name;
  char letter;          /* '\0': none */
  const char *argument; /* the word of the help for the option's value; NULL for a flag */
  bool repeatable;      /* every value counts, in order; otherwise there is one */
  unsigned commands;    /* that know it, as bits */
  const char *help;
  enum option_group group;
  const char *values;       /* for completion: the words that the value can be, with blanks between;
                               NULL where these are not few */
  enum value_places places; /* of a repeatable option: what each place has one value of */
};

/* The values of the options and their origin. Texts of the command line are borrowed, those of an
 * instance file belong to `owned`. */
struct arguments {
  const char *value[OPTION_COUNT];       /* NULL where absent; "" for a flag that was given */
  struct wb_list repeated[OPTION_COUNT]; /* values of repeatable options, in order */
  const char *key[OPTION_COUNT];         /* the instance file's key that gave it; NULL: the command
                                            line */
  size_t from_file[OPTION_COUNT];        /* of a repeatable option: the first value that is the
                                            file's */
  const char *instance;                  /* the name of the instance file, or NULL */
  const char *input;                     /* the positional argument, or NULL */
  const char *second_input;              /* of COMMAND_COMPARE, or NULL */
  struct wb_list inputs;                 /* of COMMAND_MERGE */
  char **words;                          /* of the command line behind the command; borrowed */
  int word_count;
  struct wb_list *notes; /* what of a file the command line replaces; borrowed, NULL: not asked */
  struct wb_arena owned;
};

extern const struct option_row option_rows[OPTION_COUNT];

/* The first of some options that was given; OPTION_COUNT where none was. */
enum option arguments_first_given(const struct arguments *arguments, const enum option *options,
                                  size_t count);

/* Parses the words after the command's name. Errors: WARPBOUND_USAGE, with the
 * options that the command has where one is unknown; where an option, or a place of one, is given
 * two values. */
warpbound_status arguments_parse(struct arguments *arguments, unsigned command, int count,
                                 char **words, warpbound_error *error);

/* The option that a key of an instance file means: its long name, '_' for '-' allowed;
 * of any command, since a file may serve several. OPTION_COUNT where there is none. */
enum option option_of_key(const char *key);

/* Sets an option from the instance file's `key`, unless the command line has set it, which is
 * noted, or the command has no such option; a repeatable option gets one value more, unless the
 * command line has one of that place. The texts are copied. Errors: WARPBOUND_INVALID_INPUT (the
 * file gives a place two values), WARPBOUND_INTERNAL. */
warpbound_status arguments_set_default(struct arguments *arguments, unsigned command,
                                       enum option option, const char *key, const char *text,
                                       warpbound_error *error);
/* Notes that a value of the command line stands in place of another one, which `place` has. */
void arguments_note_kept(const struct arguments *arguments, enum option option, const char *typed,
                         const char *found, const char *place);
/* A copy of a text that lives as long as the arguments; NULL where memory is out. */
const char *arguments_keep(struct arguments *arguments, const char *text);
void arguments_free(struct arguments *arguments);

/* `path`, which stands in `file`, as the program opens it: relative to the folder of `file`. Kept
 * with the arguments; NULL where memory is out. */
const char *arguments_keep_path(struct arguments *arguments, const char *file, const char *path);
/* The same of the value of an option, where the instance file gave it. Errors:
 * WARPBOUND_INTERNAL. */
warpbound_status arguments_resolve_path(struct arguments *arguments, enum option option,
                                        warpbound_error *error);

/* Wrong usage on the command line is invalid input in a file. Makes of an error
 * with WARPBOUND_USAGE about an option (about its value `index` where repeatable), if
 * the instance file has that value, one with WARPBOUND_INVALID_INPUT that names file and
 * key. Messages about an option begin with "--NAME" or do not name it. Other errors
 * stay as they are. */
void arguments_blame(const struct arguments *arguments, enum option option, size_t index,
                     warpbound_error *error);
/* The same for the options that the message is about: one, not repeatable, that it
 * begins with, as "--NAME: " or "--NAME, PART: "; or all that it names. */
void arguments_blame_named(const struct arguments *arguments, warpbound_error *error);

/* One line an option of the command; of a command with many, in groups with titles. */
void options_help(unsigned command, struct wb_text *text);

/* The type of a member that an option's value goes to. */
enum value_type {
  VALUE_GIVEN,    /* bool: whether the option is there */
  VALUE_TEXT,     /* const char *, NULL where the option is absent; borrowed */
  VALUE_WORD,     /* an enumeration or bool: the value of a word of `words` */
  VALUE_WHOLE,    /* an unsigned type: a whole number, `least` to `most` */
  VALUE_BYTES,    /* an unsigned type: the same with K, M, G or T (powers of 1024) after it */
  VALUE_POSITIVE, /* double: a decimal number above 0 */
  VALUE_FRACTION, /* double: `low` to `high` */
  VALUE_SIZES     /* uint32_t[3]: X, X,Y or X,Y,Z; sizes that are left out are 1, as in a launch */
};

/* One member of a struct and the option that it is read from. */
struct option_member {
  enum option option;
  enum value_type type;
  size_t offset, size; /* OPTION_MEMBER */
  const struct wb_choice *words;
  uint64_t least, most;
  double low, high;
  const char *expected; /* of VALUE_BYTES and VALUE_POSITIVE: what messages expect */
};

/* Offset and size of a member, in a row of a table. */
#define OPTION_MEMBER(type, member)                                                                \
  .offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

/* Reads the options of a table into a struct, in the table's order. Members of VALUE_GIVEN and
 * VALUE_TEXT are always set; others keep what they have where the option is absent. Errors:
 * WARPBOUND_USAGE. */
warpbound_status option_members_read(const struct arguments *arguments,
                                     const struct option_member *members, size_t count, void *into,
                                     warpbound_error *error);

/* *value of an option's word; as it was where the option is absent. Errors: WARPBOUND_USAGE, which
 * lists the words and names the one that was likely meant. */
warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *words, int *value, warpbound_error *error);

/* Reads a whole number in decimal digits; false where the text is none, or out of range. */
bool whole_read(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* Reads a number in decimal, or in hexadecimal after 0x, of at most 20 digits and up to `most`.
 * Returns where it ends; NULL where there is none. */
const char *number_read(const char *at, uint64_t most, uint64_t *number);

#endif
