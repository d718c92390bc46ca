/* From the command line's words and files to what the analyses take. */
#ifndef WB_CLI_INPUT_INPUT_H
#define WB_CLI_INPUT_INPUT_H

#include "analysis/paths/paths.h"
#include "cli/input/machine_input.h"
#include "cli/options/options.h"
#include "cli/options/wcet_options.h"
#include "flow/paths/kernel_path.h"
#include "model/code.h"
#include "model/kernel_string.h"
#include "model/sm_configuration.h"

#include <stdbool.h>
#include <stddef.h>

/* A kernel string and where it came from. From PTX: program, the kernel's index and the path; else
 * these are empty. From machine code: machine and wcet, and behind kernel_input_analyse paths, with
 * the string of the worst one of one warp. estimate: the string is no more than that, so that
 * nothing that rests on it is proven of the kernel. assumptions: of its making. Not to be copied.
 */
struct kernel_input {
  struct wb_kernel_string string;
  struct wb_code program;
  size_t kernel;
  struct wb_kernel_path path;
  bool from_program;
  bool estimate;
  bool from_machine;
  struct machine_input machine;
  struct wcet_options wcet;
  struct wb_paths paths;
  struct wb_list assumptions;
};

/* Reads arguments->input: a kernel instruction string, a PTX file, or an instance
 * file, whose other members become the defaults of options. A name that is both a
 * file's and a string is the file's. A file may also hold a string alone. Free with
 * kernel_input_free, also after an error. */
warpbound_status kernel_input_read(struct arguments *arguments, unsigned command,
                                   struct kernel_input *input, warpbound_error *error);
void kernel_input_free(struct kernel_input *input);

/* Whether machine code of the input runs on the device that --sm names, by NVIDIA's rule; with
 * --allow-other-sm that is an assumption. Before
 * kernel_input_analyse. Errors: WARPBOUND_USAGE, naming both. */
warpbound_status kernel_input_check_device(const struct arguments *arguments,
                                           struct kernel_input *input, warpbound_error *error);

/* Finds the paths of machine code; of other input there is nothing to find. Errors: those of
 * wb_paths_make. */
warpbound_status kernel_input_analyse(const struct arguments *arguments, struct kernel_input *input,
                                      const struct wb_control *control, warpbound_error *error);

/* The program and the path that the string was read off; NULL where it was given as such. */
const struct wb_code *kernel_input_program(const struct kernel_input *input);
const struct wb_kernel_path *kernel_input_path(const struct kernel_input *input);

/* Whether the options name a configuration at all. */
bool has_configuration(const struct arguments *arguments);
/* The configuration from --sm, or --units with --issue-slots and --partitions. */
warpbound_status configuration_read(const struct arguments *arguments,
                                    struct wb_sm_configuration *sm, warpbound_error *error);

#endif
