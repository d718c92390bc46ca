#include "linear/simplex.h"

#include "base/checked.h"

#include <math.h>

enum wb_stop wb_simplex_run(Clp_Simplex *model, const struct wb_simplex_run *run,
                            const struct wb_control *control, uint64_t *spent)
{
  uint64_t entries = (uint64_t)Clp_getNumElements(model) + 1;
  for (int64_t batch = run->first;; batch *= 2) {
    enum wb_stop stop = run->phase != NULL
                            ? wb_control_poll(control, run->phase, batch > run->first ? 0.5 : 0)
                            : wb_control_stopped(control);
    if (stop != WB_STOP_NONE)
      return stop;
    if (batch > run->last)
      batch = run->last;
    uint64_t most = wb_minimum((uint64_t)batch, (run->allowed - *spent) / entries);
    if (most == 0)
      return WB_STOP_MEMORY;
    Clp_setMaximumIterations(model, (int)most);
    if (run->timed && control->deadline > 0)
      Clp_setMaximumSeconds(model, fmax(control->deadline - wb_clock(), 0));
    (void)(run->dual ? Clp_dual(model, 0) : Clp_primal(model, 0));
    uint64_t iterations = (uint64_t)Clp_numberIterations(model);
    *spent += wb_minimum(run->allowed - *spent, entries * iterations);
    if (Clp_status(model) != WB_SIMPLEX_UNFINISHED)
      return WB_STOP_NONE;
    if (batch == run->last)
      return WB_STOP_MEMORY;
  }
}
