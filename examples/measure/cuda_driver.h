/* The few functions of the CUDA driver that the program needs, loaded at run time: no header and
 * no library of CUDA is needed to build it. Names, numbers and types are those of the driver's
 * interface, version 3.2 and later. */
#ifndef MEASURE_CUDA_DRIVER_H
#define MEASURE_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* Results and attributes, as the driver numbers them. */
#define CUDA_SUCCESS 0
#define CUDA_ATTRIBUTE_L2_CACHE_SIZE 38
#define CUDA_ATTRIBUTE_MAJOR 75
#define CUDA_ATTRIBUTE_MINOR 76
#define CUDA_FUNCTION_MAX_DYNAMIC_SHARED 8

typedef int cuda_result;
typedef int cuda_device;
typedef uint64_t cuda_address;
typedef void *cuda_handle; /* a context, module, function or event */

/* A driver that was loaded. Invariant: all functions are there. */
struct cuda_driver {
  void *library;
  cuda_result (*init)(unsigned flags);
  cuda_result (*device_get)(cuda_device *device, int ordinal);
  cuda_result (*device_name)(char *name, int length, cuda_device device);
  cuda_result (*device_attribute)(int *value, int attribute, cuda_device device);
  cuda_result (*context_create)(cuda_handle *context, unsigned flags, cuda_device device);
  cuda_result (*context_destroy)(cuda_handle context);
  cuda_result (*synchronize)(void);
  cuda_result (*module_load)(cuda_handle *module, const void *image);
  cuda_result (*module_function)(cuda_handle *function, cuda_handle module, const char *name);
  cuda_result (*module_global)(cuda_address *address, size_t *bytes, cuda_handle module,
                               const char *name);
  cuda_result (*function_set)(cuda_handle function, int attribute, int value);
  cuda_result (*allocate)(cuda_address *address, size_t bytes);
  cuda_result (*release)(cuda_address address);
  cuda_result (*copy_to)(cuda_address to, const void *from, size_t bytes);
  cuda_result (*copy_from)(void *to, cuda_address from, size_t bytes);
  cuda_result (*fill)(cuda_address to, unsigned char byte, size_t bytes);
  cuda_result (*launch)(cuda_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        cuda_handle stream, void **parameters, void **extra);
  cuda_result (*event_create)(cuda_handle *event, unsigned flags);
  cuda_result (*event_record)(cuda_handle event, cuda_handle stream);
  cuda_result (*event_wait)(cuda_handle event);
  cuda_result (*event_elapsed)(float *milliseconds, cuda_handle start, cuda_handle end);
  cuda_result (*error_name)(cuda_result result, const char **name);
};

/* Loads the driver; library: its file, NULL for libcuda.so.1. NULL, or what is missing (static, or
 * the loader's words until its next call). */
const char *cuda_driver_load(const char *library, struct cuda_driver *driver);
void cuda_driver_unload(struct cuda_driver *driver);

/* A word for a result. */
const char *cuda_error(const struct cuda_driver *driver, cuda_result result);

#endif
