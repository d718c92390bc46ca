#include "binary/listing/cubin_listing.h"

#include "binary/lines/line_reader.h"
#include "binary/listing/code_maker.h"
#include "binary/listing/code_printer.h"
#include "binary/listing/code_symbols.h"
#include "binary/listing/section_head.h"

#include <string.h>

/* A listing that is being written. */
struct listing {
  const struct wb_cubin *cubin;
  const struct wb_listing_options *options;
  struct wb_listed_code code;
  struct wb_line_table lines;
  struct wb_listed_printer printer;
  size_t only; /* the number of the one section of code that is shown; WB_CUBIN_NONE: all */
  struct wb_text *out;
};

/* Whether the function that a section of code is there for is left out. */
static bool is_omitted(const struct listing *listing, size_t number)
{
  if (listing->options->omitted == NULL || number >= listing->cubin->section_count)
    return false;
  size_t function = listing->cubin->sections[number].function;
  return function != WB_CUBIN_NONE && listing->options->omitted[function];
}

/* Whether a section is shown: code, and what the front end of listings reads beside it. */
static bool is_shown(const struct listing *listing, size_t number)
{
  const struct wb_cubin_section *section = &listing->cubin->sections[number];
  bool code = wb_listed_section_numbered(&listing->code, number) != NULL;
  size_t of = code ? number : section->info;
  if (listing->only != WB_CUBIN_NONE && of != listing->only)
    return false;
  if (is_omitted(listing, of))
    return false;
  return code || (!listing->options->code_only && wb_section_is_data(section));
}

static void print_section(struct listing *listing, size_t number)
{
  struct wb_listed_section *code = wb_listed_section_numbered(&listing->code, number);
  wb_section_print_head(listing->cubin, number, listing->out);
  if (code != NULL)
    wb_listed_print(&listing->printer, code);
  else
    wb_section_print_data(&listing->code, number, listing->out);
}

/* The registers of all functions shown, which a reader needs from sm_90 on, where no section of
 * code says them; the section also says that shared memory is shown, or that there is none. */
static void print_counts(struct listing *listing)
{
  uint64_t place = 0;
  for (size_t f = 0; f < listing->cubin->function_count; f++) {
    const struct wb_cubin_function *function = &listing->cubin->functions[f];
    if (function->inner || function->facts.registers == WB_CUBIN_ABSENT ||
        listing->out->length > listing->code.out_limit || !is_shown(listing, function->section))
      continue;
    if (place == 0)
      wb_counts_print_head(listing->out);
    wb_counts_print_registers(function, &place, listing->out);
  }
}

static warpbound_status find_function(struct listing *listing, warpbound_error *error)
{
  const char *name = listing->options->kernel;
  listing->only = WB_CUBIN_NONE;
  if (name == NULL)
    return WARPBOUND_OK;
  size_t function = wb_cubin_function_named(listing->cubin, name);
  if (function == WB_CUBIN_NONE)
    return wb_fail(error, WARPBOUND_USAGE, "no function is named '%.200s'", name);
  listing->only = listing->cubin->functions[function].section;
  return WARPBOUND_OK;
}

static warpbound_status write_listing(struct listing *listing, warpbound_error *error)
{
  warpbound_status status = find_function(listing, error);
  if (status == WARPBOUND_OK)
    status = wb_listed_code_make(listing->cubin, &listing->code, error);
  if (status == WARPBOUND_OK && !listing->options->without_lines)
    status = wb_line_table_read(listing->cubin, &listing->lines, error);
  if (status != WARPBOUND_OK)
    return status;
  listing->code.out_limit = listing->out->length + listing->code.limit;
  listing->printer = (struct wb_listed_printer){
      .code = &listing->code,
      .lines = listing->options->without_lines ? NULL : &listing->lines,
      .encodings = !listing->options->without_encodings,
      .out = listing->out,
  };
  wb_listed_printer_fit(&listing->printer);
  wb_cubin_print_head(listing->cubin, listing->out);
  if (!listing->options->code_only)
    print_counts(listing);
  for (size_t s = 0;
       s < listing->cubin->section_count && listing->out->length <= listing->code.out_limit; s++) {
    if (is_shown(listing, s))
      print_section(listing, s);
  }
  if (listing->only == WB_CUBIN_NONE)
    wb_listed_print_undefined(&listing->code, listing->out);
  if (listing->out->length > listing->code.out_limit)
    return wb_listed_too_long(error);
  return listing->out->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error)
{
  struct listing listing = {.cubin = cubin, .options = options, .out = out};
  warpbound_status status = write_listing(&listing, error);
  wb_listed_code_free(&listing.code);
  wb_line_table_free(&listing.lines);
  return status;
}
