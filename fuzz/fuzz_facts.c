/* Flow facts, cost tables, bounds and signatures in sources: their readers take any bytes. */
#include "flow/costs.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "formats/sources/signatures.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A failure says why. */
static void check(warpbound_status status, const warpbound_error *error)
{
  if (status != WARPBOUND_OK && error->message[0] == '\0')
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *text = (const char *)data;
  struct wb_flow_facts facts;
  struct wb_costs costs;
  struct wb_source_bounds bounds;
  warpbound_error error = {0};
  warpbound_status status = wb_flow_facts_parse("fuzz", text, size, &facts, &error);
  check(status, &error);
  if (status == WARPBOUND_OK)
    wb_flow_facts_free(&facts);
  error = (warpbound_error){0};
  status = wb_costs_parse("fuzz", text, size, &costs, &error);
  check(status, &error);
  if (status == WARPBOUND_OK)
    wb_costs_free(&costs);
  error = (warpbound_error){0};
  status = wb_source_bounds_parse("fuzz", text, size, &bounds, &error);
  check(status, &error);
  for (size_t i = 0; status == WARPBOUND_OK && i < bounds.count; i++) {
    if (wb_source_bounds_find(&bounds, bounds.items[i].line) != &bounds.items[i])
      abort();
  }
  if (status == WARPBOUND_OK)
    wb_source_bounds_free(&bounds);
  struct wb_signatures signatures = {0};
  check(wb_signatures_read("fuzz", text, size, &signatures, &error), &error);
  for (size_t i = 0; i < signatures.count; i++) {
    const struct wb_signature *signature = &signatures.items[i];
    if (signature->kernel[0] == '\0' || signature->line == 0 ||
        signature->first + signature->count > signatures.name_count)
      abort();
  }
  wb_signatures_free(&signatures);
  return 0;
}
