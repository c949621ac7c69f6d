#include "base/parallel.h"
#include "core/model/dense_reference.h"
#include "model/convolution/convolution_pyramid.h"
#include "model/convolution/neighbour_products.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <map>
#include <tuple>

namespace sparsight {

// Coordinates, neighbour tables and kernel maps against their definitions, written down as sets.
namespace {

using testing::awkward_patterns;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::map_of;
using testing::NamedPattern;
using testing::pattern_of;
using testing::scattered;

/// (slice, input, output) of every pair.
using Pairs = std::set<std::tuple<int, std::int64_t, std::int64_t>>;

Pairs defined_pairs(const CoordinateSet& inputs, const CoordinateSet& outputs, int kernel_size, int stride) {
    std::map<std::int64_t, std::int64_t> index;
    for (std::size_t input = 0; input < inputs.size(); ++input)
        index[inputs[input]] = static_cast<std::int64_t>(input);
    Pairs pairs;
    const int half = kernel_size / 2;
    for (std::size_t output = 0; output < outputs.size(); ++output)
        for (int row = 0; row < kernel_size; ++row)
            for (int column = 0; column < kernel_size; ++column) {
                const std::int64_t input_row = row_of(outputs[output]) * stride + row - half;
                const std::int64_t input_column = column_of(outputs[output]) * stride + column - half;
                if (input_row < 0 || input_column < 0)
                    continue;
                const auto found = index.find(pack_coordinate(input_row, input_column));
                if (found != index.end())
                    pairs.emplace(weight_slice(row, column, kernel_size), found->second,
                                  static_cast<std::int64_t>(output));
            }
    return pairs;
}

Pairs pairs_of(const KernelMap& map) {
    Pairs pairs;
    const std::vector<OffsetPairs> slices = map.pairs_by_slice();
    for (std::size_t slice = 0; slice < slices.size(); ++slice)
        for (std::size_t pair = 0; pair < slices[slice].inputs.size(); ++pair)
            pairs.emplace(static_cast<int>(slice), slices[slice].inputs[pair], slices[slice].outputs[pair]);
    return pairs;
}

Pairs pairs_of_transposed(const KernelMap& map) {
    Pairs pairs;
    const int size = map.kernel_size();
    for (std::int64_t input = 0; input < map.input_count(); ++input)
        for_each_neighbour(map.outputs_of_inputs(), input, [&](int bit, std::int32_t output) {
            const int mirrored = map.kernel_area() - 1 - bit;
            pairs.emplace(weight_slice(mirrored / size, mirrored % size, size), input, output);
        });
    return pairs;
}

TEST(PackedCoordinates, AreOrderedAsRowsThenColumnsAlsoJustOutsideOfTheMatrix) {
    EXPECT_LT(pack_coordinate(3, 5), pack_coordinate(3, 6));
    EXPECT_LT(pack_coordinate(3, INT32_MAX), pack_coordinate(4, 0));
    EXPECT_LT(pack_coordinate(3, INT32_MAX), pack_coordinate(4, -2));
    EXPECT_LT(pack_coordinate(4, -2), pack_coordinate(4, 0));
    EXPECT_LT(pack_coordinate(-1, INT32_MAX), pack_coordinate(0, 0));
    EXPECT_EQ(row_of(pack_coordinate(INT32_MAX, 7)), INT32_MAX);
    EXPECT_EQ(column_of(pack_coordinate(7, INT32_MAX)), INT32_MAX);
}

TEST(StrideCells, AreTheUniqueRoundedDownCoordinates) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const int stride : {1, 2, 3})
            for (const int threads : {1, 3}) {
                const CoordinateSet fine = coordinates_of(sample.pattern, threads);
                std::set<std::int64_t> expected;
                for (const std::int64_t at : fine)
                    expected.insert(pack_coordinate(row_of(at) / stride, column_of(at) / stride));
                EXPECT_THAT(stride_cells(fine, stride, threads), ::testing::ElementsAreArray(expected))
                    << sample.name << ", stride " << stride << ", " << threads << " threads";
            }
}

TEST(KernelMap, PairsEachOutputWithTheExistingInputsAroundIt) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const auto& [kernel_size, stride] :
             {std::pair{5, 1}, {3, 2}, {3, 1}, {1, 1}, {1, 2}, {5, 2}, {3, 3}})
            for (const int threads : {1, 3}) {
                const CoordinateSet inputs = coordinates_of(sample.pattern, 1);
                const CoordinateSet outputs = stride_cells(inputs, stride, 1);
                const auto map = map_of(sample.pattern, kernel_size, stride, threads);
                const Pairs expected = defined_pairs(inputs, outputs, kernel_size, stride);
                EXPECT_EQ(pairs_of(*map), expected) << sample.name << " " << kernel_size << "/" << stride;
                EXPECT_EQ(pairs_of_transposed(*map), expected)
                    << sample.name << " " << kernel_size << "/" << stride;
                EXPECT_EQ(map->pair_count(), static_cast<std::int64_t>(expected.size()));
            }
}

/// Rows with few and many columns, with stretches between them that take more than eight coordinates at once.
CsrPattern uneven_rows() {
    std::set<testing::Coordinate> entries;
    for (int row = 0; row < 60; ++row)
        for (int column = row % 7; column < 200; column += row % 5 == 0 ? 1 : 3 + row % 11 * 4)
            entries.emplace(row, column);
    return pattern_of(60, 200, entries);
}

TEST(NeighbourTable, IsTheSameWithEveryVectorSet) {
    std::vector<NamedPattern> samples = awkward_patterns();
    samples.push_back({"uneven rows", uneven_rows()});
    samples.push_back({"more than one thread's share", scattered(400, 500, 0.2, 1)});
    for (const NamedPattern& sample : samples)
        for (const auto& [kernel_size, stride] : {std::pair{5, 1}, {3, 2}, {3, 1}, {5, 2}, {3, 3}}) {
            const CoordinateSet inputs = coordinates_of(sample.pattern, 1);
            const CoordinateSet outputs = stride_cells(inputs, stride, 1);
            const NeighbourTable expected =
                inputs_of_outputs(inputs, outputs, kernel_size, stride, 1, VectorInstructions::Portable);
            for (const VectorInstructions set : supported_vector_instructions()) {
                const NeighbourTable table = inputs_of_outputs(inputs, outputs, kernel_size, stride, 2, set);
                const std::string which =
                    fmt::format("{} {}/{}, {}", sample.name, kernel_size, stride, name_of(set));
                EXPECT_EQ(table.masks, expected.masks) << which;
                EXPECT_EQ(table.first, expected.first) << which;
                EXPECT_EQ(table.pair_count, expected.pair_count) << which;
            }
        }
}

TEST(KernelMap, WorksAtTheLargestExtents) {
    const CsrPattern row{1, max_extent, {0, 3}, {0, max_extent - 2, max_extent - 1}, {}};
    const auto map = map_of(row, 5, 1);
    EXPECT_EQ(map->pair_count(), 5); // three with themselves, the last two with each other
}

TEST(KernelMap, KeepsWhatIsDerivedFromItUnderAName) {
    const auto map = map_of(scattered(5, 5, 1.1, 1), 3, 1);
    int made = 0;
    const auto make = [&] { return std::make_shared<const int>(++made); };
    const auto first = map->kept("one", make);
    EXPECT_EQ(map->kept("one", make), first);
    EXPECT_NE(map->kept("other", make), first);
    EXPECT_EQ(made, 2);
}

// The order that MinkowskiEngine walks through a region in: the first axis, the row, is the fastest.
TEST(WeightSlice, StepsThroughRowsFirst) {
    const auto map = map_of(pattern_of(3, 3, {{0, 1}, {1, 0}, {1, 1}}), 3, 1);
    const std::vector<OffsetPairs> slices = map->pairs_by_slice();
    // Around output 2, which is (1, 1): input 0 is one row above, input 1 one column before, input 2 itself.
    EXPECT_THAT(slices[3].inputs, ElementsAre(0));
    EXPECT_THAT(slices[3].outputs, ElementsAre(2));
    EXPECT_THAT(slices[1].inputs, ElementsAre(1));
    EXPECT_THAT(slices[1].outputs, ElementsAre(2));
    EXPECT_THAT(slices[4].inputs, ElementsAre(0, 1, 2));
    EXPECT_THAT(slices[0].inputs, IsEmpty());
}

TEST(NeighbourhoodClasses, AreTheDistinctMasksWithTheirCoordinates) {
    const auto map = map_of(scattered(40, 50, 1.1, 1), 5, 1);
    const NeighbourTable& table = map->inputs_of_outputs();
    const auto classes = neighbourhood_classes(table, 25);
    ASSERT_NE(classes, nullptr);
    EXPECT_EQ(classes->count(), 25); // the distance to each border is 0, 1, or more
    std::vector<std::int64_t> sizes(25, 0);
    for (std::size_t centre = 0; centre < table.masks.size(); ++centre) {
        const auto own = static_cast<std::size_t>(classes->of_centre[centre]);
        EXPECT_EQ(classes->table.masks[own], table.masks[centre]);
        ++sizes[own];
    }
    EXPECT_EQ(classes->sizes, sizes);
}

TEST(NeighbourhoodClasses, AreGivenUpBeyondTheLimit) {
    EXPECT_EQ(neighbourhood_classes(map_of(scattered(40, 50, 1.1, 1), 5, 1)->inputs_of_outputs(), 24),
              nullptr);
}

TEST(ConvolutionPyramid, HasWacosLayersEachOnTheOutputsOfTheOneBefore) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(300, 200, 0.05, 1), 2);
    ASSERT_EQ(pyramid.maps.size(), 14U);
    EXPECT_EQ(pyramid.halvings, 0);
    EXPECT_EQ(pyramid.maps[0]->kernel_size(), 5);
    EXPECT_EQ(pyramid.maps[0]->output_count(), pyramid.maps[0]->input_count());
    for (std::size_t layer = 1; layer < 14; ++layer) {
        EXPECT_EQ(pyramid.maps[layer]->kernel_size(), 3);
        EXPECT_EQ(pyramid.maps[layer]->stride(), 2);
        EXPECT_EQ(pyramid.maps[layer]->input_count(), pyramid.maps[layer - 1]->output_count());
    }
    EXPECT_EQ(pyramid.maps[13]->output_count(), 1);
}

TEST(ConvolutionPyramid, HalvesThePatternUntilItIsWithinTheLimitAndSaysHowOften) {
    const CsrPattern full = scattered(64, 64, 1.1, 1);
    EXPECT_EQ(build_convolution_pyramid(full, 1, 4096).halvings, 0);
    const ConvolutionPyramid coarse = build_convolution_pyramid(full, 1, 300);
    EXPECT_EQ(coarse.halvings, 2);
    EXPECT_EQ(coarse.coordinate_count(), 256);
}

TEST(ConvolutionPyramid, OfAnEmptyPatternHasNoCoordinatesAtAll) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(pattern_of(7, 7, {}), 2);
    for (const auto& map : pyramid.maps)
        EXPECT_EQ(map->output_count() + map->pair_count(), 0);
}

} // namespace

// The kernels on plain arrays: every instruction set and channel count against sums written down as loops.
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

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

    [[nodiscard]] std::vector<float> products(VectorInstructions set, const PartRunner& run) const {
        std::vector<float> result(outputs.size(), -1.0F);
        neighbour_products(map->inputs_of_outputs(), channels, features.data(),
                           weight_matrices(weight.data(), map->kernel_size(), channels), result.data(), set,
                           run);
        return result;
    }
    [[nodiscard]] std::vector<float> transposed_products(VectorInstructions set,
                                                         const PartRunner& run) const {
        std::vector<float> result(features.size(), -1.0F);
        const TransposedWeight<float> transposed(weight.data(), map->kernel_size(), channels);
        neighbour_products(map->outputs_of_inputs(), {channels.out, channels.in}, gradient.data(),
                           transposed.matrices(), result.data(), set, run);
        return result;
    }
    [[nodiscard]] std::vector<float> outer_products(VectorInstructions set, const PartRunner& run) const {
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
                for (const VectorInstructions set : supported_vector_instructions()) {
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
    for (const VectorInstructions set : supported_vector_instructions())
        for (const int threads : {1, 2, 5}) {
            EXPECT_EQ(example.products(set, runner_with(threads)), example.products(set, run_in_order));
            EXPECT_EQ(example.transposed_products(set, runner_with(threads)),
                      example.transposed_products(set, run_in_order));
            EXPECT_EQ(example.outer_products(set, runner_with(threads)),
                      example.outer_products(set, run_in_order));
        }
}

TEST(VectorSets, IncludeThePortableOneAndTheWidestOne) {
    EXPECT_EQ(supported_vector_instructions().front(), VectorInstructions::Portable);
    EXPECT_EQ(supported_vector_instructions().back(), widest_vector_instructions());
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
