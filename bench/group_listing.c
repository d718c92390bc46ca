#include "group_listing.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdint.h>

#define BYTES_EACH 16u
#define PIECES_A_CALL 40u /* calls are kept rare: each is a calling context */
#define PIECES_A_SYNC 16u

static const char headings[] =
    "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM87 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM87)\"\n"
    "\t.section\t.text.generated,\"ax\",@progbits\n"
    "        .other          generated,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n"
    "generated:\n.text.generated:\n";

struct listing {
  struct wb_text text;
  uint32_t address;
  unsigned labels;
};

static void put_start(struct listing *listing, const char *guard)
{
  wb_text_format(&listing->text, "        /*%04" PRIx32 "*/ %5s ", listing->address, guard);
  listing->address += BYTES_EACH;
}

static void put(struct listing *listing, const char *statement)
{
  put_start(listing, "");
  wb_text_format(&listing->text, "%s ;\n", statement);
}

/* A statement with the number of a register. */
static void put_register(struct listing *listing, const char *guard, const char *before,
                         unsigned number, const char *after)
{
  put_start(listing, guard);
  wb_text_format(&listing->text, "%s%u%s ;\n", before, number, after);
}

static void put_jump(struct listing *listing, const char *guard, unsigned label)
{
  put_start(listing, guard);
  wb_text_format(&listing->text, "BRA `(.L_x_%u) ;\n", label);
}

static void put_scope(struct listing *listing, unsigned barrier, unsigned label)
{
  put_start(listing, "");
  wb_text_format(&listing->text, "BSSY B%u, `(.L_x_%u) ;\n", barrier, label);
}

static void place(struct listing *listing, unsigned label)
{
  wb_text_format(&listing->text, ".L_x_%u:\n", label);
}

/* Sums of registers of which one is that of the lane: they agree on nothing. */
static void put_sums(struct listing *listing, unsigned piece, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    put_register(listing, "", "IADD3 R", 8 + (piece + i) % 100, ", R0, 0x4, RZ");
}

/* What all lanes agree on, and a condition on which they do not. */
static void put_condition(struct listing *listing, unsigned piece)
{
  put_register(listing, "", "IMAD.MOV.U32 R", 110 + piece % 50, ", RZ, RZ, c[0x0][0x160]");
  put_register(listing, "", "ISETP.NE.AND P0, PT, R0, 0x", piece % 10, ", PT");
}

/* An if and else in a scope, in the then part a loop of which all lanes take the same number of
 * iterations. */
static void put_if(struct listing *listing, unsigned piece)
{
  const unsigned first = listing->labels;
  const unsigned barrier = piece % 8;
  listing->labels += 4;
  put_condition(listing, piece);
  put_scope(listing, barrier, first + 3);
  put_jump(listing, "@!P0", first + 1);
  put_sums(listing, piece, 4);
  put(listing, "MOV R180, RZ");
  place(listing, first);
  put(listing, "IADD3 R180, R180, 0x1, RZ");
  put(listing, "ISETP.NE.AND P1, PT, R180, 0x8, PT");
  put_jump(listing, "@P1", first);
  put_jump(listing, "", first + 2);
  place(listing, first + 1);
  put_sums(listing, piece + 4, 3);
  place(listing, first + 2);
  put_register(listing, "", "BSYNC B", barrier, "");
  place(listing, first + 3);
  put_sums(listing, piece + 7, 3);
}

/* A loop whose lanes leave one by one, some of them by a BREAK from a scope inside. */
static void put_loop(struct listing *listing, unsigned piece)
{
  const unsigned first = listing->labels;
  const unsigned outer = piece % 8;
  const unsigned inner = (piece + 1) % 8;
  listing->labels += 5;
  put_scope(listing, outer, first + 4);
  put(listing, "MOV R181, RZ");
  place(listing, first);
  put_condition(listing, piece);
  put_scope(listing, inner, first + 2);
  put_jump(listing, "@!P0", first + 1);
  put(listing, "LDG.E R182, [R4.64]");
  put(listing, "ISETP.NE.AND P1, PT, R182, RZ, PT");
  put_register(listing, "@P1", "BREAK B", inner, "");
  put_jump(listing, "@P1", first + 3);
  put_sums(listing, piece, 2);
  place(listing, first + 1);
  put_register(listing, "", "BSYNC B", inner, "");
  place(listing, first + 2);
  put(listing, "IADD3 R181, R181, 0x1, RZ");
  put(listing, "ISETP.GE.AND P0, PT, R181, 0x10, PT");
  put_jump(listing, "@!P0", first);
  place(listing, first + 3);
  put_register(listing, "", "BSYNC B", outer, "");
  place(listing, first + 4);
}

/* A slow path in a subroutine for some lanes. */
static void put_call(struct listing *listing, unsigned piece)
{
  const unsigned point = listing->labels++;
  put_condition(listing, piece);
  put_scope(listing, piece % 8, point);
  put_jump(listing, "@!P0", listing->labels);
  put_start(listing, "");
  wb_text_format(&listing->text, "MOV R184, 0x%" PRIx32 " ;\n", listing->address + BYTES_EACH);
  put(listing, "CALL.REL.NOINC `($slow)");
  place(listing, listing->labels++);
  put_register(listing, "", "BSYNC B", piece % 8, "");
  place(listing, point);
}

/* Loops and ifs inside each other, each in a scope, as compilers make them without optimisation:
 * around a call to outside a register holds the innermost scope's mask. */
static void put_nest(struct listing *listing, unsigned piece, unsigned depth)
{
  const unsigned first = listing->labels;
  const unsigned barrier = depth;
  listing->labels += 3;
  put_condition(listing, piece);
  put_scope(listing, barrier, first + 2);
  place(listing, first);
  put_sums(listing, piece, 2);
  put_register(listing, "", "ISETP.NE.AND P0, PT, R0, 0x", piece % 10, ", PT");
  put_jump(listing, "@!P0", first + 1);
  if (depth > 0) {
    put_nest(listing, piece + 1, depth - 1);
    if (piece % 2 == 0)
      put_nest(listing, piece + 3, depth - 1);
  } else {
    put_register(listing, "", "BMOV.32.CLEAR R", 100 + piece % 50, ", B0");
    put(listing, "CALL.ABS.NOINC `(outside)");
    put_register(listing, "", "BMOV.32 B0, R", 100 + piece % 50, "");
  }
  put_register(listing, "", "ISETP.GE.AND P1, PT, R0, 0x", piece % 7, ", PT");
  if (depth > 0 && piece % 3 == 0)
    put_jump(listing, "@P1", first);
  place(listing, first + 1);
  put_register(listing, "", "BSYNC B", barrier, "");
  place(listing, first + 2);
}

static void put_subroutine(struct listing *listing)
{
  const unsigned point = listing->labels++;
  wb_text_string(&listing->text, "$slow:\n");
  put(listing, "ISETP.GT.AND P2, PT, R0, 0x5, PT");
  put_scope(listing, 8, point);
  put_jump(listing, "@P2", listing->labels);
  put_sums(listing, 0, 8);
  place(listing, listing->labels++);
  put(listing, "BSYNC B8");
  place(listing, point);
  put(listing, "MOV R185, 0x0");
  put(listing, "RET.REL.NODEC R184 `(generated)");
}

char *group_listing_make(size_t length, bool nested)
{
  struct listing listing = {0};
  wb_text_string(&listing.text, headings);
  put(&listing, "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]");
  put(&listing, "S2R R0, SR_TID.X");
  for (unsigned piece = 1; listing.address / BYTES_EACH < length && !listing.text.failed; piece++) {
    if (nested)
      put_nest(&listing, piece, 5);
    else if (piece % PIECES_A_CALL == 0)
      put_call(&listing, piece);
    else if (piece % PIECES_A_SYNC == 0)
      put(&listing, "WARPSYNC 0xffffffff");
    else if (piece % 3 == 0)
      put_loop(&listing, piece);
    else
      put_if(&listing, piece);
  }
  put(&listing, "EXIT");
  put_subroutine(&listing);
  return wb_text_take(&listing.text);
}
