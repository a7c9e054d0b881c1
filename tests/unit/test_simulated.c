/* The simulated machine: the cost of walks to the cycle, its noise against the numbers it was asked
 * for, and every kind of bad file. */
#include "sim/description.h"
#include "tests/unit/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- machines ---- */

/* A clock that shows each ns and costs nothing: a cycle is a ns, so times are cycles. */
#define PLAIN                                                                                      \
  "machine test\ncycle 1 ns\nclock step 1 ns cost 0 ns\nmemory latency 100\n"                      \
  "page bytes 4K placement contiguous\n"
#define SMALL "level 1 bytes 1K ways 2 line 64 latency 3\n" /* 8 sets */

/* A machine with one mapping of 16 MiB. */
struct bench {
  struct hw_machine *machine;
  struct hw_memory *memory;
};

static struct bench bench_open(const char *text, enum hw_placement placement) {
  struct bench bench = {machine_of(text), NULL};

  bench.memory = bench.machine->ops->map(bench.machine, 16777216, placement);
  assert_non_null(bench.memory);
  return bench;
}

static void bench_close(struct bench *bench) {
  bench->machine->ops->unmap(bench->machine, bench->memory);
  bench->machine->ops->close(bench->machine);
}

/* Makes a ring of n places from first on, stride apart.  Cycles that it took. */
static double link_ring(struct bench *bench, size_t first, size_t stride, size_t n) {
  const struct hw_machine_ops *ops = bench->machine->ops;
  size_t *offsets = malloc(n * sizeof *offsets);
  double start;

  assert_non_null(offsets);
  for (size_t i = 0; i < n; i++)
    offsets[i] = first + i * stride;
  start = ops->now(bench->machine);
  assert_int_equal(ops->link(bench->machine, bench->memory, offsets, n), 0);
  free(offsets);
  return ops->now(bench->machine) - start;
}

static double walk_ring(struct bench *bench, unsigned long n) {
  double start = bench->machine->ops->now(bench->machine);

  bench->machine->ops->walk(bench->machine, bench->memory, n);
  return bench->machine->ops->now(bench->machine) - start;
}

/* Cycles of a load in a ring that has been walked long enough. */
static double steady(struct bench *bench, size_t stride, size_t n) {
  link_ring(bench, 0, stride, n);
  walk_ring(bench, 8 * (n + HW_GRAIN) / HW_GRAIN * HW_GRAIN);
  return walk_ring(bench, n * HW_GRAIN) / (double)(n * HW_GRAIN);
}

/* The same on a machine of its own. */
static double steady_on(const char *text, size_t stride, size_t n) {
  struct bench bench = bench_open(text, HW_PAGES_PLAIN);
  double cycles = steady(&bench, stride, n);

  bench_close(&bench);
  return cycles;
}

static double jump(struct hw_machine *machine, unsigned long n) {
  double start = machine->ops->now(machine);

  assert_int_equal(machine->ops->code_walk(machine, n), 0);
  return machine->ops->now(machine) - start;
}

/* Links visits of n pieces so many bytes apart, walks them until they are warm and then once more:
   cycles a jump. */
static double jump_about(struct hw_machine *machine, size_t stride, size_t n) {
  size_t pieces;
  const size_t *place = machine->ops->code(machine, &pieces);
  size_t *ring = malloc(n * sizeof *ring);

  assert_non_null(place);
  assert_non_null(ring);
  for (size_t i = 0; i < n; i++) {
    ring[i] = i * stride / place[1];
    assert_true(ring[i] < pieces && place[ring[i]] == i * stride);
  }
  machine->ops->code_link(machine, ring, n);
  free(ring);
  jump(machine, 4 * (n + HW_GRAIN) / HW_GRAIN * HW_GRAIN);
  return jump(machine, n * HW_GRAIN) / (double)(n * HW_GRAIN);
}

/* ---- sequences ---- */

#define TWO "level 2 bytes 4K ways 4 line 64 latency 10 "        /* 16 sets */
#define LARGE "level 1 bytes 4K ways 4 line 64 latency 3\n"      /* 16 sets */
#define TINY LARGE "level 2 bytes 2K ways 2 line 64 latency 10 " /* 16 sets */
#define WIDE PLAIN "level 1 bytes 64K ways 4 line 64 latency 3\ntlb 1 entries 4 miss 20\n"
#define LINES(more) PLAIN "level 1 bytes 4K ways 2 line 64 latency 3 prefetch " more "\n"
/* Level 2: direct mapped, so that two pages of one colour out of sixteen collide. */
#define COLOURS                                                                                    \
  "machine test\ncycle 1 ns\nclock step 1 ns cost 0 ns\nmemory latency 100\n"                      \
  "level 1 bytes 128 ways 1 line 64 latency 3\nlevel 2 bytes 64K ways 1 line 64 latency 10\n"
#define SCATTERED                                                                                  \
  "machine test\ncycle 1 ns\nclock step 1 ns cost 0 ns\nmemory latency 100\npage bytes 4K\n"
#define HASH(slices) PLAIN "level 1 bytes 48K ways 4 line 64 latency 3 hash " slices "\n"
/* As many lines as there is room for: some sets get too many. */
#define HASHED "fresh 12288 4 = 3, fresh 64 768 > 12.7, fresh 64 768 < 61.2, fresh 12288 8 < 90.3"
/* Level 1 takes a line in 2 cycles and gives one in 1, level 2 in 8 and 4, memory in 32 and 16. */
#define RATES(one, two)                                                                            \
  "machine test\ncycle 1 ns\nclock step 1 ns cost 0 ns\npage bytes 4K placement contiguous\n"      \
  "memory latency 100 read 4 write 2\nlevel 1 bytes 1K ways 2 line 64 latency 3 read 64 write "    \
  "32 " one "\nlevel 2 bytes 4K ways 4 line 64 latency 10 read 16 write 8 " two "\n"

/* What is done on a machine, and the cycles that it takes:
     ring OFFSET...            links these places
     link FIRST STRIDE N       links a ring of n places, stride apart
     walk N, enter OFFSET      along the ring
     steady STRIDE N           cycles of a load of such a ring when it is warm
     fresh STRIDE N            the same on a machine of its own
     store FIRST STRIDE N      stores to n places
     read, down, write, copy BYTES
     add N; jump STRIDE N      additions; cycles of a jump about n pieces
     huge                      on large pages from here on */
static const struct {
  const char *what;
  const char *machine;
  const char *does;
} sequences[] = {
    {"a cycle a ns", PLAIN SMALL,
     "link 0 512 2 = 200, walk 128 = 384, link 0 512 3 = 106, walk 128 = 12800, "
     "walk 256000 = 25600000, add 12800 = 12800"},
    /* Five places, four lines: three lines are in one set of two ways, so that a lap takes 306. 128
       loads are 25 laps and three loads. */
    {"a walk goes on where it ended", PLAIN SMALL,
     "ring 0 512 1024 64 72, walk 128 = 7950, walk 128 = 7756, walk 128 = 7853, walk 128 = 7853, "
     "walk 128 = 7756, walk 128 = 7950, walk 128 = 7756"},
    {"levels", PLAIN SMALL TWO,
     "fresh 1024 2 = 3, fresh 1024 3 = 10, fresh 1024 4 = 10, fresh 1024 5 = 100, "
     "fresh 64 72 > 20"},
    {"exclusive: the ways add up, and so do the capacities, 1K and 4K",
     PLAIN SMALL TWO "exclusive\n",
     "fresh 1024 6 = 10, fresh 1024 7 = 100, fresh 64 80 = 10, fresh 64 88 > 20"},
    {"independent", PLAIN TINY "independent\n", "fresh 1024 3 = 3"},
    {"inclusive: what leaves level 2 is lost to level 1", PLAIN TINY "inclusive\n",
     "fresh 1024 2 = 3, fresh 1024 3 = 100"},
    /* Level 2 has 128-byte lines, 8 sets of 1. */
    {"a line of an inclusive level that leaves takes two with it",
     PLAIN LARGE "level 2 bytes 1K ways 1 line 128 latency 10 inclusive\n",
     "link 0 64 2 = 110, link 0 64 2 = 6, link 1024 64 1 = 100, link 64 64 1 = 100, "
     "link 0 64 1 = 10"},
    /* They differ here in the bits that choose the set. */
    {"level 2 knows a line by its frame, level 1 by its virtual address",
     SCATTERED "level 1 bytes 64K ways 1 line 64 latency 3\n"
               "level 2 bytes 128 ways 1 line 64 latency 10 inclusive\n",
     "fresh 4096 3 = 100"},
    {"victims of level 1 go to 2, those of 2 to 3: 2 + 2 + 4 ways of one set",
     PLAIN SMALL "level 2 bytes 1K ways 2 line 64 latency 10 exclusive\n"
                 "level 3 bytes 2K ways 4 line 64 latency 20 exclusive\n",
     "fresh 512 2 = 3, fresh 512 4 = 10, fresh 512 8 = 20, fresh 512 9 = 100"},
    /* What moves up into both is gone below; so do the next two, and it goes down again. */
    {"level 3 gets what level 2, which holds all that level 1 has, gave up: 2 + 4 ways",
     PLAIN SMALL "level 2 bytes 1K ways 2 line 64 latency 10 inclusive\n"
                 "level 3 bytes 2K ways 4 line 64 latency 20 exclusive\n",
     "fresh 512 2 = 3, fresh 512 6 = 20, fresh 512 7 = 100, link 0 512 6, link 0 512 1 = 20, "
     "link 512 512 1, link 1024 512 1, link 0 512 1 = 20"},
    {"no prefetcher", PLAIN SMALL, "link 0 64 1 = 100, link 64 64 1 = 100"},
    /* A hit brings in nothing; 4096 lies in another page. */
    {"the next line", PLAIN "level 1 bytes 1K ways 2 line 64 latency 3 prefetch next\n",
     "link 0 64 1 = 100, link 64 64 1 = 3, link 128 64 1 = 100, link 4032 64 1 = 100, "
     "link 4096 64 1 = 100"},
    {"the other half of a pair", LINES("pair"),
     "link 64 64 1 = 100, link 0 64 1 = 3, link 128 64 1 = 100, link 192 64 1 = 3, "
     "link 256 64 1 = 100"},
    {"a region", LINES("region"), "link 128 64 1 = 100, link 0 64 4 = 12, link 256 64 1 = 100"},
    /* From the fourth on they are there; another distance; downwards, in another page; not beyond
       the page. */
    {"a stride", PLAIN "level 1 bytes 16K ways 4 line 64 latency 3 prefetch stride\n",
     "link 0 192 6 = 309, link 1024 64 1 = 100, link 8128 0 1 = 100, link 8000 0 1 = 100, "
     "link 7872 0 1 = 100, link 7744 0 1 = 3, link 16064 128 3 = 300, link 16448 0 1 = 100"},
    {"a TLB", WIDE, "fresh 4160 4 = 3, fresh 4160 5 = 23"},
    /* Each fourth page falls into one set of TLB 2. */
    {"two TLBs", WIDE "tlb 2 entries 8 ways 2 miss 50\n",
     "fresh 4160 8 = 23, fresh 4160 12 = 73, fresh 16640 5 = 73"},
    {"a TLB of one way",
     PLAIN "level 1 bytes 64K ways 4 line 64 latency 3\ntlb 1 entries 4 ways 1 miss 20\n",
     "fresh 16640 2 = 23"},
    {"three TLBs",
     PLAIN "level 1 bytes 64K ways 4 line 64 latency 3\ntlb 1 entries 2 miss 20\n"
           "tlb 2 entries 4 miss 50\ntlb 3 entries 8 miss 100 policy plru\n",
     "fresh 4160 2 = 3, fresh 4160 4 = 23, fresh 4160 8 = 73, fresh 4160 12 > 100"},
    {"contiguous", COLOURS "page bytes 4K placement contiguous\n", "fresh 4096 16 = 10"},
    {"16 colours", COLOURS "page bytes 4K placement coloured 16\n", "fresh 4096 16 = 10"},
    {"32 colours", COLOURS "page bytes 4K placement coloured 32\n", "fresh 4096 16 = 10"},
    {"two colours", COLOURS "page bytes 4K placement coloured 2\n",
     "fresh 4096 2 = 10, fresh 4096 16 > 20"},
    {"random", COLOURS "page bytes 4K placement random\n", "fresh 4096 16 > 20"},
    {"random by default", COLOURS "page bytes 4K\n", "fresh 4096 16 > 20"},
    {"virtual addresses choose the set: the frames do not matter",
     SCATTERED "level 1 bytes 64K ways 1 line 64 latency 3\n", "fresh 4096 16 = 3"},
    {"physical ones", SCATTERED "level 1 bytes 64K ways 1 line 64 latency 3 index physical\n",
     "fresh 4096 16 > 20"},
    /* Contiguous inside, one TLB entry; two of one colour; three large pages, two entries. */
    {"large pages", COLOURS "page bytes 4K placement random huge 64K\ntlb 1 entries 2 miss 7\n",
     "huge, steady 4096 16 = 10, steady 65536 2 = 100, steady 65536 3 = 107"},
    {"no large pages", COLOURS "page bytes 4K\ntlb 1 entries 2 miss 7\n",
     "huge, steady 4096 16 > 20"},
    {"no hash", PLAIN "level 1 bytes 48K ways 4 line 64 latency 3 index physical\n",
     "fresh 12288 5 = 100"},
    {"a hash of one slice", HASH("1"), "fresh 12288 5 = 100"},
    {"hashed sets: addresses a power of two apart are as good as any", HASH("2"), HASHED},
    {"six slices", HASH("6"), HASHED},
    {"32 slices", HASH("32"), HASHED},
    /* 4160 and 4672 miss; the first was used last. */
    {"entering a ring", PLAIN SMALL,
     "link 0 512 2, link 4160 512 3, walk 128 = 12800, enter 512, walk 128 = 384, enter 4672, "
     "walk 12800 = 1279903, enter 0, walk 12800 = 38400"},
    /* Brought in from memory; there, a cycle each.  32 lines: half come from level 2, where what
       left level 1 goes, 4 + 8 cycles.  Far more than level 2: from memory and back, 16 + 32. */
    {"stores that are written back", RATES("", ""),
     "store 0 64 4 = 64, store 0 64 4 = 4, link 0 64 1, walk 128 = 384, store 0 64 32, "
     "store 0 64 32, store 0 64 32 = 384, store 0 64 512, store 0 64 512 = 24576"},
    {"written through to level 2, and in level 1", RATES("through", ""),
     "store 0 64 4, store 0 64 4 = 32, link 0 64 4, walk 128 = 384"},
    {"written through to memory", RATES("through", "through"), "store 0 64 4, store 0 64 4 = 128"},
    /* Loads bring them into level 1. */
    {"stores around level 1", RATES("around", ""),
     "store 0 64 4, store 0 64 4 = 32, link 0 64 4 = 40, walk 128, store 0 64 4 = 4"},
    {"stores around both", RATES("around", "around"), "store 0 64 4 = 128, store 0 64 4 = 128"},
    /* All 80 lines that both have room for: each is taken from level 2 and one given to it. */
    {"what was stored goes down with the line", RATES("", "exclusive"),
     "store 0 64 64, store 0 64 80, store 0 64 80, store 0 64 80 = 960, store 0 64 512, "
     "store 0 64 512 = 24576"},
    /* The last: into level 1, from memory, out of level 1 into 2, out of 2 into memory. */
    {"streams", RATES("", ""),
     "read 65536, read 65536 = 16384, read 2048, read 2048 = 128, read 1024, read 1024 = 16, "
     "down 65536, down 65536 = 16384, down 2048, down 2048 = 128, down 1024, down 1024 = 16, "
     "write 1024, write 1024 = 32, copy 1024, copy 1024 = 24, write 65536, write 65536 = 59392"},
    /* 64: every other line of the opcache; 32: 2K, as targets are told apart by 64 bytes. */
    {"code",
     PLAIN SMALL "icache bytes 8K ways 2 line 64 miss 20\n"
                 "opcache bytes 2K ways 2 line 32 miss 5\ntargets entries 16 miss 3\n",
     "jump 64 16 = 2, jump 64 17 = 5, jump 64 64 = 10, jump 64 128 = 10, jump 64 256 = 30, "
     "jump 32 64 = 5, jump 4096 2 = 2, jump 4096 3 = 27"},
    {"code lies in frames", SCATTERED SMALL "icache bytes 64K ways 1 line 64 miss 20\n",
     "jump 4096 16 = 2"},
    {"which caches indexed by them see",
     SCATTERED SMALL "icache bytes 64K ways 1 line 64 miss 20 index physical\n",
     "jump 4096 16 > 5"},
};

/* Stores to n places, or streams over bytes. */
static void move_data(struct bench *bench, const char *what, const size_t *number) {
  static const char *const streams[] = {"read", "down", "write", "copy"};
  static const enum hw_stream stream[] = {HW_STREAM_READ, HW_STREAM_READ_DOWN, HW_STREAM_WRITE,
                                          HW_STREAM_COPY};
  const struct hw_machine_ops *ops = bench->machine->ops;
  size_t offset[1024];

  for (size_t i = 0; i < COUNT(stream); i++)
    if (strcmp(what, streams[i]) == 0) {
      ops->stream(bench->machine, bench->memory, stream[i], 0, number[0]);
      return;
    }
  assert_string_equal(what, "store");
  for (size_t i = 0; i < number[2]; i++)
    offset[i] = number[0] + i * number[1];
  ops->store(bench->machine, bench->memory, offset, number[2]);
}

/* Does one step on the machine of that text.  Its cycles. */
static double do_step(struct bench *bench, const char *text, const char *what, const size_t *number,
                      size_t n) {
  const struct hw_machine_ops *ops = bench->machine->ops;
  double start = ops->now(bench->machine);

  if (strcmp(what, "steady") == 0)
    return steady(bench, number[0], number[1]);
  if (strcmp(what, "fresh") == 0)
    return steady_on(text, number[0], number[1]);
  if (strcmp(what, "jump") == 0)
    return jump_about(bench->machine, number[0], number[1]);
  if (strcmp(what, "huge") == 0) {
    ops->unmap(bench->machine, bench->memory);
    bench->memory = ops->map(bench->machine, 16777216, HW_PAGES_HUGE);
  } else if (strcmp(what, "ring") == 0)
    ops->link(bench->machine, bench->memory, number, n);
  else if (strcmp(what, "link") == 0)
    link_ring(bench, number[0], number[1], number[2]);
  else if (strcmp(what, "walk") == 0)
    ops->walk(bench->machine, bench->memory, number[0]);
  else if (strcmp(what, "enter") == 0)
    ops->enter(bench->machine, bench->memory, number[0]);
  else if (strcmp(what, "add") == 0)
    ops->add(bench->machine, number[0]);
  else
    move_data(bench, what, number);
  return ops->now(bench->machine) - start;
}

static void test_sequences(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sequences); i++) {
    struct bench bench = bench_open(sequences[i].machine, HW_PAGES_PLAIN);
    for (const char *at = sequences[i].does; *at != '\0'; at += strspn(at, ", ")) {
      char what[16], *end;
      size_t number[8], n = 0, word = strcspn(at, " ,");
      double got, cycles;
      snprintf(what, sizeof what, "%.*s", (int)word, at);
      for (at += word; *at == ' ' && strchr("=<>", at[1]) == NULL; at = end)
        number[n++] = strtoul(at, &end, 10);
      got = do_step(&bench, sequences[i].machine, what, number, n);
      if (*at != ' ')
        continue;
      cycles = strtod(at + 3, &end);
      if (at[1] == '='   ? got < cycles || got > cycles
          : at[1] == '<' ? got >= cycles
                         : got <= cycles)
        fail_msg("%s: %s at %.20s: %.10g", sequences[i].what, what, at, got);
      at = end;
    }
    bench_close(&bench);
  }
}

/* Walks in pieces too short for a lap to be skipped cost what one long walk costs. */
static void test_cost_of_skipped_laps(void **state) {
  static const char *const texts[] = {
      PLAIN SMALL "level 2 bytes 4K ways 4 line 64 latency 10 exclusive\ntlb 1 entries 4 miss 9\n",
      PLAIN "level 1 bytes 1K ways 4 line 64 latency 3 policy plru prefetch next\n"
            "level 2 bytes 4K ways 4 line 128 latency 10 inclusive\n",
      PLAIN "level 1 bytes 3K ways 4 line 64 latency 3 policy random\n"
            "level 2 bytes 6K ways 8 line 128 latency 10 policy plru\n"
            "tlb 1 entries 2 miss 9\ntlb 2 entries 4 ways 2 miss 5 policy plru\n",
  };
  static const size_t strides[] = {64, 192, 640, 4160};

  (void)state;
  for (size_t i = 0; i < COUNT(texts); i++)
    for (size_t k = 0; k < COUNT(strides); k++) {
      struct bench one = bench_open(texts[i], HW_PAGES_PLAIN);
      struct bench other = bench_open(texts[i], HW_PAGES_PLAIN);
      double pieces = 0;

      link_ring(&one, 0, strides[k], 50);
      link_ring(&other, 0, strides[k], 50);
      for (int piece = 0; piece < 100; piece++)
        pieces += walk_ring(&one, 128);
      assert_close(walk_ring(&other, 12800), pieces, 0);
      assert_close(walk_ring(&other, 128), walk_ring(&one, 128), 0);
      bench_close(&one);
      bench_close(&other);
    }
}

/* Frames are as random as they should be: of 16 pages in 16 colours, those are kept that are
   alone in theirs, a share of (15/16)^15. */
static void test_placement_random(void **state) {
  double missing = 0;

  (void)state;
  for (int seed = 1; seed <= 200; seed++) {
    char text[512];

    snprintf(text, sizeof text, COLOURS "page bytes 4K\nseed %d\n", seed);
    missing += (steady_on(text, 4096, 16) - 10) / 90 / 200;
  }
  assert_close(missing, 1 - pow(15.0 / 16.0, 15), 0.03);
}

/* The first store to a page waits until there is one, and it is cleared: 4096 / 8 cycles. */
static void test_first(void **state) {
  struct hw_machine *machine = machine_of(
      "machine test\ncycle 1 ns\nmemory latency 100 write 8\nclock step 1ns cost 0ns\n"
      "level 1 bytes 64K ways 1 line 64 latency 3\npage bytes 4K huge 64K first 500ns\n");
  static const enum hw_placement placement[] = {HW_PAGES_PLAIN, HW_PAGES_HUGE};
  static const double page[] = {4096, 65536};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct hw_memory *memory = machine->ops->map(machine, 131072, placement[i]);
    const size_t offset[] = {0, 64, (size_t)page[i]};
    double took[3];

    for (size_t k = 0; k < 3; k++) {
      double start = machine->ops->now(machine);
      machine->ops->store(machine, memory, &offset[k], 1);
      took[k] = machine->ops->now(machine) - start;
    }
    assert_close(took[0] - took[1], 500 + page[i] / 8, 2);
    assert_close(took[2] - took[1], 500 + page[i] / 8, 2);
    machine->ops->unmap(machine, memory);
  }
  machine->ops->close(machine);
}

static void test_memory(void **state) {
  struct hw_machine *machine = machine_of(PLAIN SMALL);
  struct hw_memory *memory = machine->ops->map(machine, 100, HW_PAGES_PLAIN);
  static const size_t beyond[] = {0, 104};
  static const size_t uneven[] = {0, 3};

  (void)state;
  assert_non_null(memory);
  assert_null(machine->ops->map(machine, 0, HW_PAGES_PLAIN));
  if (SIZE_MAX > UINT32_MAX) /* else all that can be asked for is there */
    assert_null(machine->ops->map(machine, SIZE_MAX, HW_PAGES_PLAIN));
  assert_int_equal(machine->ops->link(machine, memory, beyond, 2), -1);
  assert_int_equal(machine->ops->link(machine, memory, uneven, 2), -1);
  assert_int_equal(machine->ops->link(machine, memory, beyond, 0), -1);
  machine->ops->walk(machine, memory, HW_GRAIN); /* no ring: nothing to walk */
  assert_close(machine->ops->now(machine), 0, 0);
  machine->ops->unmap(machine, memory);
  machine->ops->close(machine);
}

static void test_clock(void **state) {
  struct hw_machine *machine =
      machine_of("machine test\ncycle 1 ns\nclock step 1 us cost 30 ns\nmemory latency 100\n"
                 "page bytes 4K\n" SMALL);
  struct hw_usage usage;
  double last = 0;
  unsigned steps = 0;

  (void)state;
  assert_null(machine->doubt);
  assert_non_null(strstr(machine->clock, "1000 ns"));
  for (int i = 0; i < 1000; i++) {
    double now = machine->ops->now(machine);

    assert_close(now, floor(now / 1000) * 1000, 0);
    steps += now > last;
    last = now;
  }
  assert_int_equal(steps, 30); /* 1000 readings of 30 ns */
  machine->ops->add(machine, 1280);
  machine->ops->usage(machine, &usage);
  assert_close(usage.cpu_ns, 30000 + 1280 + 30, 1e-6);
  assert_int_equal(usage.switches, 0);
  machine->ops->close(machine);
}

/* ---- loads that do not wait ---- */

static void test_chains(void **state) {
  struct bench bench = bench_open(PLAIN SMALL TWO, HW_PAGES_PLAIN);
  struct bench few = bench_open("machine test\ncycle 1 ns\nclock step 1 ns cost 0 ns\n"
                                "memory latency 100 parallel 3\n"
                                "page bytes 4K placement contiguous\n" SMALL,
                                HW_PAGES_PLAIN);
  const struct hw_machine_ops *ops = bench.machine->ops;
  size_t start[16];
  double before;

  (void)state;
  /* Two rings of two lines, all in one set of two ways: by turns each drives out the other, one
     after the other neither would. */
  link_ring(&bench, 0, 1024, 2);
  link_ring(&bench, 2048, 1024, 2);
  start[0] = 0;
  start[1] = 2048;
  before = ops->now(bench.machine);
  ops->walk_chains(bench.machine, bench.memory, start, 2, 127);
  assert_close(ops->now(bench.machine) - before, 1270, 0);
  assert_int_equal(start[0], 1024);
  assert_int_equal(start[1], 3072);
  /* 9 chains of misses, 3 at a time: as long as 3 of them. */
  for (size_t k = 0; k < 9; k++) {
    link_ring(&few, k * 65536, 512, 3);
    start[k] = k * 65536;
  }
  before = ops->now(few.machine);
  few.machine->ops->walk_chains(few.machine, few.memory, start, 2, 128);
  assert_close(ops->now(few.machine) - before, 12800, 0);
  before = ops->now(few.machine);
  few.machine->ops->walk_chains(few.machine, few.memory, start, 9, 128);
  assert_close(ops->now(few.machine) - before, 3 * 12800, 1e-6);
  bench_close(&bench);
  bench_close(&few);
}

/* ---- code ---- */

static void test_no_code(void **state) {
  struct hw_machine *none = machine_of(PLAIN SMALL);
  struct hw_machine *machine = machine_of(PLAIN SMALL "icache bytes 8K ways 2 line 64 miss 20\n");
  size_t n = 7;

  (void)state;
  assert_null(none->ops->code(none, &n));
  assert_int_equal(n, 0);
  assert_int_equal(none->ops->code_walk(none, HW_GRAIN), -1);
  machine->ops->code(machine, &n);
  assert_int_equal(n, 65536);
  none->ops->close(none);
  machine->ops->close(machine);
}

/* Visits of pieces of a cache of one set: what a jump costs. */
static double jumps(const char *icache, const size_t *visit, size_t n) {
  char text[512];
  struct hw_machine *machine;
  double cycles;

  snprintf(text, sizeof text, PLAIN SMALL "icache bytes 128 ways 2 line 64 miss 20 %s\n", icache);
  machine = machine_of(text);
  machine->ops->code_link(machine, visit, n);
  jump(machine, HW_GRAIN);
  cycles = jump(machine, 12800) / 12800;
  machine->ops->close(machine);
  return cycles;
}

/* Piece 0 stays, 1 and 2 drive each other out.  Of two pieces one lies so near the end of its line
   that the next is fetched too: three lines in two ways. */
static void test_code_revisits(void **state) {
  (void)state;
  assert_close(jumps("spacing 64", (const size_t[]){0, 1, 0, 2}, 4), 2 + 20.0 / 2, 0);
  assert_close(jumps("ahead 32", (const size_t[]){1, 8}, 2), 2, 0);
  assert_close(jumps("ahead 32", (const size_t[]){3, 8}, 2), 2 + 20, 0);
}

/* ---- noise ---- */

/* Times n additions of 128 k cycles each; share of what they would take. */
static void sample(struct hw_machine *machine, size_t n, unsigned long k, double *share) {
  for (size_t i = 0; i < n; i++) {
    double start = machine->ops->now(machine);

    machine->ops->add(machine, k * HW_GRAIN);
    share[i] = (machine->ops->now(machine) - start) / (double)(k * HW_GRAIN);
  }
}

static double mean_of(const double *value, size_t n) {
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += value[i];
  return sum / (double)n;
}

static double sigma_of(const double *value, size_t n) {
  double mean = mean_of(value, n);
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (value[i] - mean) * (value[i] - mean);
  return sqrt(sum / (double)(n - 1));
}

#define SAMPLES 4000u

static void test_jitter(void **state) {
  struct bench bench = bench_open(PLAIN SMALL "noise jitter 5%\nseed 7\n", HW_PAGES_PLAIN);
  static double share[SAMPLES];

  (void)state;
  sample(bench.machine, SAMPLES, 100, share);
  assert_close(mean_of(share, SAMPLES), 1, 0.003);
  assert_close(sigma_of(share, SAMPLES), 0.05, 0.003);
  for (size_t i = 0; i < SAMPLES; i++)
    assert_close(share[i], 1, 0.1501);
  link_ring(&bench, 0, 64, 1);
  for (size_t i = 0; i < SAMPLES; i++)
    share[i] = walk_ring(&bench, 12800) / 38400;
  assert_close(mean_of(share, SAMPLES), 1, 0.003);
  assert_close(sigma_of(share, SAMPLES), 0.05, 0.003);
  bench_close(&bench);
}

static void test_outliers(void **state) {
  struct hw_machine *machine = machine_of(PLAIN SMALL "noise outliers 10% 100 us\nseed 7\n");
  static double share[SAMPLES];
  struct hw_usage usage;
  long seen = 0;
  double late = 0;

  (void)state;
  sample(machine, SAMPLES, 100, share);
  machine->ops->usage(machine, &usage);
  for (size_t i = 0; i < SAMPLES; i++) {
    assert_true(share[i] >= 1);
    seen += share[i] > 1;
    late += (share[i] - 1) * 12800;
  }
  assert_close((double)seen, 400, 60);
  assert_in_range(usage.switches, seen, seen + 2); /* one may be below the clock's step */
  assert_close(late / (double)seen, 100000, 15000);
  assert_close(usage.cpu_ns, SAMPLES * 12800.0, 1);
  machine->ops->close(machine);
}

static void test_bursts(void **state) {
  struct hw_machine *machine = machine_of(PLAIN SMALL "noise bursts 200us 2000us 3\nseed 7\n");
  static double share[100000];
  size_t clean = 0;
  size_t treble = 0;
  struct hw_usage usage;
  double now;

  (void)state;
  for (int part = 0; part < 10; part++) {
    sample(machine, COUNT(share), 20, share);
    for (size_t i = 0; i < COUNT(share); i++) {
      assert_true(share[i] >= 0.999 && share[i] <= 3.001);
      clean += share[i] < 1.001;
      treble += share[i] > 2.999;
    }
  }
  /* 1/11 of the time is burst, in which a third of the work is done: 1/31 of the work. */
  assert_close((double)treble / 1e6, 1.0 / 31, 0.004);
  assert_close((double)clean / 1e6, 30.0 / 31, 0.005);
  now = machine->ops->now(machine);
  machine->ops->usage(machine, &usage);
  assert_close(usage.cpu_ns, now, 1);
  assert_int_equal(usage.switches, 0);
  machine->ops->close(machine);
}

/* Another thread of the core lengthens what keeps it busy, and hardly what waits. */
static void test_shared(void **state) {
  struct hw_machine *machine = machine_of(PLAIN SMALL "noise shared 1ms 1ms 2\nseed 7\n");
  size_t plain = 0, doubled = 0;

  (void)state;
  for (int i = 0; i < 20000; i++) {
    double start = machine->ops->now(machine), middle;
    machine->ops->add(machine, 4096);
    middle = machine->ops->now(machine);
    machine->ops->issue(machine, 16384);
    if (machine->ops->now(machine) - middle > 1.5 * (middle - start))
      doubled++;
    else
      plain++;
  }
  assert_in_range(plain, 7000, 17000);
  assert_in_range(doubled, 3000, 13000);
  machine->ops->close(machine);
}

/* The share of the time in which samples, each of some 10 us of walking, take longer than so many
   cycles a load, as with the core to oneself.  None takes less. */
static double disturbed(struct bench *bench, size_t samples, double alone) {
  double longer = 0, all = 0;

  for (size_t i = 0; i < samples; i++) {
    double ns = walk_ring(bench, 32 * HW_GRAIN), load = ns / (32 * HW_GRAIN);
    assert_true(load >= alone - 0.001);
    bench->machine->ops->add(bench->machine, 400 * HW_GRAIN);
    ns += 400 * HW_GRAIN;
    longer += load > alone + 0.001 ? ns : 0;
    all += ns;
  }
  return longer / all;
}

/* The share of the time for which a sibling is there comes out, and what he lengthens. */
static void test_sibling(void **state) {
  static const struct {
    const char *noise;
    double share;
    double issue; /* times as long, while he is there */
  } known[] = {{"noise sibling computing 1ms 1ms\nseed 7\n", 0.5, 1.75},
               {"noise sibling computing 3ms 1ms\nseed 7\n", 0.75, 1.75},
               {"noise sibling streaming 1ms 9ms\nseed 7\n", 0.1, 1.3},
               {"noise sibling chasing 2ms 2ms\nseed 7\n", 0.5, 1.02}};

  (void)state;
  for (size_t i = 0; i < COUNT(known); i++) {
    char text[1024];
    struct hw_machine *machine;
    size_t there = 0, gone = 0;

    snprintf(text, sizeof text, "%s%s%s", PLAIN, SMALL, known[i].noise);
    machine = machine_of(text);
    for (int k = 0; k < 40000; k++) {
      double start = machine->ops->now(machine), issue;
      machine->ops->issue(machine, 80 * HW_GRAIN);
      issue = (machine->ops->now(machine) - start) / (20 * HW_GRAIN);
      assert_true(issue >= 1 - 0.001 && issue <= known[i].issue + 0.001);
      there += issue > known[i].issue - 0.001;
      gone += issue < 1.001;
      machine->ops->add(machine, 80 * HW_GRAIN);
    }
    assert_in_range(there + gone, 39000, 40000); /* few see him come or go */
    assert_close((double)there / (double)(there + gone), known[i].share, 0.08);
    machine->ops->close(machine);
  }
}

/* He brings lines of his own in: a full set misses at times, in the gaps never. */
static void test_sibling_lines(void **state) {
  static const char *const kinds[] = {"computing", "streaming", "chasing"};

  (void)state;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    char text[1024];
    struct bench bench;

    snprintf(text, sizeof text, "%s%snoise sibling %s 2ms 2ms\nseed 7\n", PLAIN, SMALL, kinds[i]);
    bench = bench_open(text, HW_PAGES_PLAIN);
    link_ring(&bench, 0, 64, 16); /* all of it */
    assert_close(disturbed(&bench, 4000, 3), 0.5, 0.12);
    bench_close(&bench);
  }
}

/* A sample of many laps is foretold from its first: on average it takes what short ones take that
   are walked one load after the other, and it scatters. */
static void test_sibling_foretold(void **state) {
  static double share[SAMPLES];
  double pieces = 0;

  (void)state;
  for (int whole = 0; whole < 2; whole++) {
    struct bench bench =
        bench_open(PLAIN SMALL "noise sibling chasing 1s 1us\nseed 7\n", HW_PAGES_PLAIN);

    link_ring(&bench, 0, 64, 16);
    walk_ring(&bench, 8 * HW_GRAIN);
    if (whole)
      for (size_t i = 0; i < SAMPLES; i++)
        share[i] = walk_ring(&bench, 512 * HW_GRAIN) / (512 * HW_GRAIN);
    else
      for (size_t i = 0; i < 16 * SAMPLES; i++)
        pieces += walk_ring(&bench, HW_GRAIN) / (16 * SAMPLES * HW_GRAIN);
    bench_close(&bench);
  }
  assert_true(pieces > 3.5); /* a line each 100 cycles: one of 33 loads misses */
  assert_close(mean_of(share, SAMPLES), pieces, 0.03 * pieces);
  assert_true(sigma_of(share, SAMPLES) > 0.001 * pieces);
}

/* The TLB loses pages to one who chases. */
static void test_sibling_pages(void **state) {
  struct bench bench =
      bench_open(PLAIN "level 1 bytes 64K ways 16 line 64 latency 3\ntlb 1 entries 8 miss 9\n"
                       "noise sibling chasing 2ms 2ms\nseed 7\n",
                 HW_PAGES_PLAIN);

  (void)state;
  link_ring(&bench, 0, 4096 + 64, 8);
  walk_ring(&bench, 8 * HW_GRAIN);
  assert_close(disturbed(&bench, 2000, 3), 0.5, 0.15);
  bench_close(&bench);
}

/* Foreign lines and pages come as often as they are to, and with another process only while it is
   there. */
static void test_lines(void **state) {
  struct bench bench = bench_open(PLAIN SMALL "noise lines 2 us\nseed 7\n", HW_PAGES_PLAIN);
  double load;

  (void)state;
  /* Each takes the place of the one of two that is loaded next, and that of the other: 194 cycles
     of 2000 are for misses. */
  link_ring(&bench, 0, 64, 16);
  walk_ring(&bench, 8 * HW_GRAIN);
  load = walk_ring(&bench, 1024 * HW_GRAIN) / (1024 * HW_GRAIN);
  assert_close(load, 3 * 2000 / (2000 - 194.0), 0.1);
  bench_close(&bench);
  bench = bench_open(PLAIN SMALL "noise lines 1000 s\nseed 7\n", HW_PAGES_PLAIN);
  link_ring(&bench, 0, 64, 16);
  assert_close(disturbed(&bench, 100, 3), 0, 0);
  bench_close(&bench);
  bench = bench_open(PLAIN SMALL "noise lines 1us shared 2ms 2ms 1.0001\nseed 7\n", HW_PAGES_PLAIN);
  link_ring(&bench, 0, 64, 16);
  assert_close(disturbed(&bench, 4000, 3), 0.5, 0.12);
  bench_close(&bench);
}

/* Another process has turns of its own: the wall clock runs on, the processor time does not, and
   when we come back its lines are in our caches. */
static void test_process(void **state) {
  struct bench bench =
      bench_open(PLAIN SMALL "noise process streaming 2ms 4ms\nseed 7\n", HW_PAGES_PLAIN);
  struct hw_usage usage, before;
  long cold = 0, last = 0; /* turns in the interval before */

  (void)state;
  link_ring(&bench, 0, 64, 16);
  bench.machine->ops->usage(bench.machine, &before);
  for (int i = 0; i < 20000; i++) {
    double load, start = bench.machine->ops->now(bench.machine);

    bench.machine->ops->add(bench.machine, 400 * HW_GRAIN);
    load = walk_ring(&bench, HW_GRAIN) / HW_GRAIN;
    bench.machine->ops->usage(bench.machine, &usage);
    assert_true(usage.switches >= before.switches);
    if (usage.switches == before.switches && last == 0) {
      assert_close(load, 3, 0.001);
      assert_close(bench.machine->ops->now(bench.machine) - start, 403 * HW_GRAIN, 1);
    }
    cold += load > 3.001;
    assert_true(usage.cpu_ns - before.cpu_ns < 450 * HW_GRAIN);
    last = usage.switches - before.switches;
    before = usage;
  }
  assert_close(usage.cpu_ns / bench.machine->ops->now(bench.machine), 4.0 / 6, 0.05);
  assert_in_range(usage.switches, 200, 320); /* in 1 s of ours */
  assert_in_range(cold, usage.switches - 10, usage.switches + 10);
  bench_close(&bench);
}

/* The same file behaves the same; another seed does not. */
static void test_neighbours_seed(void **state) {
  static const char text[] =
      PLAIN SMALL "noise sibling streaming 1ms 1ms process chasing 1ms 5ms\nseed %d\n";
  double total[3] = {0};

  (void)state;
  for (int i = 0; i < 3; i++) {
    char file[1024];
    struct bench bench;

    snprintf(file, sizeof file, text, i < 2 ? 7 : 8);
    bench = bench_open(file, HW_PAGES_PLAIN);
    link_ring(&bench, 0, 64, 16);
    for (int k = 0; k < 1000; k++)
      total[i] += walk_ring(&bench, 64 * HW_GRAIN);
    bench_close(&bench);
  }
  assert_close(total[1], total[0], 0);
  assert_true(fabs(total[2] - total[0]) > 1);
}

/* What a walk takes after a reset, in *now where the time stood then, ns. */
static double walk_reset(struct hw_machine *machine, uint64_t seed, double *now) {
  struct bench bench = {.machine = machine};
  double ns;

  assert_int_equal(machine->ops->reset(machine, seed), 0);
  *now = machine->ops->now(machine);
  bench.memory = machine->ops->map(machine, 65536, HW_PAGES_PLAIN);
  assert_non_null(bench.memory);
  link_ring(&bench, 0, 64, 32);
  ns = walk_ring(&bench, HW_GRAIN);
  machine->ops->unmap(machine, bench.memory);
  return ns;
}

/* After a reset all is as after one with the same seed before, but for the time, which goes on. */
static void test_reset(void **state) {
  struct hw_machine *machine =
      machine_of(PLAIN "level 1 bytes 1K ways 4 line 64 latency 3 policy random\n"
                       "noise jitter 5% sibling streaming 1us 1us\n");
  double now[3], ns[3];

  (void)state;
  for (unsigned i = 0; i < 3; i++)
    ns[i] = walk_reset(machine, i % 2, &now[i]);
  assert_close(ns[2], ns[0], 0);
  assert_true(fabs(ns[1] - ns[0]) > 1);
  assert_true(now[1] >= now[0] + ns[0] && now[2] >= now[1] + ns[1]);
  machine->ops->close(machine);
}

/* On the first processor a thread of a team has the same other processes beside it. */
static void test_team_neighbours(void **state) {
  struct hw_machine *machine =
      machine_of(PLAIN SMALL "group 1 of 2 step 1 latency 10 ns\n"
                             "noise sibling computing 1s 1us process computing 2ms 4ms\nseed 7\n");
  double wall[2] = {0}, cpu[2] = {0};

  (void)state;
  for (int i = 0; i < 100; i++) {
    struct hw_part part[2] = {{.processor = 0, .work = HW_WORK_ISSUE, .n = 400000 * HW_GRAIN / 64},
                              {.processor = 1, .work = HW_WORK_ISSUE, .n = 400000 * HW_GRAIN / 64}};

    assert_int_equal(machine->ops->team(machine, part, 2), 0);
    for (int k = 0; k < 2; k++) {
      wall[k] += part[k].wall_ns;
      cpu[k] += part[k].cpu_ns;
    }
  }
  assert_close(cpu[0] / cpu[1], 1.75, 0.01);
  assert_close(wall[1] / cpu[1], 1, 0.001);
  assert_close(wall[0] / cpu[0], 1.5, 0.15);
  machine->ops->close(machine);
}

static void test_drift(void **state) {
  struct bench bench = bench_open(PLAIN SMALL "noise drift 5% 20 ms\nseed 7\n", HW_PAGES_PLAIN);
  double low = 2;
  double high = 0;
  unsigned crossings = 0;
  double last = 1;

  (void)state;
  link_ring(&bench, 0, 64, 1);
  for (int i = 0; i < 1000; i++) { /* some 200 ms: ten periods */
    double add;
    double walk;

    sample(bench.machine, 1, 800, &add);
    walk = walk_ring(&bench, 256 * HW_GRAIN) / (3 * 256 * HW_GRAIN);
    assert_close(walk, add, 0.004);
    low = fmin(low, add);
    high = fmax(high, add);
    crossings += (last < 1) != (add < 1);
    last = add;
  }
  assert_close(low, 0.95, 0.0005);
  assert_close(high, 1.05, 0.0005);
  assert_in_range(crossings, 19, 21);
  bench_close(&bench);
}

#define NOISY                                                                                      \
  COLOURS "page bytes 4K\nnoise jitter 5% bursts 200us 2000us 3 drift 5% 20ms outliers 1% 100us\n"

static void test_seed(void **state) {
  static const char *const texts[] = {NOISY "seed 7\n", NOISY "seed 7\n", NOISY "seed 8\n", NOISY};
  double trace[4][100];

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    struct bench bench = bench_open(texts[i], HW_PAGES_PLAIN);

    link_ring(&bench, 0, 4096, 64);
    for (size_t k = 0; k < 100; k++)
      trace[i][k] = walk_ring(&bench, 640);
    bench_close(&bench);
  }
  assert_memory_equal(trace[0], trace[1], sizeof trace[0]);
  assert_memory_not_equal(trace[0], trace[2], sizeof trace[0]);
  assert_memory_not_equal(trace[0], trace[3], sizeof trace[0]);
}

/* ---- descriptions ---- */

/* Reads n bytes of text.  What was said goes to said. */
static int read_text(struct hw_description *description, const char *text, size_t n, char *said,
                     size_t room) {
  FILE *in = tmpfile();
  FILE *err = tmpfile();
  size_t got;
  int result;

  assert_non_null(in);
  assert_non_null(err);
  assert_int_equal(fwrite(text, 1, n, in), n);
  rewind(in);
  result = hw_description_read(description, "FILE", in, err);
  rewind(err);
  got = fread(said, 1, room - 1, err);
  said[got] = '\0';
  fclose(in);
  fclose(err);
  return result;
}

static const char whole[] =
    "seed 7\n"
    "\t page  huge 2M bytes 16K placement coloured 16 # comment, not ASCII: \xc3\xa9\n"
    "tlb 2 policy plru miss 30.5 ways 8 entries 1024\r\n"
    "tlb 1 entries 64 miss 7\n"
    "\n"
    "memory latency 220 parallel 12 write 1.5#comment\n"
    "level 2 exclusive bytes 512K ways 8 line 64 latency 14 policy random index virtual\n"
    "level 1 bytes 32768 ways 8 line 64 latency 4.25 policy plru prefetch next index physical "
    "read 48.5 write 24 through around\n"
    "level 3 line 128 bytes 256M ways 32 latency 40 inclusive prefetch stride hash 8 back "
    "allocate\n"
    "tlb 3 entries 4096 miss 90\n"
    "targets miss 3 entries 512 ways 4 policy random\n"
    "icache spacing 32 bytes 24K ways 6 line 64 miss 12.5 policy rrip index physical ahead 16\n"
    "opcache bytes 8K ways 8 line 32 miss 4 policy plru\n"
    "clock cost 0 ns step 2.5us\n"
    "cycle 250 ps\n"
    "machine   An Example, of all  # comment\n"
    "noise outliers 1% 0.1ms jitter 5 % drift 2.5% 20 ms bursts 200us 2ms 3";

static void test_description_levels(void **state) {
  struct hw_description description;
  const struct hw_sim_level *level = description.level;
  char said[256];

  (void)state;
  assert_int_equal(read_text(&description, whole, sizeof whole - 1, said, sizeof said), 0);
  assert_string_equal(said, "");
  assert_int_equal(description.levels, 3);
  assert_int_equal(level[0].bytes, 32768);
  assert_int_equal(level[0].ways, 8);
  assert_int_equal(level[0].line, 64);
  assert_close(level[0].latency, 4.25, 0);
  assert_int_equal(level[0].policy, HW_POLICY_PLRU);
  assert_int_equal(level[0].relation, HW_SIM_NOT_GIVEN);
  assert_int_equal(level[0].index, HW_SIM_INDEX_PHYSICAL);
  assert_int_equal(level[0].prefetch, HW_SIM_PREFETCH_NEXT);
  assert_int_equal(level[0].write, HW_SIM_THROUGH);
  assert_int_equal(level[0].write_miss, HW_SIM_AROUND);
  assert_close(level[0].read_rate, 48.5, 0);
  assert_close(level[0].write_rate, 24, 0);
  assert_int_equal(level[0].slices, 0);
  assert_int_equal(level[1].bytes, 524288);
  assert_int_equal(level[1].policy, HW_POLICY_RANDOM);
  assert_int_equal(level[1].relation, HW_SIM_EXCLUSIVE);
  assert_int_equal(level[1].index, HW_SIM_INDEX_VIRTUAL);
  assert_int_equal(level[1].prefetch, HW_SIM_PREFETCH_NONE);
  assert_int_equal(level[1].write, HW_SIM_BACK);
  assert_int_equal(level[1].write_miss, HW_SIM_ALLOCATE);
  assert_close(level[1].read_rate, 4 * 64 / 14.0, 1e-9);
  assert_close(level[1].write_rate, 4 * 64 / 14.0, 1e-9);
  assert_int_equal(level[2].bytes, 268435456);
  assert_int_equal(level[2].policy, HW_POLICY_LRU);
  assert_int_equal(level[2].relation, HW_SIM_INCLUSIVE);
  assert_int_equal(level[2].index, HW_SIM_INDEX_DEFAULT);
  assert_int_equal(level[2].prefetch, HW_SIM_PREFETCH_STRIDE);
  assert_int_equal(level[2].slices, 8);
  assert_int_equal(level[2].write, HW_SIM_BACK);
  assert_int_equal(level[2].write_miss, HW_SIM_ALLOCATE);
  assert_close(description.memory_latency, 220, 0);
  assert_int_equal(description.memory_parallel, 12);
  assert_close(description.memory_read_rate, 128 * 12 / 220.0, 1e-9);
  assert_close(description.memory_write_rate, 1.5, 0);
}

static void test_description_rest(void **state) {
  struct hw_description description;
  const struct hw_sim_noise *noise = &description.noise;
  char said[256];

  (void)state;
  assert_int_equal(read_text(&description, whole, sizeof whole - 1, said, sizeof said), 0);
  assert_string_equal(description.name, "An Example, of all");
  assert_close(description.cycle_ns, 0.25, 0);
  assert_close(description.clock_step_ns, 2500, 0);
  assert_close(description.clock_cost_ns, 0, 0);
  assert_int_equal(description.tlbs, 3);
  assert_int_equal(description.tlb[2].ways, 4096);
  assert_int_equal(description.targets.entries, 512);
  assert_int_equal(description.targets.ways, 4);
  assert_close(description.targets.miss, 3, 0);
  assert_int_equal(description.targets.policy, HW_POLICY_RANDOM);
  assert_int_equal(description.icache.bytes, 24576);
  assert_int_equal(description.icache.ways, 6);
  assert_int_equal(description.icache.line, 64);
  assert_int_equal(description.icache.spacing, 32);
  assert_int_equal(description.icache.ahead, 16);
  assert_close(description.icache.miss, 12.5, 0);
  assert_int_equal(description.icache.policy, HW_POLICY_RRIP);
  assert_int_equal(description.icache.index, HW_SIM_INDEX_PHYSICAL);
  assert_int_equal(description.opcache.bytes, 8192);
  assert_int_equal(description.opcache.policy, HW_POLICY_PLRU);
  assert_int_equal(description.tlb[0].ways, 64);
  assert_int_equal(description.tlb[1].entries, 1024);
  assert_int_equal(description.tlb[1].ways, 8);
  assert_close(description.tlb[1].miss, 30.5, 0);
  assert_int_equal(description.tlb[1].policy, HW_POLICY_PLRU);
  assert_int_equal(description.page.bytes, 16384);
  assert_int_equal(description.page.huge, 2097152);
  assert_int_equal(description.page.frames, HW_SIM_COLOURED);
  assert_int_equal(description.page.colours, 16);
  assert_close(noise->jitter, 0.05, 0);
  assert_close(noise->burst_ns, 200000, 0);
  assert_close(noise->burst_gap_ns, 2000000, 0);
  assert_close(noise->burst_factor, 3, 0);
  assert_close(noise->drift, 0.025, 0);
  assert_close(noise->drift_ns, 20000000, 0);
  assert_close(noise->outliers, 0.01, 0);
  assert_close(noise->outlier_ns, 100000, 1e-9);
  assert_int_equal(description.seed, 7);
}

static void test_description_defaults(void **state) {
  static const char text[] = "machine m\ncycle 1ns\nlevel 1 bytes 1K ways 1 line 64 latency 1\n"
                             "memory latency 9\npage bytes 4K\n";
  struct hw_description description;
  char said[256];

  (void)state;
  assert_int_equal(read_text(&description, text, sizeof text - 1, said, sizeof said), 0);
  assert_close(description.clock_step_ns, 1, 0);
  assert_close(description.clock_cost_ns, 20, 0);
  assert_int_equal(description.seed, 1);
  assert_int_equal(description.tlbs, 0);
  assert_int_equal(description.icache.bytes, 0);
  assert_int_equal(description.opcache.bytes, 0);
  assert_int_equal(description.targets.entries, 0);
  assert_int_equal(description.memory_parallel, 10);
  assert_int_equal(description.page.frames, HW_SIM_RANDOM);
  assert_int_equal(description.page.huge, 0);
  assert_close(description.noise.jitter, 0, 0);
}

/* A bad text, or a bad line behind four good ones, and what is said about it. */
struct bad {
  const char *text;
  unsigned long line;
  const char *reason;
};

#define GOOD "machine m\ncycle 1 ns\nmemory latency 90\npage bytes 4K\n"
#define LEVEL "level 1 bytes 1K ways 2 line 64 latency 3\n"

static const struct bad bad_words[] = {
    {"", 1, "machine is missing"},
    {"# nothing\n\n", 2, "machine is missing"},
    {"\x7f"
     "ELF",
     1, "not a text file"},
    {GOOD "level 1\x01 bytes", 5, "not a text file (byte 1)"},
    {GOOD "lev\xc3\xa9l 1", 5, "not ASCII"},
    {GOOD "cache 1 bytes 1K\n", 5, "unknown statement 'cache'"},
    {GOOD "Level 1\n", 5, "unknown statement 'Level'"},
    {GOOD "level\n", 5, "level: a number is missing"},
    {GOOD "level one\n", 5, "level: 'one' is not a whole number"},
    {GOOD "level 0 bytes 1K\n", 5, "level: '0' is out of range"},
    {GOOD "level 6 bytes 1K\n", 5, "level: '6' is out of range"},
    {GOOD "level 1.0 bytes 1K\n", 5, "'1.0' is not a whole number"},
    {GOOD "level 1 size 1K\n", 5, "level: unknown word 'size'"},
    {GOOD "level 1 bytes 1K ways 2 line 64 latency 3 3\n", 5, "level: unknown word '3'"},
    {GOOD "level 1 bytes 1K 2K ways 2\n", 5, "level: unknown word '2K'"},
    {GOOD "level 1 bytes\n", 5, "bytes: a number is missing"},
    {GOOD "level 1 bytes ways 2\n", 5, "bytes: 'ways' is not a whole number"},
    {GOOD "level 1 bytes 1.5K\n", 5, "'1.5K' is not a whole number"},
    {GOOD "level 1 bytes 0x400\n", 5, "'0x400' is not"},
    {GOOD "level 1 bytes 1k\n", 5, "'1k' is not"},
    {GOOD "level 1 bytes 1KB\n", 5, "'1KB' is not"},
    {GOOD "level 1 bytes -1\n", 5, "'-1' is not"},
    {GOOD "level 1 bytes 0\n", 5, "'0' is out of range"},
    {GOOD "level 1 bytes 2G\n", 5, "'2G' is out of range"},
    {GOOD "level 1 bytes 99999999999999999999\n", 5, "is not"},
    {GOOD "level 1 bytes 1K ways 0\n", 5, "ways: '0' is out of range"},
    {GOOD "level 1 latency 1e3\n", 5, "latency: '1e3' is not a number"},
    {GOOD "level 1 latency 1,5\n", 5, "latency: '1,5' is not a number"},
    {GOOD "level 1 latency 1.2.3\n", 5, "'1.2.3' is not a number"},
    {GOOD "level 1 latency 2.\n", 5, "'2.' is not a number"},
    {GOOD "level 1 latency .5\n", 5, "'.5' is not a number"},
    {GOOD "level 1 latency nan\n", 5, "'nan' is not a number"},
    {GOOD "level 1 latency inf\n", 5, "'inf' is not a number"},
    {GOOD "level 1 latency 0\n", 5, "'0' is out of range"},
    {GOOD "level 1 policy\n", 5, "policy: a word is missing"},
    {GOOD "level 1 policy fifo\n", 5, "policy: unknown word 'fifo'"},
    {GOOD "level 1 index logical\n", 5, "index: unknown word 'logical'"},
    {GOOD "level 1 prefetch stream\n", 5, "prefetch: unknown word 'stream'"},
    {GOOD "level 1 prefetch pair prefetch stride\n", 5, "'prefetch' after 'prefetch'"},
    {GOOD "level 1 back through\n", 5, "'through' after 'back'"},
    {GOOD "level 1 around allocate\n", 5, "'allocate' after 'around'"},
    {GOOD "level 1 write through\n", 5, "write: 'through' is not a number"},
    {GOOD "level 1 read 0\n", 5, "read: '0' is out of range"},
    {GOOD "level 1 hash 0\n", 5, "hash: '0' is out of range"},
    {GOOD "level 1 hash 1.5\n", 5, "hash: '1.5' is not a whole number"},
    {GOOD LEVEL "icache bytes 1K ways 2 line 64\n", 6, "icache: miss is missing"},
    {GOOD LEVEL "icache 1 bytes 1K\n", 6, "icache: unknown word '1'"},
    {GOOD LEVEL "opcache bytes 1K spacing 64\n", 6, "opcache: unknown word 'spacing'"},
    {GOOD LEVEL "targets ways 4 miss 1\n", 6, "targets: entries is missing"},
    {"machine m\nmemory latency 9 parallel 0\n", 2, "parallel: '0' is out of range"},
    {GOOD "level 1 bytes 1K bytes 1K\n", 5, "level: 'bytes' after 'bytes'"},
    {GOOD LEVEL "level 2 inclusive exclusive\n", 6, "'exclusive' after 'inclusive'"},
    {GOOD "level 1 ways 2 line 64 latency 3\n", 5, "level: bytes is missing"},
    {GOOD "level 1 bytes 1K line 64 latency 3\n", 5, "level: ways is missing"},
    {GOOD "level 1 bytes 1K ways 2 latency 3\n", 5, "level: line is missing"},
    {GOOD "level 1 bytes 1K ways 2 line 64\n", 5, "level: latency is missing"},
    {GOOD LEVEL "cycle 1 ns\n", 6, "cycle is given twice, first in line 2"},
    {GOOD LEVEL "\n" LEVEL, 7, "level is given twice, first in line 5"},
    {GOOD LEVEL "tlb 4 entries 4 miss 1\n", 6, "tlb: '4' is out of range"},
    {GOOD LEVEL "tlb 1 entries 4\n", 6, "tlb: miss is missing"},
    {GOOD LEVEL "clock step 1 cost 2 ns\n", 6, "step: '1' is not a number of ps"},
    {GOOD LEVEL "clock step 1 ns\n", 6, "clock: cost is missing"},
    {GOOD LEVEL "clock\n", 6, "clock: step is missing"},
    {GOOD LEVEL "clock step 0 ns cost 1 ns\n", 6, "step: '0' is out of range"},
    {GOOD LEVEL "clock step 1 hour cost 1 ns\n", 6, "step: '1' is not"},
    {GOOD LEVEL "noise\n", 6, "noise: nothing follows"},
    {GOOD LEVEL "noise jitter 5\n", 6, "jitter: '5' is not a number of %"},
    {GOOD LEVEL "noise jitter 50%\n", 6, "jitter: '50%' is out of range"},
    {GOOD LEVEL "noise bursts 200us 3\n", 6, "bursts: '3' is not"},
    {GOOD LEVEL "noise bursts 1us 1us 0.5\n", 6, "bursts: '0.5' is out of range"},
    {GOOD LEVEL "noise drift 5%\n", 6, "drift: a number is missing"},
    {GOOD LEVEL "noise outliers 101% 1us\n", 6, "outliers: '101%' is out of range"},
    {GOOD LEVEL "noise lines 0.5 ns\n", 6, "lines: '0.5' is out of range"},
    {GOOD LEVEL "noise sibling\n", 6, "sibling: a word is missing"},
    {GOOD LEVEL "noise sibling sleeping 1ms 1ms\n", 6, "sibling: unknown word 'sleeping'"},
    {GOOD LEVEL "noise sibling chasing 1ms\n", 6, "sibling: a number is missing"},
    {GOOD LEVEL "noise process computing 1ns 1ms\n", 6, "process: '1ns' is out of range"},
    {GOOD LEVEL "noise process computing 1ms 1ms 2\n", 6, "noise: unknown word '2'"},
    {GOOD LEVEL "seed -3\n", 6, "seed: '-3' is not a whole number"},
    {GOOD LEVEL "seed\n", 6, "seed: a number is missing"},
    {GOOD LEVEL "seed 3 4\n", 6, "seed: unknown word '4'"},
    {"machine\n", 1, "machine: the name is missing"},
    {"machine 0123456789012345678901234567890123456789012345678901234567890123\n", 1, "too long"},
    {"machine m\ncycle 1\n", 2, "cycle: '1' is not"},
    {"machine m\ncycle 0ns\n", 2, "cycle: '0ns' is out of range"},
    {"machine m\nmemory\n", 2, "memory: latency is missing"},
    {"machine m\npage placement random\n", 2, "page: bytes is missing"},
    {"machine m\npage bytes 4K placement coloured\n", 2, "coloured: a number is missing"},
    {"machine m\npage bytes 4K placement coloured 0\n", 2, "coloured: '0' is out of range"},
    {"machine m\npage bytes 4K placement scattered\n", 2, "placement: unknown word"},
};

static const struct bad bad_sense[] = {
    {GOOD, 4, "level is missing"},
    {LEVEL "cycle 1ns\nmemory latency 9\npage bytes 4K\n# end", 5, "machine is missing"},
    {LEVEL "machine m\nmemory latency 9\npage bytes 4K\n", 4, "cycle is missing"},
    {LEVEL "machine m\ncycle 1ns\npage bytes 4K\n", 4, "memory is missing"},
    {LEVEL "machine m\nmemory latency 9\ncycle 1 ns\n", 4, "page is missing"},
    {GOOD "level 2 bytes 1K ways 2 line 64 latency 3\n", 5, "level 2 without level 1"},
    {GOOD LEVEL "level 4 bytes 1K ways 2 line 64 latency 3\n", 6, "level 4 without level 3"},
    {GOOD LEVEL "tlb 2 entries 4 miss 1\n", 6, "tlb 2 without tlb 1"},
    {GOOD "level 1 bytes 1K ways 3 line 64 latency 3\n", 5, "ways x line does not divide bytes"},
    {GOOD "level 1 bytes 1K ways 32 line 64 latency 3\n", 5, "ways x line does not divide bytes"},
    {GOOD "level 1 bytes 960 ways 2 line 48 latency 3\n", 5, "line is not a power of two"},
    {GOOD "level 1 bytes 64K ways 2 line 8K latency 3\n", 5, "line is longer than a page"},
    {GOOD "level 1 bytes 64M ways 1 line 4 latency 3\n", 5, "more than 4194304 lines"},
    {GOOD "level 1 bytes 768 ways 3 line 64 latency 3 policy plru\n", 5, "plru needs a power"},
    {GOOD "level 1 bytes 8K ways 128 line 64 latency 3 policy plru\n", 5, "plru needs a power"},
    {GOOD "level 1 bytes 1K ways 2 line 64 latency 3 independent\n", 5, "no level above"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 32 latency 5\n", 6, "line is shorter"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 64 latency 2.9\n", 6, "latency is less"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 128 latency 5 exclusive\n", 6, "has the line of"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 64 latency 5 exclusive prefetch next\n", 6,
     "cannot prefetch"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 64 latency 5 exclusive through\n", 6,
     "an exclusive level writes back"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 64 latency 5 around exclusive\n", 6,
     "an exclusive level writes back"},
    {GOOD "level 1 bytes 4K ways 33 line 4 latency 3 policy rrip\n", 5, "does not divide bytes"},
    {GOOD "level 1 bytes 4K ways 64 line 64 latency 3 policy rrip\n", 5, "rrip has 32 ways"},
    {GOOD LEVEL "tlb 1 entries 65 miss 1 policy clock\n", 6, "a clock has 64 ways"},
    {GOOD "level 1 bytes 4K ways 2 line 64 latency 3 hash 3\n", 5, "hash does not divide"},
    {GOOD LEVEL "opcache bytes 1K ways 2 line 64 miss 3\n", 6, "opcache: there is no icache"},
    {GOOD LEVEL "targets entries 8 miss 3\n", 6, "targets: there is no icache"},
    {GOOD LEVEL "icache bytes 1K ways 3 line 64 miss 3\n", 6, "icache: ways x line does not"},
    {GOOD LEVEL "icache bytes 1K ways 2 line 64 miss 3 spacing 48\n", 6, "icache: spacing is not"},
    {GOOD LEVEL "icache bytes 64K ways 2 line 8K miss 3\n", 6, "icache: line is longer than"},
    {GOOD LEVEL "icache bytes 1K ways 2 line 64 miss 3\nopcache bytes 1K ways 2 line 48 miss 1\n",
     7, "opcache: line is not"},
    {GOOD LEVEL "icache bytes 1K ways 2 line 64 miss 3\ntargets entries 9 ways 2 miss 1\n", 7,
     "targets: ways does not divide"},
    {GOOD LEVEL "level 2 bytes 4K ways 2 line 64 latency 91\n", 3, "memory: latency is less"},
    {GOOD LEVEL "tlb 1 entries 10 ways 4 miss 1\n", 6, "ways does not divide entries"},
    {GOOD LEVEL "tlb 1 entries 12 ways 3 miss 1 policy plru\n", 6, "plru needs a power of two"},
    {LEVEL "machine m\nmemory latency 9\ncycle 1 ns\npage bytes 5000\n", 5,
     "page: bytes is not a power of two"},
    {LEVEL "machine m\nmemory latency 9\ncycle 1 ns\npage bytes 4K huge 4K\n", 5,
     "page: huge is not a power of two above"},
    {LEVEL "machine m\nmemory latency 9\ncycle 1 ns\npage bytes 4K huge 12K\n", 5,
     "page: huge is not a power of two above"},
};

static void check_bad(const struct bad *bad, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct hw_description description;
    char said[512];
    char place[32];
    int result = read_text(&description, bad[i].text, strlen(bad[i].text), said, sizeof said);

    snprintf(place, sizeof place, "FILE:%lu: ", bad[i].line);
    if (result != -1 || strncmp(said, place, strlen(place)) != 0 ||
        strstr(said, bad[i].reason) == NULL || strchr(said, '\n') != said + strlen(said) - 1)
      fail_msg("for\n%s\nit should be\n%s%s\nbut was\n%s", bad[i].text, place, bad[i].reason, said);
  }
}

static void test_bad_words(void **state) {
  (void)state;
  check_bad(bad_words, COUNT(bad_words));
}

static void test_bad_sense(void **state) {
  (void)state;
  check_bad(bad_sense, COUNT(bad_sense));
}

static void test_bad_bytes(void **state) {
  static const char zero[] = GOOD "level 1\0 bytes 1K\n";
  struct hw_description description;
  char said[512];
  char line[600];

  (void)state;
  assert_int_equal(read_text(&description, zero, sizeof zero - 1, said, sizeof said), -1);
  assert_string_equal(said, "FILE:5: not a text file (byte 0)\n");
  memset(line, 'x', sizeof line);
  assert_int_equal(read_text(&description, line, sizeof line, said, sizeof said), -1);
  assert_string_equal(said, "FILE:1: line too long\n");
  line[0] = '#';
  assert_int_equal(read_text(&description, line, sizeof line, said, sizeof said), -1);
  assert_string_equal(said, "FILE:1: machine is missing\n");
}

/* What hw_machine_simulated says to stderr about a file that it cannot use. */
static void said_of(const char *file, char *said, size_t room) {
  FILE *err = tmpfile();
  int old = dup(STDERR_FILENO);
  struct hw_machine *machine;
  size_t got;

  assert_non_null(err);
  fflush(stderr);
  dup2(fileno(err), STDERR_FILENO);
  machine = hw_machine_simulated(file);
  fflush(stderr);
  dup2(old, STDERR_FILENO);
  close(old);
  rewind(err);
  got = fread(said, 1, room - 1, err);
  said[got] = '\0';
  fclose(err);
  assert_null(machine);
}

static void test_no_file(void **state) {
  char said[256];

  (void)state;
  said_of("no/such.machine", said, sizeof said);
  assert_ptr_equal(strstr(said, "no/such.machine:0: cannot be opened: "), said);
  said_of(".", said, sizeof said);
  assert_ptr_equal(strstr(said, ".:"), said);
  assert_non_null(strstr(said, ": cannot be "));
}

/* ---- the machines at hand ---- */

static FILE *open_machine(const char *name, const char *end) {
  const char *source = getenv("srcdir");
  char path[512];

  snprintf(path, sizeof path, "%s/tests/machines/%s%s", source == NULL ? "." : source, name, end);
  return fopen(path, "r");
}

/* Copies the lines but those that begin so. */
static void append(FILE *to, FILE *from, const char *without) {
  char line[1024];

  assert_non_null(from);
  while (fgets(line, sizeof line, from) != NULL)
    if (without == NULL || strncmp(line, without, strlen(without)) != 0)
      fputs(line, to);
  fclose(from);
}

/* Whether the column of the table says so, or that it cannot be told, "?". */
static void check_column(const char *column, double value) {
  if (strcmp(column, "?") != 0)
    assert_close(value, strtod(column, NULL), 0);
}

/* Each is as the table of expected values has it, also with the noise in place of its own. */
static void test_machines(void **state) {
  FILE *expected = open_machine("expected", "");
  unsigned machines = 0;
  char line[1024];

  (void)state;
  assert_non_null(expected);
  while (fgets(line, sizeof line, expected) != NULL) {
    struct hw_description description;
    const struct hw_sim_level *level = description.level;
    char name[64];
    char column[6][32];
    FILE *in = tmpfile();

    assert_non_null(in);
    if (line[0] == '#') {
      fclose(in);
      continue;
    }
    assert_int_equal(sscanf(line, "%63s %31s %31s %31s %31s %31s %31s", name, column[0], column[1],
                            column[2], column[3], column[4], column[5]),
                     7);
    append(in, open_machine(name, ".machine"), "noise");
    append(in, open_machine("noise", ""), NULL);
    rewind(in);
    assert_int_equal(hw_description_read(&description, name, in, stderr), 0);
    fclose(in);
    check_column(column[0], (double)level->bytes);
    check_column(column[1], (double)level->ways);
    check_column(column[2], (double)level->line);
    check_column(column[3], (double)(level->bytes / level->ways / level->line));
    check_column(column[4], level->latency);
    check_column(column[5], (double)description.page.bytes);
    assert_close(description.noise.jitter, 0.05, 0);
    machines++;
  }
  fclose(expected);
  assert_in_range(machines, 16, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_cost_of_skipped_laps),
      cmocka_unit_test(test_placement_random),
      cmocka_unit_test(test_first),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_chains),
      cmocka_unit_test(test_no_code),
      cmocka_unit_test(test_code_revisits),
      cmocka_unit_test(test_jitter),
      cmocka_unit_test(test_outliers),
      cmocka_unit_test(test_bursts),
      cmocka_unit_test(test_shared),
      cmocka_unit_test(test_sibling),
      cmocka_unit_test(test_sibling_lines),
      cmocka_unit_test(test_sibling_foretold),
      cmocka_unit_test(test_sibling_pages),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_process),
      cmocka_unit_test(test_neighbours_seed),
      cmocka_unit_test(test_reset),
      cmocka_unit_test(test_team_neighbours),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_seed),
      cmocka_unit_test(test_description_levels),
      cmocka_unit_test(test_description_rest),
      cmocka_unit_test(test_description_defaults),
      cmocka_unit_test(test_bad_words),
      cmocka_unit_test(test_bad_sense),
      cmocka_unit_test(test_bad_bytes),
      cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_machines),
  };

  return cmocka_run_group_tests_name("simulated", tests, NULL, NULL);
}
