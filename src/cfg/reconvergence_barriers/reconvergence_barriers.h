/* The reconvergence of Volta and later: convergence barriers (doc/simt-volta.md). */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_RECONVERGENCE_BARRIERS_H
#define WB_CFG_RECONVERGENCE_BARRIERS_RECONVERGENCE_BARRIERS_H

#include "cfg/simt/reconvergence.h"

extern const struct wb_reconvergence wb_reconvergence_barriers;

#endif
