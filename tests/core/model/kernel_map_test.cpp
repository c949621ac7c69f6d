// Coordinates, neighbour tables and kernel maps against their definitions, written down as sets.
#include "core/model/dense_reference.h"

#include "model/convolution_pyramid.h"

#include <gmock/gmock.h>
#include <map>
#include <tuple>

namespace sparsight {
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
                inputs_of_outputs(inputs, outputs, kernel_size, stride, 1, VectorSet::Portable);
            for (const VectorSet set : supported_vector_sets()) {
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
} // namespace sparsight
