#include "ardent/mpi/communicator.h"

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace ardent {
namespace {

constexpr std::size_t kFew = 2048;        // numbers that every rank may have from every other
constexpr std::size_t kMany = 1 << 20;    // numbers at a time
constexpr std::size_t kPiece = 1u << 30;  // bytes at a time: MPI counts in 32 bits
constexpr int kTag = 1;                   // the tag of messages
constexpr int kGatherTag = 2;             // and of what the first rank gathers

/// Where each rank's segment of `count` numbers begins; one more than ranks.
std::vector<int> segments(std::size_t count, int ranks) {
  std::vector<int> begins;
  for (int r = 0; r <= ranks; ++r) {
    begins.push_back(
        static_cast<int>(count * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks)));
  }
  return begins;
}

}  // namespace

Communicator::Communicator(int& argc, char**& argv) {
  // A parallel loop's threads never call MPI: it is asked from the thread that began.
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

Communicator::~Communicator() {
  MPI_Finalize();
}

void Communicator::sum(std::span<double> values) {
  ++traffic_.rounds;
  if (values.size() <= kFew) return sum_few(values);
  ++traffic_.vectors;
  for (std::size_t begin = 0; begin < values.size(); begin += kMany) {
    sum_many(values.subspan(begin, std::min(kMany, values.size() - begin)));
  }
}

void Communicator::sum_few(std::span<double> values) {
  const auto count = static_cast<int>(values.size());
  std::vector<double> all(values.size() * static_cast<std::size_t>(ranks_));
  MPI_Allgather(values.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  std::ranges::copy_n(all.begin(), count, values.begin());
  for (std::size_t r = 1; r < static_cast<std::size_t>(ranks_); ++r) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += all[r * values.size() + i];
  }
  traffic_.bytes += sizeof(double) * values.size() * static_cast<std::size_t>(ranks_ - 1);
}

void Communicator::sum_many(std::span<double> values) {
  // Every rank adds up one segment and hands it out: as many bytes as the best Allreduce.
  const std::vector<int> begins = segments(values.size(), ranks_);
  std::vector<int> counts(static_cast<std::size_t>(ranks_));
  for (std::size_t r = 0; r < counts.size(); ++r) counts[r] = begins[r + 1] - begins[r];
  const auto own = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank_)]);
  const std::vector<int> own_counts(counts.size(), static_cast<int>(own));
  std::vector<int> own_begins(counts.size());
  for (std::size_t r = 0; r < counts.size(); ++r) own_begins[r] = static_cast<int>(r * own);
  std::vector<double> all(own * counts.size());
  MPI_Alltoallv(values.data(), counts.data(), begins.data(), MPI_DOUBLE, all.data(),
                own_counts.data(), own_begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  for (std::size_t r = 1; r < counts.size(); ++r) {
    for (std::size_t i = 0; i < own; ++i) all[i] += all[r * own + i];
  }
  MPI_Allgatherv(all.data(), static_cast<int>(own), MPI_DOUBLE, values.data(), counts.data(),
                 begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  traffic_.bytes += sizeof(double) * (values.size() - own + own * (counts.size() - 1));
}

void Communicator::max(std::span<double> values) {
  ++traffic_.rounds;
  for (std::size_t begin = 0; begin < values.size(); begin += kMany) {
    const auto piece = values.subspan(begin, std::min(kMany, values.size() - begin));
    MPI_Allreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
  }
  traffic_.bytes += 2 * sizeof(double) * values.size();
}

std::vector<std::string> Communicator::gather(const std::string& own) {
  ++traffic_.rounds;
  const auto count = static_cast<std::size_t>(ranks_);
  std::vector<std::uint64_t> sizes(count);
  const std::uint64_t size = own.size();
  MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::vector<std::string> all(count);
  for (std::size_t r = 0; r < count; ++r) {
    if (static_cast<int>(r) == rank_) all[r] = own;
    all[r].resize(sizes[r]);
    for (std::size_t begin = 0; begin < all[r].size(); begin += kPiece) {
      const auto bytes = static_cast<int>(std::min(kPiece, all[r].size() - begin));
      MPI_Bcast(all[r].data() + begin, bytes, MPI_BYTE, static_cast<int>(r), MPI_COMM_WORLD);
    }
  }
  traffic_.bytes += (size + sizeof size) * (count - 1);
  return all;
}

std::vector<std::string> Communicator::gather_at_first(const std::string& own) {
  ++traffic_.rounds;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(ranks_));
  const std::uint64_t size = own.size();
  MPI_Gather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank_ > 0) {
    for (std::size_t begin = 0; begin < own.size(); begin += kPiece) {
      const auto bytes = static_cast<int>(std::min(kPiece, own.size() - begin));
      MPI_Send(own.data() + begin, bytes, MPI_BYTE, 0, kGatherTag, MPI_COMM_WORLD);
    }
    traffic_.bytes += size + sizeof size;
    return {};
  }
  std::vector<std::string> all{own};
  for (int r = 1; r < ranks_; ++r) {
    std::string& other = all.emplace_back(sizes[static_cast<std::size_t>(r)], '\0');
    for (std::size_t begin = 0; begin < other.size(); begin += kPiece) {
      const auto bytes = static_cast<int>(std::min(kPiece, other.size() - begin));
      MPI_Recv(other.data() + begin, bytes, MPI_BYTE, r, kGatherTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
  }
  return all;
}

void Communicator::send(int to, const std::string& message) {
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
  traffic_.bytes += message.size();
}

Communicator::Message Communicator::receive() {
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.text.data(), size, MPI_BYTE, message.from, kTag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

std::optional<Communicator::Message> Communicator::arrived() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  if (!there) return std::nullopt;
  return receive();
}

void Communicator::stop(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // MPI_Abort does not return; its declaration does not say so
}

}  // namespace ardent
