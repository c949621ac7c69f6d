#include "domains/sparse/sparse_domain.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/statistics.h"
#include "study/nicknames.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Domain& sparse() {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return *domain;
}
const Setting spmm = setting_of(Operator::SpMM, 256);
constexpr std::string_view fixed_csr_line = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 32";

TEST(SparseDomain, MakesASettingOfOptionsAndOfText) {
    EXPECT_EQ(sparse().setting_of({}).value(), spmm);
    EXPECT_EQ(sparse().setting_of({{"operator", "SDDMM"}, {"dense", "32"}}).value().text, "sddmm dense=32");
    EXPECT_EQ(sparse().setting_of({{"operator", "spmv"}, {"dense", "32"}}).value().text, "spmv");
    EXPECT_EQ(sparse().parse_setting(" SpMM  dense=64 ").value().text, "spmm dense=64");
    EXPECT_EQ(sparse().parse_setting("spmm").value(), spmm);
    EXPECT_EQ(sparse().parse_setting("spmv").value().text, "spmv");
}

TEST(SparseDomain, SaysWhatIsWrongWithASetting) {
    EXPECT_THAT(sparse().setting_of({{"rank", "3"}}).error().message, HasSubstr("no option 'rank'"));
    EXPECT_THAT(sparse().setting_of({{"dense", "0"}}).error().message, HasSubstr("is '0', expected"));
    EXPECT_THAT(sparse().parse_setting("gemm").error().message, HasSubstr("'gemm' is no operator"));
    EXPECT_THAT(sparse().parse_setting("spmv dense=2").error().message, HasSubstr("expected nothing"));
    EXPECT_THAT(sparse().codec({"records", "gemm"}).error().message, HasSubstr("no setting of sparse"));
}

TEST(SparseDomain, ShowsASettingToPeopleAndInTables) {
    EXPECT_EQ(sparse().describe(spmm), "SpMM with 256 dense columns");
    EXPECT_EQ(sparse().describe(setting_of(Operator::SpMV, 1)), "SpMV");
    const auto members = sparse().members(spmm);
    ASSERT_THAT(members, SizeIs(2));
    EXPECT_EQ(members[0], (SettingMember{"operator", "Operator", std::string("spmm")}));
    EXPECT_EQ(members[1], (SettingMember{"dense", "Columns of the dense matrix", std::int64_t{256}}));
    EXPECT_EQ(sparse().members(setting_of(Operator::SpMV, 256)).at(1).value,
              decltype(SettingMember::value)(std::int64_t{1}))
        << "a vector is one column";
}

TEST(SparseDomain, WritesConfigurationsAsAWorkspaceKeepsThem) {
    // The inner loop of an index that is not split may stand anywhere, in any format.
    const std::string_view as_given = "1 1 1 i1 k1 i0 k0 j1 j0 1 0 0 1 i1 8 32";
    const auto written = sparse().written(spmm, as_given).value();
    EXPECT_EQ(written.domain, "sparse");
    EXPECT_EQ(written.family, "spmm");
    EXPECT_EQ(written.text, as_given);
    EXPECT_EQ(written.canonical, sparse().written(spmm, fixed_csr_line).value().canonical);
    EXPECT_EQ(written.threads, 8);
    EXPECT_TRUE(written.is_baseline);
    EXPECT_FALSE(sparse().written(spmm, "4 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 32").value().is_baseline);
    EXPECT_FALSE(sparse().written(spmm, "1 1 1"));
}

TEST(SparseDomain, ReadsTheTextsThatItWritesWithTheirThreads) {
    const auto space =
        sparse().space({.setting = spmm, .facts = {{"rows", 5000.0}, {"cols", 3000.0}}}).value();
    const auto codec = sparse().codec(spmm).value();
    Random random(7);
    for (const Configuration& each : space->sample(200, random)) {
        EXPECT_TRUE(space->check(each));
        EXPECT_EQ(codec->parse(codec->text(each, 12)).value(), (ParsedConfiguration{each, 12}));
    }
    EXPECT_EQ(codec->text(space->baseline().value(), 8),
              to_text(canonical(parse_schedule(Operator::SpMM, fixed_csr_line).value())));
    EXPECT_THAT(sparse().space({.setting = spmm}).error().message, HasSubstr("'rows'"));
}

TEST(SparseDomain, NamesTheDecisionsOfASchedule) {
    const auto codec = sparse().codec(spmm).value();
    const auto blocks = codec->parse("4 1 1 i1 k1 k0 i0 j1 j0 1 1 0 1 i1 8 16").value();
    std::vector<std::string> keys;
    std::vector<std::string> values;
    for (const DecisionValue& decision : codec->decisions(blocks.configuration)) {
        keys.push_back(decision.key);
        values.push_back(decision.value);
    }
    EXPECT_THAT(keys, ElementsAre("split_i", "split_k", "split_j", "level_order", "dense_loops", "format_i1",
                                  "format_i0", "format_k1", "parallel", "chunk"))
        << "columns are not split, so that there is no level k0";
    EXPECT_THAT(values, ElementsAre("4", "not split", "not split", "i1 k1 i0", "i1 k1 i0 j1", "uncompressed",
                                    "uncompressed", "compressed", "i1", "16"));
}

TEST(SparseDomain, GivesSchedulesNicknamesAndOthersNone) {
    const std::vector<std::string> texts{"1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 8 32", "of no schedule",
                                         "2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 32",
                                         "2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 32",
                                         "2 1 8 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 32"};
    EXPECT_THAT(nicknames(sparse(), spmm, texts),
                ElementsAre("fixed CSR", "", "2-row blocks, chunk 32", "2-row blocks, chunk 32",
                            "2-row blocks, chunk 32, j by 8"));
    EXPECT_THAT(nicknames(sparse(), Setting{"records", "gemm"}, texts), Each(""));
}

TEST(SparseDomain, DescribesTheStatisticsOfAPattern) {
    const auto described = sparse().statistics();
    ASSERT_THAT(described, SizeIs(statistics().size()));
    EXPECT_EQ(described[0].name, "rows");
    EXPECT_TRUE(described[0].is_integer);
    EXPECT_EQ(sparse().family_key("Trec6_16x16_9"), "Trec6");
    EXPECT_EQ(sparse().believable_times().longest_ms, 1000);
}

TEST(DomainRegistry, FindsDomainsByTheirNames) {
    DomainRegistry registry;
    EXPECT_THAT(registry.require("sparse").error().message, HasSubstr("expected one of: none"));
    ASSERT_TRUE(registry.add(make_sparse_domain()));
    EXPECT_EQ(registry.add(make_sparse_domain()).error().fault, Fault::Internal);
    EXPECT_EQ(registry.find("sparse")->name(), "sparse");
    EXPECT_EQ(registry.find("blocks"), nullptr);
    EXPECT_THAT(registry.require("blocks").error().message, HasSubstr("expected one of: sparse"));
    EXPECT_THAT(registry.all(), SizeIs(1));
}

} // namespace
} // namespace sparsight
