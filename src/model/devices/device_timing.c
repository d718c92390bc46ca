#include "model/devices/device_timing.h"

#include "base/checked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Hz of the fastest clock that is taken for one. */
#define FASTEST_CLOCK UINT64_C(1000000000000)

size_t wb_device_value_find(const struct wb_device_timing *device, const char *name)
{
  for (size_t v = 0; v < device->value_count; v++) {
    if (strcmp(device->values[v].name, name) == 0)
      return v;
  }
  return SIZE_MAX;
}

size_t wb_device_memory(const struct wb_device_timing *device)
{
  for (size_t r = 0; r < device->resource_count; r++) {
    if (device->resources[r].level == WB_LEVEL_GPU &&
        strcmp(device->resources[r].name, WB_MEMORY_RESOURCE) == 0)
      return r;
  }
  return SIZE_MAX;
}

/* The length of a pattern that is an opcode, or its beginning before a dot; 0 where it is not.
 * Most differ in their first letters. */
static size_t matched_length(const char *pattern, const char *opcode)
{
  size_t length = 0;
  while (pattern[length] != '\0' && pattern[length] == opcode[length])
    length++;
  const bool begins = pattern[length] == '\0' && (opcode[length] == '\0' || opcode[length] == '.');
  return begins ? length : 0;
}

const struct wb_timing_class *wb_device_class(const struct wb_device_timing *device,
                                              const char *opcode, enum wb_unit unit)
{
  const struct wb_timing_class *best = NULL;
  size_t longest = 0;
  for (size_t c = 0; c < device->class_count; c++) {
    const struct wb_timing_class *class = &device->classes[c];
    for (size_t p = 0; p < class->pattern_count; p++) {
      const size_t length = matched_length(class->patterns[p], opcode);
      if (length > longest) {
        longest = length;
        best = class;
      }
    }
  }
  for (size_t c = 0; c < device->class_count && best == NULL; c++) {
    if (device->classes[c].of_unit[unit])
      best = &device->classes[c];
  }
  return best;
}

static const char wrong_count[] =
    "a count must be at least 1 (of reserved bytes 0) and within what its kind allows";

static const char wrong_clock[] = "a clock must be from 1 to 1000000000000 Hz";

/* A device that is being checked, and what is wrong with it. */
struct check {
  const struct wb_device_timing *device;
  const char *wrong; /* the invariant that is broken */
  size_t value;      /* the value that breaks it; SIZE_MAX: none */
  const char *name;  /* of the class or opcode that does; NULL: none */
};

static bool fails(struct check *check, const char *wrong)
{
  check->wrong = wrong;
  check->value = SIZE_MAX;
  return false;
}

static bool fails_at(struct check *check, const char *name, const char *wrong)
{
  check->name = name;
  return fails(check, wrong);
}

/* Whether a value is there and from least to most; `wrong` says so. */
static bool within(struct check *check, uint32_t value, uint64_t least, uint64_t most,
                   const char *wrong)
{
  if (value >= check->device->value_count)
    return fails(check, "each number must be one of the device's values");
  const uint64_t number = wb_device_number(check->device, value);
  if (number >= least && number <= most)
    return true;
  check->wrong = wrong;
  check->value = value;
  return false;
}

/* A number of cycles that may be 0. */
static bool is_time(struct check *check, uint32_t value)
{
  return within(check, value, 0, WB_TIME_LIMIT,
                "cycles of a delay, latency or interval must be from 0 to 1000000000");
}

static bool is_service(struct check *check, uint32_t value)
{
  return within(check, value, 1, WB_TIME_LIMIT, "cycles of a service must be from 1 to 1000000000");
}

static bool check_resources(struct check *check)
{
  const struct wb_device_timing *device = check->device;
  if (device->resource_count == 0 || device->resource_count > WB_RESOURCE_LIMIT)
    return fails(check, "a device must have from 1 to 32 resources");
  uint64_t multiple = 1;
  for (size_t r = 0; r < device->resource_count; r++) {
    const struct wb_device_resource *resource = &device->resources[r];
    if (resource->level >= WB_LEVEL_COUNT)
      return fails(check, "a resource must belong to a partition, an SM or the GPU");
    if (resource->level == WB_LEVEL_GPU && resource->at_issue)
      return fails(check, "a resource of the whole GPU must not be taken at issue");
    if (!within(check, resource->servers, 1, WB_SERVER_LIMIT, "servers must be from 1 to 65536"))
      return false;
    const uint64_t servers = wb_maximum(wb_device_number(device, resource->servers), 1);
    multiple = multiple / wb_greatest_common_divisor(multiple, servers) * servers;
    if (multiple > WB_SHARE_LIMIT)
      return fails(check, "the least common multiple of the resources' servers must be at most "
                          "1048576");
  }
  return true;
}

static bool check_stages(struct check *check, const struct wb_timing_class *class)
{
  const struct wb_device_timing *device = check->device;
  for (size_t s = 0; s < class->stage_count; s++) {
    const struct wb_class_stage *stage = &class->stages[s];
    if (stage->resource >= device->resource_count || device->resources[stage->resource].at_issue)
      return fails_at(check, class->name, "a stage must use a resource that is not taken at issue");
    if (stage->per >= WB_REQUEST_UNIT_COUNT)
      return fails(check, "a stage must be for each instruction, sector, wavefront or lane");
    if (!is_time(check, stage->delay) || !is_service(check, stage->service))
      return false;
  }
  return true;
}

/* Whether what the class takes at issue, its stages and its times are right. */
static bool check_class(struct check *check, const struct wb_timing_class *class)
{
  const struct wb_device_timing *device = check->device;
  uint32_t taken = 0;
  if (class->use_count == 0 || class->use_count > WB_CLASS_USES)
    return fails_at(check, class->name, "a class must take from 1 to 4 resources at issue");
  for (size_t u = 0; u < class->use_count; u++) {
    const struct wb_class_use *use = &class->uses[u];
    if (use->resource >= device->resource_count || !device->resources[use->resource].at_issue)
      return fails_at(check, class->name, "a class must take resources that are taken at issue");
    if ((taken >> use->resource & 1) != 0)
      return fails_at(check, class->name, "a class must take each resource at most once");
    taken |= UINT32_C(1) << use->resource;
    if (!is_service(check, use->service))
      return false;
  }
  if (class->stage_count > WB_CLASS_STAGES || class->read_stages > class->stage_count)
    return fails_at(check, class->name,
                    "a class must have at most 8 stages, and read its operands within them");
  if (!check_stages(check, class))
    return false;
  return is_time(check, class->interval) && is_time(check, class->latency) &&
         is_time(check, class->read_latency);
}

/* Whether the caches have lines and pages, and ways that can be fetched by. */
static bool check_caches(struct check *check)
{
  const struct wb_device_caches *caches = &check->device->caches;
  const struct wb_timing_class *const ways[] = {&caches->near_fetch, &caches->fetch, &caches->walk};
  const uint32_t sizes[] = {caches->near, caches->constant_near, caches->kept, caches->reach};
  bool right =
      within(check, caches->line, 32, 65536, "a line must have from 32 to 65536 bytes") &&
      within(check, caches->constant_line, 32, 65536, "a line must have from 32 to 65536 bytes") &&
      within(check, caches->page, 4096, UINT64_C(1) << 40,
             "a page must have from 4096 to 2^40 bytes");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes && right; s++)
    right = within(check, sizes[s], 0, UINT64_C(1) << 48,
                   "bytes that caches keep must be from 0 to 2^48");
  for (size_t w = 0; w < sizeof ways / sizeof *ways && right; w++) {
    right = check_stages(check, ways[w]);
    if (right && (ways[w]->stage_count == 0 || ways[w]->stage_count > WB_COLD_STAGES / 2))
      return fails_at(check, ways[w]->name, "a way of fetches must have from 1 to 4 stages");
    for (size_t s = 0; s < ways[w]->stage_count && right; s++) {
      const enum wb_resource_level level =
          check->device->resources[ways[w]->stages[s].resource].level;
      if (level == WB_LEVEL_PARTITION)
        return fails_at(check, ways[w]->name, "a fetch must not use a partition's resources");
      if (ways[w] == &caches->near_fetch && level == WB_LEVEL_GPU)
        return fails_at(check, ways[w]->name, "a fetch from an SM's cache must stay in its SM");
    }
  }
  return right;
}

/* Whether no class before number c has a unit or a pattern of it. */
static bool check_names(struct check *check, size_t c)
{
  const struct wb_device_timing *device = check->device;
  const struct wb_timing_class *class = &device->classes[c];
  for (size_t other = 0; other <= c; other++) {
    const struct wb_timing_class *before = &device->classes[other];
    for (unsigned u = 0; u < WB_UNIT_COUNT && other < c; u++) {
      if (class->of_unit[u] && before->of_unit[u])
        return fails_at(check, class->name, "a unit must be of one class");
    }
    for (size_t p = 0; p < class->pattern_count; p++) {
      const size_t count = other < c ? before->pattern_count : p;
      for (size_t q = 0; q < count; q++) {
        if (strcmp(class->patterns[p], before->patterns[q]) == 0)
          return fails_at(check, class->patterns[p],
                          "an opcode must be of one class, and there once");
      }
    }
  }
  return true;
}

/* Whether the SM has a clock, and the memory where the file says its own. */
static bool check_clocks(struct check *check)
{
  const struct wb_device_timing *device = check->device;
  return within(check, device->clock, 1, FASTEST_CLOCK, wrong_clock) &&
         (device->file_memory_clock == 0 ||
          within(check, device->memory_clock, 1, FASTEST_CLOCK, wrong_clock));
}

/* Whether no number is a count and a time at other clocks than the file's. */
static bool check_counts(struct check *check)
{
  const struct wb_device_timing *device = check->device;
  const bool moved = wb_device_number(device, device->clock) != device->file_clock ||
                     (device->file_memory_clock > 0 &&
                      wb_device_number(device, device->memory_clock) != device->file_memory_clock);
  for (size_t v = 0; moved && v < device->value_count; v++) {
    if (device->values[v].is_count && device->values[v].is_time) {
      check->wrong = "it is a time at another clock and a count, which need a value each";
      check->value = v;
      return false;
    }
  }
  return true;
}

/* Fills *check; whether all invariants hold but those of names, which no change of a value breaks.
 */
static bool check_values(const struct wb_device_timing *device, struct check *check)
{
  const struct wb_residency_rules *rules = &device->residency;
  const uint32_t times[] = {device->launch_overhead, device->block_start, device->dispatch,
                            device->yield,           device->drain,       device->constant_operand,
                            device->register_read};
  const struct {
    uint32_t value;
    uint64_t least, most;
  } counts[] = {
      {rules->max_blocks, 1, 1024},
      {rules->max_warps, 1, 1024},
      {rules->max_threads_per_block, 1, 32768},
      {rules->registers, 1, UINT32_MAX},
      {rules->registers_per_block, 1, UINT32_MAX},
      {rules->registers_per_thread, 1, UINT32_MAX},
      {rules->register_unit, 1, UINT32_MAX},
      {rules->shared_memory, 1, UINT32_MAX},
      {rules->shared_per_block, 1, UINT32_MAX},
      {rules->shared_unit, 1, UINT32_MAX},
      {rules->shared_reserved, 0, UINT32_MAX},
      {rules->barriers, 1, UINT32_MAX},
      {device->register_banks, 0, 256},
  };
  *check = (struct check){device, NULL, SIZE_MAX, NULL};
  bool right = within(check, device->sms, 1, 65536, wrong_count) &&
               within(check, device->partitions, 1, 64, wrong_count) && check_clocks(check);
  for (size_t t = 0; right && t < sizeof times / sizeof *times; t++)
    right = is_time(check, times[t]);
  if (right && rules->carveout_count > WB_CARVEOUT_LIMIT)
    return fails(check, "an SM must have at most 32 sizes of shared memory");
  for (size_t c = 0; right && c < rules->carveout_count; c++)
    right = within(check, rules->carveouts[c], 0, UINT32_MAX,
                   "a size of shared memory must be from 0 to 4294967295 bytes");
  for (size_t n = 0; right && n < sizeof counts / sizeof *counts; n++)
    right = within(check, counts[n].value, counts[n].least, counts[n].most, wrong_count);
  right = right && check_resources(check);
  if (right)
    right = within(check, device->l1_retained, 0, WB_KEPT_BYTES_LIMIT,
                   "bytes of a first cache must be from 0 to 2^48") &&
            within(check, device->l1_recent, 0, WB_KEPT_BYTES_LIMIT,
                   "bytes of a first cache must be from 0 to 2^48");
  if (right && device->has_memory)
    right = within(check, device->l2_retained, 0, WB_KEPT_BYTES_LIMIT,
                   "bytes of L2 must be from 0 to 2^48") &&
            within(check, device->l2_copies, 1, WB_KEPT_COPIES_LIMIT,
                   "parts of L2 must be from 1 to 16") &&
            is_time(check, device->l2_far);
  if (right && device->has_memory &&
      (device->memory >= device->resource_count ||
       device->resources[device->memory].level != WB_LEVEL_GPU))
    right = fails(check, "the memory behind L2 must be a resource of the GPU");
  if (right && device->has_caches)
    right = check_caches(check);
  for (size_t c = 0; right && c < device->class_count; c++)
    right = check_class(check, &device->classes[c]);
  return right && check_counts(check);
}

bool wb_device_timing_values_hold(const struct wb_device_timing *device)
{
  struct check check;
  return check_values(device, &check);
}

warpbound_status wb_device_timing_verify(const struct wb_device_timing *device,
                                         warpbound_error *error)
{
  struct check check;
  bool right = check_values(device, &check);
  for (size_t c = 0; right && c < device->class_count; c++)
    right = check_names(&check, c);
  if (right)
    return WARPBOUND_OK;
  if (check.value == SIZE_MAX && check.name != NULL)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, device->file, 0, 0, "'%.60s': %s", check.name,
                      check.wrong);
  if (check.value == SIZE_MAX)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, device->file, 0, 0, "%s", check.wrong);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, device->file, 0, 0,
                    "value '%.60s' is %" PRIu64 ": %s", device->values[check.value].name,
                    device->values[check.value].value, check.wrong);
}

const char *wb_value_kind_name(enum wb_value_kind kind)
{
  static const char *const names[] = {[WB_VALUE_DOCUMENTED] = "documented",
                                      [WB_VALUE_MEASURED] = "measured",
                                      [WB_VALUE_DECLARED] = "declared",
                                      [WB_VALUE_ASSUMED] = "assumed"};
  return names[kind];
}

const char *wb_resource_level_name(enum wb_resource_level level)
{
  static const char *const names[] = {
      [WB_LEVEL_PARTITION] = "partition", [WB_LEVEL_SM] = "sm", [WB_LEVEL_GPU] = "gpu"};
  return names[level];
}

const char *wb_request_unit_name(enum wb_request_unit unit)
{
  static const char *const names[] = {[WB_PER_INSTRUCTION] = "instruction",
                                      [WB_PER_SECTOR] = "sector",
                                      [WB_PER_WAVEFRONT] = "wavefront",
                                      [WB_PER_LANE] = "lane",
                                      [WB_PER_REGISTER] = "register"};
  return names[unit];
}

void wb_device_timing_free(struct wb_device_timing *device)
{
  free(device->values);
  wb_arena_free(&device->arena);
  memset(device, 0, sizeof *device);
}
