// Sparse tensors of order 3 and 4, and their files.
#include "base/random.h"
#include "domains/sparse/tensor/higher_order/tns_file.h"
#include "support/test_files.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using testing::file_content;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_file;

/// Coordinates below the sizes, in any order, some of them several times.
SparseTensor drawn_tensor(std::vector<std::int64_t> sizes, std::size_t entries, std::uint64_t seed) {
    Random random(seed);
    SparseTensor tensor;
    tensor.sizes = std::move(sizes);
    tensor.coordinates.resize(tensor.order());
    for (std::size_t entry = 0; entry < entries; ++entry) {
        for (std::size_t mode = 0; mode < tensor.order(); ++mode)
            tensor.coordinates[mode].push_back(
                static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(tensor.sizes[mode]))));
        tensor.values.push_back(static_cast<float>(entry % 7) - 3);
    }
    return tensor;
}

/// What is summed at each place, by another way.
std::map<std::vector<std::int32_t>, float> summed(const SparseTensor& tensor) {
    std::map<std::vector<std::int32_t>, float> sums;
    for (std::size_t entry = 0; entry < static_cast<std::size_t>(tensor.nnz()); ++entry) {
        std::vector<std::int32_t> place;
        for (const auto& mode : tensor.coordinates)
            place.push_back(mode[entry]);
        sums[place] += tensor.has_values() ? tensor.values[entry] : 1;
    }
    return sums;
}

TEST(SparseTensorEntries, AreBroughtInOrderAndRepeatedOnesSummed) {
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{4, 3, 5}, {5000, 2, 70000}, {3, 4, 2, 2}, {1, 1, 1, 9}}) {
        SparseTensor tensor = drawn_tensor(sizes, 400, 7);
        const auto expected = summed(tensor);
        const std::int64_t merged = sort_entries(tensor);
        EXPECT_TRUE(is_well_formed(tensor));
        EXPECT_EQ(merged, 400 - tensor.nnz());
        EXPECT_EQ(summed(tensor), expected);
        EXPECT_EQ(sort_entries(tensor), 0) << "they are in order now";
    }
}

TEST(SparseTensorEntries, StayOneWhereThereAreNoValues) {
    SparseTensor tensor{{2, 2, 2}, {{1, 0, 1}, {0, 0, 0}, {1, 1, 1}}, {}};
    EXPECT_EQ(sort_entries(tensor), 1);
    EXPECT_EQ(tensor, (SparseTensor{{2, 2, 2}, {{0, 1}, {0, 0}, {1, 1}}, {}}));
}

TEST(SparseTensorEntries, ArePermutedWithTheirModes) {
    SparseTensor tensor = drawn_tensor({4, 6, 5}, 50, 3);
    sort_entries(tensor);
    const std::vector<std::size_t> there{2, 0, 1};
    const std::vector<std::size_t> back{1, 2, 0};
    const SparseTensor turned = permuted(tensor, there);
    EXPECT_THAT(turned.sizes, ElementsAre(5, 4, 6));
    EXPECT_TRUE(is_well_formed(turned));
    EXPECT_EQ(permuted(turned, back), tensor);
}

TEST(TnsFile, HasALineForEachEntry) {
    const auto loaded = parse_tns("# a comment\n\n1 2 3 0.5\n 2 1 1\t-4e1 \r\n1 2 3 1.5", "t");
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->tensor, (SparseTensor{{2, 2, 3}, {{0, 1}, {1, 0}, {2, 0}}, {2, -40}}));
    EXPECT_EQ(loaded->report.stored_entries, 3);
    EXPECT_EQ(loaded->report.duplicates_merged, 1);
}

TEST(TnsFile, ReadsAsItWasWrittenWhereTheLastSlicesHaveEntries) {
    const TemporaryFolder folder;
    SparseTensor tensor = drawn_tensor({30, 40, 20, 3}, 500, 11);
    for (std::size_t mode = 0; mode < tensor.order(); ++mode)
        tensor.coordinates[mode].front() = static_cast<std::int32_t>(tensor.sizes[mode]) - 1;
    sort_entries(tensor);
    tensor.values.front() = 0.1F;
    tensor.values.back() = 1e-30F;
    const auto path = folder.path() / "t.tns";
    ASSERT_TRUE(write_tns(path, tensor, "two\nlines"));
    EXPECT_THAT(file_content(path), ::testing::StartsWith("# two\n# lines\n"));
    const auto loaded = read_tensor(path);
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->tensor, tensor);
    EXPECT_EQ(loaded->name, "t");
}

TEST(TnsFile, IsTheSameHoweverItIsCutIntoBlocks) {
    std::string text;
    for (int entry = 1; entry <= 200; ++entry)
        text += std::to_string(entry) + " " + std::to_string(entry % 9 + 1) + " 4 " +
                std::to_string(entry * 0.25) + "\n";
    ReadOptions options;
    const auto whole = parse_tns(text, "t", options);
    options.block_bytes = 3;
    const auto pieces = parse_tns(text, "t", options);
    ASSERT_TRUE(whole && pieces);
    EXPECT_EQ(whole->tensor, pieces->tensor);
    const auto wrong = parse_tns(text + "1 2 x 1\n", "t", options);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().line, 201);
}

TEST(TnsFile, CountsNumbersThatAreNotFiniteAndKeepsThem) {
    const auto loaded = parse_tns("1 1 1 1\n1 1 2 nan\n1 2 1 -inf\n2 1 1 0\n", "t");
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->report.not_finite, 2);
    EXPECT_EQ(loaded->report.first_not_finite_line, 2);
    EXPECT_EQ(loaded->report.explicit_zeros, 1);
    EXPECT_TRUE(std::isnan(loaded->tensor.values[1]));
}

TEST(TnsFile, WithADefectNamesTheLineAndWhatWasExpected) {
    const std::vector<std::tuple<std::string, std::int64_t, std::string>> files{
        {"", 0, "has no entry"},
        {"# only\n\n", 2, "has no entry"},
        {"3\n", 1, "the first line has 1 word; expected 3 or 4 indices and a value"},
        {"1 2 0.5\n", 1, "the first line has 3 words"},
        {"1 1 1 1 1 1\n", 1, "the first line has 6 words"},
        {"1 1 1 1\n1 1 1\n", 2, "the line has 3 numbers; expected 3 indices and a value"},
        {"1 1 1 1\n1 1\n", 2, "the line has 2 numbers; expected 3 indices and a value"},
        {"1 1 1 1\n1 0 1 1\n", 2, "index 2 is 0, outside 1..2147483647 (indices start at 1"},
        {"1 1 1 1\n1 1 -4 1\n", 2, "index 3 is -4, outside"},
        {"1 1 1 1\n18446744073709551617 1 1 1\n", 2, "index 1 is 18446744073709551617, outside"},
        {"1 1 1 1\n2147483648 1 1 1\n", 2, "index 1 is 2147483648, outside"},
        {"1 1 1 1\n1 2.5 1 1\n", 2, "index 2 is \"2.5\"; expected a whole number"},
        {"1 1 1 one\n", 1, "the value is \"one\"; expected a number"},
        {"1 1 1 1\n1 1 2 1 more words\n", 2, "\"more\" stands behind the value"},
    };
    for (const auto& [text, line, message] : files) {
        const auto loaded = parse_tns(text, "t.tns");
        ASSERT_FALSE(loaded) << text;
        EXPECT_EQ(loaded.error().file, "t.tns");
        EXPECT_EQ(loaded.error().line, line) << text;
        EXPECT_THAT(loaded.error().message, HasSubstr(message)) << text;
    }
}

TEST(TnsFile, WithMoreEntriesThanTheLimitIsRefused) {
    ReadOptions options;
    options.limits.entries = 2;
    const auto loaded = parse_tns("1 1 1 1\n1 1 2 1\n1 1 3 1\n", "t", options);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().fault, Fault::Limit);
    EXPECT_EQ(loaded.error().line, 3);
}

TEST(TnsFile, OfRealTensorsHasTheSizesAndEntriesThatTheirListSays) {
    SPARSIGHT_NEEDS_SHARED("tensors/manifest.csv");
    for (const auto& [file, sizes, nnz] : {std::tuple<const char*, std::vector<std::int64_t>, std::int64_t>{
                                               "umls3.tns.gz", {135, 46, 135}, 6529},
                                           {"flights4.tns.gz", {224, 224, 90, 24}, 19956},
                                           {"shakespeare3.tns.gz", {12631, 12631, 12631}, 183922}}) {
        const auto loaded = read_tensor(testing::shared_path("tensors") / file);
        ASSERT_TRUE(loaded) << loaded.error().text();
        EXPECT_EQ(loaded->tensor.nnz(), nnz) << file;
        for (std::size_t mode = 0; mode < sizes.size(); ++mode)
            EXPECT_LE(loaded->tensor.sizes[mode], sizes[mode]) << file;
        EXPECT_TRUE(is_well_formed(loaded->tensor));
    }
}

TEST(TnsFile, ThatIsBrokenIsRefusedAtTheLineThatItsListNames) {
    SPARSIGHT_NEEDS_SHARED("tensors/malformed/manifest.csv");
    const std::map<std::string, std::int64_t> lines{
        {"missing_column", 18},
        {"zero_index", 25},
        {"text_index", 10},
        {"trailing_garbage", 21},
        {"negative_index", 4},
        {"overflow_index", 4},
        {"fractional_index", 13},
        {"truncated_last_line", 12},
        {"empty", 0},
        {"comment_only", 2},
        {"splatt_small4_zeroidx", 2},
        {"parti_header_3d_3_8", 1},
        {"genten_sptensor_header", 1},
        {"mlir_coordinate_above_dimension", 2},
        {"mlir_coordinate_negative", 2},
        {"mlir_coordinate_overflow", 2},
        {"mlir_coordinate_zero", 2},
    };
    for (const auto& [name, line] : lines) {
        const auto loaded = read_tensor(testing::shared_path("tensors/malformed") / (name + ".tns"));
        ASSERT_FALSE(loaded) << name;
        EXPECT_EQ(loaded.error().line, line) << name << ": " << loaded.error().message;
    }
    const auto repeated = read_tensor(testing::shared_path("tensors/malformed/duplicate_entry.tns"));
    ASSERT_TRUE(repeated) << repeated.error().text();
    EXPECT_EQ(repeated->report.duplicates_merged, 1);
    const auto not_finite = read_tensor(testing::shared_path("tensors/malformed/nan_inf_value.tns"));
    ASSERT_TRUE(not_finite) << not_finite.error().text();
    EXPECT_EQ(not_finite->report.not_finite, 2);
    EXPECT_EQ(not_finite->report.first_not_finite_line, 6);
}

} // namespace
} // namespace sparsight
