/* Words that the reports on control flow share, and the warp-level graph as text. */
#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/cfg/cfg_picture.h"
#include "report/report_words.h"

#include <stdlib.h>
#include <string.h>

const char *wb_edge_kind_name(enum wb_edge_kind kind)
{
  static const char *const names[] = {[WB_EDGE_FALLTHROUGH] = "fallthrough",
                                      [WB_EDGE_BRANCH] = "branch",
                                      [WB_EDGE_CALL] = "call",
                                      [WB_EDGE_RETURN] = "return",
                                      [WB_EDGE_REACTIVATION] = "reactivation"};
  return names[kind];
}

void wb_cfg_write_targets(const struct wb_warp_edge *edges, size_t count, enum wb_edge_kind kind,
                          const char *separator, struct wb_text *text)
{
  const char *before = "";
  for (size_t e = 0; e < count; e++) {
    if (edges[e].kind != kind)
      continue;
    uint32_t first = edges[e].to;
    uint32_t last = first;
    for (size_t f = e + 1; f < count && edges[f].to <= last + 1; f++) {
      if (edges[f].kind == kind) {
        last = edges[f].to;
        e = f;
      }
    }
    wb_text_format(text, "%s%u", before, first);
    if (last > first)
      wb_text_format(text, "%s%u", last > first + 1 ? "-" : separator, last);
    before = separator;
  }
}

void wb_cfg_write_isa(const struct wb_function *function, struct wb_text *text)
{
  if (function->sm > 0)
    wb_text_format(text, "sm_%u", function->sm);
}

/* Where an operand that names a target begins, and its length: a label of nvdisasm, or an address,
 * which may be that of the control words before the instruction. NULL where there is none. */
static const char *find_target(const char *operands, size_t *length)
{
  const char *label = strstr(operands, "`(");
  const char *end = label != NULL ? strchr(label, ')') : NULL;
  if (end != NULL) {
    *length = (size_t)(end - label) + 1;
    return label;
  }
  const char *last = NULL;
  for (const char *at = strstr(operands, "0x"); at != NULL; at = strstr(at + 2, "0x"))
    last = at;
  if (last != NULL)
    *length = 2 + strspn(last + 2, "0123456789abcdefABCDEF");
  return last;
}

void wb_cfg_write_instruction(const struct wb_function *function,
                              const struct wb_instruction *instruction, struct wb_text *text)
{
  char name[8];
  if (instruction->never) {
    wb_text_string(text, "@!PT ");
  } else if (instruction->guard != WB_NO_REGISTER) {
    wb_register_name(instruction->guard, name);
    wb_text_format(text, "@%s%s ", instruction->guard_negated ? "!" : "", name);
  }
  wb_text_clean(text, instruction->opcode);
  wb_text_string(text, instruction->operands[0] != '\0' ? " " : "");
  /* The operands, with the address of the instruction that runs next in place of the target. */
  size_t length = 0;
  const char *operands = instruction->operands;
  const bool direct =
      instruction->target_count == 1 && instruction->transfer != WB_TRANSFER_INDEXED_BRANCH;
  const char *at = direct ? find_target(operands, &length) : NULL;
  if (at == NULL) {
    wb_text_clean(text, operands);
    return;
  }
  struct wb_text before = {0};
  wb_text_append(&before, operands, (size_t)(at - operands));
  wb_text_join_clean(text, &before);
  const uint32_t target = function->targets[instruction->first_target];
  wb_text_format(text, "0x%x", function->instructions[target].address);
  wb_text_clean(text, at + length);
}

static void write_file(const struct wb_code *code, uint32_t file, struct wb_text *text)
{
  if (file == 0 || file > code->file_count)
    return;
  const char *path = code->files[file - 1];
  const char *slash = strrchr(path, '/');
  wb_text_clean(text, slash != NULL ? slash + 1 : path);
  wb_text_string(text, ":");
}

static int compare_lines(const void *left, const void *right)
{
  const struct wb_source_line *a = left;
  const struct wb_source_line *b = right;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

size_t wb_cfg_source_lines(const struct wb_function *function, const struct wb_warp_block *block,
                           struct wb_source_line *lines)
{
  size_t count = 0;
  for (uint32_t i = block->first; i <= block->last; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->source_line > 0)
      lines[count++] = (struct wb_source_line){instruction->source_file, instruction->source_line};
  }
  qsort(lines, count, sizeof *lines, compare_lines);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || compare_lines(&lines[kept - 1], &lines[i]) != 0)
      lines[kept++] = lines[i];
  }
  return kept;
}

void wb_cfg_write_lines(const struct wb_code *code, const struct wb_source_line *lines,
                        size_t count, bool names, size_t most, struct wb_text *text)
{
  size_t next;
  for (size_t i = 0, stretch = 0; i < count; i = next, stretch++) {
    next = i + 1;
    while (next < count && lines[next].file == lines[i].file &&
           lines[next].line == lines[next - 1].line + 1)
      next++;
    bool new_file = i == 0 || lines[i].file != lines[i - 1].file;
    wb_text_string(text, i == 0 ? "" : new_file && names ? " " : ",");
    if (stretch == most) {
      wb_text_string(text, "...");
      return;
    }
    if (new_file && names)
      write_file(code, lines[i].file, text);
    wb_text_format(text, "%u", lines[i].line);
    if (next > i + 1)
      wb_text_format(text, "-%u", lines[next - 1].line);
  }
}

size_t wb_cfg_source_files(const struct wb_function *function)
{
  size_t count = 0;
  uint32_t first = 0;
  for (size_t i = 0; i < function->instruction_count && count < 2; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->source_line == 0 || (count > 0 && instruction->source_file == first))
      continue;
    first = instruction->source_file;
    count++;
  }
  return count;
}

static bool is_below(const void *items, size_t index, const void *key)
{
  return ((const uint32_t *)items)[index] < *(const uint32_t *)key;
}

static bool is_among(const uint32_t *sorted, size_t count, uint32_t instruction)
{
  const size_t place = wb_lower_bound(sorted, count, is_below, &instruction);
  return place < count && sorted[place] == instruction;
}

enum wb_lanes wb_cfg_lanes(const struct wb_warp_graph *united, size_t block)
{
  const uint32_t last = united->blocks[block].last;
  if (is_among(united->divergence_points, united->divergence_point_count, last))
    return WB_LANES_SPLIT;
  return is_among(united->uniform_branches, united->uniform_branch_count, last) ? WB_LANES_UNIFORM
                                                                                : WB_LANES_TOGETHER;
}

static bool is_symbol_before(const void *items, size_t index, const void *key)
{
  return ((const struct wb_label *)items)[index].index < *(const uint32_t *)key;
}

const char *wb_cfg_subroutine(const struct wb_function *function, const struct wb_warp_block *block)
{
  const size_t place =
      wb_lower_bound(function->symbols, function->symbol_count, is_symbol_before, &block->first);
  const bool here =
      place < function->symbol_count && function->symbols[place].index == block->first;
  return here && block->first > 0 ? function->symbols[place].name : NULL;
}

size_t wb_cfg_reachable_instructions(const struct wb_warp_graph *united)
{
  size_t count = 0;
  for (size_t b = 0; b < united->block_count; b++)
    count += united->blocks[b].last - united->blocks[b].first + 1;
  return count;
}

/* Source stretches of one block that a line of the table has room for. */
#define STRETCHES 3
/* Columns of the table of blocks that texts may take. */
#define SOURCE_COLUMNS 24
#define ENDING_COLUMNS 32

/* A function under way. lines: room for the source lines of any block; files: as
 * wb_cfg_source_files counts them. */
struct writer {
  const struct wb_control_flow *flow;
  struct wb_source_line *lines;
  struct wb_text *text;
  size_t files;
  bool contexts;
  bool colour;
};

/* Appends a text cut or filled up to so many columns; a column is one byte, which is true of what
 * listings hold but for names of files. */
static void put_column(struct wb_text *text, struct wb_text *column, size_t columns)
{
  const char *data = column->data != NULL ? column->data : "";
  bool whole = column->length <= columns;
  wb_text_append(text, data, whole ? column->length : columns - 3);
  if (whole)
    wb_text_fill(text, ' ', columns - column->length);
  else
    wb_text_string(text, "...");
  text->failed = text->failed || column->failed;
  wb_text_free(column);
}

static size_t edges_of_kind(const struct wb_warp_graph *united, enum wb_edge_kind kind)
{
  size_t count = 0;
  for (size_t e = 0; e < united->edge_count; e++)
    count += united->edges[e].kind == kind;
  return count;
}

/* ", BSYNC 0x0010, 0x0030"; nothing where there are none. */
static void write_scope_places(const struct wb_warp_graph *united, const char *word, size_t first,
                               size_t count, struct wb_text *text)
{
  for (size_t i = 0; i < count; i++) {
    const uint32_t instruction = united->scope_instructions[first + i];
    wb_text_format(text, ", %s%s0x%04x", i == 0 ? word : "", i == 0 ? " " : "",
                   united->function->instructions[instruction].address);
  }
}

static void write_answer(const struct wb_cfg_report *report, struct wb_text *text)
{
  size_t analysed = 0, blocks = 0, loops = 0, divergence_points = 0, uniform = 0;
  for (size_t f = 0; f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    analysed += flow->graph != NULL;
    blocks += flow->united.block_count;
    loops += flow->loops.count;
    divergence_points += flow->united.divergence_point_count;
    uniform += flow->united.uniform_branch_count;
  }
  /* The head before the numbers: the only function's name, or how many there are. */
  size_t kernels = 0;
  for (size_t f = 0; f < report->count; f++)
    kernels += report->flows[f].function->kernel;
  size_t functions = report->count - kernels;
  if (report->count == 1) {
    wb_kernel_name_write(report->flows[0].function->name, text);
  } else {
    if (kernels > 0)
      wb_text_count_of(text, kernels, "kernel");
    if (functions > 0) {
      wb_text_format(text, "%s%s", kernels > 0 ? " and " : "",
                     WB_COUNT_OF(functions, "device function"));
    }
  }
  if (analysed < report->count && report->count > 1)
    wb_text_format(text, ", %zu not analysed", report->count - analysed);
  if (analysed == 0) {
    wb_text_string(text, report->count == 1 ? ": not analysed\n" : "\n");
    return;
  }
  wb_text_format(text, ": %s, %s, %s, %s branch%s proven uniform\n", WB_COUNT_OF(blocks, "block"),
                 WB_COUNT_OF(loops, "loop"), WB_COUNT_OF(divergence_points, "divergence point"),
                 WB_COUNT(uniform), uniform == 1 ? "" : "es");
}

static void write_counts(const struct writer *writer)
{
  const struct wb_control_flow *flow = writer->flow;
  const struct wb_warp_graph *united = &flow->united;
  struct wb_text *text = writer->text;
  size_t reachable = wb_cfg_reachable_instructions(united);
  wb_text_format(text, "  instructions  %zu", reachable);
  if (reachable < flow->function->instruction_count)
    wb_text_format(text, " (of %zu listed; nothing reaches the others)",
                   flow->function->instruction_count);
  wb_text_format(text, "\n  blocks        %zu\n  edges         %zu: ", united->block_count,
                 united->edge_count);
  const char *separator = "";
  for (int k = WB_EDGE_FALLTHROUGH; k <= WB_EDGE_REACTIVATION; k++) {
    size_t count = edges_of_kind(united, (enum wb_edge_kind)k);
    if (count > 0)
      wb_text_format(text, "%s%zu %s", separator, count, wb_edge_kind_name((enum wb_edge_kind)k));
    separator = count > 0 ? ", " : separator;
  }
  wb_text_format(text, "\n  conditional   %zu: %s, %zu proven uniform\n",
                 united->divergence_point_count + united->uniform_branch_count,
                 WB_COUNT_OF(united->divergence_point_count, "divergence point"),
                 united->uniform_branch_count);
  if (united->groups) {
    size_t several = 0;
    for (size_t b = 0; b < united->block_count; b++)
      several += united->several[b];
    wb_text_format(text, "  scopes        %zu; %s may run in several groups of lanes\n",
                   united->scope_count, WB_COUNT_OF(several, "block"));
  }
  wb_text_format(text, "  analysed      in %s, %.3f s\n",
                 WB_COUNT_OF(flow->graph->context_count, "calling context"), flow->seconds);
}

/* In a column with room for five digits. */
static void write_address(const struct writer *writer, uint32_t instruction)
{
  uint32_t address = writer->flow->function->instructions[instruction].address;
  wb_text_format(writer->text, "0x%04x%s  ", address, address < 0x10000 ? " " : "");
}

/* Where the warp goes on after a block; *edge: its first edge, then that of the next block. */
static void write_next(const struct writer *writer, size_t block, size_t *edge)
{
  static const char *const words[] = {[WB_EDGE_FALLTHROUGH] = "",
                                      [WB_EDGE_BRANCH] = "branch ",
                                      [WB_EDGE_CALL] = "call ",
                                      [WB_EDGE_RETURN] = "return ",
                                      [WB_EDGE_REACTIVATION] = "reactivates "};
  const struct wb_warp_graph *united = &writer->flow->united;
  const struct wb_warp_edge *edges = &united->edges[*edge];
  size_t count = 0;
  bool any = false;
  while (*edge + count < united->edge_count && edges[count].from == block)
    count++;
  for (int k = WB_EDGE_FALLTHROUGH; k <= WB_EDGE_REACTIVATION; k++) {
    struct wb_text targets = {0};
    wb_cfg_write_targets(edges, count, (enum wb_edge_kind)k, ", ", &targets);
    if (targets.length > 0)
      wb_text_format(writer->text, "%s%s%s", any ? "; " : "", words[k], targets.data);
    any = any || targets.length > 0;
    writer->text->failed = writer->text->failed || targets.failed;
    wb_text_free(&targets);
  }
  if (united->ends[block])
    wb_text_string(writer->text, any ? "; end" : "end");
  *edge += count;
}

static void write_blocks(const struct writer *writer)
{
  static const char *const lanes[] = {"       ", "uniform", "split  "};
  const struct wb_control_flow *flow = writer->flow;
  wb_text_format(writer->text, "\n%s   block  first    last     count  ",
                 wb_style(WB_STYLE_FAINT, writer->colour));
  if (writer->files > 0)
    wb_text_format(writer->text, "%-*s  ", SOURCE_COLUMNS, "source");
  wb_text_format(writer->text, "%-*s lanes    %snext%s\n", ENDING_COLUMNS, "ends with",
                 flow->united.groups ? "scope  groups   " : "",
                 wb_style(WB_STYLE_PLAIN, writer->colour));
  size_t edge = 0;
  for (size_t b = 0; b < flow->united.block_count; b++) {
    const struct wb_warp_block *block = &flow->united.blocks[b];
    const char *subroutine = wb_cfg_subroutine(flow->function, block);
    if (subroutine != NULL) {
      wb_text_string(writer->text, "          ");
      wb_text_clean(writer->text, subroutine);
      wb_text_string(writer->text, ":\n");
    }
    wb_text_format(writer->text, "  %6zu  ", b);
    write_address(writer, block->first);
    write_address(writer, block->last);
    wb_text_format(writer->text, "%5u  ", block->last - block->first + 1);
    if (writer->files > 0) {
      struct wb_text lines = {0};
      size_t count = wb_cfg_source_lines(writer->flow->function, block, writer->lines);
      wb_cfg_write_lines(writer->flow->code, writer->lines, count, writer->files > 1, STRETCHES,
                         &lines);
      put_column(writer->text, &lines, SOURCE_COLUMNS);
      wb_text_string(writer->text, "  ");
    }
    struct wb_text column = {0};
    const struct wb_function *function = writer->flow->function;
    wb_cfg_write_instruction(function, &function->instructions[block->last], &column);
    put_column(writer->text, &column, ENDING_COLUMNS);
    wb_text_format(writer->text, " %s  ", lanes[wb_cfg_lanes(&flow->united, b)]);
    if (flow->united.groups) {
      /* Two columns of the table of blocks, "scope  groups   ": the innermost scope that is surely
       * open where the block begins, and whether it may run in several groups for one entry of that
       * scope. */
      const uint32_t scope = flow->united.innermost_scopes[b];
      if (scope == UINT32_MAX)
        wb_text_string(writer->text, "    -");
      else
        wb_text_format(writer->text, "%5u", scope);
      wb_text_string(writer->text, flow->united.several[b] ? "  several  " : "           ");
    }
    write_next(writer, b, &edge);
    wb_text_string(writer->text, "\n");
  }
}

/* "kernel.cu:12"; nothing where it is not known. The folders of the file are left out. */
static void write_source(const struct wb_code *code, const struct wb_instruction *instruction,
                         struct wb_text *text)
{
  if (instruction->source_line == 0)
    return;
  write_file(code, instruction->source_file, text);
  wb_text_format(text, "%u", instruction->source_line);
}

static void write_members(const struct writer *writer, size_t first, size_t count)
{
  for (size_t i = first; i < first + count; i++)
    wb_text_format(writer->text, "%s%u", i == first ? " " : ", ", writer->flow->loops.members[i]);
}

static void write_loops(const struct writer *writer)
{
  const struct wb_control_flow *flow = writer->flow;
  struct wb_text *text = writer->text;
  if (flow->loops.count > 0)
    wb_text_string(text, "\n  loops\n");
  for (size_t l = 0; l < flow->loops.count; l++) {
    const struct wb_united_loop *loop = &flow->loops.loops[l];
    const struct wb_instruction *header =
        &flow->function->instructions[flow->united.blocks[loop->header].first];
    wb_text_format(text, "    header %u (0x%04x%s", loop->header, header->address,
                   header->source_line > 0 ? ", " : "");
    write_source(flow->code, header, text);
    wb_text_format(text, "), depth %u, back edge%s from", loop->depth,
                   loop->back_edge_count == 1 ? "" : "s");
    write_members(writer, loop->first_back_edge, loop->back_edge_count);
    if (loop->irreducible) {
      wb_text_string(text, "; irreducible, can be entered at");
      write_members(writer, loop->first_entry, loop->entry_count);
    }
    wb_text_string(text, "\n");
  }
}

static void write_points(const struct writer *writer, const char *title,
                         const uint32_t *instructions, size_t count)
{
  const struct wb_control_flow *flow = writer->flow;
  if (count > 0)
    wb_text_format(writer->text, "\n  %s\n", title);
  for (size_t i = 0; i < count; i++) {
    const struct wb_instruction *instruction = &flow->function->instructions[instructions[i]];
    struct wb_text source = {0};
    wb_text_string(writer->text, "    ");
    write_address(writer, instructions[i]);
    if (writer->files > 0) {
      write_source(flow->code, instruction, &source);
      put_column(writer->text, &source, SOURCE_COLUMNS);
      wb_text_string(writer->text, "  ");
    }
    wb_cfg_write_instruction(flow->function, instruction, writer->text);
    wb_text_string(writer->text, instruction->uniform ? "  (the compiler vouches for it)\n" : "\n");
  }
}

static void write_function(struct writer *writer)
{
  const struct wb_control_flow *flow = writer->flow;
  const struct wb_function *function = flow->function;
  struct wb_text *text = writer->text;
  wb_kernel_title(text, function->name, writer->colour);
  wb_text_string(text, function->kernel ? " (" : " (a device function, ");
  wb_cfg_write_isa(function, text);
  wb_text_string(text, function->sm > 0 ? ")\n" : "architecture not known)\n");
  if (flow->graph == NULL) {
    wb_text_format(text,
                   "  instructions  %zu listed\n  not analysed: ", function->instruction_count);
    wb_text_clean(text, flow->refusal.message);
    wb_text_string(text, "\n");
    return;
  }
  write_counts(writer);
  write_blocks(writer);
  write_loops(writer);
  const struct wb_instruction *instructions = flow->united.function->instructions;
  if (flow->united.scope_count > 0)
    wb_text_string(text, "\n  scopes\n");
  for (size_t s = 0; s < flow->united.scope_count; s++) {
    const struct wb_warp_scope *scope = &flow->united.scopes[s];
    wb_text_format(text, "%6zu  BSSY 0x%04x", s, instructions[scope->open].address);
    write_scope_places(&flow->united, "BSYNC", scope->first_sync, scope->sync_count, text);
    write_scope_places(&flow->united, "BREAK", scope->first_break, scope->break_count, text);
    wb_text_format(text, "; goes on at 0x%04x", instructions[scope->point].address);
    if (scope->parent != UINT32_MAX)
      wb_text_format(text, "; in scope %u", scope->parent);
    wb_text_string(text, "\n");
  }
  write_points(writer, "divergence points", flow->united.divergence_points,
               flow->united.divergence_point_count);
  write_points(writer, "proven uniform", flow->united.uniform_branches,
               flow->united.uniform_branch_count);
  if (writer->contexts) {
    wb_text_string(text, "\n  calling contexts\n");
    for (size_t c = 0; c < flow->graph->context_count; c++) {
      const struct wb_warp_context *context = &flow->graph->contexts[c];
      wb_text_format(text, "    %zu  ", c);
      if (context->caller == UINT32_MAX)
        wb_text_string(text, "the function itself\n");
      else
        wb_text_format(text, "called at 0x%04x in context %u\n",
                       instructions[context->site].address, context->caller);
    }
  }
  if (flow->graph->disagreements.count > 0)
    wb_text_string(text, "\n  annotations of the listing that the analysis contradicts\n");
  wb_text_items(text, &flow->graph->disagreements, 0, flow->graph->disagreements.count);
}

void wb_cfg_text(const struct wb_cfg_report *report, bool colour, struct wb_text *text)
{
  write_answer(report, text);
  if (report->quiet)
    return;
  if (report->count > 1) {
    const struct wb_cfg_legend forms = wb_cfg_legend_of(report);
    const bool barriers = forms.barriers && !forms.stack;
    wb_text_format(text, "\n%s  isa     instruct. blocks  edges %s loops  split uniform  name%s\n",
                   wb_style(WB_STYLE_FAINT, colour), barriers ? "scopes" : "react.",
                   wb_style(WB_STYLE_PLAIN, colour));
    for (size_t f = 0; f < report->count; f++) {
      /* barriers: with scopes in place of reactivations. */
      struct wb_text isa = {0};
      const struct wb_control_flow *flow = &report->flows[f];
      wb_cfg_write_isa(flow->function, &isa);
      wb_text_string(text, "  ");
      put_column(text, &isa, 8);
      if (flow->graph == NULL) {
        wb_text_format(text, "%8zu      -      -      -      -      -      -  ",
                       flow->function->instruction_count);
      } else {
        const struct wb_warp_graph *united = &flow->united;
        wb_text_format(
            text, "%8zu %6zu %6zu %6zu %6zu %6zu %6zu  ", wb_cfg_reachable_instructions(united),
            united->block_count, united->edge_count,
            barriers ? united->scope_count : edges_of_kind(united, WB_EDGE_REACTIVATION),
            flow->loops.count, united->divergence_point_count, united->uniform_branch_count);
      }
      wb_kernel_name_write_both(flow->function->name, text);
      wb_text_string(text, flow->function->kernel ? "\n" : " (a device function)\n");
    }
  }
  for (size_t f = 0; f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    struct writer writer = {
        .flow = flow, .text = text, .contexts = report->contexts, .colour = colour};
    writer.files = wb_cfg_source_files(flow->function);
    writer.lines = wb_allocate(flow->function->instruction_count, sizeof *writer.lines);
    if (writer.lines == NULL)
      text->failed = true;
    else
      write_function(&writer);
    free(writer.lines);
  }
  struct wb_kernel_list *lists = wb_allocate(report->count, sizeof *lists);
  size_t count = 0;
  for (size_t f = 0; lists != NULL && f < report->count; f++) {
    const struct wb_control_flow *flow = &report->flows[f];
    if (flow->graph != NULL)
      lists[count++] = (struct wb_kernel_list){flow->function->name, &flow->graph->assumptions};
  }
  wb_assumptions_write(lists, count, colour, text);
}
