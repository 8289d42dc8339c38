// Arrays in a card's memory.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "ardent/cuda/card/card.h"

namespace ardent {

/// Owns `size` numbers on the card, not set to anything. Allocated and freed in the order of the
/// card's stream, so that work asked for before still finds them.
template <class T>
class CardArray {
 public:
  CardArray() = default;
  CardArray(Card& card, std::size_t size) : card_(&card), size_(size) {
    if (size > 0) {
      check(cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), card.stream()));
    }
  }
  /// A copy of the host's numbers.
  CardArray(Card& card, std::span<const T> values) : CardArray(card, values.size()) {
    upload(values);
  }
  CardArray(CardArray&& other) noexcept { swap(other); }
  CardArray& operator=(CardArray&& other) noexcept {
    CardArray(std::move(other)).swap(*this);
    return *this;
  }
  ~CardArray() {
    if (data_) cudaFreeAsync(data_, card_->stream());
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// The host's numbers may change once this has returned.
  void upload(std::span<const T> values) {
    if (values.empty()) return;
    check(cudaMemcpyAsync(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice,
                          card_->stream()));
    card_->wait();
  }
  /// All numbers, once what was asked for before is done.
  void download(std::span<T> values) const {
    if (values.empty()) return;
    check(cudaMemcpyAsync(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost,
                          card_->stream()));
    card_->wait();
  }
  std::vector<T> on_host() const {
    std::vector<T> values(size_);
    download(values);
    return values;
  }
  /// Every byte 0: the number 0.
  void set_zero() {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T), card_->stream()));
  }
  void copy_from(const CardArray& other) {
    if (size_ == 0) return;
    check(cudaMemcpyAsync(data_, other.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice,
                          card_->stream()));
  }

 private:
  void swap(CardArray& other) {
    std::swap(card_, other.card_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  Card* card_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ardent
