#include "domains/blocks/study/study_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <tuple>
#include <utility>

namespace sparsight {
namespace {

/// Seconds of one epoch over a thousand blocks of one machine, at a width of 64 on one core of 2020.
struct Cost {
    std::string_view model;
    double seconds;
};
constexpr std::array costs{Cost{"ithemal", 0.24},      Cost{"ithemal-dag", 0.5},
                           Cost{"granite", 1.2},       Cost{"granite-untyped", 1.2},
                           Cost{"granite-short", 0.6}, Cost{"granite-global", 1.2}};
constexpr double seconds_of_trees = 0.5; ///< for a thousand blocks
constexpr double meta_factor = 4;        ///< episodes look at each block several times
constexpr std::size_t usual_width = 64;

std::vector<std::string> without(const std::vector<std::string>& machines, const std::string& target) {
    std::vector<std::string> others = machines;
    std::erase(others, target);
    return others;
}

/// Cells that differ in nothing but their seed.
class Plan {
public:
    Plan(const StudySizes& sizes, const std::vector<std::string>& machines, std::size_t blocks)
        : sizes_(sizes)
        , machines_(machines)
        , blocks_(blocks) {}

    [[nodiscard]] std::vector<StudyCell> cells() {
        if (sizes_.has_part(accuracy_part))
            accuracy();
        if (sizes_.has_part(ablations_part))
            ablations();
        if (sizes_.has_part(transfer_part) && machines_.size() > 1)
            transfer();
        if (sizes_.has_part(explanations_part))
            explanations();
        const auto place = [&](const StudyCell& cell) {
            const bool is_adapted = !cell.target.empty();
            return std::tuple(cell.is_network() || is_adapted, is_adapted ? 1 : 0, is_adapted ? 1 : cell.seed,
                              expected_seconds(cell, blocks_));
        };
        std::ranges::stable_sort(cells_, {}, place);
        return std::move(cells_);
    }

private:
    void add(StudyCell cell, int seeds) {
        for (int seed = 1; seed <= seeds; ++seed) {
            cell.seed = static_cast<std::uint64_t>(seed);
            if (std::ranges::find(cells_, cell) == cells_.end())
                cells_.push_back(cell);
        }
    }
    void add_network(std::string_view model, std::vector<std::string> machines) {
        StudyCell cell{.model = std::string(model),
                       .machines = std::move(machines),
                       .epochs = model.starts_with("granite") ? sizes_.granite_epochs : sizes_.ithemal_epochs,
                       .width = sizes_.width};
        const bool is_quick = expected_seconds(cell, blocks_) <= quick_training;
        add(std::move(cell), is_quick ? sizes_.seeds : sizes_.long_seeds);
    }

    void accuracy() {
        for (const std::string_view model : {bound_cell, mca_cell, mca_cycles_cell})
            add({.model = std::string(model), .machines = machines_}, 1);
        add({.model = "gray-trees", .machines = machines_}, 1); // nothing of it depends on chance
        for (const std::string_view model : {"ithemal", "granite"}) {
            for (const std::string& machine : machines_)
                add_network(model, {machine});
            if (machines_.size() > 1)
                add_network(model, machines_);
        }
        add_network("ithemal-dag", machines_);
    }
    void explanations() {
        const StudyCell learned = explained_cell(sizes_, machines_);
        add(learned, 1);
        add({.model = std::string(explanations_cell),
             .machines = {machines_.front()},
             .shots = sizes_.explained,
             .epochs = learned.epochs,
             .width = learned.width},
            1);
    }
    void ablations() {
        for (const std::string_view model : {"granite", "granite-untyped", "granite-short", "granite-global"})
            add_network(model, {machines_.front()});
    }
    void transfer() {
        for (const std::string& target : machines_) {
            const std::vector<std::string> others = without(machines_, target);
            for (const std::string_view base : {supervised_base, meta_base})
                add({.model = "ithemal",
                     .machines = others,
                     .way = std::string(base),
                     .epochs = sizes_.transfer_epochs,
                     .width = sizes_.width},
                    sizes_.long_seeds);
            for (const std::size_t shots : sizes_.shots)
                adapted(target, others, shots);
        }
    }
    void adapted(const std::string& target, const std::vector<std::string>& others, std::size_t shots) {
        const int draws = shots == 0 ? sizes_.long_seeds : sizes_.draws;
        StudyCell cell{.model = "ithemal",
                       .machines = others,
                       .target = target,
                       .shots = shots,
                       .epochs = sizes_.transfer_epochs,
                       .width = sizes_.width};
        for (const std::string_view way : {fine_tuned, meta_learned}) {
            cell.way = way;
            add(cell, draws);
        }
        if (shots > 0) {
            cell.way = from_scratch;
            cell.machines.clear();
            add(cell, draws);
        }
        cell = {.model = "gray-trees",
                .machines = others,
                .way = std::string(fine_tuned),
                .target = target,
                .shots = shots};
        add(cell, shots == 0 ? 1 : draws);
        if (shots > 0) {
            cell.way = from_scratch;
            cell.machines.clear();
            add(cell, draws);
        }
    }

    const StudySizes& sizes_;
    const std::vector<std::string>& machines_;
    std::size_t blocks_;
    std::vector<StudyCell> cells_;
};

} // namespace

std::string describe(const StudyCell& cell) {
    std::string text = cell.model;
    if (cell.is_network())
        text += fmt::format(" {} wide, {} epochs", cell.width, cell.epochs);
    if (!cell.way.empty())
        text += ", " + cell.way;
    if (!cell.machines.empty())
        text += fmt::format(", of {}", fmt::join(cell.machines, " and "));
    if (!cell.target.empty())
        text += fmt::format(", {} blocks of {}", cell.shots, cell.target);
    return text + fmt::format(", seed {}", cell.seed);
}

bool StudySizes::has_part(std::string_view part) const {
    return parts.empty() || std::ranges::find(parts, part) != parts.end();
}

Result<void> check(const StudySizes& sizes) {
    for (const std::string& part : sizes.parts)
        if (std::ranges::find(study_parts, part) == std::end(study_parts))
            return fail(Fault::Input, fmt::format("'{}' is no part of the study, expected some of: {}", part,
                                                  fmt::join(study_parts, ", ")));
    return {};
}

StudySizes small_study() {
    return {.width = 16,
            .ithemal_epochs = 2,
            .granite_epochs = 1,
            .seeds = 2,
            .long_seeds = 1,
            .transfer_epochs = 2,
            .shots = {0, 5, 10},
            .draws = 2,
            .explained = 3};
}

double expected_seconds(const StudyCell& cell, std::size_t blocks) {
    const double thousands = static_cast<double>(blocks) / 1000;
    if (!cell.target.empty()) // of few blocks: most of the time goes into the test
        return 5 + 0.01 * static_cast<double>(cell.shots) +
               (cell.model == "gray-trees"
                    ? seconds_of_trees * thousands * static_cast<double>(cell.machines.size())
                    : 0);
    const double of_all = thousands * static_cast<double>(cell.machines.size());
    if (!cell.is_network())
        return seconds_of_trees * of_all;
    const auto found = std::ranges::find(costs, cell.model, &Cost::model);
    const double width = static_cast<double>(cell.width) / static_cast<double>(usual_width);
    return (found == costs.end() ? 1 : found->seconds) * of_all * cell.epochs * width *
           (cell.way == meta_base ? meta_factor : 1);
}

std::vector<StudyCell> study_cells(const StudySizes& sizes, const std::vector<std::string>& machines,
                                   std::size_t blocks) {
    return Plan(sizes, machines, blocks).cells();
}

StudyCell base_of(const StudyCell& cell, const StudySizes& sizes, const std::vector<std::string>& machines) {
    const auto bases = static_cast<std::uint64_t>(std::max(sizes.long_seeds, 1));
    return {.model = cell.model,
            .machines = without(machines, cell.target),
            .way = std::string(cell.way == meta_learned ? meta_base : supervised_base),
            .seed = (cell.seed - 1) % bases + 1,
            .epochs = cell.epochs,
            .width = cell.width};
}

StudyCell explained_cell(const StudySizes& sizes, const std::vector<std::string>& machines) {
    return {.model = "ithemal", .machines = machines, .epochs = sizes.ithemal_epochs, .width = sizes.width};
}

} // namespace sparsight
