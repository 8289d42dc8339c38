// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

#include "ardent/base/buffer.h"
#include "ardent/base/types.h"

namespace ardent::python {

namespace nb = nanobind;

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumPy1 = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using NumPy2 = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

/// The array's own memory, kept alive for as long as the buffer is. `T` may be another type of the
/// same size than the array's: SciPy's indices are signed, ours are not.
template <class T, class Array>
Buffer<T> view_of(const Array& array) {
  static_assert(sizeof(T) == sizeof(typename Array::Scalar));
  const auto let_go = [](Array* held) {
    const nb::gil_scoped_acquire gil;
    delete held;
  };
  const std::shared_ptr<const void> owner(new Array(array), let_go);
  return Buffer<T>::view(owner, reinterpret_cast<const T*>(array.data()), array.size());
}

/// An array that owns what was a vector.
template <class T>
NumPy1<T> numpy_of(std::vector<T> values) {
  auto* held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return NumPy1<T>(held->data(), {held->size()}, owner);
}

/// An array over a buffer's memory, as `T`, a type of the same size.
template <class T, class Held>
NumPy1<T> numpy_view(const Buffer<Held>& buffer) {
  static_assert(sizeof(T) == sizeof(Held));
  auto* held = new Buffer<Held>(buffer);
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Buffer<Held>*>(p); });
  return NumPy1<T>(reinterpret_cast<T*>(held->mutable_data()), {held->size()}, owner);
}

inline NumPy1<double> numpy_of(const Vector& values) {
  return numpy_of(std::vector<double>(values.begin(), values.end()));
}

/// Column-major, as it lies in memory.
inline NumPy2<double> numpy_of(Matrix matrix) {
  auto* held = new Matrix(std::move(matrix));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return NumPy2<double>(
      held->data(),
      {static_cast<std::size_t>(held->rows()), static_cast<std::size_t>(held->cols())}, owner,
      {1, held->rows()});
}

inline Vector vector_of(const Array1<double>& array) {
  return Eigen::Map<const Vector>(array.data(), std::ssize(array));
}

}  // namespace ardent::python
