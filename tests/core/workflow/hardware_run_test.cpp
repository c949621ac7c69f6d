// The experiment on transfer between machines over small tables of recorded times: a kernel on three
// machines, and two layers of a network on one of them.
#include "workflow/learning/experiments/hardware_run.h"

#include "domains/records/exchange/record_import.h"
#include "domains/records/records.h"
#include "learning/decisions/decision_learning.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using testing::must;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::write_file;

/// Stops after so many tunings.
class CountingObserver final : public Observer {
public:
    explicit CountingObserver(int after = 1'000'000)
        : left_(after) {}
    void event(std::string_view name, const Json&) override {
        points += name == "point" ? 1 : 0;
        tunings += name == "tuning" ? 1 : 0;
        if (name == "tuning" && --left_ == 0)
            stop.request_stop();
    }
    std::stop_source stop;
    int points = 0;
    int tunings = 0;

private:
    int left_;
};

double grid_time(int x, int y) {
    return std::exp(0.2 * std::abs(x - 5) + 0.1 * std::abs(y - 3));
}

class HardwareRunTest : public ::testing::Test {
protected:
    HardwareRunTest() {
        std::string kernel = "workload,machine,tile,unroll,time_ms\n";
        for (const std::string machine : {"A", "B", "C"})
            for (int x = 0; x < 10; ++x)
                for (int y = 0; y < 10; ++y)
                    kernel += fmt::format("conv,{},{},{},{:.4f}\n", machine, 1 << x, 1 << y, grid_time(x, y));
        import("conv.csv", kernel);
    }
    void add_layers() {
        std::string layers = "workload,machine,tile_x,tile_y,time_ms\n";
        for (const std::string layer : {"dense_B1_M128_N3072_K768", "batch_matmul_B12_M128_N128_K64"})
            for (int x = 0; x < 8; ++x)
                for (int y = 0; y < 8; ++y)
                    layers +=
                        fmt::format("{},A,-1x{},-1x{},{:.4f}\n", layer, 1 << x, 1 << y, grid_time(x, y));
        import("dense.csv", layers);
    }
    void import(const std::string& file, const std::string& table) {
        Observer silent;
        must(import_records(workspace_, {.files = {write_file(folder_ / file, table)}}, silent, {}));
    }
    Result<HardwareOutcome> run(Observer& observer, const HardwareRequest& request,
                                const std::stop_token& stop = {}) {
        return run_hardware(workspace_, learning_, request, observer, stop);
    }
    static HardwareRequest request() {
        HardwareRequest request;
        request.shots = {5};
        request.seeds = 2;
        request.tuning = 12;
        return request;
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "records.sparsight", "test").value();
    const std::unique_ptr<const Domain> domain_ = make_records_domain();
    const DecisionLearning learning_{*domain_};
};

TEST_F(HardwareRunTest, TunesNetworksOfOnesOwn) {
    add_layers();
    const auto table = [&](const std::string& second_layer) {
        return write_file(folder_ / "networks.csv", "network,workload,occurrences,gflop\n"
                                                    "mine,dense_B1_M128_N3072_K768,2,0.6\n"
                                                    "mine," +
                                                        second_layer + ",1,0.3\n")
            .string();
    };
    Observer silent;
    HardwareRequest own = request();
    own.networks = table("batch_matmul_B12_M128_N128_K64");
    const HardwareOutcome outcome = must(run(silent, own));
    ASSERT_THAT(outcome.networks, SizeIs(1));
    EXPECT_EQ(outcome.networks.front().network, "mine");
    const auto refused = [&] { return run(silent, own).error().message; };
    own.workloads = {"conv"};
    EXPECT_THAT(refused(), HasSubstr("expected a tuning above 0, and no choice of workloads"));
    own.workloads.clear();
    own.networks = table("misspelt");
    EXPECT_THAT(refused(), HasSubstr("no machine has times of two layers of a network of"));
}

TEST_F(HardwareRunTest, TransfersForTheChosenWorkloadsAlone) {
    import("other.csv", "workload,machine,tile,unroll,time_ms\nother,A,1,1,1\nother,A,1,2,9\nother,B,1,1,1\n"
                        "other,B,1,2,9\nother,C,1,1,1\nother,C,1,2,9\n");
    Observer silent;
    HardwareRequest chosen = request();
    chosen.tuning = 0;
    chosen.workloads = {"conv"};
    const HardwareOutcome outcome = must(run(silent, chosen));
    EXPECT_THAT(outcome.pairs, SizeIs(3));
    for (const HardwarePair& pair : outcome.pairs)
        EXPECT_EQ(pair.workload, "conv");
    chosen.workloads = {"conf"};
    EXPECT_THAT(run(silent, chosen).error().message, HasSubstr("no workload 'conf' has times of 3 machines"));
}

TEST_F(HardwareRunTest, FollowsTuningsWithAndWithoutOtherMachines) {
    Observer silent;
    const HardwareOutcome outcome = must(run(silent, request()));
    EXPECT_EQ(outcome.end, RunEnd::Finished);
    ASSERT_THAT(outcome.pairs, SizeIs(3));
    EXPECT_THAT(outcome.networks, IsEmpty());
    EXPECT_THAT(outcome.tunings, SizeIs(3 * 5)) << "one corrected copy, and two draws of both from scratch";
    for (const auto& [cell, steps] : outcome.tunings) {
        EXPECT_THAT(steps, SizeIs(12)) << cell.rule;
        EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &TuningStep::spent)) << "each run takes time";
    }
    EXPECT_NEAR(outcome.tunings.at({0, "corrected", 1}).front().milliseconds, 1, 1e-6)
        << "the machines agree, so that the first measurement is the best";
    EXPECT_GT(outcome.tunings.at({0, "plain", 1}).front().milliseconds, 1.05);
}

TEST_F(HardwareRunTest, TunesANetworkLayerByLayer) {
    add_layers();
    Observer silent;
    const HardwareOutcome outcome = must(run(silent, request()));
    ASSERT_THAT(outcome.networks, SizeIs(1));
    const NetworkTimes& bert = outcome.networks.front();
    EXPECT_EQ(bert.machine, "A");
    EXPECT_THAT(bert.missing, Contains("dense_B1_M128_N768_K3072"));
    EXPECT_EQ(bert.significant, 1U) << "the larger layer does more than nine tenths";
    ASSERT_THAT(bert.tasks, SizeIs(2));
    EXPECT_NEAR(bert.tasks.front().best, 1, 1e-6);
    EXPECT_THAT(bert.tunings, ElementsAre(Key(1), Key(2))) << "seeds";
    for (const auto& [seed, tunings] : bert.tunings) {
        EXPECT_THAT(tunings.front().scratch, SizeIs(12));
        EXPECT_GE(tunings.back().unmeasured, 1);
    }
}

TEST_F(HardwareRunTest, NeedsNoOtherMachineForANetwork) {
    add_layers();
    HardwareRequest only_layers = request();
    only_layers.settings = {"dense"};
    Observer silent;
    const HardwareOutcome outcome = must(run(silent, only_layers));
    EXPECT_THAT(outcome.pairs, IsEmpty());
    EXPECT_THAT(outcome.networks, SizeIs(1));
    only_layers.tuning = 0;
    EXPECT_FALSE(run(silent, only_layers)) << "nothing is left to do";
}

TEST_F(HardwareRunTest, GoesOnWhereItWasStopped) {
    add_layers();
    CountingObserver first(4);
    const HardwareOutcome stopped = must(run(first, request(), first.stop.get_token()));
    EXPECT_EQ(stopped.end, RunEnd::Stopped);
    CountingObserver second;
    const HardwareOutcome whole = must(run(second, request()));
    EXPECT_EQ(second.points, 0) << "all regrets are known";
    EXPECT_EQ(first.tunings + second.tunings, 3 * 5 + 2);
    EXPECT_EQ(whole.networks.front().tunings.at(1).front().scratch,
              stopped.networks.front().tunings.at(1).front().scratch);
    CountingObserver third;
    EXPECT_EQ(must(run(third, request())).end, RunEnd::DoneBefore);
    EXPECT_EQ(third.tunings, 0);
}

TEST_F(HardwareRunTest, AsksForTheOrderOfAllConfigurationsWhereItIsWanted) {
    HardwareRequest orders = request();
    orders.tuning = 0;
    orders.orders = true;
    Observer silent;
    const HardwareOutcome outcome = must(run(silent, orders));
    EXPECT_THAT(outcome.orders, SizeIs(3 * 2)) << "no sheet tells a kind that could be left out";
    for (const auto& [cell, order] : outcome.orders) {
        EXPECT_GT(order.corrected, 0.95);
        EXPECT_NEAR(order.source, 1, 1e-9) << "the machines agree";
    }
    EXPECT_EQ(must(run(silent, orders)).end, RunEnd::DoneBefore);
}

TEST_F(HardwareRunTest, KeepsRegretsWhateverIsAskedOfTunings) {
    HardwareRequest none = request();
    none.tuning = 0;
    Observer silent;
    EXPECT_THAT(must(run(silent, none)).tunings, IsEmpty());
    CountingObserver observer;
    const HardwareOutcome outcome = must(run(observer, request()));
    EXPECT_EQ(observer.points, 0);
    EXPECT_THAT(outcome.tunings, SizeIs(3 * 5));
}

} // namespace
} // namespace sparsight
