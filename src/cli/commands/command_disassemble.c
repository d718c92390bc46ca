/* `warpbound disassemble`. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/output/outputs.h"

warpbound_status command_disassemble(struct arguments *arguments, warpbound_error *error)
{
  const warpbound_disassembly_options options = {
      .architecture = arguments->value[OPTION_ARCH],
      .kernel = arguments->value[OPTION_KERNEL],
      .code_only = arguments->value[OPTION_CODE_ONLY] != NULL,
  };
  struct wb_input source = {0};
  char *listing;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK)
    status =
        source_input_read(arguments, "a file with machine code", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK)
    status =
        warpbound_disassemble(source.name, source.bytes, source.length, &options, &listing, error);
  if (status == WARPBOUND_OK)
    status = output_or_print(arguments, listing, error);
  wb_input_free(&source);
  return status;
}
