// What a gray box learns of a machine that deviates from its simulator, and what it states of its doubt.
#include "core/domains/sparse/encoder/gray_boxes.h"
#include "support/schedule_runtimes.h"

namespace sparsight {
namespace {

using testing::schedule_runtimes;

using testing::synthetic_tasks;

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

} // namespace
} // namespace sparsight
