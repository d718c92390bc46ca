/* How annealing converged: the makespan of each run over its iterations. */
#ifndef WB_REPORT_MAKESPAN_CONVERGENCE_H
#define WB_REPORT_MAKESPAN_CONVERGENCE_H

#include "analysis/makespan/makespan_analysis.h"
#include "base/text.h"
#include "makespan/annealing/annealing.h"

/* Every improvement as a line of comma-separated values: time (in seconds since the
 * analysis began), iterations (of the run), run (from 1 on), best (makespan so far in the
 * run). By run, then by iteration, so that all but the times is the same for any number
 * of threads. The caller checks text->failed. */
void wb_convergence_csv(const struct wb_annealing_result *annealing, struct wb_text *text);

/* An SVG page of its own, after figure 7 of ETFA 2013: the curve of every run and, drawn
 * thicker, their envelope, the best of all runs after so many iterations each; and the bound
 * from above, in cycles. Iterations on a logarithmic axis. Nothing of it depends on time. The
 * caller checks text->failed. */
void wb_convergence_svg(const struct wb_annealing_result *annealing, const warpbound_bound *upper,
                        const char *title, struct wb_text *text);

/* The same two of a result whose analysis was to anneal. */
void wb_result_convergence_csv(const struct warpbound_result *result, struct wb_text *text);
void wb_result_convergence_svg(const struct warpbound_result *result, struct wb_text *text);

#endif
