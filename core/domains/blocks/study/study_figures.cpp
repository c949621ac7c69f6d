#include "domains/blocks/study/study_figures.h"

#include "domains/blocks/models/error_groups.h"
#include "domains/blocks/models/prediction_errors.h"
#include "domains/blocks/study/analysed_cells.h"
#include "domains/blocks/tables/microarchitecture.h"
#include "store/workspace.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

namespace sparsight {
namespace {

constexpr BootstrapOptions mean_resamples{.resamples = 1000, .seed = 1};
constexpr BootstrapOptions median_resamples{.resamples = 300, .seed = 1};
constexpr BootstrapOptions tau_resamples{.resamples = 60, .seed = 1}; // each sorts all blocks

/// Predictions of all seeds beside what was measured.
struct Compared {
    std::vector<const StudyBlock*> blocks;
    std::vector<double> measured;
    std::vector<std::vector<double>> predicted; ///< by seed
    std::vector<std::size_t> families;          ///< of the blocks: their groups

    /// Mean over the seeds of |predicted − measured| / measured.
    [[nodiscard]] double error(std::size_t block) const {
        double sum = 0;
        for (const auto& of_seed : predicted)
            sum += std::abs(of_seed[block] - measured[block]) / measured[block];
        return sum / static_cast<double>(predicted.size());
    }
};

/// Numbers groups, the same for all comparisons of a study.
class Groups {
public:
    explicit Groups(const StudyBlocks& blocks) {
        for (const StudyBlock& block : blocks.blocks)
            numbers_.try_emplace(block.group, numbers_.size());
    }
    [[nodiscard]] std::size_t of(const StudyBlock& block) const { return numbers_.at(block.group); }

private:
    std::unordered_map<std::string, std::size_t> numbers_;
};

std::size_t place_of(const BlockStudy& study, const std::string& machine) {
    return static_cast<std::size_t>(std::ranges::find(study.blocks.machines, machine) -
                                    study.blocks.machines.begin());
}

/// Test blocks with a time on the machine that all of the results predict.
Compared compared(const BlockStudy& study, const Groups& groups, std::span<const CellResult* const> results,
                  const std::string& machine) {
    Compared all;
    all.predicted.resize(results.size());
    const std::size_t column = place_of(study, machine);
    for (const StudyBlock& block : study.blocks.blocks) {
        if (block.side != StudySide::Test || !(block.cycles[column] > 0))
            continue;
        std::vector<double> predicted;
        for (const CellResult* const result : results)
            if (const auto of = result->predicted.find(machine); of != result->predicted.end())
                if (const auto found = of->second.find(block.id); found != of->second.end())
                    predicted.push_back(found->second);
        if (predicted.size() != results.size())
            continue;
        all.blocks.push_back(&block);
        all.measured.push_back(block.cycles[column]);
        all.families.push_back(groups.of(block));
        for (std::size_t seed = 0; seed < predicted.size(); ++seed)
            all.predicted[seed].push_back(predicted[seed]);
    }
    return all;
}

/// A statistic of some of the blocks, by their places, with an interval over groups.
Estimate over_groups(const Compared& all,
                     const std::function<double(std::span<const std::size_t>)>& statistic,
                     const BootstrapOptions& options) {
    std::vector<SampledValue> values;
    for (std::size_t block = 0; block < all.blocks.size(); ++block)
        values.push_back({.value = static_cast<double>(block), .family = all.families[block]});
    std::vector<std::size_t> places;
    return estimate_by_family(
        values,
        [&](std::span<const double> drawn) {
            places.clear();
            for (const double each : drawn)
                places.push_back(static_cast<std::size_t>(each));
            return statistic(places);
        },
        Scale::Plain, options);
}

Estimate mean_of(const Compared& all, const std::function<double(std::size_t)>& value) {
    std::vector<double> values;
    for (std::size_t block = 0; block < all.blocks.size(); ++block)
        values.push_back(value(block));
    return over_groups(
        all,
        [&](std::span<const std::size_t> places) {
            double sum = 0;
            for (const std::size_t place : places)
                sum += values[place];
            return sum / static_cast<double>(places.size());
        },
        mean_resamples);
}

/// The mean over seeds of a figure of prediction_errors().
Estimate by_seed(const Compared& all, const std::function<double(const PredictionErrors&)>& figure,
                 const BootstrapOptions& options) {
    return over_groups(
        all,
        [&](std::span<const std::size_t> places) {
            std::vector<double> measured;
            for (const std::size_t place : places)
                measured.push_back(all.measured[place]);
            double sum = 0;
            std::vector<double> predicted(places.size());
            for (const auto& of_seed : all.predicted) {
                std::ranges::transform(places, predicted.begin(),
                                       [&](std::size_t place) { return of_seed[place]; });
                const auto errors = prediction_errors(predicted, measured);
                sum += errors ? figure(*errors) : 0;
            }
            return sum / static_cast<double>(all.predicted.size());
        },
        options);
}

/// Some of the blocks.
Compared part(const Compared& all, const std::function<bool(const StudyBlock&)>& is_wanted) {
    Compared some;
    some.predicted.resize(all.predicted.size());
    for (std::size_t block = 0; block < all.blocks.size(); ++block) {
        if (!is_wanted(*all.blocks[block]))
            continue;
        some.blocks.push_back(all.blocks[block]);
        some.measured.push_back(all.measured[block]);
        some.families.push_back(all.families[block]);
        for (std::size_t seed = 0; seed < all.predicted.size(); ++seed)
            some.predicted[seed].push_back(all.predicted[seed][block]);
    }
    return some;
}

void append_to(Compared& all, const Compared& more) {
    all.predicted.resize(more.predicted.size());
    all.blocks.insert(all.blocks.end(), more.blocks.begin(), more.blocks.end());
    all.measured.insert(all.measured.end(), more.measured.begin(), more.measured.end());
    all.families.insert(all.families.end(), more.families.begin(), more.families.end());
    for (std::size_t seed = 0; seed < more.predicted.size(); ++seed)
        all.predicted[seed].insert(all.predicted[seed].end(), more.predicted[seed].begin(),
                                   more.predicted[seed].end());
}

/// Errors of all machines together, in parts.
void add_parts(const BlockStudy& study, const std::string& title, const Compared& all,
               std::vector<StudyFigure>& figures) {
    constexpr std::size_t fewest_blocks = 20;
    std::map<std::string, std::set<const StudyBlock*>> by_class;
    std::map<std::string, std::set<const StudyBlock*>> by_application;
    for (const StudyBlock* const block : all.blocks) {
        if (const auto found = study.classes.find(block->name); found != study.classes.end())
            for (const InstructionClass each : found->second)
                by_class[std::string(name(each))].insert(block);
        for (const std::string& application : applications_of(block->applications))
            by_application[application].insert(block);
    }
    const auto add = [&](const char* section, const auto& parts) {
        for (const auto& [name, blocks] : parts) {
            const Compared some = part(all, [&](const StudyBlock& block) { return blocks.contains(&block); });
            if (some.blocks.size() < fewest_blocks)
                continue;
            figures.push_back({section, title, name, std::string(mean_error),
                               mean_of(some, [&](std::size_t block) { return some.error(block); }),
                               StudyUnit::Share, some.predicted.size(), some.blocks.size(), 0});
        }
    };
    add("classes", by_class);
    add("applications", by_application);
}

/// The error of the one less that of the other, of each block that both predict.
std::vector<SampledValue> paired(const Compared& one, const Compared& other) {
    std::unordered_map<const StudyBlock*, double> errors;
    for (std::size_t block = 0; block < other.blocks.size(); ++block)
        errors.emplace(other.blocks[block], other.error(block));
    std::vector<SampledValue> differences;
    for (std::size_t block = 0; block < one.blocks.size(); ++block)
        if (const auto found = errors.find(one.blocks[block]); found != errors.end())
            differences.push_back({.value = one.error(block) - found->second, .family = one.families[block]});
    return differences;
}

} // namespace

std::vector<const CellResult*> BlockStudy::results(StudyCell cell) const {
    std::vector<const CellResult*> found;
    for (const auto& [each, result] : cells) {
        cell.seed = each.seed;
        if (each == cell)
            found.push_back(&result);
    }
    return found;
}

std::vector<StudyCell> BlockStudy::kinds() const {
    std::vector<StudyCell> kinds;
    for (const auto& [cell, result] : cells) {
        StudyCell kind = cell;
        kind.seed = 0;
        if (std::ranges::find(kinds, kind) == kinds.end())
            kinds.push_back(std::move(kind));
    }
    return kinds;
}

Result<BlockStudy> read_block_study(Workspace& workspace, const StudySizes& sizes) {
    auto blocks = read_study_blocks(workspace, sizes.machines, sizes.seed);
    if (!blocks)
        return std::unexpected(std::move(blocks).error());
    BlockStudy study{.blocks = *std::move(blocks), .sizes = sizes};
    auto classes = instruction_classes(study.blocks);
    if (!classes)
        return std::unexpected(std::move(classes).error());
    study.classes = *std::move(classes);
    const StudyRecord record(workspace, study.blocks);
    for (const StudyCell& cell : study_cells(sizes, study.blocks.machines, study.blocks.training_blocks())) {
        auto result = record.find(cell);
        if (!result)
            return std::unexpected(std::move(result).error());
        if (*result)
            study.cells.emplace_back(cell, **std::move(result));
        else
            study.missing.push_back(cell);
    }
    return study;
}

std::string machine_title(const std::string& machine) {
    const auto known = find_microarchitecture(machine);
    return known ? std::string(known->title) : machine;
}

std::string model_title(const BlockStudy& study, const StudyCell& kind) {
    static const std::map<std::string, std::string, std::less<>> titles{
        {"bound", "Analytical bound"},
        {"mca", "LLVM-MCA, RThroughput"},
        {"mca-cycles", "LLVM-MCA, total cycles"},
        {"gray-trees", "Gray box: trees over the bound"},
        {"ithemal", "Ithemal"},
        {"ithemal-dag", "Ithemal over dependencies"},
        {"granite", "GRANITE"},
        {"granite-untyped", "GRANITE without edge types"},
        {"granite-short", "GRANITE, 4 iterations"},
        {"granite-global", "GRANITE, global read-out"}};
    const auto found = titles.find(kind.model);
    std::string title = found == titles.end() ? kind.model : found->second;
    if (!kind.is_network() && kind.model != "gray-trees")
        return title;
    if (!kind.target.empty())
        return title + ", " + kind.way;
    return title + (kind.machines.size() == study.blocks.machines.size() ? ", all machines"
                    : kind.machines.size() == 1                          ? ", one machine"
                                                                         : ", others");
}

bool is_compared(const StudyCell& kind) {
    return kind.target.empty() && !kind.is_base() && kind.model != explanations_cell;
}

std::vector<StudyFigure> accuracy_figures(const BlockStudy& study) {
    const Groups groups(study.blocks);
    std::vector<StudyFigure> figures;
    std::map<std::string, Compared> together; // by title: all machines of a model
    std::vector<std::string> titles;
    for (const StudyCell& kind : study.kinds()) {
        if (!is_compared(kind))
            continue;
        const auto results = study.results(kind);
        const std::string title = model_title(study, kind);
        for (const std::string& machine : kind.machines) {
            const Compared all = compared(study, groups, results, machine);
            if (all.blocks.empty())
                continue;
            const auto add = [&](std::string_view figure, Estimate estimate, StudyUnit unit) {
                figures.push_back({"accuracy", title, machine_title(machine), std::string(figure),
                                   std::move(estimate), unit, results.size(), all.blocks.size(), 0});
            };
            add(mean_error, mean_of(all, [&](std::size_t block) { return all.error(block); }),
                StudyUnit::Share);
            add(median_error,
                by_seed(
                    all, [](const PredictionErrors& errors) { return errors.median; }, median_resamples),
                StudyUnit::Share);
            add(tau_figure,
                by_seed(
                    all, [](const PredictionErrors& errors) { return errors.kendall_tau.value_or(0); },
                    tau_resamples),
                StudyUnit::Number);
            if (!together.contains(title))
                titles.push_back(title);
            Compared& joint = together[title];
            if (joint.blocks.empty() || joint.predicted.size() == all.predicted.size())
                append_to(joint, all);
        }
    }
    for (const std::string& title : titles)
        add_parts(study, title, together.at(title), figures);
    return figures;
}

std::vector<StudyFigure> difference_figures(const BlockStudy& study) {
    const Groups groups(study.blocks);
    std::vector<StudyFigure> figures;
    for (const StudyCell& kind : study.kinds()) {
        if (!is_compared(kind) || !kind.is_network())
            continue;
        const bool is_variant = kind.model.starts_with("granite-");
        if (kind.machines.size() == 1 && !is_variant)
            continue;
        std::vector<SampledValue> everywhere;
        std::size_t seeds = 0;
        const auto results = study.results(kind);
        const auto add = [&](const std::string& of, const std::vector<SampledValue>& differences) {
            figures.push_back({is_variant ? "ablations" : "multi-task", model_title(study, kind), of,
                               std::string(error_difference),
                               estimate_by_family(differences, &mean, Scale::Plain, mean_resamples),
                               StudyUnit::Share, seeds, differences.size(), 0});
        };
        for (const std::string& machine : kind.machines) {
            StudyCell other = kind;
            other.machines = {machine};
            if (is_variant)
                other.model = "granite";
            const auto rivals = study.results(other);
            if (rivals.empty())
                continue;
            const auto differences =
                paired(compared(study, groups, results, machine), compared(study, groups, rivals, machine));
            if (differences.empty())
                continue;
            seeds = std::min(results.size(), rivals.size());
            add(machine_title(machine), differences);
            everywhere.insert(everywhere.end(), differences.begin(), differences.end());
        }
        if (!is_variant && !everywhere.empty())
            add("all together", everywhere);
    }
    return figures;
}

std::vector<StudyFigure> transfer_figures(const BlockStudy& study) {
    const Groups groups(study.blocks);
    std::vector<StudyFigure> figures;
    for (const StudyCell& kind : study.kinds()) {
        if (kind.target.empty())
            continue;
        const auto results = study.results(kind);
        const Compared all = compared(study, groups, results, kind.target);
        if (all.blocks.empty())
            continue;
        figures.push_back({"transfer", model_title(study, kind), machine_title(kind.target),
                           std::string(mean_error),
                           mean_of(all, [&](std::size_t block) { return all.error(block); }),
                           StudyUnit::Share, results.size(), all.blocks.size(), kind.shots});
    }
    std::ranges::stable_sort(figures, {}, &StudyFigure::shots);
    return figures;
}

} // namespace sparsight
