/* The columns of files of measured times, for their reader and their writer. */
#ifndef WB_FORMATS_TIMES_TIMES_COLUMNS_H
#define WB_FORMATS_TIMES_TIMES_COLUMNS_H

/* In the order in which they are written. */
enum times_column {
  TIMES_KERNEL,
  TIMES_RUN,
  TIMES_WARP,
  TIMES_FROM,
  TIMES_TO,
  TIMES_COUNT,
  TIMES_CYCLES,
  TIMES_COLUMNS
};

static const char *const times_column_names[TIMES_COLUMNS] = {"kernel", "run",   "warp",  "from",
                                                              "to",     "count", "cycles"};

#endif
