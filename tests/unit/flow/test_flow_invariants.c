/* The checks of invariants of abstract values, path graphs and flow systems: they accept what their
 * makers give, and refuse broken ones. */
#include "flow/paths/path_graph.h"
#include "model/flow_system.h"
#include "unit.h"
#include "values/interval/integer_state.h"

TEST(integers)
{
  const struct wb_integer left = wb_integer_range(-4, 100);
  const struct wb_integer shifted = wb_integer_shift_left(&left, 3);
  const struct wb_integer base = wb_integer_of_register(7);
  const struct wb_integer sum = wb_integer_add(&base, &shifted);
  assert_true(wb_integer_is_valid(&shifted));
  assert_true(wb_integer_is_valid(&sum));
  /* A register that is shifted twice, the second time by more than all its places. */
  const struct wb_integer byte = wb_integer_shift_right(&base, 24, false);
  const struct wb_integer nothing = wb_integer_shift_right(&byte, UINT32_MAX - 4, false);
  assert_true(wb_integer_is_exact(&nothing));
  struct wb_integer broken = shifted;
  broken.width++; /* no multiple of the stride */
  assert_false(wb_integer_is_valid(&broken));
  broken = wb_integer_top();
  assert_true(wb_integer_is_valid(&broken));
  broken.base = 7; /* any number, with a base */
  assert_false(wb_integer_is_valid(&broken));
  broken = wb_integer_exactly(3);
  broken.shift = 1; /* shifts no base */
  assert_false(wb_integer_is_valid(&broken));
}

TEST(pairs)
{
  const struct wb_wide value = {
      .width = 9, .base_low = WB_NO_REGISTER, .base_high = WB_NO_REGISTER};
  struct wb_pairs list = {0};
  wb_pairs_set(&list, 2, 3, &value);
  wb_pairs_set(&list, 4, 5, &value);
  assert_true(wb_pairs_are_valid(&list));
  list.rows[1].low = 2;
  list.rows[1].high = 3; /* the same pair twice */
  assert_false(wb_pairs_are_valid(&list));
  list.rows[1].high = 2; /* one register as both words */
  assert_false(wb_pairs_are_valid(&list));
}

TEST(states)
{
  static struct wb_integer_state values;
  const struct wb_comparisons none = {0};
  wb_integer_state_identity(&values);
  assert_true(wb_integer_state_is_valid(&values, &none));
  values.predicates[2].when_true = 1; /* no such comparison */
  assert_false(wb_integer_state_is_valid(&values, &none));
  wb_integer_state_top(&values);
  assert_true(wb_integer_state_is_valid(&values, &none));
  values.registers[9] = wb_integer_of_register(WB_VALUE_COUNT); /* no general register */
  assert_false(wb_integer_state_is_valid(&values, &none));
}

TEST(path_graphs)
{
  const struct wb_function function = {.instruction_count = 5};
  struct wb_path_block blocks[] = {{0, 2}, {2, 3}};
  struct wb_path_edge edges[] = {{0, 1, UINT32_MAX, WB_PATH_ON, false},
                                 {1, 2, UINT32_MAX, WB_PATH_EXIT, false}};
  const struct wb_path_graph graph = {
      .function = &function, .blocks = blocks, .block_count = 2, .edges = edges, .edge_count = 2};
  assert_true(wb_path_graph_is_valid(&graph));
  blocks[1].count = 2; /* an instruction in no block */
  assert_false(wb_path_graph_is_valid(&graph));
  blocks[1].count = 3;
  edges[1].kind = WB_PATH_ON; /* to a block that does not exist */
  assert_false(wb_path_graph_is_valid(&graph));
  edges[1].kind = WB_PATH_EXIT;
  edges[0].from = 1;
  edges[1].from = 0; /* out of order */
  assert_false(wb_path_graph_is_valid(&graph));
}

TEST(flow_systems)
{
  FREED_BY(wb_flow_system_free) struct wb_flow_system system;
  assert_ok(wb_flow_system_make(&system, 2, 2, 2, NULL));
  system.to[0] = 1;
  system.from[1] = 1;
  wb_flow_system_walk(&system, 0);
  assert_true(wb_flow_system_is_walk(&system));
  system.ends[1] = true;
  wb_flow_limit_add(&system, 4, 0);
  assert_true(wb_flow_term_add(&system, 0, 1));
  assert_true(wb_flow_term_add(&system, 1, -3));
  assert_true(wb_flow_system_is_valid(&system));
  system.terms[1].edge = 0; /* two terms of one edge */
  assert_false(wb_flow_system_is_valid(&system));
  system.terms[1].edge = 2; /* no such edge */
  assert_false(wb_flow_system_is_valid(&system));
  system.terms[1].edge = 1;
  system.to[1] = 2; /* no such node */
  assert_false(wb_flow_system_is_valid(&system));
  system.to[1] = 0;
  system.cycles[0] = -1;
  assert_false(wb_flow_system_is_valid(&system));
  system.cycles[0] = 0;
  system.starts[0].node = 2;
  assert_false(wb_flow_system_is_valid(&system));
  system.starts[0].node = 0;
  system.port[1] = 0; /* a port of another node */
  assert_false(wb_flow_system_is_valid(&system));
  system.port[1] = WB_FLOW_NO_PORT;
  assert_true(wb_flow_system_is_valid(&system));
  assert_false(wb_flow_system_is_walk(&system));
  system.port_node[0] = 1;
  system.port_node[1] = 0; /* not by node */
  assert_false(wb_flow_system_is_valid(&system));
}
