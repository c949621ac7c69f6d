// The gray box over the mechanistic simulator: what it reads and keeps, and how it scores.
#include "core/domains/sparse/encoder/gray_boxes.h"

namespace sparsight {
namespace {

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

TEST_F(GrayBoxes, AreCalibratedOnceToTheSameMeasurements) {
    tasks_.tasks[0] = deviating(3);
    const std::vector<std::size_t> some{0, 1, 2};
    const std::vector<std::size_t> in_another_order{2, 0, 1};
    ExampleStore one(tasks_, box(), 1);
    ExampleStore other = one.store_for(box());
    int fits = 0;
    const auto calibrated = [&](ExampleStore& examples, const std::vector<std::size_t>& workloads,
                                std::uint64_t seed) {
        bool is_fitted = false;
        const auto machine = examples
                                 .calibrate(0, workloads, seed, {},
                                            [&](const Progress& state) { // of steps, not of matrices
                                                is_fitted = is_fitted || state.total > workloads.size();
                                            })
                                 .value();
        fits += is_fitted ? 1 : 0;
        return machine;
    };
    const MachineParameters machine = calibrated(one, some, 1);
    EXPECT_EQ(fits, 1);
    EXPECT_EQ(calibrated(one, some, 1), machine);
    EXPECT_EQ(calibrated(other, in_another_order, 1), machine) << "of the same task set";
    EXPECT_EQ(fits, 1) << "all of these are one calibration";
    EXPECT_NE(calibrated(other, some, 2), machine);
    EXPECT_EQ(fits, 2) << "another seed draws other steps";
    EXPECT_NE(calibrated(one, {0, 1}, 1), machine);
    EXPECT_EQ(fits, 3) << "other measurements";
    ExampleStore stranger(tasks_, box(), 1);
    EXPECT_EQ(calibrated(stranger, some, 1), machine);
    EXPECT_EQ(fits, 4) << "it shares nothing";
}

TEST_F(GrayBoxes, AStoppedCalibrationIsNotKnown) {
    ExampleStore examples(tasks_, box(), 1);
    std::stop_source stop;
    const auto stopping = [&](const Progress& state) {
        if (state.total > train_.size())
            stop.request_stop();
    };
    EXPECT_EQ(examples.calibrate(0, train_, 1, stop.get_token(), stopping).error().fault, Fault::Cancelled);
    EXPECT_TRUE(examples.calibrate(0, train_, 1));
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

} // namespace
} // namespace sparsight
