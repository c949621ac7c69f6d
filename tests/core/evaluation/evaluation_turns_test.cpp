// Which schedules are measured in turns, and how often.
#include "base/random.h"
#include "collection/collector.h"
#include "core/evaluation/model_evaluation_fixture.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace sparsight {
namespace {

TEST_F(ModelEvaluationTest, MoreTurnsAreWantedUntilTheFastestOfEachModelIsKnown) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const auto found = contenders(*workspace_, *make_sparse_domain(), scope({m}), a, "a");
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->of_models.size(), 1U);
    EXPECT_EQ(found->of_models[0], (std::vector<std::size_t>{1, 2}));
    std::vector<ConfigurationTurns> times(found->configurations.size());
    EXPECT_TRUE(found->are_precise(times)) << "without a time of fixed CSR no turn helps";
    for (std::size_t place = 0; place < times.size(); ++place)
        times[place].turns_ms.assign(5, static_cast<double>(place + 1));
    EXPECT_TRUE(found->are_precise(times));
    times[3].turns_ms = {1, 9, 2, 8, 4};
    EXPECT_TRUE(found->are_precise(times)) << "tall is not the model's";
    times[1].turns_ms = {1.5, 2, 2.5, 1.7, 2.3};
    EXPECT_FALSE(found->are_precise(times));
}

/// Tells planted times of configurations, in the order in which they are given, with so much noise.
class PlantedClock : public WorkloadMeasurer {
public:
    PlantedClock(std::span<const WrittenConfiguration> configurations, double noise)
        : configurations_(configurations)
        , noise_(noise) {}

    Result<Measurement> measure(const WrittenConfiguration& configuration) override {
        const auto place = std::ranges::find(configurations_, configuration) - configurations_.begin();
        Measurement measurement;
        measurement.status = MeasurementStatus::Measured;
        measurement.median =
            Milliseconds(static_cast<double>(place + 1) * std::exp(noise_ * random_.normal()));
        return measurement;
    }

private:
    std::span<const WrittenConfiguration> configurations_;
    double noise_;
    Random random_{11};
};

TEST_F(ModelEvaluationTest, ANoisyPairHasFifteenTurnsAndAQuietOneFive) {
    const WorkloadId a = timed_matrix("a");
    const ModelId m = model("m");
    choose(m, a, {blocked, slow});
    const auto domain = make_sparse_domain();
    const EvaluationScope of_m = scope({m});
    const auto found = contenders(*workspace_, *domain, of_m, a, "a");
    ASSERT_TRUE(found.has_value());
    std::vector<WrittenConfiguration> written;
    for (const char* text : {csr, blocked, slow, tall})
        written.push_back(*domain->written(of_m.setting, text));
    ASSERT_EQ(written.size(), found->configurations.size());
    const auto turns = [&](double noise) {
        PlantedClock clock(written, noise);
        const auto times = measure_in_turns(
            clock, written, rematch_turns, {}, {},
            [&](std::span<const ConfigurationTurns> so_far) { return !found->are_precise(so_far); });
        return times ? static_cast<int>(times->front().turns_ms.size()) : 0;
    };
    EXPECT_EQ(turns(0.3), most_rematch_turns);
    EXPECT_EQ(turns(0.005), rematch_turns);
}

/// 18 schedules by chunk and dense split.
std::vector<std::string> many_schedules() {
    std::vector<std::string> texts;
    for (const int dense : {8, 16})
        for (const int chunk : {1, 2, 4, 8, 16, 32, 64, 128, 256})
            texts.push_back(fmt::format("1 1 {} i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 {}", dense, chunk));
    return texts;
}

TEST_F(ModelEvaluationTest, TheFastestByHalvingGoOn) {
    const auto domain = make_sparse_domain();
    std::vector<WrittenConfiguration> written;
    for (const std::string& text : many_schedules())
        written.push_back(*domain->written(setting_of(Operator::SpMM, 256), text));
    std::ranges::reverse(written); // the clock's fastest is its first, the halving's last
    PlantedClock clock(written, 0.01);
    const std::vector<WrittenConfiguration> turned(written.rbegin(), written.rend());
    const auto twelve = std::span(turned).last(12);
    std::vector<std::uint64_t> told;
    const auto fastest = fastest_by_halving(clock, twelve, 3, {}, [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 36U) << "twelve and six, two turns each";
        told.push_back(progress.done);
    });
    ASSERT_TRUE(fastest.has_value());
    EXPECT_EQ(*fastest, (std::vector<std::size_t>{9, 10, 11}));
    ASSERT_EQ(told.size(), 36U);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(measurements_of_halving(12, 3), 36U);
    EXPECT_EQ(measurements_of_halving(3, 3), 0U) << "without a heat";
    EXPECT_EQ(*fastest_by_halving(clock, twelve.first(2), 3), (std::vector<std::size_t>{0, 1}));
}

TEST_F(ModelEvaluationTest, OfTheSixteenFastestKnownFourAreInAllTurnsAndTheOthersContendForThree) {
    const WorkloadId a = matrix("a");
    const ModelId m = model("m");
    time(a, csr, 6);
    const std::vector<std::string> texts = many_schedules();
    for (std::size_t place = 0; place < texts.size(); ++place)
        time(a, texts[place].c_str(), 1 + 0.1 * static_cast<double>(place));
    choose(m, a, {texts[17].c_str(), texts[10].c_str()});
    const auto found = contenders(*workspace_, *make_sparse_domain(), scope({m}), a, "a");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->configurations.size(), 7U) << "fixed CSR, the model's two, the four fastest";
    EXPECT_EQ(found->challengers.size(), 11U) << "of sixteen, without four and the one that the model chose";
    const auto is_done = [&](std::size_t challengers) {
        std::vector<RematchTime> times{{*parse_schedule(Operator::SpMM, csr), std::vector(5, 6.0)}};
        std::vector<std::size_t> places{17, 10, 0, 1, 2, 3};
        for (std::size_t place = 4; place < 4 + challengers; ++place)
            places.push_back(place);
        for (const std::size_t place : places)
            times.push_back({*parse_schedule(Operator::SpMM, texts[place]), std::vector(5, 1.0)});
        EXPECT_TRUE(record_rematch(*workspace_, run_, a, times).has_value());
        const auto codec = *make_sparse_domain()->codec(scope({m}).setting);
        return RematchTimes::read(*workspace_, codec, run_, a)->are_of(*found, rematch_turns);
    };
    EXPECT_FALSE(is_done(2));
    EXPECT_TRUE(is_done(3));
    Contenders with_challenger = *found;
    with_challenger.choices[0].push_back(found->challengers[0]);
    with_challenger.add(found->challengers[0]);
    EXPECT_EQ(with_challenger.of_models[0].back(), 7U) << "a challenger that a model chose is its own, too";
}

} // namespace
} // namespace sparsight
