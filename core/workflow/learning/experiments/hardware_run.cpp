#include "workflow/learning/hardware/hardware_run.h"

#include "base/digest.h"
#include "learning/transfer/few_measurements.h"
#include "learning/transfer/unmeasured_choice.h"
#include "machine/data_sheet.h"
#include "model/boosted_trees.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr std::size_t fewest_machines = 3;

/// By which machines are alike or not, where their sheets state any of them: facts that say how fast kernels
/// are. Others, such as limits that all machines of a generation share, would hide these.
constexpr std::array<std::string_view, 10> telling_facts{
    "launch_year", "cores", "fp32_lanes", "boost_clock_mhz", "peak_fp32_gflops",
    "mem_bw_gbs",  "l1_kb", "l2_kb",      "mem_gb",          "warp_size"};

bool is_telling(const std::pair<const std::string, double>& fact) {
    return std::ranges::find(telling_facts, fact.first) != telling_facts.end();
}

/// What the sheets are compared by. How far apart machines can be is known of the presets: those of one
/// workspace are often much alike.
SheetScale scale_of(std::vector<MachineSheet>& sheets) {
    const auto tells = [](const MachineSheet& sheet) {
        return std::ranges::any_of(sheet.numbers, is_telling);
    };
    if (std::ranges::none_of(sheets, tells))
        return SheetScale::over(sheets);
    std::vector<MachineSheet> all;
    for (const DataSheet& preset : data_sheet_presets())
        all.push_back({preset.numbers, preset.texts});
    for (std::vector<MachineSheet>* const some : {&sheets, &all})
        for (MachineSheet& sheet : *some)
            std::erase_if(sheet.numbers, [](const auto& fact) { return !is_telling(fact); });
    std::ranges::copy(sheets, std::back_inserter(all));
    return SheetScale::over(all);
}

Result<MachineSheet> sheet_of(Workspace& workspace, const MachineRecord& machine) {
    const auto facts = machine_facts(workspace, machine.id);
    if (!facts)
        return std::unexpected(facts.error());
    MachineSheet sheet;
    const auto json = Json::parse(*facts, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return sheet;
    for (const auto& [name, value] : json.items()) {
        if (value.is_number())
            sheet.numbers.emplace(name, value.get<double>());
        else if (value.is_string())
            sheet.texts.emplace(name, value.get<std::string>());
    }
    return sheet;
}

Result<KnownSheets> sheets_of(Workspace& workspace) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    KnownSheets sheets;
    std::vector<MachineSheet> all;
    for (const MachineRecord& machine : *machines) {
        auto sheet = sheet_of(workspace, machine);
        if (!sheet)
            return std::unexpected(std::move(sheet).error());
        all.push_back(*std::move(sheet));
    }
    sheets.scale = scale_of(all);
    for (std::size_t at = 0; at < all.size(); ++at)
        sheets.by_machine.emplace((*machines)[at].name, std::move(all[at]));
    return sheets;
}

Result<std::vector<Setting>> settings_of(Workspace& workspace, const LearningDomain& domain,
                                         const HardwareRequest& request) {
    std::vector<Setting> settings;
    for (const std::string& text : request.settings) {
        auto setting = domain.domain().parse_setting(text);
        if (!setting)
            return std::unexpected(std::move(setting).error());
        settings.push_back(*std::move(setting));
    }
    if (!settings.empty())
        return settings;
    const auto counted = count_settings(workspace);
    if (!counted)
        return std::unexpected(counted.error());
    for (const CountedSettings& each : *counted)
        if (each.setting.domain == domain.domain().name())
            settings.push_back(each.setting);
    std::ranges::sort(settings, {}, &Setting::text);
    return settings;
}

struct Study {
    KnownSheets sheets;
    std::vector<TimedSpace> spaces;
    std::vector<TransferTarget> targets; ///< as the pairs of the outcome
};

Result<std::vector<TimedSpace>> spaces_of(Workspace& workspace, const LearningDomain& domain,
                                          const HardwareRequest& request, Observer& observer,
                                          const std::stop_token& stop) {
    const auto settings = settings_of(workspace, domain, request);
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
    HardwareRun(const HardwareRequest& request, const Study& study, HardwareRecord& record,
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
            if (record_.points().contains(cell))
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
            if (std::ranges::all_of(
                    points, [&](const auto& point) { return record_.points().contains(point.first); }))
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
        if (auto kept = record_.add(points); !kept)
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
    HardwareRecord& record_;
    HardwareOutcome& outcome_;
    Observer& observer_;
    const std::stop_token& stop_;
};

Result<void> choose_targets(Workspace& workspace, const HardwareRequest& request, Study& study,
                            HardwareOutcome& outcome) {
    std::vector<std::string> named;
    for (const std::string& target : request.targets) {
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
    auto sheets = sheets_of(workspace);
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

    auto record = HardwareRecord::claim(workspace, parameters_of(request, study, outcome));
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
        const bool is_stopped = !done && done.error().fault == Fault::Cancelled;
        const auto ended = record->end(done         ? RunState::Finished
                                       : is_stopped ? RunState::Stopped
                                                    : RunState::Failed,
                                       done || is_stopped ? "" : done.error().text());
        if (!done && !is_stopped)
            return std::unexpected(done.error());
        if (!ended)
            return std::unexpected(ended.error());
        if (is_stopped) {
            outcome.end = RunEnd::Stopped;
            outcome.reason = done.error();
        }
    }
    outcome.points = record->points();
    return outcome;
}

} // namespace sparsight
