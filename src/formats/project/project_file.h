/* The project file, warpbound.yaml: the launches of a project and what holds for all of them
 * (doc/launches/project.md). A file of several launches as `analyze --launches` reads is one too.
 *
 * What is said of a launch may stand at the launch, at its kernel under `kernels`, or at the top of
 * the file for all. The nearest one counts; of options that are given several times, as `param`,
 * those of all places count, and the nearest of each name. */
#ifndef WB_FORMATS_PROJECT_PROJECT_FILE_H
#define WB_FORMATS_PROJECT_PROJECT_FILE_H

#include "base/arena.h"
#include "base/status.h"

#include <stddef.h>

#define WB_PROJECT_FORMAT "warpbound-project-1"
/* Most launches of a project. */
#define WB_PROJECT_LAUNCHES 100000

/* What the value of a key looks like. */
enum wb_project_value_kind {
  WB_PROJECT_WORD,  /* a text, or a list of at most three as X,Y,Z */
  WB_PROJECT_PATH,  /* a text: a file or a folder, beside the project's */
  WB_PROJECT_FLAG,  /* true or false */
  WB_PROJECT_TEXTS, /* a text, a list of texts, or a map, whose entries become KEY=VALUE */
};

/* A key of a launch: the option of the command line that it stands for is called the same, with
 * '-' for '_'. */
struct wb_project_key {
  const char *key;
  enum wb_project_value_kind kind;
  const char *option; /* where it has another name; NULL: the same */
};
/* The table, ended by a row without a key. */
extern const struct wb_project_key wb_project_keys[];

/* What a key says. A flag that is false has no texts, one that is true "". */
struct wb_project_value {
  const struct wb_project_key *key;
  const char **texts;
  size_t count;
  size_t line, column;
};

/* A launch with all that holds for it, in the order of the table; a key stands once. */
struct wb_project_launch {
  const char *name; /* of the project one only; without `name` its number, from 1 */
  size_t line, column;
  const struct wb_project_value *values;
  size_t value_count;
};

/* Owns all by its arena. */
struct wb_project {
  const char *name; /* of the file */
  struct wb_project_launch *launches;
  size_t launch_count;
  const char *baseline, *cache; /* paths as they stand there; NULL: not given */
  const char *fail_above;       /* NULL: not given */
  size_t fail_above_line, fail_above_column;
  struct wb_arena arena;
};

/* Reads a project; after an error there is nothing to free. Errors, with line and column:
 * WARPBOUND_INVALID_INPUT; WARPBOUND_INTERNAL where memory is out. */
warpbound_status wb_project_read(const char *name, const char *text, size_t length,
                                 struct wb_project *project, warpbound_error *error);
void wb_project_free(struct wb_project *project);

/* What a launch says of a key; NULL: nothing. */
const struct wb_project_value *wb_project_value_of(const struct wb_project_launch *launch,
                                                   const char *key);

#endif
