#include "store/runtimes.h"

#include "store_fixture.h"

namespace sparsight {
namespace {

using testing::measured;
using testing::must;
using testing::numbered_schedule;

class Runtimes : public testing::StoreTest {
protected:
    Workspace workspace_ = create();
    MatrixId a_ = must(add_matrix_name(workspace_, "a", ""));
    MatrixId b_ = must(add_matrix_name(workspace_, "b", ""));
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
