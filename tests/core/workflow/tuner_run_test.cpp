// The experiment on tuners over tables of recorded times: small ones, with few epochs.
#include "workflow/learning/experiments/tuner_run.h"

#include "domains/records/exchange/record_import.h"
#include "domains/records/records.h"
#include "learning/decisions/decision_learning.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using testing::must;
using testing::TemporaryFolder;
using testing::write_file;

/// Stops after so many trainings.
class StoppingObserver final : public Observer {
public:
    explicit StoppingObserver(int after)
        : left_(after) {}
    void event(std::string_view name, const Json&) override {
        cells += name == "cell" ? 1 : 0;
        if (name == "cell" && --left_ == 0)
            stop.request_stop();
    }
    std::stop_source stop;
    int cells = 0;

private:
    int left_;
};

class TunerRun : public ::testing::Test {
protected:
    TunerRun() {
        std::string table = "workload,machine,tile,unroll,time_ms\n";
        for (const std::string machine : {"A", "B", "C", "D"})
            for (int tile = 0; tile < 12; ++tile)
                for (int unroll = 0; unroll < 12; ++unroll)
                    table += fmt::format("conv,{},{},{},{:.4f}\n", machine, 1 << tile, 1 << unroll,
                                         std::exp(0.2 * std::abs(tile - 5) + 0.1 * std::abs(unroll - 3)));
        Observer silent;
        must(import_records(workspace_, {.files = {write_file(folder_ / "conv.csv", table)}}, silent, {}));
    }
    Result<TunerOutcome> run(Observer& observer, const std::stop_token& stop = {}) {
        TunerRequest request;
        request.tuners = {"trees", "leaf-wise", "perceptron"};
        request.splits = {SplitBy::Row, SplitBy::Workload};
        request.samples = {SampleRule::All, SampleRule::Random};
        request.epochs = 3;
        request.seeds = 1;
        return run_tuners(workspace_, learning_, request, observer, stop);
    }

    const TemporaryFolder folder_;
    Workspace workspace_ = Workspace::create(folder_ / "records.sparsight", "test").value();
    const std::unique_ptr<const Domain> domain_ = make_records_domain();
    const DecisionLearning learning_{*domain_};
};

TEST_F(TunerRun, TrainsEachTunerOnAllDataAndOnASample) {
    Observer silent;
    const TunerOutcome outcome = must(run(silent));
    ASSERT_EQ(outcome.cells.size(), 6U);
    EXPECT_THAT(outcome.notes, Contains(HasSubstr("conv is not split by workload")));
    for (const auto& [cell, figures] : outcome.cells) {
        EXPECT_THAT(figures.figures,
                    AllOf(Contains(Key("ordered_pair_accuracy")), Contains(Key("speed_error")),
                          Contains(Key("seconds")), Contains(Key("regret_at_1"))));
        EXPECT_FALSE(figures.curve.empty());
        const double kept = figures.figures.at("kept") / figures.figures.at("measurements");
        EXPECT_NEAR(kept, cell.sample == SampleRule::All ? 1 : 0.55, 0.01);
        if (cell.tuner != "perceptron") {
            EXPECT_GT(figures.figures.at("ordered_pair_accuracy"), 0.85) << cell.tuner;
            EXPECT_LT(figures.figures.at("speed_error"), 0.1) << cell.tuner;
        }
    }
}

TEST_F(TunerRun, GoesOnWhereItWasStopped) {
    StoppingObserver first(2);
    const TunerOutcome stopped = must(run(first, first.stop.get_token()));
    EXPECT_EQ(stopped.end, RunEnd::Stopped);
    EXPECT_EQ(stopped.cells.size(), 2U);
    StoppingObserver second(100);
    const TunerOutcome whole = must(run(second));
    EXPECT_EQ(second.cells, 4) << "two are known";
    EXPECT_EQ(whole.cells.size(), 6U);
    EXPECT_EQ(whole.cells.front().second.figures, stopped.cells.front().second.figures);
    StoppingObserver third(100);
    EXPECT_EQ(must(run(third)).end, RunEnd::DoneBefore);
    EXPECT_EQ(third.cells, 0);
}

TEST_F(TunerRun, NamesTheTunersThereAre) {
    Observer silent;
    TunerRequest request;
    request.tuners = {"forest"};
    const auto refused = run_tuners(workspace_, learning_, request, silent, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "there is no tuner \"forest\", expected one of trees, leaf-wise, perceptron, attention");
}

} // namespace
} // namespace sparsight
