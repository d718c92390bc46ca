#include "flow/retries/retry_loops.h"

#include "base/memory.h"
#include "flow/retries/entry_sums.h"
#include "isa/opcode.h"
#include "values/interval/integer_state.h"
#include "values/symbols/symbol_domain.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Blocks of a loop that is looked at. */
#define MOST_BLOCKS 64

/* Loads of one turn that are looked at. */
#define MOST_LOADS 16

/* An access to memory: where, and what it gives. */
struct access {
  uint32_t block;
  const struct wb_operand *operand; /* its address */
  struct wb_symbol address[4];      /* the registers of that */
  struct wb_symbol words[2];        /* of a load: what it gives; of the swap: what it compares */
};

/* One turn of a loop, from its header on. */
struct turn {
  const struct wb_thread_flow *flow;
  const struct wb_loop_forest *forest;
  uint32_t loop;
  uint32_t blocks[MOST_BLOCKS]; /* in order */
  size_t block_count;
  const struct wb_operand
      *operands; /* of the swap: its address, the words compared, the new ones */
  struct wb_retry_loop *retry;
  bool succeeds; /* the swap is supposed to */
  struct wb_symbol_walk walk;
  struct wb_symbol_state *states; /* by index in `blocks` */
  bool reached[MOST_BLOCKS];
  bool goes_back;             /* some thread takes a back edge */
  struct wb_symbol_state end; /* there */
  struct access swap, loads[MOST_LOADS];
  size_t load_count;
};

bool wb_writes_shared_memory(const struct wb_function *function, uint32_t instruction)
{
  const struct wb_access_kind *kind =
      wb_access_kind_of((enum wb_opcode)function->instructions[instruction].number);
  switch ((enum wb_access_action)kind->action) {
  case WB_ACTION_STORE:
  case WB_ACTION_COPY:
  case WB_ACTION_UPDATE:
  case WB_ACTION_ATOMIC:
  case WB_ACTION_STORE_MATRIX:
  case WB_ACTION_BULK:
    return kind->space != WB_SPACE_LOCAL && !function->instructions[instruction].never;
  default:
    return false;
  }
}

/* ---- the swap ---- */

static bool is_swap(const struct wb_instruction *instruction)
{
  return wb_instruction_has(instruction, WB_MODIFIER_CAS) ||
         wb_instruction_has(instruction, WB_MODIFIER_CAST);
}

/* Whether the access is of the word that all threads of the launch see: one that is strong for a
 * block alone may be served by a cache of its SM. */
static bool is_of_all(const struct wb_instruction *access)
{
  return wb_instruction_has(access, WB_MODIFIER_STRONG) &&
         (wb_instruction_has(access, WB_MODIFIER_GPU) ||
          wb_instruction_has(access, WB_MODIFIER_SYS)) &&
         !wb_instruction_has(access, WB_MODIFIER_OTHER);
}

/* ATOM.E.CAS PT, R4, [R6], R8, R10: what the instruction is, where it is of a form that is known.
 */
static bool read_swap(struct turn *turn, const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *swap = &function->instructions[index];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)swap->number);
  struct wb_retry_loop *retry = turn->retry;
  uint32_t address = 0;
  while (address < swap->operand_count &&
         wb_operand_of(function, swap, address)->kind != WB_OPERAND_ADDRESS)
    address++;
  if (kind->action != WB_ACTION_ATOMIC || kind->space == WB_SPACE_TEXTURE || swap->guarded ||
      address == 0 || address + 3U != swap->operand_count)
    return false;
  turn->operands = wb_operand_of(function, swap, address);
  retry->swap = index;
  retry->bytes = wb_access_bytes(swap);
  retry->shared = kind->space == WB_SPACE_SHARED;
  retry->generic = kind->space == WB_SPACE_GENERIC;
  retry->reloads = wb_instruction_has(swap, WB_MODIFIER_CAST);
  if (!retry->shared && wb_instruction_has(swap, WB_MODIFIER_STRONG) && !is_of_all(swap))
    return false;
  retry->may_pass = wb_instruction_has(swap, WB_MODIFIER_SPIN);
  return (retry->bytes == 4 || retry->bytes == 8) && (!retry->may_pass || retry->reloads) &&
         wb_operand_is_plain_register(&turn->operands[1]) &&
         wb_operand_is_plain_register(&turn->operands[2]);
}

/* The one instruction of the loop that writes memory that threads share. */
static bool find_swap(struct turn *turn)
{
  const struct wb_function *function = turn->flow->graph->function;
  turn->retry->block = NONE;
  for (size_t b = 0; b < turn->block_count; b++) {
    const struct wb_warp_block *block = &turn->flow->graph->blocks[turn->blocks[b]];
    for (uint32_t i = block->first; i <= block->last; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      if (instruction->unknown || instruction->outside ||
          instruction->transfer == WB_TRANSFER_CALL_OUTSIDE)
        return false;
      if (!wb_writes_shared_memory(function, i))
        continue;
      if (turn->retry->block != NONE || !is_swap(instruction) || !read_swap(turn, function, i))
        return false;
      turn->retry->block = turn->blocks[b];
    }
  }
  return turn->retry->block != NONE;
}

/* ---- accesses of one turn ---- */

static struct wb_symbol held(const struct turn *turn, uint32_t number)
{
  return number < WB_REGISTER_COUNT ? turn->walk.state->registers[number] : wb_symbol_of_number(0);
}

/* Whether the general register of an address is a pair. */
static bool is_pair(const struct wb_instruction *instruction, const struct wb_operand *address)
{
  return address->wide || (wb_instruction_has(instruction, WB_MODIFIER_E) && !address->narrow);
}

static void read_address(const struct turn *turn, const struct wb_instruction *instruction,
                         const struct wb_operand *address, struct wb_symbol symbols[4])
{
  const uint32_t none = WB_NO_REGISTER;
  const uint32_t number = address->number, index = address->index;
  symbols[0] = held(turn, number);
  symbols[1] = held(turn, number != none && is_pair(instruction, address) ? number + 1 : none);
  symbols[2] = held(turn, index);
  symbols[3] = held(turn, index != none ? index + 1 : none);
}

static void do_swap(struct turn *turn, uint32_t index)
{
  struct wb_symbol_walk *walk = &turn->walk;
  const struct wb_function *function = turn->flow->graph->function;
  const struct wb_instruction *swap = &function->instructions[index];
  const bool tells = wb_instruction_has(swap, WB_MODIFIER_CAST);
  turn->swap.block = walk->block;
  turn->swap.operand = &turn->operands[0];
  read_address(turn, swap, &turn->operands[0], turn->swap.address);
  for (uint32_t w = 0; w < 2; w++) {
    const uint16_t number = turn->operands[1].number;
    turn->swap.words[w] = held(turn, number == WB_NO_REGISTER ? number : number + w);
  }
  wb_symbol_step(walk, function, index);
  for (const struct wb_operand *result = wb_operand_of(function, swap, 0);
       turn->succeeds && result < turn->operands; result++) {
    if (result->number >= WB_REGISTER_COUNT)
      continue;
    if (result->kind == WB_OPERAND_PREDICATE && tells)
      walk->state->registers[result->number] = wb_symbol_of_number(1);
    for (uint32_t w = 0; result->kind == WB_OPERAND_REGISTER && w < turn->retry->bytes / 4U; w++)
      walk->state->registers[result->number + w] =
          tells ? wb_symbol_of_number(w == 0) : turn->swap.words[w];
  }
}

/* Keeps a load that gives the word as it is then: of shared memory, or a strong one of all threads.
 */
static void note_load(struct turn *turn, uint32_t index)
{
  const struct wb_function *function = turn->flow->graph->function;
  const struct wb_instruction *load = &function->instructions[index];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)load->number);
  const struct wb_access_kind *swap =
      wb_access_kind_of((enum wb_opcode)function->instructions[turn->retry->swap].number);
  const bool strong = kind->space == WB_SPACE_SHARED || is_of_all(load);
  if (kind->action != WB_ACTION_LOAD || kind->space != swap->space || !strong ||
      turn->load_count == MOST_LOADS || wb_access_bytes(load) != turn->retry->bytes ||
      wb_symbol_guard(&turn->walk, load) != WB_GUARD_DOES || load->operand_count != 2)
    return;
  const struct wb_operand *result = wb_operand_of(function, load, 0);
  const struct wb_operand *address = wb_operand_of(function, load, 1);
  if (!wb_operand_is_plain_register(result) || result->number == WB_NO_REGISTER ||
      address->kind != WB_OPERAND_ADDRESS ||
      is_pair(load, address) !=
          is_pair(&function->instructions[turn->retry->swap], &turn->operands[0]))
    return;
  struct access *access = &turn->loads[turn->load_count++];
  access->block = turn->walk.block;
  access->operand = address;
  read_address(turn, load, address, access->address);
  for (uint32_t w = 0; w < 2; w++)
    access->words[w] = wb_symbol_of_result(&turn->walk, index, result->number + w);
}

/* ---- one turn ---- */

static size_t index_of(const struct turn *turn, uint32_t block)
{
  size_t index = 0;
  while (index < turn->block_count && turn->blocks[index] != block)
    index++;
  return index;
}

/* Whether a thread that takes the edge contradicts what is known. */
static bool is_impossible(const struct turn *turn, uint32_t edge)
{
  for (unsigned condition = 0; condition < WB_EDGE_CONDITIONS; condition++) {
    size_t predicate;
    bool is_true, truth;
    if (!wb_edge_condition(turn->flow, edge, condition, &predicate, &is_true))
      continue;
    const struct wb_symbol *symbol = &turn->walk.state->registers[wb_predicate_register(predicate)];
    if (wb_symbol_truth(&turn->walk, symbol, &truth) && truth != is_true)
      return true;
  }
  return false;
}

/* What an inner loop may write is not known at its header. */
static void forget_inner(struct turn *turn, uint32_t block)
{
  const uint32_t inner = turn->flow->loop_at[block];
  if (inner == NONE || inner == turn->loop)
    return;
  const struct wb_loop *loop = &turn->forest->loops[inner];
  const struct wb_function *function = turn->flow->graph->function;
  for (size_t n = 0; n < loop->node_count; n++) {
    const struct wb_warp_block *inside =
        &turn->flow->graph->blocks[turn->forest->nodes[loop->first_node + n]];
    for (uint32_t i = inside->first; i <= inside->last; i++) {
      const struct wb_instruction *instruction = &function->instructions[i];
      for (uint32_t s = 0; s < instruction->write_count; s++) {
        const struct wb_register_span *span = &function->spans[instruction->first_write + s];
        for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++)
          wb_symbol_state_forget(turn->walk.state, r, block);
      }
    }
  }
}

static void leave_block(struct turn *turn, uint32_t block)
{
  const struct wb_thread_flow *flow = turn->flow;
  const uint32_t header = turn->forest->loops[turn->loop].header;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    const uint32_t edge = flow->leaving.list[i];
    const size_t to = index_of(turn, flow->to[edge]);
    const bool inner_back = flow->is_back[edge] && flow->to[edge] != header;
    if (to == turn->block_count || inner_back || is_impossible(turn, edge))
      continue;
    const bool back = flow->to[edge] == header;
    struct wb_symbol_state *there = back ? &turn->end : &turn->states[to];
    bool *reached = back ? &turn->goes_back : &turn->reached[to];
    if (*reached)
      wb_symbol_state_join(there, turn->walk.state, flow->to[edge]);
    else
      *there = *turn->walk.state;
    *reached = true;
  }
}

/* Walks over one turn. */
static void walk_turn(struct turn *turn)
{
  const struct wb_warp_graph *graph = turn->flow->graph;
  for (size_t b = 0; b < turn->block_count; b++)
    turn->reached[b] = b == 0;
  wb_symbol_state_start(&turn->states[0]);
  turn->goes_back = false;
  turn->load_count = 0;
  for (size_t b = 0; b < turn->block_count; b++) {
    const struct wb_warp_block *block = &graph->blocks[turn->blocks[b]];
    if (!turn->reached[b])
      continue;
    turn->walk.state = &turn->states[b];
    turn->walk.block = turn->blocks[b];
    forget_inner(turn, turn->blocks[b]);
    for (uint32_t i = block->first; i <= block->last; i++) {
      note_load(turn, i);
      if (i == turn->retry->swap)
        do_swap(turn, i);
      else
        wb_symbol_step(&turn->walk, graph->function, i);
    }
    leave_block(turn, turn->blocks[b]);
  }
}

/* Whether a symbol is one value in a turn: no block of an inner loop has made it. */
static bool is_of_turn(const struct turn *turn, const struct wb_symbol *symbol)
{
  return symbol->kind == WB_SYMBOL_START ||
         ((symbol->kind == WB_SYMBOL_RESULT || symbol->kind == WB_SYMBOL_JOIN) &&
          turn->forest->innermost[symbol->block] == turn->loop);
}

/* Whether each thread that takes a back edge has run the block in that turn, once. */
static bool runs_each_turn(const struct turn *turn, uint32_t block)
{
  const struct wb_thread_flow *flow = turn->flow;
  const struct wb_dominators *tree = &flow->dominators;
  const uint32_t header = turn->blocks[0];
  const uint32_t first = tree->position[block];
  if (turn->forest->innermost[block] != turn->loop)
    return false;
  for (uint32_t i = flow->reaching.first[header]; i < flow->reaching.first[header + 1]; i++) {
    const uint32_t edge = flow->reaching.list[i];
    const uint32_t from = tree->position[flow->from[edge]];
    if (flow->is_back[edge] && (from < first || from >= first + tree->size[block]))
      return false;
  }
  return true;
}

/* The one edge that stays in the loop; NONE: there are several. */
static uint32_t staying_edge(const struct turn *turn, uint32_t block)
{
  const struct wb_thread_flow *flow = turn->flow;
  uint32_t staying = NONE;
  for (uint32_t i = flow->leaving.first[block]; i < flow->leaving.first[block + 1]; i++) {
    if (index_of(turn, flow->to[flow->leaving.list[i]]) == turn->block_count)
      continue;
    if (staying != NONE)
      return NONE;
    staying = flow->leaving.list[i];
  }
  return staying;
}

/* Finds predicates that hold for each thread that goes back, by the walk before: those of blocks
 * that all of these run once, from which one edge stays in the loop. */
static void find_known(struct turn *turn)
{
  turn->walk.known_count = 0;
  for (size_t b = 0; b < turn->block_count; b++) {
    const uint32_t edge = staying_edge(turn, turn->blocks[b]);
    if (edge == NONE || !turn->reached[b] || !runs_each_turn(turn, turn->blocks[b]))
      continue;
    for (unsigned condition = 0; condition < WB_EDGE_CONDITIONS; condition++) {
      size_t predicate;
      bool is_true;
      if (!wb_edge_condition(turn->flow, edge, condition, &predicate, &is_true))
        continue;
      struct wb_symbol symbol = turn->states[b].registers[wb_predicate_register(predicate)];
      if (!is_of_turn(turn, &symbol) || turn->walk.known_count == WB_SYMBOLS_KNOWN)
        continue;
      const bool truth = is_true != symbol.negated;
      symbol.negated = false;
      turn->walk.known[turn->walk.known_count++] =
          (struct wb_known_symbol){.symbol = symbol, .truth = truth};
    }
  }
}

/* ---- what makes a loop one that tries again ---- */

/* Whether two addresses of one form, whose registers hold the same, name one place. */
static bool same_form(const struct access *a, const struct access *b)
{
  const struct wb_operand *left = a->operand, *right = b->operand;
  bool same = left->value == right->value && left->scale == right->scale &&
              left->wide == right->wide && left->narrow == right->narrow &&
              (left->number == WB_NO_REGISTER) == (right->number == WB_NO_REGISTER) &&
              (left->index == WB_NO_REGISTER) == (right->index == WB_NO_REGISTER);
  for (size_t n = 0; n < 4; n++)
    same = same && wb_symbols_equal(&a->address[n], &b->address[n]);
  return same;
}

static bool is_start_of(const struct wb_symbol *symbol, uint16_t number)
{
  return symbol->kind == WB_SYMBOL_START && symbol->number == number;
}

/* Whether one of two addresses of shared memory is a register that was made the sum of the other
 * one's before the loop. */
static bool is_sum(const struct turn *turn, const struct access *whole, const struct access *parts)
{
  const struct wb_operand *sum = whole->operand, *terms = parts->operand;
  if (!turn->retry->shared || sum->number == WB_NO_REGISTER || sum->index != WB_NO_REGISTER ||
      sum->scale != 0 || terms->scale != 0 || terms->number == WB_NO_REGISTER ||
      terms->index == WB_NO_REGISTER || !is_start_of(&whole->address[0], sum->number) ||
      !is_start_of(&parts->address[0], terms->number) ||
      !is_start_of(&parts->address[2], terms->index))
    return false;
  const struct wb_entry_sum entry = {.sum = sum->number,
                                     .terms = {terms->number, terms->index},
                                     .number = (uint32_t)(terms->value - sum->value)};
  return wb_entry_sum_holds(turn->flow, turn->blocks, turn->block_count, turn->blocks[0], &entry);
}

static bool equal_addresses(const struct turn *turn, const struct access *a, const struct access *b)
{
  return same_form(a, b) || is_sum(turn, a, b) || is_sum(turn, b, a);
}

/* Whether what is at the start of a turn is there at the next one too. */
static bool stays(const struct turn *turn, const struct wb_symbol *symbol)
{
  if (symbol->kind == WB_SYMBOL_NUMBER || symbol->kind == WB_SYMBOL_CONSTANT)
    return true;
  return symbol->kind == WB_SYMBOL_START &&
         wb_symbols_equal(symbol, &turn->end.registers[symbol->number]);
}

/* Whether the next turn compares, at the same place, what the swap has returned. */
static bool compares_returned(const struct turn *turn)
{
  const struct wb_function *function = turn->flow->graph->function;
  const struct wb_operand *result = turn->operands - 1;
  if (turn->retry->reloads || !wb_operand_is_plain_register(result) ||
      result->number == WB_NO_REGISTER ||
      result < wb_operand_of(function, &function->instructions[turn->retry->swap], 0))
    return false;
  struct wb_symbol_walk made = turn->walk;
  made.block = turn->retry->block;
  for (uint32_t n = 0; n < 4; n++) {
    if (!stays(turn, &turn->swap.address[n]))
      return false;
  }
  for (uint32_t w = 0; w < turn->retry->bytes / 4U; w++) {
    const struct wb_symbol *word = &turn->swap.words[w];
    const struct wb_symbol returned =
        wb_symbol_of_result(&made, turn->retry->swap, result->number + w);
    if (word->kind != WB_SYMBOL_START || word->negated ||
        !wb_symbols_equal(&turn->end.registers[word->number], &returned))
      return false;
  }
  return true;
}

/* Whether the turn compares what it has loaded from the same place before. */
static bool compares_loaded(const struct turn *turn)
{
  for (size_t l = 0; l < turn->load_count; l++) {
    const struct access *load = &turn->loads[l];
    bool same = equal_addresses(turn, load, &turn->swap) &&
                turn->forest->innermost[load->block] == turn->loop &&
                (!turn->retry->may_pass || load->block == turn->retry->block);
    for (uint32_t w = 0; w < turn->retry->bytes / 4U; w++)
      same = same && wb_symbols_equal(&load->words[w], &turn->swap.words[w]);
    if (same)
      return true;
  }
  return false;
}

/* Whether threads enter the loop, and those inside it, at the headers alone. Finds the blocks. */
static bool find_blocks(struct turn *turn)
{
  const struct wb_thread_flow *flow = turn->flow;
  const struct wb_loop *loop = &turn->forest->loops[turn->loop];
  if (loop->irreducible)
    return false;
  for (size_t n = 0; n < loop->node_count; n++) {
    const uint32_t place = flow->place[turn->forest->nodes[loop->first_node + n]];
    size_t at = turn->block_count++;
    for (; at > 0 && flow->place[turn->blocks[at - 1]] > place; at--)
      turn->blocks[at] = turn->blocks[at - 1];
    turn->blocks[at] = flow->order[place];
  }
  for (size_t b = 0; b < turn->block_count; b++) {
    const uint32_t block = turn->blocks[b];
    if (turn->forest->loops[turn->forest->innermost[block]].irreducible)
      return false;
    for (uint32_t i = flow->reaching.first[block]; i < flow->reaching.first[block + 1]; i++) {
      const uint32_t edge = flow->reaching.list[i];
      const bool inside = index_of(turn, flow->from[edge]) < turn->block_count;
      const bool retreats = flow->place[flow->from[edge]] >= flow->place[block];
      if ((block == loop->header ? inside != flow->is_back[edge] : !inside) ||
          (inside && retreats != flow->is_back[edge]))
        return false;
    }
  }
  return turn->blocks[0] == loop->header;
}

static bool is_retry(struct turn *turn)
{
  if (!find_blocks(turn) || !find_swap(turn) || !runs_each_turn(turn, turn->retry->block))
    return false;
  /* A thread whose swap succeeds leaves. */
  turn->succeeds = true;
  walk_turn(turn);
  if (turn->goes_back)
    return false;
  turn->succeeds = false;
  walk_turn(turn);
  find_known(turn);
  walk_turn(turn);
  if (!turn->goes_back)
    return false;
  if (compares_returned(turn))
    return true;
  turn->retry->reloads = true;
  return compares_loaded(turn);
}

bool wb_retry_loop_find(const struct wb_thread_flow *flow, const struct wb_loop_forest *forest,
                        uint32_t loop, struct wb_retry_loop *retry)
{
  const size_t blocks = forest->loops[loop].node_count;
  *retry = (struct wb_retry_loop){.found = false};
  if (blocks > MOST_BLOCKS ||
      flow->graph->function->instruction_count >= WB_SYMBOL_MOST_INSTRUCTIONS)
    return true;
  struct turn *turn = wb_allocate(1, sizeof *turn);
  struct wb_symbol_state *states = wb_allocate(blocks, sizeof *states);
  const bool made = turn != NULL && states != NULL;
  if (made) {
    turn->flow = flow;
    turn->forest = forest;
    turn->loop = loop;
    turn->retry = retry;
    turn->states = states;
    retry->found = is_retry(turn);
  }
  free(states);
  free(turn);
  return made;
}
