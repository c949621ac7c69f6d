#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/training/example_store.h"
#include "learning/training/trainer.h"
#include "learning/training/training_state.h"
#include "model/cost_model.h"
#include "model/tensors/torch_runtime.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <torch/csrc/autograd/autograd.h>
#include <torch/library.h>

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
        options_.support_workloads = 3;
        options_.query_workloads = 3;
        options_.inner = {2, 0.05};
    }

    [[nodiscard]] NamedTensors weights() const { return to_tensors(initial_weights(network_, 7), true); }
    [[nodiscard]] TrainingState beginning() const {
        return initial_training_state(options_.method, options_.inner, weights());
    }
    [[nodiscard]] ExampleStore examples() const { return {tasks_, sparse_encoder(network_), 1}; }

    static ::testing::AssertionResult same(const NamedTensors& one, const NamedTensors& other) {
        for (std::size_t p = 0; p < one.size(); ++p)
            if (!one.tensors()[p].equal(other.tensors()[p]))
                return ::testing::AssertionFailure() << one.names()[p] << " differs";
        return ::testing::AssertionSuccess();
    }

    TaskSet tasks_ = testing::synthetic_tasks(
        std::array<SyntheticMachine, 2>{SyntheticMachine{1.0, 1.0}, SyntheticMachine{-0.5, 0.2}}, 12, 24);
    WorkloadSplit split_ = testing::synthetic_split(tasks_);
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
    EXPECT_EQ(epochs.back().overall.workloads, 3);
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
    EXPECT_THAT(result.error().text(), HasSubstr("maml needs at least two measured workloads on a machine"));
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
    ExampleStore keeps(tasks_, sparse_encoder(network_), 1);
    ExampleStore forgets(tasks_, sparse_encoder(network_), 1, 0);
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
    options_.support_workloads = std::numeric_limits<int>::max();
    options_.query_workloads = std::numeric_limits<int>::max();
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

class Lengths : public ::testing::Test {
protected:
    Lengths() {
        options_.method = Method::Fomaml;
        options_.support_workloads = 2;
        options_.query_workloads = 2;
        options_.tasks_per_step = 2;
        options_.configurations_per_workload = 8;
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
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
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

// That every tensor of a step is where it was asked to be. LibTorch's "meta" device has shapes and no
// numbers: what is mixed with the processor's tensors throws, as it does on a GPU.
namespace {

using ::testing::AnyOf;

/// LibTorch 1.13 has neither of these two for this device.
at::Tensor relu_without_numbers(const at::Tensor& from) {
    return at::empty_like(from);
}
at::Tensor index_select_without_numbers(const at::Tensor& from, std::int64_t dimension,
                                        const at::Tensor& index) {
    TORCH_CHECK(index.is_meta(), "the index is on another device: ", index.device());
    std::vector<std::int64_t> sizes = from.sizes().vec();
    sizes[static_cast<std::size_t>(dimension)] = index.numel();
    return at::empty(sizes, from.options());
}

class Devices : public ::testing::TestWithParam<Architecture> {
protected:
    Devices() {
        network_.architecture = GetParam();
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network_.standardisation = standardise(network_.architecture, tasks_, split_.train);
        network_.machine = true;
    }

    TaskSet tasks_ = testing::synthetic_tasks(
        std::array<testing::SyntheticMachine, 1>{testing::SyntheticMachine{1, 1}}, 6, 8);
    WorkloadSplit split_ = testing::synthetic_split(tasks_);
    NetworkDescription network_;
};

TEST_P(Devices, EveryTensorOfAStepIsOnTheOneThatWasAskedFor) {
    for (const at::Device device : {at::Device(at::kCPU), at::Device(at::kMeta)}) {
        ExampleStore examples(tasks_, sparse_encoder(network_), 1, default_kept_coordinates, device);
        const TrainingState state = initial_training_state(
            Method::MetaSgd, {1, 0.1}, to_tensors(initial_weights(network_, 1), true, at::kFloat, device));
        // This loss alone looks at no number on its way.
        const auto term = examples.term(Loss::LogSquaredError, 0, {0, {0, 1, 2, 3}});
        ASSERT_TRUE(term.has_value()) << term.error().text();
        const NamedTensors& weights = state.parameters.weights;
        const at::Tensor loss = (*term)(weights);
        EXPECT_EQ(loss.device(), device);
        std::vector<at::Tensor> gradients;
        if (device.is_cpu()) // which is differentiated where; "meta" has not learned all of it
            gradients = torch::autograd::grad({loss}, weights.tensors(), {}, false, false, true);
        gradients.resize(weights.size());
        std::vector<at::Tensor> known;
        for (std::size_t p = 0; p < gradients.size(); ++p)
            known.push_back(gradients[p].defined() ? gradients[p]
                                                   : at::zeros_like(weights.tensors()[p].detach()));
        const AdamState adam = initial_adam(weights);
        const AdamStep step = adam_step({}, 0.1, weights, known, adam);
        for (const std::vector<at::Tensor>& tensors :
             {weights.tensors(), state.parameters.rates->tensors(), state.adam.first, state.best.tensors(),
              known, step.parameters.tensors(), step.state.second})
            for (const at::Tensor& tensor : tensors)
                EXPECT_EQ(tensor.device(), device);
        const auto scores = examples.scores(weights, 0, 0);
        ASSERT_TRUE(scores.has_value()) << scores.error().text();
        EXPECT_EQ(scores->device(), device);
    }
}

TEST_P(Devices, AStateThatIsReadAgainIsOnIt) {
    const auto weights = initial_weights(network_, 1);
    const TrainingState state = initial_training_state(Method::Fomaml, {1, 0.1}, to_tensors(weights, true));
    const auto read = parse_training_state(training_state_bytes(state), Method::Fomaml,
                                           parameter_shapes(network_), at::Device(at::kMeta));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    for (const std::vector<at::Tensor>& tensors :
         {read->parameters.weights.tensors(), read->best.tensors(), read->adam.first, read->adam.second})
        for (const at::Tensor& tensor : tensors)
            EXPECT_TRUE(tensor.is_meta());
}

INSTANTIATE_TEST_SUITE_P(Of, Devices, ::testing::Values(Architecture::StatisticsNet, Architecture::WacoNet),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(ComputeDevice, IsTheProcessorOrAGpuThatIsThere) {
    EXPECT_EQ(usable_device("cpu").value(), at::Device(at::kCPU));
    for (const char* text : {"", "gpu", "meta", "cuda:x", "abacus"})
        EXPECT_THAT(usable_device(text).error().message, HasSubstr("expected cpu, cuda")) << text;
    const auto gpu = usable_device("cuda");
    if (!gpu)
        EXPECT_THAT(gpu.error().message, AnyOf(HasSubstr("built without CUDA"), HasSubstr("finds no GPU")));
    else
        EXPECT_THAT(usable_device("cuda:100").error().message, HasSubstr("there is no such GPU"));
}

} // namespace
} // namespace sparsight

TORCH_LIBRARY_IMPL(aten, Meta, library) {
    library.impl("relu", &sparsight::relu_without_numbers);
    library.impl("index_select", &sparsight::index_select_without_numbers);
}
