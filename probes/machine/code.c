/* Pieces of code, laid out so that many of them map to one set of an instruction cache.

   A piece is a function that returns a number of its own, so that no two are merged.  It is not
   optimized: that halves the time to compile them all, and its work is not what is timed.  The
   attributes are only hints: the pieces' addresses are read at run time, and the probe takes those
   that it can use.

   The layout, from a multiple of 4 KiB on: pairs of pieces 16 bytes apart, one each 1 KiB in the
   first 64 KiB, each 2 KiB in the next 448 KiB; one more pair 32, 64, 128 and 256 bytes after each
   multiple of 32 KiB, and one 32 bytes after what is 64 bytes, 2, 4, 8 and 16 KiB from there.  So
   64 pairs lie at every stride from 1 to 8 KiB, and 8 at 64 KiB, nearly all in more than one
   place. */
#include "probes/machine/code.h"

#include "analysis/environment.h"

#include <stdint.h>
#include <stdlib.h>

/* The code that jumps to the pieces takes a line of each set that it maps to; pieces that could
   share a set with it, in a cache of ways of this many bytes or more, are left out. */
#define CODE_WAY 1024u
/* Bytes kept free of pieces for the jumping code before its function, and from there on at least:
   its length is known from the function after it. */
#define CODE_BEFORE 64u
#define CODE_BEHIND 192u
/* Visits that show whether the loop has one call: more than compilers unroll it by. */
#define CODE_UNROLLED 64u
/* Positions are counted from a multiple of this, bytes. */
#define CODE_UNIT ((uintptr_t)64 << 10)

#ifdef __GNUC__

/* With what -pg or -fstack-protector-all adds, a piece would reach into the second of its pair. */
#define CODE_BARE __attribute__((noinline, no_instrument_function))
#if defined __has_attribute
#if __has_attribute(no_stack_protector)
#undef CODE_BARE
#define CODE_BARE __attribute__((noinline, no_instrument_function, no_stack_protector))
#endif
#endif
/* Laid out in the order of the source. */
#define CODE_KEPT __attribute__((noinline, used))
#if defined __has_attribute
#if __has_attribute(no_reorder)
#undef CODE_KEPT
#define CODE_KEPT __attribute__((noinline, used, no_reorder))
#endif
#endif
#ifdef __clang__
#define CODE_PLAIN CODE_BARE __attribute__((optnone))
#else
#define CODE_PLAIN CODE_BARE __attribute__((optimize(0)))
#endif
#define CODE_ALIGNED(align) __attribute__((aligned(align)))
/* The loop is not to be unrolled, whatever the flags say. */
#ifdef __clang__
#define CODE_ONCE _Pragma("clang loop unroll(disable)")
#elif __GNUC__ >= 8
#define CODE_ONCE _Pragma("GCC unroll 1")
#else
#define CODE_ONCE
#endif

#define CODE_PAIR(i, align) CODE_PIECE(i##a, align) CODE_PIECE(i##b, 16)
#define CODE_FOUR(i, align) CODE_PAIR(i, align) CODE_PAIR(i##f, 32)
#define CODE_HEAD(i)                                                                               \
  CODE_PAIR(i, 4096)                                                                               \
  CODE_PAIR(i##1, 32) CODE_FOUR(i##2, 64) CODE_PAIR(i##3, 128) CODE_PAIR(i##4, 256)
#define CODE_3(i, align) CODE_PAIR(i##1, align) CODE_PAIR(i##2, align) CODE_PAIR(i##3, align)
#define CODE_4(i, align) CODE_PAIR(i##0, align) CODE_3(i, align)
#define CODE_4F(i, align) CODE_FOUR(i##0, align) CODE_3(i, align)
/* Blocks of 32 KiB. */
#define CODE_FINE(i)                                                                               \
  CODE_HEAD(i##00)                                                                                 \
  CODE_PAIR(i##01, 1024)                                                                           \
  CODE_FOUR(i##02, 1024)                                                                           \
  CODE_PAIR(i##03, 1024)                                                                           \
  CODE_4F(i##1, 1024)                                                                              \
  CODE_4F(i##2, 1024)                                                                              \
  CODE_4(i##3, 1024)                                                                               \
  CODE_4F(i##4, 1024) CODE_4(i##5, 1024) CODE_4(i##6, 1024) CODE_4(i##7, 1024)
#define CODE_COARSE(i)                                                                             \
  CODE_HEAD(i##00)                                                                                 \
  CODE_FOUR(i##01, 2048)                                                                           \
  CODE_FOUR(i##02, 2048)                                                                           \
  CODE_PAIR(i##03, 2048) CODE_4F(i##1, 2048) CODE_4F(i##2, 2048) CODE_4(i##3, 2048)
/* If no probe is there that times them, those that tell an emulator. */
#ifdef HW_WITHOUT_ICACHE
#define CODE_ALL CODE_FINE(0) CODE_FINE(1)
#else
#define CODE_ALL                                                                                   \
  CODE_FINE(0)                                                                                     \
  CODE_FINE(1)                                                                                     \
  CODE_COARSE(2)                                                                                   \
  CODE_COARSE(3)                                                                                   \
  CODE_COARSE(4)                                                                                   \
  CODE_COARSE(5)                                                                                   \
  CODE_COARSE(6)                                                                                   \
  CODE_COARSE(7)                                                                                   \
  CODE_COARSE(8)                                                                                   \
  CODE_COARSE(9)                                                                                   \
  CODE_COARSE(a)                                                                                   \
  CODE_COARSE(b) CODE_COARSE(c) CODE_COARSE(d) CODE_COARSE(e) CODE_COARSE(f)
#endif

/* Visits pieces in order, by one call instruction, whose target is new each time: of several, each
   would have a target predicted that another sample visited, and its code fetched.  There are
   two such functions, consecutive since a compiler keeps the order of what is marked as used, and
   slightly different lest they be merged: one of them shares few sets with the pieces.  Their
   frames begin with a line: the return address's place in its line costs a visit some cycles more
   or less, and the system begins each process's stack at a random address. */
CODE_ALIGNED(512)
CODE_KEPT static unsigned code_jumps(hw_code_piece *const *visit, size_t n) {
  _Alignas(HW_LINE_USUAL) volatile unsigned frame[1];
  unsigned sum = 0;

  frame[0] = 0;
  CODE_ONCE
  for (size_t i = 0; i < n; i++)
    sum += visit[i]();
  return sum + frame[0];
}

CODE_ALIGNED(512)
CODE_KEPT static unsigned code_leaps(hw_code_piece *const *visit, size_t n) {
  _Alignas(HW_LINE_USUAL) volatile unsigned frame[1];
  unsigned sum = 0;

  frame[0] = 0;
  CODE_ONCE
  for (size_t i = 0; i < n; i++)
    sum -= visit[i]();
  return sum + frame[0];
}

/* A piece that returns where it was called from.  It follows the jumping code and marks its end. */
CODE_KEPT static unsigned code_witness(void) {
  return (unsigned)(uintptr_t)__builtin_return_address(0);
}

#define CODE_PIECE(i, align)                                                                       \
  CODE_PLAIN CODE_ALIGNED(align) static unsigned code_##i(void) { return 0x##i; }
CODE_ALL
#undef CODE_PIECE

#define CODE_PIECE(i, align) code_##i,
static hw_code_piece *const code_pieces[] = {CODE_ALL};
#undef CODE_PIECE

#define CODE_PIECES (sizeof code_pieces / sizeof code_pieces[0])

/* Whether the code has one call: the sum over n visits is then n times that of one visit. */
static int code_single(hw_code_jumps *jumps) {
  hw_code_jumps *volatile walk = jumps; /* volatile: no inlined copy for these visits */
  hw_code_piece *visit[CODE_UNROLLED];
  unsigned one;

  for (size_t i = 0; i < CODE_UNROLLED; i++)
    visit[i] = code_witness;
  one = walk(visit, 1);
  for (unsigned n = 2; n <= CODE_UNROLLED; n++)
    if (walk(visit, n) != n * one)
      return 0;
  return 1;
}

/* Bytes that the jumping code takes at most: up to the next function. */
static uintptr_t code_span(hw_code_jumps *jumps) {
  const uintptr_t start = (uintptr_t)jumps;
  const uintptr_t next[] = {(uintptr_t)code_jumps, (uintptr_t)code_leaps, (uintptr_t)code_witness};
  uintptr_t span = CODE_WAY;

  for (size_t i = 0; i < sizeof next / sizeof next[0]; i++)
    if (next[i] > start && next[i] - start < span)
      span = next[i] - start;
  return span > CODE_BEHIND ? span : CODE_BEHIND;
}

/* Whether a piece shares sets with the code that jumps to it. */
static int code_clashes(hw_code_piece *piece, hw_code_jumps *jumps) {
  uintptr_t distance = (uintptr_t)piece - ((uintptr_t)jumps - CODE_BEFORE);

  return distance % CODE_WAY < CODE_BEFORE + code_span(jumps);
}

/* Number of pieces that share no set with that code; 0 if it has several calls. */
static size_t code_left(hw_code_jumps *jumps) {
  size_t n = 0;

  if (!code_single(jumps))
    return 0;
  for (size_t i = 0; i < CODE_PIECES; i++)
    n += !code_clashes(code_pieces[i], jumps);
  return n;
}

static int code_order(const void *a, const void *b) {
  uintptr_t x = (uintptr_t) * (hw_code_piece *const *)a;
  uintptr_t y = (uintptr_t) * (hw_code_piece *const *)b;

  return (x > y) - (x < y);
}

/* Finds the pieces.  0, or -1 if there are none, or no memory. */
static int code_find(struct hw_code *code) {
  uintptr_t origin;

  code->piece = calloc(CODE_PIECES, sizeof *code->piece);
  code->position = calloc(CODE_PIECES, sizeof *code->position);
  if (code->piece == NULL || code->position == NULL)
    return -1;
  code->jumps = code_left(code_jumps) > code_left(code_leaps) ? code_jumps : code_leaps;
  if (code_left(code->jumps) == 0)
    return -1;
  for (size_t i = 0; i < CODE_PIECES; i++)
    if (!code_clashes(code_pieces[i], code->jumps))
      code->piece[code->n++] = code_pieces[i];
  qsort(code->piece, code->n, sizeof *code->piece, code_order);
  origin = (uintptr_t)code->piece[0] - (uintptr_t)code->piece[0] % CODE_UNIT;
  for (size_t i = 0; i < code->n; i++)
    code->position[i] = (size_t)((uintptr_t)code->piece[i] - origin);
  return 0;
}

const size_t *hw_code_list(struct hw_code *code, size_t *n) {
  if (code->position == NULL && code_find(code) < 0)
    hw_code_free(code);
  *n = code->n;
  return code->position;
}

#else

/* Other compilers do not align functions: there are no pieces. */
const size_t *hw_code_list(struct hw_code *code, size_t *n) {
  *n = code->n;
  return NULL;
}

#endif

int hw_code_link(struct hw_code *code, const size_t *pieces, size_t n) {
  if (n > code->room) {
    hw_code_piece **grown = realloc(code->visit, n * sizeof *grown);
    if (grown == NULL)
      return -1;
    code->visit = grown;
    code->room = n;
  }
  for (size_t i = 0; i < n; i++)
    code->visit[i] = code->piece[pieces[i]];
  code->visits = n;
  code->next = 0;
  return 0;
}

int hw_code_walk(struct hw_code *code, unsigned long n) {
  while (n > 0) {
    size_t left = code->visits - code->next;
    size_t part = n < left ? (size_t)n : left;
    code->sum += code->jumps(code->visit + code->next, part);
    code->next = part < left ? code->next + part : 0;
    n -= part;
  }
  return 0;
}

void hw_code_free(struct hw_code *code) {
  free(code->position);
  free(code->piece);
  free(code->visit);
  *code = (struct hw_code){0};
}
