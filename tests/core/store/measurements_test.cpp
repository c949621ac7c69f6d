#include "store/measurements.h"

#include "store/results.h"
#include "store/schedules.h"
#include "store_fixture.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::measured;
using testing::must;
using testing::numbered_schedule;
using testing::small_pattern;

class MeasurementsTest : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    MatrixId matrix_ = must(add_matrix(workspace_, {"cage", "", {}}, small_pattern()));
    MachineId machine_ = must(record_machine(workspace_, "laptop", "f1", "{}"));
    MeasurementSetting setting_{matrix_, machine_};
};

/// Fixed CSR, with the loops of the unsplit k written elsewhere.
SuperSchedule fixed_csr_written_otherwise() {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    std::swap(schedule.order[3], schedule.order[4]);
    return schedule;
}

TEST_F(MeasurementsTest, AreKeptWholeWhateverTheyFound) {
    const RunId run = must(start_run(workspace_, "collect", "{}"));
    Measurement measurement = measured(1.25, 0.5);
    measurement.pack = Milliseconds(3);
    measurement.compile = Milliseconds(12.5);
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement, run));
    const auto found = must(find_measurement(workspace_, setting_, numbered_schedule(0)));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->status, MeasurementStatus::Measured);
    EXPECT_EQ(found->median, Milliseconds(1.25));
    EXPECT_EQ(found->spread, Milliseconds(0.5));
    EXPECT_EQ(found->repeats, 30);
    EXPECT_EQ(found->pack, Milliseconds(3));
    EXPECT_EQ(found->compile, Milliseconds(12.5));
    EXPECT_EQ(found->bytes, 1000U);

    Measurement refused;
    refused.status = MeasurementStatus::TooLarge;
    refused.bytes = std::numeric_limits<std::uint64_t>::max();
    refused.reason = "would take 16 EiB";
    must(record_measurement(workspace_, setting_, numbered_schedule(1), refused));
    const auto kept = must(find_measurement(workspace_, setting_, numbered_schedule(1)));
    EXPECT_EQ(kept->status, MeasurementStatus::TooLarge);
    EXPECT_EQ(kept->reason, "would take 16 EiB");
    EXPECT_EQ(kept->bytes, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));

    EXPECT_FALSE(must(find_measurement(workspace_, setting_, numbered_schedule(2))));
}

TEST_F(MeasurementsTest, AreNeverDoubledTheNewerReplacesTheOlder) {
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2)));
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(1)));
    EXPECT_EQ(must(count_measurements(workspace_)), 1);
    EXPECT_EQ(must(find_measurement(workspace_, setting_, numbered_schedule(0)))->median, Milliseconds(1));
}

TEST_F(MeasurementsTest, AreApartForAnotherMatrixMachineScheduleExtentOrProtocol) {
    MeasurementSetting other_matrix = setting_;
    other_matrix.matrix = must(add_matrix_name(workspace_, "other", ""));
    MeasurementSetting other_machine = setting_;
    other_machine.machine = must(recorded_machine(workspace_, "xeon"));
    MeasurementSetting other_extent = setting_;
    other_extent.dense = 32;
    MeasurementSetting other_protocol = setting_;
    other_protocol.protocol = "waco";
    double milliseconds = 1;
    for (const auto& setting : {setting_, other_matrix, other_machine, other_extent, other_protocol})
        must(record_measurement(workspace_, setting, numbered_schedule(0), measured(milliseconds++)));
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(milliseconds)));
    EXPECT_EQ(must(count_measurements(workspace_)), 6);
    EXPECT_EQ(must(find_measurement(workspace_, other_protocol, numbered_schedule(0)))->median,
              Milliseconds(5));
    EXPECT_EQ(must(count_schedules(workspace_)), 2) << "schedules are stored once";
}

TEST_F(MeasurementsTest, OfSpmvDoNotDependOnADenseExtent) {
    MeasurementSetting other = setting_;
    other.dense = 1;
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMV, 4), measured(1)));
    EXPECT_TRUE(must(find_measurement(workspace_, other, fixed_csr(Operator::SpMV, 4))));
    EXPECT_EQ(must(list_results(workspace_)).front().dense, 1);
}

TEST_F(MeasurementsTest, NeedAMatrixAndAMachineThatAreThere) {
    EXPECT_THAT(error_text(record_measurement(workspace_, {MatrixId{99}, machine_}, numbered_schedule(0),
                                              measured(1))),
                HasSubstr("FOREIGN KEY"));
    EXPECT_EQ(must(count_schedules(workspace_)), 0) << "all or nothing";
}

TEST_F(MeasurementsTest, TellWhatIsMissingSoThatACollectionGoesOnWhereItStopped) {
    std::vector<SuperSchedule> wanted;
    for (int i = 0; i < 5; ++i)
        wanted.push_back(numbered_schedule(i));
    EXPECT_EQ(must(missing_schedules(workspace_, setting_, Operator::SpMM, wanted)), wanted);
    must(record_measurement(workspace_, setting_, wanted[1], measured(1)));
    Measurement failed;
    failed.reason = "crashed";
    must(record_measurement(workspace_, setting_, wanted[3], failed));
    EXPECT_EQ(must(missing_schedules(workspace_, setting_, Operator::SpMM, wanted)),
              (std::vector{wanted[0], wanted[2], wanted[4]}))
        << "in order; a failure is a finding too";
    MeasurementSetting other = setting_;
    other.dense = 8;
    EXPECT_EQ(must(missing_schedules(workspace_, other, Operator::SpMM, wanted)), wanted);
    EXPECT_TRUE(must(missing_schedules(workspace_, setting_, Operator::SpMM, {})).empty());
}

TEST_F(MeasurementsTest, CountForEveryScheduleThatMeansTheSame) {
    const std::vector wanted{fixed_csr(Operator::SpMM, 4), fixed_csr_written_otherwise()};
    ASSERT_NE(wanted[0], wanted[1]);
    EXPECT_EQ(must(missing_schedules(workspace_, setting_, Operator::SpMM, wanted)).size(), 1U);
    must(record_measurement(workspace_, setting_, wanted[1], measured(1)));
    EXPECT_TRUE(must(missing_schedules(workspace_, setting_, Operator::SpMM, wanted)).empty());
}

TEST_F(MeasurementsTest, TellTheShortestMedianSoFar) {
    EXPECT_FALSE(must(shortest_median(workspace_, setting_, Operator::SpMM, 4)));
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(3)));
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(2)));
    Measurement gave_up = measured(1);
    gave_up.status = MeasurementStatus::GaveUp;
    must(record_measurement(workspace_, setting_, numbered_schedule(2), gave_up));
    EXPECT_EQ(must(shortest_median(workspace_, setting_, Operator::SpMM, 4)), Milliseconds(2));
    EXPECT_FALSE(must(shortest_median(workspace_, setting_, Operator::SDDMM, 4)));
    EXPECT_FALSE(must(shortest_median(workspace_, setting_, Operator::SpMM, 2)))
        << "that was another number of threads";
}

TEST_F(MeasurementsTest, AreListedWithTheirNamesAndTheirSpeedupOverFixedCsr) {
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

TEST_F(MeasurementsTest, AreComparedWithFixedCsrOfTheSameSettingAndThreadsAlone) {
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
    EXPECT_EQ(must(list_results(workspace_)).front().speedup_over_fixed_csr, 1.5) << "the faster text counts";
    EXPECT_EQ(must(list_results(workspace_)).size(), 8U) << "two texts of fixed CSR do not double the rows";
}

TEST_F(MeasurementsTest, CanBeListedInPart) {
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
