#include "store/stored_statistics.h"

#include "matrix/generators/generator.h"
#include "store_fixture.h"

namespace sparsight {
namespace {

using testing::must;

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
    const MatrixId id = must(add_matrix(workspace, {"m", "", {}}, pattern_));
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
