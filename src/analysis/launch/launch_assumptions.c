/* What the bracket of a launch rests on, in words: values of the device by kind, and what is taken
 * for true of the machine while the launch runs. */
#include "analysis/launch/launch_steps.h"

#include "launch/timing/timing_code.h"

#include <inttypes.h>

/* ---- values of the device ---- */

/* The values that were read and that a kind of assumption is about: "a = 4, b = 2". */
static void state_values(struct wb_launch_analysis *analysis, enum wb_value_kind kind,
                         bool left_out, const char *sentence)
{
  struct wb_text names = {0};
  size_t count = 0;
  for (size_t v = 0; v < analysis->device->value_count; v++) {
    const struct wb_device_value *value = &analysis->device->values[v];
    if (value->kind != kind || !analysis->value_used[v] || value->left_out != left_out)
      continue;
    wb_text_format(&names, "%s%s", count++ > 0 ? ", " : "", value->name);
    if (!left_out)
      wb_text_format(&names, " = %" PRIu64, value->value);
  }
  if (count > 0 && !names.failed)
    wb_list_add(&analysis->assumptions, sentence, names.data);
  analysis->assumptions.failed |= names.failed;
  wb_text_free(&names);
}

void wb_launch_state_values(struct wb_launch_analysis *analysis)
{
  const size_t before = analysis->assumptions.count;
  state_values(analysis, WB_VALUE_MEASURED, false,
               "measured on an idle device, and taken as the most that they can be: %s");
  state_values(analysis, WB_VALUE_ASSUMED, false, "assumed, for no source is known: %s");
  state_values(analysis, WB_VALUE_DECLARED, false, "declared by the user: %s");
  state_values(analysis, WB_VALUE_ASSUMED, true, "not given by the device file, 0 assumed: %s");
  analysis->value_assumptions = analysis->assumptions.count - before;
}

/* ---- the machine ---- */

void wb_launch_state_machine(struct wb_launch_analysis *analysis)
{
  const size_t before = analysis->assumptions.count;
  const struct wb_timed_code *code = &analysis->timed;
  const struct wb_function *function = analysis->function;
  struct wb_list *list = &analysis->assumptions;
  bool uses_memory = false; /* requests to what the whole GPU shares: L2, memory */
  bool reads_constants = false;
  for (size_t s = 0; s < code->stage_count; s++)
    uses_memory |= code->resources[code->stages[s].resource].level == WB_LEVEL_GPU;
  for (size_t i = 0; i < function->instruction_count && !reads_constants; i++)
    reads_constants = wb_has_constant_operand(function, (uint32_t)i);
  wb_list_add(list, "device file: resources, classes and the way of each class through them are as "
                    "the file of the device has them");
  wb_list_add(list, "work conservation (W): an instruction or request that its own past lets go on "
                    "is only kept by a resource whose servers all serve others (doc/launch.md)");
  wb_list_add(list, "room of a block (E): a block leaves its SM once its warps have ended and none "
                    "of its instructions needs the SM any more");
  wb_list_add(list, "prompt dispatch: no SM has room while a block waits; blocks go to any SM, in "
                    "any order");
  wb_list_add(list,
              "even spread: the warps of a block are spread evenly over the partitions of its "
              "SM, and stay there");
  if (uses_memory)
    wb_list_add(list, "even addresses: requests are spread over the slices of L2 and the channels "
                      "of the memory so that none waits while a server of its resource is free");
  wb_list_add(list,
              "locked clock: the SMs run at %.10g MHz all the time, and the memory at the clock "
              "that the device's numbers are for; cycles stand for time only then",
              (double)analysis->clock / 1e6);
  wb_list_add(list,
              "one context: no other kernel, stream or process is on the GPU and its SMs, and "
              "nothing interrupts this one: no preemption, time slices, MPS, debugger or "
              "profiler");
  const char *clients = analysis->device->memory_clients;
  if (uses_memory && clients != NULL && clients[0] != '\0')
    wb_list_add(list,
                "idle memory: nothing else uses the L2 cache and the memory: %s, which share the "
                "memory of this device, are idle",
                clients);
  else if (uses_memory)
    wb_list_add(list, "idle memory: nothing else uses the L2 cache and the memory: no copies, no "
                      "other device, no display");
  if (uses_memory)
    wb_list_add(list,
                "refresh: refresh of the memory, and its turning from reads to writes, take no "
                "more than the device's numbers have of them");
  wb_list_add(list, "warm instruction cache: instructions are in the cache when they are to issue; "
                    "misses, also the first ones, are not in the model");
  if (reads_constants)
    wb_list_add(list, "warm constant cache: operands in constant memory are in the cache; misses, "
                      "also the first ones, are not in the model");
  wb_list_add(list,
              "translated addresses: no translation of an address misses (TLB), and there are "
              "no page faults");
  wb_list_add(list,
              "no repairs: no correction of memory errors (ECC) takes time, and nothing traps");
  analysis->machine_assumptions = analysis->assumptions.count - before;
}
