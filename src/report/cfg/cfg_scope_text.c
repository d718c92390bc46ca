#include "report/cfg/cfg_scope_text.h"

#include "base/text/quantity.h"

void wb_cfg_write_scope_count(const struct wb_warp_graph *united, struct wb_text *text)
{
  size_t several = 0;
  for (size_t b = 0; b < united->block_count; b++)
    several += united->several[b];
  wb_text_format(text, "  scopes        %zu; ", united->scope_count);
  wb_text_count_of(text, several, "block");
  wb_text_string(text, " may run in several groups of lanes\n");
}

void wb_cfg_write_block_scope(const struct wb_warp_graph *united, size_t block,
                              struct wb_text *text)
{
  const uint32_t scope = united->innermost_scopes[block];
  if (scope == UINT32_MAX)
    wb_text_string(text, "    -");
  else
    wb_text_format(text, "%5u", scope);
  wb_text_string(text, united->several[block] ? "  several  " : "           ");
}

/* ", BSYNC 0x0010, 0x0030"; nothing where there are none. */
static void write_places(const struct wb_warp_graph *united, const char *word, size_t first,
                         size_t count, struct wb_text *text)
{
  for (size_t i = 0; i < count; i++) {
    const uint32_t instruction = united->scope_instructions[first + i];
    wb_text_format(text, ", %s%s0x%04x", i == 0 ? word : "", i == 0 ? " " : "",
                   united->function->instructions[instruction].address);
  }
}

void wb_cfg_write_scopes(const struct wb_warp_graph *united, struct wb_text *text)
{
  const struct wb_instruction *instructions = united->function->instructions;
  if (united->scope_count > 0)
    wb_text_string(text, "\n  scopes\n");
  for (size_t s = 0; s < united->scope_count; s++) {
    const struct wb_warp_scope *scope = &united->scopes[s];
    wb_text_format(text, "%6zu  BSSY 0x%04x", s, instructions[scope->open].address);
    write_places(united, "BSYNC", scope->first_sync, scope->sync_count, text);
    write_places(united, "BREAK", scope->first_break, scope->break_count, text);
    wb_text_format(text, "; goes on at 0x%04x", instructions[scope->point].address);
    if (scope->parent != UINT32_MAX)
      wb_text_format(text, "; in scope %u", scope->parent);
    wb_text_string(text, "\n");
  }
}
