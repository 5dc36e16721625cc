#pragma once
// Programs as users write them, one for each corner of the language: what must parse, print and read back.

#include <vector>

namespace trellis::lang::tests {

struct Sample {
  const char* name;
  const char* source;
};

inline const std::vector<Sample> corpus = {
    {"declarations", R"(
param n = 64                          # integer or real; -D n=128 overrides it
tensor A(n, n): csr                   # f64, fill 0, format csr
tensor G(n, n): csr f32 fill inf      # attributes in any order: format, element type, fill V, pad, @ order
tensor H(n+1, m+1): i32               # sizes are affine in parameters
tensor B(n, m): {dense, compressed}   # one level format per stored dimension, outermost first
tensor C(n, m): {dense, compressed} @ (1, 0)   # storage order: column-major, i.e. csc
tensor v(n)                           # no format: dense
tensor s                              # a scalar, written `s`
load A "1138_bus.mtx"                 # binds n when unbound
random x seed 1 density 0.1           # deterministic for a seed
fill_with B [[1, 0], [0, 2]]          # small literals
fill_with a "ACGT"
tensor P(n): i32 fill -1 pad
tensor W(n, n): bcsr(4,4) u8 fill 'A'
tensor Q(n, n): {dense,
                 compressed(nonunique, wide)}
)"},
    {"layout", R"(
layout blocked(R,C): (i,j) -> (i/R, j/C, i%R, j%C) {dense, compressed, dense, dense}
layout diagonals: (i,j) -> (j-i, i) {compressed, dense}
)"},
    {"cholesky", R"(
L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j)   : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))               : k < i
)"},
    {"continued lines", R"(
H(i,j) = max(H(i-1,j-1) + S(a(i-1), b(j-1)),   # a comment inside
             H(i-1,j) + gap,

             H(i,j-1) + gap)
  # and one before the constraints
  : 1 <= i, 1 <= j
y(i) = c ? a
  : b
order i j; run
)"},
    {"equations", R"(
D[k](i,j) = min(D[k-1](i,j), D[k-1](i,k) + D[k-1](k,j))
s = sum(i,j)(A(i,j)) : (i+j)%2 = 0
g(i) = gcd(k)(A(i,k))
m(i) = argmin(k)(A(i,k))
p(i) = sum(j < i)(x(j))
x(i) = i < 3 ? a(i) : i < 5 ? b(i) : (c(i) == d(i))
z(i) = coalesce(b(~(i-1)), missing, 0)
w(i) = -x(i)^2 + (-y(i))^2 ^ 3 - 2^-i
f(i) = !a(i) && ~b(i) != 0 || (c(i) | d(i) & e(i) xor 3 << 2) >= 0xFF
u(i) = a(i) - (b(i) - c(i)) - d(i) * (e(i) / f(i)) % 2
t(i) = 'A' == a(i) ? 1.5e-3 : inf : i != n, i > 0 = i%2
C(i) = B(i(0:8:2), j(1:5))
)"},
    {"shapes", R"(
c(k) = collapse(B(i,j), (i,j)->k)
d(i,j) = split(b(k), k->(i,j)) : j < 4
e(l,j) = concat(A(i,j), B(k,j), (i,k)->l)
f(i) = slice(b(j), j->i, 2:5:1)
g(s,i) = stack(a(i), b(i), s)
h(k) = roll(e(i), i->k, 3) + pad(e(i), i->k, 1:1)
r(k,l) = reshape(e(i,j), (i,j)->(k,l))
y(l) = sum(j)(concat(A(i,j), B(k,j), (i,k)->l) * x(j))
)"},
    {"definitions", R"(
def gcd(x, y) {
  x, 0 => abs(x)                      # a clause's literal applies where that operand's fill equals it
  0, y => abs(y)
  x, y => { x = abs(x); y = abs(y); while x != 0 { t = x; x = y % x; y = t }; y }
  commutative; identity 0
  annihilator -1 at 1; constant 0 at 1 => -3
  space x | y
}
def relu(x) = max(x, 0)
def clamp(x) {
  x => { if x < 0 { 0 } else if x > 1 { 1 } else { x } }
}
)"},
    {"loops", R"(
loops {
  tensor w(n): bytemap
  C .= 0                              # reset; freeze and thaw are inferred, or written
  for i {
    w .= 0
    for k, j { w(j) += A(i,k) * B(k,j) }
    for j { C(i,j) = w(j) }
  }
}
)"},
    {"breadth-first search", R"(
loops {                               # P filled with -1
  F(0) = true; V(0) = true
  while any(i)(F(i)) {
    N .= false
    for j, k { if F(j) && A(j,k) && !V(k) { N(k) ||= true; P(k) choose(-1)= j } }   # any operator, or a def
    F .= false
    for k { if N(k) { F(k) = true; V(k) = true } }
  }
}
)"},
    {"loop marks", R"(
loops {
  for i in 0:n/2, j down in i+1:n parallel unroll 4 { bins(img(i,j)/16) += 1 }
  forall i reduces t vectorize { t gcd= A(I(i)) }
  freeze C; thaw C
  let x = a(0), y = b(0) {
    if x < y { s xor= x } else if x == y { s min= y }
    else { }
  }
}
)"},
    {"schedule", R"(
order j k i
order i- j
parallel i
format L csc
mask L M; mask L auto
workspace w for L(i,:) hash
split i into io ii 32; tile i j 32 32
find B gallop
goto i=1,j=0
place step; fix 1; show lattice i; explain E0101
plot T "a \"b\".png"
time 5; help - x
)"},
    {"kernels", R"(
kernel factor {                                             # Cholesky fused with the first solve
  L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i
  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i
  y(i)   = (b(i) - sum(k)(L(i,k)*y(k))) / L(i,i) : k < i
  order i j k
}
kernel back { x(i) = (y(i) - sum(k)(L(k,i)*x(k))) / L(i,i) : k > i; order i- k }
kernel count { loops { for i { s += 1 } }; order i }
)"},
    {"viterbi and alignment", R"(
V(i,0) = start(i) * B(i, obs(0))                            # Viterbi, with the path
V(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i, obs(j)) : 1 <= j
P(i,j) = argmax(k)(V(k,j-1) * A(k,i)) : 1 <= j
H(i,0) = gap*i                                              # Needleman-Wunsch
H(0,j) = gap*j : 1 <= j
T(i,i+1,a) = U(a,i)                                         # CYK, order i- j k
T(i,j,a) = any(k,b,c)(T(i,k,b) && T(k,j,c) && R(a,b,c)) : i < k < j, i+1 < j
)"},
    {"timesteps", R"(
W[-1](i,j) = A(i,j)                                         # QR by modified Gram-Schmidt
R(k,k) = sqrt(sum(i)(W[k-1](i,k)^2))
Q(i,k) = W[k-1](i,k) / R(k,k)
x[t](i) = (b(i) - sum(j)(A(i,j)*x[t](j)) - sum(k)(A(i,k)*x[t-1](k))) / A(i,i) : j < i < k, t < 200
until max(i)(abs(x[t](i) - x[t-1](i))) < 1e-10
rs[-1]   = sum(i)(r[-1](i)^2)
alpha[t] = rs[t-1] / sum(i)(p[t-1](i)*q[t](i))
p[t](i)  = r[t](i) + rs[t]/rs[t-1]*p[t-1](i)
until rs[t] < 1e-20
)"},
    {"images", R"(
t(y,x)   = coalesce(img(~(y-1),x), true) && img(y,x) && coalesce(img(~(y+1),x), true)      # erosion
blur(i,j) = sum(di,dj)(img(i+di, j+dj)) / 9 : -1 <= di <= 1, -1 <= dj <= 1
)"},
    {"soft words as tensors", R"(
tensor order(n); tensor kernel(n)
order(i) = mask(i) + fill(i) * down(i) - in(i)
kernel(i) = layout(i)
param = def + loops
loops[t](i) = param(i) : t < 3
run
)"},
};

}  // namespace trellis::lang::tests
