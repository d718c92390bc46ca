#include "flow/accesses/access_offsets.h"

#include "flow/loop_bounds/loop_bounds.h"
#include "isa/opcode.h"

struct finder {
  const struct wb_launch *launch;
  const struct wb_accesses *accesses;
  struct wb_access_offset *offsets;
};

/* A register pair; of none 0. */
static struct wb_wide pair_of(const struct wb_interval_context *thread, uint16_t number)
{
  const struct wb_source source = {
      .kind = WB_SOURCE_REGISTER_PAIR, .number = number, .index = WB_NO_REGISTER};
  return number != WB_NO_REGISTER ? wb_interval_wide(thread, &source).value : wb_wide_exactly(0);
}

/* The address of a thread's access: of a copy the second one, in global memory. */
static struct wb_wide address_of(const struct wb_interval_context *thread,
                                 const struct wb_instruction *access)
{
  const bool copies = wb_access_kind_of((enum wb_opcode)access->number)->action == WB_ACTION_COPY;
  const struct wb_operand *operand = NULL;
  size_t skipped = copies;
  for (uint32_t o = 0; o < access->operand_count && operand == NULL; o++) {
    const struct wb_operand *it = wb_operand_of(thread->function, access, o);
    if (it->kind == WB_OPERAND_ADDRESS && skipped-- == 0)
      operand = it;
  }
  if (operand == NULL || !(operand->wide || wb_instruction_has(access, WB_MODIFIER_E)))
    return wb_wide_top();
  struct wb_wide base = pair_of(thread, operand->number);
  if (operand->narrow) {
    const struct wb_source source = {
        .kind = WB_SOURCE_REGISTER, .number = operand->number, .index = WB_NO_REGISTER};
    const struct wb_integer word = wb_interval_word(thread, &source);
    base = wb_wide_extend(&word, false);
  }
  if (operand->scale > 0)
    base = wb_wide_shift_left(&base, operand->scale);
  const struct wb_wide index = pair_of(thread, operand->index);
  const struct wb_wide offset = wb_wide_exactly(operand->value);
  const struct wb_wide sum = wb_wide_add(&base, &index);
  return wb_wide_add(&sum, &offset);
}

static void visit(void *context, const struct wb_interval_context *thread, uint32_t instruction)
{
  const struct finder *finder = context;
  const struct wb_access *access = wb_accesses_at(finder->accesses, instruction);
  if (access == NULL || access->unbounded ||
      (access->space != WB_SPACE_GLOBAL && access->space != WB_SPACE_GENERIC))
    return;
  struct wb_access_offset *offset = &finder->offsets[access - finder->accesses->items];
  const bool first = !offset->reached;
  const struct wb_wide address = address_of(thread, &thread->function->instructions[instruction]);
  const uint32_t pointer = (uint32_t)address.base_low - WB_VALUE_BUFFERS;
  const int64_t least = (int64_t)address.low;
  const bool known = !wb_wide_is_top(&address) && address.base_low >= WB_VALUE_BUFFERS &&
                     address.base_low < WB_VALUE_STACK && pointer % 2 == 0 &&
                     address.base_high == address.base_low + 1 &&
                     pointer / 2 < finder->launch->buffer_count && least > -WB_WIDE_MOST &&
                     least < WB_WIDE_MOST && address.width < (uint64_t)WB_WIDE_MOST;
  offset->reached = true;
  if (!known || (!first && (!offset->known || offset->buffer != pointer / 2))) {
    offset->known = false;
    return;
  }
  const int64_t most = least + (int64_t)address.width;
  offset->known = true;
  offset->buffer = pointer / 2;
  offset->least = first || least < offset->least ? least : offset->least;
  offset->most = first || most > offset->most ? most : offset->most;
}

warpbound_status wb_access_offsets_find(const struct wb_warp_graph *graph,
                                        const struct wb_loop_forest *forest,
                                        const struct wb_launch *launch,
                                        const struct wb_accesses *accesses,
                                        struct wb_access_offset *offsets, warpbound_error *error)
{
  struct finder finder = {.launch = launch, .accesses = accesses, .offsets = offsets};
  bool whole;
  for (size_t a = 0; a < accesses->count; a++)
    offsets[a] = (struct wb_access_offset){0};
  const warpbound_status status =
      wb_threads_visit(graph, forest, launch, visit, &finder, &whole, error);
  for (size_t a = 0; a < accesses->count && !whole; a++) /* nothing was visited */
    offsets[a].reached = true;
  return status;
}
