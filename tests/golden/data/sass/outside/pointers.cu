// Kernels that call functions through pointers:
//   nvcc -arch=sm_75 -rdc=true -cubin -o one.cubin pointers.cu; nvlink -arch=sm_75 -o pointers.sm_75.cubin one.cubin
//   nvcc -arch=sm_75 -cubin -o places.sm_75.cubin pointers.cu     (CUDA 13.0; sm_120)
typedef float (*operation)(float, float);

__device__ __noinline__ float add(float a, float b)
{
  return a + b;
}

__device__ __noinline__ float power(float a, float b)
{
  float result = 1;
#pragma unroll 1
  for (int i = 0; i < 10; i++)
    result = result * a + b;
  return result;
}

__device__ __noinline__ int triple(int a)
{
  return a * 3;
}

__device__ operation operations[2] = {add, power};
__device__ int (*whole)(int) = triple;

// One of two, for all lanes: the code shows which.
extern "C" __global__ void selects(float *numbers, int which)
{
  operation chosen = which ? add : power;
  numbers[threadIdx.x] = chosen(numbers[threadIdx.x], 2);
}

// One from memory, of each lane its own; three functions have their addresses taken.
extern "C" __global__ void indexes(float *numbers)
{
  numbers[threadIdx.x] = operations[threadIdx.x % 2](numbers[threadIdx.x], whole(2));
}
