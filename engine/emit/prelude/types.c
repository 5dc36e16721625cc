// Every module begins with these.
//: types
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

//: infinity
#define INFINITY (1.0 / 0.0)

//: nan
#define NAN (0.0 / 0.0)

//: limits
#define INT64_MAX 9223372036854775807
#define INT64_MIN (-9223372036854775807 - 1)
