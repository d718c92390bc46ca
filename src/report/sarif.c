#include "report/sarif.h"

#include "formats/json/json_output.h"

#define SCHEMA                                                                                     \
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static const struct {
  const char *id, *name, *words, *level;
} known_rules[WB_SARIF_RULES] = {
    {"WB001", "DeadlineNotProven", "The launch is not proven to end within its deadline.", "error"},
    {"WB002", "BudgetNotProven", "The launch is not proven to end within its budget of cycles.",
     "error"},
    {"WB003", "WastefulAccess",
     "An access to memory may take more transactions than its bytes side by side would.", "note"},
    {"WB004", "BoundNotProven", "The bound on the launch is an estimate, and a proof is required.",
     "error"},
    {"WB005", "BoundGrew", "The bound on the launch is worse than its baseline allows.", "error"},
    {"WB006", "NoBound", "The launch has no bound: facts are missing, or it is not understood.",
     "error"},
};

json_t *wb_sarif_result(enum wb_sarif_rule rule, struct wb_text *words)
{
  return json_pack("{s:s, s:i, s:s, s:{s:o}}", "ruleId", known_rules[rule].id, "ruleIndex",
                   (int)rule, "level", known_rules[rule].level, "message", "text",
                   wb_json_clean_text(words));
}

json_t *wb_sarif_tool(unsigned rules)
{
  json_t *list = json_array();
  for (unsigned r = 0; r < rules; r++)
    wb_json_push(&list,
                 json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "id", known_rules[r].id, "name",
                           known_rules[r].name, "shortDescription", "text", known_rules[r].words,
                           "defaultConfiguration", "level", known_rules[r].level));
  return json_pack("{s:{s:s, s:s, s:o}}", "driver", "name", "warpbound", "version",
                   WARPBOUND_VERSION, "rules", list);
}

void wb_sarif_write(json_t *run, struct wb_text *text)
{
  wb_json_append(json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run),
                 text);
}

bool wb_sarif_group(json_t *groups, struct wb_text *key, size_t index, uint64_t worth)
{
  json_t *group = key->failed ? NULL : json_object_get(groups, key->data);
  bool kept = !key->failed;
  if (kept && group == NULL) {
    group = json_pack("{s:I, s:I, s:I}", "count", (json_int_t)1, "index", (json_int_t)index,
                      "worth", (json_int_t)worth);
    kept = json_object_set_new(groups, key->data, group) == 0;
  } else if (kept) {
    const json_int_t count = json_integer_value(json_object_get(group, "count"));
    json_integer_set(json_object_get(group, "count"), count + 1);
    if ((uint64_t)json_integer_value(json_object_get(group, "worth")) < worth) {
      json_integer_set(json_object_get(group, "index"), (json_int_t)index);
      json_integer_set(json_object_get(group, "worth"), (json_int_t)worth);
    }
  }
  wb_text_free(key);
  return kept;
}

struct wb_sarif_cause wb_sarif_cause_of(const json_t *group)
{
  return (struct wb_sarif_cause){
      .index = (size_t)json_integer_value(json_object_get(group, "index")),
      .count = (size_t)json_integer_value(json_object_get(group, "count"))};
}

void wb_sarif_write_others(size_t count, struct wb_text *words)
{
  if (count > 1)
    wb_text_format(words, ", and %zu more access%s of the line", count - 1, count > 2 ? "es" : "");
}
