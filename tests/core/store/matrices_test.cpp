#include "domains/sparse/storage/matrices.h"

#include "domains/sparse/storage/pattern_storage.h"
#include "store/sqlite.h"
#include "store_fixture.h"

#include <fstream>
#include <gmock/gmock.h>

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
              "another matrix is called a already: that one is 2 × 3 with 3 non-zeros (here), this one 0 × 0 "
              "with 0; "
              "give this one another name");
    EXPECT_EQ(error_text(add_matrix(workspace, {"", "", {}}, CsrPattern{})), "a matrix needs a name");
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
                AllOf(HasSubstr("big.mtx: this file has changed"), HasSubstr("2 × 3 with 3 non-zeros"),
                      HasSubstr("2 × 3 with 2")));
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

} // namespace
} // namespace sparsight
