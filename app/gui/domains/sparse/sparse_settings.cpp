#include "gui/domains/sparse/sparse_settings.h"

#include "domains/sparse/sparse_domain.h"

namespace sparsight {

JobSetting sparse_job_setting(Operator op, std::int64_t dense) {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return job_setting(*domain, setting_of(op, dense));
}

std::int64_t dense_of(const JobSetting& setting) {
    const QString option = QStringLiteral("--dense=");
    for (const QString& word : setting.others)
        if (word.startsWith(option))
            return word.sliced(option.size()).toLongLong();
    return SparseSetting{}.dense;
}

} // namespace sparsight
