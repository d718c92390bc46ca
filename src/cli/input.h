/* From the command line's words and files to what the analyses take. */
#ifndef WB_CLI_INPUT_H
#define WB_CLI_INPUT_H

#include "cli/options.h"
#include "flow/kernel_path.h"
#include "model/kernel_string.h"
#include "model/program.h"
#include "model/sm_configuration.h"

#include <stdbool.h>
#include <stddef.h>

/* A kernel string and where it came from. From a listing: program, the kernel's
 * index and the path; else these are empty. estimate: the string is no more than that, so that
 * nothing that rests on it is proven of the kernel. assumptions: of its making. */
struct kernel_input {
  struct wb_kernel_string string;
  struct wb_program program;
  size_t kernel;
  struct wb_kernel_path path;
  bool from_program;
  bool estimate;
  struct wb_list assumptions;
};

/* Reads arguments->input: a kernel instruction string, a PTX file, or an instance
 * file, whose other members become the defaults of options. A name that is both a
 * file's and a string is the file's. A file may also hold a string alone. Free with
 * kernel_input_free, also after an error. */
warpbound_status kernel_input_read(struct arguments *arguments, unsigned command,
                                   struct kernel_input *input, warpbound_error *error);
void kernel_input_free(struct kernel_input *input);

/* Whether the options name a configuration at all. */
bool has_configuration(const struct arguments *arguments);
/* The configuration from --sm, or --units with --issue-slots and --partitions. */
warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error);

#endif
