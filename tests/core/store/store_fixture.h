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

} // namespace sparsight::testing
