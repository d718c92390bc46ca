// A filter of an image's rows: the kernel of the example of a gate (README.md in this folder).
extern "C" __global__ void __launch_bounds__(128)
filter_rows(const float *image, const float *weights, float *out, int width, int taps)
{
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  const float *row = image + blockIdx.y * width;
  float sum = 0;
  float largest = 0;
#pragma unroll 1
  for (int tap = 0; tap < taps; tap++) {
    float value = row[column + tap];
    sum += weights[tap] * value;
    largest = fmaxf(largest, __powf(value, 2.2f) + 0.5f * value * value);
  }
  if (column < width)
    out[blockIdx.y * width + column] = sum / (1 + largest);
}
