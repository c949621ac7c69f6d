#include "domains/sparse/storage/schedules.h"
#include "store/sqlite.h"
#include "store_fixture.h"

#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <thread>

namespace sparsight {
namespace {

using testing::error_text;
using testing::fixed_csr_written_otherwise;
using ::testing::HasSubstr;
using testing::measured;
using testing::must;
using testing::numbered_schedule;
using testing::small_pattern;

class MeasurementsTest : public testing::MeasuredStoreTest {};

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

TEST_F(MeasurementsTest, ThatWereAlteredInTheFileAreDamagedAndMeasuredAgain) {
    const RunId run = must(start_run(workspace_, "collect", "{}"));
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMM, 4), measured(4), run));
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2), run));
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(1), run));
    must(remove_run(workspace_, run));
    EXPECT_EQ(must(find_measurement(workspace_, setting_, numbered_schedule(1)))->median, Milliseconds(1))
        << "the run that a measurement was made in may be forgotten";

    const auto columns = must(workspace_.database().all(
        [](Statement& row) { return row.text(0); },
        "SELECT name FROM pragma_table_info('measurements') WHERE name NOT IN ('id', 'run_id')"));
    for (const std::string& column : columns) {
        SCOPED_TRACE(column);
        if (column.ends_with("_id"))
            continue; // refers to another row; altered below
        const bool is_text = column == "protocol" || column == "condition" || column == "status" ||
                             column == "reason" || column == "measured" || column == "engine";
        must(workspace_.database().run(fmt::format("CREATE TEMP TABLE kept AS SELECT * FROM measurements")));
        must(workspace_.database().run(fmt::format("UPDATE measurements SET {0} = {1} WHERE id = 3", column,
                                                   is_text ? fmt::format("coalesce({}, '') || ' '", column)
                                                           : fmt::format("coalesce({}, 0) + 1", column))));
        const auto rows = must(list_results(workspace_));
        EXPECT_EQ(rows[2].status, MeasurementStatus::Damaged);
        EXPECT_FALSE(rows[2].median_ms);
        EXPECT_THAT(rows[2].reason, HasSubstr("does not match its checksum"));
        EXPECT_EQ(rows[1].median_ms, 2.0) << "the others are as they were";
        EXPECT_EQ(rows[1].speedup_over_fixed_csr, 2.0);
        EXPECT_NE(must(shortest_median(workspace_, setting_, Operator::SpMM, 4)), Milliseconds(1));
        must(workspace_.database().run("DELETE FROM measurements"));
        must(workspace_.database().run("INSERT INTO measurements SELECT * FROM kept"));
        must(workspace_.database().run("DROP TABLE kept"));
        EXPECT_EQ(must(list_results(workspace_))[2].median_ms, 1.0);
    }
    must(workspace_.database().run("UPDATE measurements SET median_ms = 0.5 WHERE id IN (1, 3)"));
    EXPECT_FALSE(must(list_results(workspace_))[1].speedup_over_fixed_csr)
        << "of the baseline nothing is known";
    EXPECT_EQ(must(find_measurement(workspace_, setting_, numbered_schedule(1)))->status,
              MeasurementStatus::Damaged);
    const RuntimeSource source{machine_, Operator::SpMM, 256, "adaptive", 4};
    EXPECT_EQ(must(list_runtimes(workspace_, source))[2].status, MeasurementStatus::Damaged);
    const std::vector<SuperSchedule> wanted{numbered_schedule(0), numbered_schedule(1)};
    EXPECT_EQ(must(missing_schedules(workspace_, setting_, Operator::SpMM, wanted)),
              std::vector{numbered_schedule(1)});
    must(record_measurement(workspace_, setting_, numbered_schedule(1), measured(3)));
    EXPECT_EQ(must(find_measurement(workspace_, setting_, numbered_schedule(1)))->median, Milliseconds(3));
}

TEST_F(MeasurementsTest, OfAnotherDomainStandBesideThoseOfMatrices) {
    const Setting setting{"loaves", ""};
    const WorkloadId oven = must(add_workload_name(workspace_, "loaves", "cage", "an oven"));
    EXPECT_NE(oven, matrix_) << "names are unique in a domain only";
    must(describe_workload(workspace_, oven, {R"({"racks":3})", "a kitchen", "abc"}));
    must(store_payload(workspace_, oven, std::vector<PayloadPart>{{"racks", {std::byte{3}}}}));
    const WrittenConfiguration hot{"loaves", "rye", "heat=230", "heat=230", 1, true};
    const WrittenConfiguration mild{"loaves", "rye", "heat=200", "heat=200", 1, false};
    for (const std::string condition : {"run=a", "run=b"}) {
        MeasurementConditions conditions{oven, machine_, setting, "recorded", condition};
        must(record_measurement(workspace_, conditions, hot, measured(condition == "run=a" ? 8 : 6)));
        must(record_measurement(workspace_, conditions, mild, measured(2)));
    }
    const auto known = must(find_workload(workspace_, "loaves", "cage"));
    EXPECT_EQ(known->known, (WorkloadFacts{R"({"racks":3})", "a kitchen", "abc"}));
    EXPECT_EQ(known->payload, PayloadPlace::Workspace);
    EXPECT_EQ(must(list_matrices(workspace_)).size(), 1U);
    EXPECT_TRUE(must(list_results(workspace_)).empty()) << "of the sparse domain";

    const auto results = must(list_results(workspace_, ResultQuery{.domain = "loaves"}));
    ASSERT_EQ(results.size(), 4U);
    EXPECT_EQ(results[1].speedup, 4.0);
    EXPECT_EQ(results[3].speedup, 3.0) << "beside the baseline of its own run";
    EXPECT_EQ(results[3].configuration, mild.text);
    const auto counted = must(count_runtimes(workspace_, setting));
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(counted[0].query.condition, "run=a");
    EXPECT_EQ(counted[0].workloads, 1);
    EXPECT_EQ(counted[0].with_data, 1);
    const RuntimeList list = must(list_runtimes(workspace_, counted[1].query));
    ASSERT_EQ(list.runtimes.size(), 2U);
    EXPECT_EQ(list.configurations, (std::vector{hot, mild}));
    EXPECT_EQ(list.runtimes[0].median_ms, 6.0);
    EXPECT_EQ(must(count_settings(workspace_)).size(), 1U);
}

TEST_F(MeasurementsTest, AreNeverDoubledTheNewerReplacesTheOlder) {
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(2)));
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measured(1)));
    EXPECT_EQ(must(count_measurements(workspace_)), 1);
    EXPECT_EQ(must(find_measurement(workspace_, setting_, numbered_schedule(0)))->median, Milliseconds(1));
}

TEST_F(MeasurementsTest, KeepWhatMadeThemAndHowSureTheyAre) {
    Measurement measurement = measured(1.25, 0.5);
    measurement.engine = "code 2";
    measurement.reference = Milliseconds(5);
    measurement.scatter = Milliseconds(0.75);
    measurement.error = Milliseconds(0.125);
    measurement.drift = Milliseconds(0.25);
    measurement.disturbance = 0.03;
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement));
    const auto found = must(find_measurement(workspace_, setting_, numbered_schedule(0)));
    EXPECT_EQ(found->engine, "code 2");
    EXPECT_EQ(found->reference, measurement.reference);
    EXPECT_EQ(found->scatter, measurement.scatter);
    EXPECT_EQ(found->error, measurement.error);
    EXPECT_EQ(found->drift, measurement.drift);
    EXPECT_EQ(found->disturbance, 0.03);
    const ResultRecord result = must(list_results(workspace_, ResultQuery{.domain = "sparse"})).front();
    EXPECT_EQ(result.engine, "code 2");
    EXPECT_EQ(result.error_ms, 0.125);
    EXPECT_EQ(result.speedup, 4.0) << "over the baseline at that moment, which is stored nowhere else";
}

TEST_F(MeasurementsTest, OfAnotherEngineOrOfBeforeCanBeLeftOut) {
    Measurement measurement = measured(4);
    measurement.engine = "code 1";
    must(record_measurement(workspace_, setting_, numbered_schedule(0), measurement));
    const MeasurementConditions conditions{matrix_, machine_, setting_of(Operator::SpMM, 256)};
    const auto count = [&](MeasurementAge age) {
        return must(measured_canonical_texts(workspace_, conditions, age)).size();
    };
    EXPECT_EQ(count({}), 1U);
    EXPECT_EQ(count({.engine = "code 1"}), 1U);
    EXPECT_EQ(count({.engine = "code 2"}), 0U);
    EXPECT_EQ(count({.since = "2000-01-01T00:00:00.000Z"}), 1U);
    EXPECT_EQ(count({.since = "3000-01-01T00:00:00.000Z"}), 0U);
}

TEST_F(MeasurementsTest, AreNeverReplacedByAFailureOfTheSameEngine) {
    Measurement good = measured(4);
    good.engine = "code 1";
    Measurement failure;
    failure.status = MeasurementStatus::GaveUp;
    failure.reason = "its first runs were abandoned";
    failure.median = Milliseconds(40);
    failure.engine = "code 1";
    const auto status = [&] {
        return must(find_measurement(workspace_, setting_, numbered_schedule(0)))->status;
    };
    must(record_measurement(workspace_, setting_, numbered_schedule(0), good));
    const std::string before = measuring_date();
    const auto next_date = [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }; // dates have these
    next_date();
    must(record_measurement(workspace_, setting_, numbered_schedule(0), failure));
    EXPECT_EQ(status(), MeasurementStatus::Measured);
    const MeasurementConditions conditions{matrix_, machine_, setting_of(Operator::SpMM, 256)};
    EXPECT_EQ(must(measured_canonical_texts(workspace_, conditions, {.since = before})).size(), 1U)
        << "the attempt is noted, so that measuring again comes to an end";
    failure.engine = "code 2";
    next_date();
    must(record_measurement(workspace_, setting_, numbered_schedule(0), failure));
    EXPECT_EQ(status(), MeasurementStatus::GaveUp) << "the old time says nothing about new code";
    EXPECT_EQ(must(list_earlier_results(workspace_, ResultQuery{.domain = "sparse"})).size(), 1U);
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
    EXPECT_EQ(must(workspace_.database().first([](Statement& row) { return row.integer(0); },
                                               "SELECT count(*) FROM configurations")),
              2)
        << "schedules are stored once";
}

TEST_F(MeasurementsTest, OfSpmvDoNotDependOnADenseExtent) {
    MeasurementSetting other = setting_;
    other.dense = 1;
    must(record_measurement(workspace_, setting_, fixed_csr(Operator::SpMV, 4), measured(1)));
    EXPECT_TRUE(must(find_measurement(workspace_, other, fixed_csr(Operator::SpMV, 4))));
    EXPECT_EQ(must(list_results(workspace_)).front().dense, 1);
}

TEST_F(MeasurementsTest, NeedAMatrixAndAMachineThatAreThere) {
    EXPECT_THAT(error_text(record_measurement(workspace_, {WorkloadId{99}, machine_}, numbered_schedule(0),
                                              measured(1))),
                HasSubstr("FOREIGN KEY"));
    EXPECT_EQ(must(workspace_.database().first([](Statement& row) { return row.integer(0); },
                                               "SELECT count(*) FROM configurations")),
              0)
        << "all or nothing";
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

class Runtimes : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    WorkloadId a_ = must(add_matrix_name(workspace_, "a", ""));
    WorkloadId b_ = must(add_matrix_name(workspace_, "b", ""));
    MachineId laptop_ = must(record_machine(workspace_, "laptop", "f1", "{}"));
    MachineId server_ = must(record_machine(workspace_, "server", "f2", "{}"));
};

TEST_F(Runtimes, AreListedByMatrixForOneMachineOperatorExtentProtocolAndNumberOfThreads) {
    must(record_measurement(workspace_, {b_, laptop_}, numbered_schedule(1), measured(1)));
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(2), measured(2, 0.5)));
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(1), measured(3)));
    must(record_measurement(workspace_, {a_, server_}, numbered_schedule(1), measured(4)));
    must(record_measurement(workspace_, {a_, laptop_, 32}, numbered_schedule(1), measured(5)));
    must(record_measurement(workspace_, {a_, laptop_, 256, "waco"}, numbered_schedule(1), measured(6)));
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(1, Operator::SpMV), measured(7)));
    must(record_measurement(workspace_, {a_, laptop_}, fixed_csr(Operator::SpMM, 2), measured(8)));
    const auto found = must(list_runtimes(workspace_, {laptop_, Operator::SpMM, 256, "adaptive", 4}));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].matrix, a_);
    EXPECT_EQ(found[0].schedule, numbered_schedule(2));
    EXPECT_EQ(found[0].status, MeasurementStatus::Measured);
    EXPECT_EQ(found[0].median_ms, 2);
    EXPECT_EQ(found[0].spread_ms, 0.5);
    EXPECT_EQ(found[1].median_ms, 3);
    EXPECT_EQ(found[2].matrix, b_);
    const auto spmv = must(list_runtimes(workspace_, {laptop_, Operator::SpMV, 256, "adaptive", 4}));
    ASSERT_EQ(spmv.size(), 1U) << "SpMV has no dense extent";
    EXPECT_EQ(spmv[0].median_ms, 7);
}

TEST_F(Runtimes, HaveNoTimeWhereTheyFailedAndNoSpreadWhereItIsNotKnown) {
    Measurement imported;
    imported.status = MeasurementStatus::Measured;
    imported.median = Milliseconds(2);
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(1), Measurement{}));
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(2), imported));
    const auto found = must(list_runtimes(workspace_, {laptop_, Operator::SpMM, 256, "adaptive", 4}));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].status, MeasurementStatus::Failed);
    EXPECT_EQ(found[0].median_ms, std::nullopt);
    EXPECT_EQ(found[1].median_ms, 2);
    EXPECT_EQ(found[1].spread_ms, std::nullopt);
}

TEST_F(Runtimes, AreCountedForEachMachineProtocolAndNumberOfThreads) {
    for (const int number : {1, 2, 3})
        must(record_measurement(workspace_, {a_, server_, 256, "waco"}, numbered_schedule(number),
                                measured(1)));
    must(record_measurement(workspace_, {a_, server_}, numbered_schedule(1), measured(1)));
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(1), measured(1)));
    must(record_measurement(workspace_, {a_, laptop_, 32}, numbered_schedule(1), measured(1)));
    for (const int chunk : {1, 2}) {
        SuperSchedule on_one_thread = numbered_schedule(chunk);
        on_one_thread.threads = 1;
        must(record_measurement(workspace_, {a_, server_}, on_one_thread, measured(1)));
    }
    const auto sources = must(runtime_sources(workspace_, Operator::SpMM, 256));
    ASSERT_EQ(sources.size(), 4U);
    EXPECT_EQ(sources[0].source.machine, laptop_);
    EXPECT_EQ(sources[0].source.threads, 4);
    EXPECT_EQ(sources[0].measurements, 1);
    EXPECT_EQ(sources[1].source.machine, server_);
    EXPECT_EQ(sources[1].source.protocol, "waco");
    EXPECT_EQ(sources[1].measurements, 3);
    EXPECT_EQ(sources[1].matrices, 0) << "its pattern is not known";
    must(add_matrix(workspace_, {"a", "", {}}, testing::small_pattern()));
    EXPECT_EQ(must(runtime_sources(workspace_, Operator::SpMM, 256))[1].matrices, 1)
        << "three schedules of one matrix";
    EXPECT_EQ(sources[1].source.threads, 4);
    EXPECT_EQ(sources[2].source.protocol, "adaptive");
    EXPECT_EQ(sources[2].source.threads, 1);
    EXPECT_EQ(sources[2].measurements, 2);
    EXPECT_EQ(sources[3].source.threads, 4);
    EXPECT_TRUE(must(runtime_sources(workspace_, Operator::SDDMM, 256)).empty());
}

TEST_F(Runtimes, AreCountedForEachOperatorAndExtentTheMostMeasuredFirst) {
    EXPECT_TRUE(must(runtime_settings(workspace_)).empty());
    must(record_measurement(workspace_, {a_, laptop_}, numbered_schedule(1), measured(1)));
    must(record_measurement(workspace_, {a_, laptop_, 32}, numbered_schedule(1), measured(1)));
    must(record_measurement(workspace_, {b_, server_, 32}, numbered_schedule(1), measured(1)));
    const auto settings = must(runtime_settings(workspace_));
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings[0].op, Operator::SpMM);
    EXPECT_EQ(settings[0].dense, 32);
    EXPECT_EQ(settings[0].measurements, 2);
    EXPECT_EQ(settings[1].dense, 256);
}

} // namespace
} // namespace sparsight
