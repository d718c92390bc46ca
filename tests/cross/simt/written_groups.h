/* Programs from Volta on that were once analysed wrong, or that random ones hardly ever are. */
#ifndef TESTS_CROSS_WRITTEN_GROUPS_H
#define TESTS_CROSS_WRITTEN_GROUPS_H

#include <stddef.h>

#define WRITTEN_LINES 24

/* A program of tests/helpers/groups/simt_text.h; lines end with a null pointer. */
struct written_group {
  const char *name;
  const char *lines[WRITTEN_LINES];
};

extern const struct written_group written_groups[];
extern const size_t written_group_count;

#endif
