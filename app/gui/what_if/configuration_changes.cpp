#include "gui/what_if/configuration_changes.h"

#include "evaluation/time_differences.h"
#include "store/workspace.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// Numbers first, ascending; the order of the space is kept among the others.
bool comes_before(const QString& one, const QString& other) {
    bool is_number = false;
    const double number = one.toDouble(&is_number);
    bool is_other_number = false;
    const double other_number = other.toDouble(&is_other_number);
    return is_number && (!is_other_number || number < other_number);
}

/// For each decision that something changes; `configurations` begin with the studied one.
std::vector<DecisionAlternatives>
alternatives_of_decisions(const std::vector<ChangedConfiguration>& configurations) {
    std::vector<DecisionAlternatives> decisions;
    std::vector<std::string> keys;
    for (std::size_t place = 1; place < configurations.size(); ++place) {
        const ChangedConfiguration& changed = configurations[place];
        const auto known = std::ranges::find(keys, changed.key);
        const auto at = static_cast<std::size_t>(known - keys.begin());
        if (known == keys.end()) {
            keys.push_back(changed.key);
            decisions.push_back({changed.decision, {{changed.before, 0}}});
        }
        decisions[at].values.push_back({changed.after, place});
    }
    for (DecisionAlternatives& decision : decisions)
        std::ranges::stable_sort(decision.values, comes_before, &DecisionAlternatives::Value::value);
    return decisions;
}

/// By time, then those that were abandoned, those without a time last. The first one stays where it is, and
/// places in `decisions` follow.
void sort_by_time(ConfigurationChanges& changes) {
    auto& all = changes.configurations;
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order.begin() + 1, order.end(), {}, [&](std::size_t place) {
        const ChangedConfiguration& each = all[place];
        return std::pair(each.has_time() ? 0 : each.median_ms ? 1 : 2, each.median_ms.value_or(0));
    });
    std::vector<ChangedConfiguration> sorted;
    std::vector<std::size_t> new_place(all.size());
    for (const std::size_t place : order) {
        new_place[place] = sorted.size();
        sorted.push_back(std::move(all[place]));
    }
    all = std::move(sorted);
    for (DecisionAlternatives& decision : changes.decisions)
        for (DecisionAlternatives::Value& value : decision.values)
            value.configuration = new_place[value.configuration];
}

/// Both have a time.
void compare(ChangedConfiguration& changed, const ChangedConfiguration& studied) {
    changed.ratio = *changed.median_ms / *studied.median_ms;
    changed.is_in_noise = !differ_beyond_noise(*changed.median_ms - *studied.median_ms,
                                               changed.spread_ms.value_or(0) + studied.spread_ms.value_or(0));
}

} // namespace

const ChangedConfiguration* ConfigurationChanges::gain() const {
    if (configurations.size() < 2)
        return nullptr;
    const ChangedConfiguration& fastest = configurations[1];
    return fastest.ratio && *fastest.ratio < 1 ? &fastest : nullptr;
}

Result<ChangeStudy> ChangeStudy::make(const Domain& domain, TimeSet times, const WorkloadRecord& workload,
                                      std::vector<std::string> recorded) {
    auto codec = domain.codec(times.setting);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    auto space = domain.space({times.setting, numeric_facts(workload), std::move(recorded)});
    if (!space)
        return std::unexpected(std::move(space).error());
    ChangeStudy study;
    study.domain_ = &domain;
    study.codec_ = *std::move(codec);
    study.space_ = *std::move(space);
    study.times_ = std::move(times);
    for (std::size_t place = 0; place < study.times_.times.size(); ++place)
        if (const auto parsed = study.codec_->parse(study.times_.times[place].result.configuration))
            study.places_.try_emplace(parsed->configuration, place);
    return study;
}

ChangedConfiguration ChangeStudy::described(const Configuration& configuration) const {
    ChangedConfiguration described;
    if (const auto known = places_.find(configuration); known != places_.end()) {
        const ResultRecord& result = times_.times[known->second].result;
        described.text = QString::fromStdString(result.configuration);
        described.family = QString::fromStdString(result.family);
        described.status = result.status;
        described.median_ms = result.median_ms;
        described.spread_ms = result.spread_ms;
        return described;
    }
    const int threads = times_.times.empty() ? 1 : times_.times.front().result.threads;
    const std::string text = codec_->text(configuration, threads);
    described.text = QString::fromStdString(text);
    if (const auto written = domain_->written(times_.setting, text))
        described.family = QString::fromStdString(written->family);
    return described;
}

Result<ConfigurationChanges> ChangeStudy::changes_of(const QString& text) const {
    const auto parsed = codec_->parse(text.toStdString());
    if (!parsed)
        return std::unexpected(parsed.error());
    const Configuration& studied = parsed->configuration;
    if (auto valid = space_->check(studied); !valid)
        return std::unexpected(std::move(valid).error());
    ConfigurationChanges changes;
    changes.configurations.push_back(described(studied));
    const ChangedConfiguration here = changes.configurations.front();
    for (const Configuration& neighbour : space_->neighbours(studied)) {
        const std::vector<DecisionChange> made = space_->changes(studied, neighbour);
        if (made.size() != 1)
            continue; // decisions that depend on each other changed with it
        ChangedConfiguration changed = described(neighbour);
        changed.key = made.front().decision.key;
        changed.decision = QString::fromStdString(made.front().decision.name);
        changed.before = QString::fromStdString(made.front().before);
        changed.after = QString::fromStdString(made.front().after);
        if (here.has_time() && changed.has_time() && *here.median_ms > 0)
            compare(changed, here);
        changes.configurations.push_back(std::move(changed));
    }
    if (here.has_time())
        changes.configurations.front().ratio = 1;
    changes.decisions = alternatives_of_decisions(changes.configurations);
    sort_by_time(changes);
    return changes;
}

Result<ChangeStudy> read_change_study(const std::string& workspace, const Domain& domain, TimeSet times,
                                      const WorkloadRecord& workload) {
    std::vector<std::string> recorded;
    if (domain.chooses_among_recorded()) {
        auto file = Workspace::open(
            workspace, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
        if (!file)
            return std::unexpected(file.error());
        auto texts = recorded_canonical_texts(*file, times.setting, workload.id);
        if (!texts)
            return std::unexpected(std::move(texts).error());
        recorded = *std::move(texts);
    }
    return ChangeStudy::make(domain, std::move(times), workload, std::move(recorded));
}

} // namespace sparsight
