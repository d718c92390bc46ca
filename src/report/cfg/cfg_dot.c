/* The warp-level graph for Graphviz. */
#include "base/arena.h"
#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text/utf8.h"
#include "report/cfg/cfg_picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops and scopes as frames in each other ---- */

#define NONE UINT32_MAX

/* The page is frame 0, loop l is frame l + 1. */
#define PAGE 0

/* Frames under way. All loops and scopes that are compared have a block in common, so that scopes
 * lie in each other: depths tell which in which. */
struct maker {
  const struct wb_control_flow *flow;
  struct wb_cfg_frames *frames;
  struct wb_arena arena; /* of the four */
  uint32_t *depth;       /* by scope: from 1 for an outermost one */
  uint32_t *loop_scope;  /* by loop: the innermost scope that all of its blocks are in, or NONE */
  bool *seen;            /* by loop: loop_scope is set */
  uint32_t *pieces;      /* by scope: the frame of its latest piece, or NONE */
};

static uint32_t scope_of(const struct maker *maker, uint32_t block)
{
  const struct wb_warp_graph *united = &maker->flow->united;
  return united->groups ? united->innermost_scopes[block] : NONE;
}

static uint32_t depth_of(const struct maker *maker, uint32_t scope)
{
  return scope != NONE ? maker->depth[scope] : 0;
}

static bool add_frame(struct maker *maker, enum wb_frame_kind kind, uint32_t id)
{
  struct wb_cfg_frames *frames = maker->frames;
  if (!wb_grow(frames->frames, &frames->capacity, frames->count + 1))
    return false;
  frames->frames[frames->count++] = (struct wb_cfg_frame){.kind = (uint8_t)kind,
                                                          .id = id,
                                                          .parent = NONE,
                                                          .first_block = NONE,
                                                          .first_child = NONE,
                                                          .next = NONE,
                                                          .loop = NONE,
                                                          .earlier = NONE};
  return true;
}

/* The innermost frame of what is in a loop and in a scope, either of which may be NONE: that of the
 * loop, or where this is not all in the scope, the piece of the scope that lies in the loop. NONE
 * where memory is out. */
static uint32_t find_frame(struct maker *maker, uint32_t loop, uint32_t scope)
{
  const bool inside =
      scope == NONE ||
      (loop != NONE && depth_of(maker, scope) <= depth_of(maker, maker->loop_scope[loop]));
  if (inside)
    return loop != NONE ? loop + 1 : PAGE;
  uint32_t piece = maker->pieces[scope];
  while (piece != NONE && maker->frames->frames[piece].loop != loop)
    piece = maker->frames->frames[piece].earlier;
  if (piece != NONE)
    return piece;
  if (!add_frame(maker, WB_FRAME_SCOPE, scope))
    return NONE;
  piece = (uint32_t)maker->frames->count - 1;
  maker->frames->frames[piece].loop = loop;
  maker->frames->frames[piece].earlier = maker->pieces[scope];
  maker->pieces[scope] = piece;
  return piece;
}

/* The frame around a loop is that of the loop around it, or where that is not in all scopes that
 * this one is in, of the innermost of these. Frames that are added meanwhile come to their turn
 * too. */
static bool find_parents(struct maker *maker)
{
  struct wb_cfg_frames *frames = maker->frames;
  for (uint32_t f = 1; f < frames->count; f++) {
    const struct wb_cfg_frame frame = frames->frames[f];
    const uint32_t parent =
        frame.kind == WB_FRAME_LOOP
            ? find_frame(maker, maker->flow->loops.loops[frame.id].parent,
                         maker->loop_scope[frame.id])
            : find_frame(maker, frame.loop, maker->flow->united.scopes[frame.id].parent);
    if (parent == NONE)
      return false;
    frames->frames[f].parent = parent;
  }
  for (uint32_t f = (uint32_t)frames->count; f-- > 1;) {
    struct wb_cfg_frame *parent = &frames->frames[frames->frames[f].parent];
    frames->frames[f].next = parent->first_child;
    parent->first_child = f;
  }
  return true;
}

static bool make(struct maker *maker)
{
  const struct wb_control_flow *flow = maker->flow;
  const size_t scopes = flow->united.scope_count;
  maker->frames->next_block = wb_allocate(flow->united.block_count, sizeof *maker->depth);
  maker->depth = wb_arena_array(&maker->arena, uint32_t, scopes);
  maker->pieces = wb_arena_array(&maker->arena, uint32_t, scopes);
  maker->loop_scope = wb_arena_array(&maker->arena, uint32_t, flow->loops.count);
  maker->seen = wb_arena_array(&maker->arena, bool, flow->loops.count);
  if (maker->arena.failed || maker->frames->next_block == NULL ||
      !add_frame(maker, WB_FRAME_PAGE, 0))
    return false;
  for (size_t s = 0; s < scopes; s++)
    maker->pieces[s] = NONE;
  for (uint32_t l = 0; l < flow->loops.count; l++) {
    if (!add_frame(maker, WB_FRAME_LOOP, l))
      return false;
  }
  /* Finds depths, and the scopes of loops: each block counts for all loops around it. */
  const struct wb_united_loops *loops = &flow->loops;
  for (uint32_t s = 0; s < scopes; s++) {
    for (uint32_t at = s; at != NONE; at = flow->united.scopes[at].parent)
      maker->depth[s]++;
  }
  for (uint32_t b = 0; b < flow->united.block_count; b++) {
    for (uint32_t l = loops->innermost[b]; l != NONE; l = loops->loops[l].parent) {
      uint32_t scope = scope_of(maker, b);
      uint32_t common = maker->seen[l] ? maker->loop_scope[l] : scope;
      while (common != scope) {
        uint32_t *deeper = depth_of(maker, common) >= depth_of(maker, scope) ? &common : &scope;
        *deeper = flow->united.scopes[*deeper].parent;
      }
      maker->loop_scope[l] = common;
      maker->seen[l] = true;
    }
  }
  uint32_t *frame_of = maker->frames->next_block;
  for (uint32_t b = 0; b < flow->united.block_count; b++) {
    frame_of[b] = find_frame(maker, loops->innermost[b], scope_of(maker, b));
    if (frame_of[b] == NONE)
      return false;
  }
  for (uint32_t b = (uint32_t)flow->united.block_count; b-- > 0;) {
    struct wb_cfg_frame *frame = &maker->frames->frames[frame_of[b]];
    maker->frames->next_block[b] = frame->first_block;
    frame->first_block = b;
  }
  return find_parents(maker);
}

bool wb_cfg_frames_make(const struct wb_control_flow *flow, struct wb_cfg_frames *frames)
{
  struct maker maker = {.flow = flow, .frames = frames};
  *frames = (struct wb_cfg_frames){0};
  const bool made = make(&maker);
  wb_arena_free(&maker.arena);
  return made;
}

void wb_cfg_frames_free(struct wb_cfg_frames *frames)
{
  free(frames->frames);
  free(frames->next_block);
  *frames = (struct wb_cfg_frames){0};
}

/* The room of a label. */
#define STRETCHES 3
#define INSTRUCTION_COLUMNS 34
#define NAME_COLUMNS 60
#define LIST_COLUMNS 18
/* The room of a tooltip: instructions, and bytes of each. */
#define TOOLTIP_INSTRUCTIONS 200
#define TOOLTIP_COLUMNS 100
/* From so many blocks on, crossings are not fought for longer than this. */
#define LARGE_GRAPH 400

/* More reactivations of one block than this are listed beside it instead of drawn: EXIT can have
 * one to every block that lanes may wait at. */
#define REACTIVATIONS_DRAWN 3

/* A function under way. heat: of its worst path, or NULL. index: its number among the functions,
 * which is part of the names of nodes; lines: room for the source lines of any block; entered: by
 * block, the loop that can be entered there, or NONE.
 */
struct writer {
  const struct wb_control_flow *flow;
  const struct wb_cfg_heat *heat;
  size_t index;
  bool names;
  struct wb_source_line *lines;
  uint32_t *entered;
  struct wb_cfg_frames frames;
  struct wb_text *text;
};

/* Appends a text that was put together, which is freed, for a quoted string, cut at so many bytes.
 */
static void put_text(struct wb_text *text, struct wb_text *part, size_t columns)
{
  const char *string = part->data != NULL ? part->data : "";
  size_t length;
  for (size_t at = 0; string[at] != '\0'; at += length) {
    wb_utf8_decode(string + at, &length);
    if (at + length > columns) {
      wb_text_string(text, "...");
      break;
    }
    if (string[at] == '"' || string[at] == '\\')
      wb_text_string(text, "\\");
    wb_text_append(text, string + at, length);
  }
  text->failed = text->failed || part->failed;
  wb_text_free(part);
}

static void write_label(const struct writer *writer, size_t block_id)
{
  const struct wb_control_flow *flow = writer->flow;
  const struct wb_warp_block *block = &flow->united.blocks[block_id];
  const struct wb_instruction *first = &flow->function->instructions[block->first];
  const struct wb_instruction *last = &flow->function->instructions[block->last];
  struct wb_text part = {0};
  const char *subroutine = wb_cfg_subroutine(flow->function, block);
  if (subroutine != NULL) {
    wb_text_clean(&part, subroutine);
    put_text(writer->text, &part, INSTRUCTION_COLUMNS);
    wb_text_string(writer->text, "\\l");
  }
  wb_text_format(writer->text, "%zu:  %04x-%04x  (%u)\\l", block_id, first->address, last->address,
                 block->last - block->first + 1);
  size_t count = wb_cfg_source_lines(flow->function, block, writer->lines);
  if (count > 0) {
    if (!writer->names)
      wb_text_string(&part, count > 1 ? "lines " : "line ");
    wb_cfg_write_lines(flow->code, writer->lines, count, writer->names, STRETCHES, &part);
    put_text(writer->text, &part, INSTRUCTION_COLUMNS);
    wb_text_string(writer->text, "\\l");
  }
  wb_cfg_write_instruction(flow->function, last, &part);
  put_text(writer->text, &part, INSTRUCTION_COLUMNS);
  wb_text_string(writer->text, "\\l");
}

static bool begins_before(const void *items, size_t index, const void *key)
{
  return ((const struct wb_warp_edge *)items)[index].from < *(const uint32_t *)key;
}

/* The edges from a block, and how many of them are reactivations. */
static size_t edges_of(const struct wb_warp_graph *united, size_t first, size_t *reactivations)
{
  size_t count = 0;
  *reactivations = 0;
  while (first + count < united->edge_count &&
         united->edges[first + count].from == united->edges[first].from)
    *reactivations += united->edges[first + count++].kind == WB_EDGE_REACTIVATION;
  return count;
}

/* The whole instructions of a block, a line each, for whoever points at it. */
static void write_tooltip(const struct writer *writer, const struct wb_warp_block *block)
{
  const struct wb_function *function = writer->flow->function;
  uint32_t shown = block->last - block->first + 1;
  shown = shown < TOOLTIP_INSTRUCTIONS ? shown : TOOLTIP_INSTRUCTIONS;
  wb_text_string(writer->text, " tooltip=\"");
  for (uint32_t i = block->first; i < block->first + shown; i++) {
    struct wb_text part = {0};
    wb_text_format(&part, "%04x  ", function->instructions[i].address);
    wb_cfg_write_instruction(function, &function->instructions[i], &part);
    put_text(writer->text, &part, TOOLTIP_COLUMNS);
    wb_text_string(writer->text, "\\n");
  }
  if (block->first + shown <= block->last)
    wb_text_format(writer->text, "and %u more\\n", block->last - block->first + 1 - shown);
  wb_text_string(writer->text, "\"");
}

static void write_block(const struct writer *writer, uint32_t block)
{
  static const char *const looks[] = {
      "",
      " fillcolor=\"" WB_UNIFORM_FILL "\" color=\"" WB_UNIFORM_LINE "\"",
      " fillcolor=\"" WB_SPLIT_FILL "\" color=\"" WB_SPLIT_LINE "\" penwidth=2.2",
  };
  const struct wb_warp_graph *united = &writer->flow->united;
  const struct wb_cfg_heat *heat = writer->heat;
  const double share =
      heat != NULL && heat->total > 0 ? (double)heat->cycles[block] / (double)heat->total : 0;
  wb_text_format(writer->text, "f%zub%u [label=\"", writer->index, block);
  write_label(writer, block);
  if (writer->heat != NULL)
    wb_text_format(writer->text, "%" PRId64 " x, %" PRId64 " cycles, %.1f%%\\l", heat->runs[block],
                   heat->cycles[block], 100 * share);
  wb_text_format(writer->text, "\"%s%s%s", looks[wb_cfg_lanes(united, block)],
                 united->ends[block] ? " peripheries=2" : "",
                 united->groups && united->several[block] ? " style=\"filled,dashed\"" : "");
  if (writer->heat != NULL) {
    char colour[WB_HEAT_COLOUR_SIZE];
    wb_heat_colour(share, colour);
    wb_text_format(writer->text, " fillcolor=\"%s\"", colour);
  }
  write_tooltip(writer, &united->blocks[block]);
  wb_text_string(writer->text, "];\n");
  /* The list of a block's reactivations, where there are many. */
  const size_t first = wb_lower_bound(united->edges, united->edge_count, begins_before, &block);
  size_t reactivations;
  size_t count = edges_of(united, first, &reactivations);
  bool none = count == 0 || united->edges[first].from != block;
  if (none || reactivations <= REACTIVATIONS_DRAWN)
    return;
  struct wb_text list = {0};
  wb_cfg_write_targets(&united->edges[first], count, WB_EDGE_REACTIVATION, ", ", &list);
  wb_text_format(writer->text, "f%zur%u [label=\"reactivates\\l", writer->index, block);
  /* A list "1, 2, 3" as lines, which is freed. */
  size_t column = 0;
  for (size_t i = 0; i < list.length; i++) {
    bool breaks = list.data[i] == ' ' && column >= LIST_COLUMNS;
    wb_text_append(writer->text, breaks ? "\\l" : &list.data[i], breaks ? 2 : 1);
    column = breaks ? 0 : column + 1;
  }
  writer->text->failed = writer->text->failed || list.failed;
  wb_text_free(&list);
  wb_text_string(writer->text, "\\l\" style=\"filled,dashed,rounded\" color=\"" WB_REACTIVATION_EDGE
                               "\" fontcolor=\"" WB_REACTIVATION_EDGE "\"];\n");
  wb_text_format(writer->text,
                 "f%zub%u -> f%zur%u [color=\"" WB_REACTIVATION_EDGE
                 "\" style=dashed penwidth=1.6];\n",
                 writer->index, block, writer->index, block);
}

static void open_frame(const struct writer *writer, uint32_t f)
{
  const struct wb_cfg_frame *frame = &writer->frames.frames[f];
  if (frame->kind == WB_FRAME_LOOP) {
    static const char *const fills[] = {"#eef4ff", "#dfeaff", "#cfe0ff", "#bfd5ff"};
    const struct wb_united_loop *loop = &writer->flow->loops.loops[frame->id];
    size_t shade = loop->depth - 1 < 3 ? loop->depth - 1 : 3;
    wb_text_format(writer->text,
                   "subgraph cluster_f%zul%u {\nlabel=\"%s %u, depth %u\"; labeljust=l;"
                   " style=\"rounded,filled\"; fillcolor=\"%s\"; color=\"%s\"; fontcolor=\"%s\";\n",
                   writer->index, frame->id, loop->irreducible ? "irreducible region" : "loop",
                   loop->header, loop->depth,
                   loop->irreducible ? WB_IRREDUCIBLE_FILL : fills[shade],
                   loop->irreducible ? WB_IRREDUCIBLE_LINE : WB_LOOP_LINE,
                   loop->irreducible ? WB_IRREDUCIBLE_LINE : WB_BACK_EDGE);
  } else if (frame->kind == WB_FRAME_SCOPE) {
    /* Where it begins and where its lanes wait: at several places, or nowhere, it says how many. */
    const struct wb_control_flow *flow = writer->flow;
    const struct wb_warp_scope *scope = &flow->united.scopes[frame->id];
    const struct wb_instruction *instructions = flow->function->instructions;
    wb_text_format(writer->text, "subgraph cluster_f%zus%u {\nlabel=\"scope %u, BSSY %04x",
                   writer->index, f, frame->id, instructions[scope->open].address);
    if (scope->sync_count == 1)
      wb_text_format(writer->text, ", BSYNC %04x",
                     instructions[flow->united.scope_instructions[scope->first_sync]].address);
    else
      wb_text_format(writer->text, ", %zu BSYNC", scope->sync_count);
    wb_text_string(writer->text, "\"; labeljust=l; style=\"rounded,dashed\"; color=\"" WB_SCOPE_LINE
                                 "\"; fontcolor=\"" WB_SCOPE_LINE "\";\n");
  }
  for (uint32_t b = frame->first_block; b != NONE; b = writer->frames.next_block[b])
    write_block(writer, b);
}

static bool is_below(const void *items, size_t index, const void *key)
{
  return ((const uint32_t *)items)[index] < *(const uint32_t *)key;
}

static bool is_back_edge(const struct writer *writer, const struct wb_warp_edge *edge)
{
  const struct wb_united_loops *loops = &writer->flow->loops;
  const uint32_t entered = writer->entered[edge->to];
  if (entered == NONE || edge->kind == WB_EDGE_REACTIVATION)
    return false;
  const struct wb_united_loop *loop = &loops->loops[entered];
  const uint32_t *members = &loops->members[loop->first_back_edge];
  const size_t place = wb_lower_bound(members, loop->back_edge_count, is_below, &edge->from);
  return place < loop->back_edge_count && members[place] == edge->from;
}

static void write_edges(const struct writer *writer)
{
  static const char *const looks[] = {
      "color=\"" WB_PLAIN_EDGE "\"",
      "color=\"" WB_BRANCH_EDGE "\"",
      "color=\"" WB_CALL_EDGE "\" style=dotted penwidth=1.8",
      "color=\"" WB_CALL_EDGE "\" style=dotted penwidth=1.8 arrowhead=empty",
      "color=\"" WB_REACTIVATION_EDGE "\" style=dashed constraint=false penwidth=1.6",
  };
  const struct wb_warp_graph *united = &writer->flow->united;
  size_t reactivations;
  size_t count;
  for (size_t first = 0; first < united->edge_count; first += count) {
    count = edges_of(united, first, &reactivations);
    for (size_t e = first; e < first + count; e++) {
      const struct wb_warp_edge *edge = &united->edges[e];
      if (edge->kind == WB_EDGE_REACTIVATION && reactivations > REACTIVATIONS_DRAWN)
        continue;
      wb_text_format(writer->text, "f%zub%u -> f%zub%u [%s", writer->index, edge->from,
                     writer->index, edge->to,
                     is_back_edge(writer, edge) ? "color=\"" WB_BACK_EDGE "\" penwidth=2.6"
                                                : looks[edge->kind]);
      /* How often the worst path takes it; the later attributes of an edge win. */
      const int64_t taken = writer->heat != NULL ? writer->heat->taken[e] : 0;
      if (taken > 0)
        wb_text_format(writer->text,
                       " color=\"" WB_PATH_COLOUR "\" fontcolor=\"" WB_PATH_COLOUR
                       "\" penwidth=2.8 label=\" %" PRId64 "\"",
                       taken);
      wb_text_string(writer->text,
                     writer->heat != NULL && taken <= 0 ? " penwidth=0.8];\n" : "];\n");
    }
  }
}

static void write_function(struct writer *writer)
{
  const struct wb_control_flow *flow = writer->flow;
  struct wb_text *text = writer->text;
  struct wb_text name = {0};
  const struct wb_united_loops *loops = &writer->flow->loops;
  memset(writer->entered, 0xff, writer->flow->united.block_count * sizeof *writer->entered);
  for (uint32_t l = (uint32_t)loops->count; l-- > 0;) {
    const struct wb_united_loop *loop = &loops->loops[l];
    for (size_t i = loop->first_entry; i < loop->first_entry + loop->entry_count; i++)
      writer->entered[loops->members[i]] = l;
  }
  wb_text_format(text, "subgraph cluster_f%zu {\nlabel=\"", writer->index);
  wb_text_clean(&name, flow->function->name);
  put_text(text, &name, NAME_COLUMNS);
  wb_text_string(text, flow->function->sm > 0 ? ", " : "");
  wb_cfg_write_isa(flow->function, text);
  if (writer->heat != NULL)
    wb_text_format(text, "\\lWCET %" PRId64 " cycles, %s", writer->heat->wcet, writer->heat->kind);
  wb_text_format(text,
                 "\\lblocks %zu, edges %zu, loops %zu\\ldivergence points %zu, branches proven"
                 " uniform %zu\\l",
                 flow->united.block_count, flow->united.edge_count, flow->loops.count,
                 flow->united.divergence_point_count, flow->united.uniform_branch_count);
  if (flow->united.groups)
    wb_text_format(text, "scopes %zu\\l", flow->united.scope_count);
  wb_text_string(text, "\"; labeljust=l; fontsize=13; color=\"#ffffff00\";\n");
  wb_text_format(text, "f%zus [label=\"\" shape=circle width=0.16 fillcolor=black];\n",
                 writer->index);
  /* A walk over the tree of frames: down to the first child, else on to the next one, closing what
   * ends. */
  const struct wb_cfg_frame *frames = writer->frames.frames;
  uint32_t frame = 0;
  while (frame != NONE) {
    open_frame(writer, frame);
    uint32_t next = frames[frame].first_child;
    while (frame != NONE && next == NONE) {
      wb_text_string(writer->text, "}\n");
      next = frames[frame].next;
      frame = frames[frame].parent;
    }
    frame = next;
  }
  wb_text_format(text, "f%zus -> f%zub%u [color=\"" WB_BRANCH_EDGE "\"];\n", writer->index,
                 writer->index, flow->united.entry_block);
  write_edges(writer);
}

void wb_cfg_dot(const struct wb_cfg_report *report, bool legend, struct wb_text *text)
{
  size_t blocks = 0;
  for (size_t f = 0; f < report->count; f++)
    blocks += report->flows[f].united.block_count;
  wb_text_string(text,
                 "digraph warp_control_flow {\n"
                 "graph [fontname=\"Helvetica,Arial,sans-serif\" fontsize=10 newrank=false"
                 " nodesep=0.25 ranksep=0.32];\n"
                 "node [shape=box style=filled fillcolor=white color=\"" WB_BLOCK_LINE
                 "\" fontname=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" fontsize=9"
                 " margin=\"0.08,0.04\"];\n"
                 "edge [arrowsize=0.6 fontname=\"Helvetica,Arial,sans-serif\" fontsize=9];\n");
  if (blocks >= LARGE_GRAPH)
    wb_text_string(text, "graph [splines=line nslimit=2 nslimit1=2 mclimit=0.2];\n");
  if (legend)
    wb_cfg_legend_dot(wb_cfg_legend_of(report), text);
  for (size_t f = 0; f < report->count; f++) {
    struct writer writer = {.flow = &report->flows[f],
                            .heat = report->heat != NULL ? &report->heat[f] : NULL,
                            .index = f,
                            .text = text};
    if (writer.flow->graph == NULL)
      continue;
    writer.names = wb_cfg_source_files(writer.flow->function) > 1;
    const struct wb_control_flow *flow = writer.flow;
    writer.lines = wb_allocate(flow->function->instruction_count, sizeof *writer.lines);
    writer.entered = wb_allocate(flow->united.block_count, sizeof *writer.entered);
    if (wb_cfg_frames_make(flow, &writer.frames) && writer.lines != NULL && writer.entered != NULL)
      write_function(&writer);
    else
      text->failed = true;
    free(writer.lines);
    free(writer.entered);
    wb_cfg_frames_free(&writer.frames);
  }
  wb_text_string(text, "}\n");
}
