/* The launches that a command line asks for: one, those of --launches FILE, or those of --sweep. */
#ifndef WB_CLI_INPUT_LAUNCH_LAUNCH_LIST_H
#define WB_CLI_INPUT_LAUNCH_LAUNCH_LIST_H

#include "base/list.h"
#include "cli/options/options.h"

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
  struct wb_list settings;    /* owned: of --set, where the sweep has one */
  const char *name;
  uint64_t swept; /* the number that --sweep has here */
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

/* "block", "registers", "sms". */
const char *sweep_subject_name(enum sweep_subject subject);

#endif
