#include "gui/domains/sparse/sparse_settings.h"

#include "domains/sparse/sparse_domain.h"

namespace sparsight {

JobSetting sparse_job_setting(Operator op, std::int64_t dense) {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return job_setting(*domain, setting_of(op, dense));
}

} // namespace sparsight
