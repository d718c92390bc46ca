/* The notes of the last pass over the fixpoint, of which the graph is made. */
#ifndef WB_CFG_SIMT_SIMT_RECORD_H
#define WB_CFG_SIMT_SIMT_RECORD_H

#include "cfg/simt/simt_engine.h"

/* A transition between states. */
struct wb_simt_edge {
  uint32_t from;         /* the state that is left */
  uint32_t to;           /* the state that is entered */
  uint32_t continuation; /* that is resumed, WB_NOWHERE for none */
  uint8_t kind;          /* enum wb_edge_kind */
  uint8_t rate;          /* enum wb_edge_rate */
  bool plain;            /* with no control instruction before */
};

/* A block makes a continuation (pushes an entry, opens a scope). */
struct wb_simt_making {
  uint32_t state;        /* at the block's beginning */
  uint32_t continuation; /* that is made */
  bool divergent;        /* by some executions only, of its last instruction */
};

/* An instruction at which lanes begin to wait, and where they can go on. */
struct wb_simt_match {
  uint32_t instruction; /* that waits */
  uint32_t point;       /* the instruction at which they go on */
};

/* Flags of an instruction. */
enum {
  WB_NOTED_REACHED = 1,     /* some execution may do it */
  WB_NOTED_CONDITIONAL = 2, /* a conditional control instruction */
  WB_NOTED_DIVERGENT = 4,   /* on which lanes may disagree */
  WB_NOTED_UNMATCHED = 8,   /* it may find nothing that it waits for */
  WB_NOTED_LETS_GO = 16,    /* lanes that wait may run on when others do it */
  WB_NOTED_BY_BLOCK = 32    /* what it does would be known in a block of whole warps */
};

struct wb_simt_record {
  struct wb_simt_edge *edges;     /* in the order of their states */
  size_t edge_count;              /* edges */
  size_t edge_capacity;           /* room in edges */
  struct wb_simt_making *makings; /* with repetitions */
  size_t making_count;            /* makings */
  size_t making_capacity;         /* room in makings */
  struct wb_simt_match *matches;  /* with repetitions */
  size_t match_count;             /* matches */
  size_t match_capacity;          /* room in matches */
  uint8_t *notes;                 /* by instruction: flags */
  bool *ends;                     /* by state: the warp can end in its block */
  uint32_t *last;                 /* by state: the last instruction of its block */
};

/* False where memory is out. */
bool wb_simt_record_start(struct wb_simt_analysis *analysis, struct wb_simt_record *record);
void wb_simt_record_free(struct wb_simt_record *record);

/* ---- notes about the block that is being done; nothing in the passes before the last ---- */

void wb_simt_note_edge(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                       struct wb_simt_place place);
/* The present instruction makes a continuation; divergent: not each time that lanes do it. */
void wb_simt_note_making(struct wb_simt_analysis *analysis, uint32_t continuation, bool divergent);
/* The warp can end here. */
void wb_simt_note_end(struct wb_simt_analysis *analysis);
/* Lanes begin to wait here, and will go on at the point. */
void wb_simt_note_match(struct wb_simt_analysis *analysis, uint32_t point);
/* Adds flags to the present instruction. */
void wb_simt_note(struct wb_simt_analysis *analysis, uint8_t flags);
/* An instruction of the block. */
void wb_simt_note_instruction(struct wb_simt_analysis *analysis, uint32_t instruction);

#endif
