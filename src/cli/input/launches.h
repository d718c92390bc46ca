/* The launches that a command line asks for: one, those of --launches FILE, or those of --sweep;
 * and the options of one. */
#ifndef WB_CLI_INPUT_LAUNCHES_H
#define WB_CLI_INPUT_LAUNCHES_H

#include "base/list.h"
#include "cli/input/module_input.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stddef.h>
#include <stdint.h>

/* Most launches of a list. */
#define LAUNCH_LIMIT 100000

/* What --sweep changes. */
enum sweep_subject { SWEEP_NONE, SWEEP_BLOCK, SWEEP_REGISTERS, SWEEP_SMS };

/* One launch: the command's arguments with its own in their place. Texts belong to the list and to
 * the command's arguments. */
struct launch_row {
  struct arguments arguments; /* borrows; never freed by itself */
  struct wb_list parameters;  /* owned: of --param, where the launch has its own */
  struct wb_list loads;       /* owned: of --assume-load, where the file has some */
  struct wb_list values;      /* owned: of --assume-value, the same */
  struct wb_list calls;       /* owned: of --assume-call, the same */
  struct wb_list buffers;     /* owned: of --buffer, the same */
  struct wb_list settings;    /* owned: of --set, where the sweep has one */
  const char *name;
  uint32_t sms;       /* that the launch has for itself; 0: all */
  uint64_t period_ns; /* after which it comes again; 0: once */
  uint64_t swept;     /* the number that --sweep has here */
};

/* Owns its rows. Zero-initialise; free with launch_list_free, also after an error. */
struct launch_list {
  struct launch_row *rows;
  size_t count, capacity;
  enum sweep_subject subject;
};

/* Reads them. The arguments outlive the list. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (the
 * file), WARPBOUND_INTERNAL. */
warpbound_status launch_list_read(struct arguments *arguments, struct launch_list *list,
                                  warpbound_error *error);
void launch_list_free(struct launch_list *list);

/* "block", "registers", "sms"; NULL of SWEEP_NONE. */
const char *sweep_subject_name(enum sweep_subject subject);

/* Zero it; free wcet, also after an error. Not to be copied. */
struct analyze_options {
  struct wcet_options wcet;
  warpbound_launch_options launch; /* borrows wcet after analyze_options_complete */
  uint64_t budget;                 /* cycles; 0: none */
  double deadline;                 /* seconds; 0: none */
};

/* Reads the options of one launch. Errors: those of wcet_options_read. */
warpbound_status analyze_options_read(const struct arguments *arguments,
                                      struct analyze_options *options, warpbound_error *error);

/* Makes the annotations for a module. Errors: those of wcet_options_complete. */
warpbound_status analyze_options_complete(const struct arguments *arguments,
                                          const warpbound_module *module,
                                          struct analyze_options *options, warpbound_error *error);

#endif
