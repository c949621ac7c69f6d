#include "gui/runs/stored_learning.h"

#include "gui/jobs/json_values.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "store/workspace.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <variant>

namespace sparsight {

namespace {

QDateTime time_from(const std::string& utc) {
    return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
}

QJsonObject object_from(const std::string& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

/// Machines and similar settings: a list, or one text with commas.
QStringList listed_texts(const QJsonValue& value) {
    return value.isString() ? value.toString().split(u',', Qt::SkipEmptyParts) : texts_of(value.toArray());
}

/// Older models name the parts of a workload that was split: "conv #3", "conv (training machines) #1".
QStringList whole_workloads(const QStringList& learned, const std::set<std::string>& known) {
    static const QRegularExpression part(
        QStringLiteral("( \\((training|validation) machines\\))?( #\\d+)?$"));
    QStringList whole;
    for (const QString& name : learned)
        whole << (known.contains(name.toStdString()) ? name : QString(name).remove(part));
    whole.removeDuplicates();
    return whole;
}

KnownModel known_model(const ModelRecord& record, const Domain& domain, const std::set<std::string>& known) {
    KnownModel model;
    model.id = record.id;
    model.name = QString::fromStdString(record.name);
    model.run = record.run;
    model.parent = record.parent;
    model.bytes = record.bytes;
    model.created = time_from(record.created);
    const QJsonObject description = object_from(record.description);
    const QJsonObject training = description.value(QStringLiteral("training")).toObject();
    const QJsonObject input = description.value(QStringLiteral("input")).toObject();
    model.architecture = description.value(QStringLiteral("architecture")).toString();
    model.method = training.value(QStringLiteral("method")).toString();
    model.machines = listed_texts(training.value(QStringLiteral("machines")));
    model.workloads = whole_workloads(listed_texts(training.value(QStringLiteral("matrices"))), known);
    model.metrics = training.value(QStringLiteral("metrics")).toObject();
    model.computed_with = training.value(QStringLiteral("computed_with")).toObject();
    if (training.contains(QStringLiteral("seed")))
        model.seed = training.value(QStringLiteral("seed")).toInteger();
    const QJsonObject blend = description.value(QStringLiteral("blend")).toObject();
    if (!blend.isEmpty())
        model.blend = {blend.value(QStringLiteral("network")).toDouble(),
                       blend.value(QStringLiteral("simulator")).toDouble()};
    SettingOptions parts;
    for (const SettingOption& option : domain.setting_options())
        if (option.is_of_model) {
            const QString key = QString::fromStdString(option.name);
            const QString part = description.value(key).toString(input.value(key).toString());
            if (!part.isEmpty())
                parts[option.name] = part.toStdString();
        } else if (const QJsonValue number = input.value(QString::fromStdString(option.name));
                   model.is_gray_box() && number.isDouble()) {
            model.simulated_numbers[QString::fromStdString(option.name)] = number.toInteger();
        }
    const std::string whole = input.value(QStringLiteral("setting")).toString().toStdString();
    if (const auto setting = parts.empty() ? domain.parse_setting(whole) : domain.setting_of(parts)) {
        model.purpose = purpose_of(domain, *setting);
        model.purpose_text = purpose_text(domain, *setting);
    }
    return model;
}

/// "reliability/predicted" and the like, by their places
Result<void> add_reliability(Workspace& workspace, TrainingRun& run) {
    ReliabilityNumbers numbers;
    for (const char* name :
         {"predicted", "right", "pairs", "workloads", "uncalibrated_error", "within", "differences"}) {
        const auto points = list_metric(workspace, run.id, std::string("reliability/") + name);
        if (!points)
            return std::unexpected(points.error());
        for (const MetricPoint& point : *points)
            numbers[name][point.step] = point.value;
    }
    run.reliability = from_numbers(numbers);
    return {};
}

Result<void> add_numbers(Workspace& workspace, TrainingRun& run) {
    RunCurves curves;
    for (const char* metric :
         {"epoch/step", "epoch/seconds", "validation/ordered_pair_accuracy", "validation/regret_at_20"}) {
        const auto points = list_metric(workspace, run.id, metric);
        if (!points)
            return std::unexpected(points.error());
        curves.take(metric, *points);
    }
    run.epochs = curves.epochs().empty() ? 0 : curves.epochs().rbegin()->first;
    run.seconds = curves.seconds();
    const auto reached = [&](const QString& metric) { // trees keep all rounds, a network its best epoch
        return run.is_of_trees() ? curves.last_validation(metric) : curves.best(metric);
    };
    run.accuracy = reached(QStringLiteral("ordered_pair_accuracy"));
    run.regret = reached(QStringLiteral("regret_at_20"));
    std::optional<double> network_of_blend;
    for (const auto& [metric, value] : {std::pair{"test/ordered_pair_accuracy", &run.test_accuracy},
                                        {"before/ordered_pair_accuracy", &run.accuracy_before},
                                        {"baseline/ordered_pair_accuracy", &run.baseline_accuracy},
                                        {"network/ordered_pair_accuracy", &network_of_blend},
                                        {"simulator/ordered_pair_accuracy", &run.simulator_alone}}) {
        const auto points = list_metric(workspace, run.id, metric);
        if (!points)
            return std::unexpected(points.error());
        if (!points->empty())
            *value = points->back().value;
    }
    if (network_of_blend) // of an earlier version: no correction of the simulator
        run.simulator_alone.reset();
    if (auto read = add_reliability(workspace, run); !read)
        return read;
    const auto tested = list_metric(workspace, run.id, "run/test_matrices");
    if (!tested)
        return std::unexpected(tested.error());
    if (!tested->empty())
        run.test_workloads = static_cast<int>(tested->back().value);
    return {};
}

/// "deviation/l2_bytes/factor", "…/low", "…/high"
Result<std::vector<MachineDeviation>> read_deviations(Workspace& workspace, RunId run) {
    const auto names = metric_names(workspace, run);
    if (!names)
        return std::unexpected(names.error());
    constexpr std::string_view prefix = "deviation/";
    std::map<MachineParameter, MachineDeviation> found;
    for (const std::string& name : *names) {
        const std::size_t last = name.rfind('/');
        if (!name.starts_with(prefix) || last < prefix.size())
            continue;
        const auto parameter =
            parse_machine_parameter(std::string_view(name).substr(prefix.size(), last - prefix.size()));
        const auto points = list_metric(workspace, run, name);
        if (!points)
            return std::unexpected(points.error());
        if (!parameter || points->empty())
            continue;
        MachineDeviation& deviation = found[*parameter];
        deviation.parameter = *parameter;
        const std::string part = name.substr(last + 1);
        (part == "factor" ? deviation.factor
         : part == "low"  ? deviation.low
                          : deviation.high) = points->back().value;
    }
    std::vector<MachineDeviation> deviations;
    for (const auto& [parameter, deviation] : found)
        deviations.push_back(deviation);
    std::ranges::stable_sort(deviations, std::ranges::greater(), [](const MachineDeviation& each) {
        return std::abs(std::log(each.factor)) / std::log(each.high / each.low);
    });
    return deviations;
}

Result<std::vector<LearningSource>> read_sources(Workspace& workspace, const Domain& domain, bool has_data) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    const auto settings = count_settings(workspace);
    if (!settings)
        return std::unexpected(settings.error());
    std::vector<LearningSource> sources;
    for (const CountedSettings& counted_setting : *settings) {
        const Setting& setting = counted_setting.setting;
        if (setting.domain != domain.name())
            continue;
        const auto counted = count_runtimes(workspace, setting);
        if (!counted)
            return std::unexpected(counted.error());
        // The condition and the protocol with the most measurements come first.
        std::map<MachineId, std::set<std::string>> seen;
        const std::size_t first = sources.size();
        for (const CountedRuntimes& one : *counted) {
            const auto machine = std::ranges::find(*machines, one.query.machine, &MachineRecord::id);
            auto& conditions = seen[one.query.machine];
            if (machine == machines->end() || !conditions.insert(one.query.condition).second)
                continue;
            sources.push_back({.machine = QString::fromStdString(machine->fingerprint),
                               .name = QString::fromStdString(machine->name),
                               .condition = QString::fromStdString(one.query.condition),
                               .is_usual = conditions.size() == 1,
                               .protocol = QString::fromStdString(one.query.protocol),
                               .setting = setting,
                               .setting_text = QString::fromStdString(domain.describe(setting)),
                               .purpose = purpose_of(domain, setting),
                               .purpose_text = purpose_text(domain, setting),
                               .workloads = has_data ? one.with_data : one.workloads,
                               .measurements = one.measurements});
        }
        const std::span of_setting(sources.begin() + static_cast<std::ptrdiff_t>(first), sources.end());
        for (LearningSource& source : of_setting)
            source.has_siblings =
                std::ranges::count(of_setting, source.machine, &LearningSource::machine) > 1;
    }
    return sources;
}

/// Without a machine.
LearningSource source_in(const Domain& domain, const Setting& setting) {
    LearningSource source;
    source.setting = setting;
    source.setting_text = QString::fromStdString(domain.describe(setting));
    source.purpose = purpose_of(domain, setting);
    source.purpose_text = purpose_text(domain, setting);
    return source;
}

/// In every setting that has measurements, and in the usual one.
Result<void> add_imagined(Workspace& workspace, const Domain& domain, StoredLearning& learning) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::vector<LearningSource> settings;
    const auto add = [&](const Setting& setting) {
        if (std::ranges::find(settings, setting, &LearningSource::setting) == settings.end())
            settings.push_back(source_in(domain, setting));
    };
    for (const LearningSource& source : learning.sources)
        add(source.setting);
    if (const auto usual = domain.setting_of({})) {
        learning.usual = source_in(domain, *usual);
        add(*usual);
    }
    for (const LearningSource& setting : settings)
        for (const MachineRecord& machine : *machines) {
            const QString fingerprint = QString::fromStdString(machine.fingerprint);
            const auto suffices = [&](const LearningSource& source) {
                return source.machine == fingerprint && source.setting == setting.setting &&
                       source.workloads >= fewest_sides;
            };
            if (!is_editable(machine) || std::ranges::any_of(learning.sources, suffices))
                continue;
            LearningSource imagined = setting;
            imagined.machine = fingerprint;
            imagined.name = QString::fromStdString(machine.name);
            imagined.protocol = QStringLiteral("simulated");
            imagined.workloads = learning.simulated_workloads(setting.setting);
            imagined.is_imagined = true;
            learning.imagined.push_back(std::move(imagined));
        }
    return {};
}

} // namespace

std::vector<LearningSource> StoredLearning::learnable(bool has_simulator) const {
    std::vector<LearningSource> found = sources;
    if (!has_simulator)
        return found;
    std::erase_if(found, [this](const LearningSource& source) {
        return std::ranges::any_of(imagined, [&](const LearningSource& other) {
            return other.machine == source.machine && other.setting == source.setting;
        });
    });
    found.insert(found.end(), imagined.begin(), imagined.end());
    return found;
}

std::int64_t StoredLearning::simulated_workloads(const Setting& setting) const {
    const auto measured = std::ranges::find(sources, setting, &LearningSource::setting);
    return measured != sources.end() && measured->workloads >= fewest_sides ? measured->workloads : with_data;
}

const Domain* domain_of(const QJsonObject& settings, const DomainRegistry& domains) {
    if (const QString name = settings.value(QStringLiteral("domain")).toString(); !name.isEmpty())
        return domains.find(name.toStdString());
    const auto all = domains.all();
    const auto has_option = [&settings](const Domain* domain) {
        return std::ranges::any_of(domain->setting_options(), [&settings](const SettingOption& option) {
            return settings.contains(QString::fromStdString(option.name));
        });
    };
    const auto found = std::ranges::find_if(all, has_option);
    return found == all.end() ? all.front() : *found;
}

QString LearningSource::under_condition() const {
    return QStringLiteral("%1 (%2)").arg(name, condition);
}

bool KnownModel::is_for(const Domain& domain, const Setting& setting) const {
    if (purpose != purpose_of(domain, setting))
        return false;
    return std::ranges::all_of(domain.members(setting), [&](const SettingMember& member) {
        const auto simulated = simulated_numbers.find(QString::fromStdString(member.key));
        const auto* const number = std::get_if<std::int64_t>(&member.value);
        return simulated == simulated_numbers.end() || number == nullptr || simulated->second == *number;
    });
}

bool LearningSource::was_learned_by(const KnownModel& model) const {
    return model.machines.contains(under_condition()) ||
           (is_usual && (model.machines.contains(name) || model.machines.contains(machine)));
}

QString machine_asked(const std::vector<LearningSource>& sources, const QString& asked) {
    const auto found = std::ranges::find(sources, asked, &LearningSource::job_name);
    return found == sources.end() ? QString() : found->machine;
}

QString asked_of_machine(const std::vector<LearningSource>& sources, const QString& machine,
                         const QString& chosen) {
    if (machine_asked(sources, chosen) == machine)
        return chosen;
    const auto found = std::ranges::find(sources, machine, &LearningSource::machine);
    return found == sources.end() ? QString() : found->job_name();
}

QString purpose_of(const Domain& domain, const Setting& setting) {
    QStringList parts;
    const auto members = domain.members(setting);
    for (const SettingOption& option : domain.setting_options()) {
        const auto member = std::ranges::find(members, option.name, &SettingMember::key);
        if (option.is_of_model && member != members.end())
            if (const auto* const text = std::get_if<std::string>(&member->value))
                parts << QString::fromStdString(*text);
    }
    return parts.join(u' ');
}

QString purpose_text(const Domain& domain, const Setting& setting) {
    const QString purpose = purpose_of(domain, setting);
    const QString text = QString::fromStdString(domain.describe(setting));
    return text.startsWith(purpose, Qt::CaseInsensitive) ? text.first(purpose.size()) : purpose;
}

TrainingRun training_run(const RunRecord& record) {
    TrainingRun run;
    run.id = record.id;
    run.kind = QString::fromStdString(record.kind);
    run.parameters = object_from(record.parameters);
    const auto text = [&run](const char* key) { return run.parameters.value(QLatin1String(key)).toString(); };
    run.name = text("name");
    run.method = text("method");
    run.architecture = text("architecture");
    run.machines = listed_texts(run.parameters.value(QStringLiteral("machines")));
    if (run.machines.isEmpty()) // all machines
        run.machines = run.parameters.value(QStringLiteral("data")).toObject().keys();
    run.epochs_planned = run.parameters.value(QStringLiteral("epochs")).toInt();
    run.state = record.state;
    run.message = QString::fromStdString(record.message);
    run.started = time_from(record.started);
    run.ended = time_from(record.ended);
    return run;
}

void set_workers(std::vector<TrainingRun>& runs, const std::vector<RunHolder>& holders) {
    for (TrainingRun& run : runs) {
        const auto holder = std::ranges::find(holders, run.id, &RunHolder::run);
        run.worker = holder == holders.end() ? 0 : holder->process;
    }
}

Result<StoredLearning> read_learning(Workspace& workspace, const Domain& domain,
                                     const DomainRegistry& domains) {
    StoredLearning learning;
    const auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    std::set<std::string> names;
    for (const WorkloadRecord& workload : *workloads) {
        names.insert(workload.name);
        learning.with_data += workload.payload != PayloadPlace::Unknown ? 1 : 0;
    }
    learning.has_data = learning.with_data > 0;
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    for (const ModelRecord& model : *models)
        if (domain_of(object_from(model.description), domains) == &domain)
            learning.models.push_back(known_model(model, domain, names));
    for (KnownModel& model : learning.models)
        if (model.is_gray_box() && model.run) {
            auto deviations = read_deviations(workspace, *model.run);
            if (!deviations)
                return std::unexpected(std::move(deviations).error());
            model.deviations = *std::move(deviations);
        }
    std::ranges::reverse(learning.models);
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto holders = live_holders(workspace);
    if (!holders)
        return std::unexpected(holders.error());
    for (const RunRecord& record : *runs) {
        if (record.kind != "train" && record.kind != "finetune")
            continue;
        TrainingRun run = training_run(record);
        if (domain_of(run.parameters, domains) != &domain)
            continue;
        const auto model = std::ranges::find(learning.models, std::optional(record.id), &KnownModel::run);
        run.has_model = model != learning.models.end();
        if (run.has_model)
            run.workloads = static_cast<int>(model->workloads.size());
        if (auto added = add_numbers(workspace, run); !added)
            return std::unexpected(added.error());
        learning.runs.push_back(std::move(run));
    }
    std::ranges::reverse(learning.runs);
    set_workers(learning.runs, *holders);
    auto sources = read_sources(workspace, domain, learning.has_data);
    if (!sources)
        return std::unexpected(sources.error());
    learning.sources = std::move(*sources);
    if (auto added = add_imagined(workspace, domain, learning); !added)
        return std::unexpected(std::move(added).error());
    const auto splits = split_names(workspace, domain.name());
    if (!splits)
        return std::unexpected(splits.error());
    for (const std::string& split : *splits)
        learning.splits << QString::fromStdString(split);
    return learning;
}

namespace {

/// Passes every metric of the run to curves or points.
template <typename Taker>
Result<Taker> read_metrics(Workspace& workspace, RunId run) {
    const auto names = metric_names(workspace, run);
    if (!names)
        return std::unexpected(names.error());
    Taker taker;
    for (const std::string& name : *names) {
        const auto points = list_metric(workspace, run, name);
        if (!points)
            return std::unexpected(points.error());
        taker.take(name, *points);
    }
    return taker;
}

} // namespace

Result<RunCurves> read_curves(Workspace& workspace, RunId run) {
    return read_metrics<RunCurves>(workspace, run);
}

Result<ShotPoints> read_shots(Workspace& workspace, RunId run) {
    return read_metrics<ShotPoints>(workspace, run);
}

} // namespace sparsight
