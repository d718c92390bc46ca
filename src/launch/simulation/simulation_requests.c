/* What instructions do after issue: their requests, and when these release scoreboards. */
#include "launch/simulation/launch_machine.h"

#include "base/checked.h"
#include "base/memory.h"

/* The queues are pairing heaps (Fredman, Sedgewick, Sleator and Tarjan, Algorithmica 1986). */

/* Both are roots without siblings, neither nobody. */
static uint32_t meld(struct wb_launch_flight *flights, uint32_t a, uint32_t b)
{
  const struct wb_launch_flight *const x = &flights[a];
  const struct wb_launch_flight *const y = &flights[b];
  bool a_first = x->key < y->key;
  if (x->key == y->key)
    a_first = x->age != y->age ? x->age < y->age : x->item < y->item;
  const uint32_t parent = a_first ? a : b;
  const uint32_t child = a_first ? b : a;
  flights[child].sibling = flights[parent].child;
  flights[parent].child = child;
  flights[parent].sibling = WB_NOBODY;
  return parent;
}

/* Removes the first flight: melds its children in pairs, then the pairs from the last on. */
static void pop(struct wb_launch_machine *machine, struct wb_launch_station *station)
{
  struct wb_launch_flight *const flights = machine->flights;
  uint32_t child = flights[station->queue].child;
  uint32_t pairs = WB_NOBODY;
  while (child != WB_NOBODY) {
    const uint32_t second = flights[child].sibling;
    const uint32_t rest = second == WB_NOBODY ? WB_NOBODY : flights[second].sibling;
    const uint32_t pair = second == WB_NOBODY ? child : meld(flights, child, second);
    flights[pair].sibling = pairs;
    pairs = pair;
    child = rest;
  }
  uint32_t root = WB_NOBODY;
  while (pairs != WB_NOBODY) {
    const uint32_t next = flights[pairs].sibling;
    flights[pairs].sibling = WB_NOBODY;
    root = root == WB_NOBODY ? pairs : meld(flights, root, pairs);
    pairs = next;
  }
  station->queue = root;
}

static void touch(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_station *const station = &machine->stations[number];
  if (station->touched || station->queue == WB_NOBODY)
    return;
  station->touched = true;
  if (machine->convoys.on)
    machine->touched[machine->station_base[station->resource] +
                     machine->convoys.touched_count[station->resource]++] = number;
  else
    machine->touched[machine->touched_count++] = number;
}

static const struct wb_request_stage *stage_of(const struct wb_launch_machine *machine,
                                               const struct wb_launch_flight *flight)
{
  if (flight->copy)
    return &machine->copies[flight->member];
  if (flight->line != WB_NOBODY)
    return &machine->code->cold[machine->code->cold_lines.lines[flight->line].fetch]
                .stages[flight->stage];
  const struct wb_timed_instruction *const step = &machine->code->instructions[flight->instruction];
  return &machine->code->stages[step->first_stage + flight->stage];
}

/* Sets the flight's place in a queue: the least goes first. */
static void set_order(const struct wb_launch_machine *machine, struct wb_launch_flight *flight)
{
  const uint64_t item = (uint64_t)flight->step << 8 | flight->stage;
  flight->item = item;
  flight->key = machine->wheel.now;
  switch (machine->options->policy) {
  case WB_LAUNCH_GREEDY_OLDEST:
    flight->key = flight->age;
    break;
  case WB_LAUNCH_GREEDY_YOUNGEST:
    flight->key = ~flight->age;
    flight->item = ~item;
    break;
  case WB_LAUNCH_RANDOM:
    flight->key = wb_launch_mix(machine->salt, flight->age, item);
    break;
  case WB_LAUNCH_LAGGING_YOUNGEST: /* ages are below 2^62 */
    flight->key = (UINT64_C(1) << 62) - flight->age;
    flight->item = ~item;
    flight->key |= wb_launch_is_victim(machine, flight->age) ? UINT64_C(1) << 63 : 0;
    break;
  case WB_LAUNCH_STARVING:
  case WB_LAUNCH_LAGGING:
  case WB_LAUNCH_CONVOY_LAGGING:
  case WB_LAUNCH_IN_STEP_LAGGING:
    flight->key |= wb_launch_is_victim(machine, flight->age) ? UINT64_C(1) << 63 : 0;
    break;
  case WB_LAUNCH_ROUND_ROBIN:
  case WB_LAUNCH_CONVOY:
  case WB_LAUNCH_IN_STEP:
  case WB_LAUNCH_POLICY_COUNT:
    break;
  }
}

void wb_launch_arrive(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_flight *const flight = &machine->flights[number];
  const struct wb_request_stage *const stage = stage_of(machine, flight);
  flight->arrival = machine->wheel.now;
  if (flight->parent == WB_NOBODY) {
    flight->first = 0;
    flight->count = stage->requests;
  }
  flight->waiting = flight->count;
  flight->serving = 0;
  flight->service = wb_launch_draw(machine, flight->age, flight->step,
                                   WB_DRAW_STAGE + 2u * flight->stage + 1, stage->service, 1);
  flight->station = machine->station_base[stage->resource];
  if (machine->code->resources[stage->resource].level == WB_LEVEL_PARTITION)
    flight->station += flight->partition;
  else if (machine->code->resources[stage->resource].level == WB_LEVEL_SM)
    flight->station += flight->partition / machine->partitions;
  set_order(machine, flight);
  struct wb_launch_station *station = &machine->stations[flight->station];
  machine->flights[number].child = WB_NOBODY;
  machine->flights[number].sibling = WB_NOBODY;
  station->queue =
      station->queue == WB_NOBODY ? number : meld(machine->flights, station->queue, number);
  touch(machine, flight->station);
}

void wb_launch_begin_stage(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_launch_flight *const flight = &machine->flights[number];
  const uint32_t delay =
      wb_launch_draw(machine, flight->age, flight->step, WB_DRAW_STAGE + 2u * flight->stage,
                     stage_of(machine, flight)->delay, 0);
  if (delay == 0)
    wb_launch_arrive(machine, number);
  else
    wb_time_wheel_push(&machine->wheel, machine->wheel.now + delay, WB_WAKE_ARRIVAL, number, 0);
}

static void drop_pending(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_flight *const flight = &machine->flights[number];
  if (--flight->pending > 0)
    return;
  const uint32_t member = flight->member;
  flight->sibling = machine->free_flight;
  machine->free_flight = number;
  machine->members[member].flights--;
  wb_launch_try_end(machine, member);
}

void wb_launch_flight_release(struct wb_launch_machine *machine, uint32_t number,
                              uint8_t scoreboard)
{
  const struct wb_launch_flight *const flight = &machine->flights[number];
  wb_launch_release(machine, flight->warp, flight->age, scoreboard, machine->wheel.now);
  drop_pending(machine, number);
}

/* A release of the scoreboard at `time`, now or later, is known. */
static void set_release(struct wb_launch_machine *machine, uint32_t number, uint8_t scoreboard,
                        uint64_t time)
{
  const struct wb_launch_flight *const flight = &machine->flights[number];
  if ((machine->counted >> scoreboard & 1) == 0)
    wb_launch_release(machine, flight->warp, flight->age, scoreboard, time);
  else if (time == machine->wheel.now)
    wb_launch_flight_release(machine, number, scoreboard);
  else
    wb_time_wheel_push(&machine->wheel, time, WB_WAKE_RELEASE, number, scoreboard);
}

static bool is_counted_twice(const struct wb_launch_machine *machine,
                             const struct wb_timed_instruction *step)
{
  return step->write_scoreboard == step->read_scoreboard &&
         step->write_scoreboard != WB_NO_SCOREBOARD &&
         (machine->counted >> step->write_scoreboard & 1) != 0;
}

/* The operands are read, `read_latency` from now. */
static void end_reading(struct wb_launch_machine *machine, uint32_t number)
{
  struct wb_launch_flight *const flight = &machine->flights[number];
  const struct wb_timed_instruction *const step = &machine->code->instructions[flight->instruction];
  if (step->read_scoreboard == WB_NO_SCOREBOARD)
    return;
  const uint64_t time =
      machine->wheel.now + wb_launch_draw(machine, flight->age, flight->step, WB_DRAW_READ_LATENCY,
                                          step->read_latency, 0);
  wb_launch_will_end(machine, flight, time);
  if (is_counted_twice(machine, step))
    flight->read_release = time;
  else
    set_release(machine, number, step->read_scoreboard, time);
}

/* The results are there, `latency` from now. */
static void end_stages(struct wb_launch_machine *machine, uint32_t number)
{
  const struct wb_launch_flight *const flight = &machine->flights[number];
  const struct wb_timed_instruction *const step = &machine->code->instructions[flight->instruction];
  uint64_t time = machine->wheel.now + wb_launch_draw(machine, flight->age, flight->step,
                                                      WB_DRAW_LATENCY, step->latency, 0);
  wb_launch_will_end(machine, flight, time);
  if (is_counted_twice(machine, step))
    time = wb_maximum(time, flight->read_release);
  wb_launch_end_flight(machine, flight->warp, flight->age);
  if (step->write_scoreboard != WB_NO_SCOREBOARD)
    set_release(machine, number, step->write_scoreboard, time);
  drop_pending(machine, number);
}

/* Whether each request of the flight's stage goes on by itself to the next one. */
static bool goes_apart(const struct wb_launch_machine *machine,
                       const struct wb_launch_flight *flight)
{
  if (machine->pair.front == WB_RESOURCE_LIMIT || flight->copy || flight->line != WB_NOBODY ||
      flight->parent != WB_NOBODY)
    return false;
  const struct wb_timed_instruction *const step = &machine->code->instructions[flight->instruction];
  return flight->stage + 1u < step->stage_count &&
         wb_stage_pair_follows(machine->code, &machine->pair, step, flight->stage + 1u);
}

/* So many requests of the flight, the last that were served, go on without the others. */
static void go_apart(struct wb_launch_machine *machine, uint32_t number, uint32_t count)
{
  const uint32_t part = wb_launch_take_flight(machine);
  if (part == WB_NOBODY)
    return;
  struct wb_launch_flight *const flight = &machine->flights[number];
  struct wb_launch_flight *const apart = &machine->flights[part];
  *apart = *flight;
  apart->parent = number;
  apart->first = flight->count - flight->waiting - flight->serving - count;
  apart->count = count;
  apart->stage++;
  flight->apart += count;
  if (flight->waiting == 0 && flight->serving == 0 &&
      apart->stage == machine->code->instructions[flight->instruction].read_stages)
    end_reading(machine, number);
  wb_launch_begin_stage(machine, part);
}

/* The requests that had gone on by themselves are served. The flight that they are of, where all of
 * its own are; or nobody. */
static uint32_t come_together(struct wb_launch_machine *machine, uint32_t part)
{
  struct wb_launch_flight *const apart = &machine->flights[part];
  const uint32_t number = apart->parent;
  struct wb_launch_flight *const flight = &machine->flights[number];
  flight->apart -= apart->count;
  apart->sibling = machine->free_flight;
  machine->free_flight = part;
  if (flight->apart > 0 || flight->waiting > 0 || flight->serving > 0)
    return WB_NOBODY;
  flight->stage++;
  return number;
}

void wb_launch_served(struct wb_launch_machine *machine, uint32_t number, uint32_t count)
{
  struct wb_launch_flight *flight = &machine->flights[number];
  if (machine->convoys.on && machine->stations[flight->station].free == 0)
    wb_launch_empty(machine, flight->station);
  machine->stations[flight->station].free += count;
  touch(machine, flight->station);
  flight->serving -= count;
  const bool whole = flight->waiting == 0 && flight->serving == 0;
  if (count < flight->count && goes_apart(machine, flight)) {
    go_apart(machine, number, count);
    return;
  }
  if (!whole)
    return;
  if (flight->parent != WB_NOBODY) {
    number = come_together(machine, number);
    if (number == WB_NOBODY)
      return;
    flight = &machine->flights[number];
  }
  if (flight->copy) {
    flight->sibling = machine->free_flight;
    machine->free_flight = number;
    return;
  }
  const struct wb_timed_instruction *const step = &machine->code->instructions[flight->instruction];
  const uint8_t ended = ++flight->stage;
  if (flight->line != WB_NOBODY) {
    if (ended ==
        machine->code->cold[machine->code->cold_lines.lines[flight->line].fetch].stage_count)
      wb_launch_end_fetch(machine, number);
    else
      wb_launch_begin_stage(machine, number);
    return;
  }
  if (ended == machine->local_stages[flight->instruction]) {
    const uint32_t resident = machine->warps[flight->warp].resident;
    machine->blocks[resident].flights--;
    wb_launch_try_leave(machine, resident);
  }
  if (ended == step->read_stages)
    end_reading(machine, number);
  if (ended == step->stage_count)
    end_stages(machine, number);
  else
    wb_launch_begin_stage(machine, number);
}

uint32_t wb_launch_take_flight(struct wb_launch_machine *machine)
{
  if (machine->free_flight == WB_NOBODY) {
    const size_t before = machine->flight_capacity;
    if (before >= machine->most_flights ||
        !wb_grow(machine->flights, &machine->flight_capacity, before + 64)) {
      machine->failed = true;
      return WB_NOBODY;
    }
    for (size_t i = machine->flight_capacity; i-- > before;) {
      machine->flights[i].sibling = machine->free_flight;
      machine->free_flight = (uint32_t)i;
    }
  }
  const uint32_t number = machine->free_flight;
  machine->free_flight = machine->flights[number].sibling;
  machine->flights[number].line = WB_NOBODY;
  machine->flights[number].copy = false;
  machine->flights[number].parent = WB_NOBODY;
  machine->flights[number].apart = 0;
  return number;
}

void wb_launch_start_flight(struct wb_launch_machine *machine, uint32_t id, uint32_t instruction)
{
  const uint32_t number = wb_launch_take_flight(machine);
  if (number == WB_NOBODY)
    return;
  struct wb_launch_flight *const flight = &machine->flights[number];
  struct wb_launch_warp *const warp = &machine->warps[id];
  const struct wb_timed_instruction *const step = &machine->code->instructions[instruction];
  warp->flights++;
  flight->age = warp->age;
  flight->step = warp->step;
  flight->instruction = instruction;
  flight->warp = id;
  flight->partition = warp->partition;
  flight->member = machine->blocks[warp->resident].member;
  machine->members[flight->member].flights++;
  flight->stage = 0;
  /* Counts what the flight is going to release; the warp waits until then. */
  unsigned counted = 0;
  if (step->write_scoreboard != WB_NO_SCOREBOARD) {
    warp->held[step->write_scoreboard]++;
    counted += machine->counted >> step->write_scoreboard & 1;
  }
  if (step->read_scoreboard != WB_NO_SCOREBOARD && !is_counted_twice(machine, step)) {
    warp->held[step->read_scoreboard]++;
    counted += machine->counted >> step->read_scoreboard & 1;
  }
  flight->pending = (uint8_t)(1 + counted);
  machine->blocks[warp->resident].flights += machine->local_stages[instruction] > 0;
  if (step->read_stages == 0)
    end_reading(machine, number);
  if (step->stage_count == 0)
    end_stages(machine, number);
  else
    wb_launch_begin_stage(machine, number);
}

static void record_start(struct wb_launch_machine *machine, const struct wb_launch_flight *flight,
                         uint32_t count)
{
  const struct wb_request_stage *const stage = stage_of(machine, flight);
  const uint64_t now = machine->wheel.now;
  struct wb_launch_event event = {
      .kind = WB_EVENT_WAIT,
      .step = (uint32_t)flight->step,
      .instruction = flight->instruction,
      .stage = flight->stage,
      .request = flight->first + flight->count - flight->waiting,
      .resource = stage->resource,
      .time = flight->arrival,
      .until = now,
  };
  if (flight->copy || flight->line != WB_NOBODY) {
    event.kind = flight->copy ? WB_EVENT_COPY : WB_EVENT_FETCH;
    event.instruction = flight->copy ? flight->member : flight->line;
  } else {
    if (flight->arrival < now)
      wb_launch_record(machine, &event, flight->age, flight->partition);
    event.kind = WB_EVENT_REQUEST;
  }
  event.time = now;
  event.until = now + flight->service;
  for (uint32_t i = 0; i < count; i++, event.request++)
    wb_launch_record(machine, &event, flight->age, flight->partition);
}

/* Requests that wait at the station start as long as it has servers. */
static void serve(struct wb_launch_machine *machine, struct wb_launch_station *station)
{
  station->touched = false;
  while (station->free > 0 && station->queue != WB_NOBODY) {
    const uint32_t number = station->queue;
    struct wb_launch_flight *const flight = &machine->flights[number];
    const uint32_t count = (uint32_t)wb_minimum(station->free, flight->waiting);
    const uint64_t end = machine->wheel.now + flight->service;
    if (machine->recording)
      record_start(machine, flight, count);
    station->free -= count;
    flight->waiting -= count;
    flight->serving += count;
    if (flight->waiting == 0)
      pop(machine, station);
    wb_launch_busy(machine, station->resource, (uint64_t)count * flight->service);
    wb_launch_ends(machine, flight->member, end);
    wb_time_wheel_push(&machine->wheel, end, WB_WAKE_SERVED, number, (uint16_t)count);
  }
}

/* One resource after the other; stations that wait stay touched. */
static void serve_convoys(struct wb_launch_machine *machine)
{
  struct wb_launch_convoys *const convoys = &machine->convoys;
  for (size_t n = 0; n < convoys->order_count && (convoys->full == 0 || convoys->in_step); n++) {
    const uint8_t resource = convoys->order[n];
    uint32_t *const touched = &machine->touched[machine->station_base[resource]];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < convoys->touched_count[resource]; i++) {
      const uint32_t number = touched[i];
      if (wb_launch_station_waits(machine, number)) {
        touched[kept++] = number;
        continue;
      }
      serve(machine, &machine->stations[number]);
      if (machine->stations[number].free == 0)
        wb_launch_fill(machine, number);
    }
    convoys->touched_count[resource] = kept;
  }
}

void wb_launch_serve_all(struct wb_launch_machine *machine)
{
  if (machine->convoys.on) {
    serve_convoys(machine);
    return;
  }
  for (size_t i = 0; i < machine->touched_count; i++)
    serve(machine, &machine->stations[machine->touched[i]]);
  machine->touched_count = 0;
}

void wb_launch_start_copy(struct wb_launch_machine *machine, uint32_t step)
{
  const struct wb_request_stage *const stage = &machine->copies[step];
  const uint32_t number = stage->service > 0 ? machine->station_base[stage->resource] : WB_NOBODY;
  struct wb_launch_station *const station = &machine->stations[number];
  if (number == WB_NOBODY || station->free < stage->requests ||
      stage->service > machine->graph->steps[step].cycles)
    return;
  const uint32_t id = wb_launch_take_flight(machine);
  if (id == WB_NOBODY)
    return;
  struct wb_launch_flight *const flight = &machine->flights[id];
  const uint64_t now = machine->wheel.now;
  flight->age = (machine->members[step].first_block + 1) * machine->stride - 1;
  flight->step = 0;
  flight->partition = 0;
  flight->member = step;
  flight->stage = 0;
  flight->copy = true;
  flight->station = number;
  flight->arrival = now;
  flight->first = 0;
  flight->count = flight->waiting = stage->requests;
  flight->service = stage->service;
  if (machine->recording)
    record_start(machine, flight, stage->requests);
  station->free -= stage->requests;
  if (machine->convoys.on && station->free == 0)
    wb_launch_fill(machine, number);
  flight->waiting = 0;
  flight->serving = stage->requests;
  wb_launch_busy(machine, stage->resource, (uint64_t)stage->requests * stage->service);
  wb_time_wheel_push(&machine->wheel, now + stage->service, WB_WAKE_SERVED, id,
                     (uint16_t)stage->requests);
}
