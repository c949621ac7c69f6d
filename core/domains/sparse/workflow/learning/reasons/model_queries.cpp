#include "domains/sparse/workflow/learning/reasons/model_queries.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/sparse_workload.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace sparsight {

Result<double> margin_of(const WorkloadScorer& scorer, const SuperSchedule& schedule,
                         const SuperSchedule& against) {
    const std::array both{configuration_of(schedule), configuration_of(against)};
    const auto scores = scorer.score(both);
    if (!scores)
        return std::unexpected(scores.error());
    return static_cast<double>((*scores)[1]) - static_cast<double>((*scores)[0]);
}

Result<std::vector<double>> ModelQueries::margins(std::span<const ReasonCase> cases) {
    if (model_.reads_statistics())
        return margins_by_statistics(cases);
    std::map<Seen, std::vector<std::size_t>> places;
    for (std::size_t place = 0; place < cases.size(); ++place)
        places[{cases[place].pattern, reads_machine_ ? cases[place].machine.fingerprint() : ""}].push_back(
            place);
    std::vector<double> margins(cases.size());
    for (const auto& [seen, at] : places) {
        const auto looked = scorer(seen, cases[at.front()].machine);
        if (!looked)
            return std::unexpected(looked.error());
        std::vector<Configuration> configurations;
        for (const std::size_t place : at) {
            configurations.push_back(configuration_of(cases[place].schedule));
            configurations.push_back(configuration_of(cases[place].against));
        }
        const auto scores = (*looked)->score(configurations);
        if (!scores)
            return std::unexpected(scores.error());
        for (std::size_t each = 0; each < at.size(); ++each)
            margins[at[each]] =
                static_cast<double>((*scores)[2 * each + 1]) - static_cast<double>((*scores)[2 * each]);
    }
    return margins;
}

Result<std::vector<double>> ModelQueries::margins_by_statistics(std::span<const ReasonCase> cases) const {
    std::vector<double> margins;
    for (const ReasonCase& each : cases) {
        const auto looked = model_.embed_statistics(statistics_vector(each.statistics),
                                                    reads_machine_ ? &each.machine : nullptr);
        if (!looked)
            return std::unexpected(looked.error());
        const auto margin = margin_of(**looked, each.schedule, each.against);
        if (!margin)
            return std::unexpected(margin.error());
        margins.push_back(*margin);
    }
    return margins;
}

Result<const WorkloadScorer*> ModelQueries::scorer(const Seen& seen, const MachineDescription& machine) {
    if (const auto known = scorers_.find(seen); known != scorers_.end())
        return known->second.get();
    const auto pattern = patterns_(seen.first);
    if (!pattern)
        return std::unexpected(pattern.error());
    auto looked = model_.embed(payload_of(*pattern), reads_machine_ ? &machine : nullptr, threads_);
    if (!looked)
        return std::unexpected(std::move(looked).error());
    return scorers_.emplace(seen, *std::move(looked)).first->second.get();
}

Result<std::unique_ptr<WorkloadScorer>> scorer_of(Workspace& workspace, const ReasonsData& data,
                                                  const KnownMatrix& matrix, int threads) {
    const MachineDescription* machine = data.reads_machine ? &data.machine : nullptr;
    if (data.model->reads_statistics())
        return data.model->embed_statistics(statistics_vector(matrix.statistics), machine);
    const auto pattern = load_pattern(workspace, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    return data.model->embed(payload_of(*pattern), machine, threads);
}

namespace {

constexpr std::array change_strengths{0.1, 0.25, 0.5, 0.75};
/// Changed forms of larger patterns would take longer to make than everything else.
constexpr std::int64_t most_changed_entries = 4'000'000;
constexpr std::int64_t largest_changed_block = 4096;

struct EditWords {
    PatternEdit edit{};
    std::string_view title;
    std::string_view unit;
};
constexpr std::array edit_words{
    EditWords{PatternEdit::RowsByLength, "rows ordered by length", ""},
    EditWords{PatternEdit::RowsByColumn, "rows ordered by their columns", ""},
    EditWords{PatternEdit::EmptierBlocks, "entries taken from the emptiest blocks", "%"},
    EditWords{PatternEdit::FullerBlocks, "fullest blocks filled up", "%"},
    EditWords{PatternEdit::NarrowerBand, "entries moved towards the diagonal", "%"},
};

} // namespace

ReasonsPatterns::ReasonsPatterns(Workspace& workspace, const ReasonsData& data, std::size_t most_known)
    : workspace_(&workspace)
    , data_(&data)
    , statistics_{data.statistics} {
    std::vector<const KnownMatrix*> sorted;
    sorted.reserve(data.known.size());
    for (const KnownMatrix& matrix : data.known)
        sorted.push_back(&matrix);
    std::ranges::stable_sort(sorted, {}, [](const KnownMatrix* matrix) { return matrix->statistics.nnz; });
    const std::size_t taken = std::min(most_known, sorted.size());
    for (std::size_t turn = 0; turn < taken; ++turn) {
        const KnownMatrix& matrix = *sorted[turn * sorted.size() / taken];
        statistics_.push_back(matrix.statistics);
        known_.push_back(matrix.id);
    }
}

Result<void> ReasonsPatterns::add_changed(int threads, const std::stop_token& stop) {
    if (data_->pattern->nnz() == 0 || data_->pattern->nnz() > most_changed_entries)
        return {};
    for (const EditWords& words : edit_words)
        if (auto added = add_series(words.edit, threads, stop); !added)
            return added;
    return {};
}

Result<void> ReasonsPatterns::add_series(PatternEdit edit, int threads, const std::stop_token& stop) {
    const BlockShape own{data_->schedule.split(row_index(data_->op)),
                         data_->schedule.split(column_index(data_->op))};
    const bool has_blocks =
        (own.rows > 1 || own.columns > 1) && own.rows <= largest_changed_block / own.columns;
    const BlockShape blocks = has_blocks ? own : BlockShape{8, 8};
    const EditWords& words = *std::ranges::find(edit_words, edit, &EditWords::edit);
    PatternSeries series{
        std::string(name(edit)), std::string(words.title), std::string(words.unit), {{0, 0}}};
    for (const double strength : change_strengths) {
        if (!is_gradual(edit) && strength != change_strengths.back())
            continue;
        auto changed = edited(*data_->pattern, edit, is_gradual(edit) ? strength : 1, blocks, stop);
        if (!changed && changed.error().fault == Fault::Limit)
            break; // more strength makes it larger still
        if (!changed)
            return std::unexpected(std::move(changed).error());
        if (changed->nnz() == 0 || *changed == *data_->pattern)
            continue;
        series.steps.push_back({is_gradual(edit) ? 100 * strength : 1, statistics_.size()});
        statistics_.push_back(compute_statistics(*changed, threads));
        changed_.push_back(std::make_shared<const CsrPattern>(*std::move(changed)));
    }
    if (series.steps.size() > 1)
        series_.push_back(std::move(series));
    return {};
}

Result<std::shared_ptr<const CsrPattern>> ReasonsPatterns::pattern(std::size_t place) const {
    if (place == 0)
        return data_->pattern;
    if (place > known_.size())
        return changed_[place - known_.size() - 1];
    auto loaded = load_pattern(*workspace_, known_[place - 1]);
    if (!loaded)
        return std::unexpected(std::move(loaded).error());
    return std::make_shared<const CsrPattern>(*std::move(loaded));
}

} // namespace sparsight
