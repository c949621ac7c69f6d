// Tests that measure do not wait for each other: the turn to measure of this process, and of the programs
// that it starts, is its own.
#pragma once

#include "support/test_files.h"

#include <cstdlib>

namespace sparsight::testing {

class OwnMeasuringLock {
public:
    OwnMeasuringLock() { ::setenv("SPARSIGHT_MEASURING_LOCK", (folder_ / "turn.lock").c_str(), 1); }
    ~OwnMeasuringLock() { ::unsetenv("SPARSIGHT_MEASURING_LOCK"); }
    OwnMeasuringLock(const OwnMeasuringLock&) = delete;
    OwnMeasuringLock& operator=(const OwnMeasuringLock&) = delete;

private:
    TemporaryFolder folder_;
};

} // namespace sparsight::testing
