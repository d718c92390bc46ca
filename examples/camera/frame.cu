// A frame of a camera: four kernels in two streams, and a detector beside them. Images are 1280 by
// 720 pixels; each kernel has a thread for each pixel in blocks of 32 by 8.
//   nvcc -arch=sm_87 -cubin -lineinfo -o frame.cubin frame.cu
typedef unsigned char byte;

#define WIDTH 1280
#define HEIGHT 720

#define PIXEL()                                                                                    \
  const int x = blockIdx.x * blockDim.x + threadIdx.x;                                             \
  const int y = blockIdx.y * blockDim.y + threadIdx.y;                                             \
  if (x < 1 || y < 1 || x >= WIDTH - 1 || y >= HEIGHT - 1)                                         \
    return;                                                                                        \
  const int at = y * WIDTH + x

// Colours of a mosaic: each pixel takes what it lacks from its neighbours.
extern "C" __global__ void colours(const byte *raw, uchar4 *image)
{
  PIXEL();
  const int own = raw[at];
  const int sides = (raw[at - 1] + raw[at + 1]) / 2;
  const int above = (raw[at - WIDTH] + raw[at + WIDTH]) / 2;
  const int corner = (raw[at - WIDTH - 1] + raw[at + WIDTH + 1]) / 2;
  const bool odd = (x ^ y) & 1;
  image[at] = make_uchar4(odd ? sides : own, odd ? own : above, odd ? above : corner, 255);
}

// The mean of 3 by 3 pixels.
extern "C" __global__ void smooth(const uchar4 *image, uchar4 *result)
{
  PIXEL();
  int red = 0, green = 0, blue = 0;
  for (int j = -1; j <= 1; j++) {
    for (int i = -1; i <= 1; i++) {
      const uchar4 near = image[at + j * WIDTH + i];
      red += near.x;
      green += near.y;
      blue += near.z;
    }
  }
  result[at] = make_uchar4(red / 9, green / 9, blue / 9, 255);
}

// How fast the green changes.
extern "C" __global__ void edges(const uchar4 *image, byte *result)
{
  PIXEL();
  const int across = image[at + 1].y - image[at - 1].y;
  const int down = image[at + WIDTH].y - image[at - WIDTH].y;
  result[at] = min(255, abs(across) + abs(down));
}

// Edges are drawn white into the image.
extern "C" __global__ void overlay(const uchar4 *image, const byte *strong, uchar4 *result)
{
  PIXEL();
  const uchar4 own = image[at];
  const int more = strong[at] > 64 ? 255 : 0;
  result[at] = make_uchar4(max(own.x, more), max(own.y, more), max(own.z, more), 255);
}

// Beside the frame: how well each of 64 patterns of 16 values fits a place, one block a pattern.
extern "C" __global__ void detect(const float *places, const float *patterns, float *best)
{
  __shared__ float pattern[16];
  const int place = threadIdx.x;
  if (place < 16)
    pattern[place] = patterns[blockIdx.x * 16 + place];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; i++)
    sum += pattern[i] * places[place * 16 + i];
  best[blockIdx.x * blockDim.x + place] = sum;
}
