/* Any solver by a command: its words, its folder, its files. */
#include "linear/solver.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/system/process.h"
#include "linear/model_writer.h"
#include "linear/solution_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLANKS " \t\r\n"
/* Seconds that stand for no limit: more than three years. */
#define NO_LIMIT_SECONDS "100000000"

/* The meaning of a place in braces. */
enum place { PLACE_MODEL, PLACE_MPS, PLACE_SOLUTION, PLACE_SECONDS, PLACE_COUNT };

static const char *const place_names[PLACE_COUNT] = {"{model}", "{mps}", "{solution}", "{seconds}"};

/* ---- words ---- */

/* A command's words, ended by a NULL for execvp. The caller frees items; the words are in an arena.
 */
struct words {
  char **items;
  size_t count;
  size_t capacity;
};

/* Moves a text into the arena; NULL where memory is out. */
static char *keep_text(struct wb_arena *arena, struct wb_text *text)
{
  char *kept = text->failed ? NULL : wb_arena_text(arena, text->data, text->length);
  wb_text_free(text);
  return kept;
}

/* Appends a word's text up to the next blank outside quotes; NULL where a quote is open at
 * the end. */
static const char *take_word(const char *at, struct wb_text *text)
{
  wb_text_append(text, "", 0); /* an empty word is one too */
  while (*at != '\0' && strchr(BLANKS, *at) == NULL) {
    if (*at != '\'' && *at != '"') {
      wb_text_append(text, at++, 1);
      continue;
    }
    const char *close = strchr(at + 1, *at);
    if (close == NULL)
      return NULL;
    wb_text_append(text, at + 1, (size_t)(close - at - 1));
    at = close + 1;
  }
  return at;
}

static warpbound_status split(const char *command, const char *what, struct wb_arena *arena,
                              struct words *words, warpbound_error *error)
{
  const char *at = command + strspn(command, BLANKS);
  while (*at != '\0') {
    struct wb_text text = {0};
    at = take_word(at, &text);
    char *word = keep_text(arena, &text);
    if (at == NULL)
      return wb_fail(error, WARPBOUND_USAGE, "%sexpected the end of a quote, found '%.100s'", what,
                     command);
    if (word == NULL || !wb_grow(words->items, &words->capacity, words->count + 2))
      return wb_out_of_memory(error);
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
    at += strspn(at, BLANKS);
  }
  return words->count > 0 ? WARPBOUND_OK
                          : wb_fail(error, WARPBOUND_USAGE,
                                    "%sexpected a program and its arguments, found nothing", what);
}

warpbound_status wb_linear_command_check(const char *command, const char *what,
                                         warpbound_error *error)
{
  struct words words = {0};
  struct wb_arena arena = {0};
  warpbound_status status = split(command, what, &arena, &words, error);
  free(words.items);
  wb_arena_free(&arena);
  bool model = strstr(command, place_names[PLACE_MODEL]) != NULL ||
               strstr(command, place_names[PLACE_MPS]) != NULL;
  if (status == WARPBOUND_OK && (!model || strstr(command, place_names[PLACE_SOLUTION]) == NULL))
    status = wb_fail(error, WARPBOUND_USAGE,
                     "%sexpected {model} (or {mps}) and {solution} in the command, found '%.100s'",
                     what, command);
  return status;
}

/* ---- a run ---- */

/* A run of a command. folder: its own, or NULL; path[p]: what stands for place p, or NULL. */
struct invocation {
  const struct wb_linear_model *model;
  const struct wb_control *control;
  char *folder;
  char *path[PLACE_COUNT];
  char *output;
  struct words words;
  struct wb_arena arena; /* of all texts */
  warpbound_error *error;
};

static char *join(struct wb_arena *arena, const char *folder, const char *name)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%s/%s", folder, name);
  return keep_text(arena, &text);
}

static warpbound_status make_folder(struct invocation *invocation)
{
  struct wb_arena *arena = &invocation->arena;
  const char *parent = getenv("TMPDIR");
  char *folder =
      join(arena, parent != NULL && *parent != '\0' ? parent : "/tmp", "warpbound.XXXXXX");
  if (folder == NULL)
    return wb_out_of_memory(invocation->error);
  if (mkdtemp(folder) == NULL)
    return wb_fail(invocation->error, WARPBOUND_USAGE,
                   "cannot make a folder for the solver as %.200s: %s", folder, strerror(errno));
  invocation->folder = folder;
  invocation->path[PLACE_MODEL] = join(arena, folder, "model.lp");
  invocation->path[PLACE_MPS] = join(arena, folder, "model.mps");
  invocation->path[PLACE_SOLUTION] = join(arena, folder, "solution");
  invocation->output = join(arena, folder, "output");
  struct wb_text text = {0};
  if (invocation->control->deadline > 0)
    wb_text_format(&text, "%.0f", ceil(fmax(invocation->control->deadline - wb_clock(), 1)));
  else
    wb_text_string(&text, NO_LIMIT_SECONDS);
  invocation->path[PLACE_SECONDS] = keep_text(arena, &text);
  bool made = invocation->output != NULL;
  for (int p = 0; p < PLACE_COUNT; p++)
    made = made && invocation->path[p] != NULL;
  return made ? WARPBOUND_OK : wb_out_of_memory(invocation->error);
}

/* Puts what the places stand for into a word. */
static char *fill_word(struct invocation *invocation, const char *word)
{
  struct wb_text text = {0};
  wb_text_append(&text, "", 0);
  while (*word != '\0') {
    size_t taken = 0;
    for (int p = 0; p < PLACE_COUNT && taken == 0; p++) {
      size_t length = strlen(place_names[p]);
      if (strncmp(word, place_names[p], length) != 0)
        continue;
      wb_text_string(&text, invocation->path[p]);
      taken = length;
    }
    if (taken == 0)
      wb_text_append(&text, word, 1);
    word += taken > 0 ? taken : 1;
  }
  return keep_text(&invocation->arena, &text);
}

static warpbound_status cannot_start(struct invocation *invocation, int cause)
{
  return wb_fail(invocation->error, WARPBOUND_USAGE, "cannot run the solver '%.100s': %s",
                 invocation->words.items[0], strerror(cause));
}

/* Starts the program and waits for it. *ended: as waitpid gives it. */
static warpbound_status run_program(struct invocation *invocation, enum wb_stop *stop, int *ended)
{
  int trouble[2];
  /* Opens without handing it on to programs that are started. */
  int output = open(invocation->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (output < 0 || pipe(trouble) != 0) {
    if (output >= 0)
      close(output);
    return cannot_start(invocation, errno);
  }
  fcntl(trouble[0], F_SETFD, FD_CLOEXEC);
  fcntl(trouble[1], F_SETFD, FD_CLOEXEC);
  pid_t child = wb_process_fork(output);
  if (child == 0) {
    /* The child's part: the pipe tells the parent why the program could not be started, and
     * closes by itself where it could. */
    struct rlimit size = {WB_INPUT_LIMIT, WB_INPUT_LIMIT}; /* more is not read */
    setrlimit(RLIMIT_FSIZE, &size);
    execvp(invocation->words.items[0], invocation->words.items);
    int cause = errno;
    ssize_t written = write(trouble[1], &cause, sizeof cause);
    _exit(written == (ssize_t)sizeof cause ? 127 : 126);
  }
  int cause = child < 0 ? errno : 0;
  close(output);
  close(trouble[1]);
  bool started = child > 0 && read(trouble[0], &cause, sizeof cause) <= 0;
  close(trouble[0]);
  if (child > 0)
    *stop = wb_process_wait(child, invocation->control, "integer program", ended);
  return started ? WARPBOUND_OK : cannot_start(invocation, cause);
}

/* The last line that the solver printed, for messages; `size` bytes at most. */
static void read_last_line(const struct invocation *invocation, char *line, size_t size)
{
  struct wb_input source;
  line[0] = '\0';
  if (wb_input_read(invocation->output, &source, NULL) != WARPBOUND_OK)
    return;
  const char *end = source.bytes + source.length;
  while (end > source.bytes && strchr(BLANKS, end[-1]) != NULL)
    end--;
  const char *start = end;
  while (start > source.bytes && start[-1] != '\n')
    start--;
  size_t length = (size_t)(end - start) < size ? (size_t)(end - start) : size - 1;
  memcpy(line, start, length);
  line[length] = '\0';
  wb_input_free(&source);
}

/* A solver that was stopped may have left nothing, or half a file: that is no error. */
static warpbound_status solve(struct invocation *invocation, struct wb_linear_outcome *outcome)
{
  double start = wb_clock();
  int ended = 0;
  warpbound_status status = run_program(invocation, &outcome->stop, &ended);
  outcome->seconds = wb_clock() - start;
  if (status != WARPBOUND_OK)
    return status;
  bool there = access(invocation->path[PLACE_SOLUTION], F_OK) == 0;
  if (!there && outcome->stop == WB_STOP_NONE) {
    char line[160];
    read_last_line(invocation, line, sizeof line);
    return wb_fail(invocation->error, WARPBOUND_INVALID_INPUT,
                   "the solver '%.60s' ended with %s %d and wrote no solution; its last words: %s",
                   invocation->words.items[0], WIFSIGNALED(ended) ? "signal" : "status",
                   WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended),
                   line[0] != '\0' ? line : "none");
  }
  struct wb_input source;
  if (there)
    status = wb_input_read(invocation->path[PLACE_SOLUTION], &source, invocation->error);
  if (there && status == WARPBOUND_OK) {
    bool by_lp = access(invocation->path[PLACE_MODEL], F_OK) == 0;
    uint32_t *order = by_lp ? wb_lp_column_order(invocation->model) : NULL;
    const struct wb_linear_outcome before = *outcome;
    if (by_lp && order == NULL)
      status = wb_out_of_memory(invocation->error);
    else
      status = wb_linear_solution_parse("solution", source.bytes, source.length, invocation->model,
                                        order, outcome, invocation->error);
    outcome->stop = before.stop;
    outcome->seconds = before.seconds;
    free(order);
    wb_input_free(&source);
  }
  if (status != WARPBOUND_OK && outcome->stop != WB_STOP_NONE) {
    enum wb_stop stop = outcome->stop;
    *outcome = wb_linear_outcome_none(invocation->model);
    outcome->stop = stop;
    status = WARPBOUND_OK;
  }
  return status;
}

warpbound_status wb_linear_solve_by_command(const struct wb_linear_model *model,
                                            const char *command, const struct wb_control *control,
                                            struct wb_linear_outcome *outcome,
                                            warpbound_error *error)
{
  *outcome = wb_linear_outcome_none(model);
  struct invocation invocation = {.model = model, .control = control, .error = error};
  warpbound_status status = split(command, "", &invocation.arena, &invocation.words, error);
  if (status == WARPBOUND_OK)
    status = make_folder(&invocation);
  for (size_t i = 0; i < invocation.words.count && status == WARPBOUND_OK; i++) {
    invocation.words.items[i] = fill_word(&invocation, invocation.words.items[i]);
    if (invocation.words.items[i] == NULL)
      status = wb_out_of_memory(error);
  }
  /* Where the command names both files, numbers of columns in a solution are those of the LP file.
   */
  for (int p = PLACE_MODEL; p <= PLACE_MPS && status == WARPBOUND_OK; p++) {
    if (strstr(command, place_names[p]) == NULL)
      continue;
    struct wb_text text = {0};
    wb_linear_write(model, p == PLACE_MODEL ? WB_LINEAR_LP : WB_LINEAR_MPS, &text);
    status = text.failed ? wb_out_of_memory(error)
                         : wb_file_write(invocation.path[p], text.data, text.length, error);
    wb_text_free(&text);
  }
  if (status == WARPBOUND_OK)
    status = solve(&invocation, outcome);
  /* The files that may be there by their names; what else a solver left stays, and so does the
   * folder then. */
  for (int p = PLACE_MODEL; p <= PLACE_SOLUTION; p++) {
    if (invocation.path[p] != NULL)
      unlink(invocation.path[p]);
  }
  if (invocation.output != NULL)
    unlink(invocation.output);
  if (invocation.folder != NULL)
    rmdir(invocation.folder);
  free(invocation.words.items);
  wb_arena_free(&invocation.arena);
  if (status != WARPBOUND_OK)
    wb_linear_outcome_free(outcome);
  return status;
}
