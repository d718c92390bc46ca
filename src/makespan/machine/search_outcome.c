#include "makespan/machine/search_outcome.h"

#include <stdlib.h>

void wb_search_free(struct wb_search *search)
{
  free(search->makespan);
  wb_schedule_free(&search->witness);
  *search = (struct wb_search){0};
}
