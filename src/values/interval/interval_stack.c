/* Words of the thread's stack in local memory: what loads give that stores left there. */
#include "values/interval/interval_domain.h"

#include "isa/opcode.h"
#include "values/domain.h"

/* What an instruction does with memory that may be the thread's own. */
struct access {
  bool loads;
  bool stores;
  struct wb_integer address; /* of its first byte */
  unsigned bytes;            /* at each address; 0: of any number */
  uint16_t data; /* the first register of what is stored; WB_NO_REGISTER: 0 in each word, or it is
                  * not known */
  bool data_known;
};

static struct access access_of(const struct wb_interval_context *context)
{
  const struct wb_instruction *instruction = &context->function->instructions[context->index];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)instruction->number);
  struct access access = {.address = wb_integer_top(), .data = WB_NO_REGISTER};
  const bool local = kind->space == WB_SPACE_LOCAL;
  if (instruction->transfer == WB_TRANSFER_CALL_OUTSIDE && !instruction->never) {
    access.stores = true; /* code outside may write words of which it has the address */
    return access;
  }
  if (instruction->unknown || instruction->never || (!local && kind->space != WB_SPACE_GENERIC) ||
      kind->action == WB_ACTION_UNLISTED || (kind->action == WB_ACTION_NONE && !local))
    return access;
  access.loads = kind->action == WB_ACTION_LOAD && local;
  access.stores = kind->action != WB_ACTION_LOAD;
  if (!local || kind->action == WB_ACTION_NONE ||
      !wb_instruction_local_bytes(instruction, &access.bytes)) {
    access.bytes = 0;
    return access;
  }
  for (uint32_t o = 0; o < instruction->operand_count; o++) {
    const struct wb_operand *it = wb_operand_of(context->function, instruction, o);
    if (wb_operand_is_plain_address(it)) {
      const struct wb_source source = {
          .kind = WB_SOURCE_REGISTER, .number = it->number, .index = WB_NO_REGISTER};
      const struct wb_integer base = wb_interval_plain_word(context, &source);
      const struct wb_integer offset = wb_integer_exactly((uint32_t)it->value);
      access.address = wb_integer_add(&base, &offset);
    } else if (wb_operand_is_plain_register(it)) {
      access.data = it->number;
      access.data_known = true;
    }
  }
  return access;
}

/* Whether the address is one of the stack's: its distance from the stack's begin, from the first
 * number of the interval on. */
static bool is_of_stack(const struct wb_integer *address)
{
  return address->base == WB_VALUE_STACK && address->shape == WB_SHIFTED_LEFT &&
         address->shift == 0;
}

/* The slot of the word at that distance; a new one where there is none yet and some are left.
 * WB_VALUE_SLOT_COUNT: there is none. */
static size_t slot_at(const struct wb_interval_context *context, uint32_t place, bool make)
{
  struct wb_stack_slots *slots = context->slots;
  size_t slot = 0;
  while (slot < slots->count && slots->places[slot] != place)
    slot++;
  if (slot < slots->count)
    return slot;
  if (!make || slots->count == WB_VALUE_SLOT_COUNT || place % 4 != 0)
    return WB_VALUE_SLOT_COUNT;
  slots->places[slots->count++] = place;
  return slot;
}

static void forget_slot(struct wb_integer_state *state, size_t slot)
{
  const uint16_t number = (uint16_t)(WB_VALUE_SLOTS + slot);
  state->registers[number] = wb_integer_top();
  wb_pairs_forget(&state->pairs, number, true);
}

/* Whether a word at that distance has a byte that the access may touch. */
static bool touches(const struct access *access, uint32_t place)
{
  const uint32_t behind = place - access->address.low; /* the first byte that is touched */
  return !is_of_stack(&access->address) || access->bytes == 0 ||
         behind < (uint64_t)access->address.width + access->bytes || behind > UINT32_MAX - 3;
}

/* The word that is stored as number `word`. */
static struct wb_integer stored_word(const struct wb_interval_context *context,
                                     const struct access *access, unsigned word)
{
  const struct wb_source source = {.kind = WB_SOURCE_REGISTER,
                                   .number = (uint16_t)(access->data + word),
                                   .index = WB_NO_REGISTER};
  if (!access->data_known)
    return wb_integer_top();
  return access->data == WB_NO_REGISTER ? wb_integer_exactly(0)
                                        : wb_interval_plain_word(context, &source);
}

static void store(struct wb_interval_context *context, const struct access *access)
{
  struct wb_integer_state *state = context->state;
  struct wb_integer kept[WB_VALUE_SLOT_COUNT];
  const unsigned words = access->bytes / 4;
  bool all_chosen = is_of_stack(&access->address) && access->address.width == 0 &&
                    access->bytes % 4 == 0 && words > 0;
  for (unsigned w = 0; w < words && all_chosen; w++)
    all_chosen = slot_at(context, access->address.low + 4 * w, true) < WB_VALUE_SLOT_COUNT;
  for (size_t s = 0; s < WB_VALUE_SLOT_COUNT; s++) {
    kept[s] = state->registers[WB_VALUE_SLOTS + s];
    if (s < context->slots->count ? touches(access, context->slots->places[s]) : !all_chosen)
      forget_slot(state, s);
  }
  for (unsigned w = 0; w < words && all_chosen; w++) {
    const size_t slot = slot_at(context, access->address.low + 4 * w, false);
    const struct wb_integer word = stored_word(context, access, w);
    /* Threads that skip the store keep what is there. */
    state->registers[WB_VALUE_SLOTS + slot] =
        context->guarded ? wb_integer_join(&kept[slot], &word) : word;
    if (!context->guarded && access->data_known && access->data != WB_NO_REGISTER) {
      const struct wb_pairs before = state->pairs;
      wb_pairs_copy(&state->pairs, &before, (uint16_t)(access->data + w),
                    (uint16_t)(WB_VALUE_SLOTS + slot));
    }
  }
}

/* The instruction has written anything to the registers that it loads. */
static void load(struct wb_interval_context *context, const struct access *access)
{
  const struct wb_instruction *instruction = &context->function->instructions[context->index];
  const unsigned words = access->bytes / 4;
  if (!is_of_stack(&access->address) || access->address.width > 0 || access->bytes % 4 != 0 ||
      instruction->write_count == 0)
    return;
  const uint16_t first = context->function->spans[instruction->first_write].first;
  for (unsigned w = 0; w < words && first + w < WB_REGISTER_PREDICATE; w++) {
    const size_t slot = slot_at(context, access->address.low + 4 * w, false);
    const uint16_t to = (uint16_t)(first + w);
    if (slot == WB_VALUE_SLOT_COUNT)
      continue;
    struct wb_integer word = context->state->registers[WB_VALUE_SLOTS + slot];
    if (word.width == UINT32_MAX)
      word.origin = wb_first_origin(word.origin, WB_ORIGIN(WB_ORIGIN_INSTRUCTION, context->index));
    wb_interval_set_register(context, to, &word);
    if (context->guarded)
      continue;
    const struct wb_pairs before = context->state->pairs;
    wb_pairs_copy(&context->state->pairs, &before, (uint16_t)(WB_VALUE_SLOTS + slot), to);
  }
}

void wb_interval_stack_transfer(struct wb_interval_context *context,
                                const struct wb_function *function, uint32_t index)
{
  const struct access access = access_of(context);
  const bool known = context->slots != NULL;
  if (known && access.stores)
    store(context, &access);
  wb_domain_transfer(&wb_interval_domain, context, function, index);
  if (known && access.loads)
    load(context, &access);
}
