// All that is shown of one schedule on one matrix, computed at once off the window's thread.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "widgets/schedule/storage/storage_picture.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QString>
#include <vector>

namespace sparsight {

struct SchedulePicture {
    QString code; ///< C
    TreePicture tree;
    std::vector<StorageBar> storage; ///< this schedule, then fixed CSR
    QString storage_problem;         ///< why there is no `storage`
};

/// The tree shows the part of the matrix around its first entry.
[[nodiscard]] SchedulePicture picture_of(const SuperSchedule& schedule, const CsrPattern& pattern,
                                         std::int64_t dense);

} // namespace sparsight
