#!/bin/sh
# no_libm.sh NM LIBRARY...: our libraries may not call functions of the C library whose results
# depend on the CPU or on the library's version; ardent/base/elementary.h has ours. Exact ones
# (sqrt, fma, floor, ceil, trunc, round, rint, ldexp, frexp, scalbn, fmod, fabs, …) are allowed.
set -eu
nm=$1
shift
inexact='exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|lgamma|lgamma_r|tgamma|gamma|j0|j1|jn|y0|y1|yn'
# Single and long double end in f and l; -ffast-math would call __exp_finite; libmvec has _ZGV….
pattern=" U (_ZGV[A-Za-z0-9]*_|__)?($inexact)(f|l)?(_finite)?(@.*)?\$"
status=0
for library in "$@"; do
  if found=$("$nm" -A -u "$library" | grep -E "$pattern"); then
    echo "$found"
    status=1
  fi
done
[ $status = 0 ] || echo "use ardent/base/elementary.h instead" >&2
exit $status
