#include "learn/transfer_record.h"

#include "store/workspace.h"

#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace sparsight {

namespace {

constexpr std::string_view transfer_kind = "experiment tasks";

// Names of metrics: "point/TARGET/SEED/SOURCE/METRIC" by shots, "training/TARGET/SEED/SOURCE/WHAT" and
// "state/WHAT" at step 0; source as the number of its enumerator.
constexpr std::string_view point_prefix = "point/";
constexpr std::string_view training_prefix = "training/";
constexpr const char* owner_target = "state/target";
constexpr const char* owner_seed = "state/seed";
constexpr const char* owner_source = "state/source";

std::string path_of(const TransferCell& cell) {
    return fmt::format("{}/{}/{}/", cell.target, cell.seed, static_cast<int>(cell.source));
}

/// The number at the front of the text, which loses it with the slash behind it.
std::optional<std::size_t> take_number(std::string_view& text) {
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(stop - text.data());
    if (error != std::errc() || length >= text.size() || text[length] != '/')
        return std::nullopt;
    text.remove_prefix(length + 1);
    return number;
}

std::optional<TransferCell> take_cell(std::string_view& text) {
    const auto target = take_number(text);
    const auto seed = target ? take_number(text) : std::nullopt;
    const auto source = seed ? take_number(text) : std::nullopt;
    if (!source || *source >= all_meta_sources.size())
        return std::nullopt;
    return TransferCell{*target, static_cast<int>(*seed), all_meta_sources[*source]};
}

} // namespace

Result<TransferRecord> TransferRecord::claim(Workspace& workspace, const Json& parameters) {
    std::optional<TransferRecord> record;
    // At once, so that of two that come together one finds what the other has taken.
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const std::string text = parameters.dump();
        const auto known = find_training_run(workspace, transfer_kind, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->is_finished) {
            record.emplace(TransferRecord(workspace, (*known)->id, std::nullopt, true));
            return {};
        }
        const auto run = *known ? Result<RunId>((*known)->id) : start_run(workspace, transfer_kind, text);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        record.emplace(TransferRecord(workspace, *run, *std::move(hold), false));
        return *known ? resume_run(workspace, *run) : Result<void>();
    });
    if (done)
        done = record->read();
    if (!done)
        return std::unexpected(std::move(done).error());
    return *std::move(record);
}

Result<void> TransferRecord::read() {
    const auto metrics = stored_metrics(*workspace_, run());
    if (!metrics)
        return std::unexpected(metrics.error());
    for (const auto& [name, points] : *metrics)
        take(name, points);
    if (metrics->contains(owner_target))
        owner_ = TransferCell{
            static_cast<std::size_t>(metrics->at(owner_target).back().value),
            static_cast<int>(metrics->at(owner_seed).back().value),
            all_meta_sources.at(static_cast<std::size_t>(metrics->at(owner_source).back().value))};
    return {};
}

void TransferRecord::take(const std::string& name, const std::vector<MetricPoint>& points) {
    std::string_view rest = name;
    const bool is_point = rest.starts_with(point_prefix);
    if (!is_point && !rest.starts_with(training_prefix))
        return;
    rest.remove_prefix(is_point ? point_prefix.size() : training_prefix.size());
    const auto cell = take_cell(rest);
    if (!cell)
        return;
    for (const MetricPoint& point : points)
        if (is_point)
            points_[{*cell, static_cast<std::size_t>(point.step)}].emplace(rest, point.value);
        else if (rest == "machines")
            trainings_[*cell].machines = static_cast<std::int64_t>(point.value);
        else if (rest == "steps")
            trainings_[*cell].steps = static_cast<std::int64_t>(point.value);
        else if (rest == "examples")
            trainings_[*cell].examples = static_cast<std::int64_t>(point.value);
}

Result<std::optional<StoredTrainingState>> TransferRecord::state_of(const TransferCell& cell) {
    if (owner_ != cell)
        return std::nullopt;
    return find_training_state(*workspace_, run());
}

void TransferRecord::note_owner(const TransferCell& cell) {
    if (owner_ == cell)
        return;
    journal_.add(owner_target, 0, static_cast<double>(cell.target));
    journal_.add(owner_seed, 0, static_cast<double>(cell.seed));
    journal_.add(owner_source, 0, static_cast<double>(static_cast<int>(cell.source)));
    owner_ = cell;
}

Result<void> TransferRecord::keep_if_due(const TransferCell& cell, const TrainingState& state) {
    if (owner_ != cell)
        return keep(cell, state); // what is kept is another's, and whose it is may not be said before
    return journal_.save_if_due(state, 0);
}

Result<void> TransferRecord::keep(const TransferCell& cell, const TrainingState& state) {
    note_owner(cell);
    return journal_.save(state, 0);
}

void TransferRecord::add(const TransferCell& cell, const TransferTraining& training) {
    trainings_[cell] = training;
    const std::string path = std::string(training_prefix) + path_of(cell);
    journal_.add(path + "machines", 0, static_cast<double>(training.machines));
    journal_.add(path + "steps", 0, static_cast<double>(training.steps));
    journal_.add(path + "examples", 0, static_cast<double>(training.examples));
}

Result<void> TransferRecord::add(const Point& point, const Metrics& metrics) {
    points_[point] = metrics;
    const std::string path = std::string(point_prefix) + path_of(point.first);
    for (const auto& [name, value] : metrics)
        journal_.add(path + name, static_cast<std::int64_t>(point.second), value);
    return journal_.flush();
}

Result<void> TransferRecord::end(RunState state, const std::string& message) {
    if (auto kept = journal_.flush(); !kept)
        return kept;
    return end_run(*workspace_, run(), state, message);
}

} // namespace sparsight
