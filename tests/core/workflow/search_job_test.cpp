// A whole search in a domain that only the tests have: a model that was trained on some locks chooses
// combinations for others.
#include "learning/decisions/decision_learning.h"
#include "learning/tasks/splits.h"
#include "learning/training/trainer.h"
#include "model/tensors/named_tensors.h"
#include "store/choices.h"
#include "store/measurements.h"
#include "store/workspace.h"
#include "support/digit_space.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/lock_domain.h"
#include "workflow/learning/search/configuration_pool.h"
#include "workflow/learning/search/search_job.h"
#include "workflow/learning/training/model_storage.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sparsight::toy {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::must;
using ::testing::Not;
using ::testing::SizeIs;
using testing::TemporaryFolder;
using testing::text_of_word;
using testing::word;

constexpr std::size_t digits = 4;
constexpr int base = 5;

double milliseconds(const std::string& secret, const std::string& combination) {
    double apart = 0;
    for (std::size_t at = 0; at < digits; ++at)
        apart += std::abs(secret[at] - combination[at]);
    return std::exp(apart / 3);
}

class LockSearch : public ::testing::Test {
protected:
    LockSearch() {
        domains_.add(std::make_unique<DecisionLearning>(*locks_));
        Random random(7);
        must(in_one_transaction(workspace_, [&]() -> Result<void> {
            machine_ = must(recorded_machine(workspace_, "workshop"));
            for (int number = 0; number < 80; ++number) {
                const std::string secret = text_of_word(space_.sample(1, random).front());
                measure(add_lock(fmt::format("lock-{}", number), secret), secret, 50, random);
            }
            (void)add_lock("closed", closed_secret);
            return {};
        }));
        train_model();
    }

    [[nodiscard]] Result<SearchOutcome> search(SearchRequest request, Observer& observer) {
        request.model = "locksmith";
        request.choice.threads = 1;
        return run_search(workspace_, domains_, request, observer, [](const SearchOutcome&) {}, {});
    }
    [[nodiscard]] std::vector<std::string> chosen(const SearchRequest& request) {
        Observer nobody;
        const SearchOutcome outcome = must(search(request, nobody));
        std::vector<std::string> texts;
        for (const ScoredConfiguration& each : outcome.workloads.at(0).choice.candidates)
            texts.push_back(outcome.codec->text(each.configuration, 1));
        return texts;
    }

    const std::string closed_secret = "1342";

    TemporaryFolder folder_;
    Workspace workspace_ = must(Workspace::create(folder_.path() / "locks.sparsight", "test"));
    MachineId machine_{};

private:
    WorkloadId add_lock(const std::string& name, const std::string& secret) {
        std::string facts;
        for (std::size_t place = 0; place < digits; ++place)
            facts += fmt::format("{}\"{}\":{}", facts.empty() ? "" : ",", testing::digit_decision(place).key,
                                 secret[place]);
        const WorkloadId id = must(add_workload_name(workspace_, locks_->name(), name, "test"));
        must(describe_workload(workspace_, id, {"{" + facts + "}", "test", name}));
        return id;
    }
    void measure(WorkloadId lock, const std::string& secret, std::size_t count, Random& random) {
        for (const Configuration& each : space_.sample(count, random)) {
            const std::string combination = text_of_word(each);
            Measurement measurement;
            measurement.status = MeasurementStatus::Measured;
            measurement.median = Milliseconds(milliseconds(secret, combination));
            must(record_measurement(workspace_,
                                    MeasurementConditions{lock, machine_, setting_, "recorded", {}},
                                    must(locks_->written(setting_, combination)), measurement));
        }
    }
    void train_model() {
        const LearningDomain& domain = *must(domains_.require(locks_->name()));
        const WorkspaceTasks tasks = must(domain.tasks(workspace_, {.setting = setting_}));
        WorkloadSplit split;
        for (std::size_t lock = 0; lock < tasks.set.workloads.size(); ++lock)
            split.train.push_back(lock);
        const auto encoder =
            domain.new_encoder({domain.architectures().front().name, false, tasks.set, split.train});
        TrainingOptions options;
        options.loss = Loss::PairwiseLogistic;
        options.rate = 3e-3;
        options.epochs = 40;
        ExampleStore examples(tasks.set, encoder, 1);
        const auto weights = to_tensors(draw_weights(encoder->parameters(), 1), true);
        const auto trained =
            train(examples, split, options, initial_training_state(options.method, options.inner, weights));
        Checkpoint checkpoint;
        checkpoint.model.architecture = encoder->architecture();
        checkpoint.weights = to_arrays(must(trained).state.parameters.weights);
        (void)must(keep_model(workspace_, {"locksmith"}, checkpoint));
    }

    std::unique_ptr<const Domain> locks_ = make_lock_domain();
    testing::DigitSpace space_{digits, base};
    const Setting setting_{"locks", ""};
    LearningDomains domains_;
};

TEST_F(LockSearch, FindsTheFastestCombinationOfALockThatNothingWasMeasuredOf) {
    for (const ChoiceMethod method :
         {ChoiceMethod::Exhaustive, ChoiceMethod::Index, ChoiceMethod::Evolution, ChoiceMethod::Annealing}) {
        SearchRequest request;
        request.workloads = {"closed"};
        request.method = method;
        request.choice.k = 10;
        const auto combinations = chosen(request);
        EXPECT_THAT(combinations, Contains(closed_secret)) << name(method);
        EXPECT_THAT(combinations, Contains("0000")) << "the baseline is tried in any case";
        EXPECT_LE(combinations.size(), 11U);
    }
}

TEST_F(LockSearch, SpeaksInTheWordsOfTheDomain) {
    class Listener final : public Observer {
    public:
        void start(const Json& facts) override { start_ = facts; }
        Json start_;
    } listener;
    SearchRequest request;
    request.workloads = {"closed"};
    request.choice.k = 3;
    ASSERT_TRUE(search(request, listener));
    EXPECT_EQ(listener.start_["locks"], 1);
    request.workloads = {"nowhere"};
    EXPECT_THAT(search(request, listener).error().message, HasSubstr("no lock 'nowhere'"));
    request.workloads = {"closed"};
    request.setting.domain = "sparse";
    EXPECT_THAT(search(request, listener).error().message, HasSubstr("is of the domain locks"));
    request.setting.domain.clear();
    request.method = ChoiceMethod::Recorded;
    EXPECT_THAT(search(request, listener).error().message, HasSubstr("needs a --machine"));
}

TEST_F(LockSearch, ChoosesAmongWhatWasRecorded) {
    SearchRequest request;
    request.workloads = {"lock-3"};
    request.machine = "workshop";
    Observer nobody;
    const WorkloadChoice choice = must(search(request, nobody)).workloads.at(0).choice;
    EXPECT_EQ(choice.method, ChoiceMethod::Recorded) << "it is a machine whose times were imported";
    EXPECT_EQ(choice.pool, 50);
}

TEST_F(LockSearch, KeepsWhatItChoseWithARun) {
    const RunId run = must(start_run(workspace_, "evaluate", "{}"));
    SearchRequest request;
    request.workloads = {"closed"};
    request.choice.k = 5;
    request.run = static_cast<std::int64_t>(run);
    const auto combinations = chosen(request);
    const auto stored = must(list_choice_records(workspace_, run));
    ASSERT_THAT(stored, SizeIs(combinations.size()));
    for (std::size_t at = 0; at < stored.size(); ++at) {
        EXPECT_EQ(stored[at].chosen.configuration.text, combinations[at]);
        EXPECT_EQ(stored[at].chosen.configuration.is_baseline, combinations[at] == "0000");
    }
}

} // namespace
} // namespace sparsight::toy
