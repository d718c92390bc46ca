/* The reader of device files and changes of values when memory runs out: every allocation is made
 * to fail in turn, and nothing is left behind. Left out: allocations of Jansson. */
#include "failing_heap.h"
#include "formats/device/device_file.h"
#include "unit.h"

static const char file[] =
    "{\"format\": \"warpbound-device-1\", \"product\": \"one\", \"architecture\": 87, \"sms\": 2,"
    " \"partitions\": 4, \"clock\": 1000000000, \"residency\": {\"max_blocks\": 16, \"max_warps\": "
    "48,"
    " \"max_threads_per_block\": 1024, \"registers\": 65536, \"registers_per_block\": 65536,"
    " \"registers_per_thread\": 255, \"register_unit\": 256, \"shared_memory\": 65536,"
    " \"shared_per_block\": 49152, \"shared_unit\": 128, \"barriers\": 16},"
    " \"resources\": [{\"name\": \"slot\", \"level\": \"partition\", \"servers\": 1, \"at_issue\":"
    " true}], \"classes\": [{\"name\": \"all\", \"opcodes\": [\"A\", \"B.C\"], \"units\": [\"C\"],"
    " \"takes\": [{\"resource\": \"slot\", \"service\": \"time\"}], \"latency\": 8}],"
    " \"values\": {\"time\": {\"value\": 16, \"kind\": \"assumed\", \"source\": \"a guess\"}}}";

static warpbound_status read_and_change(const void *context, warpbound_error *error)
{
  (void)context;
  struct wb_device_timing device;
  warpbound_status status = wb_device_timing_read("f", file, sizeof file - 1, &device, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_device_timing_set(&device, "time=9", error);
  /* A change that failed left the value as it was. */
  const size_t time = wb_device_value_find(&device, "time");
  assert_int_equal(device.values[time].value, status == WARPBOUND_OK ? 9 : 16);
  wb_device_timing_free(&device);
  return status;
}

TEST(every_allocation_fails)
{
  assert_true(fail_each(read_and_change, NULL, WARPBOUND_OK) > 40);
}
