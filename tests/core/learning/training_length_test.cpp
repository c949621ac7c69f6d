#include "learning/training_length.h"

#include "model/network_parameters.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using testing::SyntheticMachine;

class Lengths : public ::testing::Test {
protected:
    Lengths() {
        options_.method = Method::Fomaml;
        options_.support_matrices = 2;
        options_.query_matrices = 2;
        options_.tasks_per_step = 2;
        options_.schedules_per_matrix = 8;
        for (std::size_t matrix = 0; matrix < 12; ++matrix)
            train_.push_back(matrix);
        network_.architecture = Architecture::StatisticsNet;
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network_.standardisation = standardise(network_.architecture, tasks_, train_);
    }
    [[nodiscard]] TrainingState first_state() const {
        return initial_training_state(options_.method, options_.inner,
                                      to_tensors(initial_weights(network_, 1), true));
    }
    [[nodiscard]] static bool are_equal(const NamedTensors& one, const NamedTensors& other) {
        for (std::size_t place = 0; place < one.size(); ++place)
            if (!one.tensors()[place].equal(other.tensors()[place]))
                return false;
        return one.size() == other.size();
    }

    TaskSet tasks_ =
        testing::synthetic_tasks(std::array{SyntheticMachine{1, 1}, SyntheticMachine{-1, 0.2}}, 12, 16);
    std::vector<std::size_t> train_;
    TrainingOptions options_;
    NetworkDescription network_;
};

TEST_F(Lengths, ASourceWithFewMatricesTakesMoreStepsToAsManyExamples) {
    const std::int64_t full = examples_of_full_step(options_);
    EXPECT_EQ(full, 2 * 4 * 8);
    const auto many = training_length(tasks_, train_, options_, 20 * full);
    ASSERT_TRUE(many.has_value());
    EXPECT_EQ(many->steps, 20);
    EXPECT_EQ(many->examples, 20 * full);
    const auto few = training_length(tasks_, {0, 1, 2}, options_, 20 * full);
    ASSERT_TRUE(few.has_value());
    EXPECT_GT(few->steps, many->steps);
    EXPECT_GE(few->examples, many->examples);
    EXPECT_LT(few->examples, many->examples + full);
    EXPECT_FALSE(training_length(tasks_, {}, options_, full).has_value());
}

TEST_F(Lengths, TrainingTakesExactlyItsStepsAndGoesOnToTheSameWeights) {
    const auto length = training_length(tasks_, train_, options_, 7 * examples_of_full_step(options_));
    ASSERT_TRUE(length.has_value());
    std::optional<TrainingState> third;
    TrainingObserver observer;
    observer.checkpoint = [&](const TrainingState& state) -> Result<void> {
        if (state.steps == 3)
            third = state;
        return {};
    };
    ExampleStore examples(tasks_, network_, 1);
    const auto whole = train_for(examples, train_, options_, *length, first_state(), observer);
    ASSERT_TRUE(whole.has_value()) << whole.error().text();
    EXPECT_EQ(whole->steps, 7);
    ASSERT_TRUE(third);
    const auto resumed = train_for(examples, train_, options_, *length, *third);
    ASSERT_TRUE(resumed.has_value());
    EXPECT_TRUE(are_equal(resumed->parameters.weights, whole->parameters.weights));
    EXPECT_FALSE(are_equal(third->parameters.weights, whole->parameters.weights));
    const auto done = train_for(examples, train_, options_, *length, *whole);
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->steps, 7) << "there is nothing left to do";

    std::stop_source stop;
    stop.request_stop();
    const auto stopped = train_for(examples, train_, options_, *length, first_state(), {}, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
