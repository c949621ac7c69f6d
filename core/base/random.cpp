#include "base/random.h"

#include <bit>
#include <cmath>

namespace sparsight {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

} // namespace

Random::Random(std::uint64_t seed)
    : state_{} {
    for (std::uint64_t& word : state_)
        word = splitmix64(seed);
}

Random Random::fork(std::uint64_t label) const {
    std::uint64_t mixed = label;
    return Random(state_[0] ^ std::rotl(state_[3], 17) ^ splitmix64(mixed));
}

std::uint64_t Random::operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>((*this)()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (low < threshold) {
            product = static_cast<Wide>((*this)()) * bound;
            low = static_cast<std::uint64_t>(product);
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

std::int64_t Random::between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first) + 1));
}

double Random::uniform() {
    return static_cast<double>((*this)() >> 11) * 0x1.0p-53;
}

double Random::normal() {
    while (true) {
        const double u = 2 * uniform() - 1;
        const double v = 2 * uniform() - 1;
        const double square = u * u + v * v;
        if (square > 0 && square < 1)
            return u * std::sqrt(-2 * std::log(square) / square);
    }
}

} // namespace sparsight
