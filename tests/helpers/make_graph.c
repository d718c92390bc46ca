#include "make_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void made_start(struct made_graph *made, const char *name, size_t count)
{
  assert(count <= MADE_LIMIT);
  *made = (struct made_graph){0};
  made->files[0] = "/home/user/kernel.cu";
  made->files[1] = "include/helper.h";
  made->code.name = (char *)"listing.sass";
  strcpy(made->code.format, "nvdisasm");
  made->code.functions = &made->function;
  made->code.function_count = 1;
  made->code.files = made->files;
  made->code.file_count = 2;
  made->function = (struct wb_function){.name = name,
                                        .instructions = made->instructions,
                                        .instruction_count = count,
                                        .sm = 52,
                                        .kernel = true};
  for (uint32_t i = 0; i < count; i++)
    made->instructions[i] = (struct wb_instruction){.opcode = "NOP",
                                                    .operands = "",
                                                    .address = 8 * (i + 1),
                                                    .source_file = 1,
                                                    .source_line = 10 + i,
                                                    .guard = WB_NO_REGISTER};
  made->contexts[0].caller = UINT32_MAX;
  made->graph = (struct wb_warp_graph){.function = &made->function,
                                       .contexts = made->contexts,
                                       .context_count = 1,
                                       .blocks = made->blocks,
                                       .edges = made->edges,
                                       .ends = made->ends};
}

void made_block(struct made_graph *made, uint32_t first, uint32_t last, uint32_t context)
{
  assert(made->graph.block_count < MADE_LIMIT);
  made->blocks[made->graph.block_count++] = (struct wb_warp_block){first, last, context};
}

void made_blocks(struct made_graph *made, const char *blocks)
{
  for (char *at = (char *)blocks; *at != '\0'; at += *at == ' ') {
    const uint32_t first = (uint32_t)strtoul(at, &at, 10);
    const uint32_t last = *at == '-' ? (uint32_t)strtoul(at + 1, &at, 10) : first;
    made_block(made, first, last, *at == '.' ? (uint32_t)strtoul(at + 1, &at, 10) : 0);
  }
}

void made_edge(struct made_graph *made, uint32_t from, uint32_t to, enum wb_edge_kind kind)
{
  assert(made->graph.edge_count < MADE_LIMIT);
  made->edges[made->graph.edge_count++] = (struct wb_warp_edge){from, to, (uint8_t)kind};
}

void made_edges(struct made_graph *made, const char *edges)
{
  static const enum wb_edge_kind kinds[] = {['f'] = WB_EDGE_FALLTHROUGH,
                                            ['b'] = WB_EDGE_BRANCH,
                                            ['c'] = WB_EDGE_CALL,
                                            ['r'] = WB_EDGE_RETURN,
                                            ['w'] = WB_EDGE_REACTIVATION};
  for (char *at = (char *)edges; *at != '\0'; at += *at == ' ') {
    const uint32_t from = (uint32_t)strtoul(at, &at, 10);
    const enum wb_edge_kind kind = kinds[(unsigned char)*at];
    made_edge(made, from, (uint32_t)strtoul(at + 1, &at, 10), kind);
  }
}

void made_finish(struct made_graph *made)
{
  uint32_t united_of[MADE_LIMIT];
  made->united = made->graph;
  made->united.blocks = made->united_blocks;
  made->united.block_count = 0;
  made->united.edges = made->united_edges;
  made->united.edge_count = 0;
  for (size_t b = 0; b < made->graph.block_count; b++) {
    const struct wb_warp_block *block = &made->blocks[b];
    size_t count = made->united.block_count;
    if (count == 0 || made->united_blocks[count - 1].first != block->first)
      made->united_blocks[made->united.block_count++] =
          (struct wb_warp_block){block->first, block->last, 0};
    united_of[b] = (uint32_t)made->united.block_count - 1;
  }
  for (uint32_t from = 0; from < made->united.block_count; from++) {
    for (size_t e = 0; e < made->graph.edge_count; e++) {
      const struct wb_warp_edge *edge = &made->edges[e];
      struct wb_warp_edge united = {united_of[edge->from], united_of[edge->to], edge->kind};
      bool known = united.from != from;
      for (size_t k = 0; k < made->united.edge_count; k++) {
        const struct wb_warp_edge *other = &made->united_edges[k];
        known = known || (other->from == united.from && other->to == united.to &&
                          other->kind == united.kind);
      }
      if (!known)
        made->united_edges[made->united.edge_count++] = united;
    }
  }
}
