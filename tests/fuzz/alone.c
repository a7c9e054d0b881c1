/* In the place of libFuzzer, for make check: alone INPUTS [FILE...] has so many inputs, the same
   each time: bytes at random, or the files, and then each of these damaged in some places. */
#include "probes/bench/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALONE_ROOM 4096u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct alone_input {
  uint8_t byte[ALONE_ROOM];
  size_t n;
};

static void alone_random(struct alone_input *input, struct hw_random *random) {
  input->n = hw_random_below(random, ALONE_ROOM);
  for (size_t i = 0; i < input->n; i++)
    input->byte[i] = (uint8_t)hw_random_below(random, 256);
}

static void alone_read(struct alone_input *input, const char *file) {
  FILE *in = fopen(file, "rb");

  if (in == NULL) {
    perror(file);
    exit(2);
  }
  input->n = fread(input->byte, 1, ALONE_ROOM, in);
  fclose(in);
}

/* Takes a stretch out, puts another stretch in its place, or changes a byte. */
static void alone_damage(struct alone_input *input, struct hw_random *random) {
  size_t at = hw_random_below(random, input->n), n = hw_random_below(random, input->n - at);

  switch (hw_random_below(random, 3)) {
  case 0:
    memmove(input->byte + at, input->byte + at + n, input->n - at - n);
    input->n -= n;
    break;
  case 1:
    memmove(input->byte + at, input->byte + hw_random_below(random, input->n - n), n);
    break;
  default:
    input->byte[at] = (uint8_t)hw_random_below(random, 256);
  }
}

int main(int argc, char **argv) {
  unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 10) : 0,
                files = argc > 2 ? (unsigned long)argc - 2 : 0;
  static struct alone_input input;
  struct hw_random random = {1};

  for (unsigned long i = 0; i < inputs; i++) {
    if (files == 0)
      alone_random(&input, &random);
    else
      alone_read(&input, argv[2 + i % files]);
    for (size_t left = i < files ? 0 : hw_random_below(&random, 5); left > 0 && input.n > 0; left--)
      alone_damage(&input, &random);
    LLVMFuzzerTestOneInput(input.byte, input.n);
  }
  return inputs == 0;
}
