/* Signatures of kernels in sources: names of parameters, and what is no signature. */
#include "base/text.h"
#include "formats/sources/signatures.h"
#include "unit.h"

/* "LINE kernel(a, ?, n)" of each signature, on lines. */
static void expect_signatures(const char *source, const char *expected)
{
  struct wb_signatures signatures = {0};
  struct wb_text found = {0};
  warpbound_error failure = {0};
  assert_ok(wb_signatures_read("k.cu", source, strlen(source), &signatures, &failure));
  for (size_t s = 0; s < signatures.count; s++) {
    const struct wb_signature *signature = &signatures.items[s];
    assert_string_equal(signature->file, "k.cu");
    wb_text_format(&found, "%u %s(", (unsigned)signature->line, signature->kernel);
    for (size_t p = 0; p < signature->count; p++) {
      const char *name = signatures.names[signature->first + p];
      wb_text_format(&found, "%s%s", p > 0 ? ", " : "", name != NULL ? name : "?");
    }
    wb_text_string(&found, ")\n");
  }
  assert_string_equal(found.data != NULL ? found.data : "", expected);
  wb_text_free(&found);
  wb_signatures_free(&signatures);
}

TEST(signatures_have_the_names_of_parameters)
{
  static const struct {
    const char *source, *expected;
  } cases[] = {
      {"__global__ void f(const float *a, float *b, int n) {}", "1 f(a, b, n)\n"},
      {"extern \"C\" __global__ void f(int n);\n__global__ void g(void);\nvoid h(int q);",
       "1 f(n)\n2 g()\n"},
      {"\n__global__ void\n__launch_bounds__(256, 2) f(float * __restrict__ x, unsigned)\n{}",
       "3 f(x, ?)\n"},
      {"static void __global__ f(int a[4], int (*g)(int), unsigned long long b = (1, 2), char c)",
       "1 f(a, ?, b, c)\n"},
      {"template <typename T, int N = 3> __global__ void f(pair<T, vector<int>> p, T const &q, S)",
       "1 f(p, q, ?)\n"},
      {"template <> __global__ void f<float, (3 > 2)>(float *p, int n = a < b, int m)",
       "1 f(p, n, m)\n"},
      {"__global__ void f(const __grid_constant__ struct s args) { g<<<1, 2>>>(n); }",
       "1 f(args)\n"},
      /* Comments, texts and directives are none. */
      {"// __global__ void f(int n)\n/* __global__ void f(int n) */ __global__ void g(/* n */ int "
       "m)",
       "2 g(m)\n"},
      {"const char *t = \"__global__ void f(int n)\";\n__global__ void g(int m)", "2 g(m)\n"},
      {"auto t = R\"x(\" __global__ void f(int n) )\" )x\"; __global__ void g(int m)", "1 g(m)\n"},
      {"#define K __global__ void \\\n  f(int n)\n__global__ void g(int m)", "3 g(m)\n"},
      {"__global__ void f(int a, // first, )\n  int b)", "1 f(a, b)\n"},
      /* Not understood. */
      {"template <class... A> __global__ void f(A... a) {}", ""},
      {"__global__ void f(int a, int b", ""},
      {"__global__ int n; __global__ void f(int a)", "1 f(a)\n"},
      {"__global__", ""},
      {"__global__ void f(int a; int b)", ""},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    expect_signatures(cases[c].source, cases[c].expected);
}

TEST(too_many_parameters_are_no_signature)
{
  struct wb_text source = {0};
  wb_text_string(&source, "__global__ void f(int a");
  for (size_t p = 0; p < WB_SIGNATURE_PARAMETER_LIMIT; p++)
    wb_text_format(&source, ", int b%zu", p);
  wb_text_string(&source, ") {}\n__global__ void g(int n) {}");
  expect_signatures(source.data, "2 g(n)\n");
  wb_text_free(&source);
}
