#include "cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

/* A function of the driver and its place in struct cuda_driver. */
struct symbol {
  const char *name;
  size_t offset;
};

static const struct symbol symbols[] = {
    {"cuInit", offsetof(struct cuda_driver, init)},
    {"cuDeviceGet", offsetof(struct cuda_driver, device_get)},
    {"cuDeviceGetName", offsetof(struct cuda_driver, device_name)},
    {"cuDeviceGetAttribute", offsetof(struct cuda_driver, device_attribute)},
    {"cuCtxCreate_v2", offsetof(struct cuda_driver, context_create)},
    {"cuCtxDestroy_v2", offsetof(struct cuda_driver, context_destroy)},
    {"cuCtxSynchronize", offsetof(struct cuda_driver, synchronize)},
    {"cuModuleLoadData", offsetof(struct cuda_driver, module_load)},
    {"cuModuleGetFunction", offsetof(struct cuda_driver, module_function)},
    {"cuModuleGetGlobal_v2", offsetof(struct cuda_driver, module_global)},
    {"cuFuncSetAttribute", offsetof(struct cuda_driver, function_set)},
    {"cuMemAlloc_v2", offsetof(struct cuda_driver, allocate)},
    {"cuMemFree_v2", offsetof(struct cuda_driver, release)},
    {"cuMemcpyHtoD_v2", offsetof(struct cuda_driver, copy_to)},
    {"cuMemcpyDtoH_v2", offsetof(struct cuda_driver, copy_from)},
    {"cuMemsetD8_v2", offsetof(struct cuda_driver, fill)},
    {"cuLaunchKernel", offsetof(struct cuda_driver, launch)},
    {"cuEventCreate", offsetof(struct cuda_driver, event_create)},
    {"cuEventRecord", offsetof(struct cuda_driver, event_record)},
    {"cuEventSynchronize", offsetof(struct cuda_driver, event_wait)},
    {"cuEventElapsedTime", offsetof(struct cuda_driver, event_elapsed)},
    {"cuGetErrorName", offsetof(struct cuda_driver, error_name)},
};

const char *cuda_driver_load(const char *library, struct cuda_driver *driver)
{
  *driver = (struct cuda_driver){0};
  driver->library = dlopen(library != NULL ? library : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver->library == NULL)
    return dlerror();
  for (size_t s = 0; s < sizeof symbols / sizeof symbols[0]; s++) {
    /* POSIX lets an object pointer be a function's; C does not, so that the bytes are copied. */
    void *function = dlsym(driver->library, symbols[s].name);
    if (function == NULL)
      return symbols[s].name;
    memcpy((char *)driver + symbols[s].offset, &function, sizeof function);
  }
  return NULL;
}

void cuda_driver_unload(struct cuda_driver *driver)
{
  if (driver->library != NULL)
    dlclose(driver->library);
  driver->library = NULL;
}

const char *cuda_error(const struct cuda_driver *driver, cuda_result result)
{
  const char *name = NULL;
  if (driver->error_name(result, &name) != CUDA_SUCCESS || name == NULL)
    return "an unknown error";
  return name;
}
