/* Times of a device at other clocks than its file's: cycles, picoseconds, and what may be either.
 */
#include "base/checked.h"
#include "model/devices/device_timing.h"

#define PICOSECONDS_OF_A_SECOND UINT64_C(1000000000000)

/* ---- what a value is used as ---- */

static void is_time(struct wb_device_timing *device, uint32_t value)
{
  if (value < device->value_count)
    device->values[value].is_time = true;
}

static void is_count(struct wb_device_timing *device, uint32_t value)
{
  if (value < device->value_count)
    device->values[value].is_count = true;
}

static void find_stage_times(struct wb_device_timing *device, const struct wb_timing_class *class)
{
  for (size_t s = 0; s < class->stage_count; s++) {
    is_time(device, class->stages[s].delay);
    is_time(device, class->stages[s].service);
  }
}

static void find_times(struct wb_device_timing *device)
{
  const uint32_t times[] = {device->launch_overhead, device->block_start, device->dispatch,
                            device->yield,           device->drain,       device->constant_operand,
                            device->register_read};
  for (size_t t = 0; t < sizeof times / sizeof *times; t++)
    is_time(device, times[t]);
  if (device->has_memory)
    is_time(device, device->l2_far);
  for (size_t c = 0; c < device->class_count; c++) {
    const struct wb_timing_class *class = &device->classes[c];
    is_time(device, class->interval);
    is_time(device, class->latency);
    is_time(device, class->read_latency);
    for (size_t u = 0; u < class->use_count; u++)
      is_time(device, class->uses[u].service);
    find_stage_times(device, class);
  }
  if (device->has_caches) {
    find_stage_times(device, &device->caches.near_fetch);
    find_stage_times(device, &device->caches.fetch);
    find_stage_times(device, &device->caches.walk);
  }
}

void wb_device_uses_find(struct wb_device_timing *device)
{
  const struct wb_residency_rules *rules = &device->residency;
  const uint32_t counts[] = {device->sms,
                             device->partitions,
                             device->clock,
                             device->memory_clock,
                             rules->max_blocks,
                             rules->max_warps,
                             rules->max_threads_per_block,
                             rules->registers,
                             rules->registers_per_block,
                             rules->registers_per_thread,
                             rules->register_unit,
                             rules->shared_memory,
                             rules->shared_per_block,
                             rules->shared_unit,
                             rules->shared_reserved,
                             rules->barriers,
                             device->register_banks};
  find_times(device);
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    is_count(device, counts[n]);
  for (size_t c = 0; c < rules->carveout_count && c < WB_CARVEOUT_LIMIT; c++)
    is_count(device, rules->carveouts[c]);
  for (size_t r = 0; r < device->resource_count; r++)
    is_count(device, device->resources[r].servers);
  is_count(device, device->l1_retained);
  is_count(device, device->l1_recent);
  if (device->has_memory) {
    is_count(device, device->l2_retained);
    is_count(device, device->l2_copies);
  }
  const struct wb_device_caches *caches = &device->caches;
  const uint32_t sizes[] = {caches->line,          caches->near, caches->constant_line,
                            caches->constant_near, caches->kept, caches->page,
                            caches->reach};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes && device->has_caches; s++)
    is_count(device, sizes[s]);
}

/* ---- cycles ---- */

/* number * up / down rounded up; the greatest number where that does not fit, or `down` is 0. */
static uint64_t scaled(uint64_t number, uint64_t up, uint64_t down)
{
  uint64_t result;
  return down > 0 && wb_multiply_divide_up(number, up, down, &result) ? result : UINT64_MAX;
}

/* Clocks of the SM and of the memory, in Hz; 0: not known. */
struct clocks {
  uint64_t sm, memory;
};

/* The most cycles at some clocks of what takes so many at others, where it may hang on the SM's
 * clock, on none or, where nothing is known of it, on the memory's. */
static uint64_t moved(const struct wb_device_value *value, struct clocks from, struct clocks to)
{
  uint64_t most = value->given;
  most = wb_maximum(most, scaled(value->given, to.sm, from.sm));
  if (value->clock == WB_CLOCK_UNKNOWN && from.memory > 0) {
    const uint64_t at_memory = scaled(value->given, from.memory, to.memory);
    most = wb_maximum(most, scaled(at_memory, to.sm, from.sm));
  }
  return most;
}

/* What a time is given as, in cycles of the SM's clock in effect. */
static uint64_t cycles_of(const struct wb_device_timing *device,
                          const struct wb_device_value *value)
{
  const uint64_t clock = device->values[device->clock].value;
  const uint64_t memory = device->values[device->memory_clock].value;
  switch (value->clock) {
  case WB_CLOCK_SM:
    return value->given;
  case WB_CLOCK_PICOSECONDS:
    return scaled(value->given, clock, PICOSECONDS_OF_A_SECOND);
  case WB_CLOCK_MEMORY:
    return scaled(value->given, clock, memory);
  default:
    return moved(value, (struct clocks){device->file_clock, device->file_memory_clock},
                 (struct clocks){clock, memory});
  }
}

void wb_device_clocks_take_over(struct wb_device_timing *device)
{
  const struct clocks own = {device->file_clock, device->file_memory_clock};
  for (size_t v = 0; v < device->value_count; v++) {
    struct wb_device_value *value = &device->values[v];
    struct clocks at = {value->at_clock, own.memory > 0 ? value->at_memory_clock : 0};
    if (value->is_time && at.sm > 0 &&
        (value->clock == WB_CLOCK_CHIP || value->clock == WB_CLOCK_UNKNOWN))
      value->given = moved(value, at, own);
    value->at_clock = value->at_memory_clock = 0;
  }
}

void wb_device_clocks_apply(struct wb_device_timing *device)
{
  device->values[device->clock].value = device->values[device->clock].given;
  device->values[device->memory_clock].value = device->values[device->memory_clock].given;
  for (size_t v = 0; v < device->value_count; v++) {
    struct wb_device_value *value = &device->values[v];
    value->value = value->is_time ? cycles_of(device, value) : value->given;
  }
}

void wb_device_note(const struct wb_device_timing *device, uint32_t value)
{
  const struct wb_device_value *read = &device->values[value];
  device->read[value] = true;
  if (!read->is_time || read->given == 0 || read->clock == WB_CLOCK_SM)
    return;
  device->read[device->clock] = true;
  if (read->clock == WB_CLOCK_MEMORY ||
      (read->clock == WB_CLOCK_UNKNOWN && device->file_memory_clock > 0))
    device->read[device->memory_clock] = true;
}

const char *wb_value_clock_name(enum wb_value_clock clock)
{
  static const char *const names[] = {[WB_CLOCK_UNKNOWN] = NULL,
                                      [WB_CLOCK_SM] = "sm",
                                      [WB_CLOCK_CHIP] = "chip",
                                      [WB_CLOCK_MEMORY] = "memory",
                                      [WB_CLOCK_PICOSECONDS] = "picoseconds"};
  return names[clock];
}
