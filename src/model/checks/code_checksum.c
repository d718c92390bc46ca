#include "model/checks/code_checksum.h"

#include "base/hash.h"

#include <stddef.h>

static void add_number(uint64_t *sum, uint64_t number)
{
  for (unsigned byte = 0; byte < 8; byte++)
    *sum = wb_hash_byte(*sum, (uint8_t)(number >> (8 * byte)));
}

static void add_spans(uint64_t *sum, const struct wb_function *function, uint32_t first,
                      uint32_t count)
{
  add_number(sum, count);
  for (uint32_t s = first; s < first + count; s++)
    add_number(sum, (uint64_t)function->spans[s].first << 16 | function->spans[s].count);
}

uint64_t wb_function_checksum(const struct wb_function *function)
{
  uint64_t sum = WB_HASH_START;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    add_number(&sum, instruction->address);
    for (const char *c = instruction->opcode; *c != '\0'; c++)
      add_number(&sum, (unsigned char)*c);
    add_number(&sum, (uint64_t)instruction->guard << 1 | instruction->guard_negated);
    add_spans(&sum, function, instruction->first_read, instruction->read_count);
    add_spans(&sum, function, instruction->first_write, instruction->write_count);
    if (instruction->transfer == WB_TRANSFER_INDEXED_BRANCH)
      continue; /* the forms differ in what they know of its targets */
    for (uint32_t t = 0; t < instruction->target_count; t++)
      add_number(&sum, function->targets[instruction->first_target + t]);
  }
  return sum;
}
