#include "search/predictor_head.h"

#include "base/parallel.h"
#include "model/convolution/pair_kernels.h"
#include "model/networks/encoder.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

/// [out, in] → [in, out] of the columns first … first + width of a weight with `in` columns.
FloatBuffer transposed(const NamedArray& weight, std::size_t first, std::size_t width) {
    const auto out = static_cast<std::size_t>(weight.shape[0]);
    const auto in = static_cast<std::size_t>(weight.shape[1]);
    FloatBuffer result(width * out);
    for (std::size_t row = 0; row < out; ++row)
        for (std::size_t column = 0; column < width; ++column)
            result[column * out + row] = weight.values[row * in + first + column];
    return result;
}

const NamedArray& named(std::span<const NamedArray> weights, std::string_view name) {
    return *std::ranges::find(weights, name, &NamedArray::name);
}

/// Those of the predictor among all weights of a network.
Result<std::vector<NamedArray>> predictor_weights(std::span<const NamedArray> weights) {
    std::vector<NamedArray> own;
    std::int64_t workload_width = embedding_width;
    for (const NamedArray& array : weights) {
        if (!array.name.starts_with("final."))
            continue;
        if (array.name == "final.0.weight" && array.shape.size() == 2)
            workload_width = std::max<std::int64_t>(array.shape[1] - embedding_width, 1);
        own.push_back(array);
    }
    std::vector<NetworkParameter> predictor;
    add_predictor(predictor, workload_width);
    return match_by_name(std::move(own), shapes_of(predictor));
}

} // namespace

WorkloadPredictor::WorkloadPredictor(std::shared_ptr<const PredictorTail> tail, std::vector<float> shared,
                                     VectorInstructions set)
    : tail_(std::move(tail))
    , shared_(std::move(shared))
    , score_rows_(score_rows_kernel(set)) {}

PredictorArrays WorkloadPredictor::arrays() const {
    return {shared_.data(), tail_->weight.data(), tail_->bias.data(), tail_->last.data(), tail_->last_bias};
}

void WorkloadPredictor::score(std::span<const float> rows, std::span<const std::uint32_t> numbers,
                              std::span<float> scores) const {
    score_rows_(arrays(), rows.data(), numbers.data(), numbers.size(), scores.data());
}

void WorkloadPredictor::score(std::span<const float> rows, std::span<float> scores) const {
    score_rows_(arrays(), rows.data(), nullptr, scores.size(), scores.data());
}

Result<PredictorHead> PredictorHead::of(const Checkpoint& checkpoint, VectorInstructions set) {
    if (!is_network(checkpoint.model))
        return fail(Fault::Input, "trees have no predictor over embeddings of configurations");
    const Result<std::vector<NamedArray>> weights = predictor_weights(checkpoint.weights);
    if (!weights)
        return std::unexpected(weights.error());

    const NamedArray& first = named(*weights, "final.0.weight");
    const NamedArray& second = named(*weights, "final.2.weight");
    PredictorHead head;
    head.set_ = set;
    head.workload_width_ = static_cast<std::size_t>(first.shape[1]) - embedding_width;
    head.workload_weight_ = transposed(first, 0, head.workload_width_);
    head.first_bias_ = named(*weights, "final.0.bias").values;
    head.configuration_weight_ = transposed(first, head.workload_width_, embedding_width);
    head.tail_ = std::make_shared<const PredictorTail>(
        PredictorTail{transposed(second, 0, first_layer_width), named(*weights, "final.2.bias").values,
                      named(*weights, "final.4.weight").values, named(*weights, "final.4.bias").values[0]});
    return head;
}

FloatBuffer PredictorHead::project(std::span<const float> embeddings, int threads) const {
    constexpr Channels channels{embedding_width, first_layer_width};
    constexpr std::int64_t block = 64; // rows that stay in the cache with the weight
    const auto rows = static_cast<std::int64_t>(embeddings.size()) / channels.in;
    std::vector<std::int32_t> numbers(block);
    std::iota(numbers.begin(), numbers.end(), 0);
    const PairKernels<float> kernels = pair_kernels(channels, set_, 0.0F);
    FloatBuffer projected(static_cast<std::size_t>(rows * channels.out));
    parallel_parts(threads, rows, [&](int, std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; row += block) {
            const auto count = static_cast<int>(std::min(block, end - row));
            float* to = projected.data() + row * channels.out;
            std::fill_n(to, count * channels.out, 0.0F);
            kernels.add_products({numbers.data(), numbers.data(), count}, channels,
                                 embeddings.data() + row * channels.in, configuration_weight_.data(), to);
        }
    });
    return projected;
}

Result<WorkloadPredictor> PredictorHead::for_workload(std::span<const float> workload_embedding) const {
    if (workload_embedding.size() != workload_width_)
        return fail(Fault::Input,
                    fmt::format("the embedding of the workload has {} numbers, the predictor reads {}",
                                workload_embedding.size(), workload_width_));
    std::vector<float> shared = first_bias_;
    for (std::size_t in = 0; in < workload_width_; ++in)
        for (std::size_t out = 0; out < first_layer_width; ++out)
            shared[out] += workload_embedding[in] * workload_weight_[in * first_layer_width + out];
    return WorkloadPredictor(tail_, std::move(shared), set_);
}

std::vector<float> score_all(const WorkloadPredictor& predictor, std::span<const float> rows, int threads) {
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
