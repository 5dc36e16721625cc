# Written by Trellis. `make` builds all examples of kernels in this folder, `make OPENMP=` on one thread.
CFLAGS ?= -O3 -march=native
OPENMP ?= -fopenmp
EXAMPLES := $(patsubst %.c,%,$(wildcard *_example.c))

all: $(EXAMPLES)

%_example: %_example.c %.c %.h trellis_tensor.h
	$(CC) -std=c99 -fwrapv $(CFLAGS) $(OPENMP) $*.c $*_example.c -lm -o $@

clean:
	rm -f $(EXAMPLES)

.PHONY: all clean
