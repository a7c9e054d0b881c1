/* The number of pairs of equal keys, by a radix-partitioned hash join.  Keys go to partitions by
   bits of their hash, in as many passes as it takes until level 2 holds the table of each; then
   partition by partition into a table that is probed.  A pass writes to each of its partitions in
   turn, so that there are no more of them than level 1 and the TLB hold the ends of: HW_PARTITIONS.
   A table that a near last level holds is not partitioned: its misses overlap, and cost less than a
   pass.  See: P. A. Boncz, S. Manegold, M. L. Kersten: Database architecture optimized for
   the new bottleneck: memory access, VLDB 1999. */
#include "kernels.h"
#include "vectors.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes of a table by key: the key, the next with its bucket, and a bucket. */
#define JOIN_BYTES (3 * sizeof(uint32_t))
/* The table takes half of level 2; the other is for the keys that probe it. */
#define JOIN_TABLE ((size_t)HW_L2_EFF_BYTES / 2)
/* Bytes of a table that is not partitioned: half of level 3, or as many as level 2 has if it is not
   known what level 3 holds; of a far level 3 none. */
#if KERNEL_FAR
#define JOIN_NEAR JOIN_TABLE
#elif HW_L3_EFF_BYTES_SRC != HW_SRC_DEFAULT
#define JOIN_NEAR (HW_L3_EFF_BYTES / 2)
#elif HW_HAVE_L3 || HW_HAVE_L3_SRC == HW_SRC_DEFAULT
#define JOIN_NEAR HW_L2_BYTES
#else
#define JOIN_NEAR JOIN_TABLE
#endif
/* Passes at most: of a bit each. */
#define JOIN_PASSES 32u

struct join {
  unsigned bits;     /* of a pass at most */
  uint32_t *side[4]; /* where passes write, in turn: of the first relation, and of the second */
  size_t *end;       /* of the partitions of each pass, of one relation after the other */
  uint32_t *bucket;  /* the last key of each, from 1 on, or 0 */
  uint32_t *next;    /* the key before it in its bucket */
  size_t count;
};

/* Keys of one relation, and where they begin in it. */
struct join_keys {
  const uint32_t *key;
  size_t n, from;
};

static unsigned join_bits(size_t n) {
  unsigned bits = 0;

  while (bits < 31 && (size_t)1 << bits < n)
    bits++;
  return bits;
}

size_t join_room(size_t fanout, size_t n, size_t m) {
  fanout = fanout == 0 ? HW_PARTITIONS : fanout;
  return (4 * n + 2 * m + ((size_t)2 << join_bits(n))) * sizeof(uint32_t) +
         2 * JOIN_PASSES * (fanout + 1) * sizeof(size_t);
}

/* Its bits look like chance for any keys, even those in sequence: partitions of exactly the same
   size would end in the same set of level 1, and writing to them in turn were conflict misses. */
static uint32_t join_hash(uint32_t key) {
  key = (key ^ key >> 16) * UINT32_C(0x85ebca6b);
  key = (key ^ key >> 13) * UINT32_C(0xc2b2ae35);
  return key ^ key >> 16;
}

/* Builds the table of the first and probes it with the second. */
static void join_table(struct join *join, const struct join_keys *first,
                       const struct join_keys *second) {
  const unsigned shift = 32 - (join_bits(first->n) > 0 ? join_bits(first->n) : 1);

  memset(join->bucket, 0, ((size_t)1 << (32 - shift)) * sizeof *join->bucket);
  for (size_t i = 0; i < first->n; i++) {
    uint32_t *bucket = &join->bucket[first->key[i] * UINT32_C(0x85ebca6b) >> shift];
    join->next[i] = *bucket;
    *bucket = (uint32_t)i + 1;
  }
  for (size_t i = 0; i < second->n; i++) {
    const uint32_t key = second->key[i];
    for (size_t at = join->bucket[key * UINT32_C(0x85ebca6b) >> shift]; at > 0;
         at = join->next[at - 1])
      join->count += first->key[at - 1] == key;
  }
}

/* Writes keys to their partitions, by so many bits of the hash after those used.  end has room for
   each, and comes to say where it ends. */
static void join_scatter(const struct join_keys *keys, unsigned used, unsigned bits, uint32_t *to,
                         size_t *end) {
  const unsigned shift = 32 - bits;
  size_t sum = 0;

  memset(end, 0, ((size_t)1 << bits) * sizeof *end);
  for (size_t i = 0; i < keys->n; i++)
    end[join_hash(keys->key[i]) << used >> shift]++;
  for (size_t i = 0, n; i < (size_t)1 << bits; i++, sum += n) {
    n = end[i];
    end[i] = sum;
  }
  for (size_t i = 0; i < keys->n; i++)
    to[end[join_hash(keys->key[i]) << used >> shift]++] = keys->key[i];
}

static void join_keys(struct join *join, struct join_keys first, struct join_keys second,
                      unsigned used, unsigned pass) {
  const size_t ends = (size_t)1 << join->bits;
  size_t *end[2] = {join->end + 2 * pass * ends, join->end + (2 * pass + 1) * ends};
  uint32_t *to[2] = {join->side[pass % 2] + first.from, join->side[2 + pass % 2] + second.from};
  unsigned bits = join_bits(first.n * JOIN_BYTES / JOIN_TABLE + 1);

  if (bits > join->bits) { /* in several passes, as evenly as can be, or in none */
    const unsigned passes = join->bits > 0 ? (bits - 1) / join->bits + 1 : 1;
    bits = join->bits > 0 ? (bits - 1) / passes + 1 : 0;
  }
  bits = bits < 32 - used ? bits : 32 - used;
  if (bits == 0) {
    join_table(join, &first, &second);
    return;
  }
  join_scatter(&first, used, bits, to[0], end[0]);
  join_scatter(&second, used, bits, to[1], end[1]);
  for (size_t p = 0; p < (size_t)1 << bits; p++) {
    const size_t a = p > 0 ? end[0][p - 1] : 0, b = p > 0 ? end[1][p - 1] : 0;
    const struct join_keys r = {to[0] + a, end[0][p] - a, first.from + a};
    const struct join_keys s = {to[1] + b, end[1][p] - b, second.from + b};

    if (r.n > 0 && s.n > 0)
      join_keys(join, r, s, used + bits, pass + 1);
  }
}

size_t join_count(size_t fanout, size_t n, const uint32_t *first, size_t m, const uint32_t *second,
                  void *room) {
  const bool near = fanout == 0 && n * JOIN_BYTES <= JOIN_NEAR;
  struct join join = {.end = room};
  uint32_t *words;

  fanout = fanout == 0 ? HW_PARTITIONS : fanout;
  while ((size_t)2 << join.bits <= fanout)
    join.bits++;
  words = (uint32_t *)(join.end + 2 * JOIN_PASSES * ((size_t)1 << join.bits));
  join.side[0] = words;
  join.side[1] = join.side[0] + n;
  join.side[2] = join.side[1] + n;
  join.side[3] = join.side[2] + m;
  join.next = join.side[3] + m;
  join.bucket = join.next + n;
  if (near)
    join_table(&join, &(struct join_keys){first, n, 0}, &(struct join_keys){second, m, 0});
  else if (n > 0 && m > 0)
    join_keys(&join, (struct join_keys){first, n, 0}, (struct join_keys){second, m, 0}, 0, 0);
  return join.count;
}
