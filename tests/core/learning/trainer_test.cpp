#include "learning/trainer.h"

#include "model/network_parameters.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::SyntheticMachine;

class Training : public ::testing::Test {
protected:
    Training() {
        network_.architecture = Architecture::StatisticsNet;
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network_.standardisation = standardise(network_.architecture, tasks_, split_.train);
        options_.loss = Loss::PairwiseLogistic;
        options_.rate = 1e-3;
        options_.support_matrices = 3;
        options_.query_matrices = 3;
        options_.inner = {2, 0.05};
    }

    [[nodiscard]] NamedTensors weights() const { return to_tensors(initial_weights(network_, 7), true); }
    [[nodiscard]] TrainingState beginning() const {
        return initial_training_state(options_.method, options_.inner, weights());
    }
    [[nodiscard]] ExampleStore examples() const { return {tasks_, network_, 1}; }

    static ::testing::AssertionResult same(const NamedTensors& one, const NamedTensors& other) {
        for (std::size_t p = 0; p < one.size(); ++p)
            if (!one.tensors()[p].equal(other.tensors()[p]))
                return ::testing::AssertionFailure() << one.names()[p] << " differs";
        return ::testing::AssertionSuccess();
    }

    TaskSet tasks_ = testing::synthetic_tasks(
        std::array<SyntheticMachine, 2>{SyntheticMachine{1.0, 1.0}, SyntheticMachine{-0.5, 0.2}}, 12, 24);
    MatrixSplit split_ = testing::synthetic_split(tasks_);
    NetworkDescription network_;
    TrainingOptions options_;
};

TEST_F(Training, LearnsToRankSchedulesOfMatricesItNeverSaw) {
    tasks_.tasks.resize(1);
    options_.epochs = 40;
    ExampleStore store = examples();
    const double before =
        combine(validate(store, split_, split_.validation, options_, beginning().parameters).value())
            .ordered_pair_accuracy.value();
    std::vector<EpochReport> epochs;
    TrainingObserver observer;
    observer.epoch = [&](const EpochReport& report) { epochs.push_back(report); };
    const auto result = train(store, split_, options_, beginning(), observer);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_EQ(result->end, TrainingEnd::Finished);
    ASSERT_EQ(epochs.size(), 40U);
    EXPECT_LT(epochs.back().training_loss, epochs.front().training_loss / 2);
    EXPECT_LT(before, 0.7);
    EXPECT_GT(epochs.back().overall.ordered_pair_accuracy.value(), 0.9);
    EXPECT_GT(epochs.back().overall.kendall_tau.value(), 0.8);
    EXPECT_LT(epochs.back().overall.regret[2].value(), 0.01) << "top 20 of 25";
    EXPECT_GE(epochs.back().overall.speedup[0].value(), 1) << "fixed CSR is always a candidate";
    EXPECT_EQ(epochs.back().overall.matrices, 3);
}

TEST_F(Training, KeepsTheWeightsOfItsBestEpoch) {
    options_.epochs = 6;
    options_.rate = 0.05; // so that it gets worse now and then
    ExampleStore store = examples();
    std::vector<double> losses;
    std::vector<bool> best;
    TrainingObserver observer;
    observer.epoch = [&](const EpochReport& report) {
        losses.push_back(report.overall.loss);
        best.push_back(report.is_best);
    };
    const auto result = train(store, split_, options_, beginning(), observer);
    ASSERT_TRUE(result.has_value()) << result.error().text();
    const auto least = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
    EXPECT_EQ(result->state.best_epoch, static_cast<int>(least));
    EXPECT_TRUE(best[least]);
    EXPECT_DOUBLE_EQ(result->state.best_loss.value(), losses[least]);
    const MetaParameters kept{result->state.best, std::nullopt};
    EXPECT_NEAR(combine(validate(store, split_, split_.validation, options_, kept).value()).loss,
                losses[least], 1e-6);
}

TEST_F(Training, EndsEarlyWhenTheValidationLossNoLongerFalls) {
    options_.epochs = 50;
    options_.rate = 1e-12; // nothing moves
    options_.patience = 3;
    ExampleStore store = examples();
    const auto result = train(store, split_, options_, beginning());
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->end, TrainingEnd::StoppedEarly);
    EXPECT_LT(result->state.epoch, 50);
}

TEST_F(Training, StoppedAnywhereAndSavedGoesOnToTheSameBits) {
    options_.epochs = 3;
    for (const Method method : {Method::Supervised, Method::Maml, Method::MetaSgd, Method::Reptile}) {
        options_.method = method;
        ExampleStore store = examples();
        const auto whole = train(store, split_, options_, beginning());
        ASSERT_TRUE(whole.has_value()) << whole.error().text();
        for (const std::int64_t stopped_after : {1, 2, 3}) {
            std::stop_source source;
            TrainingObserver observer;
            std::int64_t steps = 0;
            observer.step = [&](const StepReport&) {
                if (++steps == stopped_after)
                    source.request_stop();
            };
            const auto first = train(store, split_, options_, beginning(), observer, source.get_token());
            ASSERT_TRUE(first.has_value());
            ASSERT_EQ(first->end,
                      stopped_after <= whole->state.steps ? TrainingEnd::Stopped : TrainingEnd::Finished);
            auto saved =
                parse_training_state(training_state_bytes(first->state), method, parameter_shapes(network_));
            ASSERT_TRUE(saved.has_value()) << saved.error().text();
            ExampleStore new_store = examples();
            const auto rest = train(new_store, split_, options_, *std::move(saved));
            ASSERT_TRUE(rest.has_value());
            EXPECT_TRUE(same(rest->state.parameters.weights, whole->state.parameters.weights))
                << name(method);
            EXPECT_TRUE(same(rest->state.best, whole->state.best)) << name(method);
            EXPECT_EQ(rest->state.best_epoch, whole->state.best_epoch);
            EXPECT_EQ(rest->state.best_loss, whole->state.best_loss);
            if (method == Method::MetaSgd) {
                EXPECT_TRUE(same(*rest->state.parameters.rates, *whole->state.parameters.rates));
            }
        }
    }
}

TEST_F(Training, ThatDivergesEndsWithTheStepAndTheLikelyCause) {
    options_.rate = 1e30;
    ExampleStore store = examples();
    const auto result = train(store, split_, options_, beginning());
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().text(), HasSubstr("training diverged: in epoch 1, step "));
    EXPECT_THAT(result.error().text(), HasSubstr("the rate of 1e+30 is probably too high"));
}

TEST_F(Training, WithoutMatricesSaysSo) {
    options_.method = Method::Maml;
    split_.train.resize(1);
    ExampleStore store = examples();
    const auto result = train(store, split_, options_, beginning());
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().text(), HasSubstr("maml needs at least two measured matrices on a machine"));
}

TEST_F(Training, EveryMethodLowersItsValidationLoss) {
    for (const char* method : {"supervised", "maml", "fomaml", "reptile", "anil", "meta-sgd", "report"}) {
        options_.method = parse_method(method).value();
        options_.epochs = 12;
        ExampleStore store = examples();
        std::vector<double> losses;
        TrainingObserver observer;
        observer.epoch = [&](const EpochReport& report) { losses.push_back(report.overall.loss); };
        const auto result = train(store, split_, options_, beginning(), observer);
        ASSERT_TRUE(result.has_value()) << method << ": " << result.error().text();
        EXPECT_LT(losses.back(), 0.9 * losses.front()) << method;
    }
}

TEST_F(Training, WithConvolutionsGivesTheSameWhetherPyramidsAreKeptOrMadeAgain) {
    network_.architecture = Architecture::WacoNet;
    network_.standardisation = standardise(network_.architecture, tasks_, split_.train);
    options_.method = Method::Fomaml;
    options_.epochs = 1;
    ExampleStore keeps(tasks_, network_, 1);
    ExampleStore forgets(tasks_, network_, 1, 0);
    const auto one = train(keeps, split_, options_, beginning());
    const auto other = train(forgets, split_, options_, beginning());
    ASSERT_TRUE(one.has_value() && other.has_value());
    EXPECT_TRUE(same(one->state.parameters.weights, other->state.parameters.weights));
}

TEST_F(Training, IsStoppedInAValidationAndGoesOnToTheSame) {
    options_.epochs = 2;
    ExampleStore store = examples();
    const auto whole = train(store, split_, options_, beginning());
    std::stop_source source;
    TrainingObserver observer;
    observer.validation = [&](const Progress&) { source.request_stop(); };
    const auto first = train(store, split_, options_, beginning(), observer, source.get_token());
    ASSERT_TRUE(first.has_value()) << first.error().text();
    EXPECT_EQ(first->end, TrainingEnd::Stopped);
    EXPECT_EQ(first->state.epoch, 0);
    const auto rest = train(store, split_, options_, first->state);
    ASSERT_TRUE(rest.has_value()) << rest.error().text();
    EXPECT_TRUE(same(rest->state.parameters.weights, whole->state.parameters.weights));
    EXPECT_EQ(rest->state.best_loss, whole->state.best_loss);
}

TEST_F(Training, OfOneMethodDoesNotGoOnByAnother) {
    options_.method = Method::MetaSgd;
    const auto bytes = training_state_bytes(beginning());
    const auto state = parse_training_state(bytes, Method::Maml, parameter_shapes(network_));
    ASSERT_FALSE(state.has_value()) << "its weights alone could be read as MAML's";
    EXPECT_THAT(state.error().text(), HasSubstr("of a training run by another method than maml"));
    TrainingState of_meta_sgd = beginning();
    options_.method = Method::Maml;
    ExampleStore store = examples();
    EXPECT_THAT(train(store, split_, options_, std::move(of_meta_sgd)).error().text(),
                HasSubstr("a training run by meta-sgd can't go on by maml"));
}

TEST_F(Training, OfAnEpisodeOfTheMostMatricesThereCanBeTakesAllThereAre) {
    options_.method = Method::Maml;
    options_.epochs = 1;
    options_.support_matrices = std::numeric_limits<int>::max();
    options_.query_matrices = std::numeric_limits<int>::max();
    ASSERT_TRUE(check(options_).has_value());
    ExampleStore store = examples();
    EXPECT_TRUE(train(store, split_, options_, beginning()).has_value());
}

TEST_F(Training, StateOfAnotherNetworkOrDamagedIsRefused) {
    auto bytes = training_state_bytes(beginning());
    NetworkDescription other = network_;
    other.machine = true;
    EXPECT_THAT(parse_training_state(bytes, Method::Supervised, parameter_shapes(other)).error().text(),
                HasSubstr("machine"));
    EXPECT_FALSE(parse_training_state(bytes, Method::MetaSgd, parameter_shapes(network_)).has_value());
    bytes[bytes.size() / 2] ^= std::byte{1};
    EXPECT_THAT(parse_training_state(bytes, Method::Supervised, parameter_shapes(network_)).error().text(),
                HasSubstr("damaged"));
    bytes.resize(10);
    EXPECT_FALSE(parse_training_state(bytes, Method::Supervised, parameter_shapes(network_)).has_value());
}

} // namespace
} // namespace sparsight
