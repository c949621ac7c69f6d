#include "domains/sparse/workflow/learning/reasons/reasons_search.h"

#include "domains/sparse/explanation/reasons/comparison_space.h"
#include "domains/sparse/explanation/reasons/reason_cases.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "domains/sparse/workflow/learning/reasons/model_queries.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "domains/sparse/workflow/learning/reasons/training_reasons.h"
#include "machine/machine_description.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"
#include "store/machines.h"

#include <utility>

namespace sparsight {

namespace {

/// A model that reads patterns looks at each once, which takes it a while.
constexpr std::size_t most_read_patterns = 40;
constexpr std::size_t most_set_patterns = 400;
/// … and again on each machine, where it reads machines.
constexpr std::size_t machines_for_patterns = 6;
constexpr std::size_t machines_for_statistics = 80;

class ReasonsJob {
public:
    ReasonsJob(Workspace& workspace, const ReasonsRequest& request, ReasonsData data, std::stop_token stop,
               const ProgressSink& progress)
        : workspace_(workspace)
        , request_(request)
        , data_(std::move(data))
        , stop_(std::move(stop))
        , progress_(progress)
        , budget_(request)
        , patterns_(workspace, data_,
                    data_.model->reads_statistics() ? most_set_patterns : most_read_patterns)
        , asked_(*data_.model, data_.reads_machine, by_place(), request.threads)
        , simulated_(by_place(), data_.dense) {}

    [[nodiscard]] Result<ModelReasons> run() {
        if (auto told = tell_choice(); !told)
            return std::unexpected(std::move(told).error());
        for (const auto& [part, find] : {std::pair{ReasonPart::Anchors, &ReasonsJob::find_anchors},
                                         std::pair{ReasonPart::Sensitivity, &ReasonsJob::find_curves},
                                         std::pair{ReasonPart::Nearest, &ReasonsJob::find_nearest},
                                         std::pair{ReasonPart::Uncertainty, &ReasonsJob::find_uncertainty},
                                         std::pair{ReasonPart::Saliency, &ReasonsJob::find_cells}}) {
            if (!request_.asks_for(part))
                continue;
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped between two parts");
            if (auto found = (this->*find)(budget_.start(part)); !found) {
                if (found.error().fault != Fault::Input)
                    return std::unexpected(std::move(found).error());
                reasons_.missing.push_back({part, found.error().message});
            }
        }
        return std::move(reasons_);
    }

private:
    using IsOver = std::function<bool()>;

    [[nodiscard]] PatternsByPlace by_place() const {
        return [this](std::size_t place) { return patterns_.pattern(place); };
    }
    [[nodiscard]] MarginFunction margins() {
        return [this](std::span<const ReasonCase> cases) { return asked_.margins(cases); };
    }
    [[nodiscard]] const MachineDescription* read_machine() const {
        return data_.reads_machine ? &data_.machine : nullptr;
    }
    [[nodiscard]] ReasonCase explained_case() const {
        return {0, data_.statistics, data_.machine, data_.schedule, data_.against};
    }
    [[nodiscard]] TrainingReasonsSettings known_settings(IsOver is_over) const {
        return {request_.threads, request_.seed, std::move(is_over), stop_, progress_};
    }

    /// Of another machine or pattern nothing was measured here.
    [[nodiscard]] PairTimes measured(const ReasonCase& of) const {
        PairTimes times{.origin = TimeOrigin::Measured};
        if (of.pattern == 0 && of.machine == data_.machine) {
            times.schedule_ms = data_.measured(of.schedule);
            times.against_ms = data_.measured(of.against);
        }
        return times;
    }

    [[nodiscard]] Result<void> tell_choice() {
        reasons_.model = data_.stored.record.name;
        reasons_.architecture = data_.stored.checkpoint.model.architecture.name;
        reasons_.op = name(data_.op);
        reasons_.dense = data_.dense;
        reasons_.matrix = data_.matrix;
        reasons_.machine = data_.machine_name;
        reasons_.seed = request_.seed;
        reasons_.reads_machine = data_.reads_machine;
        reasons_.schedule = to_text(data_.schedule);
        reasons_.against = to_text(data_.against);
        auto explained = data_.model->embed(payload_of(data_.pattern), read_machine(), request_.threads);
        if (!explained)
            return std::unexpected(std::move(explained).error());
        explained_ = *std::move(explained);
        const std::array both{configuration_of(data_.schedule), configuration_of(data_.against)};
        const auto scores = explained_->score(both);
        if (!scores)
            return std::unexpected(scores.error());
        reasons_.schedule_score = static_cast<double>((*scores)[0]);
        reasons_.against_score = static_cast<double>((*scores)[1]);
        reasons_.times = measured(explained_case());
        if (reasons_.times.log2_gain())
            return {};
        auto times = simulated_.times(explained_case());
        if (!times)
            return std::unexpected(std::move(times).error());
        reasons_.times = *times;
        return {};
    }

    /// Changed forms of the pattern serve two parts.
    [[nodiscard]] Result<void> change_pattern() {
        if (std::exchange(is_changed_, true))
            return {};
        return patterns_.add_changed(request_.threads, stop_);
    }

    /// The asked one first; then those that the workspace knows, presets, and a family.
    [[nodiscard]] Result<std::vector<MachineDescription>> machines() {
        std::vector<MachineDescription> all{data_.machine};
        if (!data_.reads_machine)
            return all;
        const auto records = list_machines(workspace_);
        if (!records)
            return std::unexpected(records.error());
        for (const MachineRecord& record : *records)
            if (auto machine = machine_from_text(record.description))
                all.push_back(*std::move(machine));
        for (const MachinePreset& preset : machine_presets())
            all.push_back(preset.machine);
        const bool reads_statistics = data_.model->reads_statistics();
        const std::size_t most = reads_statistics ? machines_for_statistics : machines_for_patterns;
        for (std::uint64_t index = 0; all.size() < most; ++index)
            all.push_back(sampled_machine(request_.seed, index));
        if (all.size() > most) { // evenly, the first one among them
            std::vector<MachineDescription> some;
            some.reserve(most);
            for (std::size_t turn = 0; turn < most; ++turn)
                some.push_back(all[turn * all.size() / most]);
            all = std::move(some);
        }
        return all;
    }

    [[nodiscard]] Result<void> find_anchors(IsOver is_over) {
        if (auto changed = change_pattern(); !changed)
            return changed;
        auto drawn_machines = machines();
        if (!drawn_machines)
            return std::unexpected(std::move(drawn_machines).error());
        const ComparisonRequest comparison{.schedule = data_.schedule,
                                           .against = data_.against,
                                           .others = data_.others,
                                           .patterns = patterns_.statistics(),
                                           .pattern_draws = data_.model->reads_statistics()
                                                                ? PatternDraws::Statistics
                                                                : PatternDraws::Matrices,
                                           .machines = *std::move(drawn_machines),
                                           .margins = margins()};
        const auto space = ComparisonSpace::make(comparison);
        if (!space)
            return std::unexpected(space.error());
        AnchorOptions options;
        options.seed = request_.seed;
        options.is_over = std::move(is_over);
        options.stop = stop_;
        options.progress = progress_;
        auto found = anchor_reason(**space, comparison, options);
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.anchors = *std::move(found);
        return {};
    }

    [[nodiscard]] Result<void> find_curves(IsOver is_over) {
        if (auto changed = change_pattern(); !changed)
            return changed;
        auto found = find_sensitivity(
            {.explained = explained_case(),
             .others = data_.others,
             .patterns = patterns_.statistics(),
             .reads_statistics = data_.model->reads_statistics(),
             .series = patterns_.series(),
             .reads_machine = data_.reads_machine,
             .margins = margins(),
             .times = [this](const ReasonCase& of) { return simulated_.times(of); },
             .measured = [this](const ReasonCase& of) -> Result<PairTimes> { return measured(of); },
             .is_over = std::move(is_over),
             .stop = stop_,
             .progress = progress_});
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.sensitivity = *std::move(found);
        return {};
    }

    [[nodiscard]] Result<void> find_nearest(IsOver is_over) {
        auto found = nearest_reason(workspace_, data_, *explained_, known_settings(std::move(is_over)));
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.nearest = *std::move(found);
        return {};
    }

    [[nodiscard]] Result<void> find_uncertainty(IsOver is_over) {
        auto found = uncertainty_reason(workspace_, data_, *explained_, known_settings(std::move(is_over)));
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.uncertainty = *std::move(found);
        return {};
    }

    [[nodiscard]] Result<void> find_cells(IsOver is_over) {
        auto found = find_saliency({.pattern = *data_.pattern,
                                    .cells = request_.cells,
                                    .threads = request_.threads,
                                    .margin = [this](const CsrPattern& pattern) -> Result<double> {
                                        const auto looked = data_.model->embed(
                                            payload_of(pattern), read_machine(), request_.threads);
                                        if (!looked)
                                            return std::unexpected(looked.error());
                                        return margin_of(**looked, data_.schedule, data_.against);
                                    },
                                    .is_over = std::move(is_over),
                                    .stop = stop_,
                                    .progress = progress_});
        if (!found)
            return std::unexpected(std::move(found).error());
        reasons_.saliency = *std::move(found);
        return {};
    }

    Workspace& workspace_;
    const ReasonsRequest& request_;
    const ReasonsData data_;
    std::stop_token stop_;
    const ProgressSink& progress_;
    PartBudget budget_;
    ReasonsPatterns patterns_;
    ModelQueries asked_;
    SimulatedPairs simulated_;
    std::unique_ptr<WorkloadScorer> explained_;
    bool is_changed_ = false;
    ModelReasons reasons_;
};

} // namespace

Result<ModelReasons> find_model_reasons(Workspace& workspace, const LearningDomains& domains,
                                        const ReasonsRequest& request, const std::stop_token& stop,
                                        const ProgressSink& progress) {
    auto data = read_reasons_data(workspace, domains, request, stop, progress);
    if (!data)
        return std::unexpected(std::move(data).error());
    return ReasonsJob(workspace, request, *std::move(data), stop, progress).run();
}

} // namespace sparsight
