/* Warps that end before others of their block, where barriers are looked at. */
#ifndef WB_FLOW_BARRIERS_EARLY_ENDS_H
#define WB_FLOW_BARRIERS_EARLY_ENDS_H

/* Which warps of a block are compared, by where they may end. */
enum wb_early_ends {
  WB_ENDS_ALIKE,   /* all: none may end before a barrier that another one passes */
  WB_ENDS_FIRST,   /* those that pass some barrier */
  WB_ENDS_ANYWHERE /* all, each as long as the code may still lead it to a barrier */
};

#endif
