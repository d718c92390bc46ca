/* Flow facts as a file to fill in: what is known, and what is missing. */
#include "report/wcet/wcet_report.h"

#include "base/memory.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "model/code.h"

#include <inttypes.h>
#include <stdlib.h>

/* The address of an instruction, with the line of another, where it is known. */
static struct wb_place place_of(const struct wb_wcet *wcet, const struct wb_instruction *at,
                                const struct wb_instruction *named)
{
  struct wb_place place = {.has_address = true, .address = at->address};
  if (named->source_line > 0 && named->source_file > 0) {
    place.file = wcet->code->files[named->source_file - 1];
    place.source_line = named->source_line;
  }
  return place;
}

static struct wb_place instruction_place(const struct wb_wcet *wcet, uint32_t index)
{
  const struct wb_instruction *at = &wcet->function->instructions[index];
  return place_of(wcet, at, at);
}

/* A loop's place: the address of its header's first instruction, and the line that names it best.
 */
static struct wb_place loop_place(const struct wb_wcet *wcet, uint32_t header)
{
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    if (wcet->graph->blocks[wcet->forest.loops[l].header].first == header)
      return place_of(wcet, &wcet->function->instructions[header], wb_wcet_loop_line(wcet, l));
  }
  return instruction_place(wcet, header);
}

/* A fact's place in this code, or as it stood in the file where it was not found or need not
 * change. */
static struct wb_place fact_place(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                                  size_t place, bool loop)
{
  const struct wb_place *old = &kernel->places[place];
  uint32_t found = wcet->facts.found[place];
  if (found == UINT32_MAX || (!wb_place_is_fragile(old) && !wcet->facts.moved))
    return *old;
  return loop ? loop_place(wcet, found) : instruction_place(wcet, found);
}

static void write_fact(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                       const struct wb_flow_fact *fact, struct wb_text *text)
{
  bool counted = fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS;
  bool found = true;
  struct wb_place *places = wb_allocate(fact->place_count, sizeof *places);
  if (places == NULL) {
    text->failed = true;
    return;
  }
  for (size_t p = 0; p < fact->place_count; p++) {
    found = found && wcet->facts.found[fact->first_place + p] != UINT32_MAX;
    places[p] = fact_place(wcet, kernel, fact->first_place + p,
                           p > 0 ? counted : fact->kind == WB_FACT_LOOP);
  }
  if (!found)
    wb_text_string(text, "# not found in this code: ");
  wb_flow_facts_write_fact(fact, places, text);
  free(places);
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

static void write_kernel(const struct wb_wcet *wcet, const struct wb_kernel_facts *kernel,
                         struct wb_text *text)
{
  wb_flow_facts_write_kernel(wcet->function->name, wb_function_checksum(wcet->function), text);
  for (size_t f = 0; kernel != NULL && f < kernel->fact_count; f++)
    write_fact(wcet, kernel, &kernel->facts[f], text);
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    bool known = wcet->loops[l].source != WB_BOUND_UNKNOWN ||
                 wcet->facts.loops[l].thread.line > 0 || wcet->facts.loops[l].warp.line > 0;
    if (!known && !is_repeated(wcet, l)) {
      const struct wb_loop *loop = &wcet->forest.loops[l];
      uint32_t first = wcet->graph->blocks[loop->header].first;
      wb_text_format(text, "\n# %s, depth %" PRIu32 ", %zu back edge%s",
                     loop->irreducible ? "an irreducible region, entered at several places"
                                       : "a loop",
                     loop->depth, loop->back_edge_count, loop->back_edge_count == 1 ? "" : "s");
      for (size_t i = 0; i < loop->back_edge_count && i < 4; i++) {
        uint32_t edge = wcet->forest.back_edges[loop->first_back_edge + i];
        wb_text_string(text, i == 0 ? ": from " : ", ");
        struct wb_place place =
            instruction_place(wcet, wcet->graph->blocks[wcet->graph->edges[edge].from].last);
        wb_flow_facts_write_place(&place, text);
      }
      if (!wcet->loops[l].balanced)
        wb_text_format(text,
                       "\n# Its lanes may take their iterations %s: a bound per thread counts %s",
                       wcet->graph->groups ? "in several groups" : "one group after the other",
                       wcet->graph->groups ? "up to 32 times." : "32 times.");
      if (wcet->loops[l].width_bound != UINT64_MAX)
        wb_text_format(
            text, "\n# Only the width of a register bounds it: %" PRIu64 " back edges of a thread.",
            wcet->loops[l].width_bound);
      if (wcet->loops[l].hint != NULL)
        wb_text_format(text, "\n# %s.", wcet->loops[l].hint);
      wb_text_string(text, "\n");
      struct wb_place place = loop_place(wcet, first);
      wb_flow_facts_write_open_loop(&place, text);
    }
  }
}

void wb_facts_template(const struct warpbound_module *module,
                       const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text)
{
  wb_text_format(text,
                 "# Flow facts of %s.\n"
                 "# Replace each ? by a number: the most back edges that a thread takes for each "
                 "time that it\n"
                 "# enters the loop (iterations less one, where the test stands at the end); "
                 "'per warp' after\n"
                 "# it if you know it of the warp. The manual page and doc/flow-facts.md have the "
                 "rest.\n",
                 module->code.name);
  const size_t head = text->length;
  for (size_t k = 0; k < count; k++) {
    /* Functions that lack nothing stand in the file too where they have facts: it is then one to go
     * on with. */
    const struct wb_wcet *wcet = &results[k]->wcet;
    const struct warpbound_annotations *annotations = results[k]->annotations;
    const struct wb_kernel_facts *kernel =
        annotations != NULL ? wb_flow_facts_find(&annotations->facts, wcet->function->name) : NULL;
    if (wcet->facts.loops != NULL && (kernel != NULL || wcet->ipet.proof.price == NULL))
      write_kernel(wcet, kernel, text);
  }
  if (text->length == head)
    wb_text_string(text, "\n# No fact is missing.\n");
}
