/* The writer of launch files. */
#include "formats/launch/launch_file.h"

#include "formats/flow_system/system_members.h"
#include "formats/json/json_output.h"
#include "formats/launch/launch_code.h"

#include <inttypes.h>

/* The nodes that are marked; nothing where there is no array. */
static void write_marked(const char *key, const bool *marked, size_t count, struct wb_text *text)
{
  size_t written = 0;
  if (marked == NULL)
    return;
  wb_text_format(text, " \"%s\": [", key);
  for (size_t v = 0; v < count; v++) {
    if (marked[v])
      wb_text_format(text, "%s%zu", wb_json_comma(written++), v);
  }
  wb_text_string(text, "],\n");
}

/* The numbers that are not 0, by their index. */
static void write_sparse(const char *key, const uint64_t *numbers, size_t count, size_t *members,
                         struct wb_text *text)
{
  size_t written = 0;
  for (size_t i = 0; i < count; i++) {
    if (numbers[i] == 0)
      continue;
    if (written == 0)
      wb_text_format(text, "%s\"%s\": [", wb_json_comma((*members)++), key);
    wb_text_format(text, "%s[%zu, %" PRIu64 "]", wb_json_comma(written++), i, numbers[i]);
  }
  if (written > 0)
    wb_text_string(text, "]");
}

void wb_launch_file_write(const struct wb_check_launch_claim *claim,
                          const struct wb_launch_grounds *grounds, struct wb_text *text)
{
  const size_t nodes = claim->system.node_count;
  wb_text_format(text, "{\"format\": \"" WB_LAUNCH_FORMAT "\",\n \"cycles\": %" PRIu64 ",\n",
                 claim->cycles);
  if (grounds != NULL)
    wb_launch_grounds_write(grounds, text);
  const struct wb_launch_shape *shape = &claim->shape;
  wb_text_format(text,
                 " \"launch\": {\"blocks\": %" PRIu64 ", \"block_warps\": %" PRIu32
                 ", \"sms\": %" PRIu32 ", \"partitions\": %" PRIu32
                 ", \"resident_blocks\": %" PRIu32 ", \"overhead\": %" PRIu64
                 ", \"block_start\": %" PRIu32 ", \"dispatch\": %" PRIu32,
                 shape->blocks, shape->block_warps, shape->sms, shape->partitions,
                 shape->resident_blocks, shape->overhead, shape->block_start, shape->dispatch);
  for (size_t r = 0; r < claim->other_resident_count; r++)
    wb_text_format(text, "%s%" PRIu32, r == 0 ? ", \"other_resident_blocks\": [" : ", ",
                   claim->other_residents[r]);
  wb_text_string(text, claim->other_resident_count > 0 ? "]},\n" : "},\n");
  wb_launch_code_write(&claim->code, text);
  wb_text_string(text, " \"nodes\": [");
  for (size_t v = 0; v < claim->system.node_count; v++) {
    if (claim->first[v] <= claim->last[v])
      wb_text_format(text, "%s[%" PRIu32 ", %" PRIu32 "]", wb_json_comma(v), claim->first[v],
                     claim->last[v]);
    else
      wb_text_format(text, "%s[]", wb_json_comma(v));
  }
  wb_text_string(text, "],\n");
  wb_system_members_write(&claim->system, claim->local, claim->common, text);
  write_marked("interleaved", claim->interleaved, nodes, text);
  write_marked("exits", claim->ends, nodes, text);
  wb_text_string(text, " \"pending\": [");
  for (size_t v = 0; v < claim->system.node_count; v++) {
    const struct wb_check_launch_pending *pending = &claim->pending[v];
    size_t members = 0;
    wb_text_format(text, "%s\n  {", v > 0 ? "," : "");
    write_sparse("scoreboards", pending->scoreboard, WB_SCOREBOARD_COUNT, &members, text);
    write_sparse("services", pending->service, claim->code.resource_count, &members, text);
    if (pending->end > 0)
      wb_text_format(text, "%s\"end\": %" PRIu64, wb_json_comma(members), pending->end);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
  wb_text_string(text, " \"maxima\": [");
  for (size_t m = 0; m < claim->maximum_count; m++) {
    wb_text_string(text, m > 0 ? "," : "");
    const bool stretch = claim->maxima[m].phase == WB_CHECK_LAUNCH_STRETCH;
    wb_text_format(text, "\n  {\"of\": \"%s\"", wb_check_launch_sum_name(claim->maxima[m].sum));
    if (stretch)
      wb_text_string(text, ", \"phase\": \"stretch\"");
    else if (claim->maxima[m].phase == WB_CHECK_LAUNCH_COMPOSITE)
      wb_text_string(text, ", \"phase\": \"composite\"");
    else if (claim->maxima[m].phase != WB_CHECK_LAUNCH_ALL_PHASES)
      wb_text_format(text, ", \"phase\": %" PRIu32, claim->maxima[m].phase);
    wb_text_format(text, ", \"scale\": %" PRId64, claim->maxima[m].scale);
    wb_numbers_member_write("prices", claim->maxima[m].price, claim->system.limit_count, text);
    wb_numbers_member_write("potentials", claim->maxima[m].potential,
                            claim->system.port_count + (stretch ? 1 : 0), text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "]}\n");
}
