#include "report/wcet/facts_template.h"

#include "model/code_checksum.h"

#include <inttypes.h>
#include <string.h>

void wb_facts_template_head(const struct wb_code *code, struct wb_text *text)
{
  wb_text_format(text,
                 "# Flow facts of %s.\n"
                 "# Replace each ? by a number: the most back edges that a thread takes for each "
                 "time that it\n"
                 "# enters the loop (iterations less one, where the test stands at the end); "
                 "'per warp' behind\n"
                 "# it if you know it of the warp. The manual page and doc/flow-facts.md have the "
                 "rest.\n",
                 code->name);
}

/* A word of the file: in quotes where it has to be. */
static void write_word(const char *word, struct wb_text *text)
{
  bool quoted = strpbrk(word, " \t#") != NULL || word[0] == '\0';
  wb_text_format(text, quoted ? "\"%s\"" : "%s", word);
}

/* ADDRESS@FILE:LINE, or ADDRESS alone where the line is not known. named: the instruction
 * whose line is meant. */
static void write_anchor(const struct wb_wcet *wcet, const struct wb_instruction *at,
                         const struct wb_instruction *named, struct wb_text *text)
{
  struct wb_text word = {0};
  wb_text_format(&word, "0x%04" PRIx32, at->address);
  if (named->source_line > 0 && named->source_file > 0)
    wb_text_format(&word, "@%s:%" PRIu32, wcet->code->files[named->source_file - 1],
                   named->source_line);
  if (word.failed)
    text->failed = true;
  else
    write_word(word.data, text);
  wb_text_free(&word);
}

static void write_place(const struct wb_wcet *wcet, uint32_t index, struct wb_text *text)
{
  const struct wb_instruction *at = &wcet->function->instructions[index];
  write_anchor(wcet, at, at, text);
}

/* A loop by its header's address and the line that names it best. */
static void write_loop(const struct wb_wcet *wcet, uint32_t header, struct wb_text *text)
{
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    if (wcet->graph->blocks[wcet->forest.loops[l].header].first == header) {
      write_anchor(wcet, &wcet->function->instructions[header], wb_wcet_loop_line(wcet, l), text);
      return;
    }
  }
}

/* A place as it stood in the file, where it was not found in this code. */
static void write_old_place(const struct wb_place *place, struct wb_text *text)
{
  if (place->has_address)
    wb_text_format(text, "0x%04" PRIx32 "%s", place->address, place->file != NULL ? "@" : "");
  if (place->file != NULL)
    wb_text_format(text, "%s:%" PRIu32, place->file, place->source_line);
  if (place->label != NULL)
    wb_text_string(text, place->label);
}

static void write_fact_place(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                             size_t place, bool loop, struct wb_text *text)
{
  const struct wb_place *old = &kernel->places[place];
  uint32_t found = wcet->facts.found[place];
  wb_text_string(text, " ");
  if (found == UINT32_MAX || (!wb_place_is_fragile(old) && !wcet->facts.moved))
    write_old_place(old, text);
  else if (loop)
    write_loop(wcet, found, text);
  else
    write_place(wcet, found, text);
}

static bool is_found(const struct wb_wcet *wcet, const struct wb_flow_fact *fact)
{
  bool found = true;
  for (size_t p = 0; p < fact->place_count; p++)
    found = found && wcet->facts.found[fact->first_place + p] != UINT32_MAX;
  return found;
}

static void write_fact(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                       const struct wb_flow_fact *fact, struct wb_text *text)
{
  static const char *const words[] = {"loop", "run", "equal", "exclusive"};
  bool counted = fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS;
  bool never = fact->kind == WB_FACT_RUNS && fact->number == 0 && fact->place_count == 1;
  if (!is_found(wcet, fact))
    wb_text_string(text, "# not found in this code: ");
  wb_text_string(text, words[fact->kind]);
  write_fact_place(wcet, kernel, fact->first_place, fact->kind == WB_FACT_LOOP, text);
  if (never)
    wb_text_string(text, " never");
  else if (counted)
    wb_text_format(text, " %s %" PRIu64, fact->kind == WB_FACT_LOOP ? "bound" : "at most",
                   fact->number);
  for (size_t p = 1; p < fact->place_count; p++) {
    if (counted)
      wb_text_string(text, " per entry of");
    write_fact_place(wcet, kernel, fact->first_place + p, counted, text);
  }
  if (!never)
    wb_text_format(text, " per %s", fact->per_warp ? "warp" : "thread");
  wb_text_string(text, "\n");
}

/* Whether a loop of the same header was met before, in another context. */
static bool is_repeated(const struct wb_wcet *wcet, size_t loop)
{
  uint32_t first = wcet->graph->blocks[wcet->forest.loops[loop].header].first;
  for (size_t l = 0; l < loop; l++) {
    if (wcet->graph->blocks[wcet->forest.loops[l].header].first == first)
      return true;
  }
  return false;
}

static void write_missing(const struct wb_wcet *wcet, size_t index, struct wb_text *text)
{
  const struct wb_loop *loop = &wcet->forest.loops[index];
  uint32_t first = wcet->graph->blocks[loop->header].first;
  wb_text_format(text, "\n# %s, depth %" PRIu32 ", %zu back edge%s",
                 loop->irreducible ? "an irreducible region, entered at several places" : "a loop",
                 loop->depth, loop->back_edge_count, loop->back_edge_count == 1 ? "" : "s");
  for (size_t i = 0; i < loop->back_edge_count && i < 4; i++) {
    uint32_t edge = wcet->forest.back_edges[loop->first_back_edge + i];
    wb_text_string(text, i == 0 ? ": from " : ", ");
    write_place(wcet, wcet->graph->blocks[wcet->graph->edges[edge].from].last, text);
  }
  if (!wcet->loops[index].balanced)
    wb_text_string(text, "\n# Its lanes may take their iterations one group after the other: a "
                         "bound per thread counts 32 times.");
  if (wcet->loops[index].width_bound != UINT64_MAX)
    wb_text_format(
        text, "\n# Only the width of a register bounds it: %" PRIu64 " back edges of a thread.",
        wcet->loops[index].width_bound);
  if (wcet->loops[index].hint != NULL)
    wb_text_format(text, "\n# %s.", wcet->loops[index].hint);
  wb_text_string(text, "\nloop ");
  write_loop(wcet, first, text);
  wb_text_string(text, " bound ?\n");
}

void wb_facts_template(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                       struct wb_text *text)
{
  wb_text_string(text, "\nkernel ");
  write_word(wcet->function->name, text);
  wb_text_format(text, "\nchecksum 0x%016" PRIx64 "\n", wb_function_checksum(wcet->function));
  for (size_t f = 0; kernel != NULL && f < kernel->fact_count; f++)
    write_fact(wcet, kernel, &kernel->facts[f], text);
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    bool known = wcet->loops[l].source != WB_BOUND_UNKNOWN || wcet->facts.loops[l].line > 0;
    if (!known && !is_repeated(wcet, l))
      write_missing(wcet, l, text);
  }
}
