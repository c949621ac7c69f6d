// Whole searches in small domains: a model that was trained on some workloads chooses for others.
#include "domains/records/records.h"
#include "learning/decisions/decision_learning.h"
#include "learning/tasks/splits.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/tensors/named_tensors.h"
#include "store/choices.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/digit_space.h"
#include "toy/lock_domain.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/search/configuration_pool.h"
#include "workflow/learning/search/search_job.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <numeric>

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

/// A workspace of one domain, and a model that is trained on what it has.
class TrainedDomain {
public:
    TrainedDomain(std::unique_ptr<const Domain> domain, std::string setting)
        : domain_(std::move(domain))
        , setting_{std::string(domain_->name()), std::move(setting)} {
        domains_.add(std::make_unique<DecisionLearning>(*domain_));
    }

    WorkloadId add_workload(const std::string& name, const std::string& facts) {
        const WorkloadId id = must(add_workload_name(workspace_, domain_->name(), name, "test"));
        must(describe_workload(workspace_, id, {facts, "test", name}));
        return id;
    }
    void record(MachineId machine, WorkloadId workload, const std::string& configuration, double ms) {
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median = Milliseconds(ms);
        must(record_measurement(workspace_,
                                MeasurementConditions{workload, machine, setting_, "recorded", {}},
                                must(domain_->written(setting_, configuration)), measurement));
    }
    void train_model(int epochs) {
        const LearningDomain& learning = *must(domains_.require(domain_->name()));
        const WorkspaceTasks tasks = must(learning.tasks(workspace_, {.setting = setting_}));
        WorkloadSplit split;
        for (std::size_t workload = 0; workload < tasks.set.workloads.size(); ++workload)
            split.train.push_back(workload);
        const auto encoder =
            learning.new_encoder({learning.architectures().front().name, false, tasks.set, split.train});
        TrainingOptions options;
        options.loss = Loss::PairwiseLogistic;
        options.rate = 3e-3;
        options.epochs = epochs;
        ExampleStore examples(tasks.set, encoder, 1);
        const auto weights = to_tensors(draw_weights(encoder->parameters(), 1), true);
        const auto trained =
            train(examples, split, options, initial_training_state(options.method, options.inner, weights));
        Checkpoint checkpoint;
        checkpoint.model.architecture = encoder->architecture();
        checkpoint.weights = to_arrays(must(trained).state.parameters.weights);
        (void)must(keep_model(workspace_, {"expert"}, checkpoint));
    }

    /// Boosted trees that read what is known of machines.
    void train_trees_of_machines(const std::string& name) {
        const LearningDomain& learning = *must(domains_.require(domain_->name()));
        const WorkspaceTasks tasks = must(learning.tasks(workspace_, {.setting = setting_}));
        std::vector<std::size_t> all(tasks.set.workloads.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto trees = must(train_trees(
            tasks.set, learning.new_tree_features({trees_architecture, true, tasks.set, all}), all, {}));
        Checkpoint checkpoint;
        checkpoint.model.architecture = trees.features().architecture();
        checkpoint.trees = must(trees.save());
        (void)must(keep_model(workspace_, {name}, checkpoint));
    }

    [[nodiscard]] Result<SearchOutcome> search(SearchRequest request, Observer& observer) {
        if (request.model.empty())
            request.model = "expert";
        request.choice.threads = 1;
        return run_search(workspace_, domains_, request, observer, [](const SearchOutcome&) {}, {});
    }
    [[nodiscard]] WorkloadChoice choice(const SearchRequest& request) {
        Observer nobody;
        return must(search(request, nobody)).workloads.at(0).choice;
    }
    [[nodiscard]] std::vector<std::string> chosen(const SearchRequest& request) {
        const auto codec = must(domain_->codec(setting_));
        std::vector<std::string> texts;
        for (const ScoredConfiguration& each : choice(request).candidates)
            texts.push_back(codec->text(each.configuration, 1));
        return texts;
    }

    [[nodiscard]] Workspace& workspace() { return workspace_; }

private:
    const std::unique_ptr<const Domain> domain_;
    const Setting setting_;
    LearningDomains domains_;
    TemporaryFolder folder_;
    Workspace workspace_ = must(Workspace::create(folder_.path() / "test.sparsight", "test"));
};

const std::string closed_secret = "1342";

std::string facts_of(const std::string& secret) {
    std::string facts;
    for (std::size_t place = 0; place < digits; ++place)
        facts += fmt::format("{}\"{}\":{}", facts.empty() ? "" : ",", testing::digit_decision(place).key,
                             secret[place]);
    return "{" + facts + "}";
}

/// Many locks that some combinations were tried on, and one that none was.
class LockSearch : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        locks_ = std::make_unique<TrainedDomain>(make_lock_domain(), "");
        Random random(7);
        const testing::DigitSpace space(digits, base);
        must(in_one_transaction(locks_->workspace(), [&]() -> Result<void> {
            const MachineId machine = must(recorded_machine(locks_->workspace(), "workshop"));
            for (int number = 0; number < 120; ++number) {
                const std::string secret = text_of_word(space.sample(1, random).front());
                const WorkloadId lock =
                    locks_->add_workload(fmt::format("lock-{}", number), facts_of(secret));
                for (const Configuration& each : space.sample(30, random))
                    locks_->record(machine, lock, text_of_word(each),
                                   milliseconds(secret, text_of_word(each)));
            }
            (void)locks_->add_workload("closed", facts_of(closed_secret));
            return {};
        }));
        locks_->train_model(45);
    }
    static void TearDownTestSuite() { locks_.reset(); }

    /// What all tests share: training takes seconds.
    static inline std::unique_ptr<TrainedDomain> locks_;
};

TEST_F(LockSearch, FindsTheFastestCombinationOfALockThatNothingWasMeasuredOf) {
    for (const ChoiceMethod method :
         {ChoiceMethod::Exhaustive, ChoiceMethod::Index, ChoiceMethod::Evolution, ChoiceMethod::Annealing}) {
        SearchRequest request;
        request.workloads = {"closed"};
        request.method = method;
        request.choice.k = 20;
        const auto combinations = locks_->chosen(request);
        EXPECT_THAT(combinations, Contains(closed_secret)) << name(method);
        EXPECT_THAT(combinations, Contains("0000")) << "the baseline is tried in any case";
        EXPECT_LE(combinations.size(), 21U) << "of 625";
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
    ASSERT_TRUE(locks_->search(request, listener));
    EXPECT_EQ(listener.start_["locks"], 1);
    request.workloads = {"nowhere"};
    EXPECT_THAT(locks_->search(request, listener).error().message, HasSubstr("no lock 'nowhere'"));
    request.workloads = {"closed"};
    request.setting.domain = "sparse";
    EXPECT_THAT(locks_->search(request, listener).error().message, HasSubstr("is of the domain locks"));
    request.setting.domain.clear();
    request.method = ChoiceMethod::Recorded;
    EXPECT_THAT(locks_->search(request, listener).error().message, HasSubstr("needs a --machine"));
}

TEST_F(LockSearch, ChoosesAmongWhatWasRecorded) {
    SearchRequest request;
    request.workloads = {"lock-3"};
    request.machine = "workshop";
    const WorkloadChoice recorded = locks_->choice(request);
    EXPECT_EQ(recorded.method, ChoiceMethod::Recorded) << "it is a machine whose times were imported";
    EXPECT_EQ(recorded.pool, 30);
}

TEST_F(LockSearch, KeepsWhatItChoseWithARun) {
    const RunId run = must(start_run(locks_->workspace(), "evaluate", "{}"));
    SearchRequest request;
    request.workloads = {"closed"};
    request.choice.k = 5;
    request.run = static_cast<std::int64_t>(run);
    const auto combinations = locks_->chosen(request);
    const auto stored = must(list_choice_records(locks_->workspace(), run));
    ASSERT_THAT(stored, SizeIs(combinations.size()));
    for (std::size_t at = 0; at < stored.size(); ++at) {
        EXPECT_EQ(stored[at].chosen.configuration.text, combinations[at]);
        EXPECT_EQ(stored[at].chosen.configuration.is_baseline, combinations[at] == "0000");
    }
}

/// A table of tuning records: the larger a workload, the larger its best tile.
class RecordsSearch : public ::testing::Test {
protected:
    RecordsSearch() {
        const MachineId known = must(recorded_machine(records_.workspace(), "known"));
        const MachineId fresh = must(recorded_machine(records_.workspace(), "new"));
        for (int size = 0; size < 5; ++size) {
            const WorkloadId workload =
                records_.add_workload(fmt::format("gemm-{}", size), fmt::format("{{\"m\":{}}}", 16 << size));
            for (int tile = 0; tile < 5; ++tile)
                for (int unroll = 0; unroll < 3; ++unroll) {
                    const double ms = std::exp(std::abs(tile - size)) + 0.1 * unroll;
                    records_.record(known, workload, text_of(tile, unroll), ms);
                    if (size == 0 && tile == 0)
                        records_.record(fresh, workload, text_of(tile, unroll), ms);
                }
        }
        (void)records_.add_workload("unmeasured", R"({"m":128})");
        records_.train_model(40);
    }
    static std::string text_of(int tile, int unroll) {
        return fmt::format("tile={} unroll={}", 1 << tile, unroll);
    }

    TrainedDomain records_{make_records_domain(), "gemm"};
};

TEST_F(RecordsSearch, ScoresEveryConfigurationOfTheTableOnWhateverMachineItWasRecorded) {
    SearchRequest request;
    request.workloads = {"gemm-3"};
    request.machine = "new";
    request.choice.k = 3;
    const WorkloadChoice found = records_.choice(request);
    EXPECT_EQ(found.method, ChoiceMethod::Exhaustive);
    EXPECT_FALSE(found.instead_of_walk);
    EXPECT_EQ(found.pool, 15);
    EXPECT_THAT(records_.chosen(request),
                ::testing::UnorderedElementsAre(text_of(3, 0), text_of(3, 1), text_of(3, 2)))
        << "and no baseline behind them, as there is none";
    request.method = ChoiceMethod::Recorded;
    request.workloads = {"gemm-0"};
    EXPECT_EQ(records_.choice(request).pool, 3) << "of this machine alone";
}

TEST_F(RecordsSearch, ChoosesByDefaultAmongWhatTheMachineHasTimesOf) {
    SearchRequest request;
    request.workloads = {"gemm-0"};
    request.machine = "new";
    request.choice.k = 15;
    const WorkloadChoice found = records_.choice(request);
    EXPECT_EQ(found.method, ChoiceMethod::Recorded);
    EXPECT_EQ(found.pool, 3);
    EXPECT_THAT(records_.chosen(request),
                ::testing::UnorderedElementsAre(text_of(0, 0), text_of(0, 1), text_of(0, 2)));
    request.method = ChoiceMethod::Exhaustive;
    EXPECT_EQ(records_.choice(request).pool, 15) << "of all machines";
}

TEST_F(RecordsSearch, TellsTheRecordedTimeOfWhatItChose) {
    SearchRequest request;
    request.workloads = {"gemm-0"};
    request.machine = "new";
    request.choice.k = 15;
    request.method = ChoiceMethod::Exhaustive;
    Observer nobody;
    const SearchOutcome outcome = must(records_.search(request, nobody));
    const SearchedWorkload& searched = outcome.workloads.at(0);
    ASSERT_EQ(searched.recorded_ms.size(), searched.choice.candidates.size());
    int known = 0;
    for (std::size_t at = 0; at < searched.recorded_ms.size(); ++at) {
        const std::string text = outcome.codec->text(searched.choice.candidates[at].configuration, 1);
        EXPECT_EQ(searched.recorded_ms[at].has_value(), text.starts_with("tile=1 ")) << text;
        known += searched.recorded_ms[at] ? 1 : 0;
        if (text == text_of(0, 2)) {
            EXPECT_THAT(searched.recorded_ms[at], ::testing::Optional(::testing::DoubleEq(1.2)));
        }
    }
    EXPECT_EQ(known, 3) << "those of this machine";
}

TEST_F(RecordsSearch, ChoosesForAWorkloadWithoutTimesAmongThoseOfOthers) {
    SearchRequest request;
    request.workloads = {"unmeasured"};
    request.machine = "new";
    request.choice.k = 3;
    EXPECT_EQ(records_.choice(request).pool, 15);
    EXPECT_THAT(records_.chosen(request), Contains(text_of(3, 0)));
}

TEST_F(RecordsSearch, TreesThatReadMachinesAreRefusedWhereTheMachineIsUnknown) {
    must(set_machine_facts(records_.workspace(), must(recorded_machine(records_.workspace(), "known")),
                           R"({"cores": 72})"));
    must(set_machine_facts(records_.workspace(), must(recorded_machine(records_.workspace(), "new")),
                           R"({"cores": 36})"));
    records_.train_trees_of_machines("trees");
    SearchRequest request;
    request.model = "trees";
    request.workloads = {"gemm-3"};
    Observer nobody;
    const auto refused = records_.search(request, nobody);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("trees reads the description of a machine"));
    request.machine = "new";
    EXPECT_TRUE(records_.search(request, nobody));
}

TEST_F(RecordsSearch, RefusesAWorkloadThatHasOtherConfigurations) {
    const auto domain = make_records_domain();
    const Setting elsewhere{"records", "conv"};
    Measurement measurement;
    measurement.status = MeasurementStatus::Measured;
    measurement.median = Milliseconds(1);
    const MachineId machine = must(recorded_machine(records_.workspace(), "new"));
    const WorkloadId conv = records_.add_workload("conv-1", R"({"m":16})");
    must(record_measurement(records_.workspace(),
                            MeasurementConditions{conv, machine, elsewhere, "recorded", {}},
                            must(domain->written(elsewhere, "pad=1")), measurement));
    SearchRequest request;
    request.workloads = {"conv-1"};
    request.machine = "new";
    Observer nobody;
    const auto outcome = must(records_.search(request, nobody));
    ASSERT_THAT(outcome.failures, SizeIs(1));
    EXPECT_THAT(outcome.failures[0].error,
                HasSubstr("expert chooses configurations of gemm, and conv-1 has none of these"));
}

} // namespace
} // namespace sparsight::toy
