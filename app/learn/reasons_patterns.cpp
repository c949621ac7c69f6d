#include "learn/reasons_patterns.h"

#include "store/stored_pattern.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace sparsight {

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
