#include "isa/ptx_opcodes.h"

#include <stdbool.h>
#include <string.h>

/* What the table assumes where a row is not the plain truth. */
#define SEVERAL "expands to several machine instructions; counted as one"
#define INTEGER_DIVISION "integer division expands to many machine instructions; counted as one"
#define TENSOR "tensor core instructions are counted as CUDA core instructions"
#define TENSOR_MEMORY "access to tensor memory is counted as load/store"
#define BARRIER "waiting at a barrier is not modelled"
#define FENCE "waiting at a fence is not modelled"
#define ASYNCHRONOUS "waiting for asynchronous operations is not modelled"
#define GRID "waiting for other grids is not modelled"
#define SLEEP "the time asleep is not modelled"
#define RESOURCE "waiting for registers or tensor memory is not modelled"
#define UNPUBLISHED "its unit is not published; counted as a CUDA core instruction"

#define L WB_UNIT_LOAD_STORE
#define C WB_UNIT_CORE
#define S WB_UNIT_SPECIAL
#define D WB_UNIT_DOUBLE
#define N WB_UNIT_NONE

#define NEXT WB_FLOW_NEXT
#define BRANCH WB_FLOW_BRANCH
#define INDEXED_BRANCH WB_FLOW_INDEXED_BRANCH
#define CALL WB_FLOW_CALL
#define RETURN WB_FLOW_RETURN
#define EXIT WB_FLOW_EXIT

/* PTX ISA 1.0 to 9.4. Invariant: sorted by opcode (strcmp), rows of one opcode
 * together, the one for any modifier last.
 *
 * D is arithmetic on .f64; moves, loads and selections of 64 bits are not. Besides
 * memory instructions, L holds what goes through the load/store pipe: to reach
 * other lanes (shfl, ldmatrix, stmatrix, movmatrix), to change an object in memory
 * (mbarrier, tensormap, clusterlaunchcontrol.try_cancel), or to start a copy (cp,
 * fabric). Branches, calls and returns are C, as the literature counts the branch
 * that closes a loop. */
static const struct wb_ptx_opcode rows[] = {
    {"abs", "f64", D, NEXT, NULL},
    {"abs", NULL, C, NEXT, NULL},
    {"activemask", NULL, C, NEXT, NULL},
    {"add", "f64", D, NEXT, NULL},
    {"add", NULL, C, NEXT, NULL},
    {"addc", NULL, C, NEXT, NULL},
    {"alloca", NULL, C, NEXT, NULL},
    {"and", NULL, C, NEXT, NULL},
    {"applypriority", NULL, L, NEXT, NULL},
    {"atom", NULL, L, NEXT, NULL},
    {"bar", "arrive", N, NEXT, NULL},
    {"bar", NULL, N, NEXT, BARRIER},
    {"barrier", "arrive", N, NEXT, NULL},
    {"barrier", NULL, N, NEXT, BARRIER},
    {"bfe", NULL, C, NEXT, NULL},
    {"bfi", NULL, C, NEXT, NULL},
    {"bfind", NULL, C, NEXT, NULL},
    {"bmsk", NULL, C, NEXT, NULL},
    {"bra", NULL, C, BRANCH, NULL},
    {"brev", NULL, C, NEXT, NULL},
    {"brkpt", NULL, N, NEXT, NULL},
    {"brx", NULL, C, INDEXED_BRANCH, NULL},
    {"call", NULL, C, CALL, NULL},
    {"clusterlaunchcontrol", "query_cancel", C, NEXT, NULL},
    {"clusterlaunchcontrol", NULL, L, NEXT, NULL},
    {"clz", NULL, C, NEXT, NULL},
    {"cnot", NULL, C, NEXT, NULL},
    {"copysign", "f64", D, NEXT, NULL},
    {"copysign", NULL, C, NEXT, NULL},
    {"cos", NULL, S, NEXT, NULL},
    {"cp", "wait_all", N, NEXT, ASYNCHRONOUS},
    {"cp", "wait_group", N, NEXT, ASYNCHRONOUS},
    {"cp", NULL, L, NEXT, NULL},
    {"createpolicy", NULL, C, NEXT, NULL},
    {"cvt", "f64", D, NEXT, NULL},
    {"cvt", NULL, C, NEXT, NULL},
    {"cvta", NULL, C, NEXT, NULL},
    {"discard", NULL, L, NEXT, NULL},
    {"div", "f64", D, NEXT, SEVERAL},
    {"div", "f32", S, NEXT, SEVERAL},
    {"div", NULL, C, NEXT, INTEGER_DIVISION},
    {"dp2a", NULL, C, NEXT, NULL},
    {"dp4a", NULL, C, NEXT, NULL},
    {"elect", NULL, C, NEXT, NULL},
    {"ex2", NULL, S, NEXT, NULL},
    {"exit", NULL, C, EXIT, NULL},
    {"fabric", "wait", N, NEXT, ASYNCHRONOUS},
    {"fabric", NULL, L, NEXT, NULL},
    {"fence", NULL, N, NEXT, FENCE},
    {"fma", "f64", D, NEXT, NULL},
    {"fma", NULL, C, NEXT, NULL},
    {"fns", NULL, C, NEXT, NULL},
    {"getctarank", NULL, C, NEXT, NULL},
    {"griddepcontrol", "wait", N, NEXT, GRID},
    {"griddepcontrol", NULL, N, NEXT, NULL},
    {"isspacep", NULL, C, NEXT, NULL},
    {"istypep", NULL, C, NEXT, NULL},
    {"ld", NULL, L, NEXT, NULL},
    {"ldmatrix", NULL, L, NEXT, NULL},
    {"ldu", NULL, L, NEXT, NULL},
    {"lg2", NULL, S, NEXT, NULL},
    {"lop3", NULL, C, NEXT, NULL},
    {"mad", "f64", D, NEXT, NULL},
    {"mad", NULL, C, NEXT, NULL},
    {"mad24", NULL, C, NEXT, NULL},
    {"madc", NULL, C, NEXT, NULL},
    {"mapa", NULL, C, NEXT, NULL},
    {"match", NULL, C, NEXT, NULL},
    {"max", "f64", D, NEXT, NULL},
    {"max", NULL, C, NEXT, NULL},
    {"mbarrier", "try_wait", L, NEXT, BARRIER},
    {"mbarrier", NULL, L, NEXT, NULL},
    {"membar", NULL, N, NEXT, FENCE},
    {"min", "f64", D, NEXT, NULL},
    {"min", NULL, C, NEXT, NULL},
    {"mma", NULL, C, NEXT, TENSOR},
    {"mov", NULL, C, NEXT, NULL},
    {"movmatrix", NULL, L, NEXT, NULL},
    {"mul", "f64", D, NEXT, NULL},
    {"mul", NULL, C, NEXT, NULL},
    {"mul24", NULL, C, NEXT, NULL},
    {"multimem", NULL, L, NEXT, NULL},
    {"nanosleep", NULL, N, NEXT, SLEEP},
    {"neg", "f64", D, NEXT, NULL},
    {"neg", NULL, C, NEXT, NULL},
    {"not", NULL, C, NEXT, NULL},
    {"or", NULL, C, NEXT, NULL},
    {"pmevent", NULL, N, NEXT, NULL},
    {"popc", NULL, C, NEXT, NULL},
    {"prefetch", NULL, L, NEXT, NULL},
    {"prefetchu", NULL, L, NEXT, NULL},
    {"prmt", NULL, C, NEXT, NULL},
    {"rcp", "f64", D, NEXT, SEVERAL},
    {"rcp", "approx", S, NEXT, NULL},
    {"rcp", NULL, S, NEXT, SEVERAL},
    {"red", NULL, L, NEXT, NULL},
    {"redux", NULL, C, NEXT, NULL},
    {"rem", NULL, C, NEXT, INTEGER_DIVISION},
    {"ret", NULL, C, RETURN, NULL},
    {"rsqrt", "f64", D, NEXT, SEVERAL},
    {"rsqrt", "approx", S, NEXT, NULL},
    {"rsqrt", NULL, S, NEXT, SEVERAL},
    {"sad", NULL, C, NEXT, NULL},
    {"selp", NULL, C, NEXT, NULL},
    {"set", "f64", D, NEXT, NULL},
    {"set", NULL, C, NEXT, NULL},
    {"setmaxnreg", NULL, N, NEXT, RESOURCE},
    {"setp", "f64", D, NEXT, NULL},
    {"setp", NULL, C, NEXT, NULL},
    {"shf", NULL, C, NEXT, NULL},
    {"shfl", NULL, L, NEXT, NULL},
    {"shl", NULL, C, NEXT, NULL},
    {"shr", NULL, C, NEXT, NULL},
    {"sin", NULL, S, NEXT, NULL},
    {"slct", "f64", D, NEXT, NULL},
    {"slct", NULL, C, NEXT, NULL},
    {"spcompress", NULL, C, NEXT, UNPUBLISHED},
    {"spdecompress", NULL, C, NEXT, UNPUBLISHED},
    {"sqrt", "f64", D, NEXT, SEVERAL},
    {"sqrt", "approx", S, NEXT, NULL},
    {"sqrt", NULL, S, NEXT, SEVERAL},
    {"st", NULL, L, NEXT, NULL},
    {"stackrestore", NULL, C, NEXT, NULL},
    {"stacksave", NULL, C, NEXT, NULL},
    {"stmatrix", NULL, L, NEXT, NULL},
    {"sub", "f64", D, NEXT, NULL},
    {"sub", NULL, C, NEXT, NULL},
    {"subc", NULL, C, NEXT, NULL},
    {"suld", NULL, L, NEXT, NULL},
    {"suq", NULL, L, NEXT, NULL},
    {"sured", NULL, L, NEXT, NULL},
    {"sust", NULL, L, NEXT, NULL},
    {"szext", NULL, C, NEXT, NULL},
    {"tanh", NULL, S, NEXT, NULL},
    {"tcgen05", "ld", L, NEXT, TENSOR_MEMORY},
    {"tcgen05", "st", L, NEXT, TENSOR_MEMORY},
    {"tcgen05", "cp", L, NEXT, TENSOR_MEMORY},
    {"tcgen05", "wait", N, NEXT, ASYNCHRONOUS},
    {"tcgen05", "fence", N, NEXT, NULL},
    {"tcgen05", "commit", N, NEXT, NULL},
    {"tcgen05", "alloc", N, NEXT, RESOURCE},
    {"tcgen05", "dealloc", N, NEXT, NULL},
    {"tcgen05", "relinquish_alloc_permit", N, NEXT, NULL},
    {"tcgen05", NULL, C, NEXT, TENSOR},
    {"tensormap", NULL, L, NEXT, NULL},
    {"testp", "f64", D, NEXT, NULL},
    {"testp", NULL, C, NEXT, NULL},
    {"tex", NULL, L, NEXT, NULL},
    {"tld4", NULL, L, NEXT, NULL},
    {"trap", NULL, N, EXIT, NULL},
    {"txq", NULL, L, NEXT, NULL},
    {"vabsdiff", NULL, C, NEXT, SEVERAL},
    {"vabsdiff2", NULL, C, NEXT, SEVERAL},
    {"vabsdiff4", NULL, C, NEXT, SEVERAL},
    {"vadd", NULL, C, NEXT, SEVERAL},
    {"vadd2", NULL, C, NEXT, SEVERAL},
    {"vadd4", NULL, C, NEXT, SEVERAL},
    {"vavrg2", NULL, C, NEXT, SEVERAL},
    {"vavrg4", NULL, C, NEXT, SEVERAL},
    {"vmad", NULL, C, NEXT, SEVERAL},
    {"vmax", NULL, C, NEXT, SEVERAL},
    {"vmax2", NULL, C, NEXT, SEVERAL},
    {"vmax4", NULL, C, NEXT, SEVERAL},
    {"vmin", NULL, C, NEXT, SEVERAL},
    {"vmin2", NULL, C, NEXT, SEVERAL},
    {"vmin4", NULL, C, NEXT, SEVERAL},
    {"vote", NULL, C, NEXT, NULL},
    {"vset", NULL, C, NEXT, SEVERAL},
    {"vset2", NULL, C, NEXT, SEVERAL},
    {"vset4", NULL, C, NEXT, SEVERAL},
    {"vshl", NULL, C, NEXT, SEVERAL},
    {"vshr", NULL, C, NEXT, SEVERAL},
    {"vsub", NULL, C, NEXT, SEVERAL},
    {"vsub2", NULL, C, NEXT, SEVERAL},
    {"vsub4", NULL, C, NEXT, SEVERAL},
    {"wgmma", "fence", N, NEXT, ASYNCHRONOUS},
    {"wgmma", "commit_group", N, NEXT, NULL},
    {"wgmma", "wait_group", N, NEXT, ASYNCHRONOUS},
    {"wgmma", NULL, C, NEXT, TENSOR},
    {"wmma", "mma", C, NEXT, TENSOR},
    {"wmma", NULL, L, NEXT, NULL},
    {"xor", NULL, C, NEXT, NULL},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

/* As strcmp, of the first `length` bytes of text and the row's opcode. */
static int compare(const char *text, size_t length, const char *opcode)
{
  int order = strncmp(text, opcode, length);
  return order != 0 ? order : -(opcode[length] != '\0');
}

/* The first row whose opcode is not below the word. */
static size_t lower_bound(const char *word, size_t length)
{
  size_t low = 0;
  size_t high = ROW_COUNT;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(word, length, rows[middle].opcode) > 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The length of the word that begins at text: up to a dot or the end. */
static size_t word_length(const char *text, const char *end)
{
  const char *dot = text < end ? memchr(text, '.', (size_t)(end - text)) : NULL;
  return (size_t)((dot != NULL ? dot : end) - text);
}

/* Whether `modifier` is among the words after the first. */
static bool has_modifier(const char *opcode, size_t length, const char *modifier)
{
  const char *end = opcode + length;
  const char *word = opcode + word_length(opcode, end);
  while (word < end) {
    word++; /* the dot */
    size_t word_size = word_length(word, end);
    if (word_size == strlen(modifier) && memcmp(word, modifier, word_size) == 0)
      return true;
    word += word_size;
  }
  return false;
}

const struct wb_ptx_opcode *wb_ptx_opcode_find(const char *opcode, size_t length)
{
  size_t word = word_length(opcode, opcode + length);
  for (size_t r = lower_bound(opcode, word); r < ROW_COUNT; r++) {
    if (compare(opcode, word, rows[r].opcode) != 0)
      break;
    if (rows[r].modifier == NULL || has_modifier(opcode, length, rows[r].modifier))
      return &rows[r];
  }
  return NULL;
}

const struct wb_ptx_opcode *wb_ptx_opcode_rows(size_t *count)
{
  *count = ROW_COUNT;
  return rows;
}
