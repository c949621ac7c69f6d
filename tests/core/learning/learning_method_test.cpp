// How a model learns: methods and their gradients, options, and the plan of an epoch.
#include "domains/sparse/encoder/cost_network.h"
#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "learning/training/learning_method.h"
#include "learning/training/training_plan.h"
#include "model/tensors/losses.h"
#include "synthetic_tasks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/tensor.h>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsSubsetOf;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

NamedTensors one_parameter(double value) {
    return NamedTensors({"w"}, {at::tensor({value}, at::kDouble)});
}

/// The moments written out for one number (Kingma and Ba 2015, algorithm 1).
double adam_by_hand(double weight, const std::vector<double>& gradients, double rate, double decay) {
    double first = 0;
    double second = 0;
    for (std::size_t t = 1; t <= gradients.size(); ++t) {
        const double g = gradients[t - 1];
        first = 0.9 * first + 0.1 * g;
        second = 0.999 * second + 0.001 * g * g;
        const double unbiased_first = first / (1 - std::pow(0.9, static_cast<double>(t)));
        const double unbiased_second = second / (1 - std::pow(0.999, static_cast<double>(t)));
        weight = weight * (1 - rate * decay) - rate * unbiased_first / (std::sqrt(unbiased_second) + 1e-8);
    }
    return weight;
}

TEST(Adam, StepsAsThePaperSays) {
    for (const double decay : {0.0, 0.1}) {
        AdamOptions options;
        options.weight_decay = decay;
        NamedTensors weights = one_parameter(2);
        AdamState state = initial_adam(weights);
        const std::vector<double> gradients{0.5, -3, 0.25, 0};
        for (const double g : gradients) {
            AdamStep step =
                adam_step(options, 0.01, weights, std::vector{at::tensor({g}, at::kDouble)}, state);
            weights = step.parameters;
            state = step.state;
        }
        EXPECT_NEAR(weights["w"].item<double>(), adam_by_hand(2, gradients, 0.01, decay), 1e-12);
        EXPECT_TRUE(weights["w"].requires_grad());
        EXPECT_TRUE(weights["w"].is_leaf());
    }
}

TEST(Adam, LeavesItsArgumentsAlone) {
    const NamedTensors weights = one_parameter(2);
    const AdamState state = initial_adam(weights);
    const AdamStep step = adam_step({}, 0.1, weights, std::vector{at::tensor({1.0}, at::kDouble)}, state);
    EXPECT_EQ(weights["w"].item<double>(), 2);
    EXPECT_EQ(state.first[0].item<double>(), 0);
    EXPECT_EQ(state.steps, 0);
    EXPECT_EQ(step.state.steps, 1);
}

TEST(ClippedGradients, KeepTheirDirection) {
    std::vector<at::Tensor> gradients{at::tensor({3.0, 0.0}, at::kDouble), at::tensor({4.0}, at::kDouble)};
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 10), 5) << "short enough";
    EXPECT_DOUBLE_EQ(gradients[1].item<double>(), 4);
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 1), 5);
    EXPECT_NEAR(gradients[0][0].item<double>(), 0.6, 1e-15);
    EXPECT_NEAR(gradients[1].item<double>(), 0.8, 1e-15);
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 0), 1) << "0: never";
}

constexpr std::array second_order{Method::Maml, Method::Anil, Method::MetaSgd};

at::Tensor numbers(std::initializer_list<double> values) {
    return at::tensor(std::vector<double>(values), at::kDouble);
}

/// Two parameters, of which ANIL adapts the second.
NamedTensors two_parameters() {
    return leaves(
        NamedTensors({"trunk.weight", "final.weight"}, {numbers({0.3, -0.7}), numbers({1.1, 0.4})}));
}

/// Smooth, not quadratic, and with the two parameters entangled: what is dropped anywhere shows.
ObjectiveTerm bent(double shift) {
    return [shift](const NamedTensors& parameters) {
        const at::Tensor& a = parameters["trunk.weight"];
        const at::Tensor& b = parameters["final.weight"];
        return (at::exp(a * b * 0.5 + shift) + (a - b * b).square()).sum();
    };
}

Episode bent_episode() {
    return {{bent(0.1), bent(-0.4)}, {bent(0.3), bent(0.7)}};
}

/// The loss on the query set after the inner loop, as a number.
double query_after(Method method, const InnerLoop& loop, const MetaParameters& parameters,
                   const Episode& episode) {
    return gradient(episode.query, adapt(method, loop, parameters, episode)).value;
}

/// The derivative of query_after() by one element, by central differences.
double difference(Method method, const InnerLoop& loop, MetaParameters parameters, const Episode& episode,
                  bool of_rates, std::size_t tensor, std::int64_t element, double step = 1e-6) {
    const auto moved = [&](double by) {
        NamedTensors& list = of_rates ? *parameters.rates : parameters.weights;
        std::vector<at::Tensor> tensors = leaves(list).tensors();
        tensors[tensor].data().view(-1)[element] += by;
        MetaParameters there = parameters;
        (of_rates ? *there.rates : there.weights) = list.with(std::move(tensors));
        return query_after(method, loop, there, episode);
    };
    return (moved(step) - moved(-step)) / (2 * step);
}

TEST(MetaGradient, GoesThroughTheInnerStepsAsFiniteDifferencesDo) {
    for (const Method method : second_order) {
        for (const int steps : {1, 3}) {
            const InnerLoop loop{steps, 0.05};
            const auto parameters = initial_meta_parameters(method, loop, two_parameters());
            const MetaGradient found = meta_gradient(method, loop, parameters, bent_episode());
            EXPECT_NEAR(found.query_loss, query_after(method, loop, parameters, bent_episode()), 1e-12);
            for (std::size_t tensor = 0; tensor < 2; ++tensor)
                for (std::int64_t element = 0; element < 2; ++element)
                    EXPECT_NEAR(found.weights[tensor][element].item<double>(),
                                difference(method, loop, parameters, bent_episode(), false, tensor, element),
                                1e-7)
                        << name(method) << ", " << steps << " steps, tensor " << tensor;
        }
    }
}

TEST(MetaSgd, LearnsItsInnerRatesByTheirGradient) {
    const InnerLoop loop{2, 0.05};
    const auto parameters = initial_meta_parameters(Method::MetaSgd, loop, two_parameters());
    const MetaGradient found = meta_gradient(Method::MetaSgd, loop, parameters, bent_episode());
    ASSERT_EQ(found.rates.size(), 2U);
    for (std::size_t tensor = 0; tensor < 2; ++tensor)
        for (std::int64_t element = 0; element < 2; ++element)
            EXPECT_NEAR(found.rates[tensor][element].item<double>(),
                        difference(Method::MetaSgd, loop, parameters, bent_episode(), true, tensor, element),
                        1e-7);
}

TEST(Fomaml, TakesTheGradientWhereADetachedInnerLoopEnds) {
    const InnerLoop loop{3, 0.05};
    const auto parameters = initial_meta_parameters(Method::Fomaml, loop, two_parameters());
    const Episode episode = bent_episode();
    NamedTensors copy = leaves(parameters.weights);
    for (int step = 0; step < 3; ++step) {
        const auto gradients = gradient(episode.support, copy).tensors;
        std::vector<at::Tensor> next;
        for (std::size_t p = 0; p < 2; ++p)
            next.push_back(copy.tensors()[p] - gradients[p] * 0.05);
        copy = leaves(copy.with(std::move(next)));
    }
    const Gradient expected = gradient(episode.query, copy);
    const MetaGradient found = meta_gradient(Method::Fomaml, loop, parameters, episode);
    EXPECT_DOUBLE_EQ(found.query_loss, expected.value);
    for (std::size_t p = 0; p < 2; ++p)
        EXPECT_TRUE(found.weights[p].equal(expected.tensors[p]));
}

TEST(Maml, DiffersFromItsFirstOrderFormByTheCurvature) {
    const InnerLoop loop{1, 0.05};
    const auto parameters = initial_meta_parameters(Method::Maml, loop, two_parameters());
    const MetaGradient full = meta_gradient(Method::Maml, loop, parameters, bent_episode());
    const MetaGradient first = meta_gradient(Method::Fomaml, loop, parameters, bent_episode());
    EXPECT_GT((full.weights[0] - first.weights[0]).abs().max().item<double>(), 1e-2);
}

TEST(Reptile, PointsFromWhereTheStepsEndToWhereTheyBegan) {
    const InnerLoop loop{2, 0.01};
    const auto parameters = initial_meta_parameters(Method::Reptile, loop, two_parameters());
    const Episode episode = bent_episode();
    const Objective all{episode.support[0], episode.support[1], episode.query[0], episode.query[1]};
    const NamedTensors end = adapt(Method::Fomaml, loop, parameters, {all, {}});
    const MetaGradient found = meta_gradient(Method::Reptile, loop, parameters, episode);
    for (std::size_t p = 0; p < 2; ++p)
        EXPECT_TRUE(at::Tensor((parameters.weights.tensors()[p].detach() - end.tensors()[p].detach()) / 0.01)
                        .equal(found.weights[p]));
}

TEST(Anil, MovesTheHeadOfAGrayBox) {
    EXPECT_TRUE(adapts(Method::Anil, "head.weight"));
    EXPECT_FALSE(adapts(Method::Anil, "pair.4.weight"));
}

TEST(Anil, MovesThePredictorAlone) {
    const InnerLoop loop{2, 0.05};
    const auto parameters = initial_meta_parameters(Method::Anil, loop, two_parameters());
    const NamedTensors adapted = adapt(Method::Anil, loop, parameters, bent_episode());
    EXPECT_TRUE(adapted["trunk.weight"].equal(parameters.weights["trunk.weight"]));
    EXPECT_FALSE(adapted["final.weight"].equal(parameters.weights["final.weight"]));
}

TEST(Supervised, HasNoInnerLoop) {
    const InnerLoop loop{5, 0.5};
    const auto parameters = initial_meta_parameters(Method::Supervised, loop, two_parameters());
    const MetaGradient found = meta_gradient(Method::Supervised, loop, parameters, bent_episode());
    const Gradient direct = gradient(bent_episode().query, parameters.weights);
    EXPECT_DOUBLE_EQ(found.query_loss, direct.value);
    EXPECT_TRUE(found.weights[0].equal(direct.tensors[0]));
}

TEST(Objective, ThatDependsOnNothingHasAZeroGradient) {
    const Objective constant{[](const NamedTensors&) { return numbers({0.0}).sum(); }};
    for (const Method method : second_order) {
        const auto parameters = initial_meta_parameters(method, {}, two_parameters());
        const MetaGradient found = meta_gradient(method, {}, parameters, {constant, constant});
        EXPECT_EQ(found.weights[1].abs().sum().item<double>(), 0);
    }
}

/// The real networks, in double precision.
class NetworkEpisode {
public:
    explicit NetworkEpisode(Architecture architecture) {
        network_.architecture = architecture;
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        std::vector<PatternStatistics> statistics;
        std::vector<std::vector<double>> rows;
        for (const std::uint64_t seed : {1, 2}) {
            patterns_.push_back(
                *generate_matrix("uniform", {{"rows", 40}, {"cols", 30}, {"density", 0.1}}, seed));
            statistics.push_back(compute_statistics(patterns_.back(), 1));
            rows.push_back(matrix_numbers(architecture, statistics.back()));
        }
        network_.standardisation = fit_standardisation(rows);
        for (std::size_t m = 0; m < patterns_.size(); ++m)
            inputs_.push_back(matrix_input(network_, patterns_[m], statistics[m], nullptr, 1));
        Random random(3);
        const auto schedules =
            sample_uniform(Operator::SpMM, extents(Operator::SpMM, 40, 30, 32), 6, 2, random);
        schedules_ = schedule_input(network_, encode_batch(network_.schedules, schedules));
        for (std::size_t s = 0; s < schedules.size(); ++s)
            milliseconds_.push_back(random.uniform() + 0.1);
    }

    [[nodiscard]] NamedTensors weights() const {
        return to_tensors(initial_weights(network_, 5), true, at::kDouble);
    }

    [[nodiscard]] ObjectiveTerm term(std::size_t matrix) const {
        return [this, matrix](const NamedTensors& parameters) {
            return ranking_loss(Loss::PairwiseLogistic,
                                score(network_, parameters, inputs_[matrix], schedules_), {milliseconds_});
        };
    }

private:
    NetworkDescription network_;
    std::vector<CsrPattern> patterns_;
    std::vector<MatrixInput> inputs_;
    ScheduleInput schedules_;
    std::vector<double> milliseconds_;
};

class MetaGradientOf : public ::testing::TestWithParam<Architecture> {};

/// Along the first-order gradient, where the second-order one must be right for all weights together.
TEST_P(MetaGradientOf, ARealNetworkAgreesWithFiniteDifferences) {
    const NetworkEpisode made(GetParam());
    const Episode episode{{made.term(0)}, {made.term(1)}};
    for (const Method method : {Method::Maml, Method::Anil}) {
        const InnerLoop loop{2, 0.1};
        const auto parameters = initial_meta_parameters(method, loop, made.weights());
        const MetaGradient found = meta_gradient(method, loop, parameters, episode);
        const MetaGradient direction = meta_gradient(Method::Fomaml, loop, parameters, episode);
        const auto moved = [&](double by) {
            std::vector<at::Tensor> tensors;
            for (std::size_t p = 0; p < parameters.weights.size(); ++p)
                tensors.push_back(parameters.weights.tensors()[p].detach() + direction.weights[p] * by);
            const MetaParameters there{leaves(parameters.weights.with(std::move(tensors))), std::nullopt};
            return query_after(method, loop, there, episode);
        };
        double along = 0;
        double first_order = 0;
        for (std::size_t p = 0; p < found.weights.size(); ++p) {
            along += (found.weights[p] * direction.weights[p]).sum().item<double>();
            first_order += direction.weights[p].square().sum().item<double>();
        }
        constexpr double step = 1e-6; // small against the distance to the next kink of a ReLU
        EXPECT_NEAR((moved(step) - moved(-step)) / (2 * step) / along, 1, 1e-5) << name(method);
        EXPECT_GT(std::abs(first_order / along - 1), 1e-3) << "else the first order would pass, too";
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, MetaGradientOf,
                         ::testing::Values(Architecture::WacoNet, Architecture::StatisticsNet),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(MethodNames, RoundTrip) {
    for (const char* text : {"supervised", "maml", "fomaml", "reptile", "anil", "meta-sgd", "report"})
        EXPECT_EQ(name(parse_method(text).value()), text);
    EXPECT_EQ(parse_method("learned"), std::nullopt);
}

std::string defect(std::string_view json) {
    const auto parsed = parse_training_options(json);
    return parsed ? "" : parsed.error().text();
}

TEST(TrainingOptions, RoundTripThroughJson) {
    TrainingOptions options;
    options.method = Method::MetaSgd;
    options.loss = Loss::ListMle;
    options.epochs = 7;
    options.rate = 3e-4;
    options.rate_schedule = RateSchedule::Cosine;
    options.weight_decay = 0.01;
    options.longest_gradient = 5;
    options.inner = {3, 0.02};
    options.patience = 4;
    options.seed = UINT64_MAX;
    const auto parsed = parse_training_options(to_json(options));
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    EXPECT_EQ(*parsed, options);
    EXPECT_EQ(parsed->seed, UINT64_MAX);
    EXPECT_EQ(parsed->inner.steps, 3);
}

TEST(TrainingOptions, LeftOutKeepTheirDefaults) {
    const auto parsed = parse_training_options(R"({"epochs": 5})");
    TrainingOptions expected;
    expected.epochs = 5;
    EXPECT_EQ(parsed.value(), expected);
}

TEST(TrainingOptions, ThatCannotBeAreNamedWithWhatWasExpected) {
    EXPECT_THAT(defect(R"({"epoch": 5})"), HasSubstr("'epoch' is no option"));
    EXPECT_THAT(defect(R"({"method": "mamal"})"),
                HasSubstr("method is \"mamal\"; expected supervised, maml, fomaml, reptile, anil, meta-sgd, "
                          "report or closed-form"));
    EXPECT_THAT(defect(R"({"loss": "hinge"})"),
                HasSubstr("expected margin, logistic, listmle, log-squared, relative or top"));
    EXPECT_THAT(defect(R"({"rate_schedule": "step"})"), HasSubstr("expected constant or cosine"));
    EXPECT_THAT(defect(R"({"rate": -1})"), HasSubstr("rate is -1.0; expected a positive number"));
    EXPECT_THAT(defect(R"({"inner_steps": 0})"), HasSubstr("inner_steps is 0; expected at least 1"));
    EXPECT_THAT(defect(R"({"epochs": 99999999999})"), HasSubstr("epochs is 99999999999"));
    EXPECT_THAT(defect(R"({"seed": -1})"), HasSubstr("seed is -1"));
    EXPECT_THAT(defect(R"({"epochs": 18446744073709551615})"), HasSubstr("epochs is 18446744073709551615"));
    EXPECT_THAT(defect(R"({"schedules_per_matrix": 1})"), HasSubstr("at least 2"));
    EXPECT_THAT(defect("[]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(defect("{"), HasSubstr("not a JSON object"));
}

TEST(CosineRate, FallsFromTheFullRateTowardsNone) {
    TrainingOptions options;
    options.rate = 1;
    options.epochs = 10;
    EXPECT_EQ(rate_of_epoch(options, 9), 1) << "constant";
    options.rate_schedule = RateSchedule::Cosine;
    EXPECT_DOUBLE_EQ(rate_of_epoch(options, 0), 1);
    EXPECT_NEAR(rate_of_epoch(options, 5), 0.5, 1e-12);
    EXPECT_LT(rate_of_epoch(options, 9), 0.03);
    EXPECT_GT(rate_of_epoch(options, 9), 0);
}

constexpr std::array meta_methods{Method::Maml, Method::Fomaml, Method::Reptile, Method::Anil,
                                  Method::MetaSgd};

class TrainingPlan : public ::testing::Test {
protected:
    TrainingPlan() {
        options_.support_workloads = 3;
        options_.query_workloads = 2;
        options_.tasks_per_step = 2;
        options_.configurations_per_workload = 8;
    }

    std::set<std::size_t> matrices(std::size_t task, const std::vector<ExampleChoice>& choices) const {
        std::set<std::size_t> found;
        for (const ExampleChoice& choice : choices)
            found.insert(tasks_.tasks[task].runtimes[choice.runtimes].workload);
        return found;
    }

    TaskSet tasks_ = testing::synthetic_tasks(std::array<testing::SyntheticMachine, 3>{}, 16, 20);
    WorkloadSplit split_ = testing::synthetic_split(tasks_);
    TrainingOptions options_;
};

TEST_F(TrainingPlan, KeepsSupportAndQueryMatricesApartAndToThoseOfTheTrainingSet) {
    for (const Method method : meta_methods) {
        options_.method = method;
        for (int epoch = 0; epoch < 5; ++epoch)
            for (const StepPlan& step : plan_epoch(tasks_, split_.train, options_, epoch))
                for (const EpisodePlan& episode : step) {
                    const auto support = matrices(episode.task, episode.support);
                    const auto query = matrices(episode.task, episode.query);
                    EXPECT_THAT(support, SizeIs(3));
                    EXPECT_THAT(query, SizeIs(2));
                    std::set<std::size_t> all = support;
                    all.insert(query.begin(), query.end());
                    EXPECT_THAT(all, SizeIs(5)) << "no matrix in both";
                    EXPECT_THAT(std::vector<std::size_t>(all.begin(), all.end()), IsSubsetOf(split_.train));
                }
    }
}

TEST_F(TrainingPlan, TakesEachTaskOnceAStep) {
    options_.method = Method::Maml;
    const auto steps = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_THAT(steps, SizeIs(2)) << "12 matrices, 5 an episode";
    for (const StepPlan& step : steps) {
        ASSERT_THAT(step, SizeIs(2));
        EXPECT_NE(step[0].task, step[1].task);
    }
}

TEST_F(TrainingPlan, ShrinksTheEpisodesOfATaskWithFewMatrices) {
    options_.method = Method::Maml;
    options_.support_workloads = 30;
    options_.query_workloads = 10;
    const auto episode = plan_epoch(tasks_, split_.train, options_, 0).front().front();
    EXPECT_THAT(episode.support, SizeIs(9));
    EXPECT_THAT(episode.query, SizeIs(3));
    EXPECT_TRUE(plan_epoch(tasks_, {split_.train.front()}, options_, 0).empty())
        << "one matrix makes no episode";
}

TEST_F(TrainingPlan, OfSupervisedTrainingTakesEveryMatrixOfEveryMachineOnce) {
    std::multiset<std::pair<std::size_t, std::size_t>> seen;
    for (const StepPlan& step : plan_epoch(tasks_, split_.train, options_, 3)) {
        ASSERT_THAT(step, SizeIs(1));
        EXPECT_TRUE(step[0].support.empty());
        for (const std::size_t matrix : matrices(step[0].task, step[0].query))
            seen.emplace(step[0].task, matrix);
    }
    std::multiset<std::pair<std::size_t, std::size_t>> wanted;
    for (std::size_t task = 0; task < 3; ++task)
        for (const std::size_t matrix : split_.train)
            wanted.emplace(task, matrix);
    EXPECT_EQ(seen, wanted);
}

TEST_F(TrainingPlan, OfTheReportTakesAMatrixOnEveryMachineAtOnce) {
    options_.method = Method::Report;
    const auto steps = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_THAT(steps, SizeIs(split_.train.size()));
    for (const StepPlan& step : steps) {
        ASSERT_THAT(step, SizeIs(3));
        for (const EpisodePlan& episode : step) {
            EXPECT_EQ(episode.support, episode.query);
            EXPECT_EQ(matrices(episode.task, episode.query), matrices(step[0].task, step[0].query));
        }
    }
}

TEST_F(TrainingPlan, DrawsSchedulesAnewInEveryEpochAndTheSameInTheSameOne) {
    const auto first = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_EQ(first, plan_epoch(tasks_, split_.train, options_, 0));
    EXPECT_NE(first, plan_epoch(tasks_, split_.train, options_, 1));
    TrainingOptions other = options_;
    other.seed = 2;
    EXPECT_NE(first, plan_epoch(tasks_, split_.train, other, 0));
    for (const StepPlan& step : first)
        EXPECT_THAT(std::set(step[0].query[0].configurations.begin(), step[0].query[0].configurations.end()),
                    SizeIs(8));
}

TEST_F(TrainingPlan, ValidatesWithASupportSetOfTrainingMatricesThatStays) {
    EXPECT_TRUE(plan_validation_support(tasks_, 0, split_.train, options_).empty()) << "no inner loop";
    options_.method = Method::Maml;
    const auto support = plan_validation_support(tasks_, 1, split_.train, options_);
    EXPECT_EQ(support, plan_validation_support(tasks_, 1, split_.train, options_));
    const auto found = matrices(1, support);
    EXPECT_THAT(std::vector<std::size_t>(found.begin(), found.end()), IsSubsetOf(split_.train));
}

} // namespace
} // namespace sparsight
