#include "learning/workspace_split.h"

#include "core/store/store_fixture.h"
#include "store/splits.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class WorkspaceSplit : public testing::StoreTest {
protected:
    WorkspaceSplit() {
        for (const char* name : {"a", "b", "c", "d"})
            ids_.push_back(must(add_matrix_name(workspace_, name, "")));
        for (const char* name : {"d", "c", "b"})
            set_.matrices.push_back({name, {}, {}});
    }

    Workspace workspace_ = create();
    std::vector<MatrixId> ids_;
    TaskSet set_;
};

TEST_F(WorkspaceSplit, OfImportedListsIsTakenOverByName) {
    Split stored{"waco", {}};
    stored[SplitPart::Total] = ids_;
    stored[SplitPart::Train] = {ids_[0], ids_[1]};
    stored[SplitPart::Test] = {ids_[3]};
    must(save_split(workspace_, stored));
    const auto split = must(load_split(workspace_, "waco", set_));
    EXPECT_THAT(split.train, ElementsAre(2)) << "a is not in the task set";
    EXPECT_THAT(split.validation, ElementsAre());
    EXPECT_THAT(split.test, ElementsAre(0)) << "c is on no side";
}

TEST_F(WorkspaceSplit, ComesBackAsItWasKept) {
    const MatrixSplit split{{0}, {2}, {1}};
    must(keep_split(workspace_, "mine", split, set_));
    const auto back = must(load_split(workspace_, "mine", set_));
    EXPECT_EQ(back.train, split.train);
    EXPECT_EQ(back.validation, split.validation);
    EXPECT_EQ(back.test, split.test);
}

TEST_F(WorkspaceSplit, HasToBeThereAndToHaveSomethingToTrainOn) {
    must(keep_split(workspace_, "mine", {{}, {0}, {1}}, set_));
    EXPECT_THAT(error_text(load_split(workspace_, "yours", set_)),
                HasSubstr("the workspace has no split 'yours'; it has mine"));
    EXPECT_THAT(error_text(load_split(workspace_, "mine", set_)),
                HasSubstr("none of the training matrices of the split 'mine'"));
}

} // namespace
} // namespace sparsight
