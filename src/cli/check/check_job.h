/* `warpbound check` at work: the launches of a project, each a task with the arguments that
 * `analyze` would have, and its result. */
#ifndef WB_CLI_CHECK_CHECK_JOB_H
#define WB_CLI_CHECK_CHECK_JOB_H

#include "base/arena.h"
#include "base/file.h"
#include "base/list.h"
#include "cli/check/digest.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "formats/project/project_file.h"
#include "warpbound.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One launch. */
struct check_task {
  const struct wb_project_launch *launch;
  size_t number;              /* in the project, from 1 */
  struct arguments arguments; /* of `analyze`; borrows but for repeated and owned */
  const char *place;          /* what messages call the launch: "launch NAME" */
  const char *binary;         /* as the program opens it */
  struct wb_list notes;
  bool left;   /* of another shard */
  bool kept;   /* the result is the cache's */
  bool done;   /* it was tried */
  json_t *row; /* the result, or why there is none (doc/schema/check.json); NULL: memory is out */
  bool refused;
  char *page; /* of its report; NULL: not asked for, or no result. Owned */
};

/* Owns all but the arguments. Zero-initialise; check_job_free. */
struct check_job {
  struct arguments *arguments;
  struct wb_project project;
  struct wb_input file; /* of the project */
  char *folder;         /* of the project, ended by '/'; "" for the current one */
  struct check_task *tasks;
  size_t count;
  struct limits limits;
  bool pages;                  /* pages are asked for */
  char *cache;                 /* the folder of kept results; NULL: nothing is kept */
  uint64_t cache_limit;        /* most bytes of these */
  char program[DIGEST_SIZE];   /* of this program */
  uint64_t shard, shard_count; /* 1/1: all */
  json_t *inputs;              /* of a shard: what all of the project is made of; else NULL */
  struct wb_arena arena;
};

/* Reads the project and makes a task of each launch; what the command line says wins. Errors:
 * WARPBOUND_USAGE, WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. */
warpbound_status check_job_read(struct arguments *arguments, struct check_job *job,
                                warpbound_error *error);
void check_job_free(struct check_job *job);

/* Frees what was found of a task. */
void check_task_clear(struct check_task *task);

/* Makes of an error about a launch one that names the project's file, line and column, where it is
 * about a value there. */
void check_locate(const struct check_job *job, const struct check_task *task,
                  warpbound_error *error);

/* Makes of the error that facts are missing one by the keys of the project's file. */
void check_tell_lacking(const struct check_job *job, const struct check_task *task,
                        warpbound_error *error);

/* The option that a key stands for, by its name; "": none. */
const char *check_option_name(const struct wb_project_key *key);

/* Analyses all tasks that are not left, several at a time, each in a process of its own or after
 * others in one; each then has its row, but for those that an interruption came before. A task that
 * cannot be analysed does not end the others. Errors: WARPBOUND_INTERNAL. */
warpbound_status check_job_run(struct check_job *job, warpbound_error *error);

#endif
