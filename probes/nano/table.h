/* What a generated file and the probes know of each other. */
#ifndef HW_NANO_TABLE_H
#define HW_NANO_TABLE_H

/* The tree of code goes by so many words, again and again. */
#define HW_NANO_OUTCOMES 4096u

/* A generated function.  It does the body of its loop n times, the longer body when second is not
   0.  A tree of code is walked n times, each time by the bits of the next word of outcomes. */
struct hw_nano_entry {
  const char *name;
  /* NULL: the compiler has no such type or code */
  void (*run)(unsigned long n, int second, const unsigned *outcomes);
};

/* Ends with NULL; each of the tables ends with an entry without a name. */
extern const struct hw_nano_entry *const hw_nano_tables[];

/* How many of the tables, from the first one on, are in objects that more code can be linked to. 0:
   what is generated takes the place of all that there is. */
extern const unsigned hw_nano_parts;

#endif
