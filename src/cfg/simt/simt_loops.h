/* Whether a loop's iterations nest: doc/simt-analysis.md, "Loops". */
#ifndef WB_CFG_SIMT_SIMT_LOOPS_H
#define WB_CFG_SIMT_SIMT_LOOPS_H

#include "cfg/simt/simt_engine.h"

/* Whether a continuation is made in the body. */
bool wb_simt_made_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                         const bool *body);

/* Whether its lanes go on in the body. Logarithmic. */
bool wb_simt_goes_on_inside(const struct wb_simt_analysis *analysis, uint32_t continuation,
                            const bool *body);

/* Whether no edge from the body to the body resumes a continuation that is made outside. */
bool wb_simt_resumes_only_its_own(const struct wb_simt_analysis *analysis, const bool *body);

#endif
