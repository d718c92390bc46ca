/* Policies by which all waits that may. The model says of what waits only that *some* resource of
 * its partition, its SM or the GPU has all servers serving; one that is taken at issue counts for
 * instructions that need it alone (doc/launch.md, (W)). So while a resource that requests use is
 * full, nothing else of its partition, its SM or the GPU need go on: queues may be full. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"

bool wb_launch_make_convoys(struct wb_launch_machine *machine, uint64_t *budget)
{
  static const enum wb_resource_level widest_first[] = {WB_LEVEL_GPU, WB_LEVEL_SM,
                                                        WB_LEVEL_PARTITION};
  struct wb_launch_convoys *const convoys = &machine->convoys;
  const enum wb_launch_policy policy = machine->options->policy;
  const uint64_t parts = (uint64_t)machine->sms * machine->partitions;
  const size_t count = machine->code->resource_count;
  if (!wb_launch_policy_convoys(policy))
    return true;
  convoys->on = true;
  convoys->in_step = wb_launch_policy_in_step(policy);
  convoys->issued = wb_launch_take(machine, budget, machine->sms, sizeof *convoys->issued);
  convoys->behind = wb_launch_take(machine, budget, machine->sms, sizeof *convoys->behind);
  convoys->full_of_sm = wb_launch_take(machine, budget, machine->sms, sizeof *convoys->full_of_sm);
  convoys->full_of_part = wb_launch_take(machine, budget, parts, sizeof *convoys->full_of_part);
  convoys->waiting =
      wb_launch_take(machine, budget, machine->active_words, sizeof *convoys->waiting);
  /* The one that starts requests first fills first. Which of two makes longer runs differs. */
  const bool last_first = wb_launch_policy_lags(policy);
  for (size_t l = 0; l < sizeof widest_first / sizeof *widest_first; l++) {
    for (size_t i = 0; i < count; i++) {
      const size_t r = last_first ? count - 1 - i : i;
      if (!machine->code->resources[r].at_issue &&
          machine->code->resources[r].level == widest_first[l])
        convoys->order[convoys->order_count++] = (uint8_t)r;
    }
  }
  return !machine->failed;
}

/* Which of its kind the station is: of which partition, or SM. */
static uint32_t place_of(const struct wb_launch_machine *machine, uint32_t number)
{
  return number - machine->station_base[machine->stations[number].resource];
}

static enum wb_resource_level level_of(const struct wb_launch_machine *machine, uint32_t number)
{
  return machine->code->resources[machine->stations[number].resource].level;
}

/* How many stations of its place are full. */
static uint32_t *full_beside(struct wb_launch_machine *machine, uint32_t number)
{
  const enum wb_resource_level level = level_of(machine, number);
  if (level == WB_LEVEL_GPU)
    return &machine->convoys.full;
  return level == WB_LEVEL_SM ? &machine->convoys.full_of_sm[place_of(machine, number)]
                              : &machine->convoys.full_of_part[place_of(machine, number)];
}

static void begin_spell(struct wb_launch_machine *machine)
{
  struct wb_launch_convoys *const convoys = &machine->convoys;
  convoys->goal = convoys->most_issued;
  for (uint32_t sm = 0; sm < machine->sms; sm++)
    convoys->behind[sm] = convoys->issued[sm] < convoys->goal;
}

void wb_launch_fill(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_launch_convoys *const convoys = &machine->convoys;
  if (level_of(machine, number) == WB_LEVEL_GPU && convoys->full == 0 &&
      machine->wheel.now > convoys->full_end)
    begin_spell(machine);
  ++*full_beside(machine, number);
}

void wb_launch_empty(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_convoys *const convoys = &machine->convoys;
  const enum wb_resource_level level = level_of(machine, number);
  const size_t place = place_of(machine, number);
  --*full_beside(machine, number);
  if (level == WB_LEVEL_GPU) {
    convoys->full_end = machine->wheel.now;
    for (size_t w = 0; w < machine->active_words; w++) {
      machine->active[w] |= convoys->waiting[w];
      convoys->waiting[w] = 0;
    }
    return;
  }
  const size_t first = level == WB_LEVEL_SM ? place * machine->partitions : place;
  const size_t count = level == WB_LEVEL_SM ? machine->partitions : 1;
  for (size_t part = first; part < first + count; part++) {
    const uint64_t bit = convoys->waiting[part / 64] & UINT64_C(1) << part % 64;
    machine->active[part / 64] |= bit;
    convoys->waiting[part / 64] &= ~bit;
  }
}

/* For events: a resource that keeps the warps of the partition that are ready. */
static void note_full(struct wb_launch_machine *machine, size_t part)
{
  const struct wb_launch_partition *const of = &machine->parts[part];
  const uint32_t sm = (uint32_t)(part / machine->partitions);
  uint8_t full = 0;
  for (size_t n = 0; n < machine->convoys.order_count; n++) {
    const uint8_t resource = machine->convoys.order[n];
    const enum wb_resource_level level = machine->code->resources[resource].level;
    uint32_t station = machine->station_base[resource];
    if (level != WB_LEVEL_GPU)
      station += level == WB_LEVEL_SM ? sm : (uint32_t)part;
    if (machine->stations[station].free == 0)
      full = resource;
  }
  for (uint32_t p = 0; p < of->warps; p++) {
    struct wb_launch_warp *const warp =
        &machine->warps[machine->warp_at[part * machine->partition_warps + p]];
    if (warp->ready)
      warp->blocked_by = full;
  }
}

/* Whether what requests ask of the SM waits for the GPU. */
static bool sm_waits(const struct wb_launch_convoys *convoys, size_t sm)
{
  return convoys->full > 0 && !(convoys->in_step && convoys->behind[sm]);
}

void wb_launch_count_issue(struct wb_launch_machine *machine, size_t part)
{
  struct wb_launch_convoys *const convoys = &machine->convoys;
  const uint64_t issued = ++convoys->issued[part / machine->partitions];
  convoys->most_issued = wb_maximum(convoys->most_issued, issued);
}

bool wb_launch_issue_waits(struct wb_launch_machine *machine, size_t part)
{
  const struct wb_launch_convoys *const convoys = &machine->convoys;
  const size_t sm = part / machine->partitions;
  if (!convoys->on)
    return false;
  const bool waits = sm_waits(convoys, sm) ||
                     (convoys->full > 0 && convoys->issued[sm] >= convoys->goal) ||
                     convoys->full_of_sm[sm] > 0 || convoys->full_of_part[part] > 0;
  if (!waits)
    return false;
  machine->convoys.waiting[part / 64] |= UINT64_C(1) << part % 64;
  if (machine->recording)
    note_full(machine, part);
  return true;
}

bool wb_launch_station_waits(const struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_launch_convoys *const convoys = &machine->convoys;
  const uint32_t place = place_of(machine, number);
  const enum wb_resource_level level = level_of(machine, number);
  if (level == WB_LEVEL_GPU)
    return convoys->full > 0;
  const uint32_t sm = level == WB_LEVEL_SM ? place : place / machine->partitions;
  return sm_waits(convoys, sm) || convoys->full_of_sm[sm] > 0 ||
         (level == WB_LEVEL_PARTITION && convoys->full_of_part[place] > 0);
}
