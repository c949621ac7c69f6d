// The domain of sparse tensors: its settings, its statistics, and its tensors in a workspace.
#include "domains/sparse/schedule/operator.h"
#include "domains/tensors/tensor_domain.h"
#include "domains/tensors/tensor_import.h"
#include "domains/tensors/tensor_statistics.h"
#include "domains/tensors/tensor_store.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::write_file;

const SparseTensor& example() {
    static const SparseTensor tensor{{3, 2, 4}, {{0, 0, 0, 2}, {0, 0, 1, 1}, {1, 3, 0, 2}}, {1, 2, 3, 4}};
    return tensor;
}

TEST(TensorDomain, WritesASettingWithItsModeAndItsDenseColumns) {
    const auto domain = make_tensor_domain();
    EXPECT_EQ(domain->setting_of({})->text, "mttkrp mode=1 dense=32");
    EXPECT_EQ(domain->setting_of({{"mode", "3"}, {"dense", "8"}})->text, "mttkrp mode=3 dense=8");
    EXPECT_EQ(domain->parse_setting("mttkrp  mode=2")->text, "mttkrp mode=2 dense=32");
    EXPECT_EQ(domain->describe(domain->parse_setting("mttkrp mode=2 dense=1").value()),
              "MTTKRP along mode 2 with 1 dense column");
}

TEST(TensorDomain, RefusesWhatIsNoSettingAndSaysWhatWasExpected) {
    const auto domain = make_tensor_domain();
    const std::map<std::string, std::string> wrong{
        {"spmm", "'spmm' is no operator of tensors: expected mttkrp"},
        {"mttkrp mode=4", "mode is '4', expected a whole number of 1 to 3"},
        {"mttkrp mode=0", "mode is '0'"},
        {"mttkrp dense=many", "dense is 'many'"},
        {"mttkrp fast", "'fast' follows the operator, expected mode=N or dense=N"},
        {"mttkrp rank=3", "there is no option 'rank', expected operator, mode or dense"},
    };
    for (const auto& [text, message] : wrong) {
        const auto setting = domain->parse_setting(text);
        ASSERT_FALSE(setting) << text;
        EXPECT_THAT(setting.error().message, HasSubstr(message));
    }
    EXPECT_FALSE(domain->codec({"sparse", "spmm dense=32"}));
}

TEST(TensorDomain, HasTheSchedulesOfTheTensorTurnedToItsMode) {
    const auto domain = make_tensor_domain();
    const auto space = domain->space({.setting = domain->parse_setting("mttkrp mode=2").value(),
                                      .facts = {{"size_1", 300}, {"size_2", 2}, {"size_3", 40}}});
    ASSERT_TRUE(space) << space.error().message;
    Random random(1);
    const auto codec = domain->codec(domain->parse_setting("mttkrp mode=2").value());
    ASSERT_TRUE(codec);
    for (const Configuration& each : (*space)->sample(20, random)) {
        const std::string text = (*codec)->text(each, 2);
        EXPECT_THAT(text, ::testing::AnyOf(::testing::StartsWith("1 "), ::testing::StartsWith("2 ")))
            << "i has a size of 2";
    }
    const auto missing = domain->space(
        {.setting = domain->parse_setting("mttkrp").value(), .facts = {{"size_1", 300}, {"size_2", 2}}});
    EXPECT_THAT(missing.error().message, HasSubstr("'size_3' of the tensor is missing"));
}

TEST(TensorStatistics, CountSlicesAndFibresOfEachMode) {
    const std::vector<double> numbers = statistics_of(example());
    ASSERT_EQ(numbers.size(), tensor_statistics().size());
    std::map<std::string, double> named;
    for (std::size_t at = 0; at < numbers.size(); ++at)
        named[tensor_statistics()[at].name] = numbers[at];
    EXPECT_EQ(named["nnz"], 4);
    EXPECT_DOUBLE_EQ(named["density"], 4.0 / 24);
    EXPECT_EQ(named["size_1"], 3);
    EXPECT_EQ(named["used_1"], 2);
    EXPECT_EQ(named["longest_slice_1"], 3);
    EXPECT_DOUBLE_EQ(named["mean_slice_2"], 2);
    EXPECT_DOUBLE_EQ(named["mean_fibre_1"], 1) << "no two entries differ in the first mode alone";
    EXPECT_DOUBLE_EQ(named["mean_fibre_3"], 4.0 / 3) << "two entries share the first two coordinates";
    EXPECT_EQ(named["size_4"], 1) << "of a tensor of order 3";
}

TEST(TensorStatistics, OfOneWithoutEntriesAreNumbers) {
    const SparseTensor none{{3, 2, 4}, {{}, {}, {}}, {}};
    for (const double number : statistics_of(none))
        EXPECT_TRUE(std::isfinite(number));
}

class StoredTensors : public ::testing::Test {
protected:
    TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_.path() / "w.sparsight", "test").value();

    WorkloadRecord record(const std::string& name) {
        return find_workload(workspace_, tensors_domain, name).value().value();
    }
};

TEST_F(StoredTensors, AreReadAsTheyWereAdded) {
    ASSERT_TRUE(add_tensor(workspace_, "t", "made", example()));
    EXPECT_EQ(load_tensor(workspace_, record("t")).value(), example());
    SparseTensor ones = example();
    ones.values.clear();
    ASSERT_TRUE(add_tensor(workspace_, "ones", "made", ones));
    EXPECT_EQ(load_tensor(workspace_, record("ones")).value(), ones);
    EXPECT_EQ(numeric_facts(record("t")), (std::map<std::string, double, std::less<>>{
                                              {"size_1", 3}, {"size_2", 2}, {"size_3", 4}, {"nnz", 4}}));
}

TEST_F(StoredTensors, KeepTheirNameForOneContent) {
    EXPECT_FALSE(add_tensor(workspace_, "t", "made", example())->was_there);
    EXPECT_TRUE(add_tensor(workspace_, "t", "made again", example())->was_there);
    SparseTensor other = example();
    other.values[0] = 7;
    const auto refused = add_tensor(workspace_, "t", "made", other);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("another tensor is called t already (made)"));
    EXPECT_EQ(load_tensor(workspace_, record("t")).value(), example());
}

TEST_F(StoredTensors, ThatAreDamagedAreErrors) {
    const auto added = add_tensor(workspace_, "t", "made", example());
    ASSERT_TRUE(added);
    auto parts = load_payload(workspace_, added->id).value();
    for (PayloadPart& part : parts)
        if (part.name == "mode_2")
            part.content.resize(part.content.size() - 3);
    ASSERT_TRUE(store_payload(workspace_, added->id, parts));
    const auto damaged = load_tensor(workspace_, record("t"));
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error().message, HasSubstr("the tensor t: "));
    std::erase_if(parts, [](const PayloadPart& part) { return part.name == "mode_2"; });
    ASSERT_TRUE(store_payload(workspace_, added->id, parts));
    EXPECT_FALSE(load_tensor(workspace_, record("t"))) << "a mode is missing";
}

TEST_F(StoredTensors, KeepTheirStatistics) {
    ASSERT_TRUE(add_tensor(workspace_, "t", "made", example()));
    EXPECT_EQ(stored_statistics(workspace_, record("t")), statistics_of(example()));
    EXPECT_NE(record("t").statistics, "");
    EXPECT_EQ(stored_statistics(workspace_, record("t")), statistics_of(example())) << "as they are stored";
}

TEST_F(StoredTensors, AreImportedFromFilesAndABrokenOneIsNamed) {
    const auto good = write_file(folder_.path() / "good.tns", "1 1 2 1\n1 1 2 3\n2 1 1 1\n");
    const auto bad = write_file(folder_.path() / "bad.tns", "1 1 1 1\n1 0 1 1\n");
    Observer observer;
    const auto done = import_tensors(workspace_, {good.string(), bad.string(), good.string()}, observer, {});
    ASSERT_TRUE(done) << done.error().text();
    ASSERT_EQ(done->imported.size(), 2);
    EXPECT_EQ(done->known(), 1);
    EXPECT_EQ(done->imported[0].report.duplicates_merged, 1);
    EXPECT_THAT(done->imported[0].sizes, ElementsAre(2, 1, 2));
    ASSERT_EQ(done->failed.size(), 1);
    EXPECT_EQ(done->failed[0].line, 2);
    EXPECT_TRUE(is_named_as_tensor("a/b.tns.gz"));
    EXPECT_TRUE(is_named_as_tensor("b.tns"));
    EXPECT_FALSE(is_named_as_tensor("b.mtx.gz"));
}

} // namespace
} // namespace sparsight
