// Matrices in a workspace, and the bytes of their patterns.
#include "base/random.h"
#include "core/store/store_fixture.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/pattern_codec.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/sqlite.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::AllOf;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;
using testing::small_pattern;

class MatricesTest : public testing::StoreTest {};

TEST_F(MatricesTest, KeepWhatTheyAreAndWhereTheyCameFrom) {
    CsrPattern pattern = small_pattern();
    pattern.values = {1.5F, -2.0F, 0.0F};
    {
        Workspace workspace = create();
        const WorkloadId id =
            must(add_matrix(workspace, {"cage", "/data/cage.mtx", "/data/cage.mtx"}, pattern));
        must(set_statistics(workspace, id, R"({"density":0.5})"));
    }
    Workspace workspace = must(Workspace::open(file()));
    const auto matrices = must(list_matrices(workspace));
    ASSERT_EQ(matrices.size(), 1U);
    const MatrixRecord& matrix = matrices.front();
    EXPECT_EQ(matrix.name, "cage");
    EXPECT_EQ(matrix.rows, 2);
    EXPECT_EQ(matrix.cols, 3);
    EXPECT_EQ(matrix.nnz, 3);
    EXPECT_EQ(matrix.source, "/data/cage.mtx");
    EXPECT_EQ(matrix.content_hash.size(), 32U);
    EXPECT_EQ(matrix.statistics, R"({"density":0.5})");
    EXPECT_EQ(matrix.pattern, PayloadPlace::Workspace);
    EXPECT_EQ(matrix.added.size(), std::string("2024-05-01T12:34:56.789Z").size());
    EXPECT_EQ(must(load_pattern(workspace, matrix.id)), pattern);
}

TEST_F(MatricesTest, AreFoundByName) {
    Workspace workspace = create();
    const WorkloadId id = must(add_matrix(workspace, {"a", "", {}}, small_pattern()));
    EXPECT_EQ(must(find_matrix(workspace, "a"))->id, id);
    EXPECT_EQ(must(find_matrix(workspace, "A")), std::nullopt);
}

TEST_F(MatricesTest, AreTheSameWhenAddedAgain) {
    Workspace workspace = create();
    const WorkloadId first = must(add_matrix(workspace, {"a", "here", {}}, small_pattern()));
    EXPECT_EQ(must(add_matrix(workspace, {"a", "there", {}}, small_pattern())), first);
    EXPECT_EQ(must(list_matrices(workspace)).front().source, "here");
}

TEST_F(MatricesTest, DoNotTakeANameThatAnotherMatrixHas) {
    Workspace workspace = create();
    must(add_matrix(workspace, {"a", "here", {}}, small_pattern()));
    EXPECT_EQ(error_text(add_matrix(workspace, {"a", "there", {}}, CsrPattern{})),
              "another matrix is called a already (2 × 3, 3 entries, here): give this one (0 × 0, 0) "
              "another name");
    for (const char* const name : {"", " "})
        EXPECT_EQ(error_text(add_matrix(workspace, {name, "", {}}, CsrPattern{})),
                  "a matrix needs a name that is more than blanks: give it one with --name");
}

TEST_F(MatricesTest, MayBeKnownByNameAloneUntilThePatternComes) {
    Workspace workspace = create();
    const WorkloadId id = must(add_matrix_name(workspace, "a", "a list"));
    EXPECT_EQ(must(add_matrix_name(workspace, "a", "another list")), id);
    EXPECT_EQ(must(find_matrix(workspace, "a"))->pattern, PayloadPlace::Unknown);
    EXPECT_THAT(error_text(load_pattern(workspace, id)),
                HasSubstr("the pattern of this matrix is not known"));
    EXPECT_EQ(must(add_matrix(workspace, {"a", "a.csr", {}}, small_pattern())), id);
    EXPECT_EQ(must(load_pattern(workspace, id)), small_pattern());
    EXPECT_EQ(must(find_matrix(workspace, "a"))->source, "a.csr");
}

TEST_F(MatricesTest, OverTheLimitStayInTheirFileAndAreCheckedWhenReadAgain) {
    Workspace workspace = create();
    const auto path = in_folder("big.mtx");
    std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n";
    const WorkloadId id = must(add_matrix(workspace, {"big", path.string(), path}, small_pattern(), 10));
    const auto record = must(find_matrix(workspace, "big"));
    EXPECT_EQ(record->pattern, PayloadPlace::File);
    EXPECT_EQ(record->file, path.string());
    EXPECT_EQ(must(load_pattern(workspace, id)), small_pattern());

    std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n1 3\n";
    EXPECT_THAT(error_text(load_pattern(workspace, id)),
                AllOf(HasSubstr("big.mtx: this file has changed"), HasSubstr("2 × 3, 3 entries"),
                      HasSubstr("2 × 3, 2")));
    std::filesystem::remove(path);
    EXPECT_THAT(error_text(load_pattern(workspace, id)), HasSubstr("big.mtx"));
}

TEST_F(MatricesTest, OverTheLimitAndGeneratedAreRefusedAndLeaveNothing) {
    Workspace workspace = create();
    EXPECT_THAT(error_text(add_matrix(workspace, {"big", "generated", {}}, small_pattern(), 10)),
                AllOf(HasSubstr("over the 10 B"), HasSubstr("no file to refer to")));
    EXPECT_TRUE(must(list_matrices(workspace)).empty());
}

TEST_F(MatricesTest, SayWhenTheirStoredBytesAreDamaged) {
    Workspace workspace = create();
    const WorkloadId id = must(add_matrix(workspace, {"a", "", {}}, small_pattern()));
    must(workspace.database().run("UPDATE payloads SET content = x'0000'"));
    EXPECT_THAT(error_text(load_pattern(workspace, id)),
                AllOf(HasSubstr("demo.sparsight: the matrix a: "), HasSubstr("cut off")));
}

TEST_F(MatricesTest, GoWithAllThatBelongsToThem) {
    Workspace workspace = create();
    const WorkloadId id = must(add_matrix(workspace, {"a", "", {}}, small_pattern()));
    const MachineId machine = must(recorded_machine(workspace, "xeon"));
    must(record_measurement(workspace, {id, machine}, fixed_csr(Operator::SpMM, 1), testing::measured(1)));
    must(remove_workload(workspace, id));
    EXPECT_EQ(must(count_measurements(workspace)), 0);
    EXPECT_EQ(must(workspace.database().first([](Statement& row) { return row.integer(0); },
                                              "SELECT count(*) FROM payloads")),
              0);
}

CsrPattern pattern_of(std::int64_t rows, std::int64_t cols, std::vector<std::int64_t> row_pointers,
                      std::vector<std::int32_t> column_ids, std::vector<float> values = {}) {
    return {rows, cols, std::move(row_pointers), std::move(column_ids), std::move(values)};
}

PatternExtents extents_of(const CsrPattern& pattern) {
    return {pattern.rows, pattern.cols, pattern.nnz()};
}

CsrPattern random_pattern(std::uint64_t seed) {
    Random random(seed);
    CooPattern coordinates;
    coordinates.rows = random.between(1, 300);
    coordinates.cols = random.between(1, 300);
    const bool with_values = random.chance(0.5);
    for (std::int64_t e = random.between(0, 2000); e > 0; --e) {
        coordinates.row_ids.push_back(
            static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(coordinates.rows))));
        coordinates.column_ids.push_back(
            static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(coordinates.cols))));
        if (with_values)
            coordinates.values.push_back(static_cast<float>(random.normal()));
    }
    return compress(std::move(coordinates), 1).pattern;
}

void expect_round_trip(const CsrPattern& pattern) {
    const auto encoded = encode_pattern(pattern);
    ASSERT_TRUE(encoded) << encoded.error().text();
    const auto decoded = decode_pattern(extents_of(pattern), encoded->structure, encoded->values);
    ASSERT_TRUE(decoded) << decoded.error().text();
    EXPECT_EQ(*decoded, pattern);
}

TEST(PatternCodec, GivesBackEveryPattern) {
    expect_round_trip({});
    expect_round_trip(pattern_of(3, 0, {0, 0, 0, 0}, {}));
    expect_round_trip(pattern_of(0, 5, {0}, {}));
    expect_round_trip(pattern_of(1, 1, {0, 1}, {0}, {-2.5F}));
    expect_round_trip(pattern_of(2, max_extent, {0, 2, 3}, {0, max_extent - 1, max_extent - 1}));
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        expect_round_trip(random_pattern(seed));
}

TEST(PatternCodec, TakesLessThanAByteForANonZeroOfARegularMatrix) {
    CsrPattern band;
    band.rows = band.cols = 10'000;
    for (std::int64_t row = 0; row < band.rows; ++row) {
        for (std::int64_t column = std::max<std::int64_t>(0, row - 5);
             column <= std::min(band.cols - 1, row + 5); ++column)
            band.column_ids.push_back(static_cast<std::int32_t>(column));
        band.row_pointers.push_back(band.nnz());
    }
    const auto encoded = encode_pattern(band);
    ASSERT_TRUE(encoded);
    EXPECT_LT(encoded->structure.size(), static_cast<std::size_t>(band.nnz() / 10));
    EXPECT_TRUE(encoded->values.empty());
}

TEST(PatternCodec, SaysThatDamagedBytesAreDamaged) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const CsrPattern pattern = random_pattern(seed);
        const auto encoded = encode_pattern(pattern);
        ASSERT_TRUE(encoded);
        Random random(seed);
        for (int attempt = 0; attempt < 50; ++attempt) {
            auto bytes = encoded->structure;
            bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1 + random.below(255));
            const auto decoded = decode_pattern(extents_of(pattern), bytes, encoded->values);
            if (decoded)
                EXPECT_TRUE(is_well_formed(*decoded));
            else
                EXPECT_NE(decoded.error().message.find("damaged"), std::string::npos)
                    << decoded.error().message;
        }
        const std::span<const std::byte> whole(encoded->structure);
        EXPECT_FALSE(decode_pattern(extents_of(pattern), whole.first(whole.size() - 1), {}));
        EXPECT_FALSE(decode_pattern(extents_of(pattern), {}, {}));
    }
}

TEST(PatternCodec, RefusesExtentsThatTheBytesDoNotHaveWithoutAllocatingThem) {
    const CsrPattern pattern = random_pattern(7);
    const auto encoded = encode_pattern(pattern);
    ASSERT_TRUE(encoded);
    PatternExtents wrong = extents_of(pattern);
    for (const PatternExtents& extents :
         {PatternExtents{max_extent, max_extent, std::numeric_limits<std::int64_t>::max()},
          PatternExtents{max_extent, max_extent, max_extent}, PatternExtents{-1, 1, 0},
          PatternExtents{0, 0, 1}, PatternExtents{wrong.rows, wrong.cols, wrong.nnz + 1},
          PatternExtents{wrong.rows + 1, wrong.cols, wrong.nnz}, PatternExtents{wrong.rows, 1, wrong.nnz}})
        EXPECT_FALSE(decode_pattern(extents, encoded->structure, encoded->values));
}

TEST(ContentHash, IsTheSameForTheSameMatrixAndDiffersOtherwise) {
    const CsrPattern pattern = pattern_of(2, 3, {0, 1, 2}, {0, 2});
    EXPECT_EQ(content_hash(pattern), content_hash(CsrPattern(pattern)));
    EXPECT_EQ(content_hash(pattern).size(), 32U);
    EXPECT_NE(content_hash(pattern), content_hash(pattern_of(3, 2, {0, 1, 1, 2}, {0, 1})));
    EXPECT_NE(content_hash(pattern), content_hash(pattern_of(2, 3, {0, 1, 2}, {0, 1})));
    EXPECT_NE(content_hash(pattern), content_hash(pattern_of(2, 3, {0, 1, 2}, {0, 2}, {1.0F, 1.0F})));
    EXPECT_NE(content_hash(CsrPattern{}), content_hash(pattern_of(1, 0, {0, 0}, {})));
}

class StoredStatistics : public testing::StoreTest {
protected:
    static void expect_equal(const PatternStatistics& a, const PatternStatistics& b) {
        for (const Statistic& statistic : statistics())
            EXPECT_EQ(statistic.of(a), statistic.of(b)) << statistic.name;
    }
    const CsrPattern pattern_ = *generate_matrix("power-law", {{"scale", 8}}, 1);
};

TEST_F(StoredStatistics, ComeBackExactlyFromTheirText) {
    const PatternStatistics computed = compute_statistics(pattern_, 1);
    const auto parsed = parse_statistics(statistics_text(computed));
    ASSERT_TRUE(parsed);
    expect_equal(*parsed, computed);
}

TEST_F(StoredStatistics, OfAnotherVersionAreNotTaken) {
    const std::string text = statistics_text(compute_statistics(pattern_, 1));
    EXPECT_FALSE(parse_statistics(""));
    EXPECT_FALSE(parse_statistics("[1, 2]"));
    EXPECT_FALSE(parse_statistics(R"({"rows": 3})"));
    EXPECT_FALSE(parse_statistics(std::string(text).insert(1, R"("colour": 3,)")));
    EXPECT_FALSE(parse_statistics(std::string(text).replace(text.find("rows"), 4, "Rows")));
}

TEST_F(StoredStatistics, AreComputedOnceAndKept) {
    Workspace workspace = create();
    const WorkloadId id = must(add_matrix(workspace, {"m", "", {}}, pattern_));
    const auto first = must(matrix_statistics(workspace, must(find_matrix(workspace, "m")).value(), 1));
    expect_equal(first, compute_statistics(pattern_, 1));

    PatternStatistics other = first;
    other.bandwidth = 12345;
    must(set_statistics(workspace, id, statistics_text(other)));
    const auto kept = must(matrix_statistics(workspace, must(find_matrix(workspace, "m")).value(), 1));
    EXPECT_EQ(kept.bandwidth, 12345);
}

TEST_F(StoredStatistics, OfAWorkspaceThatIsOnlyReadAreComputedAllTheSame) {
    {
        Workspace workspace = create();
        must(add_matrix(workspace, {"m", "", {}}, pattern_));
    }
    Workspace workspace = must(Workspace::open(file(), {.access = WorkspaceAccess::Read}));
    const auto matrix = must(find_matrix(workspace, "m")).value();
    expect_equal(must(matrix_statistics(workspace, matrix, 1)), compute_statistics(pattern_, 1));
}

} // namespace
} // namespace sparsight
