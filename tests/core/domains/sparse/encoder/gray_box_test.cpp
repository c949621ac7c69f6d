// The gray box over the mechanistic simulator: what it reads, and what it learns of a machine that deviates.
#include "model/networks/gray_box.h"

#include "base/random.h"
#include "core/learning/synthetic_tasks.h"
#include "domains/sparse/encoder/deviating_simulator.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_physics.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/fine_tuning/adapted_model.h"
#include "learning/fine_tuning/shot_contenders.h"
#include "learning/fine_tuning/telling_workloads.h"
#include "learning/tasks/transfer_tasks.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "machine/machine_family.h"
#include "workflow/learning/fine_tuning/stated_doubt.h"

#include <ATen/core/Tensor.h>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using testing::synthetic_tasks;

class GrayBoxes : public ::testing::Test {
protected:
    [[nodiscard]] std::shared_ptr<const Encoder> box() const {
        return learning_.new_encoder({gray_box_architecture, false, tasks_, train_});
    }
    [[nodiscard]] static NamedTensors start(const Encoder& box, std::uint64_t seed = 1) {
        return to_tensors(draw_weights(box.parameters(), seed), true);
    }
    /// One machine of the family that deviates from the simulator, with the workloads of the set.
    [[nodiscard]] Task deviating(std::uint64_t index) const {
        const std::vector<MachineDescription> machines{sampled_machine(7, index)};
        return simulated_tasks(tasks_, tasks_.tasks[0], machines, DeviatingSimulator()).value().front();
    }
    [[nodiscard]] static std::vector<double> numbers(const at::Tensor& tensor) {
        const at::Tensor whole = tensor.detach().to(at::kDouble).contiguous();
        return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
    }
    [[nodiscard]] double pairs_in_order(ExampleStore& examples, const NamedTensors& weights) const {
        return *report_ranking(examples, weights, Loss::TopPairs, 0, test_).value().ordered_pair_accuracy;
    }

    SparseLearning learning_;
    TaskSet tasks_ = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 12, 20);
    std::vector<std::size_t> train_{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<std::size_t> test_{8, 9, 10, 11};
};

TEST_F(GrayBoxes, AreTheSimulatorBeforeTheyLearn) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const std::vector<double> scores = numbers(examples.scores(start(*encoder), 0, 3).value());
    const WorkloadRuntimes& runtimes = tasks_.tasks[0].runtimes[3];
    const auto profiles = profiles_of(tasks_, runtimes, 1).value();
    const std::vector<double> simulated = log_simulated(uncalibrated_machine(tasks_.tasks[0]), profiles);
    ASSERT_EQ(scores.size(), simulated.size());
    EXPECT_EQ(scores.back(), 0) << "fixed CSR, to which all are relative";
    for (std::size_t at = 0; at < scores.size(); ++at)
        EXPECT_NEAR(scores[at], simulated[at] - simulated.back(), 1e-5);
}

TEST_F(GrayBoxes, SimulateTheMachineThatTheyAreCalibratedTo) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
    machine[MachineParameter::ChunkCost] *= 8;
    const NamedTensors before = start(*encoder);
    EXPECT_FALSE(calibrated_machine(before));
    std::vector<at::Tensor> tensors = before.tensors();
    tensors.back() = to_tensor(machine);
    const NamedTensors after = before.with(tensors);
    ASSERT_TRUE(calibrated_machine(after));
    const auto profiles = profiles_of(tasks_, tasks_.tasks[0].runtimes[0], 1).value();
    const std::vector<double> simulated = log_simulated(machine, profiles);
    const std::vector<double> scores = numbers(examples.scores(after, 0, 0).value());
    for (std::size_t at = 0; at < scores.size(); ++at)
        EXPECT_NEAR(scores[at], simulated[at] - simulated.back(), 1e-4);
    EXPECT_NE(scores, numbers(examples.scores(before, 0, 0).value()));
}

TEST_F(GrayBoxes, SomeRowsAreScoredLikeAll) {
    const auto encoder = box();
    const GrayBox& of = *encoder->gray_box();
    const NamedTensors weights = start(*encoder);
    const TaskWorkload& matrix = tasks_.workloads[2];
    const WorkloadRuntimes& runtimes = tasks_.tasks[0].runtimes[2];
    const auto payload = matrix.load().value();
    const auto workload = of.encode_workload(nullptr, matrix.statistics, {});
    const auto pairs = of.encode_pairs(of.physics().profile(*payload, runtimes.configurations, 1).value(),
                                       of.physics().machine({}, 2), 1, at::Device(at::kCPU));
    const at::Tensor all = of.linear_score(weights, *workload, *pairs).inputs;
    const auto some =
        pairs->select(std::array<std::size_t, 3>{5, 1, 9})->select(std::array<std::size_t, 2>{2, 0});
    const at::Tensor few = of.linear_score(weights, *workload, *some).inputs;
    EXPECT_TRUE(few[0].allclose(all[9], 1e-5, 1e-6)) << "sums may round otherwise in a smaller batch";
    EXPECT_TRUE(few[1].allclose(all[5], 1e-5, 1e-6));
}

TEST_F(GrayBoxes, ASimulatorsSensitivityIsWhatAChangedMachineShows) {
    const auto physics = sparse_physics(sparse_setting(tasks_.setting));
    const auto payload = tasks_.workloads[4].load().value();
    const auto profile = physics->profile(*payload, tasks_.tasks[0].runtimes[4].configurations, 1).value();
    const MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
    const PhysicsNumbers found = profile->numbers(machine, 1);
    constexpr double step = 1e-4;
    for (std::size_t p = 0; p < fitted_parameter_count; ++p) {
        MachineParameters more = machine;
        MachineParameters less = machine;
        more[fitted_parameters()[p]] *= std::exp(step);
        less[fitted_parameters()[p]] *= std::exp(-step);
        const auto above = profile->numbers(more, 1).log_times;
        const auto below = profile->numbers(less, 1).log_times;
        for (std::size_t row = 0; row < above.size(); ++row)
            EXPECT_NEAR(found.sensitivities[row * fitted_parameter_count + p],
                        (above[row] - below[row]) / (2 * step), 2e-2)
                << parameter_info(fitted_parameters()[p]).key;
    }
}

TEST_F(GrayBoxes, TheirNumbersAreTheSameWithAnyNumberOfThreads) {
    const auto physics = sparse_physics(sparse_setting(tasks_.setting));
    const auto payload = tasks_.workloads[4].load().value();
    const auto profile = physics->profile(*payload, tasks_.tasks[0].runtimes[4].configurations, 1).value();
    const MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
    EXPECT_EQ(profile->numbers(machine, 1).sensitivities, profile->numbers(machine, 3).sensitivities);
}

TEST_F(GrayBoxes, SimulateTheSameTimesWithAndWithoutSensitivities) {
    const auto physics = sparse_physics(sparse_setting(tasks_.setting));
    const auto payload = tasks_.workloads[4].load().value();
    const auto profile = physics->profile(*payload, tasks_.tasks[0].runtimes[4].configurations, 1).value();
    const MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
    const PhysicsNumbers numbers = profile->numbers(machine, 1);
    const PhysicsNumbers times = profile->times(machine, 1);
    constexpr double rounding = 1e-9;
    EXPECT_THAT(times.log_times, ::testing::Pointwise(::testing::DoubleNear(rounding), numbers.log_times));
    EXPECT_THAT(times.terms, ::testing::Pointwise(::testing::DoubleNear(rounding), numbers.terms));
    EXPECT_THAT(times.sensitivities, ::testing::IsEmpty());
}

TEST_F(GrayBoxes, HaveTheGradientThatFiniteDifferencesFind) {
    const auto encoder = box();
    const TaskWorkload& matrix = tasks_.workloads[1];
    const WorkloadRuntimes& runtimes = tasks_.tasks[0].runtimes[1];
    const GrayBox& of = *encoder->gray_box();
    const auto payload = matrix.load().value();
    const auto workload = of.encode_workload(nullptr, matrix.statistics, {});
    const auto pairs = of.encode_pairs(of.physics().profile(*payload, runtimes.configurations, 1).value(),
                                       of.physics().machine({}, 2), 1, at::Device(at::kCPU));
    std::vector<NamedArray> arrays = draw_weights(encoder->parameters(), 5);
    for (NamedArray& array : arrays)
        if (array.name == head_weight)
            array.values.assign(array.values.size(), 0.1F);
    const NamedTensors weights = to_tensors(arrays, true, at::kDouble);
    const auto loss_at = [&](const NamedTensors& at) {
        return ranking_loss(Loss::TopPairs, encoder->score(at, *workload, {}, *pairs), runtimes.known());
    };
    for (const char* const name : {"pair.0.weight", "workload.bias", "pair.4.bias", "head.weight"}) {
        const at::Tensor gradient = torch::autograd::grad({loss_at(weights)}, {weights[name]})[0].flatten();
        for (const std::int64_t place : {std::int64_t{0}, gradient.numel() / 2}) {
            constexpr double step = 1e-5;
            const auto moved = [&](double by) {
                std::vector<at::Tensor> tensors;
                for (std::size_t at = 0; at < weights.size(); ++at) {
                    tensors.push_back(weights.tensors()[at].detach().clone());
                    if (weights.names()[at] == name)
                        tensors.back().flatten()[place] += by;
                }
                return loss_at(weights.with(tensors)).item<double>();
            };
            EXPECT_NEAR(gradient[place].item<double>(), (moved(step) - moved(-step)) / (2 * step), 1e-6)
                << name;
        }
    }
}

TEST_F(GrayBoxes, WithoutMeasurementsFineTuningChangesNothing) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    ExampleStore examples(tasks_, encoder, 1);
    const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
    const NamedTensors before = start(*encoder);
    const NamedTensors after = fine_tune(examples, 0, {}, options, {before, std::nullopt}).value();
    EXPECT_EQ(numbers(after[head_weight]), numbers(before[head_weight]));
    EXPECT_FALSE(calibrated_machine(after));
}

TEST_F(GrayBoxes, LearnFromAFewMatricesInWhatAMachineDeviates) {
    const auto encoder = box();
    double gained = 0;
    for (const std::uint64_t machine : {3U, 4U, 5U}) {
        tasks_.tasks[0] = deviating(machine);
        ExampleStore examples(tasks_, encoder, 1);
        const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
        const NamedTensors before = start(*encoder);
        const NamedTensors after = fine_tune(examples, 0, train_, options, {before, std::nullopt}).value();
        EXPECT_TRUE(calibrated_machine(after));
        gained += pairs_in_order(examples, after) - pairs_in_order(examples, without_correction(after));
        EXPECT_GT(pairs_in_order(examples, after), pairs_in_order(examples, before));
    }
    EXPECT_GT(gained, 0) << "beyond what a calibration finds";
}

class TreesOnASimulator : public GrayBoxes {
protected:
    /// What a contender that learned from these matrices makes of the test matrices.
    [[nodiscard]] RankingReport report(const ShotContender& contender,
                                       std::span<const std::size_t> workloads) const {
        ExampleStore examples(tasks_, box(), 1);
        const std::stop_token stop;
        const auto learned = contender.learn({examples, 0, workloads, 1, stop}).value();
        return learned(examples, 0, test_, stop).value();
    }

    ShotContender simulator_ = calibrated_simulator("simulator");
    ShotContender trees_ = trees_on_simulator("trees", {.rounds = 60, .depth = 4, .rate = 0.06});
};

TEST_F(TreesOnASimulator, OrderAsItDoesBeforeTheyLearn) {
    tasks_.tasks[0] = deviating(3);
    const RankingReport uncalibrated = report(simulator_, {});
    EXPECT_EQ(report(trees_, {}), uncalibrated);
    const ShotContender no_trees = trees_on_simulator("trees", {.rounds = 0});
    const RankingReport calibrated = report(simulator_, train_);
    EXPECT_EQ(report(no_trees, train_), calibrated);
    EXPECT_NE(calibrated, uncalibrated);
    EXPECT_NE(report(trees_, train_), calibrated);
}

TEST_F(TreesOnASimulator, LearnInWhatAMachineDeviates) {
    double gained = 0;
    for (const std::uint64_t machine : {3U, 4U, 5U}) {
        tasks_.tasks[0] = deviating(machine);
        gained +=
            *report(trees_, train_).ordered_pair_accuracy - *report(simulator_, train_).ordered_pair_accuracy;
    }
    EXPECT_GT(gained, 0);
}

TEST_F(TreesOnASimulator, ReadWhatAGrayBoxReadsOfAPairAndItsMatrix) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors weights = start(*encoder);
    const PairNumbers pairs = examples.pair_numbers(weights, 0, 2).value();
    EXPECT_EQ(numbers(pairs.offset), numbers(examples.scores(weights, 0, 2).value()));
    const Physics& physics = encoder->gray_box()->physics();
    const auto of_matrix =
        static_cast<std::int64_t>(physics.workload_numbers(tasks_.workloads[2].statistics).size());
    const std::int64_t width = pairs.numbers.size(1);
    EXPECT_EQ(width, encoder->parameters().front().tensor.shape.back() + of_matrix);
    const at::Tensor matrix = pairs.numbers.narrow(1, width - of_matrix, of_matrix);
    EXPECT_TRUE(matrix[0].equal(matrix[1]));
    const PairNumbers others = examples.pair_numbers(weights, 0, 3).value();
    EXPECT_FALSE(matrix[0].equal(others.numbers[0].narrow(0, width - of_matrix, of_matrix)));
}

TEST_F(TreesOnASimulator, LearnNothingFromSchedulesThatItRefuses) {
    const CsrPattern thin =
        generate_matrix("uniform", {{"rows", 5000}, {"cols", 5000}, {"density", 2e-4}}, 1).value();
    Random random(1);
    const auto drawn = sample_uniform(Operator::SpMM, extents(Operator::SpMM, 5000, 5000, 32), 40, 2, random);
    tasks_.workloads.push_back(
        task_workload("thin", compute_statistics(thin, 1), [thin] { return Result<CsrPattern>(thin); }));
    const std::array<std::size_t, 1> only{tasks_.workloads.size() - 1};
    tasks_.tasks[0].runtimes.push_back(
        schedule_runtimes(only[0], drawn, std::vector<double>(drawn.size(), 1)));
    const std::size_t place = tasks_.tasks[0].runtimes.size() - 1;
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors weights = start(*encoder);
    const std::vector<double> offsets = numbers(examples.pair_numbers(weights, 0, place).value().offset);
    ASSERT_GT(std::ranges::count(offsets, never_runs), 0);
    ASSERT_LT(std::ranges::count(offsets, never_runs), static_cast<std::ptrdiff_t>(offsets.size()) - 5);
    std::vector<double>& milliseconds = tasks_.tasks[0].runtimes[place].milliseconds;
    const auto learned_where_refused_take = [&](double time) {
        for (std::size_t at = 0; at < offsets.size(); ++at)
            milliseconds[at] = offsets[at] < never_runs ? static_cast<double>(1 + at % 7) : time;
        const auto trees =
            train_correcting_trees(examples, [&](std::size_t) -> const NamedTensors& { return weights; }, 0,
                                   only, {.rate = 0.3})
                .value();
        for (std::size_t at = 0; at < offsets.size(); ++at)
            if (offsets[at] == never_runs)
                milliseconds[at] = std::numeric_limits<double>::infinity();
        return report_adapted(examples, {weights, trees}, Loss::TopPairs, 0, only).value();
    };
    const RankingReport learned = learned_where_refused_take(1e-6);
    EXPECT_EQ(learned, learned_where_refused_take(1e6));
    EXPECT_GT(*learned.ordered_pair_accuracy, 0.95) << "pairs with what it refuses among them";
}

TEST_F(GrayBoxes, HaveTreesBesideThemThatKnowWhatTheHeadMisses) {
    const auto encoder = box();
    const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
    double gained = 0;
    for (const std::uint64_t machine : {3U, 4U, 5U}) {
        tasks_.tasks[0] = deviating(machine);
        ExampleStore examples(tasks_, encoder, 1);
        const AdaptedModel both =
            adapt(examples, 0, train_, options, {start(*encoder), std::nullopt}).value();
        ASSERT_NE(both.trees, nullptr);
        const auto pairs = [&](const AdaptedModel& model) {
            return *report_adapted(examples, model, options.loss, 0, test_).value().ordered_pair_accuracy;
        };
        gained += pairs(both) - pairs({both.weights});
    }
    EXPECT_GT(gained, 0);
}

TEST_F(GrayBoxes, LeaveOneOrTwoMatricesToTheTreesAlone) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    ExampleStore examples(tasks_, encoder, 1);
    const std::vector<std::size_t> one{train_.front()};
    const AdaptedModel model =
        adapt(examples, 0, one, usual_options(FineTuningRule::ClosedForm), {start(*encoder), std::nullopt})
            .value();
    EXPECT_TRUE(calibrated_machine(model.weights));
    EXPECT_THAT(numbers(model.weights[head_weight]), ::testing::Each(0));
    EXPECT_NE(model.trees, nullptr);
    EXPECT_GT(at::abs(model.weights[head_covariance]).sum().item<double>(), 0) << "what is still in doubt";
}

TEST_F(GrayBoxes, HaveNoTreesWithoutMeasurements) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    for (const FineTuningRule rule : {FineTuningRule::ClosedForm, FineTuningRule::Adam})
        EXPECT_EQ(adapt(examples, 0, {}, usual_options(rule), {start(*encoder), std::nullopt}).value().trees,
                  nullptr);
}

TEST_F(GrayBoxes, AreCalibratedBeforeInnerStepsToo) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors before = start(*encoder);
    const FineTuningOptions options{.rule = FineTuningRule::InnerSteps,
                                    .method = Method::Anil,
                                    .loss = Loss::TopPairs,
                                    .epochs = 2,
                                    .inner_rate = 0.05};
    const NamedTensors after = fine_tune(examples, 0, train_, options, {before, std::nullopt}).value();
    EXPECT_TRUE(calibrated_machine(after));
    EXPECT_NE(numbers(after[head_weight]), numbers(before[head_weight])) << "the steps move the head";
    EXPECT_EQ(numbers(after["pair.4.weight"]), numbers(before["pair.4.weight"]));
    EXPECT_GT(pairs_in_order(examples, after), pairs_in_order(examples, before));
}

TEST_F(GrayBoxes, ForgetTheMachineThatTheyWereCalibratedTo) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors fresh = start(*encoder);
    MachineParameters another = uncalibrated_machine(tasks_.tasks[0]);
    another[MachineParameter::Cores] *= 4;
    another[MachineParameter::ChunkCost] *= 8;
    std::vector<at::Tensor> tensors = fresh.tensors();
    tensors.back() = to_tensor(another);
    const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
    const std::vector<std::size_t> one{train_.front()};
    const auto learned = [&](const NamedTensors& from) {
        const NamedTensors after = fine_tune(examples, 0, one, options, {from, std::nullopt}).value();
        return numbers(examples.scores(after, 0, 9).value());
    };
    EXPECT_EQ(learned(fresh.with(tensors)), learned(fresh));
}

TEST_F(GrayBoxes, LearnNothingFromSchedulesThatTheSimulatorRefuses) {
    const auto encoder = box();
    const CsrPattern thin =
        generate_matrix("uniform", {{"rows", 5000}, {"cols", 5000}, {"density", 2e-4}}, 1).value();
    Random random(1);
    const auto drawn = sample_uniform(Operator::SpMM, extents(Operator::SpMM, 5000, 5000, 32), 40, 2, random);
    const auto payload = payload_of(CsrPattern(thin));
    const auto configurations = configurations_of(drawn);
    std::vector<double> milliseconds =
        MechanisticSimulator()
            .profile({.setting = tasks_.setting, .data = payload.get(), .configurations = configurations})
            .value()
            ->times(tasks_.tasks[0].description)
            .value()
            .milliseconds;
    ExampleChoice accepted{tasks_.tasks[0].runtimes.size(), {}};
    ExampleChoice all = accepted;
    for (std::size_t at = 0; at < milliseconds.size(); ++at) {
        all.configurations.push_back(at);
        if (std::isfinite(milliseconds[at]))
            accepted.configurations.push_back(at);
        milliseconds[at] = std::isfinite(milliseconds[at]) ? milliseconds[at] * (1 + random.uniform()) : 1;
    }
    ASSERT_GT(accepted.configurations.size(), 5);
    ASSERT_LT(accepted.configurations.size(), all.configurations.size());
    tasks_.workloads.push_back(
        task_workload("thin", compute_statistics(thin, 1), [thin] { return Result<CsrPattern>(thin); }));
    tasks_.tasks[0].runtimes.push_back(
        schedule_runtimes(tasks_.workloads.size() - 1, drawn, std::move(milliseconds)));
    ExampleStore examples(tasks_, encoder, 1);
    const auto learned = [&](const ExampleChoice& from) {
        const auto rows = examples.linear_terms(0, std::array{from}).value();
        return numbers(with_posterior_head(start(*encoder), rows)[head_weight]);
    };
    EXPECT_THAT(learned(all), ::testing::Pointwise(::testing::DoubleNear(1e-3), learned(accepted)));
}

TEST_F(GrayBoxes, ReadEachMatrixOnce) {
    const auto encoder = box();
    int reads = 0;
    const auto load = tasks_.workloads[1].load;
    tasks_.workloads[1].load = [&reads, load] {
        ++reads;
        return load();
    };
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors weights = start(*encoder);
    EXPECT_TRUE(examples.scores(weights, 0, 1));
    EXPECT_TRUE(examples.scores(weights, 0, 1));
    EXPECT_EQ(reads, 1);
}

TEST_F(GrayBoxes, ForgetMatricesThatThereIsNoRoomFor) {
    const auto encoder = box();
    int reads = 0;
    const auto load = tasks_.workloads[1].load;
    tasks_.workloads[1].load = [&reads, load] {
        ++reads;
        return load();
    };
    const NamedTensors weights = start(*encoder);
    const auto reads_with_room_for = [&](std::int64_t coordinates) {
        ExampleStore examples(tasks_, encoder, 1, coordinates);
        reads = 0;
        const std::vector<double> first = numbers(examples.scores(weights, 0, 1).value());
        EXPECT_TRUE(examples.scores(weights, 0, 2));
        EXPECT_EQ(numbers(examples.scores(weights, 0, 1).value()), first);
        return reads;
    };
    EXPECT_EQ(reads_with_room_for(default_kept_coordinates), 1);
    EXPECT_EQ(reads_with_room_for(0), 2) << "the last one stays";
}

TEST_F(GrayBoxes, TellOfTimesThatCanNotBeSolvedFor) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const std::vector<std::size_t> one{train_.front()};
    tasks_.tasks[0].runtimes[one[0]].milliseconds[0] = std::numeric_limits<double>::denorm_min();
    const FineTuningOptions options{.rule = FineTuningRule::ClosedForm};
    const auto tuned = fine_tune(examples, 0, one, options, {start(*encoder), std::nullopt});
    ASSERT_FALSE(tuned);
    EXPECT_EQ(tuned.error().fault, Fault::Input);
    EXPECT_THAT(tuned.error().message, ::testing::HasSubstr("could not be solved for"));
}

TEST_F(GrayBoxes, AreStoppedWhileTheyLookAtMatrices) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    std::stop_source stop;
    const auto load = tasks_.workloads[1].load;
    tasks_.workloads[1].load = [&stop, load] {
        stop.request_stop();
        return load();
    };
    ExampleStore examples(tasks_, encoder, 1);
    const std::vector<ExampleChoice> both{{0, {0, 1, 2}}, {1, {0, 1, 2}}};
    EXPECT_EQ(examples.linear_terms(0, both, stop.get_token()).error().fault, Fault::Cancelled);
    EXPECT_EQ(examples.calibrate(0, train_, 1, stop.get_token()).error().fault, Fault::Cancelled);
    EXPECT_TRUE(examples.linear_terms(0, both)) << "nothing half counted was kept";
}

TEST_F(GrayBoxes, LookAtNoMatrixButThoseThatTheyLearnFrom) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    const auto learned = [&] {
        ExampleStore examples(tasks_, encoder, 1);
        const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
        return numbers(
            fine_tune(examples, 0, train_, options, {start(*encoder), std::nullopt}).value()[head_weight]);
    };
    const auto before = learned();
    for (WorkloadRuntimes& runtimes : tasks_.tasks[0].runtimes)
        if (runtimes.workload >= test_.front())
            for (double& milliseconds : runtimes.milliseconds)
                milliseconds = 1 / milliseconds;
    EXPECT_EQ(learned(), before);
}

std::int64_t all_pairs(const RankingReport& report) {
    const PairCounts& pairs = report.counts.pairs;
    return pairs.concordant + pairs.discordant + pairs.tied_scores + pairs.tied_runtimes + pairs.tied_both;
}

TEST_F(GrayBoxes, MetaLearnOverMachinesThatDeviate) {
    const Task recorded = tasks_.tasks[0];
    tasks_.tasks.clear();
    std::vector<MachineDescription> machines;
    for (const std::uint64_t machine : {10U, 11U, 12U, 13U})
        machines.push_back(sampled_machine(7, machine));
    tasks_.tasks = simulated_tasks(tasks_, recorded, machines, DeviatingSimulator()).value();
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    TrainingOptions options;
    options.method = Method::ClosedForm;
    options.loss = Loss::TopPairs;
    options.epochs = 30;
    options.configurations_per_workload = 20;
    options.rate = 3e-3;
    options.longest_gradient = 1;
    options.support_workloads = 4;
    options.query_workloads = 4;
    const NamedTensors first = start(*encoder);
    const WorkloadSplit split{train_, test_, {}};
    const auto before = combine(validate(examples, split, test_, options, {first, std::nullopt}).value());
    std::vector<EpochReport> epochs;
    TrainingObserver observer;
    observer.epoch = [&](const EpochReport& report) { epochs.push_back(report); };
    const auto trained = train(examples, split, options,
                               initial_training_state(options.method, options.inner, first), observer)
                             .value();
    for (const EpochReport& epoch : epochs) {
        ASSERT_EQ(epoch.simulator.size(), machines.size());
        EXPECT_EQ(combine(epoch.simulator), combine(epochs.front().simulator)) << "it learns nothing";
        EXPECT_EQ(all_pairs(combine(epoch.simulator)), all_pairs(epoch.overall)) << "the same pairs";
    }
    EXPECT_EQ(
        epochs.front().simulator[1],
        report_ranking(examples, without_correction(trained.state.best), options.loss, 1, test_).value());
    EXPECT_GE(*epochs.back().overall.ordered_pair_accuracy,
              *combine(epochs.back().simulator).ordered_pair_accuracy);
    const auto after =
        combine(validate(examples, split, test_, options, {trained.state.best, std::nullopt}).value());
    EXPECT_LT(after.loss, before.loss);
    EXPECT_GE(*after.ordered_pair_accuracy, *before.ordered_pair_accuracy);
}

// The simulator is right but for scatter of a known size: what the model states of it has to come true.
TEST_F(GrayBoxes, StateAsMuchDoubtAsTimesScatter) {
    constexpr double scatter = 0.3;
    tasks_ = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 40, 30);
    Random random(3);
    for (WorkloadRuntimes& runtimes : tasks_.tasks[0].runtimes) {
        const auto profiles = profiles_of(tasks_, runtimes, 1).value();
        for (std::size_t at = 0; at < profiles.size(); ++at)
            runtimes.milliseconds[at] =
                simulate(uncalibrated_machine(tasks_.tasks[0]), profiles[at]).total() *
                std::exp(scatter * random.normal());
    }
    std::vector<std::size_t> tuned(12);
    std::vector<std::size_t> validated(8);
    std::vector<std::size_t> tested(20);
    std::iota(tuned.begin(), tuned.end(), std::size_t{0});
    std::iota(validated.begin(), validated.end(), std::size_t{12});
    std::iota(tested.begin(), tested.end(), std::size_t{20});
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
    const auto adapted = adapt(examples, 0, tuned, options, {start(*encoder), std::nullopt});
    ASSERT_TRUE(adapted) << adapted.error().text();
    const auto checked = checked_doubt(examples, {tuned, validated, tested}, *adapted, 1);
    ASSERT_TRUE(checked) << checked.error().text();
    ASSERT_TRUE(checked->doubt && checked->reliability);
    EXPECT_NEAR(checked->doubt->residual, scatter, 0.06);
    EXPECT_NEAR(std::log(checked->doubt->temperature), 0, 0.35);
    EXPECT_EQ(checked->doubt->calibrated_on, 8);
    EXPECT_EQ(checked->reliability->workloads, 20);
    EXPECT_LT(checked->reliability->error, 0.06);
    EXPECT_NEAR(checked->reliability->within.value, 0.95, 0.04);
    const auto blind = checked_doubt(examples, {tuned, {}, tested}, *adapted, 1).value();
    EXPECT_EQ(blind.doubt->calibrated_on, 0);
    EXPECT_EQ(blind.doubt->temperature, 1) << "the test chooses nothing";
    EXPECT_FALSE(checked_doubt(examples, {{}, validated, tested}, *adapted, 1).value().doubt);
}

// The schedules' times are those of the described machine, but for chunks: what is left for the head to say
// is which parameter is wrong.
TEST_F(GrayBoxes, TellInWhatTheMachineIsUnlikeTheSimulator) {
    const auto encoder = box();
    MachineParameters machine = uncalibrated_machine(tasks_.tasks[0]);
    machine[MachineParameter::ChunkCost] *= 8;
    for (WorkloadRuntimes& runtimes : tasks_.tasks[0].runtimes) {
        const auto profiles = profiles_of(tasks_, runtimes, 1).value();
        for (std::size_t at = 0; at < profiles.size(); ++at)
            runtimes.milliseconds[at] = simulate(machine, profiles[at]).total();
    }
    EXPECT_THAT(deviations(draw_weights(encoder->parameters(), 1)), ::testing::IsEmpty());
    ExampleStore examples(tasks_, encoder, 1);
    std::vector<ExampleChoice> all;
    for (std::size_t at = 0; at < tasks_.tasks[0].runtimes.size(); ++at) {
        all.push_back({at, {}});
        for (std::size_t row = 0; row < tasks_.tasks[0].runtimes[at].configurations.size(); ++row)
            all.back().configurations.push_back(row);
    }
    std::vector<NamedArray> weights = draw_weights(encoder->parameters(), 1);
    for (NamedArray& array : weights) // learned numbers of the pair would take a part of it
        if (array.name.starts_with("pair.4"))
            array.values.assign(array.values.size(), 0.0F);
    const NamedTensors solved =
        with_posterior_head(to_tensors(weights), examples.linear_terms(0, all).value());
    const auto found = deviations(to_arrays(solved));
    ASSERT_EQ(found.size(), fitted_parameter_count);
    const auto chunks = std::ranges::find(found, MachineParameter::ChunkCost, &ParameterDeviation::parameter);
    EXPECT_GT(chunks->factor, 1.1);
    EXPECT_GT(chunks->doubt, 0);
    EXPECT_TRUE((ParameterDeviation{MachineParameter::ChunkCost, 2, 0.1}).is_clear());
    EXPECT_FALSE((ParameterDeviation{MachineParameter::ChunkCost, 1.1, 0.1}).is_clear());
}

TEST_F(GrayBoxes, KnowWhichMatricesWouldTellThemMost) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    const NamedTensors weights = start(*encoder);
    const auto chosen = telling_workloads(examples, 0, {}, train_, weights, 3).value();
    ASSERT_EQ(chosen.size(), 3);
    double left = 1;
    for (const TellingWorkload& each : chosen) {
        EXPECT_LT(each.doubt_left, left);
        left = each.doubt_left;
    }
    EXPECT_GT(left, 0);
    EXPECT_EQ(telling_workloads(examples, 0, {}, train_, weights, 3).value(), chosen);
    EXPECT_EQ(telling_workloads(examples, 0, {}, train_, weights, 100).value().size(), train_.size());

    const std::array known{chosen.front().workload};
    std::vector<std::size_t> others = train_;
    std::erase(others, known.front());
    EXPECT_EQ(telling_workloads(examples, 0, known, others, weights, 1).value().front().workload,
              chosen[1].workload)
        << "what was measured need not be measured again";
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(telling_workloads(examples, 0, {}, train_, weights, 3, stop.get_token()).error().fault,
              Fault::Cancelled);
}

TEST_F(GrayBoxes, AsAModelInUseTheyScoreAsInTraining) {
    const auto encoder = box();
    tasks_.tasks[0] = deviating(3);
    ExampleStore examples(tasks_, encoder, 1);
    const FineTuningOptions options = usual_options(FineTuningRule::ClosedForm);
    const AdaptedModel adapted = adapt(examples, 0, train_, options, {start(*encoder), std::nullopt}).value();
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.model.architecture.domain = "sparse";
    checkpoint.weights = to_arrays(adapted.weights);
    checkpoint.trees = adapted.trees->save().value();
    const Checkpoint read = parse_checkpoint(checkpoint_bytes(checkpoint), learning_).value();
    const auto model = make_cost_model(read, learning_).value();
    EXPECT_EQ(model->embedding_width(), 0);
    const auto payload = tasks_.workloads[9].load().value();
    const auto scorer = model->embed(payload, nullptr, 1).value();
    const auto& configurations = tasks_.tasks[0].runtimes[9].configurations;
    const auto scores = scorer->score(configurations).value();
    const UsedTrees used(examples, adapted.trees);
    const std::vector<double> expected = numbers(examples.scores(adapted.weights, 0, 9).value());
    const auto parts = scorer->last_inputs(configurations).value();
    for (std::size_t at = 0; at < scores.size(); ++at) {
        EXPECT_NEAR(scores[at], expected[at], 1e-4);
        double sum = 0;
        for (std::size_t part = 0; part < model->last_width(); ++part)
            sum += static_cast<double>(parts[at * model->last_width() + part]);
        EXPECT_NEAR(sum, expected[at], 1e-3) << "the parts add up";
    }
    EXPECT_EQ(scorer->score(configurations).value(), scores) << "what was counted before changes nothing";
    EXPECT_THAT(scorer->score({}).value(), ::testing::IsEmpty());
    checkpoint.trees = "no trees";
    EXPECT_THAT(parse_checkpoint(checkpoint_bytes(checkpoint), learning_).error().message,
                ::testing::HasSubstr("behind its tensors"));
}

TEST_F(GrayBoxes, NotFineTunedTheyNeedAMachine) {
    const auto encoder = box();
    Checkpoint checkpoint;
    checkpoint.model.architecture = encoder->architecture();
    checkpoint.weights = draw_weights(encoder->parameters(), 1);
    const auto model = make_cost_model(checkpoint, learning_).value();
    const auto payload = tasks_.workloads[0].load().value();
    EXPECT_THAT(model->embed(payload, nullptr, 1).error().message,
                ::testing::HasSubstr("no machine is known"));
    EXPECT_TRUE(model->embed(payload, &tasks_.tasks[0].description, 1));
}

TEST(DeviatingSimulators, AreTheSameForANameAndUnlikeForOthers) {
    const TaskSet tasks = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 1, 20);
    const auto payload = tasks.workloads[0].load().value();
    const SimulatedRuns runs{.setting = tasks.setting,
                             .data = payload.get(),
                             .configurations = tasks.tasks[0].runtimes[0].configurations};
    const auto deviating = DeviatingSimulator().profile(runs).value();
    const auto exact = MechanisticSimulator().profile(runs).value();
    MachineDescription machine = sampled_machine(7, 1);
    const auto first = deviating->times(machine).value().milliseconds;
    EXPECT_EQ(deviating->times(machine).value().milliseconds, first);
    const auto simulated = exact->times(machine).value().milliseconds;
    for (std::size_t at = 0; at < first.size(); ++at) {
        EXPECT_NE(first[at], simulated[at]);
        EXPECT_LT(std::abs(std::log(first[at] / simulated[at])), 2.5);
    }
    // The same schedules on a matrix of other entries: what is left of the times differs from place to place.
    const TaskSet others = synthetic_tasks(std::vector<testing::SyntheticMachine>{{}}, 2, 20);
    const auto other_payload = others.workloads[1].load().value();
    const SimulatedRuns other_runs{
        .setting = runs.setting, .data = other_payload.get(), .configurations = runs.configurations};
    const auto other_times = DeviatingSimulator().profile(other_runs).value()->times(machine).value();
    const auto other_exact = MechanisticSimulator().profile(other_runs).value()->times(machine).value();
    int apart = 0;
    for (std::size_t at = 0; at < first.size(); ++at) {
        const double here = std::log(first[at] / simulated[at]);
        const double there = std::log(other_times.milliseconds[at] / other_exact.milliseconds[at]);
        apart += std::abs(here - there) > 0.01 ? 1 : 0;
    }
    EXPECT_GT(apart, 15) << "as scatter does, which is 6 %";
    machine.name = "another of the same build";
    EXPECT_NE(deviating->times(machine).value().milliseconds, first);
}

} // namespace
} // namespace sparsight
