/* What the last pass over the fixpoint notes down, and what the graph is made of. */
#ifndef WB_CFG_SIMT_SIMT_RECORD_H
#define WB_CFG_SIMT_SIMT_RECORD_H

#include "cfg/simt/simt_engine.h"

/* A transition between states; popped: the node, WB_NOWHERE for none. */
struct wb_simt_edge {
  uint32_t from;
  uint32_t to;
  uint32_t popped;
  uint8_t kind;
  bool plain;
};

struct wb_simt_pushed {
  uint32_t state;
  uint32_t node;
  bool divergent;
};

/* A pop and the point of a token that it can match. */
struct wb_simt_match {
  uint32_t instruction;
  uint32_t point;
};

/* What is noted of an instruction. */
enum {
  WB_NOTED_REACHED = 1,
  WB_NOTED_CONDITIONAL = 2,
  WB_NOTED_DIVERGENT = 4,
  WB_NOTED_TOKEN_MISSING = 8 /* on some way down the stack */
};

struct wb_simt_record {
  struct wb_simt_edge *edges;
  size_t edge_count;
  size_t edge_capacity;
  struct wb_simt_pushed *pushes;
  size_t push_count;
  size_t push_capacity;
  struct wb_simt_match *matches;
  size_t match_count;
  size_t match_capacity;
  uint8_t *notes; /* by instruction */
  bool *ends;     /* by state */
  uint32_t *last; /* by state: the last instruction of its block */
};

/* Does every state once more, noting all down. False on failure. */
bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

void wb_simt_record_free(struct wb_simt_record *record);

/* The assumptions and disagreements that follow from what was noted. Sorts the matches. */
void wb_simt_remark(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

#endif
