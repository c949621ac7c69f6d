// Learning in domains that bring no networks of their own: what the encoder reads, what a workspace gives,
// and whole trainings on locks, whose combinations open the faster the closer they are to the secret.
#include "learning/decisions/decision_learning.h"

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

std::shared_ptr<const Payload> facts(NamedFacts::Numbers numbers) {
    return std::make_shared<const NamedFacts>(std::move(numbers));
}

/// Configurations are "key=value,key=value".
class PairCodec final : public ConfigurationCodec {
public:
    Result<ParsedConfiguration> parse(std::string_view text) const override {
        return ParsedConfiguration{word(text)};
    }
    std::string text(const Configuration& configuration, int) const override {
        return text_of_word(configuration);
    }
    std::vector<DecisionValue> decisions(const Configuration& configuration) const override {
        std::vector<DecisionValue> decisions;
        std::istringstream pairs(text_of_word(configuration));
        for (std::string pair; std::getline(pairs, pair, ',');) {
            const auto sign = pair.find('=');
            decisions.push_back({pair.substr(0, sign), pair.substr(0, sign), pair.substr(sign + 1)});
        }
        return decisions;
    }
};

/// One machine and workload with these configurations, the slower the later.
TaskSet set_of(const std::vector<std::string>& configurations, NamedFacts::Numbers numbers = {}) {
    TaskSet set;
    set.setting = {"pairs", ""};
    const auto payload = facts(std::move(numbers));
    set.workloads.push_back({.name = "w", .load = [payload] { return payload; }});
    WorkloadRuntimes runtimes{0, {}, {}};
    for (const std::string& each : configurations) {
        runtimes.configurations.push_back(word(each));
        runtimes.milliseconds.push_back(1 + static_cast<double>(runtimes.milliseconds.size()));
    }
    set.tasks.push_back({"m", {}, {std::move(runtimes)}});
    return set;
}

const std::shared_ptr<const ConfigurationCodec> pair_codec = std::make_shared<const PairCodec>();

DecisionInput fitted(const TaskSet& set) {
    std::vector<std::size_t> all(set.workloads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return fit_decision_input(set, all, *pair_codec);
}

DecisionReading read_one(const DecisionReader& reader, const std::string& configuration,
                         std::size_t decision) {
    std::vector<DecisionReading> readings(reader.columns().size());
    reader.read(word(configuration), readings);
    return readings[decision];
}

TEST(DecisionInputs, HaveTheValuesOfEachDecisionInTheOrderInWhichTheyAreShown) {
    const auto input = fitted(set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"}));
    ASSERT_THAT(input.decisions, SizeIs(3));
    EXPECT_EQ(input.decisions[0].key, "tile");
    EXPECT_TRUE(input.decisions[0].are_numbers);
    EXPECT_THAT(input.decisions[0].values, ElementsAre("16", "2", "8"));
    EXPECT_EQ(input.decisions[1].key, "layout");
    EXPECT_FALSE(input.decisions[1].are_numbers);
    EXPECT_THAT(input.decisions[1].values, ElementsAre("col", "row"));
    EXPECT_EQ(input.decisions[2].key, "pad");
}

TEST(DecisionInputs, AreThoseOfTheWorkloadsThatAreTrainedOn) {
    TaskSet set = set_of({"tile=8"}, {{"rows", 100}});
    set.workloads.push_back({.name = "other", .load = [] { return facts({{"cols", 5}}); }});
    set.tasks[0].runtimes.push_back({1, {word("tile=9")}, {1}});
    const auto input = fit_decision_input(set, {{0}}, *pair_codec);
    EXPECT_THAT(input.decisions[0].values, ElementsAre("8"));
    ASSERT_THAT(input.facts, SizeIs(1));
    EXPECT_EQ(input.facts[0].name, "rows");
    EXPECT_THAT(fitted(set).facts, SizeIs(2));
}

TEST(DecisionInputs, TellUnknownFromAbsentValues) {
    const DecisionReader reader(fitted(set_of({"tile=8,layout=row", "tile=16,layout=col"})).decisions,
                                pair_codec);
    EXPECT_EQ(read_one(reader, "tile=8", 0).category, 3);
    EXPECT_EQ(read_one(reader, "tile=8", 0).number, 8);
    EXPECT_EQ(read_one(reader, "tile=8", 1).category, DecisionReading::absent);
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 0).category, DecisionReading::unknown);
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 0).number, 64) << "a number says something yet";
    EXPECT_EQ(read_one(reader, "tile=64,layout=blocked", 1).category, DecisionReading::unknown);
    EXPECT_EQ(read_one(reader, "swizzle=1,tile=big", 0).number, std::nullopt);
}

/// Of every kind: numbers, other values, absent ones and unknown facts.
class DecisionEncoders : public ::testing::Test {
protected:
    DecisionEncoders() {
        set_ = set_of({"tile=8,layout=row", "tile=16,layout=col,pad=1", "tile=2,layout=row"},
                      {{"rows", 1000}, {"depth", -3}});
        set_.workloads.push_back({.name = "v", .load = [] { return facts({{"rows", 20}}); }});
        set_.tasks[0].runtimes.push_back({1, {word("tile=8,layout=row"), word("tile=2")}, {1, 2}});
        input_ = fitted(set_);
        input_.reads_machine = true;
    }

    [[nodiscard]] std::vector<float> scores(const Encoder& encoder, const NamedTensors& weights,
                                            const Payload& payload,
                                            const std::vector<std::string>& configurations) const {
        std::vector<Configuration> words;
        for (const std::string& each : configurations)
            words.push_back(word(each));
        const at::Tensor found =
            encoder
                .score(weights, *encoder.encode_workload(&payload, {}, {}), machine_input(encoder, nullptr),
                       *encoder.embeds()->encode_configurations(words, at::kCPU))
                .contiguous();
        return {found.data_ptr<float>(), found.data_ptr<float>() + found.numel()};
    }

    TaskSet set_;
    DecisionInput input_;
};

TEST_F(DecisionEncoders, HaveTheGradientThatFiniteDifferencesFind) {
    const auto encoder = decision_encoder(input_, pair_codec);
    const auto arrays = draw_weights(encoder->parameters(), 7);
    const NamedTensors weights = to_tensors(arrays, true, at::kDouble);
    const auto workload = encoder->encode_workload(facts({{"rows", 300}}).get(), {}, {});
    const auto configurations = encoder->embeds()->encode_configurations(
        std::array{word("tile=8,layout=row"), word("tile=64,layout=blocked"), word("pad=1")}, at::kCPU);
    const at::Tensor machine = machine_input(*encoder, nullptr);
    const std::array times{1.0, 3.0, 2.0};
    const auto loss_of = [&](const NamedTensors& at) {
        return ranking_loss(Loss::LogSquaredError, encoder->score(at, *workload, machine, *configurations),
                            {times});
    };
    const auto gradients = torch::autograd::grad({loss_of(weights)}, weights.tensors(), {}, c10::nullopt,
                                                 false, /*allow_unused=*/true);
    Random random(1);
    for (std::size_t p = 0; p < weights.size(); ++p) {
        ASSERT_TRUE(gradients[p].defined()) << weights.names()[p];
        const auto count = static_cast<std::uint64_t>(weights.tensors()[p].numel());
        for (int sample = 0; sample < 3; ++sample) {
            const auto place = static_cast<std::int64_t>(random.below(count));
            constexpr double step = 1e-6;
            double difference = 0;
            for (const double sign : {1.0, -1.0}) {
                NamedTensors moved = weights;
                std::vector<at::Tensor> tensors;
                for (const at::Tensor& tensor : weights.tensors())
                    tensors.push_back(tensor.detach().clone());
                tensors[p].view(-1).data_ptr<double>()[place] += sign * step;
                difference += sign * loss_of(moved.with(std::move(tensors))).item<double>() / (2 * step);
            }
            EXPECT_NEAR(gradients[p].contiguous().view(-1).data_ptr<double>()[place], difference, 1e-6)
                << weights.names()[p];
        }
    }
}

TEST_F(DecisionEncoders, ScoreValuesAndFactsThatTheyNeverSaw) {
    const auto encoder = decision_encoder(input_, pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    for (const float score :
         scores(*encoder, weights, *facts({{"new", 1e300}}), {"tile=1e9,layout=x", "unheard=1", "tile=a"}))
        EXPECT_TRUE(std::isfinite(score));
    const auto same = scores(*encoder, weights, *facts({}), {"layout=x", "layout=y", "layout=row"});
    EXPECT_EQ(same[0], same[1]) << "what is unknown is all alike";
    EXPECT_NE(same[0], same[2]);
}

TEST_F(DecisionEncoders, ReadFactsByNameAndWhetherTheyAreKnown) {
    const auto encoder = decision_encoder(input_, pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const auto score_of = [&](NamedFacts::Numbers numbers) {
        return scores(*encoder, weights, *facts(std::move(numbers)), {"tile=8,layout=row"}).front();
    };
    EXPECT_NE(score_of({{"rows", 20}}), score_of({{"rows", 30}}));
    EXPECT_NE(score_of({{"depth", std::sinh(input_.facts[0].scale.mean)}}), score_of({}))
        << "the mean itself is not the same as unknown";
    EXPECT_EQ(score_of({{"rows", 20}, {"unheard", 5}}), score_of({{"rows", 20}}));
}

TEST_F(DecisionEncoders, ReadFactsOfMachinesThatTheTrainingMachinesHave) {
    TaskSet set = set_;
    set.tasks.push_back({"n", {}, set_.tasks[0].runtimes});
    set.tasks.push_back({"unknown", {}, {{2, {word("tile=2")}, {1}}}});
    set.workloads.push_back({.name = "of the test", .load = [] { return facts({}); }});
    set.tasks[0].description.facts = {{"lanes", 1000}, {"cache", 7}};
    set.tasks[1].description.facts = {{"lanes", 3000}};
    set.tasks[2].description.facts = {{"lanes", 9000}, {"new", 1}};
    const std::array<std::size_t, 2> train{0, 1};
    const DecisionInput input = fit_decision_input(set, train, *pair_codec, true);
    ASSERT_THAT(input.machine_facts, SizeIs(2)) << "what only the test has is ignored";
    EXPECT_EQ(input.machine_facts[0].name, "cache");
    EXPECT_DOUBLE_EQ(input.machine_facts[1].scale.mean, (std::asinh(1000) + std::asinh(3000)) / 2);
    EXPECT_THAT(fit_decision_input(set, train, *pair_codec).machine_facts, IsEmpty()) << "it reads none";

    const auto encoder = decision_encoder(input, pair_codec);
    const auto numbers = [&](std::map<std::string, double, std::less<>> known) {
        MachineDescription machine;
        machine.facts = std::move(known);
        const auto all = encoder->machine_numbers(machine);
        return std::vector(all.begin() + static_cast<std::ptrdiff_t>(machine_feature_count()), all.end());
    };
    EXPECT_THAT(numbers({{"lanes", 1000}, {"new", 5}}),
                ElementsAre(0, 0, ::testing::FloatNear(-1, 1e-5F), 1));
    EXPECT_THAT(numbers({{"cache", 7}}), ElementsAre(0, 1, 0, 0)) << "what it lacks is unknown";
    EXPECT_NE(numbers({{"lanes", 0}}), numbers({})) << "and not zero";
}

TEST_F(DecisionEncoders, WorkWithoutAFactAndWithoutADecision) {
    const auto encoder = decision_encoder(fitted(set_of({"", "tile="})), pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    EXPECT_THAT(scores(*encoder, weights, *facts({}), {"", "tile=3"}), SizeIs(2));
    DecisionInput nothing;
    const auto empty = decision_encoder(nothing, pair_codec);
    EXPECT_THAT(scores(*empty, to_tensors(draw_weights(empty->parameters(), 1)), *facts({}), {"a=1", "a=2"}),
                SizeIs(2));
}

TEST_F(DecisionEncoders, SelectRows) {
    const auto encoder = decision_encoder(input_, pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const std::array words{word("tile=8,layout=row"), word("tile=2"), word("layout=x")};
    const auto all = encoder->embeds()->encode_configurations(words, at::kCPU);
    const at::Tensor of_all = encoder->embeds()->embed_configurations(weights, *all);
    const at::Tensor of_two =
        encoder->embeds()->embed_configurations(weights, *all->select(std::array<std::size_t, 2>{2, 0}));
    // Some processors sum in another order where there are more rows.
    constexpr double rounding = 1e-5;
    EXPECT_TRUE(of_two.select(0, 0).allclose(of_all.select(0, 2), rounding, rounding));
    EXPECT_TRUE(of_two.select(0, 1).allclose(of_all.select(0, 0), rounding, rounding));
}

TEST_F(DecisionEncoders, EmbedAWholeSpaceInAMoment) {
    std::vector<std::string> texts;
    for (int number = 0; number < 18'000; ++number) {
        std::string text;
        for (int decision = 0; decision < 12; ++decision)
            text += fmt::format("{}decision_{}={}", decision > 0 ? "," : "", decision,
                                1 << ((number >> decision) % 7));
        texts.push_back(std::move(text));
    }
    const TaskSet set = set_of(texts);
    const auto encoder = decision_encoder(fitted(set), pair_codec);
    const NamedTensors weights = to_tensors(draw_weights(encoder->parameters(), 1));
    const auto begin = std::chrono::steady_clock::now();
    const at::Tensor embedded = encoder->embeds()->embed_configurations(
        weights,
        *encoder->embeds()->encode_configurations(set.tasks[0].runtimes[0].configurations, at::kCPU));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(embedded.size(0), 18'000);
    EXPECT_LT(seconds.count(), 2) << "most of it is the codec of this test";
    RecordProperty("milliseconds", static_cast<int>(1000 * seconds.count()));
}

TEST_F(DecisionEncoders, MakeRowsForTreesWithoutHoles) {
    const auto features = decision_features(input_, pair_codec);
    EXPECT_THAT(features->names(),
                ElementsAre("depth", "depth is known", "rows", "rows is known", "tile", "layout", "pad"));
    const auto statistics = features->statistics(*facts({{"rows", 7}}), 1);
    EXPECT_THAT(statistics, ElementsAre(0, 0, 7, 1));
    const auto rows =
        features->rows(statistics, std::array{word("tile=16,layout=col"), word("tile=5,layout=x")});
    ASSERT_THAT(rows, SizeIs(14));
    EXPECT_EQ(rows[2], 7);
    EXPECT_EQ(rows[4], 16);
    EXPECT_EQ(rows[5], 2);
    EXPECT_LT(rows[6], -1e30F) << "absent";
    EXPECT_EQ(rows[11], 5);
    EXPECT_EQ(rows[12], 0) << "unknown";
    for (const float number : rows)
        EXPECT_FALSE(std::isnan(number));
    for (const float number :
         features->rows(std::array{1e300, 1.0, -1e300, 1.0}, std::array{word("tile=1e99")}))
        EXPECT_TRUE(std::isfinite(number)) << "trees take no others";
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
            const auto payload = facts(digits);
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
    const auto encoder = learning_.new_encoder({decision_architecture, false, made.set, made.split.train});
    for (const Method method : {Method::Supervised, Method::Fomaml})
        EXPECT_GT(accuracy(made, encoder, trained(made, encoder, options(method)), 0), 0.8) << name(method);
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
    const auto encoder = learning_.new_encoder({decision_architecture, true, source.set, source.split.train});
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
    const auto encoder = learning_.new_encoder({decision_architecture, true, made.set, made.split.train});
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
        const ArchitectureRequest model{decision_architecture, reads_machine, known.set, known.split.train};
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
    const auto encoder = learning_.new_encoder({decision_architecture, true, made.set, made.split.train});
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
    const auto encoder = learning_.new_encoder({decision_architecture, true, set_, all});
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
    const auto scorer = must(model->embed(facts({{"digit_0", 1}}), nullptr, 1));
    EXPECT_THAT(must(scorer->score(std::array{word("0000"), word("4321")})), SizeIs(2));

    checkpoint.model.architecture.domain = "another";
    EXPECT_THAT(parse_checkpoint(checkpoint_bytes(checkpoint), learning_).error().message,
                HasSubstr("expected \"locks\""));
}

TEST_F(LockLearning, RefusesDescriptionsThatAreWrong) {
    std::vector<std::size_t> all{0, 1};
    const ModelArchitecture right =
        learning_.new_encoder({decision_architecture, false, set_, all})->architecture();
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
