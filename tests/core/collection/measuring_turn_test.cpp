#include "collection/measuring_turn.h"

#include "support/temporary_folder.h"

#include <atomic>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

namespace sparsight {
namespace {

using testing::TemporaryFolder;

TEST(MeasuringTurn, IsTakenByOneAtATimeAndPassedOn) {
    const TemporaryFolder folder;
    const auto file = folder / "turn.lock";
    std::optional<Result<MeasuringTurn>> first;
    first.emplace(MeasuringTurn::take({}, {}, file));
    ASSERT_TRUE(first->has_value());
    std::atomic<bool> waits = false;
    std::atomic<bool> has_it = false;
    std::jthread second([&] {
        const auto turn = MeasuringTurn::take(
            {},
            [&] {
                waits = true;
                waits.notify_all();
            },
            file);
        has_it = turn.has_value();
    });
    waits.wait(false);
    EXPECT_FALSE(has_it);
    first.reset();
    second.join();
    EXPECT_TRUE(has_it);
}

TEST(MeasuringTurn, IsNotWaitedForWhenStopped) {
    const TemporaryFolder folder;
    const auto file = folder / "turn.lock";
    const auto first = MeasuringTurn::take({}, {}, file);
    std::stop_source source;
    source.request_stop();
    const auto second = MeasuringTurn::take(source.get_token(), {}, file);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().fault, Fault::Cancelled);
}

TEST(MeasuringTurn, NeedsNoFile) {
    EXPECT_TRUE(MeasuringTurn::take({}, {}, "/no/such/folder/turn.lock").has_value());
}

} // namespace
} // namespace sparsight
