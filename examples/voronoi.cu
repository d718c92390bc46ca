// Voronoi diagram: for each pixel of an image, the site that is nearest to it.
//
// This is the source that voronoi.ptx corresponds to; that file is written by hand
// and walks through the sites with a pointer where this one counts.
//
// One thread per pixel.  The blocks are one pixel high (blockDim.y == 1), and the
// width is a multiple of blockDim.x, so that no thread lies outside of the image.
// There is at least one site.

extern "C" __global__ void voronoi(
	const float2 *sites,	// coordinates of the sites, in pixels
	unsigned count,		// number of sites, at least 1
	unsigned width,		// width of the image in pixels
	int *nearest,		// result: one site's index per pixel, row by row
	float limit)		// squared distance from which on a site is too far
				// (infinity: none is); -1 where all sites are
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned y = blockIdx.y;
	float best = limit;
	int index = -1;
	unsigned i = 0;

#pragma unroll 1
	do {
		float dx = sites[i].x - (float)x;
		float dy = sites[i].y - (float)y;
		float distance = fmaf(dy, dy, dx * dx);

		if (distance < best) {
			best = distance;
			index = i;
		}
		i++;
	} while (i != count);

	nearest[y * width + x] = index;
}
