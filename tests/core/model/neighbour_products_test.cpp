// The kernels on plain arrays: every instruction set and channel count against sums written down as loops.
#include "core/model/dense_reference.h"

#include "base/parallel.h"
#include "model/neighbour_products.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::awkward_patterns;
using ::testing::FloatNear;
using testing::map_of;
using testing::NamedPattern;
using ::testing::Pointwise;
using testing::scattered;

const std::vector<Channels> channel_counts{{1, 32}, {32, 32}, {5, 32}, {33, 64}, {32, 1}, {3, 5}, {1, 1}};

void run_in_order(int parts, const std::function<void(int)>& body) {
    for (int part = 0; part < parts; ++part)
        body(part);
}

/// The last part first, each on a thread that may be another one.
PartRunner runner_with(int threads) {
    return [threads](int parts, const std::function<void(int)>& body) {
        parallel_parts(threads, parts, [&](int, std::int64_t begin, std::int64_t end) {
            while (end-- > begin)
                body(static_cast<int>(end));
        });
    };
}

std::vector<float> random_numbers(std::int64_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers)
        number = static_cast<float>(random.uniform() - 0.5);
    return numbers;
}

/// The operands of one convolution and what its three products should be, summed in double precision.
struct Example {
    Example(const CsrPattern& pattern, int kernel_size, int stride, Channels with)
        : map(map_of(pattern, kernel_size, stride))
        , channels(with)
        , features(random_numbers(map->input_count() * with.in, 1))
        , gradient(random_numbers(map->output_count() * with.out, 2))
        , weight(random_numbers(map->kernel_area() * with.in * with.out, 3))
        , outputs(gradient.size())
        , input_gradient(features.size())
        , weight_gradient(weight.size()) {
        const std::vector<OffsetPairs> slices = map->pairs_by_slice();
        for (std::size_t slice = 0; slice < slices.size(); ++slice)
            for (std::size_t pair = 0; pair < slices[slice].inputs.size(); ++pair)
                add_pair(slice, static_cast<std::size_t>(slices[slice].inputs[pair]),
                         static_cast<std::size_t>(slices[slice].outputs[pair]));
    }

    void add_pair(std::size_t slice, std::size_t input, std::size_t output) {
        const auto ins = static_cast<std::size_t>(channels.in);
        const auto outs = static_cast<std::size_t>(channels.out);
        for (std::size_t in = 0; in < ins; ++in)
            for (std::size_t out = 0; out < outs; ++out) {
                const std::size_t f = input * ins + in;
                const std::size_t g = output * outs + out;
                const std::size_t w = (slice * ins + in) * outs + out;
                outputs[g] += double{features[f]} * weight[w];
                input_gradient[f] += double{gradient[g]} * weight[w];
                weight_gradient[w] += double{features[f]} * gradient[g];
            }
    }

    [[nodiscard]] std::vector<float> products(VectorSet set, const PartRunner& run) const {
        std::vector<float> result(outputs.size(), -1.0F);
        neighbour_products(map->inputs_of_outputs(), channels, features.data(),
                           weight_matrices(weight.data(), map->kernel_size(), channels), result.data(), set,
                           run);
        return result;
    }
    [[nodiscard]] std::vector<float> transposed_products(VectorSet set, const PartRunner& run) const {
        std::vector<float> result(features.size(), -1.0F);
        const TransposedWeight<float> transposed(weight.data(), map->kernel_size(), channels);
        neighbour_products(map->outputs_of_inputs(), {channels.out, channels.in}, gradient.data(),
                           transposed.matrices(), result.data(), set, run);
        return result;
    }
    [[nodiscard]] std::vector<float> outer_products(VectorSet set, const PartRunner& run) const {
        std::vector<float> result(weight.size(), -1.0F);
        neighbour_outer_products(map->inputs_of_outputs(), channels, features.data(), gradient.data(),
                                 result.data(), set, run);
        return result;
    }

    std::shared_ptr<const KernelMap> map;
    Channels channels;
    std::vector<float> features;
    std::vector<float> gradient;
    std::vector<float> weight;
    std::vector<double> outputs;
    std::vector<double> input_gradient;
    std::vector<double> weight_gradient;
};

TEST(NeighbourProducts, AreTheSumsOverAllPairsForEveryInstructionSetAndChannelCount) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const Channels channels : channel_counts)
            for (const auto& [kernel_size, stride] : {std::pair{5, 1}, {3, 2}}) {
                const Example example(sample.pattern, kernel_size, stride, channels);
                for (const VectorSet set : supported_vector_sets()) {
                    SCOPED_TRACE(fmt::format("{}, {} to {} channels, {}x{}, {}", sample.name, channels.in,
                                             channels.out, kernel_size, kernel_size, name_of(set)));
                    EXPECT_THAT(example.products(set, run_in_order),
                                Pointwise(FloatNear(1e-4F), example.outputs));
                    EXPECT_THAT(example.transposed_products(set, run_in_order),
                                Pointwise(FloatNear(1e-4F), example.input_gradient));
                    EXPECT_THAT(example.outer_products(set, run_in_order),
                                Pointwise(FloatNear(1e-3F), example.weight_gradient));
                }
            }
}

TEST(NeighbourProducts, AreTheSameBitsForAnyNumberOfThreadsAndAnyOrderOfTheParts) {
    const Example example(scattered(600, 600, 0.06, 1), 3, 1, {32, 32});
    ASSERT_GT(part_count(example.map->output_count()), 3);
    for (const VectorSet set : supported_vector_sets())
        for (const int threads : {1, 2, 5}) {
            EXPECT_EQ(example.products(set, runner_with(threads)), example.products(set, run_in_order));
            EXPECT_EQ(example.transposed_products(set, runner_with(threads)),
                      example.transposed_products(set, run_in_order));
            EXPECT_EQ(example.outer_products(set, runner_with(threads)),
                      example.outer_products(set, run_in_order));
        }
}

TEST(VectorSets, IncludeThePortableOneAndTheWidestOne) {
    EXPECT_EQ(supported_vector_sets().front(), VectorSet::Portable);
    EXPECT_EQ(supported_vector_sets().back(), widest_vector_set());
}

TEST(Parts, CoverAllCentresOnceInOrder) {
    for (const std::int64_t centres : {0, 1, 5000, 131'073, 100'000'000}) {
        const int parts = part_count(centres);
        std::int64_t at = 0;
        for (int part = 0; part < parts; ++part) {
            const CentreRange range = part_range(centres, parts, part);
            EXPECT_EQ(range.begin, at);
            at = range.end;
        }
        EXPECT_EQ(at, centres);
    }
}

} // namespace
} // namespace sparsight
