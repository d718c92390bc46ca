/* From the command line's words and files to a parsed module, or a file in memory. */
#ifndef WB_CLI_INPUT_MODULE_INPUT_H
#define WB_CLI_INPUT_MODULE_INPUT_H

#include "base/arena.h"
#include "base/file.h"
#include "cli/options/options.h"
#include "warpbound.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads arguments->input, a file of up to `most` bytes or - for standard input; where there is
 * none, the error says what is expected. Free with wb_input_free. Errors: WARPBOUND_USAGE,
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   size_t most, struct wb_input *source, warpbound_error *error);

/* Parses a text that was read, with --targets and --assume-unit. machine_code_only: refuse all but
 * SASS listings. Errors: those of warpbound_module_parse; WARPBOUND_USAGE, or of an instance file's
 * option WARPBOUND_INVALID_INPUT, where an option's text is not understood. */
warpbound_status module_input_parse(const struct arguments *arguments,
                                    const struct wb_input *source, bool machine_code_only,
                                    warpbound_module **module, warpbound_error *error);

/* Reads and parses arguments->input, a SASS listing; --kernel, where it is given, names a function
 * of it. Errors: the same, and WARPBOUND_USAGE where there is no such function. *module is then
 * NULL. */
warpbound_status module_input_read(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error);

/* The same, of CUDA source (FILE.cu) the code that nvcc makes of it: for input that the command
 * line names, not a file of data. Errors: also those of cuda_input_compile. */
warpbound_status module_input_make(const struct arguments *arguments, warpbound_module **module,
                                   warpbound_error *error);

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
