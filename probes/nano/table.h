/* What a generated file and the probes know of each other. */
#ifndef HW_NANO_TABLE_H
#define HW_NANO_TABLE_H

/* A generated function.  It does the body of its loop n times, the longer body when second is not
   0. */
struct hw_nano_entry {
  const char *name;
  void (*run)(unsigned long n, int second); /* NULL: the compiler has no such type or code */
};

/* Ends with NULL; each of the tables ends with an entry without a name. */
extern const struct hw_nano_entry *const hw_nano_tables[];

#endif
