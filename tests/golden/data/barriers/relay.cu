extern "C" __global__ void relay(const float *o, float *r, int n, int m){ __shared__ float s[256]; float a=0;
 for(int i=0;i<n;i++){ for(int j=0;j<m;j++){ a+=o[i*m+j+threadIdx.x]; if (a>3) a*=a; } s[threadIdx.x]=a; __syncthreads(); a+=s[255-threadIdx.x]; __syncthreads(); }
 r[threadIdx.x]=a; }
