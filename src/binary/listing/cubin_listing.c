#include "binary/listing/cubin_listing.h"

#include "binary/lines/line_table.h"
#include "binary/listing/code_maker.h"
#include "binary/listing/code_printer.h"
#include "binary/listing/code_symbols.h"
#include "binary/listing/section_head.h"

/* A listing that is being written. */
struct listing {
  struct wb_listed_cubin listed;
  struct wb_listed_printer printer;
  struct wb_text *out;
};

bool wb_listed_cubin_shows(const struct wb_listed_cubin *listed, size_t number)
{
  const struct wb_cubin *cubin = listed->cubin;
  const struct wb_cubin_section *section = &cubin->sections[number];
  const bool code = wb_listed_section_numbered(&listed->code, number) != NULL;
  const size_t of = code ? number : section->info;
  if (listed->only != WB_CUBIN_NONE && of != listed->only)
    return false;
  if (listed->options->omitted != NULL && of < cubin->section_count) {
    const size_t function = cubin->sections[of].function;
    if (function != WB_CUBIN_NONE && listed->options->omitted[function])
      return false;
  }
  return code || (!listed->options->code_only && wb_section_is_data(section));
}

bool wb_listed_cubin_counts(const struct wb_listed_cubin *listed,
                            const struct wb_cubin_function *function)
{
  return !function->inner && function->facts.registers != WB_CUBIN_ABSENT &&
         wb_listed_cubin_shows(listed, function->section);
}

/* The registers of all functions shown, which a reader needs from sm_90 on, where no section of
 * code says them; the section also says that shared memory is shown, or that there is none. */
static void print_counts(struct listing *listing)
{
  const struct wb_cubin *cubin = listing->listed.cubin;
  uint64_t place = 0;
  for (size_t f = 0; f < cubin->function_count; f++) {
    const struct wb_cubin_function *function = &cubin->functions[f];
    if (listing->out->length > listing->listed.code.out_limit ||
        !wb_listed_cubin_counts(&listing->listed, function))
      continue;
    if (place == 0)
      wb_counts_print_head(listing->out);
    wb_counts_print_registers(function, &place, listing->out);
  }
}

warpbound_status wb_listed_cubin_open(const struct wb_cubin *cubin,
                                      const struct wb_listing_options *options,
                                      struct wb_listed_cubin *listed, warpbound_error *error)
{
  *listed = (struct wb_listed_cubin){.cubin = cubin, .options = options, .only = WB_CUBIN_NONE};
  if (options->kernel != NULL) {
    const size_t function = wb_cubin_function_named(cubin, options->kernel);
    if (function == WB_CUBIN_NONE)
      return wb_fail(error, WARPBOUND_USAGE, "no function is named '%.200s'", options->kernel);
    listed->only = cubin->functions[function].section;
  }
  warpbound_status status = wb_listed_code_make(cubin, &listed->code, error);
  if (status == WARPBOUND_OK && !options->without_lines)
    status = wb_line_table_read(cubin, &listed->lines, error);
  return status;
}

void wb_listed_cubin_close(struct wb_listed_cubin *listed)
{
  wb_listed_code_free(&listed->code);
  wb_line_table_free(&listed->lines);
}

static warpbound_status write_listing(struct listing *listing, warpbound_error *error)
{
  struct wb_listed_code *code = &listing->listed.code;
  const struct wb_cubin *cubin = listing->listed.cubin;
  const struct wb_listing_options *options = listing->listed.options;
  struct wb_text *out = listing->out;
  code->out_limit = out->length + code->limit;
  listing->printer = (struct wb_listed_printer){
      .code = code,
      .lines = options->without_lines ? NULL : &listing->listed.lines,
      .encodings = !options->without_encodings,
      .out = out,
  };
  wb_listed_printer_fit(&listing->printer);
  wb_cubin_print_head(cubin, out);
  if (!options->code_only)
    print_counts(listing);
  for (size_t s = 0; s < cubin->section_count && out->length <= code->out_limit; s++) {
    if (!wb_listed_cubin_shows(&listing->listed, s))
      continue;
    struct wb_listed_section *section = wb_listed_section_numbered(code, s);
    wb_section_print_head(cubin, s, out);
    if (section != NULL)
      wb_listed_print(&listing->printer, section);
    else
      wb_section_print_data(code, s, out);
  }
  if (listing->listed.only == WB_CUBIN_NONE)
    wb_listed_print_undefined(code, out);
  if (out->length > code->out_limit)
    return wb_listed_too_long(error);
  return out->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error)
{
  struct listing listing = {.out = out};
  warpbound_status status = wb_listed_cubin_open(cubin, options, &listing.listed, error);
  if (status == WARPBOUND_OK)
    status = write_listing(&listing, error);
  wb_listed_cubin_close(&listing.listed);
  return status;
}
