#include "workflow/learning/experiments/hardware_run.h"

#include "base/digest.h"
#include "learning/transfer/few_measurements.h"
#include "learning/transfer/unmeasured_choice.h"
#include "model/boosted_trees.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "workflow/learning/experiments/experiment_data.h"
#include "workflow/learning/experiments/experiment_record.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t fewest_machines = 3;
constexpr std::string_view kind = "experiment hardware";

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

struct Study {
    KnownSheets sheets;
    std::vector<TimedSpace> spaces;
    std::vector<TransferTarget> targets; ///< as the pairs of the outcome
};

Result<std::vector<TimedSpace>> spaces_of(Workspace& workspace, const LearningDomain& domain,
                                          const HardwareRequest& request, Observer& observer,
                                          const std::stop_token& stop) {
    const auto settings = settings_with_times(workspace, domain.domain(), request.settings);
    if (!settings)
        return std::unexpected(settings.error());
    std::vector<TimedSpace> spaces;
    for (const Setting& setting : *settings) {
        const auto tasks =
            domain.tasks(workspace, {.setting = setting, .threads = request.threads}, stop, observer.sink());
        if (!tasks)
            return std::unexpected(tasks.error());
        const auto codec = domain.domain().codec(setting);
        if (!codec)
            return std::unexpected(codec.error());
        std::ranges::move(timed_spaces(tasks->set, **codec, fewest_machines), std::back_inserter(spaces));
    }
    if (spaces.empty())
        return fail(Fault::Input, fmt::format("no workload has times of {} machines, which transfer between "
                                              "machines needs",
                                              fewest_machines));
    add_kin(spaces);
    return spaces;
}

std::uint64_t digest_of(const std::vector<TimedSpace>& spaces, const KnownSheets& sheets) {
    Digest digest;
    for (const TimedSpace& space : spaces) {
        digest.add(std::string_view(space.workload));
        for (const TimedColumn& column : space.columns) {
            digest.add(std::string_view(column.task));
            for (const float number : sheets.scale.masked_numbers(sheets.of(column.machine)))
                digest.add(std::uint64_t{std::bit_cast<std::uint32_t>(number)});
            for (const double time : column.milliseconds)
                digest.add(std::bit_cast<std::uint64_t>(time));
        }
        for (const auto& row : space.choices)
            for (const std::uint16_t choice : row)
                digest.add(std::uint64_t{choice});
    }
    return digest.value();
}

HardwarePair pair_of(const TransferTarget& target, const KnownSheets& sheets, bool with_order) {
    const TimedColumn& truth = target.truth();
    HardwarePair pair{.setting = target.space.setting,
                      .workload = target.space.workload,
                      .machine = truth.task,
                      .configurations = static_cast<std::size_t>(std::ranges::count_if(
                          truth.milliseconds, [](double time) { return time == time; })),
                      .sources = target.sources.size(),
                      .headroom = truth.median() / truth.best(),
                      .nearest = {},
                      .most_alike = {}};
    double highest = -2;
    for (const std::size_t source : target.sources) {
        const TimedColumn& column = target.space.columns[source];
        const double distance = sheets.distance(column.machine, truth.machine);
        if (pair.nearest.empty() || distance < pair.distance) {
            pair.nearest = column.task;
            pair.distance = distance;
        }
        if (!with_order)
            continue;
        if (const double tau = likeness_by_order(truth, column); tau > highest) {
            highest = pair.tau = tau;
            pair.most_alike = column.task;
        }
    }
    return pair;
}

class HardwareRun {
public:
    HardwareRun(const HardwareRequest& request, const Study& study, ExperimentRecord& record,
                HardwareOutcome& outcome, Observer& observer, const std::stop_token& stop)
        : request_(request)
        , study_(study)
        , record_(record)
        , outcome_(outcome)
        , observer_(observer)
        , stop_(stop) {}

    [[nodiscard]] Result<void> run() {
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

    [[nodiscard]] std::uint64_t all() const {
        std::uint64_t of_pair = all_unmeasured_rules.size() + static_cast<std::uint64_t>(request_.seeds) - 1;
        for (const MeasuringRule rule : all_measuring_rules)
            of_pair += request_.shots.size() * static_cast<std::uint64_t>(seeds_of(rule));
        return of_pair * study_.targets.size();
    }

private:
    [[nodiscard]] int seeds_of(MeasuringRule rule) const { return is_drawn(rule) ? request_.seeds : 1; }

    [[nodiscard]] Result<void> choose(std::size_t pair, UnmeasuredRule rule) {
        const TransferTarget& target = study_.targets[pair];
        const int seeds = rule == UnmeasuredRule::Trees ? request_.seeds : 1;
        for (int seed = 1; seed <= seeds; ++seed) {
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
        observer_.progress({.stage = stage, .done = record_.points().size(), .total = all()});
    }

    const HardwareRequest& request_;
    const Study& study_;
    ExperimentRecord& record_;
    HardwareOutcome& outcome_;
    Observer& observer_;
    const std::stop_token& stop_;
};

Result<void> choose_targets(Workspace& workspace, const HardwareRequest& request, Study& study,
                            HardwareOutcome& outcome) {
    const auto targets = rejoined_machines(workspace, request.targets);
    if (!targets)
        return std::unexpected(targets.error());
    std::vector<std::string> named;
    for (const std::string& target : *targets) {
        auto machine = require_machine(workspace, target);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        named.push_back(machine->name);
    }
    for (const TimedSpace& space : study.spaces)
        for (std::size_t column = 0; column < space.columns.size(); ++column) {
            if (!named.empty() && std::ranges::find(named, space.columns[column].machine) == named.end())
                continue;
            TransferTarget target{space, column, sources_of(space, column)};
            if (is_flat(target.truth())) {
                outcome.flat.push_back(pair_of(target, study.sheets, false));
                continue;
            }
            outcome.pairs.push_back(pair_of(target, study.sheets, true));
            study.targets.push_back(std::move(target));
        }
    if (study.targets.empty())
        return fail(Fault::Input, "no machine is left to transfer to: on all, most configurations are about "
                                  "as fast as the best");
    return {};
}

Json parameters_of(const HardwareRequest& request, const Study& study, const HardwareOutcome& outcome) {
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back({pair.setting, pair.workload, pair.machine});
    return {{"pairs", std::move(pairs)},
            {"shots", request.shots},
            {"seeds", request.seeds},
            {"seed", request.seed},
            {"data", fmt::format("{:016x}", digest_of(study.spaces, study.sheets))},
            {"environment", trees_environment(request.threads)}};
}

} // namespace

Json pair_json(const HardwarePair& pair) {
    return {{"space", pair.setting},         {"workload", pair.workload},
            {"machine", pair.machine},       {"configurations", pair.configurations},
            {"sources", pair.sources},       {"median_over_best", pair.headroom},
            {"nearest", pair.nearest},       {"distance", pair.distance},
            {"most_alike", pair.most_alike}, {"tau", pair.tau}};
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
    Study study;
    auto sheets = known_sheets(workspace);
    if (!sheets)
        return std::unexpected(std::move(sheets).error());
    study.sheets = *std::move(sheets);
    auto spaces = spaces_of(workspace, domain, request, observer, stop);
    if (!spaces)
        return std::unexpected(std::move(spaces).error());
    study.spaces = *std::move(spaces);
    HardwareOutcome outcome;
    if (auto chosen = choose_targets(workspace, request, study, outcome); !chosen)
        return std::unexpected(std::move(chosen).error());

    auto record = ExperimentRecord::claim(workspace, kind, parameters_of(request, study, outcome));
    if (!record)
        return std::unexpected(std::move(record).error());
    outcome.run = record->run();
    if (std::ranges::all_of(study.sheets.by_machine,
                            [](const auto& sheet) { return sheet.second.numbers.empty(); }))
        outcome.notes.emplace_back("no machine has a data sheet, so all are equally near");
    Json pairs = Json::array();
    for (const HardwarePair& pair : outcome.pairs)
        pairs.push_back(pair_json(pair));
    observer.start({{"run", outcome.run},
                    {"pairs", std::move(pairs)},
                    {"measurements", request.shots},
                    {"seeds", request.seeds},
                    {"notes", outcome.notes},
                    {"resumed", !record->points().empty()}});
    for (const std::string& note : outcome.notes)
        observer.note(note);
    observer.resume(record->points().size());

    if (record->is_finished()) {
        observer.note("this experiment was done before, with these settings and these data");
        outcome.end = RunEnd::DoneBefore;
    } else {
        const auto done = HardwareRun(request, study, *record, outcome, observer, stop).run();
        const auto ended = record->finish(done);
        if (!ended)
            return std::unexpected(ended.error());
        outcome.end = *ended;
        if (outcome.end == RunEnd::Stopped)
            outcome.reason = done.error();
    }
    outcome.points = points_of(*record);
    return outcome;
}

} // namespace sparsight
