#include "cli/schedules/results_command.h"
#include "workflow/evaluation/stored_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

ResultRow row(std::string matrix, MeasurementStatus status, std::optional<double> median) {
    ResultRow row;
    row.matrix = std::move(matrix);
    row.machine = "m";
    row.dense = 256;
    row.protocol = "adaptive";
    row.schedule = "s";
    row.status = status;
    row.median_ms = median;
    return row;
}

std::vector<ResultRow> sorted(std::vector<ResultRow> rows) {
    sort_results(rows);
    return rows;
}

std::vector<std::pair<std::string, double>> times(const std::vector<ResultRow>& rows) {
    std::vector<std::pair<std::string, double>> times;
    for (const ResultRow& result : rows)
        times.emplace_back(result.matrix, result.median_ms.value_or(-1));
    return times;
}

const std::vector<ResultRow> some{
    row("b", MeasurementStatus::Measured, 3), row("a", MeasurementStatus::TooLarge, {}),
    row("b", MeasurementStatus::GaveUp, 1),   row("a", MeasurementStatus::Measured, 2),
    row("b", MeasurementStatus::Measured, 2), row("c", MeasurementStatus::Failed, {})};

} // namespace

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Results, AreSortedByMatrixThenMedianWithoutATimeLast) {
    EXPECT_THAT(times(sorted(some)), ElementsAre(Pair("a", 2), Pair("a", -1), Pair("b", 1), Pair("b", 2),
                                                 Pair("b", 3), Pair("c", -1)));
}

TEST(Results, BestIsTheFastestThatWasMeasured) {
    EXPECT_THAT(times(best_results(sorted(some))), ElementsAre(Pair("a", 2), Pair("b", 2)))
        << "a given-up run is no measurement, a matrix without one has no best";
}

TEST(Results, WhatWasSimulatedIsNotCalledMeasured) {
    std::vector<ResultRow> rows{row("a", MeasurementStatus::Measured, 2),
                                row("b", MeasurementStatus::Measured, 1),
                                row("c", MeasurementStatus::TooLarge, {})};
    rows[0].reason = rows[2].reason = "simulated (mechanistic)";
    const auto json = results_json(rows);
    EXPECT_EQ(json[0]["status"], "simulated");
    EXPECT_EQ(json[1]["status"], "measured");
    EXPECT_EQ(json[2]["status"], "too large");
    EXPECT_THAT(results_text(rows), ::testing::HasSubstr("simulated"));
    EXPECT_THAT(results_csv({rows[0]}), ::testing::HasSubstr(",simulated,2,"));
}

TEST(Results, BestIsTakenInEachSettingByItself) {
    std::vector<ResultRow> rows{row("a", MeasurementStatus::Measured, 2),
                                row("a", MeasurementStatus::Measured, 1)};
    rows[0].protocol = "waco";
    EXPECT_THAT(times(best_results(sorted(rows))), ElementsAre(Pair("a", 1), Pair("a", 2)));
    rows[0].protocol = rows[1].protocol;
    rows[0].dense = 8;
    EXPECT_EQ(best_results(sorted(rows)).size(), 2);
}

TEST(Results, TableShowsMachineAndProtocolOnlyWhereTheyDiffer) {
    std::vector<ResultRow> rows{row("a", MeasurementStatus::Measured, 1.25)};
    rows[0].spread_ms = 0.0125;
    rows[0].speedup_over_fixed_csr = 1.5;
    rows[0].bytes = 2048;
    EXPECT_EQ(results_text(rows),
              "matrix  operator  dense  median ms    ± ms  speedup      size  status    schedule\n"
              "a       spmm        256     1.2500  0.0125     1.50  2.00 KiB  measured  s\n");
    rows.push_back(rows.front());
    rows.back().machine = "other";
    EXPECT_THAT(results_text(rows), ::testing::HasSubstr("machine"));
    EXPECT_THAT(results_text(rows), ::testing::Not(::testing::HasSubstr("protocol")));
}

TEST(Results, TableShowsTheTimeOfWhatWasGivenUpAsALowerBound) {
    EXPECT_THAT(results_text({row("a", MeasurementStatus::GaveUp, 12)}), ::testing::HasSubstr(" > 12.0000 "));
}

TEST(Results, CsvQuotesWhatNeedsIt) {
    std::vector<ResultRow> rows{row("a,\"b\"", MeasurementStatus::Failed, {})};
    rows[0].reason = "one\ntwo";
    rows[0].measured = "2024-01-01T00:00:00.000Z";
    EXPECT_THAT(results_csv(rows),
                ::testing::EndsWith("\n\"a,\"\"b\"\"\",m,spmm,256,adaptive,s,failed,,,,,\"one\ntwo\","
                                    "2024-01-01T00:00:00.000Z\n"));
}

} // namespace sparsight
