/* The analysis of a small program for Volta and later, and its graph as text. */
#ifndef TESTS_UNIT_GROUP_ANALYSIS_H
#define TESTS_UNIT_GROUP_ANALYSIS_H

#include "base/text.h"
#include "cfg/simt_analysis.h"

struct group_analysis {
  struct wb_code code;
  struct wb_simt_analysis *analysis;
  const struct wb_warp_graph *graph; /* NULL where the analysis failed */
  warpbound_status status;
  warpbound_error error;
  struct wb_text text; /* what the latest question was answered with */
};

/* Any of the analysis' options. Free with group_analysis_free. */
void group_analyse(struct group_analysis *made, const char *lines, struct wb_simt_options options);
/* The same of code that is made already, which becomes the analysis' own. */
void group_analyse_code(struct group_analysis *made, struct wb_code code,
                        struct wb_simt_options options);
void group_analysis_free(struct group_analysis *made);

/* The analysis must succeed, and its graph keep its invariants and have the parts that are told,
 * "edges: 3>4f $4; several: 4". Blocks are told by their last instruction, targets of edges by
 * their first one; of contexts but 0 "/CONTEXT" follows. edges: "3>4fe 3>6be 5>8b*": kind f, b, c,
 * t, then the rate: nothing for shared, e for each, l for lanes; a star where it pops. Then "$7"
 * for blocks where lanes can end. entries: "8s!(3 5~)": the point of an entry, s for a scope or w
 * for the warp, "!" for once, and the blocks that push it, "~" where divergent. branches: "1 3 |
 * 5": points of divergence, then uniform branches. scopes: "0:8 in 2 (5 7) x(4)": a BSSY, its
 * point, the BSSY around it, BSYNCs, BREAKs. innermost: "3:0": first instructions of blocks in a
 * scope, with its BSSY. several: first instructions of blocks that may run in several groups. */
void group_expect(const char *lines, struct wb_simt_options options, const char *parts);

/* Whether some assumption has a part. */
bool group_assumes(const struct group_analysis *made, const char *part);

/* Whether the loop of the blocks that begin from label `first` up to before `last` is balanced;
 * `other`: a second header, or NULL. */
bool group_balanced(const char *lines, struct wb_simt_options options, const char *first,
                    const char *other, const char *last);

#endif
