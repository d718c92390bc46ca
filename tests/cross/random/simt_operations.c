#include "simt_operations.h"

#include "model/code.h"

static const struct simt_operation_row rows[SIMT_OPERATION_COUNT] = {
    [SIMT_MOVE_PARAMETER] = {"MOV R$0, c[0x0][0x140]", "$0", "", WB_AGREES_BY_SOURCES,
                             WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_MOVE_NUMBER] = {"MOV32I R$0, 0x11", "$0", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                          WB_TOKEN_NONE},
    [SIMT_MOVE] = {"MOV R$0, R$1", "$0", "$1", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                   WB_TOKEN_NONE},
    [SIMT_THREAD_INDEX] = {"S2R R$0, SR_TID.X", "$0", "", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                           WB_TOKEN_NONE},
    [SIMT_BLOCK_INDEX] = {"S2R R$0, SR_CTAID.X", "$0", "", WB_AGREES_ALWAYS, WB_TRANSFER_NEXT,
                          WB_TOKEN_NONE},
    [SIMT_LANE_INDEX] = {"S2R R$0, SR_LANEID", "$0", "", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                         WB_TOKEN_NONE},
    [SIMT_CLOCK] = {"CS2R R#0, SR_CLOCKLO", "#0", "", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                    WB_TOKEN_NONE},
    [SIMT_ADD] = {"IADD R$0, R$1, R$2", "$0", "$1$2", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                  WB_TOKEN_NONE},
    [SIMT_ADD_CARRY_OUT] = {"IADD R$0.CC, R$1, R$2", "$0C", "$1$2", WB_AGREES_BY_SOURCES,
                            WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_ADD_CARRY_IN] = {"IADD.X R$0, R$1, R$2", "$0", "$1$2C", WB_AGREES_BY_SOURCES,
                           WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_MULTIPLY] = {"XMAD R$0, R$1, R$2, RZ", "$0", "$1$2", WB_AGREES_BY_SOURCES,
                       WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_DOUBLE_ADD] = {"DADD R#0, R#1, R#2", "#0", "#1#2", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                         WB_TOKEN_NONE},
    [SIMT_SELECT] = {"SEL R$0, R$1, RZ, P%2", "$0", "$1%2", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                     WB_TOKEN_NONE},
    [SIMT_COMPARE] = {"ISETP.LT.AND P%0, PT, R$1, R$2, PT", "%0", "$1$2", WB_AGREES_BY_SOURCES,
                      WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_COMPARE_NUMBER] = {"ISETP.GE.U32.AND P%0, PT, R$1, 0x7, PT", "%0", "$1",
                             WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_COMPARE_AND] = {"ISETP.NE.AND P%0, PT, R$1, RZ, P%2", "%0", "$1%2", WB_AGREES_BY_SOURCES,
                          WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_COMBINE_PREDICATES] = {"PSETP.AND.AND P%0, PT, P%1, !P%2, PT", "%0", "%1%2",
                                 WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_PREDICATES_OF_REGISTER] = {"R2P PR, R$1, 0x7f", "P", "$1", WB_AGREES_BY_SOURCES,
                                     WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_REGISTER_OF_PREDICATES] = {"P2R R$0, PR, RZ, 0x7f", "$0", "P", WB_AGREES_BY_SOURCES,
                                     WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_LOAD_GLOBAL] = {"LDG.E R$0, [R#1]", "$0", "#1", WB_AGREES_BY_MEMORY, WB_TRANSFER_NEXT,
                          WB_TOKEN_NONE},
    [SIMT_LOAD_GLOBAL_PAIR] = {"LDG.E.64 R#0, [R#1]", "#0", "#1", WB_AGREES_BY_MEMORY,
                               WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_LOAD_SHARED] = {"LDS.U.32 R$0, [R$1]", "$0", "$1", WB_AGREES_BY_MEMORY, WB_TRANSFER_NEXT,
                          WB_TOKEN_NONE},
    [SIMT_LOAD_LOCAL] = {"LDL R$0, [R$1]", "$0", "$1", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                         WB_TOKEN_NONE},
    [SIMT_LOAD_GENERIC] = {"LD.E R$0, [R#1], PT", "$0", "#1", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                           WB_TOKEN_NONE},
    [SIMT_LOAD_CONSTANT] = {"LDC R$0, c[0x3][R$1]", "$0", "$1", WB_AGREES_BY_MEMORY,
                            WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_STORE_GLOBAL] = {"STG.E [R#0], R$1", "", "#0$1", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                           WB_TOKEN_NONE},
    [SIMT_ATOMIC] = {"ATOM.E.ADD R$0, [R#1], R$2", "$0", "#1$2", WB_AGREES_NEVER, WB_TRANSFER_NEXT,
                     WB_TOKEN_NONE},
    [SIMT_VOTE] = {"VOTE.ANY R$0, PT, P%1", "$0", "%1", WB_AGREES_ALWAYS, WB_TRANSFER_NEXT,
                   WB_TOKEN_NONE},
    [SIMT_VOTE_PREDICATE] = {"VOTE.ALL P%0, P%1", "%0", "%1", WB_AGREES_ALWAYS, WB_TRANSFER_NEXT,
                             WB_TOKEN_NONE},
    [SIMT_SHUFFLE] = {"SHFL.DOWN PT, R$0, R$1, 0x1, 0x1f", "$0", "$1", WB_AGREES_NEVER,
                      WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_SHUFFLE_OF_LANE] = {"SHFL.IDX PT, R$0, R$1, RZ, 0x1f", "$0", "$1", WB_AGREES_BY_LANE,
                              WB_TRANSFER_NEXT, WB_TOKEN_NONE},
    [SIMT_BARRIER] = {"BAR.SYNC 0x0", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                      WB_TOKEN_NONE},
    [SIMT_UNKNOWN] = {"QUX R$0, R$1", "$0", "$1", WB_AGREES_BY_SOURCES, WB_TRANSFER_NEXT,
                      WB_TOKEN_NONE},
    [SIMT_CALL_OUTSIDE] = {"JCAL ~", "*", "", WB_AGREES_NEVER, WB_TRANSFER_CALL_OUTSIDE,
                           WB_TOKEN_NONE},
    [SIMT_SYNC] = {"SYNC", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_POP, WB_TOKEN_SYNC},
    [SIMT_BREAK] = {"BRK", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_POP, WB_TOKEN_BREAK},
    [SIMT_CONTINUE] = {"CONT", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_POP, WB_TOKEN_CONTINUE},
    [SIMT_RETURN] = {"RET", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_POP, WB_TOKEN_RETURN},
    [SIMT_EXIT] = {"EXIT", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_EXIT, WB_TOKEN_NONE},
    [SIMT_KILL] = {"KIL", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_EXIT, WB_TOKEN_NONE},
    [SIMT_PUSH_SYNC] = {"SSY &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_PUSH, WB_TOKEN_SYNC},
    [SIMT_PUSH_BREAK] = {"PBK &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_PUSH, WB_TOKEN_BREAK},
    [SIMT_PUSH_CONTINUE] = {"PCNT &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_PUSH,
                            WB_TOKEN_CONTINUE},
    [SIMT_PUSH_RETURN] = {"PRET &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_PUSH,
                          WB_TOKEN_RETURN},
    [SIMT_CALL] = {"CAL &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_CALL, WB_TOKEN_RETURN},
    [SIMT_BRANCH] = {"BRA &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_BRANCH, WB_TOKEN_NONE},
    [SIMT_BRANCH_UNIFORM] = {"BRA.U &", "", "", WB_AGREES_BY_SOURCES, WB_TRANSFER_BRANCH,
                             WB_TOKEN_NONE},
    [SIMT_BRANCH_CONDITION] = {"BRA CC.NEU, &", "", "C", WB_AGREES_BY_SOURCES, WB_TRANSFER_BRANCH,
                               WB_TOKEN_NONE},
    [SIMT_BRANCH_INDEXED] = {"BRX R$0 -0x8", "", "$0", WB_AGREES_BY_SOURCES,
                             WB_TRANSFER_INDEXED_BRANCH, WB_TOKEN_NONE},
};

const struct simt_operation_row *simt_operation_row(enum simt_operation operation)
{
  return &rows[operation];
}

unsigned simt_general(uint8_t operand)
{
  return operand % 8u;
}

unsigned simt_pair(uint8_t operand)
{
  return operand % 4u * 2;
}

unsigned simt_predicate(uint8_t operand)
{
  return operand % 4u;
}
