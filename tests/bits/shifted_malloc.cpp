// A malloc for LD_PRELOAD whose addresses are pseudo-random multiples of 16 modulo 64, by the seed
// in SHIFTED_MALLOC_SEED: what depends on where the system happens to put an array differs from
// seed to seed. Memory that asks for an alignment gets it.
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
}

namespace {

struct Header {  // in front of every block
  void* base;
  std::size_t size;
};
static_assert(sizeof(Header) == 16);

Header& header(void* block) {
  return static_cast<Header*>(block)[-1];
}

std::size_t next_shift() {
  static std::atomic<std::uint64_t> count{0};
  static const std::uint64_t seed = [] {
    const char* text = std::getenv("SHIFTED_MALLOC_SEED");
    return text ? std::strtoull(text, nullptr, 10) : 0;
  }();
  std::uint64_t x = (seed << 40) + ++count;  // splitmix64
  x *= 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x >> 62) * 16;
}

void* allocate(std::size_t size, std::size_t alignment, std::size_t shift) {
  const std::size_t extra = sizeof(Header) + alignment + shift;
  void* base = size > SIZE_MAX - extra ? nullptr : __libc_malloc(size + extra);
  if (!base) {
    errno = ENOMEM;
    return nullptr;
  }
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(base) + sizeof(Header);
  void* block = reinterpret_cast<void*>((first + alignment - 1) / alignment * alignment + shift);
  header(block) = {base, size};
  return block;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  return allocate(size, 64, next_shift());
}

void free(void* block) {
  if (block) __libc_free(header(block).base);
}

void* calloc(std::size_t count, std::size_t size) {
  if (size && count > SIZE_MAX / size) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = malloc(count * size);
  return block ? std::memset(block, 0, count * size) : nullptr;
}

void* realloc(void* old, std::size_t size) {
  void* block = malloc(size);
  if (block && old) {
    std::memcpy(block, old, header(old).size < size ? header(old).size : size);
    free(old);
  }
  return block;
}

void* memalign(std::size_t alignment, std::size_t size) {
  return alignment <= 16 ? malloc(size) : allocate(size, alignment, 0);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

std::size_t malloc_usable_size(void* block) {
  return block ? header(block).size : 0;
}

}  // extern "C"
