#include "values/domain.h"

#include "isa/lower/lower.h"

void wb_domain_transfer(const struct wb_domain *domain, void *context,
                        const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    domain->forget_all(context);
    return;
  }
  if (instruction->write_count == 0)
    return;
  wb_lower(function, index, &code);
  wb_domain_apply(domain, context, function, index, &code);
}

void wb_domain_apply(const struct wb_domain *domain, void *context,
                     const struct wb_function *function, uint32_t index,
                     const struct wb_micro_code *code)
{
  domain->begin(context, function, index);
  for (size_t o = 0; o < code->count; o++) {
    const uint8_t kind = code->operations[o].kind;
    (domain->apply[kind] != NULL ? domain->apply[kind] : domain->unknown)(context, code, o);
  }
  domain->forget_writes(context, function, index, code);
  for (size_t w = 0; w < code->write_count; w++)
    domain->write(context, code, &code->writes[w]);
}
