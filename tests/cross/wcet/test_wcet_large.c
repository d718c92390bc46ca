/* WCETs where numbers are large: every program that has a bound with small loop bounds has one with
 * any, with a proof, or none below 2^60 cycles; and many calling contexts.
 *   WARPBOUND_CROSS_RUNS  200 times the programs (20000)
 *   WARPBOUND_SEED        seed of the first program */
#include "analysis/wcet/wcet.h"
#include "base/checked.h"
#include "base/text.h"
#include "base/work_control.h"
#include "certificate/flow/flow_check.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"
#include "random_simt_program.h"
#include "unit.h"

#include <inttypes.h>
#include <math.h>

#define DEFAULT_RUNS 20000
#define DEFAULT_SEED 20261122
#define LANES 32
/* Nests from here on may well be too long, for all that lanes may be woken for. Below, only rows in
 * which ways to wake lanes and loops bring each other about leave a program without a bound. */
#define LARGE_BITS 40

struct tally {
  uint64_t analysed, coarse, too_long, met, left_out;
  uint64_t small; /* of those that are too long, by the nest below 2^LARGE_BITS */
};

static uint32_t header_address(const struct wb_wcet *wcet, size_t loop)
{
  const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[loop].header];
  return wcet->function->instructions[header->first].address;
}

/* A fact on the loop, or loops, at each address. */
static double write_facts(const struct wb_wcet *wcet, struct wb_random *random,
                          struct wb_text *text)
{
  uint64_t *bounds = calloc(wcet->forest.loop_count + 1, sizeof *bounds);
  assert_non_null(bounds);
  wb_text_format(text, "kernel \"%s\"\nchecksum 0x%016" PRIx64 "\n", wcet->function->name,
                 wb_function_checksum(wcet->function));
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    /* The first loop at the address of this one: a loop of a subroutine is one in each context. */
    size_t first = 0;
    while (header_address(wcet, first) != header_address(wcet, l))
      first++;

    if (first < l) {
      bounds[l] = bounds[first];
      continue;
    }
    const bool warp = wb_random_below(random, 2) == 0;
    /* A bound of any size: as many bits as chance has it. */
    const uint64_t most = UINT64_C(1) << wb_random_below(random, 41);
    bounds[l] = 1 + wb_random_below(random, most);
    wb_text_format(text, "loop 0x%" PRIx32 " bound %" PRIu64 "%s\n", header_address(wcet, l),
                   bounds[l], warp ? " per warp" : "");
  }
  /* By powers of two, what the nest of loops alone could make of these bounds of threads: all
   * instructions, in each iteration, by each lane. */
  double most = 0;
  double cycles = 1;
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    double bits = 0;
    for (uint32_t at = (uint32_t)l; at != UINT32_MAX; at = wcet->forest.loops[at].parent)
      bits += log2((double)bounds[at] + 1);
    most = fmax(most, bits);
  }
  for (size_t b = 0; b < wcet->graph->block_count; b++)
    cycles += (double)wcet->block_cycles[b];
  const double bits = most + log2(cycles * LANES);
  free(bounds);
  return bits;
}

/* bits: what nest_bits says of the facts. */
static warpbound_status analyse(const struct wb_code *code, struct wb_random *random,
                                struct wb_wcet *wcet, double *bits, warpbound_error *error)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_text text = {0};
  struct wb_flow_facts facts = {0};
  struct wb_wcet_options options = {.default_bound = 2, .no_found_bounds = true};
  warpbound_status status =
      wb_wcet_analyse(code, &code->functions[0], &options, &control, wcet, error);
  if (status != WARPBOUND_OK)
    return status;
  *bits = write_facts(wcet, random, &text);
  wb_wcet_free(wcet);
  assert_false(text.failed);
  assert_ok(wb_flow_facts_parse("facts", text.data, text.length, &facts, error));
  options.default_bound = UINT64_MAX;
  options.facts = &facts;
  status = wb_wcet_analyse(code, &code->functions[0], &options, &control, wcet, error);
  wb_flow_facts_free(&facts);
  wb_text_free(&text);
  return status;
}

/* Programs that have no bound with small loop bounds are left out. */
static void try_program(const struct random_program *program, struct wb_random *random,
                        struct tally *tally)
{
  FREED_BY(wb_code_free) struct wb_code code = {0};
  struct wb_wcet wcet;
  warpbound_error error = {.message = ""};
  double bits = 0;
  simt_program_lower(program, &code);
  const warpbound_status status = analyse(&code, random, &wcet, &bits, &error);
  if (status == WARPBOUND_OK) {
    int64_t bound;
    const struct wb_ipet_proof *proof = &wcet.ipet.proof;
    assert_non_null(proof->price);
    assert_ok(wb_check_flow_bound(&wcet.system, proof->price, proof->potential, proof->scale,
                                  &bound, NULL));
    assert_int_equal(bound, proof->bound);
    tally->analysed++;
    tally->coarse += proof->coarse;
    tally->met += wcet.ipet.taken != NULL && wcet.ipet.cycles == bound;
    wb_wcet_free(&wcet);
  } else if (bits == 0) {
    tally->left_out++;
  } else if (strstr(error.message, "no bound below 2^60") != NULL) {
    tally->too_long++;
    tally->small += bits < LARGE_BITS;
  } else {
    struct wb_text text = {0};
    simt_program_print(program, SIMT_NVDISASM, &text);
    fail_msg("%s\n%s", error.message, text.failed ? "" : text.data);
  }
}

TEST(large_bounds)
{
  /* Fewer than ten may all be left out, or be too long. */
  const uint64_t count =
      wb_maximum(number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 200, 10);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct tally tally = {0};
  for (uint64_t i = 0; i < count; i++) {
    struct wb_random random = {first + i};
    const size_t length = 4 + (size_t)wb_random_below(&random, 80);
    struct random_program program = simt_program_random(&random, length, i % 3 == 0);
    try_program(&program, &random, &tally);
    program_free(&program);
  }
  print_message("# %" PRIu64 " programs from seed %" PRIu64 ": %" PRIu64 " bounded, %" PRIu64
                " of them coarse, %" PRIu64 " met; %" PRIu64 " too long, %" PRIu64
                " of them by the nest below 2^40; %" PRIu64 " left out\n",
                count, first, tally.analysed, tally.coarse, tally.met, tally.too_long, tally.small,
                tally.left_out);
  assert_true(tally.analysed > tally.too_long);
  assert_true(tally.small * 50 <= tally.analysed);
}

/* Calls that the kernel makes, and that the function makes which it calls. */
#define CALLS 30
#define ROUNDS 100000

static unsigned address_of(unsigned index)
{
  return 8 * (index + index / 3 + 1);
}

static void add_line(struct wb_text *text, unsigned *index, const char *instruction, int target)
{
  wb_text_format(text, "        /*%04x*/  %s", address_of((*index)++), instruction);
  if (target >= 0)
    wb_text_format(text, " 0x%x", address_of((unsigned)target));
  wb_text_string(text, " ;\n");
}

/* The kernel calls a function over and over, that one another, and that one has a loop which all
 * lanes leave together. */
static void write_calls(struct wb_text *text)
{
  const int middle = CALLS + 1;
  const int inner = middle + CALLS + 1;
  unsigned index = 0;
  wb_text_string(text, "\tcode for sm_52\n\t\tFunction : calls\n");
  for (unsigned c = 0; c < CALLS; c++)
    add_line(text, &index, "CAL", middle);
  add_line(text, &index, "EXIT", -1);
  for (unsigned c = 0; c < CALLS; c++)
    add_line(text, &index, "CAL", inner);
  add_line(text, &index, "RET", -1);
  add_line(text, &index, "MOV R4, c[0x0][0x140]", -1);
  add_line(text, &index, "ISETP.NE.AND P0, PT, R4, RZ, PT", -1);
  add_line(text, &index, "@P0 BRA", inner);
  add_line(text, &index, "RET", -1);
}

TEST(many_contexts)
{
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_code_free) struct wb_code code = {0};
  FREED_BY(wb_wcet_free) struct wb_wcet wcet = {0};
  warpbound_error error = {.message = ""};
  const struct wb_wcet_options options = {.default_bound = ROUNDS};
  write_calls(&text);
  assert_false(text.failed);
  warpbound_status status = wb_sass_parse("calls", text.data, text.length, NULL, &code, &error);
  if (status == WARPBOUND_OK)
    status = wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, &error);
  if (status == WARPBOUND_OK) {
    const int64_t inner = 3 * (ROUNDS + 1) + 1;
    const int64_t middle = CALLS * (1 + inner) + 1;
    assert_int_equal(wcet.graph->context_count, 1 + CALLS + CALLS * CALLS);
    assert_int_equal(wcet.ipet.proof.bound, CALLS * (1 + middle) + 1);
    assert_int_equal(wcet.ipet.cycles, wcet.ipet.proof.bound);
    assert_false(wcet.ipet.proof.coarse);
  } else
    fail_msg("%s", error.message);
}
