#include "tests/bench/ranks_by_hand.hpp"

namespace trellis::bench {

const char* const heat_by_hand = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double *restrict u[2];
static long low, high;
static void rows(const double *restrict a, double *restrict b, long from, long to) {
  for (long i = from; i < to; i++)
    for (long j = 1; j < N - 1; j++) {
      const long p = (i - low + 1) * N + j;
      b[p] = a[p] + 0.1 * (a[p - N] + a[p + N] + a[p - 1] + a[p + 1] - 4 * a[p]);
    }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  low = N * (long)rank / ranks, high = N * (long)(rank + 1) / ranks;
  const size_t row = sizeof(double) * N, own = (size_t)(high - low) * row;
  for (int b = 0; b < 2; b++) u[b] = calloc((size_t)(high - low + 2), row);
  FILE *file = fopen(argv[1], "rb");
  fseek(file, (long)row * low, SEEK_SET);
  if (fread(u[0] + N, 1, own, file) != own) return 1;
  fclose(file);
  memcpy(u[1] + N, u[0] + N, own);
  MPI_Request request[2][4];
  int count = 0;
  for (int b = 0; b < 2; b++) {
    count = 0;
    if (rank > 0) {
      MPI_Recv_init(u[b], N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[b][count++]);
      MPI_Send_init(u[b] + N, N, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[b][count++]);
    }
    if (rank + 1 < ranks) {
      MPI_Recv_init(u[b] + N * (high - low + 1), N, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &request[b][count++]);
      MPI_Send_init(u[b] + N * (high - low), N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request[b][count++]);
    }
  }
  const long first = low > 1 ? low : 1, last = high < N - 1 ? high : N - 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int t = 0; t < STEPS; t++) {
    const int b = t % 2;
    MPI_Startall(count, request[b]);
    const long inner = rank > 0 ? first + 1 : first, outer = rank + 1 < ranks ? last - 1 : last;
    rows(u[b], u[1 - b], inner, outer);
    MPI_Waitall(count, request[b], MPI_STATUSES_IGNORE);
    rows(u[b], u[1 - b], first, inner);
    rows(u[b], u[1 - b], outer, last);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double ms = 1e3 * (MPI_Wtime() - start);
  file = fopen(argv[2], "r+b");
  fseek(file, (long)row * low, SEEK_SET);
  fwrite(u[0] + N, 1, own, file);
  fclose(file);
  if (rank == 0) printf("took %f ms\n", ms);
  MPI_Finalize();
  return 0;
}
)";

const char* const cg_by_hand = R"(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define PLANE (SIDE * SIDE)
#define N (SIDE * SIDE * SIDE)
static long low, high, own;
static int *first, *column; /* columns count from the first ghost */
static double *entry;
static void add(int *count, long j, double value) {
  column[*count] = (int)(j - low + PLANE);
  entry[(*count)++] = value;
}
static void build(void) {
  first = malloc(sizeof(int) * (size_t)(own + 1));
  column = malloc(sizeof(int) * 7 * (size_t)own);
  entry = malloc(sizeof(double) * 7 * (size_t)own);
  int count = 0;
  for (long i = low; i < high; i++) {
    first[i - low] = count;
    if (i >= PLANE) add(&count, i - PLANE, -1);
    if (i / SIDE % SIDE > 0) add(&count, i - SIDE, -1);
    if (i % SIDE > 0) add(&count, i - 1, -1);
    add(&count, i, 6.01);
    if (i % SIDE + 1 < SIDE) add(&count, i + 1, -1);
    if (i / SIDE % SIDE + 1 < SIDE) add(&count, i + SIDE, -1);
    if (i + PLANE < N) add(&count, i + PLANE, -1);
  }
  first[own] = count;
}
static void multiply(const double *restrict p, double *restrict q, long from, long to) {
  for (long i = from; i < to; i++) {
    double sum = 0;
    for (int k = first[i]; k < first[i + 1]; k++) sum += entry[k] * p[column[k]];
    q[i] = sum;
  }
}
static double all(double part) {
  double sum;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  low = N * (long)rank / ranks, high = N * (long)(rank + 1) / ranks, own = high - low;
  build();
  double *const restrict p = calloc((size_t)(own + 2 * PLANE), sizeof(double));
  double *const restrict x = calloc((size_t)own, sizeof(double));
  double *const restrict r = calloc((size_t)own, sizeof(double));
  double *const restrict q = calloc((size_t)own, sizeof(double));
  FILE *file = fopen(argv[1], "rb");
  fseek(file, (long)sizeof(double) * low, SEEK_SET);
  if (fread(r, sizeof(double), (size_t)own, file) != (size_t)own) return 1;
  fclose(file);
  MPI_Request request[4];
  if (rank > 0) {
    MPI_Recv_init(p, PLANE, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &request[count++]);
    MPI_Send_init(p + PLANE, PLANE, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, &request[count++]);
  }
  if (rank + 1 < ranks) {
    MPI_Recv_init(p + PLANE + own, PLANE, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, &request[count++]);
    MPI_Send_init(p + own, PLANE, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request[count++]);
  }
  const long inner = rank > 0 ? PLANE : 0, outer = rank + 1 < ranks ? own - PLANE : own;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double rs = 0;
  for (long i = 0; i < own; i++) p[PLANE + i] = r[i], rs += r[i] * r[i];
  rs = all(rs);
  for (int t = 0; t < STEPS; t++) {
    MPI_Startall(count, request);
    multiply(p, q, inner, outer);
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
    multiply(p, q, 0, inner);
    multiply(p, q, outer, own);
    double pq = 0, rest = 0;
    for (long i = 0; i < own; i++) pq += p[PLANE + i] * q[i];
    const double alpha = rs / all(pq);
    for (long i = 0; i < own; i++) {
      x[i] += alpha * p[PLANE + i];
      r[i] -= alpha * q[i];
      rest += r[i] * r[i];
    }
    rest = all(rest);
    for (long i = 0; i < own; i++) p[PLANE + i] = r[i] + rest / rs * p[PLANE + i];
    rs = rest;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double ms = 1e3 * (MPI_Wtime() - start);
  file = fopen(argv[2], "r+b");
  fseek(file, (long)sizeof(double) * low, SEEK_SET);
  fwrite(x, sizeof(double), (size_t)own, file);
  fclose(file);
  if (rank == 0) printf("took %f ms\n", ms);
  MPI_Finalize();
  return 0;
}
)";

}  // namespace trellis::bench
