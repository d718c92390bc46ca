/* Writes a claim and what it rests on as a launch file. */
#include "formats/json/json_output.h"
#include "formats/launch/launch_file.h"
#include "formats/paths/paths_file.h"

#include <inttypes.h>

/* A number that stands for itself where it is left out is not written. */
static void write_number(const char *key, uint32_t number, uint32_t left_out, struct wb_text *text)
{
  if (number != left_out)
    wb_text_format(text, ", \"%s\": %" PRIu32, key, number);
}

static void write_kept_data(const struct wb_kept_data *kept, struct wb_text *text)
{
  for (size_t b = 0; b < kept->count; b++) {
    if (b == 0)
      wb_text_format(
          text, " \"kept\": {\"retained\": %" PRIu64 ", \"copies\": %" PRIu32 "%s, \"buffers\": [",
          kept->retained, kept->copies, kept->warm ? ", \"warm\": true" : "");
    const struct wb_kept_buffer *buffer = &kept->buffers[b];
    wb_text_format(text, "%s{\"bytes\": %" PRIu64, wb_json_comma(b), buffer->bytes);
    if (buffer->lines != wb_lines_of(buffer->bytes))
      wb_text_format(text, ", \"lines\": %" PRIu64, buffer->lines);
    wb_text_string(text, buffer->by_sector ? ", \"by_sector\": true}" : "}");
  }
  wb_text_string(text, kept->count > 0 ? "]},\n" : "");
}

static const char *const paid_names[] = {NULL, "sector", "access"};

static void write_first_data(const struct wb_first_data *first, struct wb_text *text)
{
  for (size_t b = 0; b < first->count; b++) {
    const struct wb_first_buffer *buffer = &first->buffers[b];
    if (b == 0)
      wb_text_format(text, " \"first_cache\": {\"retained\": %" PRIu64 "%s, \"buffers\": [",
                     first->retained,
                     first->recent     ? ", \"of_block\": true, \"recent\": true"
                     : first->of_block ? ", \"of_block\": true"
                                       : "");
    wb_text_format(text, "%s{\"bytes\": %" PRIu64, wb_json_comma(b), buffer->bytes);
    if (first->of_block)
      wb_text_format(text, ", \"block_lines\": %" PRIu64, buffer->block_lines);
    if (buffer->paid != WB_FIRST_AS_BEFORE)
      wb_text_format(text, ", \"paid_by\": \"%s\"", paid_names[buffer->paid]);
    wb_text_string(text, "}");
  }
  wb_text_string(text, first->count > 0 ? "]},\n" : "");
}

static void write_stages(const struct wb_request_stage *stages, size_t count, struct wb_text *text)
{
  for (size_t s = 0; s < count; s++) {
    const struct wb_request_stage *stage = &stages[s];
    wb_text_format(text, "%s[%u, %u, %" PRIu32 ", %" PRIu32, s > 0 ? ", " : ", \"stages\": [",
                   (unsigned)stage->resource, (unsigned)stage->requests, stage->delay,
                   stage->service);
    if (stage->buffer > 0)
      wb_text_format(text, ", %u, %" PRIu32, (unsigned)stage->buffer, stage->hit);
    wb_text_string(text, "]");
  }
  if (count > 0)
    wb_text_string(text, "]");
}

/* A name within a JSON string. */
static void write_name(const char *name, struct wb_text *text)
{
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      wb_text_format(text, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      wb_text_format(text, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      wb_text_format(text, "%c", *c);
  }
}

/* What the launch fetches once. */
static void write_fetches(const struct wb_timed_code *code, struct wb_text *text)
{
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    wb_text_format(text, "%s\n  {\"of\": \"", c > 0 ? "," : " \"fetches\": [");
    write_name(fetch->name, text);
    wb_text_format(text, "\", \"count\": %" PRIu64 ", \"caches\": \"%s\"", fetch->count,
                   wb_resource_level_name(fetch->level));
    if (fetch->by_all_warps > 0)
      wb_text_format(text, ", \"by_all_warps\": %" PRIu64, fetch->by_all_warps);
    if (fetch->data != WB_FIRST_AS_BEFORE)
      wb_text_format(text, ", \"data_paid_by\": \"%s\"", paid_names[fetch->data]);
    write_stages(fetch->stages, fetch->stage_count, text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, code->cold_count > 0 ? "],\n" : "");
}

void wb_launch_code_write(const struct wb_timed_code *code, struct wb_text *text)
{
  write_kept_data(&code->kept, text);
  write_first_data(&code->first, text);
  write_fetches(code, text);
  wb_text_string(text, " \"resources\": [");
  for (size_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    wb_text_format(text, "%s\n  {\"name\": \"", r > 0 ? "," : "");
    write_name(resource->name, text);
    wb_text_format(text, "\", \"of\": \"%s\", \"servers\": %" PRIu32 ", \"at_issue\": %s",
                   wb_resource_level_name(resource->level), resource->servers,
                   resource->at_issue ? "true" : "false");
    write_number("place", resource->place, 0, text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
  wb_text_string(text, " \"instructions\": [");
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    wb_text_format(text, "%s\n  {\"stall\": %" PRIu32, i > 0 ? "," : "", instruction->stall);
    wb_text_string(text, ", \"uses\": [");
    for (size_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
      wb_text_format(text, "%s[%u, %" PRIu32 "]", wb_json_comma(u), (unsigned)use->resource,
                     use->service);
    }
    wb_text_string(text, "]");
    write_number("before", instruction->before, 0, text);
    write_stages(&code->stages[instruction->first_stage], instruction->stage_count, text);
    write_number("latency", instruction->latency, 0, text);
    write_number("read_latency", instruction->read_latency, 0, text);
    write_number("read_stages", instruction->read_stages, 0, text);
    write_number("write", instruction->write_scoreboard, WB_NO_SCOREBOARD, text);
    write_number("read", instruction->read_scoreboard, WB_NO_SCOREBOARD, text);
    size_t waits = 0;
    for (unsigned b = 0; b < WB_SCOREBOARD_COUNT; b++) {
      if ((instruction->wait_mask >> b & 1) != 0)
        wb_text_format(text, "%s%u", waits++ > 0 ? ", " : ", \"wait\": [", b);
    }
    if (waits > 0)
      wb_text_string(text, "]");
    if (instruction->counted_scoreboard != WB_NO_SCOREBOARD)
      wb_text_format(text, ", \"count\": [%u, %u]", (unsigned)instruction->counted_scoreboard,
                     (unsigned)instruction->counted_left);
    if (instruction->barrier)
      wb_text_string(text, ", \"barrier\": true");
    if (instruction->fence)
      wb_text_string(text, ", \"fence\": true");
    if (instruction->posted)
      wb_text_string(text, ", \"posted\": true");
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
}

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

static void write_maxima(const struct wb_check_launch_claim *claim, struct wb_text *text)
{
  wb_text_string(text, " \"maxima\": [");
  for (size_t m = 0; m < claim->maximum_count; m++) {
    const struct wb_check_launch_maximum *maximum = &claim->maxima[m];
    wb_text_string(text, m > 0 ? "," : "");
    const bool stretch = maximum->phase == WB_CHECK_LAUNCH_STRETCH;
    wb_text_format(text, "\n  {\"of\": \"%s\"", wb_check_launch_sum_name(maximum->sum));
    if (stretch)
      wb_text_string(text, ", \"phase\": \"stretch\"");
    else if (maximum->phase == WB_CHECK_LAUNCH_COMPOSITE)
      wb_text_string(text, ", \"phase\": \"composite\"");
    else if (maximum->phase != WB_CHECK_LAUNCH_ALL_PHASES)
      wb_text_format(text, ", \"phase\": %" PRIu32, maximum->phase);
    wb_text_format(text, ", \"scale\": %" PRId64, maximum->scale);
    wb_numbers_member_write("prices", maximum->price, claim->system.limit_count, text);
    wb_numbers_member_write("potentials", maximum->potential,
                            claim->system.port_count + (stretch ? 1 : 0), text);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "]}\n");
}

json_t *wb_launch_grounds_values(const struct wb_launch_grounds *grounds)
{
  json_t *array = json_array();
  for (size_t v = 0; v < grounds->value_count; v++) {
    const struct wb_device_value *value = &grounds->values[v];
    wb_json_push(&array,
                 json_pack("{s:o, s:I, s:s}", "name", wb_json_clean(value->name), "value",
                           (json_int_t)value->value, "kind", wb_value_kind_name(value->kind)));
  }
  return array;
}

/* A member on a line of its own; takes the reference. */
static void write_member(const char *key, json_t *member, struct wb_text *text)
{
  wb_text_format(text, " \"%s\": ", key);
  wb_json_write(member, JSON_ENCODE_ANY, text);
  wb_text_string(text, ",\n");
  json_decref(member);
}

static void write_advance(const struct wb_check_launch_claim *claim, struct wb_text *text)
{
  size_t count = 0;
  for (size_t e = 0; e < claim->system.edge_count && claim->advance != NULL; e++) {
    if (claim->advance[e] == 0)
      continue;
    wb_text_format(text, "%s[%zu, %" PRIu64 "]", count++ == 0 ? " \"advance\": [" : ", ", e,
                   claim->advance[e]);
  }
  wb_text_string(text, count > 0 ? "],\n" : "");
}

/* How often one path for all warps of the launch counts each sum. */
static void write_launch_path(const struct wb_check_launch_claim *claim, struct wb_text *text)
{
  size_t members = 0;
  for (unsigned s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT && claim->launch_path; s++) {
    if (claim->launch_times[s] > 0)
      wb_text_format(text, "%s\"%s\": %" PRIu64, members++ == 0 ? " \"launch_path\": {" : ", ",
                     wb_check_launch_sum_name((enum wb_check_launch_sum)s), claim->launch_times[s]);
  }
  wb_text_string(text, members > 0 ? "},\n" : "");
}

void wb_launch_file_write(const struct wb_check_launch_claim *claim,
                          const struct wb_launch_grounds *grounds, struct wb_text *text)
{
  const size_t nodes = claim->system.node_count;
  wb_text_format(text, "{\"format\": \"" WB_LAUNCH_FORMAT "\",\n \"cycles\": %" PRIu64 ",\n",
                 claim->cycles);
  if (grounds != NULL && grounds->device != NULL)
    write_member("device", wb_json_clean(grounds->device), text);
  if (grounds != NULL) {
    write_member("values", wb_launch_grounds_values(grounds), text);
    write_member("assumptions", wb_json_list(&grounds->assumptions), text);
  }
  const struct wb_launch_shape *shape = &claim->shape;
  wb_text_format(text,
                 " \"launch\": {\"blocks\": %" PRIu64 ", \"block_warps\": %" PRIu32
                 ", \"sms\": %" PRIu32 ", \"partitions\": %" PRIu32
                 ", \"resident_blocks\": %" PRIu32 ", \"overhead\": %" PRIu64
                 ", \"block_start\": %" PRIu32 ", \"dispatch\": %" PRIu32,
                 shape->blocks, shape->block_warps, shape->sms, shape->partitions,
                 shape->resident_blocks, shape->overhead, shape->block_start, shape->dispatch);
  write_number("partition_warps", claim->partition_warps, 0, text);
  write_number("foreign_share", shape->foreign_share, 0, text);
  write_number("foreign_burst", shape->foreign_burst, 0, text);
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
  wb_text_string(text, claim->early_ends ? " \"early_ends\": true,\n" : "");
  wb_text_string(text, claim->as_many ? " \"as_many\": true,\n" : "");
  wb_text_string(text, claim->groups ? " \"groups\": true,\n" : "");
  wb_text_string(text, claim->same_path ? " \"same_path\": true,\n" : "");
  write_launch_path(claim, text);
  wb_text_string(text, " \"pending\": [");
  for (size_t v = 0; v < claim->system.node_count; v++) {
    const struct wb_check_launch_pending *pending = &claim->pending[v];
    size_t members = 0;
    wb_text_format(text, "%s\n  {", v > 0 ? "," : "");
    write_sparse("scoreboards", pending->scoreboard, WB_SCOREBOARD_COUNT, &members, text);
    write_sparse("services", pending->service, claim->code.resource_count, &members, text);
    if (pending->end > 0)
      wb_text_format(text, "%s\"end\": %" PRIu64, wb_json_comma(members++), pending->end);
    if (pending->stay != pending->end)
      wb_text_format(text, "%s\"stay\": %" PRIu64, wb_json_comma(members), pending->stay);
    wb_text_string(text, "}");
  }
  wb_text_string(text, "],\n");
  write_advance(claim, text);
  write_maxima(claim, text);
}
