#include "search/exhaustive.h"

#include "base/parallel.h"

namespace sparsight {

std::vector<float> score_all(const MatrixPredictor& predictor, std::span<const float> rows, int threads) {
    std::vector<float> scores(rows.size() / first_layer_width);
    parallel_parts(threads, static_cast<std::int64_t>(scores.size()),
                   [&](int, std::int64_t begin, std::int64_t end) {
                       const auto first = static_cast<std::size_t>(begin);
                       const auto count = static_cast<std::size_t>(end - begin);
                       predictor.score(rows.subspan(first * first_layer_width, count * first_layer_width),
                                       std::span(scores).subspan(first, count));
                   });
    return scores;
}

std::vector<Ranked> best_of(std::span<const float> scores, std::size_t k) {
    BestRanked best(k);
    for (std::size_t at = 0; at < scores.size(); ++at)
        (void)best.offer({static_cast<std::uint32_t>(at), comparable(scores[at])});
    return best.take();
}

} // namespace sparsight
