#include "launch_inputs.h"

#include <stdlib.h>
#include <string.h>

char *read_whole_file(const char *name, size_t *length)
{
  char *bytes = NULL;
  FILE *file = fopen(name, "rb");
  *length = 0;
  if (file == NULL)
    return NULL;
  for (size_t room = 0;;) {
    if (*length == room) {
      room = room * 2 + 4096;
      char *grown = realloc(bytes, room + 1);
      if (grown == NULL)
        break;
      bytes = grown;
    }
    const size_t read = fread(bytes + *length, 1, room - *length, file);
    *length += read;
    if (read == 0)
      break;
  }
  const bool whole = feof(file) && !ferror(file);
  fclose(file);
  if (whole && bytes != NULL) {
    bytes[*length] = '\0';
    return bytes;
  }
  free(bytes);
  return NULL;
}

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void random_bytes(uint64_t *state, uint64_t most, unsigned char *bytes, size_t length)
{
  for (size_t at = 0; at < length; at += 4) {
    const uint64_t word = next_random(state) >> 32;
    const uint64_t number = most > 0 ? word % (most + 1) : word;
    for (size_t i = 0; i < 4 && at + i < length; i++)
      bytes[at + i] = (unsigned char)(number >> (8 * i));
  }
}

static bool is_buffer(const struct parameter *parameter)
{
  return parameter->kind == PARAMETER_RANDOM || parameter->kind == PARAMETER_ZEROS ||
         parameter->kind == PARAMETER_FILE;
}

/* Makes the buffer of a parameter; *largest grows with it. */
static bool make_buffer(struct inputs *inputs, size_t p, size_t *largest)
{
  struct parameter *parameter = &inputs->parameters[p];
  if (parameter->kind == PARAMETER_FILE) {
    inputs->files[p] = read_whole_file(parameter->file, &parameter->bytes);
    if (inputs->files[p] == NULL || parameter->bytes == 0) {
      fprintf(stderr, "measure: cannot read %s, or it is empty\n", parameter->file);
      return false;
    }
  }
  const cuda_result result = inputs->driver->allocate(&inputs->addresses[p], parameter->bytes);
  if (result != CUDA_SUCCESS) {
    fprintf(stderr, "measure: no %zu bytes for parameter %zu: %s\n", parameter->bytes, p + 1,
            cuda_error(inputs->driver, result));
    return false;
  }
  *largest = parameter->bytes > *largest ? parameter->bytes : *largest;
  return true;
}

bool inputs_make(const struct cuda_driver *driver, const struct measure_options *options,
                 struct inputs *inputs)
{
  size_t largest = 1;
  *inputs = (struct inputs){.driver = driver, .count = options->parameter_count};
  memcpy(inputs->parameters, options->parameters, sizeof inputs->parameters);
  for (size_t p = 0; p < inputs->count; p++) {
    const bool buffer = is_buffer(&inputs->parameters[p]);
    if (buffer && !make_buffer(inputs, p, &largest))
      return false;
    inputs->pointers[p] =
        buffer ? (void *)&inputs->addresses[p] : (void *)&inputs->parameters[p].value;
  }
  inputs->bytes = malloc(largest);
  if (inputs->bytes == NULL)
    fputs("measure: out of memory\n", stderr);
  return inputs->bytes != NULL;
}

cuda_result inputs_fill(struct inputs *inputs, uint64_t seed, uint64_t run)
{
  uint64_t state = seed;
  state = next_random(&state) ^ run; /* runs of one seed do not overlap as sums would */
  state = next_random(&state);
  for (size_t p = 0; p < inputs->count; p++) {
    const struct parameter *parameter = &inputs->parameters[p];
    cuda_result result = CUDA_SUCCESS;
    if (parameter->kind == PARAMETER_RANDOM) {
      random_bytes(&state, parameter->most, inputs->bytes, parameter->bytes);
      result = inputs->driver->copy_to(inputs->addresses[p], inputs->bytes, parameter->bytes);
    } else if (parameter->kind == PARAMETER_FILE) {
      result = inputs->driver->copy_to(inputs->addresses[p], inputs->files[p], parameter->bytes);
    } else if (parameter->kind == PARAMETER_ZEROS) {
      result = inputs->driver->fill(inputs->addresses[p], 0, parameter->bytes);
    }
    if (result != CUDA_SUCCESS)
      return result;
  }
  return CUDA_SUCCESS;
}

void inputs_free(struct inputs *inputs)
{
  for (size_t p = 0; p < inputs->count; p++) {
    if (inputs->addresses[p] != 0)
      inputs->driver->release(inputs->addresses[p]);
    free(inputs->files[p]);
  }
  free(inputs->bytes);
  *inputs = (struct inputs){0};
}
