#include "formats/flow_facts/fact_options.h"

#include "base/memory.h"

#include <string.h>

/* Which option of ranges a text is of. */
static warpbound_status refuse_range(const char *text, bool values, warpbound_error *error)
{
  if (values)
    return wb_fail(
        error, WARPBOUND_USAGE,
        "--assume-value: expected PLACE<=N, PLACE>=N or PLACE=A..B with PLACE the address "
        "of an instruction or FILE:LINE, and numbers of at most 63 bits, found '%.80s'",
        text);
  return wb_fail(
      error, WARPBOUND_USAGE,
      "--assume-load: expected PLACE<=N, PLACE>=N, PLACE=A..B or PLACE=unchanged with PLACE the "
      "address of a load, FILE:LINE, param_N or param:OFFSET, and numbers of at most 63 bits, "
      "found '%.80s'",
      text);
}

/* What stands behind the place: <=N, >=N, =A..B and, of loads, =unchanged. *length: of the place.
 */
static bool read_said_range(const char *text, struct wb_flow_fact *fact, size_t *length)
{
  const char *equals = strchr(text, '=');
  if (equals == NULL)
    return false;
  const bool related = equals > text && (equals[-1] == '<' || equals[-1] == '>');
  const char *at = equals + 1;
  const char *dots = strstr(at, "..");
  *length = (size_t)(equals - text) - related;
  fact->unchanged = !related && fact->kind == WB_FACT_LOAD && strcmp(at, "unchanged") == 0;
  if (fact->unchanged)
    return *length > 0;
  if (related) {
    fact->has_most = equals[-1] == '<';
    fact->has_least = !fact->has_most;
    return *length > 0 && *at != '\0' &&
           wb_signed_word(at, strlen(at), fact->has_most ? &fact->most : &fact->least) ==
               strlen(at);
  }
  fact->has_least = fact->has_most = true;
  return *length > 0 && dots != NULL && dots > at &&
         wb_signed_word(at, (size_t)(dots - at), &fact->least) == (size_t)(dots - at) &&
         wb_signed_word(dots + 2, strlen(dots + 2), &fact->most) == strlen(dots + 2) &&
         dots[2] != '\0' && fact->least <= fact->most;
}

/* Reads a text of --assume-load or, values, of --assume-value. */
static warpbound_status parse_range(const char *text, const char *said, bool values,
                                    struct wb_name_pool *names, struct wb_kernel_facts *facts,
                                    warpbound_error *error)
{
  struct wb_flow_fact fact = {.kind = values ? WB_FACT_VALUE : WB_FACT_LOAD,
                              .first_place = facts->place_count,
                              .place_count = 1,
                              .said = said};
  struct wb_place place = {0};
  struct wb_place_words words = {0};
  size_t length = 0;
  const bool good = read_said_range(text, &fact, &length) &&
                    ((!values && wb_parameter_place_read(text, length, &place)) ||
                     (wb_place_words_read(text, length, &words) && words.label == NULL));
  if (!good)
    return refuse_range(text, values, error);
  if (!place.is_parameter) {
    place.source_line = words.source_line;
    place.address = words.address;
    place.has_address = words.has_address;
    if (words.file != NULL)
      place.file = wb_name_pool_copy(names, words.file, words.file_length);
  }
  if ((words.file != NULL && !place.is_parameter && place.file == NULL) ||
      !wb_grow(facts->places, &facts->place_capacity, facts->place_count + 1) ||
      !wb_grow(facts->facts, &facts->fact_capacity, facts->fact_count + 1))
    return wb_out_of_memory(error);
  facts->places[facts->place_count++] = place;
  facts->facts[facts->fact_count++] = fact;
  return WARPBOUND_OK;
}

warpbound_status wb_load_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                    struct wb_kernel_facts *facts, warpbound_error *error)
{
  return parse_range(text, said, false, names, facts, error);
}

warpbound_status wb_value_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                     struct wb_kernel_facts *facts, warpbound_error *error)
{
  return parse_range(text, said, true, names, facts, error);
}

warpbound_status wb_call_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                    struct wb_kernel_facts *facts, warpbound_error *error)
{
  struct wb_flow_fact fact = {
      .kind = WB_FACT_CALL, .first_place = facts->place_count, .said = said};
  struct wb_place_words words = {0};
  const char *equals = strchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) : 0;
  const char *cycles = equals != NULL ? equals + 1 : "";
  fact.never = strcmp(cycles, "never") == 0;
  if (length == 0 || *cycles == '\0' ||
      (!fact.never &&
       wb_number_word(cycles, strlen(cycles), INT64_MAX, &fact.number) != strlen(cycles)))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--assume-call: expected NAME=CYCLES or NAME=never for machine code, with NAME "
                   "what is called, 'indirect' or the address of a call, found '%.80s'",
                   text);
  if (wb_place_words_read(text, length, &words) && words.has_address && words.file == NULL)
    fact.place_count = 1;
  else
    fact.name = wb_name_pool_copy(names, text, length);
  if ((fact.place_count == 0 && fact.name == NULL) ||
      !wb_grow(facts->places, &facts->place_capacity, facts->place_count + 1) ||
      !wb_grow(facts->facts, &facts->fact_capacity, facts->fact_count + 1))
    return wb_out_of_memory(error);
  if (fact.place_count == 1)
    facts->places[facts->place_count++] =
        (struct wb_place){.address = words.address, .has_address = true};
  facts->facts[facts->fact_count++] = fact;
  return WARPBOUND_OK;
}
