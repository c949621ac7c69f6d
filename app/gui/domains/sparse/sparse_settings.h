// Settings of sparse matrices as jobs and the learner know them.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/jobs/job_request.h"

namespace sparsight {

[[nodiscard]] JobSetting sparse_job_setting(Operator op, std::int64_t dense);

} // namespace sparsight
