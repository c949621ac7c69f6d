#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "model/checkpoints/checkpoint.h"
#include "store/models.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <cstring>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

NetworkDescription statistics_net() {
    NetworkDescription network;
    network.architecture = Architecture::StatisticsNet;
    network.schedules = schedule_layout(Operator::SpMV, ScheduleTables::Full);
    const std::size_t count = matrix_numbers(network.architecture, {}).size();
    network.standardisation = {std::vector<double>(count, 0.1), std::vector<double>(count, 1.0 / 3)};
    network.machine = true;
    return network;
}

Checkpoint checkpoint() {
    Checkpoint model;
    model.model.architecture = describe(statistics_net());
    model.model.training = {"maml",
                            {"Xeon E5-2680 v3", "größer"},
                            {"cage8", "west0067"},
                            18446744073709551615U,
                            {{"ordered_pair_accuracy", 0.1 + 0.2}},
                            "its parent",
                            {{"rate", "0.001"}, {"loss", "logistic"}},
                            {"metrics of few matrices"}};
    model.model.doubt = {0.1 + 0.2, 0.7, 2.5, 9};
    model.weights = initial_weights(statistics_net(), 7);
    return model;
}

std::string text(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string refusal(const std::string& bytes) {
    const auto read = parse_checkpoint(std::as_bytes(std::span(bytes)), SparseLearning());
    if (read)
        return "was read";
    EXPECT_EQ(read.error().fault, Fault::Input);
    return read.error().message;
}

TEST(Checkpoint, IsReadBackExactly) {
    const auto read = parse_checkpoint(checkpoint_bytes(checkpoint()), SparseLearning());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, checkpoint());
}

TEST(Checkpoint, OfAnOlderProgramSaysNothingOfSettings) {
    const auto whole = nlohmann::json::parse(to_json(checkpoint().model));
    auto older = whole;
    older["training"].erase("settings");
    older["training"].erase("remarks");
    older.erase("doubt");
    const auto read = parse_model_description(older.dump(), SparseLearning());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_TRUE(read->training.settings.empty());
    EXPECT_FALSE(read->doubt);
    older["doubt"] = {{"residual", -1}, {"temperature", 1}, {"reach", 2}, {"calibrated_on", 0}};
    EXPECT_THAT(parse_model_description(older.dump(), SparseLearning()).error().message, HasSubstr("doubt"));
    older.erase("doubt");
    older["training"]["settings"] = "none";
    EXPECT_THAT(parse_model_description(older.dump(), SparseLearning()).error().message,
                HasSubstr("settings"));
}

TEST(Checkpoint, KeepsTrees) {
    Checkpoint trees;
    trees.model.architecture = describe_trees(Operator::SDDMM);
    trees.trees = std::string("bytes of\0xgboost", 16);
    const auto read = parse_checkpoint(checkpoint_bytes(trees), SparseLearning());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, trees);
    EXPECT_EQ(model_operator(read->model), Operator::SDDMM);
    EXPECT_EQ(read->model.architecture.name, "trees");
}

TEST(Checkpoint, GoesThroughAFile) {
    const testing::TemporaryFolder folder;
    ASSERT_TRUE(write_checkpoint(folder / "model", checkpoint()));
    EXPECT_EQ(read_checkpoint(folder / "model", SparseLearning()).value(), checkpoint());
    EXPECT_THAT(read_checkpoint(folder / "other", SparseLearning()).error().text(),
                AllOf(HasSubstr("other"), HasSubstr("cannot be opened")));
    EXPECT_THAT(read_checkpoint(folder.path(), SparseLearning()).error().text(), HasSubstr("a folder"));
    testing::write_file(folder / "text", "some text");
    EXPECT_THAT(read_checkpoint(folder / "text", SparseLearning()).error().text(),
                AllOf(HasSubstr("text"), HasSubstr("is no model of Sparsight")));
}

TEST(Checkpoint, GoesThroughAWorkspace) {
    const testing::TemporaryFolder folder;
    auto workspace = Workspace::create(folder / "workspace.sparsight", "tests").value();
    const Checkpoint saved = checkpoint();
    const ModelId id =
        add_model(workspace, {"first", {}, {}, to_json(saved.model)}, checkpoint_bytes(saved)).value();
    EXPECT_EQ(parse_checkpoint(load_weights(workspace, id).value(), SparseLearning()).value(), saved);
    EXPECT_EQ(parse_model_description(find_model(workspace, "first").value()->description, SparseLearning())
                  .value(),
              saved.model);
}

TEST(Checkpoint, NoticesEveryCut) {
    const std::string whole = text(checkpoint_bytes(checkpoint()));
    for (std::size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 9973)
        EXPECT_NE(refusal(whole.substr(0, size)), "was read") << size;
    EXPECT_THAT(refusal(whole.substr(0, whole.size() - 1)), HasSubstr("damaged or breaks off"));
    EXPECT_THAT(refusal(whole + "x"), HasSubstr("checksum"));
}

TEST(Checkpoint, NoticesEveryDamagedByte) {
    const std::string whole = text(checkpoint_bytes(checkpoint()));
    for (std::size_t at = 0; at < whole.size(); at += at < 2000 ? 1 : 4999) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        ASSERT_NE(refusal(damaged), "was read") << at;
    }
}

TEST(Checkpoint, RefusesForeignFilesAndOtherVersions) {
    EXPECT_EQ(refusal(""), "is no model of Sparsight");
    EXPECT_EQ(refusal("PK\x03\x04 a zip archive that is longer than a header"), "is no model of Sparsight");
    std::string newer = text(checkpoint_bytes(checkpoint()));
    newer[8] = 2;
    EXPECT_THAT(refusal(newer), HasSubstr("in format 2, which this version of Sparsight does not know"));
}

TEST(Checkpoint, RefusesWeightsThatDoNotFitTheNetwork) {
    Checkpoint wrong = checkpoint();
    wrong.weights[0].shape = {wrong.weights[0].shape[1], wrong.weights[0].shape[0]};
    EXPECT_THAT(refusal(text(checkpoint_bytes(wrong))),
                AllOf(HasSubstr("statistics.0.weight is ["), HasSubstr("expected [128, ")));
    wrong = checkpoint();
    wrong.weights.pop_back();
    EXPECT_THAT(refusal(text(checkpoint_bytes(wrong))), HasSubstr("final.4.bias is missing"));
    wrong = checkpoint();
    wrong.weights.push_back({"extra", {1}, {1}});
    EXPECT_THAT(refusal(text(checkpoint_bytes(wrong))), HasSubstr("extra does not belong to the network"));
    wrong = checkpoint();
    wrong.weights[3].values.pop_back();
    EXPECT_THAT(refusal(text(checkpoint_bytes(wrong))), HasSubstr("promises more numbers than there are"));
    wrong = checkpoint();
    wrong.weights[3].shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
    EXPECT_THAT(refusal(text(checkpoint_bytes(wrong))), HasSubstr("a shape that cannot be"));
}

TEST(ModelDescription, IsWrittenWithTheKeysOfTheFirstVersion) {
    ModelDescription model;
    NetworkDescription waco;
    waco.standardisation = {{1, 0.25, 3}, {0.1, 1.0 / 3, 1e5}};
    model.architecture = describe(waco);
    model.training.method = "maml";
    const std::string training = R"("training":{"method":"maml","machines":[],"matrices":[],"seed":0,)"
                                 R"("metrics":{},"parent":null,"settings":{},"remarks":[]}})";
    EXPECT_EQ(to_json(model),
              R"({"architecture":"waconet","input":{"operator":"spmm","tables":"waco","tables_of":"spmm",)"
              R"("machine":false,"narrowed":false,"standardisation":{"mean":[1.0,0.25,3.0],)"
              R"("deviation":[0.1,0.3333333333333333,100000.0]}},)" +
                  training);
    model.architecture = describe_trees(Operator::SpMV);
    EXPECT_EQ(to_json(model), R"({"architecture":"trees","input":{"operator":"spmv"},)" + training);
}

TEST(ModelDescription, WithoutADomainIsSparse) {
    ModelDescription model = checkpoint().model;
    EXPECT_EQ(to_json(model).find("domain"), std::string::npos);
    model.architecture.domain = "sparse";
    EXPECT_EQ(parse_model_description(to_json(model), SparseLearning()).value(), model);
    model.architecture.domain = "graphs";
    EXPECT_THAT(parse_model_description(to_json(model), SparseLearning()).error().message,
                HasSubstr("domain is \"graphs\", expected \"sparse\""));
}

TEST(ModelDescription, NamesTheFieldThatIsWrong) {
    const std::string whole = to_json(checkpoint().model);
    const auto refused = [&](const std::string& from, const std::string& to) {
        std::string changed = whole;
        const std::size_t at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        changed.replace(at, from.size(), to);
        const auto read = parse_model_description(changed, SparseLearning());
        return read ? "was read" : read.error().message;
    };
    EXPECT_THAT(refused(R"("statistics")", R"("transformer")"), HasSubstr("architecture is \"transformer\""));
    EXPECT_THAT(refused(R"("spmv")", R"("spgemm")"), HasSubstr("operator is \"spgemm\""));
    EXPECT_THAT(refused(R"("seed":18446744073709551615)", R"("seed":"x")"), HasSubstr("seed is not what"));
    EXPECT_THAT(refused(R"("machine":true,)", ""), HasSubstr("machine is missing"));
    EXPECT_THAT(refused(R"("mean":[0.1,)", R"("mean":[)"), HasSubstr("standardisation is of"));
    EXPECT_THAT(refused(R"("deviation":[0.33)", R"("deviation":[-0.33)"), HasSubstr("not above 0"));
    EXPECT_THAT(refused(R"("tables_of":"spmv")", R"("tables_of":"spmm")"), HasSubstr("number of loops"));
    EXPECT_FALSE(parse_model_description("[]", SparseLearning()));
    EXPECT_FALSE(parse_model_description("{", SparseLearning()));
    EXPECT_FALSE(parse_model_description(std::string(100'000, '['), SparseLearning()));
}

} // namespace
} // namespace sparsight
