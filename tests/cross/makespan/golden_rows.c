#include "golden_rows.h"
#include "unit.h"

static FILE *open_golden(void)
{
  char path[4096];
  const char *golden = getenv("WARPBOUND_GOLDEN");
  const char *source = getenv("WARPBOUND_SOURCE");
  if (golden != NULL && *golden != '\0')
    snprintf(path, sizeof path, "%s", golden);
  else
    snprintf(path, sizeof path, "%s/tests/fixtures/makespan.csv", source != NULL ? source : ".");
  FILE *file = fopen(path, "r");
  if (file == NULL)
    print_error("%s cannot be opened\n", path);
  return file;
}

static bool read_row(const char *line, struct golden_row *row)
{
  unsigned long long makespan;
  struct instance *instance = &row->instance;
  *row = (struct golden_row){0};
  int fields = sscanf(line, "%32[LCSDN],%u,%u,%u,%u,%u,%u,%llu", instance->letters,
                      &instance->capacity[0], &instance->capacity[1], &instance->capacity[2],
                      &instance->capacity[3], &instance->issue_slots, &instance->warps, &makespan);
  row->makespan = makespan;
  return fields == 8;
}

bool golden_read(struct golden_row *rows, size_t *count)
{
  char line[256];
  FILE *file = open_golden();
  *count = 0;
  if (file == NULL)
    return false;
  const char *header = fgets(line, sizeof line, file);
  bool understood =
      header != NULL && strncmp(header, "string,sigma_L,", strlen("string,sigma_L,")) == 0;
  while (understood && fgets(line, sizeof line, file) != NULL) {
    understood = *count < GOLDEN_MOST_ROWS && read_row(line, &rows[*count]);
    ++*count;
    if (!understood)
      print_error("row %zu is not understood: %s\n", *count, line);
  }
  fclose(file);
  return understood;
}

void golden_fail(const struct golden_row *row, const char *what, uint64_t cycles)
{
  char command[200];
  instance_command(&row->instance, command, sizeof command);
  fail_msg("%s: %s %llu, golden %llu", command, what, (unsigned long long)cycles,
           (unsigned long long)row->makespan);
}
