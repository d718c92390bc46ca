/* From options and files to what the library takes for the analyses of one warp. */
#ifndef WB_CLI_INPUT_WCET_OPTIONS_H
#define WB_CLI_INPUT_WCET_OPTIONS_H

#include "base/arena.h"
#include "base/file.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stddef.h>

/* Zero it; free with wcet_options_free, also after an error. Not to be copied. */
struct wcet_options {
  warpbound_wcet_options wcet; /* has the annotations */
  warpbound_annotations *annotations;
  warpbound_annotation_options known; /* borrows the rest */
  struct wb_arena arena;              /* has the lists of `known` */
  struct wb_input facts;              /* of --flow-facts; bytes NULL: none */
  struct wb_input costs;              /* of --cost FILE; bytes NULL: none */
  struct wb_input *files; /* of --sources, by source file of the module; bytes NULL: not there */
};

/* Reads --stack, --no-groups, --agreement, --reconvergence and --masks; what a command does not
 * have is its default. Errors: WARPBOUND_USAGE. */
warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error);

/* Whether --reconvergence, --masks and --groups, where they are given, say something of the
 * functions that --kernel asks for: one of them at least is of an architecture with convergence
 * barriers. Errors: WARPBOUND_USAGE. */
warpbound_status simt_options_check(const struct arguments *arguments,
                                    const warpbound_module *module, warpbound_error *error);

/* Checks --write, --solver and --solver-command, the options of commands that build an integer
 * program. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (a command in an instance file). */
warpbound_status solver_options_check(const struct arguments *arguments, warpbound_error *error);

/* Reads --flow-facts, --default-loop-bound, --cost, --template, what is said of the launch, and the
 * options of simt_options_read. Errors: WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT (a file cannot be
 * read), WARPBOUND_INTERNAL. */
warpbound_status wcet_options_read(const struct arguments *arguments, struct wcet_options *options,
                                   warpbound_error *error);

/* Makes the annotations of a module, with the source files that it names, which are read where
 * --sources FOLDER has them, by their path or their last name. Errors: those of
 * warpbound_annotations_create; WARPBOUND_USAGE where the folder has none of them. */
warpbound_status wcet_options_complete(const struct arguments *arguments,
                                       const warpbound_module *module, struct wcet_options *options,
                                       warpbound_error *error);

void wcet_options_free(struct wcet_options *options);

#endif
