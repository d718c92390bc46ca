#include "isa/runtime_calls.h"

#include <string.h>

/* System calls, memory, and the device runtime of dynamic parallelism, CUDA 5 to 13 (CUDA C++
 * Programming Guide: assertions, formatted output, dynamic global memory, CUDA dynamic
 * parallelism). Each function stands once, families last. */
static const struct wb_runtime_call rows[] = {
    {"__assert_fail", false, true},
    {"__assertfail", false, true},
    {"abort", false, true},
    {"cudaCGGetIntrinsicHandle", false, false},
    {"cudaCGGetRank", false, false},
    {"cudaCGGetSize", false, false},
    {"cudaCGSynchronize", false, false},
    {"cudaCGSynchronizeGrid", false, false},
    {"cudaDeviceGetAttribute", false, false},
    {"cudaDeviceGetCacheConfig", false, false},
    {"cudaDeviceGetLimit", false, false},
    {"cudaDeviceGetSharedMemConfig", false, false},
    {"cudaDeviceSynchronize", false, false},
    {"cudaEventCreateWithFlags", false, false},
    {"cudaEventDestroy", false, false},
    {"cudaEventRecord", false, false},
    {"cudaEventRecordWithFlags", false, false},
    {"cudaFree", false, false},
    {"cudaFuncGetAttributes", false, false},
    {"cudaGetCurrentGraphExec", false, false},
    {"cudaGetDevice", false, false},
    {"cudaGetDeviceCount", false, false},
    {"cudaGetErrorName", false, false},
    {"cudaGetErrorString", false, false},
    {"cudaGetLastError", false, false},
    {"cudaGetParameterBuffer", false, false},
    {"cudaGetParameterBufferV2", false, false},
    {"cudaGraphLaunch", false, false},
    {"cudaLaunchDevice", false, false},
    {"cudaLaunchDeviceV2", false, false},
    {"cudaMalloc", false, false},
    {"cudaMemcpy2DAsync", false, false},
    {"cudaMemcpy3DAsync", false, false},
    {"cudaMemcpyAsync", false, false},
    {"cudaMemset2DAsync", false, false},
    {"cudaMemset3DAsync", false, false},
    {"cudaMemsetAsync", false, false},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", false, false},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", false, false},
    {"cudaPeekAtLastError", false, false},
    {"cudaRuntimeGetVersion", false, false},
    {"cudaStreamCreateWithFlags", false, false},
    {"cudaStreamDestroy", false, false},
    {"cudaStreamWaitEvent", false, false},
    {"free", false, false},
    {"malloc", false, false},
    {"vprintf", false, false},
    {"__cudaCDP2", true, false},
    {"__cuda_syscall", true, false},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

const struct wb_runtime_call *wb_runtime_call_find(const char *name)
{
  for (size_t r = 0; r < ROW_COUNT; r++) {
    const struct wb_runtime_call *row = &rows[r];
    if (row->family ? strncmp(name, row->name, strlen(row->name)) == 0
                    : strcmp(name, row->name) == 0)
      return row;
  }
  return NULL;
}

bool wb_calls_runtime_end(const struct wb_instruction *call)
{
  const struct wb_runtime_call *row =
      call->outside && call->transfer == WB_TRANSFER_EXIT && call->callee != NULL
          ? wb_runtime_call_find(call->callee)
          : NULL;
  return row != NULL && row->ends_thread;
}
