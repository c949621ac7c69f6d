#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/sensitivity_search.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "machine/machine_parameters.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

/// Points of which the schedule takes `ms` where the other one takes 8 ms.
SensitivityCurve curve_of(const std::vector<std::pair<double, double>>& margins_and_ms) {
    SensitivityCurve curve;
    for (const auto& [margin, ms] : margins_and_ms)
        curve.points.push_back(
            {.value = "", .margin = margin, .times = {.schedule_ms = ms, .against_ms = 8}});
    compare_curves(curve);
    return curve;
}

TEST(Sensitivity, CurvesThatRiseTogetherPartNowhere) {
    const SensitivityCurve curve = curve_of({{-1, 16}, {0.5, 4}, {2, 1}});
    EXPECT_EQ(curve.kendall_tau, 1);
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.wrong_sides, 0);
    EXPECT_EQ(curve.with_times, 3);
    EXPECT_EQ(curve.swing, 3);
}

TEST(Sensitivity, CurvesPartMostWhereTheModelTakesTheSlowestForTheFastest) {
    const SensitivityCurve curve = curve_of({{3, 16}, {1, 4}, {2, 1}});
    ASSERT_TRUE(curve.widest);
    EXPECT_EQ(curve.widest->better, 2U);
    EXPECT_EQ(curve.widest->worse, 0U);
    EXPECT_DOUBLE_EQ(curve.widest->factor, 16);
    EXPECT_EQ(curve.wrong_sides, 1) << "16 ms are more than 8 ms, and the model prefers it";
}

TEST(Sensitivity, AModelThatSeesNoDifferenceIsBlindButNotWrong) {
    const SensitivityCurve curve = curve_of({{1, 4}, {1, 2}, {1, 1}});
    EXPECT_FALSE(curve.widest);
    EXPECT_FALSE(curve.kendall_tau);
    EXPECT_EQ(curve.swing, 0);
}

TEST(Sensitivity, TimesThatAreEquallyGoodAreInNoOrder) {
    const SensitivityCurve curve = curve_of({{1, 8.00}, {2, 8.01}});
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.wrong_sides, 0);
}

TEST(Sensitivity, PointsWithoutTimesAreLeftOutOfTheComparison) {
    SensitivityCurve curve = curve_of({{1, 4}, {2, 2}});
    curve.points.push_back({.value = "too large to build", .margin = 9, .times = {.against_ms = 8.0}});
    compare_curves(curve);
    EXPECT_EQ(curve.with_times, 2);
    EXPECT_FALSE(curve.widest);
    EXPECT_EQ(curve.swing, 8) << "the model rates that one, too";
}

using ::testing::Contains;
using ::testing::Field;

const Statistic& statistic(std::string_view name) {
    return *std::ranges::find(statistics(), name, &Statistic::name);
}

SensitivityRequest request_of(MarginFunction margins, TimesFunction times) {
    Random random(1);
    SensitivityRequest request;
    request.explained.schedule =
        canonical(*parse_schedule(Operator::SpMM, "16 32 1 k1 i1 j1 j0 k0 i0 1 1 0 1 i1 8 64"));
    request.explained.against = fixed_csr(Operator::SpMM, 8);
    request.explained.machine.cores = 8;
    for (std::size_t pattern = 0; pattern < 20; ++pattern) {
        request.patterns.emplace_back();
        for (const Statistic& each : statistics())
            each.set(request.patterns.back(), static_cast<double>(pattern + 1));
    }
    request.explained.statistics = request.patterns.front();
    request.others = sample_waco(Operator::SpMM, extents(Operator::SpMM, 4096, 4096, 256), 300, 8, random);
    request.reads_statistics = true;
    request.reads_machine = true;
    request.series = {{"thinned", "entries taken away", "%", {{0, 0}, {25, 1}, {50, 2}}}};
    request.margins = std::move(margins);
    request.times = std::move(times);
    return request;
}

/// As a function of one case.
MarginFunction margin_of(double (*margin)(const ReasonCase&)) {
    return [margin](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        std::vector<double> margins;
        for (const ReasonCase& each : cases)
            margins.push_back(margin(each));
        return margins;
    };
}

double log_chunk(const ReasonCase& of) {
    return std::log2(of.schedule.chunk);
}

const SensitivityCurve& curve(const SensitivityReason& reason, VariedKind kind, std::string_view key) {
    for (const SensitivityCurve& each : reason.curves)
        if (each.kind == kind && each.key == key)
            return each;
    throw std::runtime_error("there is no such curve");
}

TEST(SensitivitySearch, ShowsTheModelTheTimesAndWhereTheyPart) {
    // The model likes large chunks; the clock likes small ones.
    const auto request = request_of(margin_of(&log_chunk), [](const ReasonCase& of) -> Result<PairTimes> {
        return PairTimes{static_cast<double>(of.schedule.chunk), 16.0, TimeOrigin::Simulated};
    });
    const auto reason = find_sensitivity(request);
    ASSERT_TRUE(reason) << reason.error().message;
    const SensitivityCurve& chunk = curve(*reason, VariedKind::Decision, "chunk");
    EXPECT_EQ(reason->curves.front(), chunk) << "nothing parts more";
    EXPECT_GE(chunk.points.size(), 8U);
    for (std::size_t place = 1; place < chunk.points.size(); ++place)
        EXPECT_GT(*chunk.points[place].number, *chunk.points[place - 1].number);
    EXPECT_EQ(chunk.kendall_tau, -1);
    ASSERT_TRUE(chunk.widest);
    EXPECT_EQ(chunk.points[chunk.widest->better].number, 1);
    EXPECT_EQ(chunk.points[chunk.widest->worse].number, 256);
    EXPECT_DOUBLE_EQ(chunk.widest->factor, 256);
}

TEST(SensitivitySearch, VariesOneThingAtATime) {
    std::vector<ReasonCase> asked;
    auto request = request_of({}, [](const ReasonCase&) -> Result<PairTimes> { return PairTimes{}; });
    request.margins = [&](std::span<const ReasonCase> cases) -> Result<std::vector<double>> {
        asked.insert(asked.end(), cases.begin(), cases.end());
        return std::vector<double>(cases.size(), 0.0);
    };
    ASSERT_TRUE(find_sensitivity(request));
    for (const ReasonCase& each : asked) {
        int changed = 0;
        changed += each.schedule != request.explained.schedule ? 1 : 0;
        changed += each.machine != request.explained.machine ? 1 : 0;
        changed += each.pattern != 0 ? 1 : 0;
        int statistics_changed = 0;
        for (const Statistic& each_statistic : statistics())
            statistics_changed +=
                each_statistic.of(each.statistics) != each_statistic.of(request.explained.statistics) ? 1 : 0;
        EXPECT_LE(changed + (each.pattern == 0 ? statistics_changed : 0), 1);
        EXPECT_EQ(each.against, request.explained.against);
    }
}

TEST(SensitivitySearch, EveryCurveHasThePresentPoint) {
    const auto reason = find_sensitivity(request_of(
        margin_of(&log_chunk), [](const ReasonCase&) -> Result<PairTimes> { return PairTimes{}; }));
    ASSERT_TRUE(reason);
    for (const SensitivityCurve& each : reason->curves) {
        EXPECT_THAT(each.points, Contains(Field(&SensitivityPoint::is_present, true)).Times(1)) << each.key;
        EXPECT_GE(each.points.size(), 2U) << each.key;
        for (const SensitivityPoint& point : each.points)
            EXPECT_EQ(point.schedule.empty(), each.kind != VariedKind::Decision);
    }
}

TEST(SensitivitySearch, AMatrixOfASetStatisticDoesNotExistAndHasNoTime) {
    auto request = request_of(
        margin_of([](const ReasonCase& of) { return statistic("row_length_gini").of(of.statistics); }),
        [](const ReasonCase&) -> Result<PairTimes> { return PairTimes{1.0, 2.0, TimeOrigin::Simulated}; });
    const auto reason = find_sensitivity(request);
    ASSERT_TRUE(reason);
    const SensitivityCurve& gini = curve(*reason, VariedKind::Statistic, "row_length_gini");
    EXPECT_EQ(gini.with_times, 0);
    EXPECT_EQ(gini.swing, 19);
    EXPECT_EQ(curve(*reason, VariedKind::Pattern, "thinned").with_times, 3);
    request.reads_statistics = false;
    const auto without = find_sensitivity(request);
    for (const SensitivityCurve& each : without->curves)
        EXPECT_NE(each.kind, VariedKind::Statistic);
}

TEST(SensitivitySearch, ShowsWhatTheMachineDoesEvenToAModelThatReadsNone) {
    auto request = request_of(
        margin_of([](const ReasonCase&) { return 1.0; }), [](const ReasonCase& of) -> Result<PairTimes> {
            return PairTimes{1.0, resolve_parameters(of.machine).values[MachineParameter::Cores],
                             TimeOrigin::Simulated};
        });
    request.reads_machine = false;
    const auto reason = find_sensitivity(request);
    ASSERT_TRUE(reason);
    const SensitivityCurve& cores = curve(*reason, VariedKind::Machine, "cores");
    EXPECT_FALSE(cores.is_read);
    EXPECT_EQ(cores.swing, 0);
    EXPECT_GT(*cores.points.back().times.log2_gain(), *cores.points.front().times.log2_gain());
}

TEST(SensitivitySearch, TakesMeasuredTimesWhereTheyMakeACurve) {
    auto request = request_of(margin_of(&log_chunk), [](const ReasonCase&) -> Result<PairTimes> {
        return PairTimes{1.0, 1.0, TimeOrigin::Simulated};
    });
    request.measured = [](const ReasonCase& of) -> Result<PairTimes> {
        PairTimes times{.origin = TimeOrigin::Measured};
        if (of.schedule.chunk >= 8 && of.machine.cores == 8) {
            times.schedule_ms = of.schedule.chunk;
            times.against_ms = 16;
        }
        return times;
    };
    const auto reason = find_sensitivity(request);
    ASSERT_TRUE(reason);
    const SensitivityCurve& chunk = curve(*reason, VariedKind::Decision, "chunk");
    EXPECT_LT(chunk.with_times, std::ssize(chunk.points)) << "those below 8 were not measured";
    for (const SensitivityPoint& point : chunk.points)
        EXPECT_EQ(point.times.origin, TimeOrigin::Measured);
    for (const SensitivityPoint& point : curve(*reason, VariedKind::Machine, "cores").points)
        EXPECT_EQ(point.times.origin, TimeOrigin::Simulated);
}

TEST(SensitivitySearch, EndsBetweenCurvesWhenTimeIsUp) {
    auto request =
        request_of(margin_of(&log_chunk), [](const ReasonCase&) -> Result<PairTimes> { return PairTimes{}; });
    int curves = 0;
    request.is_over = [&] { return ++curves > 3; };
    const auto reason = find_sensitivity(request);
    ASSERT_TRUE(reason);
    EXPECT_FALSE(reason->complete);
    EXPECT_EQ(reason->curves.size(), 3U);
    std::stop_source source;
    source.request_stop();
    request.stop = source.get_token();
    EXPECT_EQ(find_sensitivity(request).error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
