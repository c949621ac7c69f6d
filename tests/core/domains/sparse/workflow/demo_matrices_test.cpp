#include "domains/sparse/workflow/experiment/demo_matrices.h"

#include "domains/sparse/storage/matrices.h"
#include "store/workspace.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace sparsight {
namespace {

class DemoMatrices : public ::testing::Test {
protected:
    DemoMatrices() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
    }
    ~DemoMatrices() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-demo-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
};

TEST_F(DemoMatrices, OfTheTestAreNoneThatAreTrainedOn) {
    ASSERT_TRUE(add_demo_matrices(*workspace_, 1).has_value());
    const DemoSplit lessons = *add_demo_training_matrices(*workspace_, 1);
    EXPECT_GE(lessons.train.size(), 20U);
    EXPECT_GE(lessons.validation.size(), 3U);
    EXPECT_GE(lessons.test.size(), 5U);
    // Neither by name nor by shape: resized, transposed or permuted ones would share the number of entries.
    std::set<std::string> names;
    std::set<std::string> patterns;
    std::set<std::int64_t> sizes;
    const auto records = *list_matrices(*workspace_);
    for (const MatrixRecord& record : records) {
        EXPECT_TRUE(names.insert(record.name).second) << record.name;
        EXPECT_TRUE(patterns.insert(record.content_hash).second) << record.name;
        EXPECT_TRUE(sizes.insert(record.nnz).second) << record.name << " has as many entries as another one";
    }
    EXPECT_EQ(records.size(), 3 + lessons.train.size() + lessons.validation.size() + lessons.test.size());
}

TEST_F(DemoMatrices, ToLearnFromAreSmallEnoughToMeasureManySchedules) {
    ASSERT_TRUE(add_demo_training_matrices(*workspace_, 1).has_value());
    const auto records = *list_matrices(*workspace_);
    for (const MatrixRecord& record : records) {
        EXPECT_GT(record.nnz, 5'000) << record.name;
        EXPECT_LT(record.nnz, 130'000) << record.name;
    }
}

TEST_F(DemoMatrices, AreAddedOnce) {
    const DemoSplit first = *add_demo_training_matrices(*workspace_, 1);
    const DemoSplit second = *add_demo_training_matrices(*workspace_, 2);
    EXPECT_EQ(first.train, second.train);
    EXPECT_EQ(list_matrices(*workspace_)->size(),
              first.train.size() + first.validation.size() + first.test.size());
}

} // namespace
} // namespace sparsight
