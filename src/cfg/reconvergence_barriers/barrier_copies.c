/* Values that travel unchanged: bindings, return addresses, masks, constants. */
#include "cfg/reconvergence_barriers/barrier_machine.h"

#include "cfg/agreement/lane_agreement.h"
#include "cfg/simt/simt_block.h"

/* What a copy brings where. */
struct arrival {
  uint32_t location;           /* WB_NOWHERE: not known */
  bool known;                  /* value is of use */
  struct wb_known_value value; /* that comes there */
};

static bool is_barrier(unsigned number)
{
  return number >= WB_REGISTER_BARRIER && number < WB_REGISTER_COUNT;
}

/* The value of a location plus an offset; false where it is not known. */
static bool value_of(const struct wb_group *group, unsigned number, uint32_t offset,
                     struct wb_known_value *value)
{
  static const struct wb_known_value unbound = {.kind = WB_KNOWN_UNBOUND};
  const struct wb_known_value *known = wb_group_value(group, number);
  if (known == NULL && is_barrier(number))
    known = &unbound;
  if (known == NULL || (offset != 0 && wb_known_is_binding(known)))
    return false;
  *value = *known;
  value->addend += offset;
  return true;
}

/* The word of local memory that a copy names; WB_NOWHERE where its address is not known. */
static uint32_t word_of(struct wb_simt_analysis *analysis, const struct wb_group *group,
                        const struct wb_copy *copy)
{
  struct wb_known_value address;
  if (!value_of(group, copy->base, (uint32_t)copy->value, &address) ||
      wb_known_is_binding(&address))
    return WB_NOWHERE;
  return wb_slot_location(analysis, &address);
}

static bool is_uniform(unsigned number)
{
  return number >= WB_REGISTER_UNIFORM && number < WB_REGISTER_BARRIER;
}

/* Whether a copy brings the value of one lane to all of the group: then a binding is that lane's,
 * and so is a number where lanes of other calling contexts may be in the group. */
static bool takes_from_one_lane(const struct wb_group *group, const struct wb_copy *copy,
                                const struct wb_known_value *value)
{
  return copy->kind == WB_COPY_REGISTER && is_uniform(copy->to) && !is_uniform(copy->from) &&
         (group->mixed || wb_known_is_binding(value));
}

static struct arrival arrival_of(struct wb_simt_analysis *analysis, const struct wb_group *group,
                                 const struct wb_copy *copy)
{
  struct arrival made = {.location = copy->to, .known = true};
  uint32_t word;
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_NUMBER, .addend = (uint32_t)copy->value};
    break;
  case WB_COPY_CONSTANT:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_CONSTANT, .base = copy->value};
    break;
  case WB_COPY_LAUNCH:
    made.value = (struct wb_known_value){.kind = WB_KNOWN_LAUNCH, .base = copy->value};
    break;
  case WB_COPY_REGISTER:
    made.known = value_of(group, copy->from, (uint32_t)copy->value, &made.value);
    break;
  case WB_COPY_STORE:
    made.location = word_of(analysis, group, copy);
    made.known = copy->from != WB_NO_REGISTER && value_of(group, copy->from, 0, &made.value);
    break;
  default: /* WB_COPY_LOAD */
    word = word_of(analysis, group, copy);
    made.known = word != WB_NOWHERE && value_of(group, word, 0, &made.value);
    if (made.known)
      wb_barrier_machine_of(analysis)->words_read = true;
    break;
  }
  if (made.known && ((made.value.kind == WB_KNOWN_ANY && !is_barrier(made.location)) ||
                     takes_from_one_lane(group, copy, &made.value)))
    made.known = false;
  return made;
}

/* What is known of the location after a copy. A number that is no binding binds a barrier register
 * to no scope. */
static const struct wb_known_value *settled(struct arrival *arrival)
{
  if (!is_barrier(arrival->location))
    return arrival->known ? &arrival->value : NULL;
  if (!arrival->known)
    arrival->value = (struct wb_known_value){.kind = WB_KNOWN_ANY};
  return arrival->value.kind > WB_KNOWN_UNBOUND ? &arrival->value : NULL;
}

/* Brings a value to its place; where lanes may not do the instruction, beside the old one. */
static bool bring(struct wb_group *group, struct arrival *arrival, bool certain,
                  const struct wb_known_value *old)
{
  const struct wb_known_value *value = settled(arrival);
  struct wb_known_value joined;
  if (!certain) {
    const bool there = wb_known_join(arrival->location, old, value, &joined);
    const bool barrier = is_barrier(arrival->location);
    value = there && !(barrier && joined.kind <= WB_KNOWN_UNBOUND) ? &joined : NULL;
  }
  return wb_group_set(group, arrival->location, value);
}

/* The copies' values come from before the instruction. */
static bool bring_all(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                      const struct wb_group *before, const struct wb_copy *copies, size_t count)
{
  struct wb_group *group = wb_group_of_block(analysis);
  const bool certain = !wb_instruction_conditional(instruction);
  bool memory = true;
  for (size_t c = 0; c < count && memory; c++) {
    struct arrival arrival = arrival_of(analysis, before, &copies[c]);
    if (arrival.location == WB_NOWHERE)
      continue;
    struct wb_known_value old;
    const bool there = value_of(before, arrival.location, 0, &old);
    memory = bring(group, &arrival, certain, there ? &old : NULL);
  }
  for (size_t c = 0; c < count && memory; c++) {
    if (!copies[c].clears)
      continue;
    struct wb_known_value old;
    struct wb_known_value joined;
    const bool there = value_of(before, copies[c].from, 0, &old);
    const bool left = !certain && there && wb_known_join(copies[c].from, &old, NULL, &joined) &&
                      joined.kind > WB_KNOWN_UNBOUND;
    memory = wb_group_set(group, copies[c].from, left ? &joined : NULL);
  }
  wb_group_close_unbound(group);
  return memory || wb_simt_no_memory(analysis);
}

bool wb_barrier_copy(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction)
{
  struct wb_barrier_machine *machine = wb_barrier_machine_of(analysis);
  struct wb_simt_block *block = &analysis->block;
  size_t count;
  const size_t first = wb_function_copies(analysis->function, block->instruction, &count);
  if (!wb_group_copy(&machine->side, wb_group_of_block(analysis)))
    return wb_simt_no_memory(analysis);
  wb_simt_agreement_step(analysis->function, instruction, &block->agreed, &block->written);
  wb_simt_block_settle(analysis);
  if (count == 0 || instruction->never || instruction->unknown)
    return true;
  return bring_all(analysis, instruction, &machine->side, analysis->function->copies + first,
                   count);
}
