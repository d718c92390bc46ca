/* A WCET as text. */
#include "report/wcet/wcet_report.h"

#include "base/memory.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdlib.h>

/* Lines and blocks that the text shows; the rest is in the JSON. */
#define MOST_ROWS 12

static double share(const struct wb_wcet *wcet, int64_t cycles)
{
  return wcet->ipet.cycles > 0 ? 100.0 * (double)cycles / (double)wcet->ipet.cycles : 0;
}

void wb_wcet_loops_text(const struct wb_wcet *wcet, struct wb_text *text)
{
  if (wcet->forest.loop_count == 0)
    return;
  wb_text_string(text, "  loops, back edges for each entry\n");
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[l].header];
    const struct wb_instruction *first = &wcet->function->instructions[header->first];
    wb_text_format(text, "    0x%04" PRIx32 "  ", first->address);
    if (loop->source == WB_BOUND_UNKNOWN)
      wb_text_string(text, "no bound");
    else if (wcet->graph->groups && !loop->per_warp)
      wb_text_format(text,
                     loop->balanced ? "%s per thread, balanced" : "%s per thread, %s in groups",
                     WB_COUNT(loop->bound), WB_COUNT(loop->warp_bound));
    else if (loop->per_warp || loop->warp_bound == loop->bound)
      wb_text_format(text, "%s per %s", WB_COUNT(loop->bound), loop->per_warp ? "warp" : "thread");
    else
      wb_text_format(text, "%s per thread, %s for the warp", WB_COUNT(loop->bound),
                     WB_COUNT(loop->warp_bound));
    wb_text_format(text, ", %s", wb_wcet_source_name(loop->source));
    if (header->context > 0)
      wb_text_format(text, ", calling context %" PRIu32, header->context);
    wb_source_line_write(wcet->code, wb_wcet_loop_line(wcet, l), "  ", text);
    if (loop->reason != NULL) {
      wb_text_string(text, "\n            ");
      wb_text_clean(text, loop->reason);
    }
    wb_text_string(text, "\n");
  }
}

struct row {
  uint32_t block;
  int64_t cycles;
};

static int by_cycles(const void *a, const void *b)
{
  const struct row *x = a;
  const struct row *y = b;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return (x->block > y->block) - (x->block < y->block);
}

static void write_blocks(const struct wb_wcet *wcet, struct wb_text *text)
{
  struct wb_cfg_heat heat;
  struct row *rows = wb_allocate(wcet->flow.united.block_count, sizeof *rows);
  if (wb_wcet_heat(wcet, &heat) && rows != NULL) {
    size_t count = 0;
    for (uint32_t b = 0; b < wcet->flow.united.block_count; b++) {
      if (heat.runs[b] > 0)
        rows[count++] = (struct row){.block = b, .cycles = heat.cycles[b]};
    }
    qsort(rows, count, sizeof *rows, by_cycles);
    wb_text_format(text,
                   "  most of the worst %s, by block\n"
                   "    first   last      runs     cycles   share\n",
                   wcet->graph->groups ? "run" : "path");
    for (size_t r = 0; r < count && r < MOST_ROWS; r++) {
      const struct wb_warp_block *block = &wcet->flow.united.blocks[rows[r].block];
      wb_text_format(text, "    0x%04" PRIx32 "  0x%04" PRIx32 "  %8s %10s  %5.1f%%",
                     wcet->function->instructions[block->first].address,
                     wcet->function->instructions[block->last].address,
                     WB_COUNT((uint64_t)wcet->instruction_runs[block->first]),
                     WB_COUNT((uint64_t)rows[r].cycles), share(wcet, rows[r].cycles));
      wb_source_line_write(wcet->code, &wcet->function->instructions[block->first], "  ", text);
      wb_text_string(text, "\n");
    }
    if (count > MOST_ROWS)
      wb_text_format(text, "    and %zu blocks more (--json)\n", count - MOST_ROWS);
  } else {
    text->failed = true;
  }
  wb_wcet_heat_free(&heat);
  free(rows);
}

static void write_lines(const struct wb_wcet *wcet, struct wb_text *text)
{
  struct wb_wcet_line *lines;
  size_t count;
  if (wb_wcet_lines(wcet, &lines, &count, NULL) != WARPBOUND_OK) {
    text->failed = true;
    return;
  }
  bool known = count > 1 || (count == 1 && lines[0].line > 0);
  if (known)
    wb_text_format(text, "  most of the worst %s, by source line\n",
                   wcet->graph->groups ? "run" : "path");
  for (size_t i = 0; known && i < count && i < MOST_ROWS; i++) {
    wb_text_format(text, "    %10s  %5.1f%%  ", WB_COUNT((uint64_t)lines[i].cycles),
                   share(wcet, lines[i].cycles));
    if (lines[i].line == 0)
      wb_text_string(text, "line not known\n");
    else
      wb_text_format(text, "%s:%" PRIu32 "\n",
                     lines[i].file > 0 ? wcet->code->files[lines[i].file - 1] : "", lines[i].line);
  }
  if (known && count > MOST_ROWS)
    wb_text_format(text, "    and %zu lines more (--json)\n", count - MOST_ROWS);
  free(lines);
}

/* ---- the answer ---- */

static void write_answer(const struct wb_wcet *wcet, bool colour, struct wb_text *text)
{
  warpbound_kind kind = wb_wcet_bound_kind(wcet);
  wb_kernel_name_write(wcet->function->name, text);
  wb_text_format(text, ": %s%s, %s%s", wb_kind_style(kind, colour),
                 WB_COUNT_OF((uint64_t)wcet->ipet.proof.bound, "cycle"), warpbound_kind_name(kind),
                 wb_style(WB_STYLE_PLAIN, colour));
  if (wcet->instruction_runs != NULL) {
    /* The block that the worst path spends most in, with its place. */
    struct wb_cfg_heat heat;
    uint32_t most = 0;
    if (!wb_wcet_heat(wcet, &heat)) {
      text->failed = true;
    } else {
      for (uint32_t b = 1; b < wcet->flow.united.block_count; b++)
        most = heat.cycles[b] > heat.cycles[most] ? b : most;
      const struct wb_instruction *first =
          &wcet->function->instructions[wcet->flow.united.blocks[most].first];
      wb_text_format(text, ": limited by the block at 0x%04" PRIx32, first->address);
      wb_source_line_write(wcet->code, first, ", ", text);
      wb_text_format(text, " (%s of %s)", WB_COUNT((uint64_t)heat.cycles[most]),
                     WB_COUNT((uint64_t)wcet->ipet.cycles));
    }
    wb_wcet_heat_free(&heat);
  }
  wb_text_string(text, "\n");
  wb_estimate_text(&wcet->estimate, "estimate", colour, text);
}

void wb_wcet_doubts(const struct warpbound_wcet *result, struct wb_text *text)
{
  if (!wb_is_estimate(&result->wcet.estimate))
    return;
  wb_kernel_name_write(result->wcet.function->name, text);
  wb_text_string(text, ", ");
  wb_estimate_summary(&result->wcet.estimate, text);
}

void wb_wcet_text(const struct warpbound_wcet *const *results, size_t count, bool quiet,
                  bool colour, struct wb_text *text)
{
  for (size_t k = 0; k < count; k++)
    write_answer(&results[k]->wcet, colour, text);
  for (size_t k = 0; k < count && !quiet; k++) {
    const struct wb_wcet *wcet = &results[k]->wcet;
    wb_text_format(text, "\n%s", wb_style(WB_STYLE_BOLD, colour));
    wb_kernel_name_write_both(wcet->function->name, text);
    wb_text_format(text, "%s\n  question             WCET of one warp that runs alone\n",
                   wb_style(WB_STYLE_PLAIN, colour));
    if (wcet->ipet.taken != NULL && wcet->ipet.cycles == wcet->ipet.proof.bound) {
      /* What the most expensive execution is called: where one group of lanes runs at a time it is
       * a path of the graph. */
      wb_text_format(text, "  %s           reaches it: the optimum of the integer program\n",
                     wcet->graph->groups ? "worst run " : "worst path");
    } else if (wcet->ipet.taken != NULL) {
      wb_text_string(text,
                     wcet->graph->groups ? "  worst run found      " : "  worst path found     ");
      wb_text_format(text, "%s\n", WB_COUNT_OF((uint64_t)wcet->ipet.cycles, "cycle"));
    }
    wb_text_format(
        text,
        "  integer program      %s, %s, solved by %s; the bound's dual proof was checked "
        "in integers\n",
        WB_COUNT_OF(wcet->columns, "column"), WB_COUNT_OF(wcet->rows, "row"), wcet->ipet.solver);
    if (wcet->ipet.proof.coarse)
      wb_text_string(text,
                     "                       a coarse bound: the solver's prices proved none, "
                     "and were raised until they did\n");
    wb_wcet_loops_text(wcet, text);
    if (wcet->instruction_runs != NULL) {
      write_blocks(wcet, text);
      write_lines(wcet, text);
    }
  }
  if (!quiet) {
    struct wb_kernel_list *lists = wb_allocate(count, sizeof *lists);
    for (size_t k = 0; lists != NULL && k < count; k++)
      lists[k] =
          (struct wb_kernel_list){results[k]->wcet.function->name, &results[k]->wcet.assumptions};
    wb_assumptions_write(lists, count, colour, text);
  }
}
