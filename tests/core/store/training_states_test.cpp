#include "store/training_states.h"

#include "store/sqlite.h"
#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class TrainingStatesTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    RunId run_ = must(start_run(workspace_, "train", "{}"));
    const std::vector<std::byte> early_{std::byte{1}, std::byte{0}, std::byte{255}};
    const std::vector<std::byte> late_{std::byte{2}};
};

TEST_F(TrainingStatesTest, TheNewestOfARunIsKeptUntilItIsRemoved) {
    EXPECT_FALSE(must(find_training_state(workspace_, run_)));
    must(save_training_state(workspace_, run_, early_));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, early_);
    const std::string saved = must(find_training_state(workspace_, run_))->saved;
    must(save_training_state(workspace_, run_, late_));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, late_);
    EXPECT_LE(saved, must(find_training_state(workspace_, run_))->saved);
    must(remove_training_state(workspace_, run_));
    EXPECT_FALSE(must(find_training_state(workspace_, run_)));
}

TEST_F(TrainingStatesTest, EachRunHasItsOwn) {
    const RunId other = must(start_run(workspace_, "train", "{}"));
    must(save_training_state(workspace_, run_, early_));
    must(save_training_state(workspace_, other, late_));
    must(remove_training_state(workspace_, other));
    EXPECT_EQ(must(find_training_state(workspace_, run_))->state, early_);
    must(workspace_.database().run("DELETE FROM runs WHERE id = ?", run_));
    EXPECT_FALSE(must(find_training_state(workspace_, run_))) << "it goes with its run";
    EXPECT_THAT(error_text(save_training_state(workspace_, RunId{99}, early_)), HasSubstr("FOREIGN KEY"));
}

} // namespace
} // namespace sparsight
