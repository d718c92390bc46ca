/* Words that the reports on control flow share: instructions, source lines, kinds. */
#ifndef WB_REPORT_CFG_CFG_WORDS_H
#define WB_REPORT_CFG_CFG_WORDS_H

#include "analysis/wcet/control_flow.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "fallthrough", "branch", "call", "return", "reactivation". */
const char *wb_edge_kind_name(enum wb_edge_kind kind);

/* The targets of those of the edges that have the kind, as "3-7, 9". The edges are of one block,
 * in the graph's order. */
void wb_cfg_write_targets(const struct wb_warp_edge *edges, size_t count, enum wb_edge_kind kind,
                          const char *separator, struct wb_text *text);

/* "sm_52"; "" where the listing does not say. */
void wb_cfg_write_isa(const struct wb_function *function, struct wb_text *text);

/* "@!P0 BRA 0x1c8". */
void wb_cfg_write_instruction(const struct wb_function *function,
                              const struct wb_instruction *instruction, struct wb_text *text);

/* "kernel.cu:12"; nothing where it is not known. The folders of the file are left out. */
void wb_cfg_write_source(const struct wb_code *code, const struct wb_instruction *instruction,
                         struct wb_text *text);

/* A line of a source file; file as in struct wb_instruction. */
struct wb_source_line {
  uint32_t file;
  uint32_t line;
};

/* The source lines of a block, each once, by file and line. Writes at most as many to `lines` as
 * the block has instructions, and returns how many. */
size_t wb_cfg_source_lines(const struct wb_function *function, const struct wb_warp_block *block,
                           struct wb_source_line *lines);

/* Such lines as "kernel.cu:12-14,18 helper.h:3", with the names of files only where `names`; no
 * more than `most` stretches, then "...". */
void wb_cfg_write_lines(const struct wb_code *code, const struct wb_source_line *lines,
                        size_t count, bool names, size_t most, struct wb_text *text);

/* How many files the instructions of a function come from: 0 without line information, 1, or 2
 * for several. */
size_t wb_cfg_source_files(const struct wb_function *function);

/* How many instructions the blocks have. */
size_t wb_cfg_reachable_instructions(const struct wb_warp_graph *united);

/* The effect of a block's last instruction, if conditional, on the lanes. */
enum wb_lanes { WB_LANES_TOGETHER, WB_LANES_UNIFORM, WB_LANES_SPLIT };
enum wb_lanes wb_cfg_lanes(const struct wb_warp_graph *united, size_t block);

/* The name of the subroutine that begins with the block, or NULL. */
const char *wb_cfg_subroutine(const struct wb_function *function,
                              const struct wb_warp_block *block);

#endif
