#include "model/convolution/neighbour_table.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sparsight {

#if defined(__x86_64__)

namespace {

/// Coordinates that are looked at together, in two vectors.
constexpr int window = 8;

template <int Size>
[[gnu::target("avx2,popcnt")]] std::int64_t
walk_windows(const CoordinateSet& inputs, const CoordinateSet& outputs, int stride, CentreRange centres,
             KernelWalk& kept_walk, NeighbourTable& table) {
    constexpr std::uint32_t row_mask = (1U << Size) - 1;
    const std::int64_t* const keys = inputs.data();
    const std::int64_t last_window = static_cast<std::int64_t>(inputs.size()) - window;
    const std::int64_t corner = pack_coordinate(Size / 2, Size / 2);
    KernelWalk walk = kept_walk;
    std::int64_t centre = centres.begin;
    for (; centre < centres.end; ++centre) {
        const std::int64_t target = outputs[static_cast<std::size_t>(centre)] * stride - corner;
        std::int32_t* const first = table.first.data() + centre * Size;
        __m256i found = _mm256_setzero_si256();
        for (int row = 0; row < Size; ++row) {
            std::int64_t at = walk[static_cast<std::size_t>(row)];
            const __m256i leftmost = _mm256_set1_epi64x(target + row * pack_coordinate(1, 0));
            // A shift by less than 0 or more than 63 places leaves nothing of a bit, and so does the mask of
            // what is right of the row.
            const __m256i bit = _mm256_set1_epi64x(std::int64_t{1} << (row * Size));
            const __m256i inside = _mm256_set1_epi64x(std::int64_t{row_mask} << (row * Size));
            __m256i near;
            __m256i far;
            int before = 0;
            do {
                at += before;
                if (at > last_window) {
                    kept_walk = walk;
                    return centre;
                }
                const auto* const place = reinterpret_cast<const __m256i*>(keys + at);
                near = _mm256_sub_epi64(_mm256_loadu_si256(place), leftmost);
                far = _mm256_sub_epi64(_mm256_loadu_si256(place + 1), leftmost);
                const int signs = _mm256_movemask_pd(_mm256_castsi256_pd(near)) |
                                  (_mm256_movemask_pd(_mm256_castsi256_pd(far)) << 4);
                before = std::popcount(static_cast<unsigned>(signs));
            } while (before > window - Size); // the row may go on behind what was looked at
            at += before;
            walk[static_cast<std::size_t>(row)] = at;
            first[row] = static_cast<std::int32_t>(at);
            const __m256i bits = _mm256_or_si256(_mm256_sllv_epi64(bit, near), _mm256_sllv_epi64(bit, far));
            found = _mm256_or_si256(found, _mm256_and_si256(bits, inside));
        }
        const __m128i halves =
            _mm_or_si128(_mm256_castsi256_si128(found), _mm256_extracti128_si256(found, 1));
        table.masks[static_cast<std::size_t>(centre)] =
            static_cast<std::uint32_t>(_mm_cvtsi128_si64(halves) | _mm_extract_epi64(halves, 1));
    }
    kept_walk = walk;
    return centre;
}

} // namespace

std::int64_t walk_sorted_windows(const CoordinateSet& inputs, const CoordinateSet& outputs, int stride,
                                 CentreRange centres, VectorInstructions set, KernelWalk& walk,
                                 NeighbourTable& table) {
    if (set == VectorInstructions::Portable)
        return centres.begin;
    switch (table.kernel_size) {
    case 3:
        return walk_windows<3>(inputs, outputs, stride, centres, walk, table);
    case 5:
        return walk_windows<5>(inputs, outputs, stride, centres, walk, table);
    default:
        return centres.begin;
    }
}

#else

std::int64_t walk_sorted_windows(const CoordinateSet&, const CoordinateSet&, int, CentreRange centres,
                                 VectorInstructions, KernelWalk&, NeighbourTable&) {
    return centres.begin;
}

#endif

} // namespace sparsight
