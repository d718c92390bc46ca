/* `warpbound disassemble`. */
#include "cli/commands/commands.h"

#include "cli/input/source_input.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"

/* Prints the listing or writes it, and frees it. */
static warpbound_status print(struct arguments *arguments, char *listing, warpbound_error *error)
{
  if (arguments->value[OPTION_OUTPUT] != NULL)
    return output_write_text(arguments, OPTION_OUTPUT, listing, error);
  const warpbound_status status = terminal_print_text(listing, error);
  warpbound_text_free(listing);
  return status;
}

warpbound_status command_disassemble(struct arguments *arguments, warpbound_error *error)
{
  const warpbound_disassembly_options options = {
      .architecture = arguments->value[OPTION_ARCH],
      .kernel = arguments->value[OPTION_KERNEL],
      .code_only = arguments->value[OPTION_CODE_ONLY] != NULL,
  };
  struct wb_source source = {0};
  char *listing;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a file with machine code", &source, error);
  if (status == WARPBOUND_OK)
    status =
        warpbound_disassemble(source.name, source.bytes, source.length, &options, &listing, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, listing, error);
  wb_source_free(&source);
  return status;
}
