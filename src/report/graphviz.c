#include "report/graphviz.h"

#include "base/system/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of a child that could not start, as a shell numbers them. */
#define NOT_FOUND 127
#define NOT_STARTED 126

/* The child's three streams: files without a name, gone with the last descriptor. */
struct streams {
  FILE *input;
  FILE *output;
  FILE *messages;
};

static bool open_streams(struct streams *streams, const struct wb_text *graph)
{
  streams->input = tmpfile();
  streams->output = tmpfile();
  streams->messages = tmpfile();
  if (streams->input == NULL || streams->output == NULL || streams->messages == NULL)
    return false;
  return fwrite(graph->data, 1, graph->length, streams->input) == graph->length &&
         fflush(streams->input) == 0 && fseek(streams->input, 0, SEEK_SET) == 0;
}

static bool read_stream(FILE *stream, struct wb_text *text)
{
  char buffer[4096];
  if (fseek(stream, 0, SEEK_SET) != 0)
    return false;
  for (size_t got; (got = fread(buffer, 1, sizeof buffer, stream)) > 0;)
    wb_text_append(text, buffer, got);
  return ferror(stream) == 0 && !text->failed;
}

static warpbound_status run_dot(struct streams *streams, const struct wb_control *control,
                                warpbound_error *error)
{
  int input = fileno(streams->input);
  int output = fileno(streams->output);
  int messages = fileno(streams->messages);
  pid_t child = wb_process_fork(-1);
  if (child == 0) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    execlp("dot", "dot", "-Tsvg", (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : NOT_STARTED);
  }
  if (child < 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "cannot start a process: %s", strerror(errno));
  int ended = 0;
  enum wb_stop stop = wb_process_wait(child, control, "picture", &ended);
  if (stop != WB_STOP_NONE)
    return wb_fail(error, WARPBOUND_LIMIT, "Graphviz was stopped before the picture was done");
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_FOUND)
    return wb_fail(error, WARPBOUND_USAGE,
                   "expected the program dot for a picture, found none: install the package"
                   " graphviz");
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
    /* With the first line of what the program said. */
    char line[160] = "nothing";
    if (fseek(streams->messages, 0, SEEK_SET) == 0 &&
        fgets(line, sizeof line, streams->messages) != NULL)
      line[strcspn(line, "\n")] = '\0';
    return wb_fail(error, WARPBOUND_USAGE,
                   "Graphviz (the program dot) ended with %s %d and said: %s",
                   WIFSIGNALED(ended) ? "signal" : "status",
                   WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended), line);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_graphviz_svg(const struct wb_text *graph, const struct wb_control *control,
                                 struct wb_text *svg, warpbound_error *error)
{
  struct streams streams = {0};
  warpbound_status status = WARPBOUND_OK;
  if (!open_streams(&streams, graph))
    status =
        wb_fail(error, WARPBOUND_INTERNAL, "cannot make a temporary file: %s", strerror(errno));
  if (status == WARPBOUND_OK)
    status = run_dot(&streams, control, error);
  if (status == WARPBOUND_OK && !read_stream(streams.output, svg))
    status = wb_out_of_memory(error);
  if (streams.input != NULL)
    fclose(streams.input);
  if (streams.output != NULL)
    fclose(streams.output);
  if (streams.messages != NULL)
    fclose(streams.messages);
  return status;
}
