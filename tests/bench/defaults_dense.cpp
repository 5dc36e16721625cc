// The dense kernels of `trellis bench defaults`.
#include "tests/bench/contest.hpp"
#include "tests/bench/defaults_cases.hpp"

namespace trellis::bench {
namespace {

/// The text, and that with each of the schedules.
std::vector<ByHand> scheduled(const std::string& text, const std::vector<std::string>& schedules) {
  std::vector<ByHand> all;
  for (const std::string& schedule : schedules) {
    std::string lines = schedule, name = schedule;
    for (char& c : lines) c = c == ';' ? '\n' : c;
    all.push_back({name, text + lines + "\n"});
  }
  return all;
}

const char* const factors =
    "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j))            : k < i <= j\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n";
const char* const cholesky =
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n";
const char* const heat2 =
    "u[t](i,j) = u[t-1](i,j) + 0.1 * (u[t-1](i-1,j) + u[t-1](i+1,j) + u[t-1](i,j-1) + u[t-1](i,j+1) - 4*u[t-1](i,j))"
    " : 1 <= i < n-1, 1 <= j < n-1, t < steps\n";
const char* const heat3 =
    "u[t](i,j,k) = u[t-1](i,j,k) + 0.1 * (u[t-1](i-1,j,k) + u[t-1](i+1,j,k) + u[t-1](i,j-1,k) + u[t-1](i,j+1,k)"
    " + u[t-1](i,j,k-1) + u[t-1](i,j,k+1) - 6*u[t-1](i,j,k)) : 1 <= i < n-1, 1 <= j < n-1, 1 <= k < n-1, t < steps\n";
const char* const align =
    "H(i,0) = gap*i\nH(0,j) = gap*j : 1 <= j\n"
    "H(i,j) = max(H(i-1,j-1) + S(a(i-1), b(j-1)), H(i-1,j) + gap, H(i,j-1) + gap) : 1 <= i, 1 <= j\n";
const char* const attention =
    "S(i,j) = Q(i,k) * K(j,k)\nlargest(i) = max(j)(S(i,j))\nE(i,j) = exp(S(i,j) - largest(i))\n"
    "total(i) = sum(j)(E(i,j))\nO(i,c) = sum(j)(E(i,j) * V(j,c)) / total(i)\n";
const char* const viterbi = "P(i,0) = start(i)\nP(i,t) = max(k)(P(k,t-1) * A(k,i)) * B(i, seen(t)) : 1 <= t\n";

}  // namespace

std::vector<DefaultsCase> dense_defaults() {
  const std::string square = "tensor A(n, n)\nrandom A seed 1 spd\n";
  return {
      {"matmul",
       param("n", 512, 8) + "tensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\n",
       "C(i,j) = A(i,k) * B(k,j)\n",
       scheduled("tensor C(n, n)\nC(i,j) = A(i,k) * B(k,j)\n",
                 {"order i k j", "order i k j;jam i 4", "order i k j;tile k j 64 256",
                  "order i k j;tile k j 64 256;jam i 4", "order k i j;jam k 4"}),
       {"NumPy (BLAS)", "A @ B"}},
      {"Cholesky",
       param("n", 600, 8) + square,
       cholesky,
       scheduled(std::string("tensor L(n, n)\n") + cholesky,
                 {"order i j k", "order j k i", "order k j i", "order j i k"}),
       {"SciPy (LAPACK)", "la.cholesky(A, lower=True)", "import scipy.linalg as la"}},
      {"LU",
       param("n", 500, 8) + square,
       factors,
       scheduled(std::string("tensor L(n, n)\ntensor U(n, n)\n") + factors,
                 {"order k i j", "order i k j", "order i j k"}),
       {"SciPy (LAPACK)", "la.lu_factor(A)", "import scipy.linalg as la"}},
      {"solve, dense",
       param("n", 3000, 8) + "tensor A(n, n)\ntensor b(n)\nrandom A seed 1 range 1:2\nrandom b seed 2\n",
       "x(i) = (b(i) - sum(j)(A(i,j) * x(j))) / (n * A(i,i)) : j < i\n",
       scheduled("tensor x(n)\nx(i) = (b(i) - sum(j)(A(i,j) * x(j))) / (n * A(i,i)) : j < i\n",
                 {"order i j", "order j i"}),
       {}},
      {"Floyd-Warshall",
       param("n", 400, 8) + "tensor D(n, n)\nrandom D seed 1\n",
       "D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\n",
       scheduled("D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))\n", {"order k i j", "order k i j;inplace D"}),
       {"SciPy", "g.floyd_warshall(D)", "import scipy.sparse.csgraph as g"}},
      {"heat 2-D",
       param("n", 2000, 9) + "param steps = 10\ntensor u(n, n)\nrandom u seed 1\n",
       heat2,
       scheduled(heat2, {"order t i j", "order t i j;vectorize j"}),
       {"NumPy", "heat(u, 10)",
        "def heat(u, steps):\n    for t in range(steps):\n        v = u.copy()\n"
        "        v[1:-1,1:-1] += 0.1 * (u[:-2,1:-1] + u[2:,1:-1] + u[1:-1,:-2] + u[1:-1,2:] - 4*u[1:-1,1:-1])\n"
        "        u = v\n    return u\n"}},
      {"heat 3-D",
       param("n", 200, 6) + "param steps = 10\ntensor u(n, n, n)\nrandom u seed 1\n",
       heat3,
       scheduled(heat3, {"order t i j k", "order t i j k;vectorize k"}),
       {"NumPy", "heat(u, 10)",
        "def heat(u, steps):\n    for t in range(steps):\n        v = u.copy(); c = slice(1, -1)\n"
        "        v[c,c,c] += 0.1 * (u[:-2,c,c] + u[2:,c,c] + u[c,:-2,c] + u[c,2:,c] + u[c,c,:-2] + u[c,c,2:] - "
        "6*u[c,c,c])\n"
        "        u = v\n    return u\n"}},
      {"convolution",
       param("n", 1000, 9) + "param s = 5\ntensor I(n, n)\ntensor W(s, s)\nrandom I seed 1\nrandom W seed 2\n",
       "O(y,x) = sum(dy,dx)(I(y+dy, x+dx) * W(dy,dx)) : y < n-s+1, x < n-s+1\n",
       scheduled("tensor O(n-s+1, n-s+1)\nO(y,x) = sum(dy,dx)(I(y+dy, x+dx) * W(dy,dx))\n",
                 {"order y x dy dx", "order y dy dx x", "order y dy x dx", "order y dy dx x;jam dx 5"}),
       {"SciPy", "signal.correlate2d(I, W, mode='valid')", "import scipy.signal as signal"}},
      {"attention",
       param("n", 512, 8) + "param d = 64\ntensor Q(n, d)\ntensor K(n, d)\ntensor V(n, d)\n"
                            "random Q seed 1\nrandom K seed 2\nrandom V seed 3\n",
       attention,
       scheduled(std::string("tensor S(n, n)\ntensor E(n, n)\ntensor largest(n)\ntensor total(n)\ntensor O(n, d)\n") +
                     attention,
                 {"order i j k c", "order i k j c"}),
       {"NumPy (BLAS)", "attend(Q, K, V)",
        "def attend(Q, K, V):\n    S = Q @ K.T\n    E = np.exp(S - S.max(1, keepdims=True))\n"
        "    return (E @ V) / E.sum(1, keepdims=True)\n"}},
      {"nearest neighbours",
       param("n", 5000, 9) + param("m", 500, 5) +
           "param d = 16\ntensor P(n, d)\ntensor Q(m, d)\n"
           "random P seed 1\nrandom Q seed 2\n",
       "near(q) = argmin(p)(sum(k)((P(p,k) - Q(q,k))^2))\n",
       scheduled("tensor near(m): i64\nnear(q) = argmin(p)(sum(k)((P(p,k) - Q(q,k))^2))\n",
                 {"order q p k", "order p q k"}),
       {"SciPy", "distance.cdist(Q, P, 'sqeuclidean').argmin(1)", "import scipy.spatial.distance as distance"}},
      {"Viterbi",
       param("n", 128, 5) + param("m", 500, 7) +
           "param v = 20\ntensor A(n, n)\ntensor B(n, v)\ntensor start(n)\ntensor seen(m): i64 range(0, v)\n"
           "random A seed 1\nrandom B seed 2\nrandom start seed 3\nrandom seen seed 4\n",
       viterbi,
       scheduled(std::string("tensor P(n, m)\n") + viterbi, {"order t i k", "order t k i"}),
       {"NumPy", "viterbi(A, B, start, seen)",
        "def viterbi(A, B, start, seen):\n    P = np.empty((len(start), len(seen))); P[:,0] = start\n"
        "    for t in range(1, len(seen)):\n        P[:,t] = (P[:,t-1][:,None] * A).max(0) * B[:,seen[t]]\n    return "
        "P\n"}},
      {"alignment",
       param("n", 2000, 9) + param("m", 2000, 8) +
           "param gap = -2\ntensor a(n): i64\ntensor b(m): i64\ntensor S(4, 4): i32\ntensor H(n+1, m+1): i32\n"
           "random a seed 1 range 0:4\nrandom b seed 2 range 0:4\n"
           "fill_with S [[3, -1, -1, -1], [-1, 3, -1, -1], [-1, -1, 3, -1], [-1, -1, -1, 3]]\n",
       align,
       scheduled(align, {"order i j", "order j i"}),
       {}},
  };
}

}  // namespace trellis::bench
