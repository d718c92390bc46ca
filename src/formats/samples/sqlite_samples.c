/* Measured times from what Nsight Systems exports as SQLite (`nsys export --type sqlite`, or what
 * `nsys stats` leaves beside its report): launches of kernels are rows of a table, and their names
 * are numbers of another one.
 *
 * The file is a stranger's. It is read from memory and never written; views, triggers, virtual
 * tables and computed columns are refused or off, indices are not trusted, and a number of steps in
 * proportion to its length ends each question. */
#include "formats/samples/samples_file.h"

#include "base/memory.h"
#include "base/sorting.h"
#include "base/text.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES "CUPTI_ACTIVITY_KIND_KERNEL"
#define NAMES "StringIds"

/* How files of SQLite begin, and where they say that changes stand in a file beside them. */
static const char mark[16] = "SQLite format 3";
#define JOURNAL_AT 19
#define WRITE_AHEAD 2

/* The longest value of a cell in bytes; names of kernels are shorter. */
#define LONGEST_VALUE (1 << 20)
/* Steps of SQLite's machine: these and so many a byte. A launch takes some 40, and 80 bytes. */
#define LEAST_STEPS 100000000.0
#define STEPS_OF_BYTE 2.0
#define STEPS_OF_POLL 100000

/* Columns that hold a number of a name. */
static const char *const named[] = {"demangledName", "shortName", "mangledName"};
#define NAMED (sizeof named / sizeof *named)

/* A launch of a kernel. */
struct launch {
  int64_t start, row;
  double duration;
  size_t series;
};

struct database {
  struct wb_samples_reading *reading;
  sqlite3 *file;
  double steps;         /* left */
  const char *group;    /* the column that tells series apart; NULL: none. Borrowed. */
  bool by_name;         /* it holds numbers of names */
  sqlite3_stmt *lookup; /* of a name by its number */
  struct launch *launches;
  size_t count, capacity;
};

bool wb_is_sqlite(const char *text, size_t length)
{
  return length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
}

static int count_steps(void *context)
{
  struct database *database = context;
  database->steps -= STEPS_OF_POLL;
  return database->steps < 0;
}

/* What stopped the last question. */
static warpbound_status fail_as_sqlite(const struct database *database)
{
  const int code = sqlite3_errcode(database->file) & 0xff;
  if (code == SQLITE_NOMEM)
    return wb_out_of_memory(database->reading->error);
  return wb_fail_at(database->reading->error, WARPBOUND_INVALID_INPUT, database->reading->name, 0,
                    0, "expected a sound SQLite file, found that %.200s",
                    code == SQLITE_INTERRUPT ? "it takes more steps than its length explains"
                                             : sqlite3_errmsg(database->file));
}

static warpbound_status refuse(const struct database *database, const char *expected)
{
  return wb_fail_at(database->reading->error, WARPBOUND_INVALID_INPUT, database->reading->name, 0,
                    0, "%s", expected);
}

static warpbound_status ask(const struct database *database, const char *words,
                            sqlite3_stmt **question)
{
  return sqlite3_prepare_v2(database->file, words, -1, question, NULL) == SQLITE_OK
             ? WARPBOUND_OK
             : fail_as_sqlite(database);
}

/* The next row: *more says whether there is one. */
static warpbound_status step(const struct database *database, sqlite3_stmt *question, bool *more)
{
  const int code = sqlite3_step(question);
  *more = code == SQLITE_ROW;
  return *more || code == SQLITE_DONE ? WARPBOUND_OK : fail_as_sqlite(database);
}

static bool is_named(const char *word, const char *other)
{
  return sqlite3_stricmp(word, other) == 0;
}

/* The text of a cell; "" of none. */
static const char *text_of(sqlite3_stmt *question, int column)
{
  const unsigned char *text = sqlite3_column_text(question, column);
  return text != NULL ? (const char *)text : "";
}

/* ---- the tables ---- */

static warpbound_status open_file(struct database *database)
{
  const struct wb_samples_reading *reading = database->reading;
  if (reading->length > JOURNAL_AT && reading->text[JOURNAL_AT] == WRITE_AHEAD)
    return refuse(database, "expected a whole SQLite file, found one whose last changes may stand "
                            "in another file: write 'sqlite3 FILE \"PRAGMA journal_mode = "
                            "DELETE\"'");
  if (sqlite3_open_v2(":memory:", &database->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                      NULL) != SQLITE_OK)
    return wb_out_of_memory(reading->error);
  static const struct {
    int option, value;
  } options[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                 {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                 {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                 {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    sqlite3_db_config(database->file, options[k].option, options[k].value, NULL);
  sqlite3_limit(database->file, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
  sqlite3_limit(database->file, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler(database->file, STEPS_OF_POLL, count_steps, database);
  database->steps = LEAST_STEPS + STEPS_OF_BYTE * (double)reading->length;
  /* Read-only: SQLite does not change the text. */
  if (sqlite3_deserialize(database->file, "main", (unsigned char *)reading->text,
                          (sqlite3_int64)reading->length, (sqlite3_int64)reading->length,
                          SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    return fail_as_sqlite(database);
  return sqlite3_exec(database->file, "PRAGMA cell_size_check = ON", NULL, NULL, NULL) == SQLITE_OK
             ? WARPBOUND_OK
             : fail_as_sqlite(database);
}

/* Whether the file has a table of that name: with rows of its own, and no view. Others are listed
 * in `others`. */
static warpbound_status find_table(const struct database *database, const char *name, bool *found,
                                   struct wb_text *others)
{
  sqlite3_stmt *question = NULL;
  bool more = true;
  *found = false;
  warpbound_status status = ask(
      database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0", &question);
  while (status == WARPBOUND_OK && !*found) {
    status = step(database, question, &more);
    if (status != WARPBOUND_OK || !more)
      break;
    *found = is_named(text_of(question, 0), name);
    if (others->length < 300)
      wb_text_format(others, "%s'%.60s'", others->length > 0 ? ", " : "", text_of(question, 0));
  }
  sqlite3_finalize(question);
  return status;
}

static warpbound_status require_table(const struct database *database, const char *name)
{
  struct wb_text others = {0};
  bool found = false;
  warpbound_status status = find_table(database, name, &found, &others);
  if (status == WARPBOUND_OK && !found)
    status =
        wb_fail_at(database->reading->error, WARPBOUND_INVALID_INPUT, database->reading->name, 0, 0,
                   "expected the table " LAUNCHES "%s of Nsight Systems (nsys export --type "
                   "sqlite, of a profile with CUDA kernels), found %.300s",
                   is_named(name, NAMES) ? ", with " NAMES "," : "",
                   others.length > 0 ? others.data : "no table");
  wb_text_free(&others);
  return status;
}

/* Whether the table of launches has a column; one that is computed is an error. The columns are
 * listed in `others`. */
static warpbound_status find_column(const struct database *database, const char *name, bool *found,
                                    struct wb_text *others)
{
  sqlite3_stmt *question = NULL;
  bool more = true;
  *found = false;
  warpbound_status status = ask(database, "PRAGMA table_xinfo(" LAUNCHES ")", &question);
  while (status == WARPBOUND_OK && !*found) {
    status = step(database, question, &more);
    if (status != WARPBOUND_OK || !more)
      break;
    *found = is_named(text_of(question, 1), name);
    if (others != NULL && others->length < 300)
      wb_text_format(others, "%s'%.60s'", others->length > 0 ? ", " : "", text_of(question, 1));
    if (*found && sqlite3_column_int(question, 6) != 0)
      status = refuse(database, "expected columns of " LAUNCHES " with values of their own, found "
                                "one that is computed");
  }
  sqlite3_finalize(question);
  return status;
}

/* The column that tells series apart: that which is asked for, or the kernels' names. */
static warpbound_status choose_group(struct database *database)
{
  const char *wanted = database->reading->choice->group;
  struct wb_text others = {0};
  bool found = false;
  warpbound_status status = WARPBOUND_OK;
  if (wanted != NULL)
    status = find_column(database, wanted, &found, &others);
  for (size_t k = 0; wanted == NULL && k < 2 && !found && status == WARPBOUND_OK; k++) {
    status = find_column(database, named[k], &found, NULL);
    database->group = found ? named[k] : NULL;
  }
  if (wanted != NULL && found)
    database->group = wanted;
  else if (wanted != NULL && status == WARPBOUND_OK)
    status = wb_fail(database->reading->error, WARPBOUND_USAGE,
                     "--group: there is no column '%.60s' in " LAUNCHES "; its columns are %.300s",
                     wanted, others.length > 0 ? others.data : "none");
  for (size_t k = 0; database->group != NULL && k < NAMED; k++)
    database->by_name = database->by_name || is_named(database->group, named[k]);
  wb_text_free(&others);
  if (status == WARPBOUND_OK && database->by_name) {
    status = require_table(database, NAMES);
    if (status == WARPBOUND_OK)
      status =
          ask(database, "SELECT value FROM " NAMES " NOT INDEXED WHERE id = ?1", &database->lookup);
  }
  return status;
}

static warpbound_status find_tables(struct database *database)
{
  static const char *const times[] = {"start", "end"};
  warpbound_status status = require_table(database, LAUNCHES);
  for (size_t k = 0; k < 2 && status == WARPBOUND_OK; k++) {
    bool found = false;
    status = find_column(database, times[k], &found, NULL);
    if (status == WARPBOUND_OK && !found)
      status = refuse(database, "expected the columns 'start' and 'end' in " LAUNCHES);
  }
  return status == WARPBOUND_OK ? choose_group(database) : status;
}

/* ---- launches ---- */

/* The series of the launch of a row: by its kernel's name, or by the group's value. */
static warpbound_status find_series(struct database *database, sqlite3_stmt *question,
                                    struct launch *launch)
{
  struct wb_samples_reading *reading = database->reading;
  const char *name = database->group == NULL ? "" : text_of(question, 2);
  warpbound_status status = WARPBOUND_OK;
  if (database->by_name) {
    bool more = false;
    const sqlite3_int64 number = sqlite3_column_int64(question, 2);
    sqlite3_reset(database->lookup);
    sqlite3_bind_int64(database->lookup, 1, number);
    status = step(database, database->lookup, &more);
    if (status == WARPBOUND_OK &&
        (!more || sqlite3_column_type(database->lookup, 0) != SQLITE_TEXT))
      return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                        LAUNCHES ", row %" PRId64 ": expected a name in " NAMES
                                 " for %.60s %lld, found none",
                        launch->row, database->group, (long long)number);
    name = status == WARPBOUND_OK ? text_of(database->lookup, 0) : "";
  }
  return status == WARPBOUND_OK ? wb_series_find(reading, name, strlen(name), 0, 0, &launch->series)
                                : status;
}

/* Start and end of a launch are whole nanoseconds. */
static warpbound_status read_launch(struct database *database, sqlite3_stmt *question)
{
  struct wb_samples_reading *reading = database->reading;
  struct launch launch = {.row = (int64_t)database->count + 1,
                          .start = sqlite3_column_int64(question, 0)};
  const int64_t end = sqlite3_column_int64(question, 1);
  if (sqlite3_column_type(question, 0) != SQLITE_INTEGER ||
      sqlite3_column_type(question, 1) != SQLITE_INTEGER || launch.start < 0 || end < launch.start)
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      LAUNCHES ", row %" PRId64
                               ": expected a start and an end in whole nanoseconds, the end not "
                               "before the start, found '%.40s' and '%.40s'",
                      launch.row, text_of(question, 0), text_of(question, 1));
  launch.duration = (double)(end - launch.start);
  if (database->count >= WB_SAMPLES_LIMIT)
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, 0, 0,
                      "expected at most %zu launches", WB_SAMPLES_LIMIT);
  const warpbound_status status = find_series(database, question, &launch);
  if (status != WARPBOUND_OK)
    return status;
  if (database->count >= database->capacity &&
      !wb_grow(database->launches, &database->capacity, database->count + 1))
    return wb_out_of_memory(reading->error);
  database->launches[database->count++] = launch;
  return WARPBOUND_OK;
}

static int by_start(const void *left, const void *right)
{
  const struct launch *a = left, *b = right;
  return wb_compare_pairs((uint64_t)a->start, (uint64_t)a->row, (uint64_t)b->start,
                          (uint64_t)b->row);
}

/* Reads all launches, and puts their times into their series in the order in which they began. */
static warpbound_status read_launches(struct database *database)
{
  sqlite3_stmt *question = NULL;
  bool more = true;
  char *words =
      database->group != NULL
          ? sqlite3_mprintf("SELECT \"start\", \"end\", \"%w\" FROM " LAUNCHES " NOT INDEXED",
                            database->group)
          : sqlite3_mprintf("SELECT \"start\", \"end\" FROM " LAUNCHES " NOT INDEXED");
  warpbound_status status =
      words != NULL ? ask(database, words, &question) : wb_out_of_memory(database->reading->error);
  sqlite3_free(words);
  while (status == WARPBOUND_OK) {
    status = step(database, question, &more);
    if (status != WARPBOUND_OK || !more)
      break;
    status = read_launch(database, question);
  }
  sqlite3_finalize(question);
  if (status == WARPBOUND_OK && database->count > 1)
    qsort(database->launches, database->count, sizeof *database->launches, by_start);
  for (size_t k = 0; k < database->count && status == WARPBOUND_OK; k++)
    status = wb_series_add(database->reading, database->launches[k].series,
                           database->launches[k].duration, 0, 0);
  return status;
}

warpbound_status wb_samples_read_sqlite(struct wb_samples_reading *reading)
{
  struct database database = {.reading = reading};
  const char *column = reading->choice->column;
  if (column != NULL && !is_named(column, "duration"))
    return wb_fail(
        reading->error, WARPBOUND_USAGE,
        "--column: an export of Nsight Systems has one column of times, 'duration': each "
        "launch's end less its start");
  reading->column = wb_copy_text("duration", strlen("duration"));
  warpbound_status status = reading->column != NULL
                                ? wb_samples_note_unit(reading, "Nsight Systems", "ns", 0, 0)
                                : wb_out_of_memory(reading->error);
  if (status == WARPBOUND_OK)
    status = open_file(&database);
  if (status == WARPBOUND_OK)
    status = find_tables(&database);
  if (status == WARPBOUND_OK)
    status = read_launches(&database);
  sqlite3_finalize(database.lookup);
  sqlite3_close(database.file);
  free(database.launches);
  return status;
}
