#include "search/walk_worth.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

TEST(WalkWorth, AWalkIsNotSoonerWhereTheGraphMustBeBuiltForAFewMatrices) {
    EXPECT_FALSE(is_walk_sooner({.schedules = 10'000, .width = 200, .queries = 1}));
    EXPECT_FALSE(is_walk_sooner({.schedules = 100'000, .width = 200, .queries = 100}));
    EXPECT_TRUE(is_walk_sooner({.schedules = 100'000, .width = 200, .queries = 1000}));
}

TEST(WalkWorth, AWalkThroughAGraphThatIsThereIsSoonerBeyondEightTimesItsWidth) {
    EXPECT_TRUE(is_walk_sooner({.schedules = 10'000, .width = 200, .has_graph = true}));
    EXPECT_FALSE(is_walk_sooner({.schedules = 1000, .width = 200, .has_graph = true}));
    EXPECT_FALSE(is_walk_sooner({.schedules = 20'000, .width = 3000, .has_graph = true}))
        << "the shortlist of a model that is blended with the simulator";
}

} // namespace
} // namespace sparsight
