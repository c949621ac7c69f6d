// Seeded random numbers that are the same on every machine and compiler. The standard engines are portable
// but the standard distributions are not, and a generated matrix must be reproducible from its seed anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace sparsight {

/// xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), seeded by
/// splitmix64. Satisfies UniformRandomBitGenerator.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed);

    /// A generator whose stream is independent of this one and of other labels: one for each matrix, thread,
    /// task.
    [[nodiscard]] Random fork(std::uint64_t label) const;

    std::uint64_t operator()();
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

    /// Uniform in [0, bound); bound > 0. Unbiased (Lemire 2019).
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [first, last], both included.
    std::int64_t between(std::int64_t first, std::int64_t last);
    /// Uniform in [0, 1) with 53 random bits.
    double uniform();
    /// True with the given probability.
    bool chance(double probability) { return uniform() < probability; }
    /// Standard normal (polar method).
    double normal();

    template <typename T>
    const T& pick(std::span<const T> values) {
        return values[below(values.size())];
    }
    template <typename Container>
    void shuffle(Container& values) {
        for (std::size_t i = values.size(); i > 1; --i)
            std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::array<std::uint64_t, 4> state_;
};

} // namespace sparsight
