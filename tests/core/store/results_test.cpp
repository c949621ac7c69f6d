#include "store/results.h"

#include "domains/sparse/storage/schedules.h"
#include "store/sqlite.h"
#include "store_fixture.h"

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sparsight {
namespace {

using testing::fixed_csr_written_otherwise;
using testing::measured;
using testing::must;
using testing::numbered_schedule;

class ResultsTest : public testing::MeasuredStoreTest {};

TEST_F(ResultsTest, CompareWithTheBaselineOfTheSameEngineOnly) {
    const auto record = [&](const SuperSchedule& schedule, double milliseconds, const char* engine) {
        Measurement measurement = measured(milliseconds);
        measurement.engine = engine;
        must(record_measurement(workspace_, setting_, schedule, measurement));
    };
    record(fixed_csr(Operator::SpMM, 4), 8, "code 1");
    record(numbered_schedule(0), 4, "code 1");
    record(numbered_schedule(1), 2, "code 2");
    const ResultQuery all{.domain = "sparse"};
    EXPECT_EQ(must(list_results(workspace_, all))[1].speedup, 2.0);
    EXPECT_EQ(must(list_results(workspace_, all))[1].baseline_spread_ms, 0.01);
    EXPECT_FALSE(must(list_results(workspace_, all))[2].speedup) << "its baseline is not measured yet";

    const Setting setting = setting_of(Operator::SpMM, 256);
    const auto counted = must(count_runtimes(workspace_, setting));
    ASSERT_EQ(counted.size(), 1U);
    EXPECT_EQ(counted[0].query.engine, "code 1") << "it has the most";
    EXPECT_EQ(counted[0].measurements, 2);
    EXPECT_EQ(counted[0].other_engines, 1);
    EXPECT_EQ(must(list_runtimes(workspace_, counted[0].query)).runtimes.size(), 2U);
}

TEST_F(ResultsTest, HaveTheTimesOfTheBaselineInTheSameCollection) {
    const auto record = [&](int number, double milliseconds, double reference, const char* date) {
        Measurement measurement = measured(milliseconds);
        measurement.reference = Milliseconds(reference);
        must(record_measurement(workspace_, setting_, numbered_schedule(number), measurement, std::nullopt,
                                date));
    };
    record(0, 6, 12, "2026-11-20T10:00:00.000Z");
    record(1, 2, 3.5, "2026-11-20T10:09:00.000Z");
    record(2, 7, 8, "2026-11-20T10:18:30.500Z");
    record(3, 4, 7, "2026-11-20T10:29:00.000Z");
    const auto results = must(list_results(workspace_, ResultQuery{.domain = "sparse"}));
    for (int number = 0; number < 3; ++number)
        EXPECT_EQ(results[static_cast<std::size_t>(number)].baseline_range, (BaselineRange{3.5, 12}))
            << number;
    EXPECT_EQ(results[3].baseline_range, (BaselineRange{7, 7})) << "another collection, after a pause";
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 4), measured(4)));
    must(record_measurement(workspace_, setting_, numbered_schedule(4), measured(2)));
    EXPECT_EQ(must(list_results(workspace_, ResultQuery{.domain = "sparse"}))[5].baseline_range, std::nullopt)
        << "no time of that moment is known";
}

TEST_F(ResultsTest, ThatWereReplacedLeaveTheirTimes) {
    const auto fast = numbered_schedule(0);
    const auto set_date = [&](const char* date) {
        must(workspace_.database().run(
            "UPDATE measurements SET measured = ?1, checksum = row_checksum(workload_id, machine_id, "
            "setting_id, configuration_id, protocol, condition, status, median_ms, spread_ms, repeats, "
            "pack_ms, compile_ms, bytes, reason, ?1, engine, reference_ms, scatter_ms, error_ms, drift_ms, "
            "disturbance)",
            std::string(date)));
    };
    must(record_measurement(workspace_, setting_, fast, measured(1, 0.5)));
    set_date("2026-11-20T00:00:00.000Z");
    must(workspace_.database().run("DELETE FROM earlier_times"));
    must(record_measurement(workspace_, setting_, fast, measured(2, 0.25)));
    const ResultQuery all{.domain = "sparse"};
    const auto earlier = must(list_earlier_results(workspace_, all));
    ASSERT_EQ(earlier.size(), 1U);
    EXPECT_EQ(earlier[0].median_ms, 1.0);
    EXPECT_EQ(earlier[0].spread_ms, 0.5);
    EXPECT_EQ(earlier[0].measured, "2026-11-20T00:00:00.000Z");
    EXPECT_EQ(earlier[0].speedup, std::nullopt);
    EXPECT_EQ(must(list_results(workspace_, all)).front().median_ms, 2.0);
    EXPECT_TRUE(must(list_earlier_results(workspace_, {.domain = "sparse", .workload = "other"})).empty());
}

TEST_F(ResultsTest, ThatWereReplacedByAnotherEngineKeepTheirOwn) {
    const auto record = [&](MeasurementStatus status, const char* engine, const char* date) {
        Measurement measurement = measured(3);
        measurement.status = status;
        measurement.engine = engine;
        must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement, std::nullopt, date));
    };
    record(MeasurementStatus::Measured, "", "2026-11-20T00:00:00.000Z");
    record(MeasurementStatus::Measured, "LLVM 19", "2026-11-21T00:00:00.000Z");
    record(MeasurementStatus::Measured, "LLVM 20", "2026-11-22T00:00:00.000Z");
    record(MeasurementStatus::GaveUp, "LLVM 20", "2026-11-23T00:00:00.000Z");
    const ResultQuery all{.domain = "sparse"};
    const auto earlier = must(list_earlier_results(workspace_, all));
    ASSERT_EQ(earlier.size(), 2U);
    EXPECT_EQ(earlier[0].engine, "") << "none was known";
    EXPECT_EQ(earlier[1].engine, "LLVM 19");
    EXPECT_EQ(must(list_results(workspace_, all)).front().engine, "LLVM 20");
    EXPECT_EQ(must(list_failed_repeats(workspace_, all)).at(0).engine, "LLVM 20");
}

TEST_F(ResultsTest, OfOneDateOrSimulatedOnesLeaveNoTimes) {
    const ResultQuery all{.domain = "sparse"};
    const auto record = [&](const Measurement& measurement, const char* date) {
        must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement, std::nullopt, date));
    };
    record(measured(3, 0.5), "2026-11-20T00:00:00.000Z");
    record(measured(2, 0.5), "2026-11-21T00:00:00.000Z");
    record(measured(1, 0.5), "2026-11-21T00:00:00.000Z");
    auto earlier = must(list_earlier_results(workspace_, all));
    ASSERT_EQ(earlier.size(), 1U) << "the interim time is none";
    EXPECT_EQ(earlier[0].median_ms, 3.0);
    EXPECT_EQ(must(list_results(workspace_, all)).front().measured, "2026-11-21T00:00:00.000Z");

    Measurement simulated = measured(1, 0.5);
    simulated.reason = "simulated (mechanistic)";
    record(simulated, "2026-11-22T00:00:00.000Z");
    record(simulated, "2026-11-23T00:00:00.000Z");
    record(simulated, "2026-11-24T00:00:00.000Z");
    earlier = must(list_earlier_results(workspace_, all));
    ASSERT_EQ(earlier.size(), 2U) << "simulating again adds no row";
    EXPECT_EQ(earlier[1].measured, "2026-11-21T00:00:00.000Z") << "that of the measured time";
}

TEST_F(ResultsTest, OfWhatWasAbandonedKeepTheBoundThatATimeReplaces) {
    const ResultQuery all{.domain = "sparse"};
    const auto record = [&](MeasurementStatus status, double milliseconds, const char* date) {
        Measurement measurement = measured(milliseconds);
        measurement.status = status;
        must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement, std::nullopt, date));
    };
    record(MeasurementStatus::GaveUp, 40, "2026-11-20T00:00:00.000Z");
    record(MeasurementStatus::GaveUp, 50, "2026-11-21T00:00:00.000Z");
    EXPECT_TRUE(must(list_earlier_results(workspace_, all)).empty()) << "abandoned again";
    record(MeasurementStatus::Measured, 3, "2026-11-22T00:00:00.000Z");
    const auto earlier = must(list_earlier_results(workspace_, all));
    ASSERT_EQ(earlier.size(), 1U);
    EXPECT_EQ(earlier[0].status, MeasurementStatus::GaveUp);
    EXPECT_EQ(earlier[0].median_ms, 50.0);
    EXPECT_EQ(earlier[0].spread_ms, std::nullopt);
    EXPECT_EQ(earlier[0].measured, "2026-11-21T00:00:00.000Z");
}

TEST_F(ResultsTest, TellWhatCameOfMeasuringAgainInVain) {
    const ResultQuery all{.domain = "sparse"};
    const auto record = [&](MeasurementStatus status, double milliseconds, const char* date) {
        Measurement measurement = measured(milliseconds);
        measurement.status = status;
        must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement, std::nullopt, date));
    };
    record(MeasurementStatus::Measured, 3, "2026-11-20T00:00:00.000Z");
    record(MeasurementStatus::GaveUp, 40, "2026-11-21T00:00:00.000Z");
    record(MeasurementStatus::TooLarge, 0, "2026-11-22T00:00:00.000Z");
    EXPECT_EQ(must(list_results(workspace_, all)).front().median_ms, 3.0) << "the time stands";
    const auto attempts = must(list_failed_repeats(workspace_, all));
    ASSERT_EQ(attempts.size(), 2U);
    EXPECT_EQ(attempts[0].status, MeasurementStatus::GaveUp);
    EXPECT_EQ(attempts[0].median_ms, 40.0);
    EXPECT_EQ(attempts[0].measured, "2026-11-21T00:00:00.000Z");
    EXPECT_EQ(attempts[1].status, MeasurementStatus::TooLarge);
    EXPECT_EQ(attempts[1].median_ms, std::nullopt);
    record(MeasurementStatus::Measured, 4, "2026-11-23T00:00:00.000Z");
    EXPECT_TRUE(must(list_failed_repeats(workspace_, all)).empty()) << "measured since";
}

TEST_F(ResultsTest, ThatFailedOrWereAlteredInTheFileLeaveNoTimes) {
    Measurement failed;
    failed.status = MeasurementStatus::Failed;
    must(record_measurement(workspace_, setting_, numbered_schedule(0), failed));
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(1, 0.5)));
    must(workspace_.database().run("UPDATE measurements SET median_ms = 7 WHERE median_ms = 1"));
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // dates have milliseconds
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2, 0.5)));
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(2, 0.5)));
    EXPECT_TRUE(must(list_earlier_results(workspace_, {.domain = "sparse"})).empty());
}

TEST_F(ResultsTest, AreListedWithTheirNamesAndTheirSpeedupOverFixedCsr) {
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 4), measured(4, 0.1)));
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2, 0.2)));
    Measurement too_large;
    too_large.status = MeasurementStatus::TooLarge;
    too_large.bytes = 1 << 30;
    too_large.reason = "over the limit";
    must(record_measurement(workspace_, setting_, numbered_schedule(1), too_large));
    Measurement gave_up = measured(80);
    gave_up.status = MeasurementStatus::GaveUp;
    must(record_measurement(workspace_, setting_, numbered_schedule(2), gave_up));

    const auto results = must(list_results(workspace_));
    ASSERT_EQ(results.size(), 4U);
    EXPECT_EQ(results[0].speedup_over_fixed_csr, 1.0);
    EXPECT_EQ(results[1].matrix, "cage");
    EXPECT_EQ(results[1].machine, "laptop");
    EXPECT_EQ(results[1].op, Operator::SpMM);
    EXPECT_EQ(results[1].dense, 256);
    EXPECT_EQ(results[1].protocol, "adaptive");
    EXPECT_EQ(results[1].schedule, to_text(numbered_schedule(0)));
    EXPECT_EQ(results[1].status, MeasurementStatus::Measured);
    EXPECT_EQ(results[1].median_ms, 2.0);
    EXPECT_EQ(results[1].spread_ms, 0.2);
    EXPECT_EQ(results[1].speedup_over_fixed_csr, 2.0);
    EXPECT_EQ(results[1].bytes, 1000U);
    EXPECT_EQ(results[2].median_ms, std::nullopt);
    EXPECT_EQ(results[2].spread_ms, std::nullopt);
    EXPECT_EQ(results[2].speedup_over_fixed_csr, std::nullopt);
    EXPECT_EQ(results[2].reason, "over the limit");
    EXPECT_EQ(results[3].median_ms, 80.0);
    EXPECT_EQ(results[3].speedup_over_fixed_csr, std::nullopt) << "one run is no median";
}

TEST_F(ResultsTest, AreComparedWithFixedCsrOfTheSameSettingAndThreadsAlone) {
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2)));
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 8), measured(1)));
    MeasurementSetting other = setting_;
    other.dense = 32;
    must(record_measurement(workspace_, other, fixed_csr(Operator::SpMM, 4), measured(1)));
    other = setting_;
    other.protocol = "waco";
    must(record_measurement(workspace_, other, fixed_csr(Operator::SpMM, 4), measured(1)));
    other = setting_;
    other.machine = must(recorded_machine(workspace_, "xeon"));
    must(record_measurement(workspace_, other, fixed_csr(Operator::SpMM, 4), measured(1)));
    other = setting_;
    other.matrix = must(add_matrix_name(workspace_, "other", ""));
    must(record_measurement(workspace_, other, fixed_csr(Operator::SpMM, 4), measured(1)));
    EXPECT_EQ(must(list_results(workspace_)).front().speedup_over_fixed_csr, std::nullopt);
    must(record_measurement(workspace_, setting_, fixed_csr_written_otherwise(), measured(3)));
    EXPECT_EQ(must(list_results(workspace_)).front().speedup_over_fixed_csr, 1.5);
    EXPECT_EQ(must(list_results(workspace_)).size(), 7U);
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 4), measured(5)));
    EXPECT_EQ(must(list_results(workspace_)).front().speedup_over_fixed_csr, 2.5)
        << "the text that was measured last counts";
    EXPECT_EQ(must(list_results(workspace_)).size(), 8U) << "two texts of fixed CSR do not double the rows";
}

TEST_F(ResultsTest, CanBeListedInPart) {
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 4), measured(1)));
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SDDMM, 4), measured(2)));
    MeasurementSetting other{must(add_matrix_name(workspace_, "other", "")),
                             must(recorded_machine(workspace_, "xeon")), 32, "waco"};
    must(record_measurement(workspace_, other, fixed_csr(Operator::SpMM, 4), measured(3)));
    const auto medians = [&](const ResultFilter& filter) {
        std::vector<double> found;
        for (const ResultRow& row : must(list_results(workspace_, filter)))
            found.push_back(row.median_ms.value_or(0));
        return found;
    };
    EXPECT_EQ(medians({.matrix = "cage"}), (std::vector{1.0, 2.0}));
    EXPECT_EQ(medians({.machine = "xeon"}), std::vector{3.0});
    EXPECT_EQ(medians({.machine = "f1"}), (std::vector{1.0, 2.0}));
    EXPECT_EQ(medians({.op = Operator::SDDMM}), std::vector{2.0});
    EXPECT_EQ(medians({.dense = 32}), std::vector{3.0});
    EXPECT_EQ(medians({.protocol = "adaptive"}), (std::vector{1.0, 2.0}));
    EXPECT_EQ(medians({.matrix = "cage", .machine = "xeon"}), std::vector<double>{});
}

} // namespace
} // namespace sparsight
