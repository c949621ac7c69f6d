// Learning in domains that bring no networks of their own: whole trainings on locks, whose combinations
// open the faster the closer they are to the secret.
#include "learning/decisions/decision_learning.h"

#include "learning/decisions/attention_encoder.h"
#include "learning/decisions/perceptron_encoder.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/tasks/split_tasks.h"
#include "learning/tasks/stored_tasks.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/cost_model.h"
#include "model/tensors/torch_runtime.h"
#include "support/results.h"
#include "support/test_files.h"
#include "toy/digit_space.h"
#include "toy/lock_domain.h"

#include <ATen/TensorOperators.h>
#include <chrono>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::must;
using ::testing::SizeIs;
using testing::text_of_word;
using testing::word;

std::shared_ptr<const Payload> lock_facts(NamedFacts::Numbers numbers) {
    return std::make_shared<const NamedFacts>(std::move(numbers));
}

/// Locks whose secrets are known as facts, tried on three machines: the more digits a combination has in
/// common with the secret, the sooner it opens. On the last machine the first digit counts thrice.
class LockLearning : public ::testing::Test {
protected:
    static constexpr std::size_t locks = 6;

    LockLearning() {
        set_.setting = {"locks", ""};
        for (std::size_t lock = 0; lock < locks; ++lock) {
            const std::string secret =
                fmt::format("{}{}{}{}", lock % 5, (lock * 3 + 1) % 5, (lock * 2) % 5, (lock / 2) % 5);
            NamedFacts::Numbers digits;
            for (std::size_t place = 0; place < 4; ++place)
                digits[testing::digit_decision(place).key] = secret[place] - '0';
            const auto payload = lock_facts(digits);
            set_.workloads.push_back(
                {.name = fmt::format("lock {}", lock), .load = [payload] { return payload; }});
            secrets_.push_back(secret);
        }
        for (const std::string machine : {"one", "two", "three"}) {
            Task task{machine, {}, {}};
            task.description.name = machine;
            for (std::size_t lock = 0; lock < locks; ++lock)
                task.runtimes.push_back(times(lock, machine == "three" ? 3 : 1));
            set_.tasks.push_back(std::move(task));
        }
    }

    [[nodiscard]] WorkloadRuntimes times(std::size_t lock, double first) const {
        WorkloadRuntimes runtimes{lock, {}, {}};
        for (int number = 0; number < 625; ++number) {
            const std::string tried =
                fmt::format("{}{}{}{}", number / 125, number / 25 % 5, number / 5 % 5, number % 5);
            double log_time = 0.4 * static_cast<double>(lock);
            for (std::size_t place = 0; place < 4; ++place)
                log_time += (place == 0 ? first : 1) * 0.3 * std::abs(tried[place] - secrets_[lock][place]);
            runtimes.configurations.push_back(word(tried));
            runtimes.milliseconds.push_back(std::exp(log_time));
        }
        runtimes.baseline = 0;
        return runtimes;
    }

    [[nodiscard]] TrainingOptions options(Method method) const {
        TrainingOptions options;
        options.method = method;
        options.loss = Loss::PairwiseLogistic;
        options.rate = 3e-3;
        options.epochs = 8;
        options.inner.rate = 0.05;
        options.support_workloads = 4;
        options.query_workloads = 4;
        return options;
    }
    /// Weights of a network of the architecture of `made`.
    [[nodiscard]] NamedTensors trained(const SplitTasks& made, const std::shared_ptr<const Encoder>& encoder,
                                       const TrainingOptions& options) const {
        ExampleStore examples(made.set, encoder, 1);
        const auto weights = to_tensors(draw_weights(encoder->parameters(), 1), true);
        return must(train(examples, made.split, options,
                          initial_training_state(options.method, options.inner, weights)))
            .state.best;
    }
    [[nodiscard]] static double accuracy(const SplitTasks& made,
                                         const std::shared_ptr<const Encoder>& encoder,
                                         const NamedTensors& weights, std::size_t task) {
        ExampleStore examples(made.set, encoder, 1);
        return *must(report_ranking(examples, weights, Loss::PairwiseLogistic, task, made.split.test))
                    .ordered_pair_accuracy;
    }

    const std::unique_ptr<const Domain> domain_ = toy::make_lock_domain();
    const DecisionLearning learning_{*domain_};
    TaskSet set_;
    std::vector<std::string> secrets_;
};

TEST_F(LockLearning, OrdersHeldOutCombinationsByEachMethod) {
    const auto made = must(split_tasks(set_, {.by = SplitBy::Row}));
    const auto encoder = learning_.new_encoder({perceptron_architecture, false, made.set, made.split.train});
    for (const Method method : {Method::Supervised, Method::Fomaml})
        EXPECT_GT(accuracy(made, encoder, trained(made, encoder, options(method)), 0), 0.8) << name(method);
    const auto attention = learning_.new_encoder({attention_architecture, false, made.set, made.split.train});
    TrainingOptions few_epochs = options(Method::Supervised); // each takes it longer
    few_epochs.epochs = 6;
    EXPECT_GT(accuracy(made, attention, trained(made, attention, few_epochs), 0), 0.7);
    const auto trees = must(train_trees(
        made.set, learning_.new_tree_features({trees_architecture, false, made.set, made.split.train}),
        made.split.train, {.rounds = 60}));
    const auto report = must(report_trees(made.set, trees, Loss::PairwiseLogistic, made.split.test));
    EXPECT_GT(*report.ordered_pair_accuracy, 0.8);
}

TEST_F(LockLearning, IsAdaptedToAnotherMachineByAFewGroups) {
    set_.workloads.resize(1);
    for (Task& task : set_.tasks)
        task.runtimes.resize(1);
    const auto made = must(split_tasks(set_, {.by = SplitBy::Row, .rows_per_group = 64}));
    SplitTasks source = made;
    source.set.tasks.pop_back();
    const auto encoder =
        learning_.new_encoder({perceptron_architecture, true, source.set, source.split.train});
    TrainingOptions long_training = options(Method::Fomaml);
    long_training.epochs = 60;
    const NamedTensors weights = trained(source, encoder, long_training);
    EXPECT_GT(accuracy(made, encoder, weights, 0), 0.9);
    const double before = accuracy(made, encoder, weights, 2);
    ExampleStore examples(made.set, encoder, 1);
    FineTuningOptions tuning;
    tuning.loss = Loss::PairwiseLogistic;
    tuning.adam_rate = 3e-3;
    const auto few = training_subset(made.split, 2, 1);
    const auto tuned = must(fine_tune(examples, 2, few, tuning, {weights, std::nullopt}));
    EXPECT_GT(accuracy(made, encoder, tuned, 2), before + 0.02);
}

TEST_F(LockLearning, OrdersCombinationsOnMachinesThatItNeverSaw) {
    const auto made = must(split_tasks(set_, {.by = SplitBy::Machine, .shares = {2, 0, 1}, .seed = 2}));
    const auto encoder = learning_.new_encoder({perceptron_architecture, true, made.set, made.split.train});
    const NamedTensors weights = trained(made, encoder, options(Method::Supervised));
    int measured = 0;
    for (std::size_t task = 0; task < made.set.tasks.size(); ++task) {
        ExampleStore examples(made.set, encoder, 1);
        const auto report =
            must(report_ranking(examples, weights, Loss::PairwiseLogistic, task, made.split.test));
        measured += report.workloads > 0 ? 1 : 0;
        if (report.workloads > 0) {
            EXPECT_GT(*report.ordered_pair_accuracy, 0.7) << made.set.tasks[task].machine;
        }
    }
    EXPECT_EQ(measured, 1);
}

TEST_F(LockLearning, OrdersCombinationsOnAnUnknownMachineByWhatItsSheetSays) {
    // On heavy machines the first digit counts the other way round.
    const auto machine = [&](const std::string& name, bool is_heavy) {
        Task task{name, {}, {}};
        task.description.name = name;
        task.description.facts = {{"weight", is_heavy ? 50.0 : 2.0}};
        task.runtimes.push_back(times(0, is_heavy ? -3 : 3));
        return task;
    };
    set_.workloads.resize(1);
    set_.tasks = {machine("a", false), machine("b", true), machine("c", false), machine("d", true)};
    SplitTasks unknown{set_, {{}, {}, {0}}};
    unknown.set.tasks = {machine("e", true)};
    const SplitTasks known{set_, {unknown.split.test, {}, {}}};
    TrainingOptions slow = options(Method::Supervised);
    slow.epochs = 300; // of a step on each of four machines
    const auto found = [&](bool reads_machine) {
        const ArchitectureRequest model{perceptron_architecture, reads_machine, known.set, known.split.train};
        const auto encoder = learning_.new_encoder(model);
        const auto read = must(learning_.encoder(encoder->architecture())); // as it is stored
        const auto trees = must(
            train_trees(known.set, learning_.new_tree_features(model), known.split.train, {.rounds = 60}));
        const auto report = must(report_trees(unknown.set, trees, slow.loss, unknown.split.test));
        return std::pair(accuracy(unknown, read, trained(known, read, slow), 0),
                         *report.ordered_pair_accuracy);
    };
    const auto with = found(true);
    const auto without = found(false);
    EXPECT_GT(with.first, without.first + 0.1);
    EXPECT_GT(with.second, without.second + 0.1) << "trees";
}

TEST_F(LockLearning, PredictsTimesAndSoRanksLocks) {
    set_.tasks.resize(1);
    const auto made = must(split_tasks(set_, {.by = SplitBy::Row}));
    const auto encoder = learning_.new_encoder({perceptron_architecture, true, made.set, made.split.train});
    TrainingOptions timed = options(Method::Supervised);
    timed.loss = Loss::LogSquaredError;
    timed.rate = 1e-3;
    timed.epochs = 40;
    const NamedTensors weights = trained(made, encoder, timed);
    ExampleStore examples(made.set, encoder, 1);
    const auto report = must(report_ranking(examples, weights, timed.loss, 0, made.split.test));
    EXPECT_LT(*report.log_time_error, 0.4);
    EXPECT_GT(*report.workload_tau, 0.5);
}

TEST_F(LockLearning, HasModelsThatAreSavedAndServeTheirSetting) {
    std::vector<std::size_t> all(locks);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto encoder = learning_.new_encoder({perceptron_architecture, true, set_, all});
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    EXPECT_EQ(checkpoint.model.architecture.domain, "locks");
    EXPECT_EQ(learning_.purpose(checkpoint.model.architecture), "locks");
    EXPECT_EQ(learning_.purpose(set_.setting), "locks");
    EXPECT_EQ(must(learning_.setting_of(checkpoint.model.architecture, {})), set_.setting);
    const auto read = must(parse_checkpoint(checkpoint_bytes(checkpoint), learning_));
    EXPECT_EQ(read, checkpoint);
    EXPECT_EQ(must(learning_.encoder(read.model.architecture))->architecture(), read.model.architecture);
    const auto model = must(make_cost_model(read, learning_));
    EXPECT_FALSE(model->reads_statistics());
    const auto scorer = must(model->embed(lock_facts({{"digit_0", 1}}), nullptr, 1));
    EXPECT_THAT(must(scorer->score(std::array{word("0000"), word("4321")})), SizeIs(2));

    checkpoint.model.architecture.domain = "another";
    EXPECT_THAT(parse_checkpoint(checkpoint_bytes(checkpoint), learning_).error().message,
                HasSubstr("expected \"locks\""));
}

TEST_F(LockLearning, ReadsPerceptronsOfEarlierVersionsByTheirNameOfThen) {
    const std::vector<std::size_t> all{0, 1};
    ModelArchitecture stored =
        learning_.new_encoder({perceptron_architecture, false, set_, all})->architecture();
    EXPECT_EQ(stored.name, "perceptron");
    stored.name = "statistics";
    EXPECT_EQ(must(learning_.encoder(stored))->architecture().name, "perceptron");
}

TEST_F(LockLearning, RefusesDescriptionsThatAreWrong) {
    std::vector<std::size_t> all{0, 1};
    const ModelArchitecture right =
        learning_.new_encoder({perceptron_architecture, false, set_, all})->architecture();
    const auto changed = [&](auto change) {
        auto json = nlohmann::json::parse(right.input);
        change(json);
        return learning_.encoder({right.name, json.dump(), right.domain}).error().message;
    };
    EXPECT_THAT(changed([](auto& json) { json.erase("decisions"); }), HasSubstr("decisions is missing"));
    EXPECT_THAT(changed([](auto& json) { json["setting"] = "open"; }), HasSubstr("setting"));
    EXPECT_THAT(changed([](auto& json) { json["facts"][0]["deviation"] = 0; }), HasSubstr("deviation"));
    EXPECT_THAT(changed([](auto& json) { json["decisions"][0]["values"] = {"2", "1"}; }),
                HasSubstr("ascending"));
    EXPECT_THAT(changed([](auto& json) { json["decisions"] = 5; }), HasSubstr("decisions"));
    EXPECT_THAT(changed([](auto& json) { json["machine_facts"] = 5; }), HasSubstr("machine_facts"));
    EXPECT_THAT(learning_.encoder({"waconet", right.input, right.domain}).error().message,
                HasSubstr("waconet"));
    EXPECT_THAT(learning_.encoder({right.name, "[", right.domain}).error().fault, Fault::Input);
}

TEST_F(LockLearning, TreesAreSavedWithTheirFeatures) {
    set_.tasks[0].description.facts = {{"weight", 5}};
    const std::vector<std::size_t> train{0, 1, 2};
    const auto trees = must(train_trees(
        set_, learning_.new_tree_features({trees_architecture, true, set_, train}), train, {.rounds = 10}));
    EXPECT_THAT(trees.features().names(), ::testing::Contains("machine: weight is known"));
    Checkpoint checkpoint;
    checkpoint.model.architecture = trees.features().architecture();
    checkpoint.trees = must(trees.save());
    const auto read = must(parse_checkpoint(checkpoint_bytes(checkpoint), learning_));
    const auto model = must(make_cost_model(read, learning_));
    const auto payload = must(set_.workloads[0].load());
    const std::array tried{word("0000"), word("4444")};
    auto statistics = trees.features().statistics(*payload, 1);
    for (const double number : {5, 1})
        statistics.push_back(number);
    EXPECT_EQ(must(must(model->embed(payload, &set_.tasks[0].description, 1))->score(tried)),
              must(trees.score(statistics, tried)));
    EXPECT_EQ(model->embed_statistics({}, nullptr).error().fault, Fault::Input);
}

} // namespace
} // namespace sparsight
