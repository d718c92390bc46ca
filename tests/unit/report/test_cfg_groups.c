/* Reports on graphs in which several groups of lanes run: scopes of convergence barriers in text,
 * JSON and pictures, and the frames of these. */
#include "base/random.h"
#include "make_graph.h"
#include "report/cfg/cfg_picture.h"
#include "report/cfg/cfg_report.h"
#include "unit.h"

#include <jansson.h>

#define NONE UINT32_MAX
#define SCOPE_LIMIT 8

/* A graph with groups. */
struct sample {
  struct made_graph made;
  struct wb_control_flow flow;
  struct wb_warp_scope scopes[SCOPE_LIMIT];
  uint32_t scope_instructions[MADE_LIMIT];
  uint32_t innermost[MADE_LIMIT];
  bool several[MADE_LIMIT];
  uint32_t split[1];
  struct wb_simt_options options;
};

static void finish(struct sample *sample, size_t scopes)
{
  struct made_graph *made = &sample->made;
  made->function.sm = 75;
  made->graph.groups = true;
  made->graph.scopes = sample->scopes;
  made->graph.scope_count = scopes;
  made->graph.scope_instructions = sample->scope_instructions;
  made->graph.innermost_scopes = sample->innermost;
  made->graph.several = sample->several;
  made_finish(made);
  sample->flow = (struct wb_control_flow){.code = &made->code,
                                          .function = &made->function,
                                          .graph = &made->graph,
                                          .united = made->united};
  assert_ok(wb_control_flow_complete(&sample->flow, NULL));
}

static void drop(struct sample *sample)
{
  wb_united_loops_free(&sample->flow.loops);
  wb_dominators_free(&sample->flow.dominators);
}

/* A loop in a scope, that lanes leave one by one, and in the loop another scope with a BREAK. */
static void make_sample(struct sample *sample)
{
  struct made_graph *made = &sample->made;
  *sample = (struct sample){0};
  made_start(made, "kernel", 8);
  made->instructions[0].opcode = "BSSY";
  made->instructions[4].opcode = "BREAK";
  made->ends[5] = true;
  made_blocks(made, "0 1-2 3-4 5 6 7");
  made_edges(made, "0f1 1f2 1b4 2f3 3b1 4f5");
  sample->scopes[0] = (struct wb_warp_scope){
      .open = 0, .point = 7, .parent = NONE, .first_sync = 0, .sync_count = 1, .first_break = 1};
  sample->scopes[1] = (struct wb_warp_scope){.open = 2,
                                             .point = 6,
                                             .parent = 0,
                                             .first_sync = 1,
                                             .sync_count = 2,
                                             .first_break = 3,
                                             .break_count = 1};
  static const uint32_t instructions[] = {6, 3, 5, 4};
  memcpy(sample->scope_instructions, instructions, sizeof instructions);
  made->graph.scope_instruction_count = 4;
  static const uint32_t innermost[] = {NONE, 0, 1, 1, 0, NONE};
  memcpy(sample->innermost, innermost, sizeof innermost);
  sample->several[4] = true;
  sample->split[0] = 2;
  made->graph.divergence_points = sample->split;
  made->graph.divergence_point_count = 1;
  finish(sample, 2);
}

/* ---- what reports say ---- */

static struct wb_cfg_report report_of(struct sample *sample)
{
  return (struct wb_cfg_report){
      .code = &sample->made.code, .options = &sample->options, .flows = &sample->flow, .count = 1};
}

static json_t *json_of(struct sample *sample)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const struct wb_cfg_report report = report_of(sample);
  wb_cfg_json(&report, &text);
  assert_false(text.failed);
  json_t *object = json_loads(text.data, JSON_REJECT_DUPLICATES, NULL);
  assert_non_null(object);
  return object;
}

static void assert_json(json_t *value, const char *expected)
{
  char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
  assert_string_equal(dump, expected);
  free(dump);
}

TEST(json_has_scopes)
{
  FREED_BY(drop) struct sample sample;
  make_sample(&sample);
  json_t *object = json_of(&sample);
  json_t *kernel = json_array_get(json_object_get(object, "kernels"), 0);
  assert_json(json_object_get(kernel, "scopes"),
              "[{\"breaks\":[],\"bssy\":8,\"bsyncs\":[56],\"parent\":null,\"point\":64},"
              "{\"breaks\":[40],\"bssy\":24,\"bsyncs\":[32,48],\"parent\":0,\"point\":56}]");
  json_t *blocks = json_object_get(kernel, "blocks");
  static const char *const chains[] = {"[]", "[0]", "[0,1]", "[0,1]", "[0]", "[]"};
  for (size_t b = 0; b < 6; b++) {
    json_t *block = json_array_get(blocks, b);
    assert_json(json_object_get(block, "scopes"), chains[b]);
    assert_json(json_object_get(block, "several_groups"), b == 4 ? "true" : "false");
  }
  json_decref(object);
}

/* Options of barriers stand there where they are no defaults and something has barriers. */
TEST(json_has_options)
{
  static const struct {
    struct wb_simt_options options;
    bool groups;
    const char *expected;
  } rows[] = {
      {{0}, true, "{\"agreement\":\"all\",\"groups\":true,\"stack\":\"graph\"}"},
      {{.waiting = WB_WAITING_NEVER, .masks_together = true},
       true,
       "{\"agreement\":\"all\",\"groups\":true,\"masks\":\"together\",\"reconvergence\":\"never\","
       "\"stack\":\"graph\"}"},
      {{.waiting = WB_WAITING_ALWAYS},
       true,
       "{\"agreement\":\"all\",\"groups\":true,\"reconvergence\":\"always\",\"stack\":\"graph\"}"},
      {{.waiting = WB_WAITING_ALWAYS},
       false,
       "{\"agreement\":\"all\",\"groups\":true,\"stack\":\"graph\"}"},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    FREED_BY(drop) struct sample sample;
    make_sample(&sample);
    sample.options = rows[r].options;
    sample.flow.united.groups = rows[r].groups;
    json_t *object = json_of(&sample);
    assert_json(json_object_get(object, "options"), rows[r].expected);
    json_t *kernel = json_array_get(json_object_get(object, "kernels"), 0);
    assert_int_equal(json_object_get(kernel, "scopes") != NULL, rows[r].groups);
    json_decref(object);
  }
}

static void assert_has(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    fail_msg("expected '%s' in\n%s", part, text);
}

TEST(text_has_scopes)
{
  FREED_BY(drop) struct sample sample;
  make_sample(&sample);
  struct wb_text text = {0};
  struct wb_cfg_report report = report_of(&sample);
  wb_cfg_text(&report, false, &text);
  assert_false(text.failed);
  assert_has(text.data, "  scopes        2; 1 block may run in several groups of lanes\n");
  assert_has(text.data, " lanes    scope  groups   next\n");
  assert_has(text.data, "split        0           2; branch 4\n");
  assert_has(text.data, "    0  several  5\n");
  assert_has(text.data, "    -           end\n");
  assert_has(text.data, "  scopes\n"
                        "     0  BSSY 0x0008, BSYNC 0x0038; goes on at 0x0040\n"
                        "     1  BSSY 0x0018, BSYNC 0x0020, 0x0030, BREAK 0x0028; "
                        "goes on at 0x0038; in scope 0\n");
  wb_text_free(&text);
  const struct wb_control_flow two[] = {sample.flow, sample.flow};
  report.flows = two;
  report.count = 2;
  wb_cfg_text(&report, false, &text);
  assert_has(text.data, " edges scopes loops ");
  assert_has(text.data, "  sm_75          8      6      6      2      1      1      0  kernel\n");
  wb_text_free(&text);
}

TEST(pictures_have_scopes)
{
  FREED_BY(drop) struct sample sample;
  make_sample(&sample);
  struct wb_text text = {0};
  struct wb_cfg_report report = report_of(&sample);
  wb_cfg_dot(&report, true, &text);
  assert_false(text.failed);
  assert_has(text.data, "label=\"scope 0, BSSY 0008, BSYNC 0038\"");
  assert_has(text.data, "label=\"scope 1, BSSY 0018, 2 BSYNC\"");
  assert_has(text.data, "style=\"filled,dashed\"");
  assert_has(text.data, "scope, from its BSSY to its BSYNC");
  assert_has(text.data, "lanes can end here");
  assert_null(strstr(text.data, "reactivation"));
  assert_null(strstr(text.data, "the warp can end here"));
  wb_text_free(&text);
  sample.flow.united.groups = false;
  wb_cfg_dot(&report, true, &text);
  assert_null(strstr(text.data, "scope"));
  assert_null(strstr(text.data, "lanes can end here"));
  assert_has(text.data, "reactivation");
  wb_text_free(&text);
}

/* ---- frames ---- */

static size_t depth_in(const struct wb_cfg_frames *frames, uint32_t frame, enum wb_frame_kind kind,
                       uint32_t id)
{
  size_t count = 0;
  for (; frame != NONE; frame = frames->frames[frame].parent)
    count += frames->frames[frame].kind == kind && frames->frames[frame].id == id;
  return count;
}

/* Around a block are its loops and scopes, each once, and nothing else. */
static void check_block(const struct sample *sample, const struct wb_cfg_frames *frames,
                        uint32_t frame, uint32_t block)
{
  size_t expected = 1;
  size_t found = 0;
  for (uint32_t l = sample->flow.loops.innermost[block]; l != NONE;
       l = sample->flow.loops.loops[l].parent, expected++)
    assert_int_equal(depth_in(frames, frame, WB_FRAME_LOOP, l), 1);
  for (uint32_t s = sample->innermost[block]; s != NONE; s = sample->scopes[s].parent, expected++)
    assert_int_equal(depth_in(frames, frame, WB_FRAME_SCOPE, s), 1);
  for (; frame != NONE; frame = frames->frames[frame].parent)
    found++;
  assert_int_equal(found, expected);
}

/* All frames are reached from the page by the lists, each once, and so are all blocks. */
static void check_frames(const struct sample *sample, const struct wb_cfg_frames *frames)
{
  bool seen[MADE_LIMIT] = {false};
  size_t blocks = 0;
  size_t children = 0;
  for (uint32_t f = 0; f < frames->count; f++) {
    for (uint32_t b = frames->frames[f].first_block; b != NONE; b = frames->next_block[b]) {
      assert_false(seen[b]);
      seen[b] = true;
      blocks++;
      check_block(sample, frames, f, b);
    }
    for (uint32_t c = frames->frames[f].first_child; c != NONE; c = frames->frames[c].next) {
      assert_int_equal(frames->frames[c].parent, f);
      children++;
    }
  }
  assert_int_equal(blocks, sample->flow.united.block_count);
  assert_int_equal(children, frames->count - 1);
}

TEST(frames_stand_in_each_other)
{
  FREED_BY(drop) struct sample sample;
  FREED_BY(wb_cfg_frames_free) struct wb_cfg_frames frames;
  make_sample(&sample);
  assert_true(wb_cfg_frames_make(&sample.flow, &frames));
  check_frames(&sample, &frames);
  assert_int_equal(frames.count, 4); /* the page, the loop, a piece of each scope */
  assert_int_equal(frames.frames[frames.frames[1].parent].kind, WB_FRAME_SCOPE);
}

/* A scope that begins in a loop and goes on after it is drawn in two pieces. */
TEST(scopes_that_cross_loops_are_cut)
{
  FREED_BY(drop) struct sample sample;
  FREED_BY(wb_cfg_frames_free) struct wb_cfg_frames frames;
  make_sample(&sample);
  static const uint32_t innermost[] = {NONE, NONE, 0, 0, 0, NONE};
  memcpy(sample.innermost, innermost, sizeof innermost);
  assert_true(wb_cfg_frames_make(&sample.flow, &frames));
  check_frames(&sample, &frames);
  assert_int_equal(frames.count, 4);
  assert_int_equal(frames.frames[1].parent, 0);
  size_t pieces = 0;
  for (size_t f = 2; f < frames.count; f++)
    pieces += frames.frames[f].kind == WB_FRAME_SCOPE && frames.frames[f].id == 0;
  assert_int_equal(pieces, 2);
}

/* A graph that the entry reaches all of, with edges and scopes at random. */
static void make_random(struct sample *sample, struct wb_random *random)
{
  struct made_graph *made = &sample->made;
  *sample = (struct sample){0};
  const uint32_t count = 3 + (uint32_t)wb_random_below(random, 10);
  const uint32_t scopes = (uint32_t)wb_random_below(random, SCOPE_LIMIT);
  made_start(made, "random", count);
  made->ends[count - 1] = true;
  for (uint32_t b = 0; b < count; b++)
    made_block(made, b, b, 0);
  for (uint32_t b = 0; b < count; b++) {
    const uint32_t to = 1 + (uint32_t)wb_random_below(random, count - 1);
    if (b + 1 < count)
      made_edge(made, b, b + 1, WB_EDGE_FALLTHROUGH);
    if (to != b + 1 && wb_random_below(random, 2) == 0)
      made_edge(made, b, to, WB_EDGE_BRANCH);
  }
  for (uint32_t s = 0; s < scopes; s++)
    sample->scopes[s] =
        (struct wb_warp_scope){.point = 1, .parent = (uint32_t)wb_random_below(random, s + 1) - 1};
  for (uint32_t b = 0; b < count; b++)
    sample->innermost[b] = (uint32_t)wb_random_below(random, scopes + 1) - 1;
  finish(sample, scopes);
}

TEST(frames_of_anything_are_a_tree)
{
  struct wb_random random = {16};
  size_t cut = 0;
  for (size_t i = 0; i < 3000; i++) {
    FREED_BY(drop) struct sample sample;
    FREED_BY(wb_cfg_frames_free) struct wb_cfg_frames frames;
    make_random(&sample, &random);
    assert_true(wb_cfg_frames_make(&sample.flow, &frames));
    check_frames(&sample, &frames);
    cut += frames.count > 1 + sample.flow.loops.count + sample.flow.united.scope_count;
  }
  assert_true(cut > 100);
}
