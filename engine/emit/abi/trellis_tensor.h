#ifndef TRELLIS_TENSOR_H
#define TRELLIS_TENSOR_H
/*
 * Tensors in memory, as kernels that Trellis writes take them. C99, and C++.
 *
 * A tensor is a chain of levels above an array of values; a csr matrix is a dense level above a compressed one:
 *
 *     [[1, 0, 2], [0, 0, 0]]     level 0   TRELLIS_DENSE        size 2
 *                                level 1   TRELLIS_COMPRESSED   size 3, positions 0 2 2, coordinates 0 2
 *                                values    1 2
 *
 * Numbers of positions and coordinates are int32_t, or int64_t where the level's flags say so. P is the number of
 * children of the level above, 1 at the first; E that of the entries of the level:
 *
 *     kind                                positions  coordinates  others
 *     dense                               -          -            in bounds: offsets P + 1, starts P if low
 *     compressed, hashed, bytemap         P + 1      E            table: mask and slots of a hashed one, P * size bytes
 *     compressed with a width K           -          P * K
 *     singleton, pinpoint                 -          P
 *     rle, sparse_rle                     P + 1      E            starts E of a sparse one
 *     interval                            -          P            starts P
 *     vbl, band                           P + 1, -   E, P         offsets E + 1, P + 1; none of a vbl with a width
 *
 * There is a value for each child of the last level, and none of a pattern. Structs only ever grow at their ends:
 * `struct_size` and `level_size` tell how far those of the caller reach.
 */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRELLIS_ABI 1u

enum trellis_type {
  TRELLIS_F64,
  TRELLIS_F32,
  TRELLIS_I64,
  TRELLIS_I32,
  TRELLIS_I16,
  TRELLIS_U64,
  TRELLIS_U32,
  TRELLIS_U8,
  TRELLIS_BOOL /* a byte, 0 or 1 */
};

enum trellis_level_kind {
  TRELLIS_DENSE,
  TRELLIS_COMPRESSED,
  TRELLIS_SINGLETON,
  TRELLIS_HASHED,
  TRELLIS_BYTEMAP,
  TRELLIS_RLE,
  TRELLIS_SPARSE_RLE,
  TRELLIS_INTERVAL,
  TRELLIS_VBL,
  TRELLIS_BAND,
  TRELLIS_PINPOINT
};

enum trellis_level_flags {
  TRELLIS_NONUNIQUE = 1,  /* coordinates may repeat within a fiber */
  TRELLIS_UNORDERED = 2,  /* they come in any order */
  TRELLIS_DECREASING = 4, /* they fall */
  TRELLIS_WIDE = 8,       /* positions, coordinates and the others are int64_t */
  TRELLIS_BOUNDED = 16    /* a dense level within bounds */
};

enum trellis_tensor_flags { TRELLIS_PATTERN = 1 /* no values: what is stored is true */ };

enum trellis_array {
  TRELLIS_POSITIONS,
  TRELLIS_COORDINATES,
  TRELLIS_TABLE,
  TRELLIS_STARTS,
  TRELLIS_OFFSETS,
  TRELLIS_ARRAYS,
  TRELLIS_VALUES = TRELLIS_ARRAYS /* of level -1 */
};

typedef struct trellis_buffer {
  void *data;       /* null: there is no such array, or nothing in it */
  int64_t count;    /* elements that mean something */
  int64_t capacity; /* elements that there is room for */
} trellis_buffer;

typedef struct trellis_level {
  int32_t kind, flags;
  int64_t size;    /* coordinates are 0 to size - 1 */
  int64_t width;   /* of compressed and vbl levels with one; else 0 */
  int64_t entries; /* that are listed */
  trellis_buffer arrays[TRELLIS_ARRAYS];
} trellis_level;

typedef struct trellis_tensor trellis_tensor;
struct trellis_tensor {
  uint32_t abi, struct_size, level_size, flags;
  int32_t type, rank, levels, reserved;
  const int64_t *shape;   /* `rank` of them */
  const int32_t *order;   /* the dimension that each level stores; null: a layout, which the kernel knows */
  trellis_level *storage; /* `levels` of them, outermost first */
  trellis_buffer values;
  union {
    double real;
    int64_t integer;
    uint64_t bits;
  } fill;             /* of what is not stored */
  const char *format; /* for people: "{dense, compressed}"; may be null */
  /*
   * Of results: makes room for at least `needed` elements of an array, and keeps what is there; `data` and `capacity`
   * say where and how many then. 0, or anything else when memory is refused. Null: nothing can grow. The thread that
   * entered the kernel calls it.
   */
  int (*grow)(trellis_tensor *tensor, int32_t level, int32_t array, int64_t needed);
  void *owner; /* whoever `grow` and `release` belong to */
  void (*release)(trellis_tensor *tensor);
};

enum trellis_status {
  TRELLIS_OK,
  TRELLIS_DIVISION_BY_ZERO,
  TRELLIS_DIVISION_OVERFLOW,
  TRELLIS_INDEX_OUT_OF_RANGE,
  TRELLIS_RESULT_TOO_LARGE, /* it may not grow, or outgrows 32-bit positions */
  TRELLIS_OUT_OF_MEMORY,
  TRELLIS_WRONG_ABI,
  TRELLIS_WRONG_TYPE,
  TRELLIS_WRONG_SHAPE,
  TRELLIS_WRONG_FORMAT,
  TRELLIS_WRONG_FILL,
  TRELLIS_MISSING, /* an array that the format has */
  TRELLIS_OVERLAP,
  TRELLIS_INTERRUPTED /* the caller asked it to end */
};

/*
 * A kernel that was made to be interrupted looks at `status` while it runs, and ends when it is TRELLIS_INTERRUPTED: a
 * handler of signals, or another thread, may write that there. `status` has to be 0 when such a kernel is entered, and
 * `argument` means nothing until it has returned.
 */

typedef struct trellis_error {
  int32_t status;   /* trellis_status */
  int32_t argument; /* the number of the tensor, or -1 */
  int32_t site;     /* the place in the program that a fault comes from, or -1 */
  int32_t reserved;
  char message[232];
} trellis_error;

/*
 * What all kernels are: `tensors` in the order that their header tells, `sizes` those that no shape tells, `reals` the
 * parameters. `error` may be null. After anything but TRELLIS_OK results hold nothing of worth.
 */
typedef int (*trellis_kernel)(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals,
                              trellis_error *error);

#ifdef __cplusplus
}
#endif
#endif
