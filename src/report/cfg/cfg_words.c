#include "report/cfg/cfg_words.h"

#include "base/text/utf8.h"

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
  if (before.data != NULL)
    wb_text_clean(text, before.data);
  text->failed = text->failed || before.failed;
  wb_text_free(&before);
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

void wb_cfg_write_source(const struct wb_code *code, const struct wb_instruction *instruction,
                         struct wb_text *text)
{
  if (instruction->source_line == 0)
    return;
  write_file(code, instruction->source_file, text);
  wb_text_format(text, "%u", instruction->source_line);
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

static int compare_index(const void *left, const void *right)
{
  uint32_t a = *(const uint32_t *)left;
  uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

enum wb_lanes wb_cfg_lanes(const struct wb_warp_graph *united, size_t block)
{
  const uint32_t *last = &united->blocks[block].last;
  if (united->divergence_point_count > 0 &&
      bsearch(last, united->divergence_points, united->divergence_point_count, sizeof *last,
              compare_index) != NULL)
    return WB_LANES_SPLIT;
  if (united->uniform_branch_count > 0 &&
      bsearch(last, united->uniform_branches, united->uniform_branch_count, sizeof *last,
              compare_index) != NULL)
    return WB_LANES_UNIFORM;
  return WB_LANES_TOGETHER;
}

const char *wb_cfg_subroutine(const struct wb_function *function, const struct wb_warp_block *block)
{
  size_t low = 0;
  size_t high = function->symbol_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (function->symbols[middle].index < block->first)
      low = middle + 1;
    else
      high = middle;
  }
  bool here = low < function->symbol_count && function->symbols[low].index == block->first;
  return here && block->first > 0 ? function->symbols[low].name : NULL;
}

size_t wb_cfg_reachable_instructions(const struct wb_warp_graph *united)
{
  size_t count = 0;
  for (size_t b = 0; b < united->block_count; b++)
    count += united->blocks[b].last - united->blocks[b].first + 1;
  return count;
}
