#include "engine/emit/reserved.hpp"

#include <cctype>
#include <sstream>

#include "engine/emit/prelude.hpp"

namespace trellis::emit {

namespace {

constexpr const char* keywords =
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "asm typeof main";

/// As macros they would change what a pragma says.
constexpr const char* words_of_pragmas =
    "omp parallel simd atomic critical ordered barrier flush single master masked section sections threadprivate "
    "task taskwait taskgroup nowait private firstprivate lastprivate shared reduction copyin copyprivate schedule "
    "dynamic guided runtime num_threads collapse read write update capture acquire release acq_rel relaxed seq_cst "
    "hint none GCC ivdep unroll defined";

constexpr const char* of_headers =
    "NULL EOF FILE BUFSIZ RAND_MAX EXIT_SUCCESS EXIT_FAILURE size_t ssize_t ptrdiff_t wchar_t intptr_t uintptr_t "
    "intmax_t uintmax_t div_t ldiv_t lldiv_t fpos_t off_t va_list time_t clock_t bool true false offsetof errno "
    "assert stdin stdout stderr HUGE_VAL M_PI INFINITY NAN linux unix i386 int8_t int16_t int32_t int64_t uint8_t "
    "uint16_t uint32_t uint64_t INT8_MAX INT8_MIN INT16_MAX INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN "
    "UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C "
    "SIZE_MAX malloc free realloc calloc madvise memset memcpy memcmp printf fprintf puts putchar scanf fopen fclose "
    "exit "
    "abort isnan isinf signbit fmod fabs pow fmodf fabsf powf sched_yield omp_get_max_threads omp_get_thread_num "
    "omp_get_num_threads CLOCKS_PER_SEC FILENAME_MAX L_tmpnam TMP_MAX SEEK_SET SEEK_CUR SEEK_END isfinite isnormal "
    "isgreater isless islessgreater isunordered fpclassify FP_NAN FP_INFINITE FP_ZERO FP_NORMAL FP_SUBNORMAL "
    "FP_FAST_FMA MB_CUR_MAX WEOF HUGE_VALF HUGE_VALL MATH_ERRNO MATH_ERREXCEPT math_errhandling alloca getc putc";

/// Beside those that are written for a type, such as `floor_div_i64`.
constexpr const char* helpers =
    "fault steps refused arguments seek seek_wide seek_first seek_first_wide seek_last seek_last_wide seek_down "
    "seek_down_wide march march_wide march_near march_near_wide march_back march_back_wide march_back_near "
    "march_back_near_wide map_positions map_positions_wide no_positions no_positions_wide tabulate tabulate_wide "
    "tabulate_mapped tabulate_mapped_wide untabulate untabulate_wide find find_wide find_down find_down_wide "
    "find_any find_any_wide find_end find_end_wide find_direct find_hashed find_hashed_wide sort sort_wide "
    "sort_near sort_near_wide at_once entries insert find_entry zeroed hash widen order_entries empty seek_entry "
    "grow hold drop tell value_of width_of no_room more_room stream_line lowest highest set_words set_enter set_leave "
    "set_next set_previous move_on "
    "move_on_wide await finish tasks tasks_wide join_rounds join_rounds_wide place_of root_of rows_before "
    "rows_before_wide thread_count release_entries lengthen list_entry sort_listed sort_entries";

constexpr const char* of_library =
    "y0 y1 yn j0 j1 jn y0f y1f ynf j0f j1f jnf gamma lgamma tgamma signgam index rindex erfc erf fma fmin fmax "
    "fdim nan scalb scalbn logb ilogb ldexp frexp modf rint lrint llrint lround llround drem pow10 exp10 exp2 "
    "sincos asinh acosh atanh sinh cosh conj cimag creal cabs carg strlen strcmp strcpy strcat strchr strrchr "
    "strstr strtok strdup strtol strtod labs llabs finite bcmp bcopy bzero remainder significand nearbyint "
    "copysign ffs fork toupper tolower isalpha isdigit isspace isupper islower atoi atof atol rand srand random "
    "srandom drand48 erand48 qsort bsearch div ldiv lldiv getenv setenv system time clock difftime mktime remove "
    "rename tmpfile fflush fgets fputs fread fwrite fseek ftell rewind perror gets getchar ungetc sprintf snprintf "
    "vprintf sscanf open close read write seek stat link unlink pipe wait kill signal raise sleep select accept "
    "bind connect listen send recv socket truncate sync mmap munmap brk sbrk exec execv execl environ getpid "
    "getline getdelim dprintf popen pclose memchr memmove mempcpy trunc truncf round roundf ceil floor hypot cbrt "
    "expm1 log1p log2 nexttoward nextafter remquo gammaf lgammaf l64a a64l initstate setstate valloc "
    "posix_memalign aligned_alloc atexit on_exit abs mblen wctomb putw getw ctermid cuserid tempnam tmpnam fileno "
    "lockf";

void add_words(std::set<std::string>& all, const char* words) {
  std::istringstream in(words);
  for (std::string word; in >> word;) all.insert(word);
}

}  // namespace

const std::set<std::string>& reserved_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const char* words : {keywords, words_of_pragmas, of_headers, helpers}) add_words(all, words);
    for (int f = 0; f <= static_cast<int>(format::Function::max); ++f) {
      const std::string name(format::name_of(static_cast<format::Function>(f)));
      all.insert(name);
      all.insert(name + "f");
    }
    for (int h = 0; h <= static_cast<int>(Helper::to); ++h)
      for (int t = 0; t <= static_cast<int>(format::ScalarType::boolean); ++t)
        all.insert(helper_name(static_cast<Helper>(h), static_cast<format::ScalarType>(t)));
    return all;
  }();
  return names;
}

bool belongs_to_implementation(const std::string& name) {
  if (name.starts_with("trellis_") || name.starts_with("TRELLIS_")) return true;
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

const std::set<std::string>& library_functions() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    add_words(all, of_library);
    return all;
  }();
  return names;
}

}  // namespace trellis::emit
