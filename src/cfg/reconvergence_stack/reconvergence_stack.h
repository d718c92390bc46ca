/* The activation stack of Maxwell and Pascal (SSY, PBK, PCNT, PRET, CAL; SYNC, BRK, CONT, RET) as a
 * reconvergence mechanism. Continuations and cells are nodes of the stack graph: a continuation is
 * an entry that was pushed, a cell is what lies below it. */
#ifndef WB_CFG_RECONVERGENCE_STACK_RECONVERGENCE_STACK_H
#define WB_CFG_RECONVERGENCE_STACK_RECONVERGENCE_STACK_H

#include "cfg/simt/reconvergence.h"

extern const struct wb_reconvergence wb_reconvergence_stack;

#endif
