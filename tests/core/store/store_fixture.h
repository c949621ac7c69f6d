// What the tests of the workspace share: a folder that goes away, and short ways to make things in it.
#pragma once

#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "support/results.h"
#include "support/test_files.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace sparsight::testing {

class StoreTest : public ::testing::Test {
protected:
    StoreTest() {
        // Some tests run a part as another user.
        std::filesystem::permissions(folder_.path(), std::filesystem::perms::others_exec,
                                     std::filesystem::perm_options::add);
    }

    [[nodiscard]] std::filesystem::path in_folder(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::filesystem::path file() const { return in_folder("demo.sparsight"); }
    [[nodiscard]] Workspace create() const { return must(Workspace::create(file(), "test 1.0")); }
    void create_and_close() const { (void)create(); }

private:
    TemporaryFolder folder_;
};

/// 2 × 3 with three non-zeros.
inline CsrPattern small_pattern() {
    return {2, 3, {0, 2, 3}, {0, 2, 1}, {}};
}

/// A matrix and a machine to measure it on.
class MeasuredStoreTest : public StoreTest {
protected:
    Workspace workspace_ = create();
    WorkloadId matrix_ = must(add_matrix(workspace_, {"cage", "", {}}, small_pattern()));
    MachineId machine_ = must(record_machine(workspace_, "laptop", "f1", "{}"));
    MeasurementSetting setting_{matrix_, machine_};
};

/// Another schedule for each number, as collections have them: fixed CSR with a chunk and splits of its own.
inline SuperSchedule numbered_schedule(int number, Operator op = Operator::SpMM) {
    SuperSchedule schedule = fixed_csr(op, 4);
    schedule.chunk = 1 + number;
    schedule.splits[static_cast<std::size_t>(Index::I)] = 8;
    return schedule;
}

inline Measurement measured(double milliseconds, double spread = 0.01) {
    Measurement measurement;
    measurement.status = MeasurementStatus::Measured;
    measurement.median = Milliseconds(milliseconds);
    measurement.spread = Milliseconds(spread);
    measurement.repeats = 30;
    measurement.bytes = 1000;
    return measurement;
}

/// Fixed CSR, with the loops of the unsplit k written elsewhere.
inline SuperSchedule fixed_csr_written_otherwise() {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    std::swap(schedule.order[3], schedule.order[4]);
    return schedule;
}

} // namespace sparsight::testing
