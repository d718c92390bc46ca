/* Words of other lanes, in the domain of strided intervals. */
#include "values/interval/interval_domain.h"

struct wb_integer wb_interval_lane_word(const struct wb_interval_context *context,
                                        const struct wb_integer *own)
{
  struct wb_lane_word *of_all =
      context->lane_words != NULL ? &context->lane_words[context->index] : NULL;
  const struct wb_integer any = wb_integer_unknown(own->origin);
  /* Relative to the registers of this thread it says nothing of others. */
  const struct wb_integer word = own->base == WB_NO_REGISTER ? *own : any;
  if (context->some_iterations)
    return of_all != NULL && of_all->known ? of_all->word : any;
  if (of_all != NULL && context->keeps_lane_words)
    *of_all =
        (struct wb_lane_word){true, of_all->known ? wb_integer_join(&of_all->word, &word) : word};
  return word;
}
