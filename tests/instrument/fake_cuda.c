/* A driver without a GPU, for tests of examples/measure: memory is the process's, and a launch
 * fills the rows of probes with numbers that a test can know: of warp w in row r lane l has the
 * time 100 r + w + l and the count r + 1, in the rows of all others the time 100 r + 50 + l. A
 * launch takes 1 ms and a thousandth of it for each of the lowest 10 bits of the first parameter's
 * first word. Not thread-safe. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_WORDS 64
#define NAME_LENGTH 64

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int length, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxSynchronize(void);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuMemAlloc_v2(uint64_t *address, size_t bytes);
int cuMemFree_v2(uint64_t address);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuMemsetD8_v2(uint64_t to, unsigned char byte, size_t bytes);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra);
int cuEventCreate(void **event, unsigned flags);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *milliseconds, void *start, void *end);
int cuGetErrorName(int result, const char **name);

/* The one module. */
static struct {
  uint64_t buffer;
  uint64_t capacity;
  uint32_t rows;
  uint32_t *others;
  char prefix[NAME_LENGTH];
  char kernel[NAME_LENGTH];
  uint32_t first_word;
  int object; /* what handles point to */
} fake;

int cuInit(unsigned flags)
{
  return flags == 0 ? 0 : 1;
}

int cuDeviceGet(int *device, int ordinal)
{
  *device = ordinal;
  return ordinal == 0 ? 0 : 101;
}

int cuDeviceGetName(char *name, int length, int device)
{
  (void)device;
  snprintf(name, (size_t)length, "a driver without a GPU");
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
  (void)device;
  *value = attribute == 38 ? 4096 : 0;
  return 0;
}

int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
  (void)flags;
  (void)device;
  *context = &fake.object;
  return 0;
}

int cuCtxDestroy_v2(void *context)
{
  (void)context;
  free(fake.others);
  fake.others = NULL;
  return 0;
}

int cuCtxSynchronize(void)
{
  return 0;
}

int cuModuleLoadData(void **module, const void *image)
{
  const char *line = strstr(image, "// warpbound-instrument 1 ");
  if (line == NULL || sscanf(line, "// warpbound-instrument 1 %63s %u %63s", fake.prefix,
                             &fake.rows, fake.kernel) != 3)
    return 218;
  fake.others = calloc(fake.rows, ROW_WORDS * sizeof *fake.others);
  *module = &fake.object;
  return fake.others != NULL ? 0 : 2;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
  (void)module;
  *function = &fake.object;
  return strcmp(name, fake.kernel) == 0 ? 0 : 500;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, const char *name)
{
  const size_t length = strlen(fake.prefix);
  (void)module;
  *bytes = 8;
  if (strncmp(name, fake.prefix, length) != 0)
    return 500;
  if (strcmp(name + length, "_buffer") == 0)
    *address = (uint64_t)(uintptr_t)&fake.buffer;
  else if (strcmp(name + length, "_capacity") == 0)
    *address = (uint64_t)(uintptr_t)&fake.capacity;
  else if (strcmp(name + length, "_others") == 0)
    *address = (uint64_t)(uintptr_t)fake.others;
  else
    return 500;
  return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
  (void)function;
  return attribute == 8 && value > 0 ? 0 : 1;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
  void *memory = malloc(bytes);
  *address = (uint64_t)(uintptr_t)memory;
  return memory != NULL ? 0 : 2;
}

int cuMemFree_v2(uint64_t address)
{
  free((void *)(uintptr_t)address);
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return 0;
}

int cuMemsetD8_v2(uint64_t to, unsigned char byte, size_t bytes)
{
  memset((void *)(uintptr_t)to, byte, bytes);
  return 0;
}

/* One warp's rows, as red.max and red.add would leave them after one pass. */
static void fill_rows(uint32_t *rows, uint32_t time)
{
  for (uint32_t r = 0; r < fake.rows; r++) {
    for (uint32_t lane = 0; lane < 32; lane++) {
      uint32_t *longest = &rows[r * ROW_WORDS + lane];
      const uint32_t made = 100 * r + time + lane;
      *longest = made > *longest ? made : *longest;
      rows[r * ROW_WORDS + 32 + lane] += r + 1;
    }
  }
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **parameters, void **extra)
{
  const uint64_t warps =
      (uint64_t)grid_x * grid_y * grid_z * ((block_x * block_y * block_z + 31) / 32);
  (void)function;
  (void)shared;
  (void)stream;
  (void)extra;
  if (parameters[0] != NULL)
    memcpy(&fake.first_word, *(void **)parameters[0], sizeof fake.first_word);
  for (uint64_t warp = 0; warp < warps && warp < fake.capacity; warp++)
    fill_rows((uint32_t *)(uintptr_t)fake.buffer + warp * fake.rows * ROW_WORDS, (uint32_t)warp);
  if (warps > fake.capacity)
    fill_rows(fake.others, 50);
  return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
  (void)flags;
  *event = &fake.object;
  return 0;
}

int cuEventRecord(void *event, void *stream)
{
  (void)event;
  (void)stream;
  return 0;
}

int cuEventSynchronize(void *event)
{
  (void)event;
  return 0;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
  (void)start;
  (void)end;
  *milliseconds = 1 + (float)(fake.first_word & 1023) / 1000;
  return 0;
}

int cuGetErrorName(int result, const char **name)
{
  *name = result == 101 ? "CUDA_ERROR_INVALID_DEVICE" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
