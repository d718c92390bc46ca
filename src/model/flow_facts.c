#include "model/flow_facts.h"

#include <stdlib.h>
#include <string.h>

const struct wb_choice wb_spin_names[] = {
    {"cas", WB_SPIN_CAS},     {"atomic", WB_SPIN_ATOMIC}, {"load", WB_SPIN_LOAD},
    {"clock", WB_SPIN_CLOCK}, {"spin", WB_SPIN_ANY},      {NULL, 0},
};

const struct wb_kernel_facts *wb_flow_facts_find(const struct wb_flow_facts *facts,
                                                 const char *kernel)
{
  for (size_t k = 0; k < facts->kernel_count; k++) {
    if (strcmp(facts->kernels[k].kernel, kernel) == 0)
      return &facts->kernels[k];
  }
  return NULL;
}

bool wb_place_is_fragile(const struct wb_place *place)
{
  return place->has_address || place->label != NULL;
}

void wb_flow_facts_free(struct wb_flow_facts *facts)
{
  for (size_t k = 0; k < facts->kernel_count; k++) {
    free(facts->kernels[k].facts);
    free(facts->kernels[k].places);
  }
  wb_name_pool_free(&facts->names);
  free(facts->kernels);
  free(facts->name);
  *facts = (struct wb_flow_facts){0};
}
