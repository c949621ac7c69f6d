// Training, fine-tuning and search as functions, without a program: what they tell and what comes out.
#include "app/learn/two_machines.h"
#include "domains/records/records.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "learning/decisions/decision_learning.h"
#include "store/models.h"
#include "workflow/learning/fine_tuning/finetune_run.h"
#include "workflow/learning/search/search_job.h"
#include "workflow/learning/training/training_run.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Keeps what is told.
class Listener final : public Observer {
public:
    void start(const Json& facts) override { starts.push_back(facts); }
    void event(std::string_view name, const Json& /*members*/) override { events.emplace_back(name); }
    void remark(std::string_view sentence) override { remarks.emplace_back(sentence); }

    std::vector<Json> starts;
    std::vector<std::string> events;
    std::vector<std::string> remarks;
};

class LearningRuns : public StoreTest {
protected:
    LearningRuns() {
        TwoMachines::add_to(workspace_);
        must(domains_.add(make_sparse_domain()));
        learning_.add(std::make_unique<SparseLearning>());
    }

    [[nodiscard]] static RunSettings with(std::span<const SettingDefinition> definitions,
                                          const std::vector<std::pair<std::string, Json>>& values) {
        RunSettings settings(definitions);
        for (const auto& [name, value] : values)
            must(settings.set(name, value));
        return settings;
    }
    [[nodiscard]] Result<TrainOutcome> train_model(int epochs, Observer& observer,
                                                   const std::stop_token& stop = {}) {
        const auto settings = with(train_settings(domains_),
                                   {{"dense", 32}, {"epochs", epochs}, {"threads", 1}, {"baseline", false}});
        TrainOrder order{settings, must(read_train_request(settings, "model", setting_of(Operator::SpMM, 32),
                                                           *must(learning_.require("sparse"))))};
        auto process = must(TrainingProcess::join(order.request, {}));
        return run_training(workspace_, learning_, order, process, observer, stop);
    }
    [[nodiscard]] Result<FinetuneOutcome> finetune_model(Observer& observer,
                                                         const std::stop_token& stop = {}) {
        const auto settings = with(finetune_settings(domains_), {{"model", "model"},
                                                                 {"machine", "second"},
                                                                 {"matrices", Json::array({"3"})},
                                                                 {"split", "model"},
                                                                 {"simulator", "none"},
                                                                 {"dense", 32},
                                                                 {"epochs", 2},
                                                                 {"threads", 1}});
        FinetuneOrder order{settings, must(read_finetune_request(settings))};
        order.request.name = "tuned";
        order.request.against = {};
        return run_finetuning(workspace_, learning_, order, observer, stop);
    }

    Workspace workspace_ = create();
    DomainRegistry domains_;
    LearningDomains learning_;
};

TEST_F(LearningRuns, TrainingTellsItsObserverAndSaysHowItEnded) {
    Listener listener;
    const TrainOutcome trained = must(train_model(2, listener));
    EXPECT_EQ(trained.end, RunEnd::Finished);
    EXPECT_EQ(trained.model, "model");
    EXPECT_FALSE(trained.metrics.empty());
    ASSERT_THAT(listener.starts, SizeIs(1));
    EXPECT_EQ(listener.starts.front()["name"], "model");
    EXPECT_EQ(std::ranges::count(listener.events, "epoch"), 2);
    EXPECT_THAT(listener.events, Contains("steps"));

    Listener again;
    const TrainOutcome known = must(train_model(2, again));
    EXPECT_EQ(known.end, RunEnd::DoneBefore);
    EXPECT_EQ(known.metrics, trained.metrics);
    EXPECT_THAT(again.events, IsEmpty());
    EXPECT_THAT(again.remarks, ElementsAre(HasSubstr("was trained with these settings before")));

    Listener other;
    const TrainOutcome refused = must(train_model(3, other));
    EXPECT_EQ(refused.end, RunEnd::Refused);
    EXPECT_EQ(refused.reason.fault, Fault::Input);
    EXPECT_THAT(other.starts, IsEmpty());
}

TEST_F(LearningRuns, TrainingThatIsStoppedIsAnOutcomeAndGoesOn) {
    std::stop_source stop;
    class Stopping final : public Observer {
    public:
        explicit Stopping(std::stop_source& stop)
            : stop_(stop) {}
        void event(std::string_view name, const Json& /*members*/) override {
            if (name == "epoch")
                stop_.request_stop();
        }

    private:
        std::stop_source& stop_;
    } stopping(stop);
    const TrainOutcome stopped = must(train_model(3, stopping, stop.get_token()));
    EXPECT_EQ(stopped.end, RunEnd::Stopped);
    EXPECT_EQ(stopped.model, std::nullopt);
    EXPECT_EQ(stopped.epochs, 1);

    Listener listener;
    const TrainOutcome finished = must(train_model(3, listener));
    EXPECT_EQ(finished.end, RunEnd::Finished);
    EXPECT_EQ(finished.run, stopped.run);
    EXPECT_EQ(std::ranges::count(listener.events, "epoch"), 2);
}

TEST_F(LearningRuns, FineTuningSaysHowItEnded) {
    Observer nobody;
    const TrainOutcome trained = must(train_model(2, nobody));
    ASSERT_EQ(trained.end, RunEnd::Finished);
    std::stop_source stop;
    stop.request_stop();
    const auto unread = finetune_model(nobody, stop.get_token());
    ASSERT_FALSE(unread) << "no run was begun yet";
    EXPECT_EQ(unread.error().fault, Fault::Cancelled);

    Listener listener;
    const FinetuneOutcome tuned = must(finetune_model(listener));
    EXPECT_EQ(tuned.end, RunEnd::Finished);
    EXPECT_FALSE(tuned.after.empty());
    EXPECT_EQ(listener.events, (std::vector<std::string>{"epoch", "epoch"}));
    EXPECT_EQ(must(finetune_model(nobody)).end, RunEnd::DoneBefore);
}

TEST_F(LearningRuns, SearchGivesWhatItChoseMatrixByMatrix) {
    Observer nobody;
    ASSERT_EQ(must(train_model(2, nobody)).end, RunEnd::Finished);
    SearchRequest request;
    request.model = "model";
    request.workloads = {"uniform-1", "uniform-4"};
    request.machine = "first";
    request.method = ChoiceMethod::Exhaustive;
    request.choice.k = 3;
    request.choice.threads = 1;
    request.setting.options["dense"] = "32";
    Listener listener;
    std::vector<std::string> told;
    const SearchOutcome outcome = must(
        run_search(workspace_, learning_, request, listener,
                   [&](const SearchOutcome& so_far) { told.push_back(so_far.workloads.back().name); }, {}));
    EXPECT_EQ(told, request.workloads);
    EXPECT_TRUE(outcome.has_chosen_for_all());
    ASSERT_THAT(outcome.workloads, SizeIs(2));
    EXPECT_GE(outcome.workloads.front().choice.candidates.size(), 3U);
    ASSERT_THAT(listener.starts, SizeIs(1));
    EXPECT_EQ(listener.starts.front()["matrices"], 2);
}

/// A model that no training has made, of a table with one workload.
void add_model_of_records(Workspace& workspace, const DecisionLearning& records, const std::string& name) {
    const Setting setting = must(records.domain().parse_setting("gemm"));
    const auto codec = must(records.domain().codec(setting));
    TaskSet set;
    set.setting = setting;
    set.workloads.push_back(
        {"one", {}, {}, [] { return std::make_shared<const NamedFacts>(NamedFacts::Numbers{{"m", 64.0}}); }});
    set.tasks.push_back({"gpu", {}, {{0, {must(codec->parse("tile=1")).configuration}, {1.0}}}});
    const std::array<std::size_t, 1> train{0};
    const auto encoder = records.new_encoder({"statistics", false, set, train});
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    (void)must(keep_model(workspace, {name}, checkpoint));
}

TEST_F(LearningRuns, ReasonsOfAModelOfAnotherDomainAreRefused) {
    const auto domain = make_records_domain();
    auto records = std::make_unique<DecisionLearning>(*domain);
    add_model_of_records(workspace_, *records, "tuner");
    learning_.add(std::move(records));
    ReasonsRequest request;
    request.model = "tuner";
    request.matrix = "uniform-1";
    const auto reasons = find_model_reasons(workspace_, learning_, request, {}, {});
    ASSERT_FALSE(reasons);
    EXPECT_THAT(reasons.error().message, HasSubstr("is of the domain records"));
}

} // namespace
} // namespace sparsight::testing
