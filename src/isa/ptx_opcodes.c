#include "isa/ptx_opcodes.h"

#include "isa/opcode.h"

#include <stdbool.h>
#include <string.h>

/* Assumptions of rows that are not the plain truth. */
#define TENSOR                                                                                     \
  "tensor core instructions keep their unit equally long, whatever their shape and types"
#define GROUP                                                                                      \
  "tensor core instructions of warp groups and blocks are counted like those of one warp"
#define TENSOR_MEMORY "access to tensor memory is counted as load/store"
#define BARRIER "waiting at a barrier is not modelled"
#define CLUSTER "waiting for the other blocks of a cluster is not modelled"
#define ARRIVE "a warp that arrives at a barrier without waiting does not count there"
#define FENCE "waiting at a fence is not modelled"
#define ASYNCHRONOUS "waiting for asynchronous operations is not modelled"
#define SLEEP "the time asleep is in no unit's cycles"
#define RESOURCE "waiting for registers or tensor memory is not modelled"
#define UNPUBLISHED "its unit is not published; counted as a CUDA core instruction"

#define L WB_UNIT_LOAD_STORE
#define C WB_UNIT_CORE
#define S WB_UNIT_SPECIAL
#define D WB_UNIT_DOUBLE
#define T WB_UNIT_TENSOR
#define N WB_UNIT_NONE
#define B WB_UNIT_BARRIER

#define NEXT WB_TRANSFER_NEXT
#define BRANCH WB_TRANSFER_BRANCH
#define INDEXED_BRANCH WB_TRANSFER_INDEXED_BRANCH
#define CALL WB_TRANSFER_CALL_FUNCTION
#define RETURN WB_TRANSFER_RETURN
#define EXIT WB_TRANSFER_EXIT

#define ONE WB_PTX_ONE
#define SEVERAL WB_PTX_SEVERAL
#define SEVERAL_ON_MAXWELL WB_PTX_SEVERAL_ON_MAXWELL

/* PTX ISA 1.0 to 9.4. Invariant: sorted by opcode (strcmp), rows of one opcode
 * together, the one for any modifier last.
 *
 * D is arithmetic on .f64; moves, loads and selections of 64 bits are not. S is the pipe of
 * MUFU, as in the table of SASS: it converts between integers and floats, rounds floats to whole
 * numbers, and counts and finds bits too; but 32-bit integers become floats on CUDA cores (I2FP,
 * sm_80 on; before that S), and so do halves. Besides
 * memory instructions, L holds what goes through the load/store pipe: to reach
 * other lanes (shfl, ldmatrix, stmatrix, movmatrix), to change an object in memory
 * (mbarrier, tensormap, clusterlaunchcontrol.try_cancel), or to start a copy (cp,
 * fabric). T multiplies matrices; of tcgen05 all that is sent to the tensor cores. Branches, calls
 * and returns are C, as the literature counts the branch that closes a loop. A barrier is B where
 * it is for all threads of the block.
 *
 * SEVERAL: some compiler makes a sequence or a routine of it for some machine (64-bit
 * integers, divisions, roots, compare-and-swap loops, fences that also clear a cache). */
static const struct wb_ptx_opcode rows[] = {
    {"abs", "f64", D, NEXT, ONE, NULL},
    {"abs", "s64", C, NEXT, SEVERAL, NULL},
    {"abs", NULL, C, NEXT, ONE, NULL},
    {"activemask", NULL, C, NEXT, ONE, NULL},
    {"add", "f64", D, NEXT, ONE, NULL},
    {"add", "s64", C, NEXT, SEVERAL, NULL},
    {"add", "u64", C, NEXT, SEVERAL, NULL},
    {"add", NULL, C, NEXT, ONE, NULL},
    {"addc", "s64", C, NEXT, SEVERAL, NULL},
    {"addc", "u64", C, NEXT, SEVERAL, NULL},
    {"addc", NULL, C, NEXT, ONE, NULL},
    {"alloca", NULL, C, NEXT, ONE, NULL},
    {"and", "b64", C, NEXT, SEVERAL, NULL},
    {"and", NULL, C, NEXT, ONE, NULL},
    {"applypriority", NULL, L, NEXT, ONE, NULL},
    {"atom", "acq_rel", L, NEXT, SEVERAL, NULL},
    {"atom", "acquire", L, NEXT, SEVERAL, NULL},
    {"atom", "release", L, NEXT, SEVERAL, NULL},
    {"atom", "b16", L, NEXT, SEVERAL, NULL},
    {"atom", "noftz", L, NEXT, SEVERAL, NULL},
    {"atom", "shared.F", L, NEXT, SEVERAL, NULL},
    {"atom", "shared::cta.F", L, NEXT, SEVERAL, NULL},
    {"atom", "shared.s64", L, NEXT, SEVERAL, NULL},
    {"atom", "shared.u64", L, NEXT, SEVERAL, NULL},
    {"atom", "shared::cta.s64", L, NEXT, SEVERAL, NULL},
    {"atom", "shared::cta.u64", L, NEXT, SEVERAL, NULL},
    {"atom", NULL, L, NEXT, ONE, NULL},
    {"bar", "arrive", N, NEXT, ONE, ARRIVE},
    {"bar", "red", B, NEXT, SEVERAL, NULL},
    {"bar", "warp", N, NEXT, ONE, NULL},
    {"bar", NULL, B, NEXT, ONE, NULL},
    {"barrier", "cluster.arrive", N, NEXT, ONE, NULL},
    {"barrier", "cluster", N, NEXT, ONE, CLUSTER},
    {"barrier", "arrive", N, NEXT, ONE, ARRIVE},
    {"barrier", "red", B, NEXT, SEVERAL, NULL},
    {"barrier", NULL, B, NEXT, ONE, NULL},
    {"bfe", NULL, C, NEXT, SEVERAL, NULL},
    {"bfi", NULL, C, NEXT, SEVERAL, NULL},
    {"bfind", "s64", S, NEXT, SEVERAL, NULL},
    {"bfind", "u64", S, NEXT, SEVERAL, NULL},
    {"bfind", NULL, S, NEXT, ONE, NULL},
    {"bmsk", NULL, C, NEXT, ONE, NULL},
    {"bra", NULL, C, BRANCH, ONE, NULL},
    {"brev", "b64", S, NEXT, SEVERAL, NULL},
    {"brev", NULL, S, NEXT, ONE, NULL},
    {"brkpt", NULL, N, NEXT, ONE, NULL},
    {"brx", NULL, C, INDEXED_BRANCH, ONE, NULL},
    {"call", NULL, C, CALL, ONE, NULL},
    {"clusterlaunchcontrol", "query_cancel", C, NEXT, ONE, NULL},
    {"clusterlaunchcontrol", NULL, L, NEXT, ONE, NULL},
    {"clz", NULL, S, NEXT, SEVERAL, NULL},
    {"cnot", "b64", C, NEXT, SEVERAL, NULL},
    {"cnot", NULL, C, NEXT, ONE, NULL},
    {"copysign", "f64", C, NEXT, SEVERAL, NULL},
    {"copysign", NULL, C, NEXT, ONE, NULL},
    {"cos", NULL, S, NEXT, SEVERAL, NULL},
    {"cp", "wait_all", N, NEXT, ONE, ASYNCHRONOUS},
    {"cp", "wait_group", N, NEXT, ONE, ASYNCHRONOUS},
    {"cp", NULL, L, NEXT, ONE, NULL},
    {"createpolicy", NULL, C, NEXT, ONE, NULL},
    {"cvt", "f64", D, NEXT, ONE, NULL},
    {"cvt", "pack", C, NEXT, ONE, NULL},
    {"cvt", "f32.s32", C, NEXT, ONE, NULL},
    {"cvt", "f32.u32", C, NEXT, ONE, NULL},
    {"cvt", "F.I", S, NEXT, ONE, NULL},
    {"cvt", "I.F", S, NEXT, ONE, NULL},
    {"cvt", "rmi.F.F", S, NEXT, ONE, NULL},
    {"cvt", "rni.F.F", S, NEXT, ONE, NULL},
    {"cvt", "rpi.F.F", S, NEXT, ONE, NULL},
    {"cvt", "rzi.F.F", S, NEXT, ONE, NULL},
    {"cvt", "sat.I.I", S, NEXT, ONE, NULL},
    {"cvt", "s64.I", C, NEXT, SEVERAL, NULL},
    {"cvt", "u64.I", C, NEXT, SEVERAL, NULL},
    {"cvt", NULL, C, NEXT, ONE, NULL},
    {"cvta", NULL, C, NEXT, ONE, NULL},
    {"discard", NULL, L, NEXT, ONE, NULL},
    {"div", "f64", D, NEXT, SEVERAL, NULL},
    {"div", "f32", S, NEXT, SEVERAL, NULL},
    {"div", NULL, C, NEXT, SEVERAL, NULL},
    {"dp2a", NULL, C, NEXT, ONE, NULL},
    {"dp4a", NULL, C, NEXT, ONE, NULL},
    {"elect", NULL, C, NEXT, ONE, NULL},
    {"ex2", "bf16x2", S, NEXT, SEVERAL, NULL},
    {"ex2", "f16x2", S, NEXT, SEVERAL, NULL},
    {"ex2", "f16", S, NEXT, ONE, NULL},
    {"ex2", "ftz", S, NEXT, ONE, NULL},
    {"ex2", NULL, S, NEXT, SEVERAL, NULL},
    {"exit", NULL, C, EXIT, ONE, NULL},
    {"fabric", "wait", N, NEXT, ONE, ASYNCHRONOUS},
    {"fabric", NULL, L, NEXT, ONE, NULL},
    {"fence", NULL, N, NEXT, SEVERAL, FENCE},
    {"fma", "f64", D, NEXT, ONE, NULL},
    {"fma", NULL, C, NEXT, ONE, NULL},
    {"fns", NULL, C, NEXT, SEVERAL, NULL},
    {"getctarank", NULL, C, NEXT, ONE, NULL},
    {"griddepcontrol", "wait", N, NEXT, ONE, WB_NOT_DEPENDENT},
    {"griddepcontrol", NULL, N, NEXT, ONE, WB_NO_DEPENDENTS},
    {"isspacep", NULL, C, NEXT, SEVERAL, NULL},
    {"istypep", NULL, C, NEXT, ONE, NULL},
    {"ld", "acquire", L, NEXT, SEVERAL, NULL},
    {"ld", NULL, L, NEXT, ONE, NULL},
    {"ldmatrix", NULL, L, NEXT, ONE, NULL},
    {"ldu", NULL, L, NEXT, ONE, NULL},
    {"lg2", "ftz", S, NEXT, ONE, NULL},
    {"lg2", NULL, S, NEXT, SEVERAL, NULL},
    {"lop3", NULL, C, NEXT, ONE, NULL},
    {"mad", "f64", D, NEXT, ONE, NULL},
    {"mad", "F", C, NEXT, ONE, NULL},
    {"mad", "s64", C, NEXT, SEVERAL, NULL},
    {"mad", "u64", C, NEXT, SEVERAL, NULL},
    {"mad", "wide", C, NEXT, SEVERAL, NULL},
    {"mad", NULL, C, NEXT, SEVERAL_ON_MAXWELL, NULL},
    {"mad24", NULL, C, NEXT, SEVERAL, NULL},
    {"madc", "s64", C, NEXT, SEVERAL, NULL},
    {"madc", "u64", C, NEXT, SEVERAL, NULL},
    {"madc", NULL, C, NEXT, SEVERAL_ON_MAXWELL, NULL},
    {"mapa", NULL, C, NEXT, ONE, NULL},
    {"match", NULL, C, NEXT, ONE, NULL},
    {"max", "f64", D, NEXT, SEVERAL, NULL},
    {"max", "s64", C, NEXT, SEVERAL, NULL},
    {"max", "u64", C, NEXT, SEVERAL, NULL},
    {"max", NULL, C, NEXT, ONE, NULL},
    {"mbarrier", "try_wait", L, NEXT, ONE, BARRIER},
    {"mbarrier", NULL, L, NEXT, ONE, NULL},
    {"membar", NULL, N, NEXT, SEVERAL, FENCE},
    {"min", "f64", D, NEXT, SEVERAL, NULL},
    {"min", "s64", C, NEXT, SEVERAL, NULL},
    {"min", "u64", C, NEXT, SEVERAL, NULL},
    {"min", NULL, C, NEXT, ONE, NULL},
    {"mma", NULL, T, NEXT, SEVERAL, TENSOR},
    {"mov", NULL, C, NEXT, ONE, NULL},
    {"movmatrix", NULL, L, NEXT, ONE, NULL},
    {"mul", "f64", D, NEXT, ONE, NULL},
    {"mul", "F", C, NEXT, ONE, NULL},
    {"mul", "s64", C, NEXT, SEVERAL, NULL},
    {"mul", "u64", C, NEXT, SEVERAL, NULL},
    {"mul", "wide", C, NEXT, SEVERAL, NULL},
    {"mul", NULL, C, NEXT, SEVERAL_ON_MAXWELL, NULL},
    {"mul24", NULL, C, NEXT, SEVERAL, NULL},
    {"multimem", NULL, L, NEXT, ONE, NULL},
    {"nanosleep", NULL, N, NEXT, ONE, SLEEP},
    {"neg", "f64", D, NEXT, ONE, NULL},
    {"neg", "s64", C, NEXT, SEVERAL, NULL},
    {"neg", NULL, C, NEXT, ONE, NULL},
    {"not", "b64", C, NEXT, SEVERAL, NULL},
    {"not", NULL, C, NEXT, ONE, NULL},
    {"or", "b64", C, NEXT, SEVERAL, NULL},
    {"or", NULL, C, NEXT, ONE, NULL},
    {"pmevent", NULL, N, NEXT, ONE, NULL},
    {"popc", "b64", S, NEXT, SEVERAL, NULL},
    {"popc", NULL, S, NEXT, ONE, NULL},
    {"prefetch", NULL, L, NEXT, ONE, NULL},
    {"prefetchu", NULL, L, NEXT, ONE, NULL},
    {"prmt", "b4e", C, NEXT, SEVERAL, NULL},
    {"prmt", "ecl", C, NEXT, SEVERAL, NULL},
    {"prmt", "ecr", C, NEXT, SEVERAL, NULL},
    {"prmt", "f4e", C, NEXT, SEVERAL, NULL},
    {"prmt", "rc16", C, NEXT, SEVERAL, NULL},
    {"prmt", "rc8", C, NEXT, SEVERAL, NULL},
    {"prmt", NULL, C, NEXT, ONE, NULL},
    {"rcp", "approx.ftz.f64", S, NEXT, SEVERAL, NULL},
    {"rcp", "f64", D, NEXT, SEVERAL, NULL},
    {"rcp", "approx.ftz", S, NEXT, ONE, NULL},
    {"rcp", NULL, S, NEXT, SEVERAL, NULL},
    {"red", "acq_rel", L, NEXT, SEVERAL, NULL},
    {"red", "acquire", L, NEXT, SEVERAL, NULL},
    {"red", "release", L, NEXT, SEVERAL, NULL},
    {"red", "b16", L, NEXT, SEVERAL, NULL},
    {"red", "noftz", L, NEXT, SEVERAL, NULL},
    {"red", "shared.F", L, NEXT, SEVERAL, NULL},
    {"red", "shared::cta.F", L, NEXT, SEVERAL, NULL},
    {"red", "shared.s64", L, NEXT, SEVERAL, NULL},
    {"red", "shared.u64", L, NEXT, SEVERAL, NULL},
    {"red", "shared::cta.s64", L, NEXT, SEVERAL, NULL},
    {"red", "shared::cta.u64", L, NEXT, SEVERAL, NULL},
    {"red", NULL, L, NEXT, ONE, NULL},
    {"redux", NULL, C, NEXT, ONE, NULL},
    {"rem", NULL, C, NEXT, SEVERAL, NULL},
    {"ret", NULL, C, RETURN, ONE, NULL},
    {"rsqrt", "f64", S, NEXT, SEVERAL, NULL},
    {"rsqrt", "approx.ftz", S, NEXT, ONE, NULL},
    {"rsqrt", NULL, S, NEXT, SEVERAL, NULL},
    {"sad", "s64", C, NEXT, SEVERAL, NULL},
    {"sad", "u64", C, NEXT, SEVERAL, NULL},
    {"sad", NULL, C, NEXT, ONE, NULL},
    {"selp", "b64", C, NEXT, SEVERAL, NULL},
    {"selp", "f64", C, NEXT, SEVERAL, NULL},
    {"selp", "s64", C, NEXT, SEVERAL, NULL},
    {"selp", "u64", C, NEXT, SEVERAL, NULL},
    {"selp", NULL, C, NEXT, ONE, NULL},
    {"set", "f64", D, NEXT, ONE, NULL},
    {"set", "b64", C, NEXT, SEVERAL, NULL},
    {"set", "s64", C, NEXT, SEVERAL, NULL},
    {"set", "u64", C, NEXT, SEVERAL, NULL},
    {"set", NULL, C, NEXT, ONE, NULL},
    {"setmaxnreg", NULL, N, NEXT, ONE, RESOURCE},
    {"setp", "f64", D, NEXT, ONE, NULL},
    {"setp", "b64", C, NEXT, SEVERAL, NULL},
    {"setp", "s64", C, NEXT, SEVERAL, NULL},
    {"setp", "u64", C, NEXT, SEVERAL, NULL},
    {"setp", NULL, C, NEXT, ONE, NULL},
    {"shf", NULL, C, NEXT, ONE, NULL},
    {"shfl", NULL, L, NEXT, ONE, NULL},
    {"shl", "b64", C, NEXT, SEVERAL, NULL},
    {"shl", NULL, C, NEXT, ONE, NULL},
    {"shr", "b64", C, NEXT, SEVERAL, NULL},
    {"shr", "s64", C, NEXT, SEVERAL, NULL},
    {"shr", "u64", C, NEXT, SEVERAL, NULL},
    {"shr", NULL, C, NEXT, ONE, NULL},
    {"sin", NULL, S, NEXT, SEVERAL, NULL},
    {"slct", "b64", C, NEXT, SEVERAL, NULL},
    {"slct", "f64", C, NEXT, SEVERAL, NULL},
    {"slct", "s64", C, NEXT, SEVERAL, NULL},
    {"slct", "u64", C, NEXT, SEVERAL, NULL},
    {"slct", NULL, C, NEXT, ONE, NULL},
    {"spcompress", NULL, C, NEXT, ONE, UNPUBLISHED},
    {"spdecompress", NULL, C, NEXT, ONE, UNPUBLISHED},
    {"sqrt", "f64", D, NEXT, SEVERAL, NULL},
    {"sqrt", NULL, S, NEXT, SEVERAL, NULL},
    {"st", "release", L, NEXT, SEVERAL, NULL},
    {"st", NULL, L, NEXT, ONE, NULL},
    {"stackrestore", NULL, C, NEXT, ONE, NULL},
    {"stacksave", NULL, C, NEXT, ONE, NULL},
    {"stmatrix", NULL, L, NEXT, ONE, NULL},
    {"sub", "f64", D, NEXT, ONE, NULL},
    {"sub", "s64", C, NEXT, SEVERAL, NULL},
    {"sub", "u64", C, NEXT, SEVERAL, NULL},
    {"sub", NULL, C, NEXT, ONE, NULL},
    {"subc", "s64", C, NEXT, SEVERAL, NULL},
    {"subc", "u64", C, NEXT, SEVERAL, NULL},
    {"subc", NULL, C, NEXT, ONE, NULL},
    {"suld", NULL, L, NEXT, ONE, NULL},
    {"suq", NULL, L, NEXT, ONE, NULL},
    {"sured", NULL, L, NEXT, ONE, NULL},
    {"sust", NULL, L, NEXT, ONE, NULL},
    {"szext", NULL, C, NEXT, ONE, NULL},
    {"tanh", "bf16x2", S, NEXT, SEVERAL, NULL},
    {"tanh", "f16x2", S, NEXT, SEVERAL, NULL},
    {"tanh", NULL, S, NEXT, ONE, NULL},
    {"tcgen05", "ld", L, NEXT, ONE, TENSOR_MEMORY},
    {"tcgen05", "st", L, NEXT, ONE, TENSOR_MEMORY},
    {"tcgen05", "cp", T, NEXT, ONE, GROUP},
    {"tcgen05", "wait::ld", N, NEXT, ONE, ASYNCHRONOUS},
    {"tcgen05", "wait::st", N, NEXT, ONE, ASYNCHRONOUS},
    {"tcgen05", "fence::before_thread_sync", N, NEXT, ONE, NULL},
    {"tcgen05", "fence::after_thread_sync", N, NEXT, ONE, NULL},
    {"tcgen05", "commit", T, NEXT, ONE, GROUP},
    {"tcgen05", "alloc", N, NEXT, ONE, RESOURCE},
    {"tcgen05", "dealloc", N, NEXT, ONE, NULL},
    {"tcgen05", "relinquish_alloc_permit", N, NEXT, ONE, NULL},
    {"tcgen05", NULL, T, NEXT, ONE, GROUP},
    {"tensormap", NULL, L, NEXT, ONE, NULL},
    {"testp", "f64", D, NEXT, ONE, NULL},
    {"testp", NULL, C, NEXT, ONE, NULL},
    {"tex", NULL, L, NEXT, SEVERAL, NULL},
    {"tld4", NULL, L, NEXT, SEVERAL, NULL},
    {"trap", NULL, N, EXIT, ONE, NULL},
    {"txq", NULL, L, NEXT, ONE, NULL},
    {"vabsdiff", NULL, C, NEXT, SEVERAL, NULL},
    {"vabsdiff2", NULL, C, NEXT, SEVERAL, NULL},
    {"vabsdiff4", NULL, C, NEXT, SEVERAL, NULL},
    {"vadd", NULL, C, NEXT, SEVERAL, NULL},
    {"vadd2", NULL, C, NEXT, SEVERAL, NULL},
    {"vadd4", NULL, C, NEXT, SEVERAL, NULL},
    {"vavrg2", NULL, C, NEXT, SEVERAL, NULL},
    {"vavrg4", NULL, C, NEXT, SEVERAL, NULL},
    {"vmad", NULL, C, NEXT, SEVERAL, NULL},
    {"vmax", NULL, C, NEXT, SEVERAL, NULL},
    {"vmax2", NULL, C, NEXT, SEVERAL, NULL},
    {"vmax4", NULL, C, NEXT, SEVERAL, NULL},
    {"vmin", NULL, C, NEXT, SEVERAL, NULL},
    {"vmin2", NULL, C, NEXT, SEVERAL, NULL},
    {"vmin4", NULL, C, NEXT, SEVERAL, NULL},
    {"vote", NULL, C, NEXT, ONE, NULL},
    {"vset", NULL, C, NEXT, SEVERAL, NULL},
    {"vset2", NULL, C, NEXT, SEVERAL, NULL},
    {"vset4", NULL, C, NEXT, SEVERAL, NULL},
    {"vshl", NULL, C, NEXT, SEVERAL, NULL},
    {"vshr", NULL, C, NEXT, SEVERAL, NULL},
    {"vsub", NULL, C, NEXT, SEVERAL, NULL},
    {"vsub2", NULL, C, NEXT, SEVERAL, NULL},
    {"vsub4", NULL, C, NEXT, SEVERAL, NULL},
    {"wgmma", "fence", N, NEXT, ONE, ASYNCHRONOUS},
    {"wgmma", "commit_group", N, NEXT, ONE, NULL},
    {"wgmma", "wait_group", N, NEXT, ONE, ASYNCHRONOUS},
    {"wgmma", NULL, T, NEXT, ONE, GROUP},
    {"wmma", "mma", T, NEXT, SEVERAL, TENSOR},
    {"wmma", NULL, L, NEXT, SEVERAL, NULL},
    {"xor", "b64", C, NEXT, SEVERAL, NULL},
    {"xor", NULL, C, NEXT, ONE, NULL},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static const char *opcode_of(size_t row)
{
  return rows[row].opcode;
}

/* The length of the word that begins at text: up to a dot or the end. */
static size_t word_length(const char *text, const char *end)
{
  const char *dot = text < end ? memchr(text, '.', (size_t)(end - text)) : NULL;
  return (size_t)((dot != NULL ? dot : end) - text);
}

/* Whether a word of an opcode is the word of a row: itself, or of the class that it names. */
static bool is_word(const char *word, size_t size, const char *wanted, size_t wanted_size)
{
  if (wanted_size == 1 && (*wanted == 'I' || *wanted == 'F')) {
    size_t prefix = *wanted == 'F' && size > 1 && *word == 'b' ? 1 : 0;
    bool letter = *wanted == 'I' ? *word == 's' || *word == 'u' : word[prefix] == 'f';
    return size > prefix + 1 && letter && word[prefix + 1] >= '0' && word[prefix + 1] <= '9';
  }
  return size == wanted_size && memcmp(word, wanted, size) == 0;
}

/* Whether the row's words are among those after the first, in this order. */
static bool has_modifiers(const char *opcode, size_t length, const char *modifiers)
{
  const char *end = opcode + length;
  const char *word = opcode + word_length(opcode, end);
  const char *wanted_end = modifiers + strlen(modifiers);
  while (word < end) {
    word++; /* the dot */
    size_t size = word_length(word, end);
    size_t wanted_size = word_length(modifiers, wanted_end);
    if (is_word(word, size, modifiers, wanted_size)) {
      modifiers += wanted_size;
      if (modifiers == wanted_end)
        return true;
      modifiers++;
    }
    word += size;
  }
  return false;
}

const struct wb_ptx_opcode *wb_ptx_opcode_find(const char *opcode, size_t length)
{
  size_t word = word_length(opcode, opcode + length);
  for (size_t r = wb_opcode_lower_bound(opcode_of, ROW_COUNT, opcode, word); r < ROW_COUNT; r++) {
    if (wb_opcode_compare(opcode, word, rows[r].opcode) != 0)
      break;
    if (rows[r].modifiers == NULL || has_modifiers(opcode, length, rows[r].modifiers))
      return &rows[r];
  }
  return NULL;
}

const struct wb_ptx_opcode *wb_ptx_opcode_rows(size_t *count)
{
  *count = ROW_COUNT;
  return rows;
}
