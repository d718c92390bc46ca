/* States as numbers: no two share one, none takes more bytes than it must, and a state comes back
 * as it was. And the layers that keep them: which are there, and whose children they are. */
#include "base/random.h"
#include "makespan/exact/layered_states.h"
#include "unit.h"

#define MOST_LENGTH 700

static struct wb_state_code start(size_t length, uint32_t warps)
{
  struct wb_state_code code;
  assert_true(wb_state_code_start(&code, length, warps));
  return code;
}

/* Writes the code into a buffer of just its size, so that a sanitizer sees what is beyond. */
static uint8_t *pack(const struct wb_state_code *code, const uint8_t *warps)
{
  uint8_t *bytes = malloc(code->bytes);
  assert_non_null(bytes);
  wb_state_code_pack(code, warps, bytes);
  return bytes;
}

static void check_round_trip(const struct wb_state_code *code, const uint8_t *warps)
{
  uint8_t *bytes = pack(code, warps);
  uint8_t *back = malloc(code->length);
  const uint64_t **terms = malloc(code->length * sizeof *terms);
  assert_true(back != NULL && terms != NULL);
  wb_state_code_unpack(code, bytes, back, terms);
  assert_memory_equal(back, warps, code->length);
  size_t p = 0;
  for (size_t segment = 0; segment < code->segment_count; segment++) {
    uint64_t number = 0;
    for (size_t k = 0; k < code->segment && p < code->length; k++)
      number += *terms[p++];
    assert_int_equal(number, wb_state_code_load(code, bytes, segment));
  }
  free(bytes);
  free(back);
  free(terms);
}

/* The next state in order of warps[0], warps[1], ..; false after the last. */
static bool next_state(uint8_t *warps, size_t length, uint32_t most)
{
  uint32_t standing = 0;
  for (size_t p = 0; p < length; p++)
    standing += warps[p];
  for (size_t p = 0; p < length; p++) {
    if (standing < most) {
      warps[p]++;
      return true;
    }
    standing -= warps[p];
    warps[p] = 0;
  }
  return false;
}

/* The codes of one segment are 0, 1, .. C(W + I, I) - 1, each once. */
TEST(numbers_have_no_gap)
{
  for (size_t length = 1; length <= 6; length++) {
    for (uint32_t warps = 0; warps <= 6; warps++) {
      FREED_BY(wb_state_code_free) struct wb_state_code code = start(length, warps);
      bool met[1000] = {false};
      uint8_t counts[8] = {0};
      uint64_t states = 0, largest = 0;
      assert_int_equal(code.segment_count, 1);
      do {
        uint8_t *bytes = pack(&code, counts);
        uint64_t number = wb_state_code_load(&code, bytes, 0);
        assert_true(number < 1000 && !met[number]);
        met[number] = true;
        largest = number > largest ? number : largest;
        states++;
        free(bytes);
        check_round_trip(&code, counts);
      } while (next_state(counts, length, warps));
      assert_int_equal(largest, states - 1);
      assert_int_equal(code.bytes, largest < 256 ? 1 : 2);
    }
  }
}

/* Any number of warps, and lengths of one segment and of many. */
TEST(states_come_back)
{
  const char *text = getenv("WARPBOUND_SEED");
  struct wb_random random = {text != NULL ? strtoull(text, NULL, 0) : 1};
  print_message("# seed %llu\n", (unsigned long long)random.state);
  size_t most_segments = 0;
  for (unsigned trial = 0; trial < 2000; trial++) {
    uint8_t counts[MOST_LENGTH] = {0};
    size_t length = 1 + wb_random_below(&random, trial % 4 == 0 ? MOST_LENGTH : 40);
    uint32_t warps = (uint32_t)wb_random_below(&random, trial % 3 == 0 ? 256 : 33);
    FREED_BY(wb_state_code_free) struct wb_state_code code = start(length, warps);
    size_t stretch = 1 + wb_random_below(&random, length);
    for (uint32_t w = (uint32_t)wb_random_below(&random, warps + 1); w < warps; w++)
      counts[wb_random_below(&random, stretch)]++;
    check_round_trip(&code, counts);
    memset(counts, 0, sizeof counts);
    check_round_trip(&code, counts);
    counts[0] = (uint8_t)warps; /* the largest numbers */
    check_round_trip(&code, counts);
    most_segments = code.segment_count > most_segments ? code.segment_count : most_segments;
    assert_true(code.bytes <= length + 1);
  }
  assert_true(most_segments > 10);
}

/* log2 C(W + I, I) is 36.6, 45.8, 20.9 and 109.7; in the last case a number is not enough. */
TEST(codes_are_short)
{
  const struct {
    size_t length;
    uint32_t warps;
    size_t bytes;
  } cases[] = {{25, 16, 5}, {25, 24, 6}, {2000, 2, 3}, {25, 200, 17}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    FREED_BY(wb_state_code_free) struct wb_state_code code = start(cases[i].length, cases[i].warps);
    assert_int_equal(code.bytes, cases[i].bytes);
  }
}

/* With a warp fewer at position p or before it, the term is the one that unpack says. */
TEST(an_issue_changes_one_term)
{
  struct wb_random random = {7};
  for (unsigned trial = 0; trial < 300; trial++) {
    uint8_t counts[60] = {0}, back[60];
    const uint64_t *terms[60];
    FREED_BY(wb_state_code_free) struct wb_state_code code = start(60, 40);
    assert_true(code.segment_count > 1);
    for (unsigned w = 0; w < 40; w++)
      counts[wb_random_below(&random, 60)]++;
    size_t p = wb_random_below(&random, 60);
    uint32_t issues = (uint32_t)wb_random_below(&random, counts[p] + 1U);
    uint8_t *bytes = pack(&code, counts);
    wb_state_code_unpack(&code, bytes, back, terms);
    uint64_t number = wb_state_code_load(&code, bytes, p / code.segment);
    wb_state_code_store(&code, bytes, p / code.segment, number - *terms[p] + *(terms[p] - issues));
    wb_state_code_unpack(&code, bytes, back, NULL);
    counts[p] = (uint8_t)(counts[p] - issues);
    if (p + 1 < 60)
      counts[p + 1] = (uint8_t)(counts[p + 1] + issues);
    assert_memory_equal(back, counts, 60);
    free(bytes);
  }
}

#define LAYERS 7
#define PARENTS_MOST 4000

static void put(struct wb_layered_states *states, uint32_t name, uint32_t parent)
{
  const uint8_t code[3] = {(uint8_t)name, (uint8_t)(name >> 8), (uint8_t)(name >> 16)};
  /* few hashes, so that different states share one */
  const struct wb_layered_note note = {name % 97 * UINT64_C(0x9e3779b97f4a7c15), name, parent};
  assert_true(wb_layered_add(states, code, &note));
}

static bool is_odd(const void *context, const struct wb_layered_note *note)
{
  (void)context;
  return note->value % 2 == 1;
}

static uint32_t name_at(const struct wb_layered_states *states, size_t index)
{
  const uint8_t *code = wb_layered_code(states, index);
  return code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16;
}

/* Layers of random sizes; parents with none, one or many children; every state put twice; one
 * layer cut down. Parents are asked for while their layer is the last, and later. */
TEST(layers_keep_states_and_parents)
{
  struct wb_random random = {3};
  FREED_BY(wb_layered_states_free)
  struct wb_layered_states states = {.bytes = 3, .memory = UINT64_MAX};
  static uint32_t parents[LAYERS][PARENTS_MOST];
  size_t sizes[LAYERS] = {1};
  assert_true(wb_layered_begin(&states));
  put(&states, 1, 0);
  for (size_t layer = 1; layer < LAYERS; layer++) {
    uint32_t parent = 0;
    size_t before = sizes[layer - 1];
    assert_true(wb_layered_begin(&states));
    size_t most = 2 + wb_random_below(&random, PARENTS_MOST - 2);
    for (uint32_t name = 0; name < most; name++) {
      if (wb_random_below(&random, 3) == 0 && parent + 1 < before)
        parent += 1 + (uint32_t)wb_random_below(&random, before - parent - 1);
      put(&states, name, parent);
      put(&states, (uint32_t)wb_random_below(&random, name + 1), parent);
      if (layer != 3)
        parents[layer][sizes[layer]++] = parent;
      else if (name % 2 == 1)
        parents[layer][sizes[layer]++] = parent;
    }
    if (layer == 3)
      wb_layered_keep(&states, is_odd, NULL);
    assert_int_equal(states.count - wb_layered_base(&states), sizes[layer]);
    for (size_t of = 1; of <= layer; of++) {
      for (size_t i = 0; i < sizes[of]; i += 1 + i / 4) {
        size_t index = states.layers[of].first + i;
        assert_int_equal(wb_layered_parent(&states, of, index),
                         states.layers[of - 1].first + parents[of][i]);
        assert_int_equal(name_at(&states, index), of == 3 ? 2 * i + 1 : i);
      }
    }
  }
}

/* Memory that ends: no more is held than allowed, but for the last array that grew. */
TEST(layers_end_with_memory)
{
  for (uint64_t memory = 1; memory < UINT64_C(1) << 22; memory = 3 * memory + 1) {
    FREED_BY(wb_layered_states_free)
    struct wb_layered_states states = {.bytes = 40, .memory = memory};
    uint8_t code[40] = {0};
    size_t count = 0;
    assert_true(wb_layered_begin(&states));
    bool added = true;
    for (; added; count++) {
      memcpy(code, &count, sizeof count);
      const struct wb_layered_note note = {.hash = count};
      added = wb_layered_add(&states, code, &note);
    }
    assert_int_equal(states.count, count - 1);
    assert_true(states.count * (40 + sizeof(struct wb_layered_note)) <= memory);
    assert_true(memory < UINT64_C(1) << 17 || states.count * 160 > memory);
  }
}
