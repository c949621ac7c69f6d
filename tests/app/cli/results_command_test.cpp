#include "cli/results/results_tables.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "workflow/evaluation/stored_results.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

const Domain& sparse() {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return *domain;
}

ResultRecord row(std::string matrix, MeasurementStatus status, std::optional<double> median) {
    ResultRecord row;
    row.workload = std::move(matrix);
    row.machine = "m";
    row.setting = setting_of(Operator::SpMM, 256);
    row.protocol = "adaptive";
    row.configuration = "s";
    row.status = status;
    row.median_ms = median;
    return row;
}

std::vector<ResultRecord> sorted(std::vector<ResultRecord> rows) {
    sort_results(sparse(), rows);
    return rows;
}

std::vector<std::pair<std::string, double>> times(const std::vector<ResultRecord>& rows) {
    std::vector<std::pair<std::string, double>> times;
    for (const ResultRecord& result : rows)
        times.emplace_back(result.workload, result.median_ms.value_or(-1));
    return times;
}

const std::vector<ResultRecord> some{
    row("b", MeasurementStatus::Measured, 3), row("a", MeasurementStatus::TooLarge, {}),
    row("b", MeasurementStatus::GaveUp, 1),   row("a", MeasurementStatus::Measured, 2),
    row("b", MeasurementStatus::Measured, 2), row("c", MeasurementStatus::Failed, {})};

} // namespace

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Results, AreSortedByMatrixTheFastestFirstAbandonedAndWithoutATimeLast) {
    EXPECT_THAT(times(sorted(some)), ElementsAre(Pair("a", 2), Pair("a", -1), Pair("b", 2), Pair("b", 3),
                                                 Pair("b", 1), Pair("c", -1)));
}

TEST(Results, TheFastestHasTheHighestSpeedupAtItsMomentInEveryList) {
    // The second was measured while the computer was slower: fixed CSR took twice as long then.
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 2),
                                   row("a", MeasurementStatus::Measured, 3),
                                   row("a", MeasurementStatus::GaveUp, 1)};
    rows[0].speedup = 1.5;
    rows[1].speedup = 2;
    EXPECT_THAT(times(sorted(rows)), ElementsAre(Pair("a", 3), Pair("a", 2), Pair("a", 1)));
    EXPECT_THAT(times(best_results(sorted(rows))), ElementsAre(Pair("a", 3)));
    EXPECT_THAT(times(comparable_results(rows).front()),
                ElementsAre(Pair("a", 3), Pair("a", 2), Pair("a", 1)));
    rows[1].speedup.reset();
    EXPECT_THAT(times(best_results(sorted(rows))), ElementsAre(Pair("a", 2)))
        << "by medians where one has no speedup";
}

TEST(Results, BestIsTheFastestThatWasMeasured) {
    EXPECT_THAT(times(best_results(sorted(some))), ElementsAre(Pair("a", 2), Pair("b", 2)))
        << "a given-up run is no measurement, a matrix without one has no best";
}

TEST(Results, WhatWasSimulatedIsNotCalledMeasured) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 2),
                                   row("b", MeasurementStatus::Measured, 1),
                                   row("c", MeasurementStatus::TooLarge, {})};
    rows[0].reason = rows[2].reason = "simulated (mechanistic)";
    const auto json = results_json(sparse(), rows);
    EXPECT_EQ(json[0]["status"], "simulated");
    EXPECT_EQ(json[1]["status"], "measured");
    EXPECT_EQ(json[2]["status"], "too large");
    EXPECT_THAT(results_text(sparse(), rows), ::testing::HasSubstr("simulated"));
    EXPECT_THAT(results_csv(sparse(), {rows[0]}), ::testing::HasSubstr(",simulated,2,"));
}

TEST(Results, WhatWasRecordedElsewhereIsNotCalledMeasured) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 2),
                                   row("b", MeasurementStatus::GaveUp, 1)};
    for (ResultRecord& each : rows)
        each.machine_fingerprint = "recorded:m";
    const auto json = results_json(sparse(), rows);
    EXPECT_EQ(json[0]["status"], "recorded");
    EXPECT_EQ(json[1]["status"], "gave up");
    EXPECT_THAT(results_text(sparse(), rows), ::testing::HasSubstr("  recorded  s\n"));
    EXPECT_THAT(results_csv(sparse(), {rows[0]}), ::testing::HasSubstr(",recorded,2,"));
}

TEST(Results, BestIsTakenInEachSettingByItself) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 2),
                                   row("a", MeasurementStatus::Measured, 1)};
    rows[0].protocol = "waco";
    EXPECT_THAT(times(best_results(sorted(rows))), ElementsAre(Pair("a", 1), Pair("a", 2)));
    rows[0].protocol = rows[1].protocol;
    rows[0].setting = setting_of(Operator::SpMM, 8);
    EXPECT_EQ(best_results(sorted(rows)).size(), 2);
}

TEST(Results, TableShowsMachineAndProtocolOnlyWhereTheyDiffer) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 1.25)};
    rows[0].spread_ms = 0.0125;
    rows[0].speedup = 1.5;
    rows[0].bytes = 2048;
    EXPECT_EQ(results_text(sparse(), rows),
              "matrix  operator  dense  median ms   ± ms  speedup      size  status    schedule\n"
              "a       spmm        256      1.250  0.013     1.50  2.00 KiB  measured  s\n");
    rows.push_back(rows.front());
    rows.back().machine = "other";
    EXPECT_THAT(results_text(sparse(), rows), ::testing::HasSubstr("machine"));
    EXPECT_THAT(results_text(sparse(), rows), ::testing::Not(::testing::HasSubstr("protocol")));
    EXPECT_THAT(results_text(sparse(), rows), ::testing::Not(::testing::HasSubstr("threads")));
    rows.back().threads = 8;
    EXPECT_THAT(results_text(sparse(), rows), ::testing::HasSubstr("threads")) << "no nickname says them";
}

TEST(Results, TheBestHasWhatTurnsGaveBesideTheCollectedSpeedup) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 1.25),
                                   row("b", MeasurementStatus::Measured, 1)};
    rows[0].speedup = 2.27;
    const std::string text = results_text(sparse(), rows, {FastestInTurns{"t", 2.1, 0.1}, std::nullopt});
    EXPECT_THAT(text, ::testing::HasSubstr("speedup  in turns"));
    EXPECT_THAT(text, ::testing::HasSubstr("   2.27     2.10*"));
    EXPECT_THAT(text, ::testing::HasSubstr("\"speedup\" is of times collected one after the other."));
    EXPECT_THAT(text, ::testing::HasSubstr("In turns, another schedule is the fastest on a: `t`."));
    EXPECT_THAT(results_text(sparse(), rows, {FastestInTurns{"t", 1.02, 0.05}, std::nullopt}),
                ::testing::AllOf(::testing::HasSubstr("~1.02"),
                                 ::testing::Not(::testing::HasSubstr("fastest on")),
                                 ::testing::HasSubstr("In turns, there is no clear winner on a: no schedule "
                                                      "is known to beat fixed CSR. First comes `t`.")));
    EXPECT_THAT(results_text(sparse(), rows, {FastestInTurns{"s", 1.02, 0.05}, std::nullopt}),
                ::testing::HasSubstr("no clear winner on a"))
        << "of the listed one, too";
    EXPECT_THAT(results_text(sparse(), rows, {FastestInTurns{"s", 1.2, 0.05}, std::nullopt}),
                ::testing::Not(::testing::HasSubstr("clear winner")));
    EXPECT_THAT(
        results_text(sparse(), rows, {FastestInTurns{"t", 2.1, 0.5}, std::nullopt}),
        ::testing::AllOf(::testing::HasSubstr("  2.10 ± 0.50*  "), ::testing::HasSubstr("fastest on a")))
        << "imprecise, and beyond noise";
    EXPECT_THAT(results_text(sparse(), rows, {std::nullopt, std::nullopt}),
                ::testing::Not(::testing::HasSubstr("in turns")));
}

TEST(Results, ASpeedupThatMayBeNoiseIsMarked) {
    const auto written = [](double speedup, double spread, double baseline_spread, bool is_baseline = false) {
        std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 2)};
        rows[0].speedup = speedup;
        rows[0].spread_ms = spread;
        rows[0].baseline_spread_ms = baseline_spread;
        rows[0].is_baseline = is_baseline;
        return results_text(sparse(), rows);
    };
    EXPECT_THAT(written(1.5, 0.8, 0.8), ::testing::HasSubstr("  ~1.50  ")) << "1 ms against 1.13 ms";
    EXPECT_THAT(written(1.5, 0.5, 0.8), ::testing::HasSubstr("   1.50  ")) << "1 ms against 0.94 ms";
    EXPECT_THAT(written(0.75, 0.8, 0), ::testing::HasSubstr("  ~0.75  ")) << "a loss, too";
    EXPECT_THAT(written(1, 0.8, 0.8, true), ::testing::HasSubstr("   1.00  ")) << "over itself";
}

TEST(Results, AGainIsMarkedWhereTheBaselineItselfWasAsFastInTheCollection) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 6.28)};
    rows[0].speedup = 1.95;
    rows[0].spread_ms = 0.1;
    rows[0].baseline_spread_ms = 0.1;
    EXPECT_FALSE(is_speedup_in_noise(rows[0]));
    rows[0].baseline_range = BaselineRange{3.53, 12.27};
    EXPECT_THAT(results_text(sparse(), rows), ::testing::HasSubstr("  ~1.95  "));
    rows[0].baseline_range = BaselineRange{7, 12.27};
    EXPECT_FALSE(is_speedup_in_noise(rows[0])) << "the baseline was never as fast";
}

TEST(Results, SchedulesHaveTheirNicknameBeforeTheirCode) {
    std::vector<ResultRecord> rows{row("a", MeasurementStatus::Measured, 1.25)};
    rows[0].configuration = "2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32";
    EXPECT_THAT(results_text(sparse(), rows),
                ::testing::HasSubstr("2-row blocks, chunk 32  2 1 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 4 32\n"));
    const auto json = results_json(sparse(), rows);
    EXPECT_EQ(json[0]["nickname"], "2-row blocks, chunk 32");
    EXPECT_EQ(json[0]["schedule"], rows[0].configuration);
    EXPECT_THAT(results_csv(sparse(), rows), ::testing::EndsWith(",\"2-row blocks, chunk 32\"\n"));
}

/// Of a configuration of its own, measured at a time.
ResultRecord dated(const char* configuration, const char* date, double milliseconds, double spread) {
    ResultRecord result = row("a", MeasurementStatus::Measured, milliseconds);
    result.configuration = configuration;
    result.measured = date;
    result.spread_ms = spread;
    return result;
}

TEST(ChangedTimes, AreBeyondNoiseWhereTheyDifferByMoreThanBothSpreads) {
    const std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5),
                                            dated("t", "2026-11-23", 10, 0.5)};
    const std::vector<ResultRecord> later{dated("s", "2026-11-24", 10.5, 0.25),
                                          dated("t", "2026-11-24", 12, 0.25),
                                          dated("new", "2026-11-24", 1, 0.25)};
    const TimeChanges changes = changed_times({earlier, later}, "");
    ASSERT_EQ(changes.times.size(), 2U) << "one has nothing to be compared with";
    EXPECT_EQ(changes.times[0].later.configuration, "t");
    EXPECT_TRUE(changes.times[0].is_beyond_noise());
    EXPECT_EQ(changes.times[1].significance, Significance::WithinNoise);
    EXPECT_EQ(changes.beyond_noise, 1U);
    EXPECT_EQ(changes_sentence(sparse(), changes), "1 of 2 schedules changed beyond noise.");
    EXPECT_EQ(changes_sentence(sparse(), {}), "No schedule was measured again.");
    const auto json = changes_json(sparse(), changes);
    EXPECT_EQ(json["compared"], 2);
    EXPECT_EQ(json["changes"][0]["earlier_ms"], 10);
    EXPECT_EQ(json["changes"][0]["later_ms"], 12);
}

/// Of the matrices "0", "1", … once before, at 10 ms, and once after, at these ratios to that.
RepeatedResults results_of_matrices(const std::vector<std::vector<double>>& ratios) {
    RepeatedResults results;
    for (std::size_t matrix = 0; matrix < ratios.size(); ++matrix)
        for (std::size_t each = 0; each < ratios[matrix].size(); ++each) {
            const std::string schedule = std::to_string(each);
            results.earlier.push_back(dated(schedule.c_str(), "2026-11-23", 10, 0.5));
            results.later.push_back(dated(schedule.c_str(), "2026-11-24", 10 * ratios[matrix][each], 0.5));
            results.earlier.back().workload = results.later.back().workload = std::to_string(matrix);
        }
    return results;
}

TimeChanges changes_of_matrices(const std::vector<std::vector<double>>& ratios) {
    return changed_times(results_of_matrices(ratios), "");
}

TEST(ChangedTimes, AreSummedUpOverMatricesWithTheirInterval) {
    const TimeChanges slower = changes_of_matrices({{1.1, 1.1, 1.1, 1.1}, {1.2}, {1.3}});
    ASSERT_TRUE(slower.overall.has_value());
    EXPECT_NEAR(slower.overall->value, std::cbrt(1.1 * 1.2 * 1.3), 1e-9) << "each matrix counts once";
    EXPECT_EQ(slower.workloads, 3U);
    const Interval interval = slower.overall->interval.value();
    EXPECT_TRUE(interval.contains(1));
    EXPECT_NEAR(interval.low * interval.high, std::pow(slower.overall->value, 2), 1e-9);
    EXPECT_THAT(changes_sentence(sparse(), slower),
                ::testing::AllOf(::testing::HasSubstr(
                                     " They changed by +19.7 % on average over 3 matrices (95 % interval -"),
                                 ::testing::EndsWith(" %), which may be chance.")));
    const auto json = changes_json(sparse(), slower);
    EXPECT_DOUBLE_EQ(json["overall_ratio"], slower.overall->value);
    EXPECT_DOUBLE_EQ(json["overall_interval"][1], interval.high);

    const TimeChanges faster = changes_of_matrices({{0.5}, {0.5}, {0.5}});
    EXPECT_THAT(changes_sentence(sparse(), faster),
                ::testing::EndsWith(" They take 50.0 % less time than before on average over 3 matrices "
                                    "(95 % interval -50.0 % to -50.0 %)."));
}

TEST(ChangedTimes, OfFewerThanThreeMatricesAreNotSummedUp) {
    const TimeChanges changes = changes_of_matrices({{1.1, 1.2, 1.3}, {1.2, 1.2}});
    EXPECT_FALSE(changes.overall.has_value());
    EXPECT_EQ(changes_sentence(sparse(), changes), "5 of 5 schedules changed beyond noise.");
    EXPECT_TRUE(changes_json(sparse(), changes)["overall_ratio"].is_null());
    EXPECT_TRUE(changes_json(sparse(), changes)["overall_interval"].is_null());
}

TEST(ChangedTimes, OfFormsOfOneMatrixAreSummedUpAsOneFamily) {
    RepeatedResults results = results_of_matrices({{1.1}, {1.2}, {1.3}, {1.4}});
    results.families = {{"0", "0"}, {"1", "0"}, {"2", "0"}};
    EXPECT_FALSE(changed_times(results, "").overall.has_value()) << "these are two families";
    results.families = {{"0", "0"}, {"1", "0"}};
    const TimeChanges changes = changed_times(results, "");
    EXPECT_NEAR(changes.overall.value().value, std::pow(1.1 * 1.2 * 1.3 * 1.4, 0.25), 1e-9);
    EXPECT_EQ(changes.workloads, 4U);
}

TEST(ChangedTimes, OfSeveralMachinesOrSettingsAreNotSummedUpTogether) {
    RepeatedResults results = results_of_matrices({{1.1}, {1.2}, {1.3}});
    results.earlier[2].machine_fingerprint = results.later[2].machine_fingerprint = "another";
    TimeChanges changes = changed_times(results, "");
    EXPECT_EQ(changes.times.size(), 3U);
    EXPECT_FALSE(changes.overall.has_value());
    results = results_of_matrices({{1.1}, {1.2}, {1.3}});
    results.earlier[2].setting.text = results.later[2].setting.text = "spmm dense=8";
    changes = changed_times(results, "");
    EXPECT_EQ(changes.times.size(), 3U);
    EXPECT_FALSE(changes.overall.has_value());
}

/// Abandoned after so long.
ResultRecord bound(const char* configuration, const char* date, double milliseconds) {
    ResultRecord result = dated(configuration, date, milliseconds, 0);
    result.status = MeasurementStatus::GaveUp;
    result.spread_ms.reset();
    return result;
}

TEST(ChangedTimes, OfAnAbandonedRepetitionAreShownOnlyWhereThereAreNoTwoTimes) {
    RepeatedResults results{{}, {dated("s", "2026-11-23", 10, 0.5)}, {bound("s", "2026-11-24", 30)}};
    TimeChanges changes = changed_times(results, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_TRUE(changes.times[0].is_at_least());
    EXPECT_DOUBLE_EQ(changes.times[0].ratio(), 3);
    EXPECT_EQ(changed_times(results, "2026-11-24").times.size(), 1U);
    EXPECT_TRUE(changed_times(results, "2026-11-23").times.empty()) << "nothing is known from before";
    EXPECT_EQ(dates_measured_again(results), std::vector<std::string>{"2026-11-24"});

    results.earlier.push_back(dated("s", "2026-11-22", 8, 0.5));
    changes = changed_times(results, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_FALSE(changes.times[0].is_at_least()) << "two times are known";
    EXPECT_DOUBLE_EQ(changes.times[0].ratio(), 1.25);
    EXPECT_DOUBLE_EQ(changed_times(results, "2026-11-23").times.at(0).ratio(), 1.25);
    EXPECT_DOUBLE_EQ(changed_times(results, "2026-11-24").times.at(0).ratio(), 3)
        << "only the bound is since";
}

TEST(ChangedTimes, AreHeldAgainstAnEarlierTimeRatherThanANewerBound) {
    const RepeatedResults results{{dated("s", "2026-11-21", 8, 0.5), bound("s", "2026-11-22", 30)},
                                  {dated("s", "2026-11-23", 10, 0.5)}};
    const TimeChanges changes = changed_times(results, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_FALSE(changes.times[0].is_at_most());
    EXPECT_DOUBLE_EQ(changes.times[0].ratio(), 1.25);
}

TEST(ChangedTimes, SinceADateAreHeldAgainstTheNewestFromBeforeIt) {
    const std::vector<ResultRecord> earlier{dated("s", "2026-11-20T08:00:00.000Z", 8, 0.1),
                                            dated("s", "2026-11-22T08:00:00.000Z", 9, 0.1),
                                            dated("s", "2026-11-24T08:00:00.000Z", 10, 0.1)};
    const std::vector<ResultRecord> later{dated("s", "2026-11-24T09:00:00.000Z", 12, 0.1)};
    EXPECT_EQ(changed_times({earlier, later}, "").times.at(0).earlier.median_ms, 10.0);
    EXPECT_EQ(changed_times({earlier, later}, "2026-11-24").times.at(0).earlier.median_ms, 9.0);
    EXPECT_TRUE(changed_times({earlier, later}, "2026-11-25").times.empty()) << "not measured since";
}

TEST(ChangedTimes, SinceAnHourOrMinuteBeginWithIt) {
    const std::vector<ResultRecord> earlier{dated("s", "2026-11-24T12:59:59.999Z", 8, 0.1),
                                            dated("s", "2026-11-24T13:00:00.000Z", 9, 0.1)};
    const std::vector<ResultRecord> later{dated("s", "2026-11-24T13:00:05.123Z", 12, 0.1)};
    for (const char* date : {"2026-11-24T13", "2026-11-24T13Z", "2026-11-24T13:00", "2026-11-24T13:00Z",
                             "2026-11-24T13:00:00Z", "2026-11-24T13:00:00.0Z"}) {
        const TimeChanges changes = changed_times({earlier, later}, start_of(date).value());
        ASSERT_EQ(changes.times.size(), 1U) << date;
        EXPECT_EQ(changes.times[0].earlier.median_ms, 8.0) << date;
    }
    EXPECT_EQ(changed_times({earlier, later}, start_of("2026-11-24T13:00:05.123Z").value()).times.size(), 1U);
    EXPECT_TRUE(changed_times({earlier, later}, start_of("2026-11-24T13:01Z").value()).times.empty());
    EXPECT_EQ(start_of("").value(), "");
}

TEST(ChangedTimes, TheDatesToCompareSinceAreThoseOfWhatHadATimeAlready) {
    const std::vector<ResultRecord> earlier{
        dated("s", "2026-11-22", 9, 0.1), dated("s", "2026-11-20", 8, 0.1), dated("t", "2026-11-21", 7, 0.1)};
    const std::vector<ResultRecord> later{dated("s", "2026-11-24", 12, 0.1), dated("t", "2026-11-23", 7, 0.1),
                                          dated("new", "2026-11-25", 1, 0.1)};
    const auto dates = dates_measured_again({earlier, later});
    EXPECT_THAT(dates, ::testing::ElementsAre("2026-11-22", "2026-11-23", "2026-11-24"));
    for (const std::string& date : dates)
        EXPECT_FALSE(changed_times({earlier, later}, date).times.empty()) << date;
    EXPECT_TRUE(dates_measured_again({{}, later}).empty());
}

TEST(ChangedTimes, SinceADateThatDoesNotExistAreRefused) {
    for (const char* date :
         {"yesterday", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-24Z",
          "2026-11-24T24:00", "2026-11-24T13:60", "2026-11-24T13:00:00.1234"}) {
        const auto start = start_of(date);
        ASSERT_FALSE(start) << date;
        EXPECT_EQ(start.error().fault, Fault::Input);
        EXPECT_THAT(start.error().message, ::testing::HasSubstr("is no date"));
    }
    EXPECT_TRUE(start_of("2028-02-29")) << "a leap year";
}

TEST(ChangedTimes, OfWhatIsGivenUpNowAreLowerBounds) {
    std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5), dated("t", "2026-11-23", 10, 0.5)};
    std::vector<ResultRecord> later{dated("s", "2026-11-24", 12, 0), dated("t", "2026-11-24", 4, 0)};
    for (ResultRecord& each : later) {
        each.status = MeasurementStatus::GaveUp;
        each.spread_ms.reset();
    }
    TimeChanges changes = changed_times({earlier, later}, "");
    ASSERT_EQ(changes.times.size(), 2U);
    EXPECT_EQ(changes.times[0].later.configuration, "s");
    EXPECT_TRUE(changes.times[0].is_beyond_noise());
    EXPECT_EQ(changes.times[1].significance, Significance::NoiseUnknown) << "it may take 10 ms, too";
    EXPECT_EQ(
        changes_sentence(sparse(), changes),
        "1 of 2 schedules changed beyond noise. The noise of 1 is unknown. 2 had a time before and were "
        "abandoned now.");
    EXPECT_THAT(changes_text(sparse(), changes),
                ::testing::HasSubstr("10.00  abandoned after 12.00  > +20.0 %  beyond"));
    EXPECT_EQ(changes_json(sparse(), changes)["changes"][0]["status"], "gave up");
    EXPECT_EQ(changes_json(sparse(), changes)["given_up"], 2);
    EXPECT_TRUE(changes_json(sparse(), changes)["overall_ratio"].is_null());

    for (const char* matrix : {"a", "b", "c"}) {
        earlier.push_back(dated("u", "2026-11-23", 10, 0.5));
        later.push_back(dated("u", "2026-11-24", 11, 0.5));
        earlier.back().workload = later.back().workload = matrix;
    }
    changes = changed_times({earlier, later}, "");
    EXPECT_NEAR(changes.overall.value().value, 1.1, 1e-9) << "a bound is no time";
    EXPECT_THAT(changes_sentence(sparse(), changes),
                ::testing::HasSubstr("Those measured to the end both times take 10.0 % longer than before"));
}

TEST(ChangedTimes, OfWhatWasGivenUpBeforeAreUpperBounds) {
    std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 12, 0), dated("t", "2026-11-23", 12, 0),
                                      dated("u", "2026-11-23", 12, 0)};
    for (ResultRecord& each : earlier) {
        each.status = MeasurementStatus::GaveUp;
        each.spread_ms.reset();
    }
    std::vector<ResultRecord> later{dated("s", "2026-11-24", 3.1, 0.1), dated("t", "2026-11-24", 13, 0.1),
                                    earlier[2]};
    later[2].measured = "2026-11-24";
    const TimeChanges changes = changed_times({earlier, later}, "");
    ASSERT_EQ(changes.times.size(), 2U) << "two bounds compare nothing";
    EXPECT_EQ(changes.times[0].later.configuration, "s");
    EXPECT_TRUE(changes.times[0].is_beyond_noise());
    EXPECT_EQ(changes.times[1].significance, Significance::NoiseUnknown) << "it may have taken 14 ms";
    EXPECT_EQ(changes.given_up_before, 2U);
    EXPECT_EQ(changes_sentence(sparse(), changes),
              "1 of 2 schedules changed beyond noise. The noise of 1 is unknown. 2 were abandoned before and "
              "have a time now.");
    EXPECT_THAT(changes_text(sparse(), changes),
                ::testing::HasSubstr("abandoned after 12.00     3.100  < -74.2 %  beyond"));
    const auto json = changes_json(sparse(), changes);
    EXPECT_EQ(json["given_up_before"], 2);
    EXPECT_EQ(json["given_up"], 0);
    EXPECT_EQ(json["changes"][0]["earlier_status"], "gave up");
    EXPECT_EQ(json["changes"][0]["status"], "measured");
}

TEST(ChangedTimes, CountWhatHasNoTimeAnyMore) {
    const std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5),
                                            dated("t", "2026-11-23", 10, 0.5)};
    std::vector<ResultRecord> later{dated("s", "2026-11-24", 0, 0), dated("new", "2026-11-24", 0, 0),
                                    dated("t", "2026-11-24", 0, 0)};
    for (ResultRecord& each : later) {
        each.status = MeasurementStatus::Failed;
        each.median_ms.reset();
    }
    later[2].status = MeasurementStatus::Damaged; // the file is, and nothing was measured
    const TimeChanges changes = changed_times({earlier, later}, "");
    EXPECT_TRUE(changes.times.empty());
    EXPECT_EQ(changes.failed, 1U);
    EXPECT_EQ(changes_sentence(sparse(), changes), "1 schedule has no time any more.");
    EXPECT_EQ(changes_json(sparse(), changes)["failed"], 1);
}

TEST(ChangedTimes, WithoutASpreadHaveUnknownNoise) {
    std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5)};
    earlier[0].spread_ms.reset();
    const TimeChanges changes = changed_times({earlier, {dated("s", "2026-11-24", 12, 0.5)}}, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_EQ(changes.times[0].significance, Significance::NoiseUnknown);
    EXPECT_EQ(changes_sentence(sparse(), changes),
              "0 of 1 schedule changed beyond noise. The noise of 1 is unknown.");
    EXPECT_THAT(changes_text(sparse(), changes), ::testing::HasSubstr("  +20.0 %  unknown"));
    const auto json = changes_json(sparse(), changes)["changes"][0];
    EXPECT_EQ(json["beyond_noise"], false);
    EXPECT_EQ(json["significance"], "noise_unknown");
}

ResultRecord by(const char* engine, ResultRecord result) {
    result.engine = engine;
    return result;
}

TEST(ChangedTimes, OfTwoEnginesAreMarkedAndCountedApart) {
    const std::vector<ResultRecord> earlier{by("old", dated("s", "2026-11-23", 10, 0.5)),
                                            by("new", dated("t", "2026-11-23", 10, 0.5)),
                                            by("old", bound("u", "2026-11-23", 30))};
    const std::vector<ResultRecord> later{by("new", dated("s", "2026-11-24", 40, 0.25)),
                                          by("new", dated("t", "2026-11-24", 12, 0.25)),
                                          by("new", dated("u", "2026-11-24", 4, 0.25))};
    const TimeChanges changes = changed_times({earlier, later}, "");
    ASSERT_EQ(changes.times.size(), 3U) << "they are shown";
    EXPECT_EQ(changes.times[0].later.configuration, "t") << "those of one engine come first";
    EXPECT_EQ(changes.times[1].later.configuration, "u");
    EXPECT_FALSE(changes.times[1].is_beyond_noise()) << "the compiler changed, not the computer";
    EXPECT_EQ(changes.compared(), 1U);
    EXPECT_EQ(changes.of_two_engines, 2U);
    EXPECT_EQ(changes.beyond_noise, 1U);
    EXPECT_EQ(changes.noise_unknown + changes.given_up + changes.given_up_before, 0U);
    EXPECT_EQ(
        changes_sentence(sparse(), changes),
        "1 of 1 schedule changed beyond noise. 2 more were measured by another version before, so their "
        "times are not compared.");
    EXPECT_THAT(changes_text(sparse(), changes), ::testing::HasSubstr("  +300.0 %  other version"));
    const auto json = changes_json(sparse(), changes);
    EXPECT_EQ(json["compared"], 1);
    EXPECT_EQ(json["other_engine"], 2);
    EXPECT_EQ(json["changes"][0]["significance"], "beyond_noise");
    EXPECT_EQ(json["changes"][2]["significance"], "other_engine");
    EXPECT_EQ(json["changes"][2]["beyond_noise"], false);
    EXPECT_EQ(json["changes"][2]["earlier_engine"], "old");
    EXPECT_EQ(json["changes"][2]["later_engine"], "new");
}

TEST(ChangedTimes, AllOfAnotherOrAnUnknownEngineSaySo) {
    const std::vector<ResultRecord> later{by("new", dated("s", "2026-11-24", 40, 0.25))};
    TimeChanges changes = changed_times({{by("old", dated("s", "2026-11-23", 10, 0.5))}, later}, "");
    EXPECT_EQ(changes_sentence(sparse(), changes),
              "1 schedule was measured by another version before, so its times are not compared.");
    changes = changed_times({{dated("s", "2026-11-23", 10, 0.5)}, later}, "");
    EXPECT_EQ(changes.of_two_engines, 1U) << "as every other reader has it";
    EXPECT_EQ(
        changes_sentence(sparse(), changes),
        "1 schedule was measured by another or an unknown version before, so its times are not compared.");
    EXPECT_TRUE(changes_json(sparse(), changes)["changes"][0]["earlier_engine"].is_null());
}

TEST(ChangedTimes, OfTwoEnginesAreNotInTheOverallChange) {
    RepeatedResults results = results_of_matrices({{1.1, 5}, {1.1, 5}, {1.1}, {5}});
    for (const std::size_t of_another : {1U, 3U, 5U})
        results.earlier[of_another].engine = "old";
    TimeChanges changes = changed_times(results, "");
    EXPECT_EQ(changes.of_two_engines, 3U);
    EXPECT_NEAR(changes.overall.value().value, 1.1, 1e-9);
    EXPECT_EQ(changes.workloads, 3U);
    EXPECT_THAT(
        changes_sentence(sparse(), changes),
        ::testing::HasSubstr("compared. Those measured by one version take 10.0 % longer than before"));
    results.earlier[4].engine = results.later[4].engine = "third"; // comparable, but not with the others
    changes = changed_times(results, "");
    EXPECT_EQ(changes.compared(), 3U);
    EXPECT_FALSE(changes.overall.has_value());
}

TEST(ChangedTimes, AreHeldAgainstATimeOfTheSameEngineRatherThanANewerOne) {
    const std::vector<ResultRecord> earlier{by("new", dated("s", "2026-11-21", 8, 0.5)),
                                            by("old", dated("s", "2026-11-22", 30, 0.5))};
    const TimeChanges changes = changed_times({earlier, {by("new", dated("s", "2026-11-23", 10, 0.5))}}, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_FALSE(changes.times[0].is_of_two_engines());
    EXPECT_DOUBLE_EQ(changes.times[0].ratio(), 1.25);
}

TEST(ChangedTimes, OfOtherConditionsAreNotCompared) {
    std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5)};
    earlier[0].machine = "other";
    EXPECT_TRUE(changed_times({earlier, {dated("s", "2026-11-24", 12, 0.5)}}, "").times.empty());
}

TEST(ChangedTimes, OfTwoMachinesWithOneNameAreKeptApart) {
    std::vector<ResultRecord> earlier{dated("s", "2026-11-23", 10, 0.5), dated("s", "2026-11-23", 30, 0.5)};
    earlier[0].machine_fingerprint = "one";
    earlier[1].machine_fingerprint = "two";
    std::vector<ResultRecord> later{dated("s", "2026-11-24", 12, 0.5)};
    later[0].machine_fingerprint = "two";
    const TimeChanges changes = changed_times({earlier, later}, "");
    ASSERT_EQ(changes.times.size(), 1U);
    EXPECT_EQ(changes.times[0].earlier.median_ms, 30.0);
    EXPECT_EQ(changes_json(sparse(), changes)["changes"][0]["machine_fingerprint"], "two");
    later[0].machine_fingerprint = "three";
    EXPECT_TRUE(changed_times({earlier, later}, "").times.empty());
}

TEST(Results, TableShowsTheTimeOfWhatWasGivenUpAsALowerBound) {
    EXPECT_THAT(results_text(sparse(), {row("a", MeasurementStatus::GaveUp, 12)}),
                ::testing::HasSubstr(" > 12.00 "));
}

TEST(Results, CsvQuotesWhatNeedsIt) {
    std::vector<ResultRecord> rows{row("a,\"b\"", MeasurementStatus::Failed, {})};
    rows[0].reason = "one\ntwo";
    rows[0].measured = "2024-01-01T00:00:00.000Z";
    EXPECT_THAT(results_csv(sparse(), rows),
                ::testing::EndsWith("\n\"a,\"\"b\"\"\",m,spmm,256,adaptive,s,failed,,,,,\"one\ntwo\","
                                    "2024-01-01T00:00:00.000Z,,,,,,\n"));
}

} // namespace sparsight
