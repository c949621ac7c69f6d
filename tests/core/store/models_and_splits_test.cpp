#include "domains/sparse/storage/matrices.h"
#include "store/models.h"
#include "store_fixture.h"

#include <array>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class ModelsTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
};

TEST_F(ModelsTest, KeepTheirWeightsAndTheirDescent) {
    const RunId run = must(start_run(workspace_, "train", "{}"));
    const std::vector<std::byte> weights{std::byte{1}, std::byte{0}, std::byte{255}};
    const ModelId parent = must(add_model(workspace_, {"meta", run, {}, R"({"layers":14})"}, weights));
    const ModelId child = must(add_model(workspace_, {"tuned", {}, parent, "{}"}, {}));
    EXPECT_EQ(must(load_weights(workspace_, parent)), weights);
    EXPECT_TRUE(must(load_weights(workspace_, child)).empty());
    const auto models = must(list_models(workspace_));
    ASSERT_EQ(models.size(), 2U);
    EXPECT_EQ(models[0].name, "meta");
    EXPECT_EQ(models[0].run, run);
    EXPECT_EQ(models[0].parent, std::nullopt);
    EXPECT_EQ(models[0].description, R"({"layers":14})");
    EXPECT_EQ(models[0].bytes, 3U);
    EXPECT_EQ(models[1].run, std::nullopt);
    EXPECT_EQ(models[1].parent, parent);
    EXPECT_EQ(must(find_model(workspace_, "tuned"))->id, child);
}

TEST_F(ModelsTest, TellWhichMatricesAModelOrItsParentLearnedFromInAnyForm) {
    const ModelId parent = must(
        add_model(workspace_, {"parent", {}, {}, R"({"training":{"matrices":["cage8","bcsstk17"]}})"}, {}));
    const ModelId child =
        must(add_model(workspace_, {"child", {}, parent, R"({"training":{"matrices":["can_1072"]}})"}, {}));
    const ModelLineage lineage = must(ModelLineage::read(workspace_));
    const std::vector<std::string> asked{"cage8", "cage8_t", "can_1072", "bcspwr09"};
    EXPECT_EQ(training_matrices_among(lineage, std::array{child}, asked),
              (std::vector<std::string>{"cage8", "cage8_t", "can_1072"}));
    EXPECT_EQ(training_matrices_among(lineage, std::array{parent}, asked),
              (std::vector<std::string>{"cage8", "cage8_t"}));
    EXPECT_TRUE(training_matrices_among(lineage, {}, asked).empty());
}

TEST_F(ModelsTest, HaveNamesOfTheirOwn) {
    must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
    EXPECT_THAT(error_text(add_model(workspace_, {"meta", {}, {}, "{}"}, {})),
                HasSubstr("there is a model called meta already"));
    EXPECT_THAT(error_text(load_weights(workspace_, ModelId{42})), HasSubstr("there is no such model"));
}

TEST_F(ModelsTest, AreRemovedWithTheirWeightsButNotWithTheirChildren) {
    const ModelId parent = must(add_model(workspace_, {"meta", {}, {}, "{}"}, std::vector{std::byte{1}}));
    must(add_model(workspace_, {"tuned", {}, parent, "{}"}, {}));
    must(remove_model(workspace_, parent));
    EXPECT_FALSE(must(find_model(workspace_, "meta")));
    EXPECT_FALSE(load_weights(workspace_, parent));
    EXPECT_EQ(must(find_model(workspace_, "tuned"))->parent, std::nullopt);
    must(add_model(workspace_, {"meta", {}, {}, "{}"}, {}));
}

class SplitsTest : public ModelsTest {};

TEST_F(SplitsTest, KeepTheirListsInOrder) {
    std::vector<WorkloadId> ids;
    for (const char* name : {"a", "b", "c"})
        ids.push_back(must(add_matrix_name(workspace_, name, "")));
    Split split{"first", {}};
    split[SplitPart::Total] = {ids[2], ids[0], ids[1]};
    split[SplitPart::Train] = {ids[1], ids[0]};
    split[SplitPart::Test] = {ids[2]};
    must(save_split(workspace_, split));
    EXPECT_EQ(must(find_split(workspace_, "first")), split);
    EXPECT_FALSE(must(find_split(workspace_, "second")));

    split[SplitPart::Train] = {ids[0]};
    must(save_split(workspace_, split));
    EXPECT_EQ(must(find_split(workspace_, "first")), split) << "saving again replaces it";
    EXPECT_EQ(must(split_names(workspace_)), std::vector<std::string>{"first"});

    must(remove_workload(workspace_, ids[2]));
    EXPECT_TRUE((*must(find_split(workspace_, "first")))[SplitPart::Test].empty());
}

TEST_F(SplitsTest, AreNotSavedInPart) {
    const WorkloadId matrix = must(add_matrix_name(workspace_, "a", ""));
    Split split{"first", {}};
    split[SplitPart::Train] = {matrix, WorkloadId{99}};
    EXPECT_THAT(error_text(save_split(workspace_, split)), HasSubstr("FOREIGN KEY"));
    EXPECT_FALSE(must(find_split(workspace_, "first")));
}

} // namespace
} // namespace sparsight
