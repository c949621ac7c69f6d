#include "gui/tuners/tuners_job.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"
#include "widgets/look/number_text.h"

namespace sparsight {

namespace {

/// At even steps of a logarithmic axis.
constexpr const char* measured_counts = "1,2,3,5,7,10,15,20,30,50,70,100";
constexpr int seeds = 3;
/// What one has in common with the others takes two others to learn. In the same setting, which the worker
/// checks.
constexpr std::size_t fewest_machines = 3;

} // namespace

const JobKind& tuners_kind() {
    static const JobKind kind{.name = QStringLiteral("tuners"), .learns = true, .guessed_seconds_a_unit = 10};
    return kind;
}

JobDescription describe(const TunersJob& job) {
    QStringList words{QStringLiteral("experiment"), QStringLiteral("hardware")};
    add_common(words, job.workspace);
    words << option("domain", QString::fromStdString(job.setting.domain))
          << option("settings", QString::fromStdString(job.setting.text)) << option("workload", job.workload)
          << option("targets", job.machine) << option("measurements", QLatin1String(measured_counts))
          << option("tuning", qint64{0}) << option("seeds", qint64{seeds});
    return {.kind = tuners_kind(),
            .title = JobTexts::tr("Compare tuners on %1 (%2)").arg(job.workload, job.machine_name),
            .workspace = job.workspace,
            .arguments = words,
            .work = 1};
}

std::optional<QString> launch_refusal(const TunersJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.workload.isEmpty() || job.machine.isEmpty() || job.setting.domain.empty())
        return JobTexts::tr("No times are known here");
    if (job.machines < fewest_machines)
        return job.machines == 1
                   ? JobTexts::tr("Only 1 machine has times of %1: three are needed").arg(job.workload)
                   : JobTexts::tr("Only %2 machines have times of %1: three are needed")
                         .arg(job.workload, count_text(static_cast<qint64>(job.machines)));
    return std::nullopt;
}

} // namespace sparsight
