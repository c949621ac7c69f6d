// The command lines that requests of the learner become, and the reasons why one can't be launched.
#include "gui/jobs/job_request.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"
#include "gui/page/domain_words.h"

#include <algorithm>
#include <variant>

namespace sparsight {

namespace {

/// As a text, where a setting has this part.
std::optional<std::string> text_of(const std::vector<SettingMember>& members, const std::string& name) {
    const auto found = std::ranges::find(members, name, &SettingMember::key);
    if (found == members.end() || std::holds_alternative<std::monostate>(found->value))
        return std::nullopt;
    const auto* const number = std::get_if<std::int64_t>(&found->value);
    return number != nullptr ? std::to_string(*number) : std::get<std::string>(found->value);
}

QString joined(const QStringList& names) {
    return names.join(u',');
}

/// Names stand in lists that commas separate.
std::optional<QString> name_refusal(const QString& name, const LaunchConditions& conditions) {
    if (name.trimmed().isEmpty())
        return JobTexts::tr("The model that it makes has no name");
    if (name.contains(u',') || name.startsWith(u'-'))
        return JobTexts::tr("“%1” can't be the name of a model: expected no comma, and no hyphen at its "
                            "beginning")
            .arg(name);
    if (conditions.models.contains(name))
        return JobTexts::tr("There is a model “%1” already: choose another name").arg(name);
    return std::nullopt;
}

/// In all runs: the model's own and, for the shot curve, those of each rival, draw and number.
double workloads_learned_from(const FineTuneJob& job) {
    constexpr double rows_like_a_workload = 20; // where configurations are parted instead
    double shots = 0;
    for (const QString& each : job.shots)
        shots += each.toDouble();
    const double own = job.rows                       ? *job.rows
                       : job.workload_names.isEmpty() ? job.workloads
                                                      : static_cast<double>(job.workload_names.size());
    const double all = own + shots * job.seeds * (1.0 + static_cast<double>(job.against.size()));
    return job.rows ? all / rows_like_a_workload : all;
}

QString no_model() {
    return JobTexts::tr("No model is chosen: train one first");
}

} // namespace

JobSetting job_setting(const Domain& domain, const Setting& setting) {
    JobSetting job{.setting = setting,
                   .workload = domain.words().workload,
                   .configuration = domain.words().configuration};
    if (const auto known = domain.parse_setting(setting.text); !known) {
        job.problem = QString::fromStdString(known.error().message);
        return job;
    }
    const auto members = domain.members(setting);
    SettingOptions all;
    for (const SettingOption& each : domain.setting_options())
        if (const auto value = text_of(members, each.name))
            all[each.name] = *value;
    for (const SettingOption& each : domain.setting_options()) {
        const auto value = all.find(each.name);
        if (value == all.end())
            continue;
        SettingOptions others = all;
        others.erase(each.name);
        const auto without = domain.setting_of(others);
        // Other than the default, and yet the same without it: this setting has no such part.
        if (value->second != each.default_value && without && *without == setting)
            continue;
        (each.is_of_model ? job.of_model : job.others) << QStringLiteral("--%1=%2").arg(
            QString::fromStdString(each.name), QString::fromStdString(value->second));
    }
    return job;
}

JobDescription describe(const TrainJob& job) {
    QStringList words{QStringLiteral("train")};
    add_common(words, job.workspace);
    words << option("name", job.name);
    if (!job.machines.isEmpty())
        words << option("machines", joined(job.machines));
    if (!job.setting.setting.domain.empty())
        words << option("domain", QString::fromStdString(job.setting.setting.domain));
    words << job.setting.of_model << job.setting.others;
    if (!job.architecture.isEmpty())
        words << option("architecture", job.architecture);
    words << option("method", job.method);
    if (!job.split.isEmpty())
        words << option("split", job.split);
    if (!job.split_by.isEmpty())
        words << option("split-by", job.split_by);
    for (const auto& [name, value] : job.options)
        words << (value.isEmpty() ? QStringLiteral("--%1").arg(name)
                                  : QStringLiteral("--%1=%2").arg(name, value));
    return {JobKind::Train, JobTexts::tr("Train %1").arg(job.name), job.workspace, words};
}

JobDescription describe(const FineTuneJob& job) {
    QStringList words{QStringLiteral("finetune")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("machine", job.machine) << option("name", job.name);
    if (job.rows)
        words << option("rows", *job.rows);
    else if (job.workload_names.isEmpty())
        words << option("matrices", job.workloads);
    else
        words << option("matrices", joined(job.workload_names));
    if (job.epochs)
        words << option("epochs", *job.epochs);
    words << job.setting.others;
    if (!job.shots.isEmpty())
        words << option("shots", joined(job.shots)) << option("seeds", job.seeds);
    if (!job.against.isEmpty())
        words << option("against", joined(job.against));
    return {.kind = JobKind::FineTune,
            .title = JobTexts::tr("Fine-tune %1").arg(job.model),
            .workspace = job.workspace,
            .arguments = words,
            .work = workloads_learned_from(job)};
}

JobDescription describe(const SearchJob& job) {
    QStringList words{QStringLiteral("search")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("k", job.k) << option("method", job.method);
    for (const QString& workload : job.workloads)
        words << option("workload", workload);
    if (job.budget)
        words << option("budget", *job.budget);
    if (job.width)
        words << option("ef", *job.width);
    words << job.setting.others;
    if (!job.machine.isEmpty())
        words << option("machine", job.machine);
    if (job.map)
        words << QStringLiteral("--map");
    const QString where = job.workloads.size() == 1 ? job.workloads.first()
                                                    : counted(job.workloads.size(), job.setting.workload);
    return {
        .kind = JobKind::Search,
        .title =
            JobTexts::tr("Search %1 for %2 with %3").arg(many(job.setting.configuration), where, job.model),
        .workspace = job.workspace,
        .arguments = words,
        .work = static_cast<double>(job.workloads.size())};
}

std::optional<SearchJob> search_job_from(const QString& workspace, const QStringList& arguments) {
    if (arguments.isEmpty() || arguments.first() != QLatin1String("search"))
        return std::nullopt;
    SearchJob job;
    job.workspace = workspace;
    for (const QString& word : arguments) {
        const auto end = word.indexOf(u'=');
        const QString name = end < 0 ? word : word.first(end);
        const QString value = end < 0 ? QString() : word.sliced(end + 1);
        if (name == QLatin1String("--model"))
            job.model = value;
        else if (name == QLatin1String("--workload") || name == QLatin1String("--matrix")) // of older jobs
            job.workloads << value;
        else if (name == QLatin1String("--k"))
            job.k = value.toInt();
        else if (name == QLatin1String("--method"))
            job.method = value;
        else if (name == QLatin1String("--budget"))
            job.budget = value.toInt();
        else if (name == QLatin1String("--ef"))
            job.width = value.toInt();
        else if (name == QLatin1String("--machine"))
            job.machine = value;
        else if (name == QLatin1String("--map"))
            job.map = true;
        else if (!value.isEmpty() && name != QLatin1String("--workspace") &&
                 name != QLatin1String("--progress"))
            job.setting.others << word;
    }
    return job;
}

JobDescription describe(const EvaluateJob& job) {
    QStringList words{QStringLiteral("evaluate")};
    add_common(words, job.workspace);
    words << option("models", joined(job.models)) << option("k", job.k);
    for (const QString& workload : job.workloads)
        words << option("workload", workload);
    if (!job.split.isEmpty())
        words << option("split", job.split);
    if (!job.machine.isEmpty())
        words << option("machine", job.machine);
    else
        words << option("threads", job.threads);
    if (job.budget)
        words << option("budget", QStringLiteral("%1s").arg(job.budget->count()));
    words << job.setting.others;
    const QString title = job.models.size() == 1 ? JobTexts::tr("Evaluate %1").arg(job.models.first())
                                                 : JobTexts::tr("Compare %1 models").arg(job.models.size());
    // Looking times up takes moments: only measuring is estimated.
    const qint64 workloads = job.workloads.isEmpty() ? job.workload_count : job.workloads.size();
    const qint64 measured = job.machine.isEmpty() ? workloads * (1 + job.k * job.models.size()) : 0;
    return {.kind = JobKind::Evaluate,
            .title = title,
            .workspace = job.workspace,
            .arguments = words,
            .work = static_cast<double>(measured),
            .budget = job.budget};
}

std::optional<QString> launch_refusal(const TrainJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.machines.isEmpty())
        return JobTexts::tr("No machines are chosen: there is nothing to learn from");
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    return name_refusal(job.name, conditions);
}

std::optional<QString> launch_refusal(const FineTuneJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return no_model();
    if (job.machine.isEmpty())
        return JobTexts::tr("No machine is chosen");
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    if (job.rows ? *job.rows < 1 : job.workload_names.isEmpty() && job.workloads < 1)
        return JobTexts::tr("%1 to learn from: expected 1 or more")
            .arg(job.rows ? counted(*job.rows, job.setting.configuration)
                          : counted(job.workloads, job.setting.workload));
    return name_refusal(job.name, conditions);
}

std::optional<QString> launch_refusal(const SearchJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return no_model();
    if (job.workloads.isEmpty())
        return JobTexts::tr("No %1 are chosen").arg(many(job.setting.workload));
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    if (job.k < 1)
        return JobTexts::tr("%1 are wanted: expected 1 or more")
            .arg(counted(job.k, job.setting.configuration));
    for (const QString& workload : job.workloads)
        if (conditions.workloads_without_data.contains(workload))
            return JobTexts::tr("The workspace has only the name of %1: import the %2 first")
                .arg(workload, one(job.setting.workload));
    return std::nullopt;
}

std::optional<QString> launch_refusal(const EvaluateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.models.isEmpty())
        return no_model();
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    if (job.k < 1)
        return JobTexts::tr("%1 a %2 are wanted: expected 1 or more")
            .arg(counted(job.k, job.setting.configuration), one(job.setting.workload));
    return threads_refusal(job.threads);
}

} // namespace sparsight
