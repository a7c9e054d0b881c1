/* Emulators: what is told from what, on machines whose code costs what the test says. */
#include "probes/machine/emulator.h"
#include "tests/unit/unit.h"

/* A clock that runs by what the pieces say. */
struct fake_machine {
  struct hw_machine machine;
  double now_ns;
};

static struct fake_machine *fake;
static double fake_first_ns, fake_again_ns, fake_disturbed_ns;
static unsigned fake_visits, fake_reads;
static unsigned char fake_seen[4096];

static double fake_now(struct hw_machine *machine) {
  struct fake_machine *at = (struct fake_machine *)machine;

  /* One reading in eight comes late. */
  if (++fake_reads % 8 == 0)
    at->now_ns += fake_disturbed_ns;
  return at->now_ns;
}

static unsigned piece(void) { return 1; }

/* Visits pieces of which each is its own place in the list. */
static unsigned jumps(hw_code_piece *const *visit, size_t n) {
  for (size_t i = 0; i < n; i++) {
    size_t k = ((uintptr_t)visit[i] - (uintptr_t)piece) % 4096;
    fake->now_ns += fake_seen[k] ? fake_again_ns : fake_first_ns;
    fake_seen[k] = 1;
    fake_visits++;
  }
  return 0;
}

/* What the first visits to so many pieces show. */
static double first(size_t pieces, double first_ns, double again_ns, double disturbed_ns) {
  static const struct hw_machine_ops ops = {.now = fake_now};
  struct fake_machine machine = {.machine = {.ops = &ops}};
  struct hw_code code = {.jumps = jumps};
  size_t position[4096];
  hw_code_piece *list[4096];
  double result;

  fake = &machine;
  fake_first_ns = first_ns;
  fake_again_ns = again_ns;
  fake_disturbed_ns = disturbed_ns;
  fake_visits = fake_reads = 0;
  for (size_t i = 0; i < pieces; i++) {
    fake_seen[i] = 0;
    position[i] = 512 * i;
    list[i] = (hw_code_piece *)((uintptr_t)piece + i);
  }
  code.n = pieces;
  code.position = position;
  code.piece = list;
  result = hw_emulator_first(&machine.machine, &code);
  code.position = NULL;
  code.piece = NULL;
  hw_code_free(&code);
  return result;
}

static void translators_are_seen(void **state) {
  (void)state;
  /* QEMU's on this machine's sort, in two guises; Valgrind's. */
  assert_true(hw_emulator_seen(first(640, 2700, 60, 0), 0.31));
  assert_true(hw_emulator_seen(first(640, 5200, 65, 0), 0.49));
  assert_true(hw_emulator_seen(first(640, 100000, 20, 0), 0.31));
  /* QEMU's for s390x, whose additions are slow there. */
  assert_true(hw_emulator_seen(first(640, 2228, 60, 0), 1.2));
  /* On a slow machine, and where everything comes late now and then. */
  assert_true(hw_emulator_seen(first(640, 100000, 2000, 0), 10));
  assert_true(hw_emulator_seen(first(640, 2700, 60, 1e6), 0.31));
}

static void processors_are_not(void **state) {
  (void)state;
  assert_false(hw_emulator_seen(first(640, 25, 6, 0), 0.31));
  /* Two misses of a slow memory each, on a quick and on a slow processor. */
  assert_false(hw_emulator_seen(first(640, 2 * 100, 5, 0), 0.25));
  assert_false(hw_emulator_seen(first(640, 2 * 400, 40, 0), 5));
  /* Disturbed nearly always. */
  assert_false(hw_emulator_seen(first(640, 25, 6, 1e6), 0.31));
  /* A clock that has not moved. */
  assert_false(hw_emulator_seen(first(640, 0, 0, 0), 0.31));
}

static void few_pieces_tell_nothing(void **state) {
  (void)state;
  assert_true(first(0, 2700, 60, 0) < 0);
  assert_true(first(10, 2700, 60, 0) < 0);
  assert_false(hw_emulator_seen(-1, 0.31));
}

/* One piece of each page is visited alone, the others in groups that are full. */
static void each_piece_once(void **state) {
  (void)state;
  (void)first(64, 1000, 10, 0);
  assert_int_equal(fake_visits, 64 / 8 + (64 - 64 / 8) / 16 * 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(translators_are_seen), cmocka_unit_test(processors_are_not),
      cmocka_unit_test(few_pieces_tell_nothing), cmocka_unit_test(each_piece_once)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
