/* Ablations of the abstract interpretation: how much of each domain is used. */
#ifndef WB_CFG_SIMT_SIMT_OPTIONS_H
#define WB_CFG_SIMT_SIMT_OPTIONS_H

#include <stdbool.h>

/* Whose agreement is tracked. */
enum wb_agreement_extent {
  WB_AGREEMENT_ALL,    /* of the lanes that run and of those that wait */
  WB_AGREEMENT_ACTIVE, /* of the lanes that run */
  WB_AGREEMENT_NONE    /* of no lanes: no register ever agrees */
};

/* Zero it for the full analysis. */
struct wb_simt_options {
  bool acyclic_stack;                 /* the stack domain without cycles */
  bool no_groups;                     /* nothing is known of which groups of lanes are empty */
  enum wb_agreement_extent agreement; /* whose agreement is tracked */
};

#endif
