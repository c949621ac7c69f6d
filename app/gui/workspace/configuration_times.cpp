#include "gui/workspace/configuration_times.h"

#include "store/workspace.h"
#include "workflow/evaluation/stored_results.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

struct Titles {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TimeSet)
};

auto conditions_of(const ResultRecord& result) {
    return std::tie(result.setting, result.protocol, result.condition, result.threads);
}

/// Only what tells this set from the others.
QString title_of(const Domain& domain, const ResultRecord& first, bool has_threads) {
    QStringList parts;
    if (!first.setting.text.empty())
        parts << QString::fromStdString(domain.describe(first.setting));
    if (!first.condition.empty())
        parts << QString::fromStdString(first.condition);
    if (has_threads)
        parts << (first.threads == 1 ? Titles::tr("1 thread") : Titles::tr("%1 threads").arg(first.threads));
    parts << QString::fromStdString(first.protocol);
    return parts.join(QStringLiteral(" · "));
}

void add_decisions(const Domain& domain, TimeSet& set) {
    const auto codec = domain.codec(set.setting);
    if (!codec)
        return;
    for (ConfigurationTime& time : set.times)
        if (const auto parsed = (*codec)->parse(time.result.configuration))
            time.values = values_of(**codec, parsed->configuration, set.decisions);
}

void rank(TimeSet& set) {
    const auto order = [](const ConfigurationTime& time) {
        const bool is_measured = time.result.status == MeasurementStatus::Measured;
        const bool is_bound = time.result.status == MeasurementStatus::GaveUp;
        return std::pair(is_measured ? 0 : is_bound ? 1 : 2, time.result.median_ms.value_or(0));
    };
    std::ranges::stable_sort(set.times, {}, order);
    int place = 0;
    for (ConfigurationTime& time : set.times) {
        if (time.result.status != MeasurementStatus::Measured)
            break;
        time.rank = ++place;
        const double best = set.times.front().result.median_ms.value_or(0);
        if (best > 0)
            time.ratio = time.result.median_ms.value_or(0) / best;
    }
}

} // namespace

std::vector<TimeSet> time_sets(const Domain& domain, std::vector<ResultRecord> results) {
    const bool has_threads = std::ranges::any_of(
        results, [&](const ResultRecord& result) { return result.threads != results.front().threads; });
    std::ranges::stable_sort(results, [](const ResultRecord& a, const ResultRecord& b) {
        return conditions_of(a) < conditions_of(b);
    });
    std::vector<TimeSet> sets;
    for (ResultRecord& result : results) {
        if (sets.empty() || conditions_of(sets.back().times.front().result) != conditions_of(result)) {
            TimeSet set;
            set.title = title_of(domain, result, has_threads);
            set.setting = result.setting;
            set.key = QString::fromStdString(result.setting.text + '|' + result.protocol + '|' +
                                             result.condition + '|' + std::to_string(result.threads));
            sets.push_back(std::move(set));
        }
        ConfigurationTime time;
        time.result = std::move(result);
        sets.back().times.push_back(std::move(time));
    }
    for (TimeSet& set : sets) {
        rank(set);
        add_decisions(domain, set);
    }
    std::ranges::stable_sort(sets, std::ranges::greater(),
                             [](const TimeSet& set) { return set.times.size(); });
    return sets;
}

Result<std::vector<TimeSet>> read_time_sets(const std::string& workspace, const Domain& domain,
                                            const std::string& workload, const std::string& machine) {
    auto file = Workspace::open(workspace,
                                {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!file)
        return std::unexpected(file.error());
    auto results =
        list_results(*file, {.domain = std::string(domain.name()), .workload = workload, .machine = machine});
    if (!results)
        return std::unexpected(results.error());
    return time_sets(domain, std::move(*results));
}

} // namespace sparsight
