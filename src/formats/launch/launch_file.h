/* Launch files, "warpbound-launch-1" (doc/formats.md): an upper bound on the time of a whole
 * launch. One JSON object with the members
 *
 *   format       "warpbound-launch-1"
 *   cycles       the bound
 *   device, values, assumptions
 *                what the numbers rest on, for people; may be left out: the device's name,
 *                [{"name": "l2.delay", "value": 210, "kind": "assumed"}, ...], sentences
 *   launch       {"blocks": 120, "block_warps": 8, "sms": 14, "partitions": 4,
 *                "resident_blocks": 3, "overhead": 0, "block_start": 0, "dispatch": 0,
 *                "other_resident_blocks": [2, 1]}, the last four may be left out: 0, none;
 *                other_resident_blocks: what resident_blocks may be as well
 *   kept         data that L2 keeps, may be left out: {"retained": 3145728, "copies": 1, "warm":
 *                true, "buffers": [{"bytes": 4096, "by_sector": true}, ...]}; copies left out: 1
 *   fetches      what the launch fetches once, may be left out: [{"of": "code", "count": 7,
 * "caches": "sm", "stages": [[RESOURCE, REQUESTS, DELAY, SERVICE], ...]}, ...] resources [{"name":
 * "slot", "of": "partition", "servers": 1, "at_issue": true}, ...]; "of" is "partition", "sm" or
 * "gpu"; "place" in the series of stages, from 1, may be left out: none; instructions [{"stall": 4,
 * "before": 90, "uses": [[RESOURCE, SERVICE], ...], "stages":
 * [[RESOURCE, REQUESTS, DELAY, SERVICE], ...], "latency": 80, "read_latency": 4, "read_stages": 1,
 * "write": 0, "read": 1, "wait": [0, 2], "count": [0, 3], "barrier": true, "fence": true,
 * "posted": true}, ...]:
 * all but "stall" and "uses" may be left out; a stage that fetches kept data has two numbers more:
 * their number in "buffers", from 1, and the cycles of a hit; "write" and "read" are the
 * scoreboards that results and read operands release, "count" is a scoreboard and how many
 * instructions may not have released it nodes        [FIRST, LAST] each, its instructions; []
 * without any start, ends, edges, starts, ports, limits as in formats/paths/paths_file.h
 *   interleaved  the nodes between whose instructions other groups of lanes may run, or wait
 *                meanwhile; may be left out: none
 *   exits        where several groups of lanes run: the nodes where lanes may end; may be left
 *                out: all
 *   early_ends   warps may end before barriers of others, which then wait for the rest; may be left
 *                out: false
 *   groups       with as_many: of each group of warps by itself; may be left out: false
 *   as_many      all warps of a block pass as many barriers, of the same numbers; may be left out:
 *                false
 *   same_path    all warps of a block take one path; may be left out: false
 *   launch_path  all warps of the launch do; how often the proof of "one-path" counts each sum:
 *                {"own": 2, "partition": 30, "gpu": 960}; may be left out: nothing is said
 *   pending      for each node what may still keep a warp there, in 1 / D cycles, where D is the
 *                least common multiple of all servers: {"scoreboards": [[0, 120]], "services":
 *                [[RESOURCE, 8]], "end": 130, "stay": 90}, what is left out is 0, and of "stay"
 *                what "end" is
 *   advance      [[EDGE, TIME], ...], of edges that pay some of the waits after them, in 1 / D
 *                cycles; may be left out: none
 *   maxima       proofs: [{"of": "own", "phase": 0, "scale": 1, "prices": [by limit],
 *                "potentials": [by node, or port]}, ...]; "phase" left out: of all phases
 *                together; "composite": of paths that several warps share; "stretch": between two
 *                barriers */
#ifndef WB_FORMATS_LAUNCH_LAUNCH_FILE_H
#define WB_FORMATS_LAUNCH_LAUNCH_FILE_H

#include "base/list.h"
#include "base/status.h"
#include "base/text.h"
#include "certificate/launch/launch_claim.h"
#include "formats/json/json_input.h"
#include "formats/paths/paths_file.h"
#include "model/devices/device_timing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_LAUNCH_FORMAT "warpbound-launch-1"

/* The members of timed code: kept data, fetches, resources and instructions. The caller frees the
 * code, after a failure too. Written they end with a comma. */
void wb_launch_code_read(struct wb_json_reader *reader, const json_t *object,
                         struct wb_timed_code *code);
void wb_launch_code_write(const struct wb_timed_code *code, struct wb_text *text);

/* Most nodes of a file: each takes some hundred bytes, however short it is written. */
#define WB_LAUNCH_NODE_LIMIT (1 << 20)

/* Most entries of either list in a file. */
#define WB_LAUNCH_GROUNDS_LIMIT 8192

/* What the numbers of a launch file rest on: members that say it for whoever reads the verdict, and
 * of which the check takes no notice. Who makes them says who owns the texts and arrays. */
struct wb_launch_grounds {
  const char *device;             /* its name; NULL: the file does not say */
  struct wb_device_value *values; /* of the device; without sources */
  size_t value_count;
  struct wb_list assumptions;
  struct wb_arena arena; /* of grounds that were read: the rest */
};

/* Of grounds that were read. */
void wb_launch_grounds_free(struct wb_launch_grounds *grounds);

/* Reads the members "device", "values" and "assumptions", which may all be left out. */
void wb_launch_grounds_read(struct wb_json_reader *reader, const json_t *object,
                            struct wb_launch_grounds *grounds);

/* The values as a list of {"name", "value", "kind"}; a new reference, NULL where memory is out. */
json_t *wb_launch_grounds_values(const struct wb_launch_grounds *grounds);

/* A claim read from a file. Owns all that it points to: free with wb_launch_file_free. */
struct wb_launch_file {
  struct wb_check_launch_claim claim;
  uint32_t *first, *last;                  /* the claim's, to be changed */
  struct wb_check_launch_pending *pending; /* likewise */
  uint64_t *advance;                       /* likewise */
  struct wb_check_launch_maximum *maxima;  /* likewise */
  struct wb_launch_grounds grounds;        /* the claim has nothing of it */
  struct wb_arena arena;
};

/* Reads the object of a launch file into a struct wb_launch_file (wb_json_read). Only the form is
 * checked here; whether the claim holds is for wb_check_launch to say. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the object. */
wb_json_read wb_launch_file_read;
void wb_launch_file_free(struct wb_launch_file *file);

/* Writes a claim and what it rests on (NULL: nothing is said of it), which are borrowed for the
 * call. The caller checks text->failed. Linear in the claim. */
void wb_launch_file_write(const struct wb_check_launch_claim *claim,
                          const struct wb_launch_grounds *grounds, struct wb_text *text);

#endif
