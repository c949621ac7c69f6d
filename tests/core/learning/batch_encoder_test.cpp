// A domain whose workloads have one configuration: its networks score many workloads at once, and its trees
// correct what the domain says by itself.
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"
#include "support/results.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <cmath>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using testing::must;
using ::testing::SizeIs;

class Number final : public Payload {
public:
    explicit Number(double number)
        : number_(number) {}
    [[nodiscard]] double number() const { return number_; }

private:
    double number_;
};

class EncodedNumber final : public EncodedWorkload {
public:
    explicit EncodedNumber(double number)
        : row_(at::full({1, 1}, number, at::kFloat)) {}
    [[nodiscard]] std::int64_t kept_size() const override { return 1; }
    [[nodiscard]] const at::Tensor& row() const { return row_; }

private:
    at::Tensor row_;
};

class NumberEncoder final : public BatchEncoder {
public:
    [[nodiscard]] ModelArchitecture architecture() const override { return {"numbers", "{}", "toy"}; }
    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
        std::vector<NetworkParameter> list;
        add_linear(list, "line", 1, 1);
        return list;
    }
    [[nodiscard]] bool reads_machine() const override { return false; }
    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double>, const EncodingOptions&) const override {
        return std::make_shared<const EncodedNumber>(static_cast<const Number*>(payload)->number());
    }
    [[nodiscard]] at::Tensor score_batch(const NamedTensors& parameters, EncodedWorkloads workloads,
                                         const at::Tensor&) const override {
        std::vector<at::Tensor> rows;
        for (const EncodedWorkload* const each : workloads)
            rows.push_back(static_cast<const EncodedNumber*>(each)->row());
        return linear(parameters, "line", at::cat(rows)).squeeze(1);
    }
};

/// Its trees see the number, and begin from `slope` times it.
class NumberFeatures final : public TreeFeatures {
public:
    explicit NumberFeatures(double slope)
        : slope_(slope) {}
    [[nodiscard]] ModelArchitecture architecture() const override {
        return {std::string(gray_trees_architecture), "{}", "toy"};
    }
    [[nodiscard]] std::string subject() const override { return "numbers"; }
    [[nodiscard]] std::vector<std::string> names() const override { return {"number"}; }
    [[nodiscard]] bool reads_payload() const override { return true; }
    [[nodiscard]] std::vector<double> statistics(const Payload& payload, int) const override {
        return {static_cast<const Number&>(payload).number()};
    }
    [[nodiscard]] std::vector<float> rows(std::span<const double> statistics,
                                          std::span<const Configuration> configurations) const override {
        return std::vector(configurations.size(), static_cast<float>(statistics.front()));
    }
    [[nodiscard]] std::vector<float>
    first_scores(std::span<const double> statistics,
                 std::span<const Configuration> configurations) const override {
        return std::vector(configurations.size(), static_cast<float>(slope_ * statistics.front()));
    }

private:
    double slope_;
};

class NumberModels final : public ModelDomain {
public:
    [[nodiscard]] Result<std::shared_ptr<const Encoder>> encoder(const ModelArchitecture&) const override {
        return std::make_shared<const NumberEncoder>();
    }
    [[nodiscard]] Result<std::shared_ptr<const TreeFeatures>>
    tree_features(const ModelArchitecture&) const override {
        return std::make_shared<const NumberFeatures>(2);
    }
    [[nodiscard]] std::unique_ptr<CostModel>
    blend_with_simulator(std::unique_ptr<CostModel> network) const override {
        return network;
    }
};

/// A time is exp(2 · number − 1).
class OneConfiguration : public ::testing::Test {
protected:
    OneConfiguration() {
        set_.setting = {"toy", ""};
        set_.tasks = {{"machine", {}, {}}};
        for (std::size_t place = 0; place < 60; ++place) {
            const double number = static_cast<double>(place % 20) / 10 - 1;
            set_.workloads.push_back({fmt::format("workload {}", place), {}, {}, [number] {
                                          return std::make_shared<const Number>(number);
                                      }});
            WorkloadRuntimes runtimes{.workload = place,
                                      .configurations = {Configuration()},
                                      .milliseconds = {std::exp(2 * number - 1)}};
            set_.tasks[0].runtimes.push_back(std::move(runtimes));
            (place % 5 == 0 ? split_.validation : split_.train).push_back(place);
        }
    }

    TaskSet set_;
    WorkloadSplit split_;
    std::shared_ptr<const NumberEncoder> encoder_ = std::make_shared<const NumberEncoder>();
    ExampleStore examples_{set_, encoder_, 1};
    NamedTensors weights_ = to_tensors(draw_weights(encoder_->parameters(), 1), true);
};

TEST_F(OneConfiguration, LossOfABatchIsTheMeanOfThatOfEach) {
    const std::vector<ExampleChoice> choices{{0, {0}}, {7, {0}}, {30, {0}}};
    for (const Loss loss : {Loss::RelativeError, Loss::LogSquaredError}) {
        const Objective batch = must(examples_.objective(loss, 0, choices));
        ASSERT_THAT(batch, SizeIs(1)) << "one graph for all";
        Objective each;
        for (const ExampleChoice& choice : choices)
            each.push_back(must(examples_.term(loss, 0, choice)));
        const Gradient at_once = gradient(batch, weights_);
        const Gradient one_by_one = gradient(each, weights_);
        EXPECT_NEAR(at_once.value, one_by_one.value, 1e-6);
        for (std::size_t tensor = 0; tensor < at_once.tensors.size(); ++tensor)
            EXPECT_TRUE(at_once.tensors[tensor].allclose(one_by_one.tensors[tensor], 1e-4, 1e-6));
    }
}

TEST_F(OneConfiguration, StepsTakeAsManyWorkloadsAsAreAskedFor) {
    TrainingOptions options;
    options.workloads_per_step = 20;
    const auto steps = plan_epoch(set_, split_.train, options, 0);
    ASSERT_THAT(steps, SizeIs(3)) << "48 workloads";
    std::set<std::size_t> seen;
    for (const StepPlan& step : steps)
        for (const ExampleChoice& choice : step.front().query)
            EXPECT_TRUE(seen.insert(choice.runtimes).second);
    EXPECT_THAT(seen, SizeIs(48));
    EXPECT_NE(plan_epoch(set_, split_.train, options, 1), steps);
    EXPECT_EQ(examples_of_full_step(options), 20 * options.configurations_per_workload);
}

TEST_F(OneConfiguration, TimesAreLearnedAndEveryWayOfAskingAgrees) {
    TrainingOptions options;
    options.loss = Loss::RelativeError;
    options.workloads_per_step = 16;
    options.epochs = 150;
    options.rate = 0.02;
    options.rate_schedule = RateSchedule::Cosine;
    const auto result =
        must(train(examples_, split_, options,
                   initial_training_state(options.method, options.inner, weights_), {}, {}, {}));
    const auto reports =
        must(validate(examples_, split_, split_.validation, options, {result.state.best, std::nullopt}));
    EXPECT_LT(*reports[0].time_error, 0.02);
    EXPECT_GT(*reports[0].workload_tau, 0.99);

    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder_->architecture();
    checkpoint.weights = to_arrays(result.state.best);
    const auto model = must(make_cost_model(checkpoint, NumberModels()));
    std::vector<std::shared_ptr<const Payload>> workloads;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < 9; ++place) {
        workloads.push_back(must(set_.workloads[place].load()));
        places.push_back(place);
    }
    const auto each = must(model->score_each(workloads, Configuration(), nullptr, 1));
    const auto stored = must(examples_.scores_each(result.state.best, 0, places));
    for (const std::size_t place : places) {
        const auto scorer = must(model->embed(workloads[place], nullptr, 1));
        const Configuration only;
        EXPECT_FLOAT_EQ(must(scorer->score(std::span(&only, 1))).front(), each[place]);
        EXPECT_FLOAT_EQ(stored[place].item<float>(), each[place]);
    }
    EXPECT_FALSE(model->embed_configurations({}).has_value()) << "it has no embeddings";
}

TEST_F(OneConfiguration, TreesCorrectWhatTheDomainSaysByItself) {
    const auto error = [&](double slope, int rounds) {
        const auto trees = must(train_trees(set_, std::make_shared<const NumberFeatures>(slope), split_.train,
                                            {.goal = TreesGoal::MedianTimes, .rounds = rounds}));
        return *must(report_trees(set_, trees, Loss::RelativeError, split_.validation)).time_error;
    };
    EXPECT_LT(error(2, 40), 0.03) << "it is off by a constant";
    EXPECT_LT(error(2, 40), error(0, 40)) << "without it, trees begin from nothing";

    const auto trees = must(train_trees(set_, std::make_shared<const NumberFeatures>(2), split_.train,
                                        {.goal = TreesGoal::MedianTimes, .rounds = 40}));
    Checkpoint checkpoint;
    checkpoint.model.architecture = trees.features().architecture();
    checkpoint.trees = must(trees.save());
    const auto model = must(make_cost_model(checkpoint, NumberModels()));
    const std::vector<std::shared_ptr<const Payload>> workloads{must(set_.workloads[3].load()),
                                                                must(set_.workloads[11].load())};
    const Configuration only;
    const auto each = must(model->score_each(workloads, only, nullptr, 2));
    ASSERT_THAT(each, SizeIs(2));
    for (std::size_t at = 0; at < each.size(); ++at)
        EXPECT_FLOAT_EQ(
            must(must(model->embed(workloads[at], nullptr, 1))->score(std::span(&only, 1))).front(),
            each[at]);
}

} // namespace
} // namespace sparsight
