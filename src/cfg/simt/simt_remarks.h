/* The assumptions that the graph rests on, and where the listing's annotations contradict it. */
#ifndef WB_CFG_SIMT_SIMT_REMARKS_H
#define WB_CFG_SIMT_SIMT_REMARKS_H

struct wb_simt_analysis;
struct wb_simt_record;

/* Adds both to the graph, from what the last pass noted; sorts the matches. */
void wb_simt_remark(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

#endif
