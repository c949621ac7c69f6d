#include "domains/sparse/workflow/learning/reasons/reasons_data.h"

#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "machine/machine_presets.h"
#include "machine/probe/probe.h"
#include "store/models.h"
#include "workflow/learning/search/configuration_pool.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_known_matrices = 400;
/// Matrices that were neither learned from nor measured only say what matrices are like: beyond so many,
/// those whose statistics would have to be computed are left out.
constexpr std::size_t enough_known_matrices = 40;
constexpr std::size_t most_measured_others = 800;
constexpr int drawn_others = 200;

/// So that schedules can be compared whatever threads they name.
SuperSchedule with_threads(SuperSchedule schedule, int threads) {
    schedule.threads = threads;
    return canonical(schedule);
}

/// Reads one thing after the other into the data.
class ReasonsReader {
public:
    ReasonsReader(Workspace& workspace, const LearningDomains& domains, const ReasonsRequest& request,
                  std::stop_token stop, const ProgressSink& progress)
        : workspace_(workspace)
        , domains_(domains)
        , request_(request)
        , stop_(std::move(stop))
        , progress_(progress) {}

    [[nodiscard]] Result<ReasonsData> run() {
        for (const auto step :
             {&ReasonsReader::read_model, &ReasonsReader::read_matrix, &ReasonsReader::read_machine,
              &ReasonsReader::read_runtimes, &ReasonsReader::read_schedules, &ReasonsReader::read_known}) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while reading");
            if (auto read = (this->*step)(); !read)
                return std::unexpected(std::move(read).error());
        }
        return std::move(data_);
    }

private:
    [[nodiscard]] Result<void> read_model() {
        auto stored = load_model(workspace_, domains_, request_.model);
        if (!stored)
            return std::unexpected(std::move(stored).error());
        if (const Domain& domain = stored->domain->domain(); domain.name() != sparse_domain)
            return fail(Fault::Input,
                        fmt::format("the model {} is of the domain {}: choices of models of sparse matrices "
                                    "alone can be explained",
                                    request_.model, domain.name()));
        data_.stored = *std::move(stored);
        const ModelDescription& description = data_.stored.checkpoint.model;
        data_.op = model_operator(description);
        data_.dense = dense_index(data_.op) ? request_.dense : 1;
        data_.reads_machine = is_network(description) && data_.stored.encoder()->reads_machine();
        auto model = make_cost_model(data_.stored.checkpoint, domains_);
        if (!model)
            return std::unexpected(std::move(model).error());
        data_.model = *std::move(model);
        const auto lineage = ModelLineage::read(workspace_);
        if (!lineage)
            return std::unexpected(lineage.error());
        learned_ = lineage->learned_from(data_.stored.record.id);
        return {};
    }

    [[nodiscard]] Result<void> read_matrix() {
        const auto record = find_matrix(workspace_, request_.matrix);
        if (!record)
            return std::unexpected(record.error());
        if (!*record)
            return fail(Fault::Input, fmt::format("the workspace has no matrix '{}'", request_.matrix));
        auto pattern = load_pattern(workspace_, (*record)->id);
        if (!pattern)
            return std::unexpected(std::move(pattern).error());
        data_.matrix = (*record)->name;
        data_.is_learned = learned_.contains(data_.matrix);
        data_.statistics = compute_statistics(*pattern, request_.threads);
        data_.pattern = std::make_shared<const CsrPattern>(*std::move(pattern));
        return {};
    }

    [[nodiscard]] Result<void> read_machine() {
        auto machine = search_target(workspace_, request_.machine, setting_of(data_.op, data_.dense));
        if (!machine) {
            auto preset = find_machine_preset(request_.machine);
            if (!preset)
                return std::unexpected(std::move(machine).error());
            data_.machine = std::move(preset->machine);
            data_.machine_name = data_.machine.name;
            threads_ = data_.machine.threads.value_or(threads_);
            return {};
        }
        threads_ = machine->threads;
        has_machine_ = machine->id.has_value();
        if (machine->description) {
            data_.machine = *std::move(machine->description);
            data_.machine_name = data_.machine.name;
        } else {
            ProbeOptions facts_alone;
            facts_alone.measure = false;
            if (auto facts = probe_this_computer(facts_alone))
                data_.machine = *std::move(facts);
        }
        if (!request_.machine.empty()) // with its condition, or by the beginning of its name
            data_.machine_name = request_.machine.ends_with(')') ? request_.machine : machine->name;
        return {};
    }

    [[nodiscard]] Result<std::optional<WorkspaceTasks>> tasks_of(const std::string& machine) {
        TaskRequest wanted{.setting = setting_of(data_.op, data_.dense), .threads = request_.threads};
        if (!machine.empty())
            wanted.sources.push_back({machine});
        auto tasks = sparse_tasks(workspace_, wanted, stop_, progress_);
        if (tasks)
            return *std::move(tasks);
        if (tasks.error().fault == Fault::Input) // nothing was measured there
            return std::nullopt;
        return std::unexpected(std::move(tasks).error());
    }

    /// The most of them that were measured on one machine, of the model's if there are any.
    [[nodiscard]] const Task& told_task(const TaskSet& set) const {
        const auto& learned = data_.stored.checkpoint.model.training.machines;
        const auto rank = [&](const Task& task) {
            const bool is_learned = std::ranges::any_of(learned, [&](const std::string& name) {
                return task.machine == name || task.machine.starts_with(name + " ");
            });
            return std::pair(is_learned, task.runtimes.size());
        };
        return *std::ranges::max_element(set.tasks, {}, rank);
    }

    [[nodiscard]] Result<void> read_runtimes() {
        std::optional<WorkspaceTasks> tasks;
        if (has_machine_) {
            auto own = tasks_of(request_.machine.empty() ? data_.machine.fingerprint() : request_.machine);
            if (!own)
                return std::unexpected(std::move(own).error());
            tasks = *std::move(own);
            data_.times_are_of_machine = tasks.has_value();
        }
        if (!tasks) {
            auto any = tasks_of({});
            if (!any)
                return std::unexpected(std::move(any).error());
            tasks = *std::move(any);
        }
        if (!tasks || tasks->set.tasks.empty())
            return {};
        const Task& task = told_task(tasks->set);
        data_.times_machine = task.machine;
        data_.times_threads = task.threads;
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            data_.runtimes.emplace(tasks->set.workloads[runtimes.workload].name, runtimes);
        return {};
    }

    [[nodiscard]] Result<SuperSchedule> schedule_of(const std::string& text) const {
        if (text == "csr")
            return with_threads(fixed_csr(data_.op, threads_), threads_);
        if (text != "best") {
            const auto parsed = parse_schedule(data_.op, text);
            if (!parsed)
                return std::unexpected(parsed.error());
            return with_threads(*parsed, threads_);
        }
        const auto known = data_.runtimes.find(data_.matrix);
        if (!data_.times_are_of_machine || known == data_.runtimes.end())
            return fail(Fault::Input, fmt::format("nothing was measured of {} on this machine: expected csr "
                                                  "or a schedule's line in the place of best{}",
                                                  data_.matrix,
                                                  other_machines_hint(workspace_, data_.matrix, data_.op,
                                                                      data_.dense, data_.machine_name)));
        const auto& milliseconds = known->second.milliseconds;
        const auto best = std::ranges::min_element(milliseconds) - milliseconds.begin();
        return sparsight::schedule_of(known->second.configurations[static_cast<std::size_t>(best)], threads_);
    }

    [[nodiscard]] Result<void> read_schedules() {
        const auto schedule = schedule_of(request_.schedule);
        const auto against = schedule_of(request_.against);
        if (!schedule || !against)
            return std::unexpected((schedule ? against : schedule).error());
        if (*schedule == *against)
            return fail(Fault::Input,
                        fmt::format("both schedules mean the same, {}: there is no choice to explain",
                                    to_text(*schedule)));
        data_.schedule = *schedule;
        data_.against = *against;

        std::set<SuperSchedule> measured;
        for (const auto& [matrix, runtimes] : data_.runtimes)
            for (const Configuration& each : runtimes.configurations)
                measured.insert(sparsight::schedule_of(each, threads_));
        const std::vector<SuperSchedule> all(measured.begin(), measured.end());
        const std::size_t taken = std::min(all.size(), most_measured_others);
        for (std::size_t turn = 0; turn < taken; ++turn)
            data_.others.push_back(all[turn * all.size() / taken]);
        Random random = Random(request_.seed).fork(1);
        const Extents of = extents(data_.op, data_.pattern->rows, data_.pattern->cols, data_.dense);
        std::ranges::move(sample_waco(data_.op, of, drawn_others, threads_, random),
                          std::back_inserter(data_.others));
        std::ranges::move(sample_uniform(data_.op, of, drawn_others, threads_, random),
                          std::back_inserter(data_.others));
        data_.others.push_back(data_.against);
        return {};
    }

    [[nodiscard]] Result<void> read_known() {
        const auto records = list_matrices(workspace_);
        if (!records)
            return std::unexpected(records.error());
        std::vector<const MatrixRecord*> wanted;
        for (const MatrixRecord& record : *records)
            if (record.pattern != PayloadPlace::Unknown && record.name != data_.matrix)
                wanted.push_back(&record);
        const auto matters = [&](const MatrixRecord& record) {
            return learned_.contains(record.name) || data_.runtimes.contains(record.name);
        };
        std::ranges::stable_partition(wanted, [&](const MatrixRecord* record) { return matters(*record); });
        wanted.resize(std::min(wanted.size(), most_known_matrices));
        for (std::size_t place = 0; place < wanted.size(); ++place) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while reading");
            if (progress_)
                progress_({"reading matrices", place, wanted.size()});
            const MatrixRecord& record = *wanted[place];
            if (record.statistics.empty() && data_.known.size() >= enough_known_matrices && !matters(record))
                continue;
            const auto statistics = matrix_statistics(workspace_, record, request_.threads);
            if (statistics) // one whose file is gone is left out
                data_.known.push_back({record.name, record.id, *statistics, learned_.contains(record.name)});
        }
        const auto here =
            std::ranges::count(data_.known, true, &KnownMatrix::is_learned) + (data_.is_learned ? 1 : 0);
        data_.missing = learned_.size() - std::min(learned_.size(), static_cast<std::size_t>(here));
        return {};
    }

    Workspace& workspace_;
    const LearningDomains& domains_;
    const ReasonsRequest& request_;
    std::stop_token stop_;
    const ProgressSink& progress_;
    std::set<std::string> learned_;
    int threads_ = available_threads();
    bool has_machine_ = false;
    ReasonsData data_;
};

} // namespace

bool ReasonsRequest::asks_for(ReasonPart part) const {
    return parts.empty() || std::ranges::count(parts, part) > 0;
}

std::optional<double> time_of(const WorkloadRuntimes& runtimes, const SuperSchedule& schedule) {
    const Configuration meant = configuration_of(schedule);
    for (std::size_t place = 0; place < runtimes.configurations.size(); ++place)
        if (runtimes.configurations[place] == meant && std::isfinite(runtimes.milliseconds[place]))
            return runtimes.milliseconds[place];
    return std::nullopt;
}

std::optional<double> ReasonsData::measured(const SuperSchedule& of) const {
    const auto found = runtimes.find(matrix);
    return times_are_of_machine && found != runtimes.end() ? time_of(found->second, of) : std::nullopt;
}

Result<ReasonsData> read_reasons_data(Workspace& workspace, const LearningDomains& domains,
                                      const ReasonsRequest& request, const std::stop_token& stop,
                                      const ProgressSink& progress) {
    return ReasonsReader(workspace, domains, request, stop, progress).run();
}

} // namespace sparsight
