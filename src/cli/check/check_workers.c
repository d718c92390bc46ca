#include "cli/check/check_workers.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/system/process.h"
#include "base/text.h"
#include "base/work_control.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long workers have to hand in what they know, once the check is to end. */
#define GRACE_SECONDS 5.0
/* Between two looks for workers that have ended, and for an interruption. */
#define LOOK_MILLISECONDS 100
/* Bytes that are received at a time. */
#define RECEIVED_BYTES ((size_t)1 << 16)

/* ---- the worker's side ---- */

/* What a worker hands in of a task, before the texts of its row and page. */
struct reply {
  warpbound_status status;
  warpbound_error error;
  bool refused, kept, has_page;
  size_t row, page; /* bytes */
};

static bool send_all(int channel, const void *bytes, size_t length)
{
  const char *at = bytes;
  while (length > 0) {
    const ssize_t sent = send(channel, at, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent;
    length -= (size_t)sent;
  }
  return true;
}

/* The number of the next task, an index; false where there is none any more. */
static bool receive_task(int channel, size_t *task)
{
  ssize_t received;
  do
    received = recv(channel, task, sizeof *task, MSG_WAITALL);
  while (received < 0 && errno == EINTR);
  return received == (ssize_t)sizeof *task;
}

static bool hand_in(int channel, const struct check_task *task, warpbound_status status,
                    warpbound_error *error)
{
  struct wb_text row = {0};
  if (status == WARPBOUND_OK)
    wb_json_write(task->row, JSON_COMPACT, &row);
  if (row.failed)
    status = wb_out_of_memory(error);
  const struct reply reply = {
      .status = status,
      .error = *error,
      .refused = task->refused,
      .kept = task->kept,
      .has_page = task->page != NULL,
      .row = row.failed ? 0 : row.length,
      .page = task->page != NULL ? strlen(task->page) : 0,
  };
  const bool sent = send_all(channel, &reply, sizeof reply) &&
                    send_all(channel, row.data, reply.row) &&
                    send_all(channel, task->page, reply.page);
  wb_text_free(&row);
  return sent;
}

/* Analyses the tasks that come through the channel, until its other end is closed. */
static void serve(struct check_job *job, struct check_opened opened, int channel)
{
  size_t number;
  job->limits.options.progress = NULL; /* that of the check is of whole launches */
  while (receive_task(channel, &number)) {
    struct check_task *task = &job->tasks[number];
    warpbound_error error = {0};
    const warpbound_status status = check_analyse(job, task, &opened, &error);
    if (!hand_in(channel, task, status, &error))
      break;
    check_task_clear(task);
  }
  check_opened_close(&opened);
}

/* ---- workers ---- */

/* A process; 0: there is none. */
struct worker {
  pid_t process;
  int channel;             /* tasks to it, replies from it */
  struct check_task *task; /* that it analyses; NULL: it waits for one */
  char *bytes;             /* of its reply, so far. Owned */
  size_t length, capacity;
};

/* Invariant: busy counts the workers with a task. */
struct pool {
  struct check_job *job;
  const struct check_opened *opened;
  struct worker workers[WB_THREAD_LIMIT];
  size_t count, busy;
  size_t next; /* task that nobody has taken */
  size_t ended, wanted;
  bool stopping;
  double stopped_at;
  warpbound_status status;
  warpbound_error *error;
};

/* Above the standard descriptors, which a child has others for. */
static bool lift(int *descriptor)
{
  if (*descriptor > STDERR_FILENO)
    return true;
  const int lifted = fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (lifted < 0)
    return false;
  close(*descriptor);
  *descriptor = lifted;
  return true;
}

/* The process of a worker, from its start to its end. */
static _Noreturn void be_worker(const struct pool *pool, int channel)
{
  terminal_catch_interrupts();
  signal(SIGXFSZ, SIG_IGN); /* a result that cannot be kept is a result */
  for (size_t w = 0; w < pool->count; w++) {
    if (pool->workers[w].process > 0)
      close(pool->workers[w].channel); /* its end shows that this process's parent is gone */
  }
  serve(pool->job, *pool->opened, channel);
  exit(EXIT_SUCCESS); /* not _exit: a sanitizer looks for leaks then */
}

static bool start_worker(struct pool *pool, struct worker *worker)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  if (lift(&ends[0]) && lift(&ends[1])) {
    fflush(NULL); /* what is not written yet is this process's to write */
    worker->process = wb_process_fork(STDERR_FILENO);
    if (worker->process == 0) {
      close(ends[0]);
      be_worker(pool, ends[1]);
    }
  }
  close(ends[1]);
  if (worker->process <= 0) {
    close(ends[0]);
    worker->process = 0;
    return false;
  }
  worker->channel = ends[0];
  return true;
}

/* Forgets a process that has been waited for. */
static void drop_worker(struct worker *worker)
{
  close(worker->channel);
  free(worker->bytes);
  *worker = (struct worker){0};
}

/* ---- tasks ---- */

/* A task that is not left and that nobody has taken; NULL: there is none. */
static struct check_task *take_task(struct pool *pool)
{
  while (pool->next < pool->job->count) {
    struct check_task *task = &pool->job->tasks[pool->next++];
    if (!task->left)
      return task;
  }
  return NULL;
}

/* The worker's task has its row, or is given up. */
static void end_task(struct pool *pool, struct worker *worker)
{
  const warpbound_options *limits = &pool->job->limits.options;
  char phase[64];
  worker->task = NULL;
  worker->length = 0;
  pool->busy--;
  pool->ended++;
  snprintf(phase, sizeof phase, "check: launch %zu of %zu", pool->ended, pool->wanted);
  if (limits->progress != NULL)
    limits->progress(limits->context, phase, (double)pool->ended / (double)pool->wanted);
}

/* Gives each worker that waits a task; starts processes where tasks are left. */
static void give_tasks(struct pool *pool)
{
  for (size_t w = 0; w < pool->count && pool->status == WARPBOUND_OK; w++) {
    struct worker *worker = &pool->workers[w];
    const size_t before = pool->next;
    if (worker->task != NULL || (worker->task = take_task(pool)) == NULL)
      continue;
    const size_t number = (size_t)(worker->task - pool->job->tasks);
    if (worker->process == 0 && !start_worker(pool, worker)) {
      worker->task = NULL;
      pool->next = before;
      /* Fewer will do. */
      if (pool->busy == 0)
        pool->status =
            wb_fail(pool->error, WARPBOUND_INTERNAL,
                    "no process can be started to analyse a launch: %s", strerror(errno));
      return;
    }
    /* Where it is gone, that is seen when it is waited for. */
    (void)send_all(worker->channel, &number, sizeof number);
    pool->busy++;
  }
}

/* ---- replies ---- */

static warpbound_status take_reply(struct check_task *task, const char *bytes,
                                   warpbound_error *error)
{
  struct reply reply;
  memcpy(&reply, bytes, sizeof reply);
  task->done = true;
  if (reply.status != WARPBOUND_OK)
    return wb_fail_with(error, &reply.error);
  task->refused = reply.refused;
  task->kept = reply.kept;
  bytes += sizeof reply;
  const warpbound_status status = wb_json_parse("", bytes, reply.row, &task->row, error);
  if (status == WARPBOUND_OK && reply.has_page)
    task->page = wb_copy_text(bytes + reply.row, reply.page);
  return status == WARPBOUND_OK && reply.has_page && task->page == NULL ? wb_out_of_memory(error)
                                                                        : status;
}

/* Whether all of the reply is there. */
static bool has_reply(const struct worker *worker)
{
  struct reply reply;
  if (worker->length < sizeof reply)
    return false;
  memcpy(&reply, worker->bytes, sizeof reply);
  return worker->length == sizeof reply + reply.row + reply.page;
}

/* Takes what the channel has. */
static void receive(struct pool *pool, struct worker *worker)
{
  for (;;) {
    if (!wb_grow(worker->bytes, &worker->capacity, worker->length + RECEIVED_BYTES)) {
      pool->status = wb_out_of_memory(pool->error);
      return;
    }
    const ssize_t received =
        recv(worker->channel, worker->bytes + worker->length, RECEIVED_BYTES, MSG_DONTWAIT);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      break;
    worker->length += (size_t)received;
  }
  if (worker->task == NULL || !has_reply(worker))
    return;
  const warpbound_status status = take_reply(worker->task, worker->bytes, pool->error);
  if (pool->status == WARPBOUND_OK)
    pool->status = status;
  end_task(pool, worker);
}

/* How a process ended, as words after "the process that analysed it". */
static void say_end(int status, struct wb_text *words)
{
  if (WIFSIGNALED(status))
    wb_text_format(words, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    wb_text_format(words, "ended with status %d", WEXITSTATUS(status));
}

/* Refuses the task of a worker that ended without a reply. */
static void give_up_task(struct pool *pool, struct worker *worker, int status)
{
  struct check_task *task = worker->task;
  warpbound_error end = {0};
  struct wb_text words = {0};
  if (!pool->stopping) { /* else it is one that the check did not come to */
    say_end(status, &words);
    (void)wb_fail(&end, WARPBOUND_INTERNAL,
                  "the process that analysed it %.120s: no bound is known",
                  words.failed ? "ended" : words.data);
    if (!check_refuse(task, &end))
      pool->status = wb_out_of_memory(pool->error);
  }
  wb_text_free(&words);
  end_task(pool, worker);
}

/* Looks whether a process has ended. */
static void look_after(struct pool *pool, struct worker *worker)
{
  int status;
  if (worker->process == 0 || waitpid(worker->process, &status, WNOHANG) != worker->process)
    return;
  receive(pool, worker); /* it may have ended after its reply */
  if (worker->task != NULL)
    give_up_task(pool, worker, status);
  drop_worker(worker);
}

/* Waits until something comes, or for a short time. */
static void await(struct pool *pool)
{
  struct pollfd channels[WB_THREAD_LIMIT];
  nfds_t count = 0;
  for (size_t w = 0; w < pool->count; w++) {
    if (pool->workers[w].process > 0)
      channels[count++] = (struct pollfd){.fd = pool->workers[w].channel, .events = POLLIN};
  }
  (void)poll(channels, count, LOOK_MILLISECONDS);
  for (size_t w = 0; w < pool->count && pool->status == WARPBOUND_OK; w++) {
    if (pool->workers[w].process > 0)
      receive(pool, &pool->workers[w]);
  }
  for (size_t w = 0; w < pool->count && pool->status == WARPBOUND_OK; w++)
    look_after(pool, &pool->workers[w]);
}

/* ---- the end ---- */

/* Sends a signal to the workers that have a task. */
static void signal_busy(const struct pool *pool, int number)
{
  for (size_t w = 0; w < pool->count; w++) {
    if (pool->workers[w].task != NULL)
      kill(pool->workers[w].process, number);
  }
}

/* Tells the workers of an interruption; ends those that do not answer. */
static void note_interruption(struct pool *pool)
{
  const warpbound_options *limits = &pool->job->limits.options;
  if (!pool->stopping && limits->interrupted(limits->context)) {
    pool->stopping = true;
    pool->stopped_at = wb_clock();
    signal_busy(pool, SIGINT);
  } else if (pool->stopping && wb_clock() - pool->stopped_at > GRACE_SECONDS) {
    signal_busy(pool, SIGKILL);
  }
}

/* Ends all processes, at once those that have a task, and waits for them. */
static void end_workers(struct pool *pool)
{
  warpbound_options patient = pool->job->limits.options;
  patient.progress = NULL;
  patient.time_limit = 0;
  const struct wb_control control = wb_control_start(&patient);
  signal_busy(pool, SIGKILL);
  for (size_t w = 0; w < pool->count; w++) {
    if (pool->workers[w].process > 0)
      shutdown(pool->workers[w].channel, SHUT_RDWR);
  }
  for (size_t w = 0; w < pool->count; w++) {
    struct worker *worker = &pool->workers[w];
    int status = 0;
    if (worker->process == 0)
      continue;
    (void)wb_process_wait(worker->process, &control, "check", &status);
    if (pool->status == WARPBOUND_OK && WIFEXITED(status) && WEXITSTATUS(status) != 0)
      pool->status =
          wb_fail(pool->error, WARPBOUND_INTERNAL,
                  "a process that analysed launches ended with status %d", WEXITSTATUS(status));
    drop_worker(worker);
  }
}

warpbound_status check_workers_run(struct check_job *job, const struct check_opened *opened,
                                   unsigned most, warpbound_error *error)
{
  struct pool pool = {.job = job, .opened = opened, .count = most, .error = error};
  assert(most >= 1 && most <= WB_THREAD_LIMIT);
  for (size_t t = 0; t < job->count; t++)
    pool.wanted += !job->tasks[t].left;
  while (pool.status == WARPBOUND_OK) {
    note_interruption(&pool);
    if (!pool.stopping)
      give_tasks(&pool);
    if (pool.busy == 0)
      break;
    await(&pool);
  }
  end_workers(&pool);
  return pool.status;
}
