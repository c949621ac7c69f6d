#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "store/workload_families.h"
#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight::testing {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class Families : public StoreTest {
protected:
    WorkloadId add(const std::string& name, const CsrPattern& pattern) {
        return must(add_matrix(workspace_, {name, "test", {}}, pattern));
    }
    [[nodiscard]] static CsrPattern uniform(std::uint64_t seed) {
        return must(generate_matrix("uniform", {{"rows", 60}, {"cols", 50}, {"density", 0.1}}, seed));
    }
    /// The rows in the opposite order.
    [[nodiscard]] static CsrPattern reversed(const CsrPattern& pattern) {
        CsrPattern other{pattern.rows, pattern.cols, {0}, {}, {}};
        for (auto row = static_cast<std::size_t>(pattern.rows); row-- > 0;) {
            other.column_ids.insert(other.column_ids.end(),
                                    pattern.column_ids.begin() + pattern.row_pointers[row],
                                    pattern.column_ids.begin() + pattern.row_pointers[row + 1]);
            other.row_pointers.push_back(other.nnz());
        }
        return other;
    }
    [[nodiscard]] static CsrPattern with_empty_rows_and_columns(CsrPattern pattern) {
        pattern.rows += 7;
        pattern.cols += 3;
        pattern.row_pointers.resize(static_cast<std::size_t>(pattern.rows) + 1, pattern.nnz());
        return pattern;
    }
    [[nodiscard]] WorkloadFamilies families() {
        return must(WorkloadFamilies::read(
            workspace_, *domain_,
            [this](const WorkloadRecord& workload) -> std::optional<std::vector<double>> {
                ++reads_;
                const auto pattern = load_pattern(workspace_, workload.id);
                if (!pattern)
                    return std::nullopt;
                return statistics_vector(compute_statistics(*pattern, 1));
            }));
    }

    Workspace workspace_ = create();
    std::unique_ptr<const Domain> domain_ = make_sparse_domain();
    int reads_ = 0;
};

TEST_F(Families, AreToldByContentAndShapeWhateverTheNames) {
    const CsrPattern pattern = uniform(1);
    const WorkloadId original = add("original", pattern);
    add("renamed", pattern);
    const WorkloadId turned = add("turned", transpose(pattern));
    add("shuffled", transpose(reversed(pattern)));
    add("resized", with_empty_rows_and_columns(pattern));
    add("original_16x4_0", uniform(2));
    add("stranger", uniform(3));
    EXPECT_THAT(
        families().with_relatives({"turned"}),
        UnorderedElementsAre("original", "renamed", "turned", "shuffled", "resized", "original_16x4_0"));
    EXPECT_THAT(families().with_relatives({"stranger"}), ElementsAre("stranger"));
    EXPECT_TRUE(families().ids_with_relatives("turned").contains(original));
    EXPECT_TRUE(families().ids_with_relatives("original").contains(turned));
}

TEST_F(Families, AreToldByNameWhereTheWorkspaceHasNoSuchWorkload) {
    add("gone_t", uniform(1));
    EXPECT_THAT(families().with_relatives({"gone"}), ElementsAre("gone", "gone_t"));
}

TEST_F(Families, NeedStatisticsOnlyWhereSizesAgree) {
    CsrPattern smaller = uniform(1);
    add("one", smaller);
    smaller.column_ids.pop_back();
    --smaller.row_pointers.back();
    add("other", smaller);
    EXPECT_THAT(families().with_relatives({"one"}), ElementsAre("one"));
    EXPECT_EQ(reads_, 0);
}

TEST_F(Families, WithoutAReaderAreToldByNameContentAndStoredStatistics) {
    const CsrPattern pattern = uniform(1);
    add("original", pattern);
    add("renamed", pattern);
    add("turned", transpose(pattern));
    const auto known = [this] {
        return must(WorkloadFamilies::read(workspace_, *domain_)).with_relatives({"original"});
    };
    EXPECT_THAT(known(), ElementsAre("original", "renamed"));
    for (const MatrixRecord& matrix : must(list_matrices(workspace_)))
        must(matrix_statistics(workspace_, matrix, 1));
    EXPECT_THAT(known(), ElementsAre("original", "renamed", "turned"));
}

} // namespace sparsight::testing
