#include "groups/group_analysis.h"

#include "base/work_control.h"
#include "groups/simt_text.h"
#include "unit.h"

void group_analyse_code(struct group_analysis *made, struct wb_code code,
                        struct wb_simt_options options)
{
  const struct wb_control control = wb_control_start(NULL);
  *made = (struct group_analysis){.code = code, .error = {.message = ""}};
  made->status = wb_simt_analyse(&made->code, &made->code.functions[0], &options, &control,
                                 &made->analysis, &made->error);
  made->graph = made->analysis != NULL ? wb_simt_analysis_graph(made->analysis) : NULL;
}

void group_analyse(struct group_analysis *made, const char *lines, struct wb_simt_options options)
{
  struct wb_code code;
  simt_text_make_barriers(simt_lines(lines), &code);
  group_analyse_code(made, code, options);
}

void group_analysis_free(struct group_analysis *made)
{
  wb_simt_analysis_free(made->analysis);
  wb_code_free(&made->code);
  wb_text_free(&made->text);
}

static void put_block(struct group_analysis *made, uint32_t block, bool last)
{
  const struct wb_warp_block *of = &made->graph->blocks[block];
  wb_text_format(&made->text, "%u", last ? of->last : of->first);
  if (of->context != 0)
    wb_text_format(&made->text, "/%u", of->context);
}

static void put_space(struct group_analysis *made)
{
  if (made->text.length > 0)
    wb_text_string(&made->text, " ");
}

static void put_edges(struct group_analysis *made)
{
  static const char *const kinds[] = {"f", "b", "c", "t", "r"};
  static const char *const rates[] = {"", "e", "l"};
  const struct wb_warp_graph *graph = made->graph;
  size_t pop = 0;
  for (size_t e = 0; e < graph->edge_count; e++) {
    put_space(made);
    put_block(made, graph->edges[e].from, true);
    wb_text_string(&made->text, ">");
    put_block(made, graph->edges[e].to, false);
    wb_text_format(&made->text, "%s%s", kinds[graph->edges[e].kind], rates[graph->edges[e].rate]);
    for (; pop < graph->pop_count && graph->pops[pop].edge == e; pop++)
      wb_text_string(&made->text, "*");
  }
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (!graph->ends[b])
      continue;
    wb_text_string(&made->text, " $");
    put_block(made, b, true);
  }
}

static void put_entries(struct group_analysis *made)
{
  const struct wb_warp_graph *graph = made->graph;
  for (uint32_t e = 0; e < graph->entry_count; e++) {
    const struct wb_warp_entry *entry = &graph->entries[e];
    put_space(made);
    wb_text_format(&made->text, "%u", entry->point);
    if (entry->context != 0)
      wb_text_format(&made->text, "/%u", entry->context);
    wb_text_format(&made->text, "%s%s(", entry->token == WB_TOKEN_WARP ? "w" : "s",
                   entry->once ? "!" : "");
    const char *space = "";
    for (size_t p = 0; p < graph->push_count; p++) {
      if (graph->pushes[p].entry != e)
        continue;
      wb_text_string(&made->text, space);
      put_block(made, graph->pushes[p].block, true);
      wb_text_string(&made->text, graph->pushes[p].divergent ? "~" : "");
      space = " ";
    }
    wb_text_string(&made->text, ")");
  }
}

static void put_branches(struct group_analysis *made)
{
  const struct wb_warp_graph *graph = made->graph;
  for (size_t d = 0; d < graph->divergence_point_count; d++)
    wb_text_format(&made->text, "%u ", graph->divergence_points[d]);
  wb_text_string(&made->text, "|");
  for (size_t u = 0; u < graph->uniform_branch_count; u++)
    wb_text_format(&made->text, " %u", graph->uniform_branches[u]);
}

static void put_list(struct group_analysis *made, const char *before, size_t first, size_t count)
{
  if (count == 0)
    return;
  wb_text_string(&made->text, before);
  for (size_t i = first; i < first + count; i++)
    wb_text_format(&made->text, i > first ? " %u" : "%u", made->graph->scope_instructions[i]);
  wb_text_string(&made->text, ")");
}

static void put_scopes(struct group_analysis *made)
{
  const struct wb_warp_graph *graph = made->graph;
  for (size_t s = 0; s < graph->scope_count; s++) {
    const struct wb_warp_scope *scope = &graph->scopes[s];
    put_space(made);
    wb_text_format(&made->text, "%u:%u", scope->open, scope->point);
    if (scope->parent != UINT32_MAX)
      wb_text_format(&made->text, " in %u", graph->scopes[scope->parent].open);
    put_list(made, " (", scope->first_sync, scope->sync_count);
    put_list(made, " x(", scope->first_break, scope->break_count);
  }
}

static void put_innermost(struct group_analysis *made)
{
  const struct wb_warp_graph *graph = made->graph;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    if (graph->innermost_scopes[b] == UINT32_MAX)
      continue;
    put_space(made);
    put_block(made, b, false);
    wb_text_format(&made->text, ":%u", graph->scopes[graph->innermost_scopes[b]].open);
  }
}

static void put_several(struct group_analysis *made)
{
  for (uint32_t b = 0; b < made->graph->block_count; b++) {
    if (!made->graph->several[b])
      continue;
    put_space(made);
    put_block(made, b, false);
  }
}

void group_expect(const char *lines, struct wb_simt_options options, const char *parts)
{
  static const struct {
    const char *name;
    void (*put)(struct group_analysis *made);
  } rows[] = {{"edges", put_edges},   {"entries", put_entries},     {"branches", put_branches},
              {"scopes", put_scopes}, {"innermost", put_innermost}, {"several", put_several}};
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, options);
  assert_string_equal(made.error.message, "");
  assert_ok(made.status);
  assert_null(wb_warp_graph_check(made.graph));
  for (const char *part = parts; part != NULL && *part != '\0'; part = strstr(part, "; ")) {
    part += part == parts ? 0 : 2;
    size_t row = 0;
    while (row < COUNT_OF(rows) && strncmp(part, rows[row].name, strlen(rows[row].name)) != 0)
      row++;
    assert_true(row < COUNT_OF(rows));
    const char *expected = part + strlen(rows[row].name) + 2; /* ": " */
    const size_t length = strcspn(expected, ";");
    wb_text_free(&made.text);
    wb_text_string(&made.text, "");
    rows[row].put(&made);
    const char *found = made.text.data != NULL ? made.text.data : "";
    if (strlen(found) != length || strncmp(found, expected, length) != 0)
      fail_msg("%s\n%s: expected '%.*s', found '%s'", lines, rows[row].name, (int)length, expected,
               found);
  }
}

bool group_assumes(const struct group_analysis *made, const char *part)
{
  const struct wb_list *assumptions = &made->graph->assumptions;
  bool found = false;
  for (size_t a = 0; a < assumptions->count; a++)
    found = found || strstr(assumptions->items[a], part) != NULL;
  return found;
}

bool group_balanced(const char *lines, struct wb_simt_options options, const char *first,
                    const char *other, const char *last)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, options);
  assert_string_equal(made.error.message, "");
  assert_ok(made.status);
  const size_t count = made.graph->block_count;
  bool *body = calloc(count, sizeof *body);
  bool *headers = calloc(count, sizeof *headers);
  size_t found = 0;
  assert_non_null(body);
  assert_non_null(headers);
  for (uint32_t b = 0; b < count; b++) {
    const uint32_t at = made.graph->blocks[b].first;
    body[b] = at >= simt_text_label(simt_lines(lines), first) &&
              at < simt_text_label(simt_lines(lines), last);
    headers[b] = at == simt_text_label(simt_lines(lines), first) ||
                 (other != NULL && at == simt_text_label(simt_lines(lines), other));
    found += headers[b];
  }
  assert_true(found > 0);
  const bool balanced = wb_simt_loop_balanced(made.analysis, headers, body);
  free(body);
  free(headers);
  return balanced;
}
