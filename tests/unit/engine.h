/* An engine on a simulated machine. */
#ifndef HW_UNIT_ENGINE_H
#define HW_UNIT_ENGINE_H

#include "probes/engine.h"
#include "tests/unit/machine.h"

#include <math.h>

/* Opens an engine on the machine that the text describes, with an effort of that name, which leaves
   out nothing, and so many bytes of memory.  It has no deadline, seed 1, and a log that can be read
   again. */
static inline struct hw_engine engine_of(const char *text, const char *effort, size_t memory) {
  struct hw_engine engine = {.bench = {.machine = machine_of(text),
                                       .deadline = INFINITY,
                                       .memory = memory,
                                       .compiler = "none",
                                       .flags = "none",
                                       .seed = 1,
                                       .log = tmpfile()}};

  assert_non_null(engine.bench.log);
  assert_int_equal(hw_effort_find(effort, &engine.bench.effort), 0);
  engine.bench.effort.leaves = 0;
  hw_bench_calibrate(&engine.bench);
  return engine;
}

/* Closes the engine, its machine and its log. */
static inline void engine_close(struct hw_engine *engine) {
  hw_curves_free(&engine->bench.curves);
  engine->bench.machine->ops->close(engine->bench.machine);
  fclose(engine->bench.log);
}

static inline void engine_told(void *context, const struct hw_param *param, struct hw_answer answer,
                               enum hw_telling telling) {
  (void)param;
  if (telling == HW_TELL_ANSWER)
    *(struct hw_answer *)context = answer;
}

/* The answer to the row of that name, with as many attempts as the effort has. */
static inline struct hw_answer engine_row(struct hw_engine *engine, const char *row) {
  const struct hw_param *param = hw_param_find(row);
  struct hw_answer answer = {.known = false};

  hw_engine_ask(engine, &param, 1, &(struct hw_told){engine_told, &answer});
  return answer;
}

#endif
