// The command lines that requests of the learner become, and the reasons why one can't be launched.
#include "gui/jobs/job_request.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

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

} // namespace

JobSetting job_setting(const Domain& domain, const Setting& setting) {
    const auto members = domain.members(setting);
    SettingOptions all;
    for (const SettingOption& each : domain.setting_options())
        if (const auto value = text_of(members, each.name))
            all[each.name] = *value;
    JobSetting job{.setting = setting};
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

JobDescription describe_train(const TrainJob& job) {
    QStringList words{QStringLiteral("train")};
    add_common(words, job.workspace);
    words << option("name", job.name);
    if (!job.machines.isEmpty())
        words << option("machines", joined(job.machines));
    if (!job.setting.setting.domain.empty())
        words << option("domain", QString::fromStdString(job.setting.setting.domain));
    words << job.setting.of_model << job.setting.others;
    words << option("architecture", job.architecture) << option("method", job.method);
    if (!job.split.isEmpty())
        words << option("split", job.split);
    for (const auto& [name, value] : job.options)
        words << (value.isEmpty() ? QStringLiteral("--%1").arg(name)
                                  : QStringLiteral("--%1=%2").arg(name, value));
    return {JobKind::Train, JobTexts::tr("Train %1").arg(job.name), job.workspace, words, {}};
}

JobDescription describe_fine_tune(const FineTuneJob& job) {
    QStringList words{QStringLiteral("finetune")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("machine", job.machine) << option("name", job.name);
    if (job.matrix_names.isEmpty())
        words << option("matrices", job.matrices);
    else
        words << option("matrices", joined(job.matrix_names));
    if (job.epochs)
        words << option("epochs", *job.epochs);
    words << job.setting.others;
    if (!job.shots.isEmpty())
        words << option("shots", joined(job.shots)) << option("seeds", job.seeds);
    if (!job.against.isEmpty())
        words << option("against", joined(job.against));
    return {JobKind::FineTune, JobTexts::tr("Fine-tune %1").arg(job.model), job.workspace, words, {}};
}

JobDescription describe_search(const SearchJob& job) {
    QStringList words{QStringLiteral("search")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("k", job.k) << option("method", job.method);
    for (const QString& matrix : job.matrices)
        words << option("matrix", matrix);
    if (job.budget)
        words << option("budget", *job.budget);
    if (job.width)
        words << option("ef", *job.width);
    words << job.setting.others;
    if (!job.machine.isEmpty())
        words << option("machine", job.machine);
    if (job.map)
        words << QStringLiteral("--map");
    const QString title = job.matrices.size() == 1
                              ? JobTexts::tr("Search schedules for %1").arg(job.matrices.first())
                              : JobTexts::tr("Search schedules for %1 matrices").arg(job.matrices.size());
    return {JobKind::Search, title, job.workspace, words, {}};
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
        else if (name == QLatin1String("--matrix"))
            job.matrices << value;
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

JobDescription describe_evaluate(const EvaluateJob& job) {
    QStringList words{QStringLiteral("evaluate")};
    add_common(words, job.workspace);
    words << option("models", joined(job.models)) << option("k", job.k);
    for (const QString& matrix : job.matrices)
        words << option("matrix", matrix);
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
    return {JobKind::Evaluate, title, job.workspace, words, {}};
}

JobDescription describe_reasons(const ReasonsJob& job) {
    QStringList words{QStringLiteral("reasons")};
    add_common(words, job.workspace);
    words << option("model", job.model) << option("matrix", job.matrix) << option("schedule", job.schedule)
          << option("against", job.against);
    words << job.setting.others;
    if (!job.machine.isEmpty())
        words << option("machine", job.machine);
    return {JobKind::Reasons,
            JobTexts::tr("Ask %1 why it chose as it did for %2").arg(job.model, job.matrix),
            job.workspace,
            words,
            {}};
}

std::optional<QString> train_refusal(const TrainJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.machines.isEmpty())
        return JobTexts::tr("No machines are chosen: there is nothing to learn from");
    return name_refusal(job.name, conditions);
}

std::optional<QString> fine_tune_refusal(const FineTuneJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    if (job.machine.isEmpty())
        return JobTexts::tr("No machine is chosen");
    if (job.matrix_names.isEmpty() && job.matrices < 1)
        return JobTexts::tr("%1 matrices to learn from: expected 1 or more").arg(job.matrices);
    return name_refusal(job.name, conditions);
}

std::optional<QString> search_refusal(const SearchJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    if (job.matrices.isEmpty())
        return JobTexts::tr("No matrices are chosen");
    if (job.k < 1)
        return JobTexts::tr("%1 schedules are wanted: expected 1 or more").arg(job.k);
    for (const QString& matrix : job.matrices)
        if (conditions.matrices_without_pattern.contains(matrix))
            return JobTexts::tr("Of %1 the workspace has only the name: import the matrix first").arg(matrix);
    return std::nullopt;
}

std::optional<QString> evaluate_refusal(const EvaluateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.models.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    if (job.k < 1)
        return JobTexts::tr("%1 schedules a matrix are wanted: expected 1 or more").arg(job.k);
    if (job.threads < 1 || job.threads > maximum_threads)
        return JobTexts::tr("%1 threads: expected 1 to %2").arg(job.threads).arg(maximum_threads);
    return std::nullopt;
}

std::optional<QString> reasons_refusal(const ReasonsJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.model.isEmpty())
        return JobTexts::tr("No model is chosen: train one first");
    if (conditions.matrices_without_pattern.contains(job.matrix))
        return JobTexts::tr("Of %1 the workspace has only the name: import the matrix first").arg(job.matrix);
    return std::nullopt;
}

} // namespace sparsight
