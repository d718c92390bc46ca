/* A run of the oracle from Volta on, in the step that is being made; for the files of this folder
 * alone. */
#ifndef WB_CFG_INTERPRETER_GROUPS_GROUP_MACHINE_H
#define WB_CFG_INTERPRETER_GROUPS_GROUP_MACHINE_H

#include "base/hash_table.h"
#include "base/random.h"
#include "base/status.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "model/code.h"

/* The most words of local memory that all lanes have stored. */
#define WB_LOCAL_WORD_LIMIT ((size_t)1 << 22)

/* A word of a lane's local memory. */
struct wb_local_word {
  uint32_t lane;
  uint32_t address;
  uint32_t number; /* its value */
};

/* What a copy does in a lane. */
struct wb_lane_source {
  uint32_t number;  /* that it puts there */
  uint32_t address; /* of a word of local memory */
  bool missing;     /* it loads a word that nobody has stored */
};

/* The words that copies have stored, and room for one instruction's copies. Zero-initialise. */
struct wb_lane_copies {
  struct wb_local_word *words;    /* no two of one lane and address */
  size_t word_count;              /* words */
  size_t word_capacity;           /* room for words */
  struct wb_hash_table table;     /* of the words */
  struct wb_lane_source *sources; /* of the step: copy * WB_LANE_LIMIT + lane */
  size_t source_capacity;         /* of sources */
};

/* Each lane is in at most one group by the instruction, and in one that was let go. */
#define WB_GROUP_RESULT_LIMIT (2 * WB_LANE_LIMIT)

/* Where a lane is after the step's instruction. Lanes of one place are one group. */
struct wb_lane_place {
  uint64_t scope;       /* in which it waits; else 0 */
  uint32_t instruction; /* next, or in which it waits; UINT32_MAX: it has ended */
  uint32_t part;        /* of a WARPSYNC of some lanes: lanes of other parts are another group */
  uint8_t wait;         /* enum wb_group_wait */
};

struct wb_group_machine {
  const struct wb_code *code;                 /* borrowed */
  const struct wb_function *function;         /* borrowed */
  const struct wb_group_run_options *options; /* borrowed */
  struct wb_lane_values *values;              /* registers of all lanes */
  struct wb_lane_copies copies;               /* local memory */
  struct wb_lane_groups state;                /* groups and scopes */
  struct wb_random random;                    /* everything that is drawn */
  uint32_t starved;    /* the lane whose group WB_GROUPS_STARVE holds back, WB_LANE_LIMIT
                        * for none yet; a new one is drawn where its group
                        * had to run or ended */
  uint32_t yield_odds; /* of 256: of an early release, in each step */

  /* The step. */
  const struct wb_instruction *instruction; /* that the step does */
  struct wb_lane_group group;               /* that does it, out of the state */
  struct wb_group_step step;                /* for the visitor */
  struct wb_lane_place places[WB_LANE_LIMIT];
  struct wb_group_result results[WB_GROUP_RESULT_LIMIT];
  bool syncs_some;        /* lanes did a WARPSYNC of some lanes */
  uint64_t salt;          /* of the step */
  warpbound_error *error; /* borrowed */
};

/* An error at the step's instruction. */
warpbound_status wb_group_refuse(const struct wb_group_machine *machine, const char *why);

/* Those of the lanes whose mask at the instruction is known to be all lanes of the warp. */
uint32_t wb_group_full_masks(const struct wb_group_machine *machine, uint32_t lanes);

/* The lanes of step.doing do the instruction: registers, scopes, and where each lane of the group
 * is afterwards. Before it the places are all the next instruction. */
warpbound_status wb_group_transfer(struct wb_group_machine *machine);

#endif
