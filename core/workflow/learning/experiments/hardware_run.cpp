#include "workflow/learning/experiments/hardware_run.h"

#include "learning/transfer/few_measurements.h"
#include "learning/transfer/unmeasured_choice.h"
#include "model/boosted_trees.h"
#include "workflow/learning/experiments/experiment_record.h"
#include "workflow/learning/experiments/hardware_orders.h"
#include "workflow/learning/experiments/hardware_study.h"
#include "workflow/learning/experiments/hardware_tuning.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr std::string_view hardware_kind = "experiment hardware";

// A series is "point/PAIR/SEED/RULE", and its steps are numbers of measurements.
constexpr std::string_view point_prefix = "point/";

ExperimentRecord::Place place_of(const HardwareCell& cell) {
    return {fmt::format("{}{}/{}/{}", point_prefix, cell.pair, cell.seed, cell.rule),
            static_cast<std::int64_t>(cell.shots)};
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(stop - text.data());
    if (error != std::errc() || length >= text.size() || text[length] != '/')
        return false;
    text.remove_prefix(length + 1);
    return true;
}

std::optional<HardwareCell> cell_of(const ExperimentRecord::Place& place) {
    std::string_view series = place.first;
    if (!series.starts_with(point_prefix))
        return std::nullopt;
    series.remove_prefix(point_prefix.size());
    HardwareCell cell{.shots = static_cast<std::size_t>(place.second)};
    if (!take_number(series, cell.pair) || !take_number(series, cell.seed))
        return std::nullopt;
    cell.rule = series;
    return cell;
}

std::map<HardwareCell, double> points_of(const ExperimentRecord& record) {
    std::map<HardwareCell, double> points;
    for (const auto& [place, regret] : record.points())
        if (auto cell = cell_of(place))
            points.emplace(*std::move(cell), regret);
    return points;
}

class HardwareRun {
public:
    HardwareRun(const HardwareRequest& request, const HardwareStudy& study, ExperimentRecord& record,
                HardwareOutcome& outcome, Observer& observer, const std::stop_token& stop)
        : request_(request)
        , study_(study)
        , record_(record)
        , outcome_(outcome)
        , observer_(observer)
        , stop_(stop) {}

    /// `behind` is how much other work follows.
    [[nodiscard]] Result<void> run(std::uint64_t behind) {
        all_ = all() + behind;
        for (std::size_t pair = 0; pair < study_.targets.size(); ++pair) {
            for (const UnmeasuredRule rule : all_unmeasured_rules)
                if (auto done = choose(pair, rule); !done)
                    return done;
            for (const MeasuringRule rule : all_measuring_rules)
                if (auto done = measure(pair, rule); !done)
                    return done;
        }
        return {};
    }

private:
    [[nodiscard]] std::uint64_t all() const {
        std::uint64_t of_pair = 0;
        for (const UnmeasuredRule rule : all_unmeasured_rules)
            of_pair += static_cast<std::uint64_t>(seeds_of(rule));
        for (const MeasuringRule rule : all_measuring_rules)
            of_pair += request_.shots.size() * static_cast<std::uint64_t>(seeds_of(rule));
        return of_pair * study_.targets.size();
    }

    [[nodiscard]] int seeds_of(UnmeasuredRule rule) const {
        return rule == UnmeasuredRule::Trees || rule == UnmeasuredRule::Blend ? request_.seeds : 1;
    }
    [[nodiscard]] int seeds_of(MeasuringRule rule) const { return is_drawn(rule) ? request_.seeds : 1; }

    [[nodiscard]] Result<void> choose(std::size_t pair, UnmeasuredRule rule) {
        const TransferTarget& target = study_.targets[pair];
        for (int seed = 1; seed <= seeds_of(rule); ++seed) {
            const HardwareCell cell{pair, std::string(name(rule)), 0, seed};
            if (record_.points().contains(place_of(cell)))
                continue;
            show(pair, cell.rule);
            UnmeasuredOptions options;
            options.trees.threads = request_.threads;
            options.trees.seed = request_.seed + static_cast<std::uint64_t>(seed) - 1;
            const auto scores = unmeasured_scores(target, rule, study_.sheets, options, stop_);
            if (!scores)
                return std::unexpected(scores.error());
            const std::pair point(cell, target.truth().regret(best_tried(target, *scores)));
            if (auto kept = keep(std::span(&point, 1)); !kept)
                return kept;
        }
        return {};
    }

    [[nodiscard]] Result<void> measure(std::size_t pair, MeasuringRule rule) {
        for (int seed = 1; seed <= seeds_of(rule); ++seed) {
            std::vector<std::pair<HardwareCell, double>> points;
            for (const std::size_t shots : request_.shots)
                points.emplace_back(HardwareCell{pair, std::string(name(rule)), shots, seed}, 0);
            if (std::ranges::all_of(points, [&](const auto& point) {
                    return record_.points().contains(place_of(point.first));
                }))
                continue;
            show(pair, name(rule));
            MeasuringOptions options;
            options.seed = options.trees.seed = request_.seed + static_cast<std::uint64_t>(seed) - 1;
            options.trees.threads = request_.threads;
            const auto regrets = regrets_by_measuring(study_.targets[pair], rule, study_.sheets,
                                                      request_.shots, options, stop_);
            if (!regrets)
                return std::unexpected(regrets.error());
            for (std::size_t i = 0; i < points.size(); ++i)
                points[i].second = (*regrets)[i];
            if (auto kept = keep(points); !kept)
                return kept;
        }
        return {};
    }

    [[nodiscard]] Result<void> keep(std::span<const std::pair<HardwareCell, double>> points) {
        std::vector<std::pair<ExperimentRecord::Place, double>> stored;
        for (const auto& [cell, regret] : points)
            stored.emplace_back(place_of(cell), regret);
        if (auto kept = record_.add(stored); !kept)
            return kept;
        for (const auto& [cell, regret] : points)
            observer_.event("point", point_json(outcome_, cell, regret));
        return {};
    }

    void show(std::size_t pair, std::string_view rule) {
        const HardwarePair& of = outcome_.pairs[pair];
        const std::string stage = fmt::format("{} on {}: {}", of.workload, of.machine, rule);
        observer_.progress({.stage = stage, .done = record_.points().size(), .total = all_});
    }

    const HardwareRequest& request_;
    const HardwareStudy& study_;
    ExperimentRecord& record_;
    HardwareOutcome& outcome_;
    Observer& observer_;
    const std::stop_token& stop_;
    std::uint64_t all_ = 0;
};

Json parameters_of(const HardwareRequest& request, const HardwareStudy& study,
                   const HardwareOutcome& outcome) {
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back({pair.setting, pair.workload, pair.machine});
    Json rules = Json::array();
    for (const UnmeasuredRule rule : all_unmeasured_rules)
        rules.push_back(name(rule));
    return {{"pairs", std::move(pairs)},
            {"shots", request.shots},
            {"seeds", request.seeds},
            {"seed", request.seed},
            {"rules", std::move(rules)},
            {"data", fmt::format("{:016x}", digest_of(study.spaces, study.sheets))},
            {"environment", trees_environment(request.threads)}};
}

} // namespace

Json pair_json(const HardwarePair& pair) {
    return {{"space", pair.setting},
            {"workload", pair.workload},
            {"machine", pair.machine},
            {"configurations", pair.configurations},
            {"sources", pair.sources},
            {"best_ms", pair.best},
            {"median_over_best", pair.headroom},
            {"nearest", pair.nearest},
            {"distance", pair.distance},
            {"most_alike", pair.most_alike},
            {"tau", pair.tau}};
}

Json point_json(const HardwareOutcome& outcome, const HardwareCell& cell, double regret) {
    const HardwarePair& pair = outcome.pairs[cell.pair];
    return {{"space", pair.setting}, {"workload", pair.workload},  {"machine", pair.machine},
            {"rule", cell.rule},     {"measurements", cell.shots}, {"seed", cell.seed},
            {"regret", regret}};
}

Result<HardwareOutcome> run_hardware(Workspace& workspace, const LearningDomain& domain,
                                     const HardwareRequest& request, Observer& observer,
                                     const std::stop_token& stop) {
    HardwareStudy study;
    HardwareOutcome outcome;
    if (auto read = read_hardware_study(workspace, domain, request, study, outcome, observer, stop); !read)
        return std::unexpected(std::move(read).error());
    auto record = ExperimentRecord::claim(workspace, hardware_kind, parameters_of(request, study, outcome));
    if (!record)
        return std::unexpected(std::move(record).error());
    // A run of its own: the regrets of earlier experiments stay, whatever is asked of tuning.
    auto tuning = HardwareTuning::claim(workspace, request, study, outcome);
    if (!tuning)
        return std::unexpected(std::move(tuning).error());
    auto orders = HardwareOrders::claim(workspace, request, study, outcome);
    if (!orders)
        return std::unexpected(std::move(orders).error());
    outcome.run = record->run();
    if (std::ranges::all_of(study.sheets.by_machine,
                            [](const auto& sheet) { return sheet.second.numbers.empty(); }))
        outcome.notes.emplace_back("no machine has a data sheet, so all are equally near");
    const std::uint64_t known = record->points().size() + tuning->done() + orders->done();
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back(pair_json(pair));
    Json points = Json::array(); // who follows the events has not seen them
    for (const auto& [cell, regret] : points_of(*record))
        points.push_back(point_json(outcome, cell, regret));
    observer.start({{"run", outcome.run},
                    {"pairs", std::move(pairs)},
                    {"known", std::move(points)},
                    {"measurements", request.shots},
                    {"seeds", request.seeds},
                    {"notes", outcome.notes},
                    {"resumed", known > 0}});
    for (const std::string& note : outcome.notes)
        observer.note(note);
    observer.resume(known);

    if (record->is_finished() && tuning->is_finished() && orders->is_finished()) {
        observer.note("this experiment was done before, with these settings and these data");
        outcome.end = RunEnd::DoneBefore;
    } else {
        Result<void> done;
        if (!record->is_finished()) {
            HardwareRun run(request, study, *record, outcome, observer, stop);
            done = run.run(tuning->all() + orders->all());
            const auto ended = record->finish(done);
            if (!ended)
                return std::unexpected(ended.error());
            outcome.end = *ended;
        }
        if (outcome.end == RunEnd::Finished && !tuning->is_finished()) {
            done = tuning->run(outcome, observer, stop, record->points().size(), orders->all());
            const auto ended = tuning->finish(done);
            if (!ended)
                return std::unexpected(ended.error());
            outcome.end = *ended;
        }
        if (outcome.end == RunEnd::Finished && !orders->is_finished()) {
            done = orders->run(outcome, observer, stop, record->points().size() + tuning->all());
            const auto ended = orders->finish(done);
            if (!ended)
                return std::unexpected(ended.error());
            outcome.end = *ended;
        }
        if (outcome.end == RunEnd::Stopped)
            outcome.reason = done.error();
    }
    outcome.points = points_of(*record);
    tuning->read(outcome);
    orders->read(outcome);
    return outcome;
}

} // namespace sparsight
