// Trees that correct a simulator or a gray box.
#include "core/domains/sparse/encoder/gray_boxes.h"
#include "support/schedule_runtimes.h"

namespace sparsight {
namespace {

using testing::schedule_runtimes;

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

TEST_F(GrayBoxes, TellEveryStageOfTheirAdapting) {
    const auto encoder = box();
    ExampleStore examples(tasks_, encoder, 1);
    std::vector<std::string> stages;
    std::uint64_t trees = 0;
    const auto listen = [&](const Progress& state) {
        EXPECT_LE(state.done, state.total) << state.stage;
        if (stages.empty() || stages.back() != state.stage)
            stages.emplace_back(state.stage);
        trees += state.stage == "training trees" ? 1 : 0;
    };
    (void)adapt(examples, 0, train_, usual_options(FineTuningRule::ClosedForm),
                {start(*encoder), std::nullopt}, {}, {}, listen)
        .value();
    EXPECT_EQ(trees, 200U);
    const std::string of = tasks_.words.configuration.many;
    EXPECT_THAT(stages, ::testing::ElementsAre(
                            "simulating measured " + of, "fitting the machine's parameters",
                            "reading measured " + tasks_.words.workload.many, "solving for the last layer",
                            "scoring measured " + of, "training trees"));
}

TEST_F(GrayBoxes, StopWithinAStepOfAnyStage) {
    const auto encoder = box();
    for (const std::string_view stage :
         {"simulating", "fitting", "reading", "solving", "scoring", "training trees"}) {
        ExampleStore examples(tasks_, encoder, 1);
        std::stop_source stop;
        int told_after = 0;
        const auto stop_there = [&](const Progress& state) {
            told_after += stop.stop_requested() ? 1 : 0;
            if (state.stage.starts_with(stage) && state.done >= 2)
                stop.request_stop();
        };
        const auto stopped = adapt(examples, 0, train_, usual_options(FineTuningRule::ClosedForm),
                                   {start(*encoder), std::nullopt}, {}, stop.get_token(), stop_there);
        ASSERT_TRUE(stop.stop_requested()) << stage;
        ASSERT_FALSE(stopped) << stage;
        EXPECT_EQ(stopped.error().fault, Fault::Cancelled) << stage;
        EXPECT_EQ(told_after, 0) << stage << ": nothing was begun after the stop";
    }
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
                ::testing::HasSubstr("the trees that follow its tensors"));
}

} // namespace
} // namespace sparsight
