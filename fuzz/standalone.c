/* Runs a fuzz target without libFuzzer: mutates seed files at random, each run by
 * its own number, so that any run can be had again.
 *
 *   fuzz_X [--runs N] [--seed N] [--max-length N] [--replay SEED:RUN] [--save FILE] SEED-FILE...
 *
 * The runs happen in a child, so that the parent can say which one ended it. --replay
 * does one run in this process; --save writes its input to a file first. */
#include "base/random.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A run that takes longer hangs. */
#define RUN_SECONDS 60

/* Mutations of one run at most. */
#define MUTATION_LIMIT 8

struct bytes {
  uint8_t *data;
  size_t length;
};

struct corpus {
  struct bytes *seeds;
  size_t count;
};

struct settings {
  uint64_t runs;
  uint64_t seed;
  size_t max_length;
  const char *save;
  bool replay;
  uint64_t replay_run;
};

static void die(const char *what, const char *which)
{
  fprintf(stderr, "%s: %s\n", what, which);
  exit(2);
}

static void *need(void *block)
{
  if (block == NULL)
    die("fuzz", "out of memory");
  return block;
}

static struct bytes read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0)
    die("cannot read", path);
  long length = ftell(file);
  if (length < 0)
    die("cannot read", path);
  rewind(file);
  struct bytes bytes = {need(malloc((size_t)length + 1)), (size_t)length};
  if (fread(bytes.data, 1, bytes.length, file) != bytes.length)
    die("cannot read", path);
  fclose(file);
  return bytes;
}

static void write_file(const char *path, const struct bytes *bytes)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes->data, 1, bytes->length, file) != bytes->length ||
      fclose(file) != 0)
    die("cannot write", path);
}

/* --- mutations: each keeps *input within `room` bytes --- */

static size_t place(struct wb_random *random, const struct bytes *input)
{
  return (size_t)wb_random_below(random, input->length + 1);
}

/* A stretch of a text: mostly short. */
static size_t stretch(struct wb_random *random, size_t most)
{
  size_t limit = (size_t)1 << wb_random_below(random, 9);
  if (limit > most)
    limit = most;
  return (size_t)wb_random_below(random, limit + 1);
}

static void change_byte(struct wb_random *random, struct bytes *input)
{
  static const uint8_t telling[] = "\0\x7f\x80\xff\n\r\t \".,;:@(){}[]<>%$_-+0123456789eExXfFU/*#";
  if (input->length == 0)
    return;
  uint8_t *byte = &input->data[wb_random_below(random, input->length)];
  if (wb_random_below(random, 2) == 0)
    *byte ^= (uint8_t)(1U << wb_random_below(random, 8));
  else
    *byte = telling[wb_random_below(random, sizeof telling - 1)];
}

static void cut(struct wb_random *random, struct bytes *input)
{
  size_t start = place(random, input);
  size_t length = stretch(random, input->length - start);
  memmove(input->data + start, input->data + start + length, input->length - start - length);
  input->length -= length;
}

static void insert(struct bytes *input, size_t room, size_t at, const uint8_t *data, size_t length)
{
  if (length > room - input->length)
    length = room - input->length;
  memmove(input->data + at + length, input->data + at, input->length - at);
  memcpy(input->data + at, data, length);
  input->length += length;
}

/* Copies a stretch of a seed to some place. */
static void splice(struct wb_random *random, struct bytes *input, size_t room,
                   const struct bytes *from)
{
  size_t start = place(random, from);
  size_t length = stretch(random, from->length - start);
  insert(input, room, place(random, input), from->data + start, length);
}

static bool in_word(uint8_t byte)
{
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$';
}

/* A word, or one byte that is in none. */
static struct bytes token_at(const struct bytes *input, size_t at)
{
  size_t end = at + 1;
  if (in_word(input->data[at])) {
    while (at > 0 && in_word(input->data[at - 1]))
      at--;
    while (end < input->length && in_word(input->data[end]))
      end++;
  }
  return (struct bytes){input->data + at, end - at};
}

/* Puts a token of `from` in the place of one of the input. */
static void swap_token(struct wb_random *random, struct bytes *input, size_t room,
                       const struct bytes *from)
{
  uint8_t copy[256];
  if (input->length == 0 || from->length == 0)
    return;
  struct bytes taken = token_at(from, (size_t)wb_random_below(random, from->length));
  size_t length = taken.length < sizeof copy ? taken.length : sizeof copy;
  memcpy(copy, taken.data, length);
  struct bytes old = token_at(input, (size_t)wb_random_below(random, input->length));
  size_t at = (size_t)(old.data - input->data);
  memmove(old.data, old.data + old.length, input->length - at - old.length);
  input->length -= old.length;
  insert(input, room, at, copy, length);
}

static void repeat_token(struct wb_random *random, struct bytes *input, size_t room)
{
  uint8_t copy[256];
  if (input->length == 0)
    return;
  struct bytes token = token_at(input, (size_t)wb_random_below(random, input->length));
  size_t at = (size_t)(token.data - input->data);
  size_t length = token.length < sizeof copy ? token.length : sizeof copy;
  memcpy(copy, token.data, length);
  for (uint64_t i = wb_random_below(random, 300); i > 0; i--)
    insert(input, room, at, copy, length);
}

static void mutate(struct wb_random *random, struct bytes *input, size_t room,
                   const struct corpus *corpus)
{
  const struct bytes *other = &corpus->seeds[wb_random_below(random, corpus->count)];
  switch (wb_random_below(random, 8)) {
  case 0:
  case 1:
    change_byte(random, input);
    break;
  case 2:
    cut(random, input);
    break;
  case 3:
    splice(random, input, room, other);
    break;
  case 4:
    repeat_token(random, input, room);
    break;
  case 5:
    swap_token(random, input, room, other);
    break;
  case 6:
    swap_token(random, input, room, input);
    break;
  default:
    if (wb_random_below(random, 8) == 0)
      input->length = place(random, input);
    break;
  }
}

/* A seed, or its beginning with a later piece, so that it has max_length at most. */
static void choose(struct wb_random *random, struct bytes *input, size_t room,
                   const struct corpus *corpus)
{
  const struct bytes *seed = &corpus->seeds[wb_random_below(random, corpus->count)];
  size_t head = seed->length;
  if (head > room)
    head = room / 4 + (size_t)wb_random_below(random, room - room / 4 + 1);
  memcpy(input->data, seed->data, head);
  input->length = head;
  size_t start = head + (size_t)wb_random_below(random, seed->length - head + 1);
  size_t length = seed->length - start;
  insert(input, room, head, seed->data + start, length);
}

/* Does one run: its input depends on the seed, the number and the files alone. */
static void run(const struct settings *settings, const struct corpus *corpus, uint64_t number)
{
  struct wb_random random = {settings->seed};
  random.state = wb_random_next(&random) + number;
  random.state = wb_random_next(&random);
  struct bytes input = {need(malloc(settings->max_length + 1)), 0};
  choose(&random, &input, settings->max_length, corpus);
  for (uint64_t m = wb_random_below(&random, MUTATION_LIMIT + 1); m > 0; m--)
    mutate(&random, &input, settings->max_length, corpus);
  if (settings->save != NULL)
    write_file(settings->save, &input);
  /* A block of the exact size: sanitizers see any read beyond. */
  uint8_t *exact = need(malloc(input.length > 0 ? input.length : 1));
  memcpy(exact, input.data, input.length);
  free(input.data);
  alarm(RUN_SECONDS);
  LLVMFuzzerTestOneInput(exact, input.length);
  alarm(0);
  free(exact);
}

/* A number that parent and child see. */
static volatile uint64_t *shared_number(void)
{
  FILE *file = need(tmpfile());
  if (ftruncate(fileno(file), sizeof(uint64_t)) != 0)
    die("fuzz", "cannot make a shared file");
  void *shared = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  if (shared == MAP_FAILED)
    die("fuzz", "cannot map a shared file");
  fclose(file);
  return shared;
}

static int run_all(const struct settings *settings, const struct corpus *corpus)
{
  volatile uint64_t *number = shared_number();
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    die("fuzz", "cannot fork");
  if (child == 0) {
    for (*number = 0; *number < settings->runs; (*number)++)
      run(settings, corpus, *number);
    exit(0);
  }
  int status;
  while (waitpid(child, &status, 0) != child)
    ;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    printf("%llu runs with seed %llu: ok\n", (unsigned long long)settings->runs,
           (unsigned long long)settings->seed);
    return 0;
  }
  fprintf(stderr,
          "run %llu ended the process; see it again with --replay %llu:%llu and the same "
          "files\n",
          (unsigned long long)*number, (unsigned long long)settings->seed,
          (unsigned long long)*number);
  return 1;
}

static uint64_t parse_number(const char *text, const char **end)
{
  char *stop;
  unsigned long long number = strtoull(text, &stop, 10);
  if (stop == text || (end == NULL && *stop != '\0'))
    die("not a number", text);
  if (end != NULL)
    *end = stop;
  return number;
}

/* Takes an option with its value; false: argument is none. */
static bool take_option(struct settings *settings, const char *option, const char *value)
{
  if (strncmp(option, "--", 2) != 0)
    return false;
  if (value == NULL)
    die("expected a value after", option);
  if (strcmp(option, "--runs") == 0) {
    settings->runs = parse_number(value, NULL);
  } else if (strcmp(option, "--seed") == 0) {
    settings->seed = parse_number(value, NULL);
  } else if (strcmp(option, "--max-length") == 0) {
    settings->max_length = (size_t)parse_number(value, NULL);
  } else if (strcmp(option, "--save") == 0) {
    settings->save = value;
  } else if (strcmp(option, "--replay") == 0) {
    const char *colon;
    settings->replay = true;
    settings->seed = parse_number(value, &colon);
    if (*colon != ':')
      die("expected SEED:RUN, found", value);
    settings->replay_run = parse_number(colon + 1, NULL);
  } else {
    die("unknown option", option);
  }
  return true;
}

int main(int argc, char **argv)
{
  struct settings settings = {.runs = 10000, .seed = 1, .max_length = 4096};
  struct corpus corpus = {need(calloc((size_t)argc + 1, sizeof(struct bytes))), 0};
  for (int i = 1; i < argc; i++) {
    if (take_option(&settings, argv[i], argv[i + 1]))
      i++;
    else
      corpus.seeds[corpus.count++] = read_file(argv[i]);
  }
  if (corpus.count == 0)
    corpus.seeds[corpus.count++] = (struct bytes){need(calloc(1, 1)), 0};
  int status = 0;
  if (settings.replay)
    run(&settings, &corpus, settings.replay_run);
  else
    status = run_all(&settings, &corpus);
  for (size_t s = 0; s < corpus.count; s++)
    free(corpus.seeds[s].data);
  free(corpus.seeds);
  return status;
}
