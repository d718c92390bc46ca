/* Measured times in memory. */
#include "formats/times/times_file.h"

#include <stdlib.h>

void wb_times_free(struct wb_times *times)
{
  wb_name_pool_free(&times->names);
  free(times->rows);
  free(times->checksums);
  free(times->name);
  *times = (struct wb_times){0};
}
