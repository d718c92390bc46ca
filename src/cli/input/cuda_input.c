#include "cli/input/cuda_input.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/system/process.h"
#include "base/text.h"
#include "base/work_control.h"
#include "cli/input/device_input.h"
#include "cli/output/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDING ".cu"
#define BLANKS " \t"
/* The environment that says where CUDA is, where PATH has no nvcc. */
#define HOMES                                                                                      \
  {                                                                                                \
    "CUDA_HOME", "CUDA_PATH"                                                                       \
  }

/* A source that is compiled. */
struct compilation {
  const struct arguments *arguments;
  const char *architecture; /* "sm_87" */
  struct wb_arena arena;    /* has the rest */
  const char *program;      /* NULL: there is no nvcc */
  char *folder;             /* of the code, ours */
  const char *code;         /* the file in it */
  char **words;             /* of the command, the program's first; ended by NULL */
  size_t shown;             /* words from the second on that people need */
  warpbound_error *error;
};

bool cuda_input_is_source(const char *path)
{
  const size_t length = path != NULL ? strlen(path) : 0;
  return length > strlen(ENDING) && strcmp(path + length - strlen(ENDING), ENDING) == 0;
}

/* FOLDER/NAME, the arena's; NULL where memory is out. */
static const char *join(struct wb_arena *arena, const char *folder, size_t length, const char *name)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%.*s/%s", (int)length, folder, name);
  const char *joined = text.failed ? NULL : wb_arena_text(arena, text.data, text.length);
  arena->failed |= joined == NULL;
  wb_text_free(&text);
  return joined;
}

static void try_folder(struct compilation *compilation, const char *folder, size_t length,
                       const char *name)
{
  const char *program =
      compilation->program == NULL ? join(&compilation->arena, folder, length, name) : NULL;
  if (program != NULL && access(program, X_OK) == 0)
    compilation->program = program;
}

/* The nvcc of the first folder in PATH that has one, or that of CUDA_HOME or CUDA_PATH. */
static void find_program(struct compilation *compilation)
{
  static const char *const homes[] = HOMES;
  const char *at = getenv("PATH");
  while (at != NULL && *at != '\0') {
    const size_t length = strcspn(at, ":");
    if (length > 0)
      try_folder(compilation, at, length, "nvcc");
    at += length + (at[length] == ':');
  }
  for (size_t h = 0; h < sizeof homes / sizeof *homes; h++) {
    const char *home = getenv(homes[h]);
    if (home != NULL && home[0] != '\0')
      try_folder(compilation, home, strlen(home), "bin/nvcc");
  }
}

static warpbound_status find_architecture(struct compilation *compilation)
{
  const struct arguments *arguments = compilation->arguments;
  compilation->architecture = arguments->value[OPTION_ARCH];
  if (compilation->architecture == NULL)
    compilation->architecture = configuration_architecture(arguments);
  if (compilation->architecture != NULL &&
      strncmp(compilation->architecture, "sm_", strlen("sm_")) == 0)
    return WARPBOUND_OK;
  return wb_fail(compilation->error, WARPBOUND_USAGE,
                 "%.200s: expected --arch sm_NN, or a device that has an architecture: CUDA source "
                 "is compiled for one",
                 arguments->input);
}

/* The words: nvcc -cubin -lineinfo -arch=sm_NN OPTIONS -o CODE FILE. */
static warpbound_status make_words(struct compilation *compilation)
{
  const struct arguments *arguments = compilation->arguments;
  const char *options = arguments->value[OPTION_NVCC_OPTIONS];
  struct wb_arena *arena = &compilation->arena;
  const size_t most = (options != NULL ? strlen(options) : 0) + 8;
  char architecture[48];
  snprintf(architecture, sizeof architecture, "-arch=%.32s", compilation->architecture);
  char **words = compilation->words = wb_arena_array(arena, char *, most);
  char *copied = wb_arena_text(arena, options != NULL ? options : "", most - 8);
  char *arch = wb_arena_text(arena, architecture, strlen(architecture));
  if (arena->failed)
    return wb_out_of_memory(compilation->error);
  size_t count = 0;
  words[count++] = (char *)(compilation->program != NULL ? compilation->program : "nvcc");
  words[count++] = "-cubin";
  words[count++] = "-lineinfo";
  words[count++] = arch;
  char *rest = NULL;
  for (char *word = strtok_r(copied, BLANKS, &rest); word != NULL;
       word = strtok_r(NULL, BLANKS, &rest))
    words[count++] = word;
  words[count++] = (char *)arguments->input;
  compilation->shown = count;
  words[count++] = "-o";
  words[count++] = (char *)compilation->code;
  return WARPBOUND_OK;
}

/* The command as a person would give it. */
static void write_command(const struct compilation *compilation, struct wb_text *text)
{
  wb_text_string(text, "nvcc");
  for (size_t w = 1; w < compilation->shown; w++)
    wb_text_format(text, " %s", compilation->words[w]);
}

static warpbound_status no_program(const struct compilation *compilation)
{
  struct wb_text command = {0};
  write_command(compilation, &command);
  const char *input = compilation->arguments->input;
  const warpbound_status status =
      command.failed
          ? wb_out_of_memory(compilation->error)
          : wb_fail(compilation->error, WARPBOUND_USAGE,
                    "%.150s: this machine has no nvcc to compile it; on one that has: %.200s; then "
                    "give warpbound the file %.*s.cubin",
                    input, command.data, (int)(strlen(input) - strlen(ENDING)), input);
  wb_text_free(&command);
  return status;
}

/* Starts nvcc and waits for it. */
static warpbound_status run(const struct compilation *compilation)
{
  struct limits limits = {0};
  warpbound_status status = limits_read(compilation->arguments, &limits, compilation->error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_control control = wb_control_start(&limits.options);
  int ended = 0;
  const pid_t child = wb_process_fork(STDERR_FILENO);
  if (child == 0) {
    execv(compilation->words[0], compilation->words);
    _exit(127);
  }
  if (child < 0)
    return wb_fail(compilation->error, WARPBOUND_INTERNAL, "nvcc: %s", strerror(errno));
  const enum wb_stop stop = wb_process_wait(child, &control, "nvcc", &ended);
  terminal_progress_end(&limits.progress);
  if (stop != WB_STOP_NONE)
    return wb_fail(compilation->error, WARPBOUND_LIMIT, "nvcc was stopped before its end");
  return WIFEXITED(ended) && WEXITSTATUS(ended) == 0
             ? WARPBOUND_OK
             : wb_fail(compilation->error, WARPBOUND_INVALID_INPUT, "%.300s: nvcc failed",
                       compilation->arguments->input);
}

/* Compiles into a folder of our own, and reads the code. */
static warpbound_status compile(struct compilation *compilation, struct wb_input *source)
{
  struct wb_text command = {0};
  write_command(compilation, &command);
  if (command.failed)
    return wb_out_of_memory(compilation->error);
  terminal_note(command.data);
  wb_text_free(&command);
  warpbound_status status = run(compilation);
  if (status == WARPBOUND_OK)
    status = wb_input_read(compilation->code, source, compilation->error);
  if (status != WARPBOUND_OK)
    return status;
  const char *input = compilation->arguments->input;
  struct wb_text name = {0};
  wb_text_format(&name, "%sbin", input);
  free(source->name);
  source->name = wb_text_take(&name);
  if (source->name != NULL)
    return WARPBOUND_OK;
  wb_input_free(source);
  return wb_out_of_memory(compilation->error);
}

/* Makes the folder that the code comes to. */
static warpbound_status make_folder(struct compilation *compilation)
{
  const char *place = getenv("TMPDIR");
  place = place != NULL && place[0] != '\0' ? place : "/tmp";
  const char *pattern = join(&compilation->arena, place, strlen(place), "warpbound-XXXXXX");
  char *folder =
      pattern != NULL ? wb_arena_text(&compilation->arena, pattern, strlen(pattern)) : NULL;
  if (folder == NULL)
    return wb_out_of_memory(compilation->error);
  if (mkdtemp(folder) == NULL)
    return wb_fail(compilation->error, WARPBOUND_INTERNAL, "%.300s: %s", folder, strerror(errno));
  compilation->folder = folder;
  compilation->code = join(&compilation->arena, folder, strlen(folder), "code.cubin");
  return compilation->code != NULL ? WARPBOUND_OK : wb_out_of_memory(compilation->error);
}

warpbound_status cuda_input_compile(const struct arguments *arguments, struct wb_input *source,
                                    warpbound_error *error)
{
  struct compilation compilation = {.arguments = arguments, .error = error};
  *source = (struct wb_input){0};
  if (access(arguments->input, R_OK) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, arguments->input, 0, 0, "%s",
                      strerror(errno));
  warpbound_status status = find_architecture(&compilation);
  find_program(&compilation);
  if (status == WARPBOUND_OK && compilation.program != NULL)
    status = make_folder(&compilation);
  if (status == WARPBOUND_OK)
    status = make_words(&compilation);
  if (status == WARPBOUND_OK)
    status = compilation.program != NULL ? compile(&compilation, source) : no_program(&compilation);
  if (compilation.code != NULL)
    (void)unlink(compilation.code);
  if (compilation.folder != NULL)
    (void)rmdir(compilation.folder);
  wb_arena_free(&compilation.arena);
  return status;
}
