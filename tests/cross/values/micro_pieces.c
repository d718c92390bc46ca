#include "micro_pieces.h"

#include <string.h>

uint32_t micro_some_number(struct wb_random *random)
{
  static const uint32_t ends[] = {0,
                                  1,
                                  UINT32_MAX,
                                  INT32_MAX,
                                  UINT32_C(0x80000000),
                                  0xffff,
                                  UINT32_C(0x3f800000),
                                  UINT32_C(0x7ff00000)}; /* floats */
  const uint64_t kind = wb_random_below(random, 4);
  if (kind == 0)
    return ends[wb_random_below(random, sizeof ends / sizeof *ends)];
  if (kind == 1)
    return (uint32_t)wb_random_next(random);
  return (uint32_t)wb_random_below(random, 40) - (kind == 2 ? 10 : 0);
}

uint16_t micro_some_register(struct wb_random *random)
{
  return (uint16_t)wb_random_below(random, MICRO_REGISTERS);
}

uint16_t micro_some_predicate(struct wb_random *random)
{
  return (uint16_t)(WB_REGISTER_PREDICATE + wb_random_below(random, MICRO_PREDICATES));
}

struct wb_source micro_of_register(uint16_t number)
{
  return (struct wb_source){.kind = WB_SOURCE_REGISTER, .number = number, .index = WB_NO_REGISTER};
}

struct wb_source micro_of_number(uint64_t value)
{
  return (struct wb_source){.kind = WB_SOURCE_NUMBER, .value = value, .index = WB_NO_REGISTER};
}

struct wb_source micro_of_predicate(uint16_t number)
{
  return (struct wb_source){.kind = WB_SOURCE_PREDICATE, .number = number, .index = WB_NO_REGISTER};
}

struct wb_source micro_of_result(size_t number)
{
  return (struct wb_source){
      .kind = WB_SOURCE_RESULT, .number = (uint16_t)number, .index = WB_NO_REGISTER};
}

size_t micro_add(struct wb_micro_code *code, struct wb_micro_operation operation)
{
  code->operations[code->count] = operation;
  return code->count++;
}

void micro_add_carry(struct wb_micro_code *code, size_t sum)
{
  micro_add(code,
            (struct wb_micro_operation){.kind = WB_MICRO_CARRY, .sources = {micro_of_result(sum)}});
}

bool micro_is_written(const struct wb_micro_code *code, uint16_t number)
{
  for (size_t w = 0; w < code->write_count; w++) {
    const struct wb_micro_write *write = &code->writes[w];
    if (number == write->number || (write->wide && number == write->number + 1))
      return true;
  }
  return false;
}

void micro_add_write(struct wb_micro_code *code, size_t result, uint16_t number)
{
  const bool wide = micro_meanings[code->operations[result].kind].type == MICRO_WIDE;
  if (!micro_is_written(code, number) && !(wide && micro_is_written(code, (uint16_t)(number + 1))))
    code->writes[code->write_count++] =
        (struct wb_micro_write){.number = number, .result = (uint8_t)result, .wide = wide};
}

struct micro_step *micro_new_step(struct micro_program *program)
{
  struct micro_step *step = &program->steps[program->count++];
  memset(step, 0, sizeof *step);
  step->guard = step->lost = WB_NO_REGISTER;
  return step;
}

void micro_write_word(struct micro_step *step, const struct wb_micro_operation *operation,
                      uint16_t number)
{
  micro_add_write(&step->code, micro_add(&step->code, *operation), number);
}

/* A word of a sum: a register, or now and then a number. */
struct wb_source micro_draw_word(struct wb_random *random)
{
  return wb_random_below(random, 4) == 0 ? micro_of_number(micro_some_number(random))
                                         : micro_of_register(micro_some_register(random));
}
