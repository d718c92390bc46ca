/* The spaces of memory that instructions access. */
#ifndef WB_FLOW_ACCESSES_MEMORY_SPACE_H
#define WB_FLOW_ACCESSES_MEMORY_SPACE_H

enum wb_memory_space {
  WB_SPACE_GLOBAL,
  WB_SPACE_SHARED,
  WB_SPACE_LOCAL,
  WB_SPACE_CONSTANT, /* LDC */
  WB_SPACE_GENERIC,  /* global, shared or local: LD, ST, ATOM without a space */
  WB_SPACE_TEXTURE,  /* textures and surfaces */
  WB_SPACE_COUNT
};

#endif
