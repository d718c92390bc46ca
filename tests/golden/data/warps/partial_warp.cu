/* Shuffles behind a branch on which all lanes agree, though the compiler does not know it: it
 * compares the lanes that come there with all of the warp. Compiled by nvcc 13.0:
 *   nvcc -arch=sm_87 -cubin -o partial_warp.sm_87.cubin partial_warp.cu
 * partial_warp_reqntid.sm_75.cubin is of its PTX (nvcc -ptx) with ".reqntid 64, 1, 1" behind the parameters. */
extern "C" __global__ void partial_warp(int *out, const int *in)
{
  int value = in[threadIdx.x];
  if (__syncthreads_or(value > 3)) {
    __syncwarp();
    value = __shfl_xor_sync(0xffffffff, value, 4);
    __syncwarp();
    value += __shfl_xor_sync(0xffffffff, value, 2);
  }
  out[threadIdx.x] = value;
}
