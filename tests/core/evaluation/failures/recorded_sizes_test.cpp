#include "evaluation/failures/recorded_sizes.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RecordedSizes : public ::testing::Test {
protected:
    RecordedSizes() { std::filesystem::create_directory(folder_); }
    ~RecordedSizes() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] Result<SizesByMatrix> beside(const std::string& text) const {
        std::ofstream(folder_ / "matrices.csv") << text;
        return read_sizes_beside(folder_ / "table.csv");
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("sparsight-sizes-{}", getpid());
};

TEST_F(RecordedSizes, AreThoseOfTheTableBeside) {
    const auto sizes =
        beside("nnz,matrix,schedules,rows,cols\n4054,1138_bus,87,1138,1139\n\n0,lp_afiro_lo,1,51,1\n");
    ASSERT_TRUE(sizes.has_value()) << sizes.error().text();
    ASSERT_EQ(sizes->size(), 2);
    EXPECT_EQ(sizes->at("lp_afiro_lo").nnz, 0);
    EXPECT_EQ(sizes->at("1138_bus").rows, 1138);
    EXPECT_EQ(sizes->at("1138_bus").cols, 1139);
    EXPECT_EQ(sizes->at("1138_bus").nnz, 4054);
}

TEST_F(RecordedSizes, AreUnknownWithoutSuchATable) {
    EXPECT_THAT(read_sizes_beside(folder_ / "table.csv").value(), IsEmpty());
    EXPECT_THAT(beside("name,size\nweb,3\n").value(), IsEmpty());
}

TEST_F(RecordedSizes, ErrorsNameFileAndLine) {
    const auto sizes = beside("matrix,rows,cols,nnz\na,1,1,1\nb,many,1,1\n");
    ASSERT_FALSE(sizes.has_value());
    EXPECT_THAT(sizes.error().text(), HasSubstr("matrices.csv:3: "));
}

TEST(FamilyBySizes, IsToldFromDensityShapeAndEntriesARow) {
    EXPECT_EQ(family_by_sizes({0, 0, 0}), PatternFamily::Unknown);
    EXPECT_EQ(family_by_sizes({100, 100, 1000}), PatternFamily::DenseBySizes);
    EXPECT_EQ(family_by_sizes({2000, 1000, 6000}), PatternFamily::TallBySizes);
    EXPECT_EQ(family_by_sizes({1000, 2000, 6000}), PatternFamily::WideBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 3999}), PatternFamily::FewBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 4000}), PatternFamily::ModerateBySizes);
    EXPECT_EQ(family_by_sizes({1000, 1000, 32000}), PatternFamily::ManyBySizes);
}

} // namespace
} // namespace sparsight
