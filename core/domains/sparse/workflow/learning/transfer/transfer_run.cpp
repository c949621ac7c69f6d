#include "domains/sparse/workflow/learning/transfer/transfer_run.h"

#include "base/quantity.h"
#include "model/tensors/torch_runtime.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

/// How much there is to do, and how much of it is done.
struct Work {
    std::int64_t total = 0;
    std::int64_t done = 0;
    std::int64_t before = 0; ///< by an earlier run
};

class TransferRun {
public:
    TransferRun(const TransferOrder& order, const TransferData& data, TransferRecord& record,
                Observer& observer, const std::stop_token& stop)
        : order_(order)
        , data_(data)
        , record_(record)
        , observer_(observer)
        , study_(order.request, data, record, study_observer(), stop) {
        outcome_.run = static_cast<std::int64_t>(record.run());
        outcome_.op = order.request.op;
        outcome_.dense = order.request.dense;
        for (const TransferTarget& target : data.targets)
            outcome_.targets.push_back({data.real.tasks[target.task].machine,
                                        data.real.tasks[target.task].runtimes.size(),
                                        data.real.tasks[target.donor].machine, target.tasks_per_step});
        outcome_.sources = order.request.sources;
        outcome_.notes = data.notes;
        outcome_.parameters = order.settings.json();
    }

    [[nodiscard]] Result<TransferOutcome> run() {
        const auto done = measure_work();
        if (!done)
            return failed(done.error());
        tell_start();
        if (record_.is_finished())
            return outcome(RunEnd::DoneBefore);
        for (const TransferCell& cell : study_.cells())
            if (auto worked = work(cell); !worked)
                return failed(worked.error());
        if (auto ended = record_.end(RunState::Finished); !ended)
            return std::unexpected(std::move(ended).error());
        return outcome(RunEnd::Finished);
    }

private:
    [[nodiscard]] TransferObserver study_observer() {
        return {.progress = [this](const TransferCell& cell, std::string_view what,
                                   std::int64_t of_cell) { show(cell, what, work_.done + of_cell); },
                .point =
                    [this](const TransferRecord::Point& point, const TransferRecord::Metrics& metrics) {
                        observer_.event("point", point_json(outcome_, point, metrics));
                    }};
    }

    void show(const TransferCell& cell, std::string_view what, std::int64_t done) {
        const std::string stage = fmt::format("{} to {}, seed {}: {}", name(cell.source),
                                              target_name(cell.target), cell.seed, what);
        std::optional<Seconds> left;
        if (const std::int64_t now = done - work_.before; now > 0)
            left = Seconds(watch_.seconds() / static_cast<double>(now) *
                           static_cast<double>(work_.total - done));
        observer_.progress({.stage = stage,
                            .done = static_cast<std::uint64_t>(done),
                            .total = static_cast<std::uint64_t>(work_.total),
                            .left = left});
    }

    [[nodiscard]] const std::string& target_name(std::size_t target) const {
        return data_.real.tasks[data_.targets[target].task].machine;
    }

    /// Of the whole cell, and of what is done of it.
    [[nodiscard]] Result<Work> work_of(const TransferCell& cell) {
        const auto shots = study_.shots_of(cell);
        if (!shots)
            return std::unexpected(shots.error());
        Work work{study_.training_work(cell), 0, 0};
        bool is_trained = false;
        for (const std::size_t count : *shots) {
            const std::int64_t point = study_.point_work(count);
            work.total += point;
            if (record_.points().contains({cell, count})) {
                is_trained = true;
                work.done += point;
            }
        }
        if (is_trained)
            work.done += study_.training_work(cell);
        return work;
    }

    [[nodiscard]] Result<void> measure_work() {
        for (const TransferCell& cell : study_.cells()) {
            const auto work = work_of(cell);
            if (!work)
                return std::unexpected(work.error());
            work_.total += work->total;
            work_.before += work->done;
        }
        return {};
    }

    [[nodiscard]] Result<void> work(const TransferCell& cell) {
        const auto size = work_of(cell);
        if (!size)
            return std::unexpected(size.error());
        if (auto worked = study_.work(cell); !worked)
            return worked;
        work_.done += size->total;
        return {};
    }

    void tell_start() {
        observer_.start({{"run", outcome_.run},
                         {"targets", targets_json(outcome_)},
                         {"sources", sources_json(outcome_)},
                         {"shots", order_.request.shots},
                         {"seeds", order_.request.seeds},
                         {"notes", outcome_.notes},
                         {"resumed", work_.before > 0},
                         {"parameters", outcome_.parameters}});
        observer_.resume(static_cast<std::uint64_t>(work_.before));
        for (const std::string& note : outcome_.notes)
            observer_.note(note);
        if (record_.is_finished())
            observer_.note("this experiment was done before, with these settings and these data");
    }

    [[nodiscard]] TransferOutcome outcome(RunEnd end) {
        outcome_.end = end;
        outcome_.trainings = record_.trainings();
        outcome_.points = record_.points();
        return std::move(outcome_);
    }

    [[nodiscard]] Result<TransferOutcome> failed(const Error& error) {
        const bool is_stopped = error.fault == Fault::Cancelled;
        // An error here would only hide the first one.
        [[maybe_unused]] const auto ended =
            record_.end(is_stopped ? RunState::Stopped : RunState::Failed, is_stopped ? "" : error.text());
        if (!is_stopped)
            return std::unexpected(error);
        outcome_.reason = error;
        return outcome(RunEnd::Stopped);
    }

    const TransferOrder& order_;
    const TransferData& data_;
    TransferRecord& record_;
    Observer& observer_;
    TransferStudy study_;
    Stopwatch watch_;
    Work work_;
    TransferOutcome outcome_;
};

} // namespace

Json targets_json(const TransferOutcome& outcome) {
    Json targets = Json::array();
    for (const TransferOutcome::Target& target : outcome.targets)
        targets.push_back({{"machine", target.machine},
                           {"matrices", target.matrices},
                           {"imagined_from", target.imagined_from},
                           {"tasks_per_step", target.tasks_per_step}});
    return targets;
}

Json sources_json(const TransferOutcome& outcome) {
    Json sources = Json::array();
    for (const MetaSource source : outcome.sources)
        sources.push_back(name(source));
    return sources;
}

Json point_json(const TransferOutcome& outcome, const TransferRecord::Point& point,
                const TransferRecord::Metrics& metrics) {
    return {{"target", outcome.targets[point.first.target].machine},
            {"source", name(point.first.source)},
            {"seed", point.first.seed},
            {"shots", point.second},
            {"metrics", metrics}};
}

Result<TransferOutcome> run_transfer(Workspace& workspace, const TransferOrder& order, Observer& observer,
                                     const std::stop_token& stop) {
    const auto runtime = prepare_torch(order.request.threads);
    if (!runtime)
        return std::unexpected(runtime.error());
    auto data =
        transfer_data(workspace, order.request, stop, [&](const Progress& state) { observer.show(state); });
    if (!data)
        return std::unexpected(std::move(data).error());
    if (!runtime->warning.empty())
        data->notes.push_back(runtime->warning);
    Json parameters = order.settings.json();
    parameters["data"] = identity_of(*data);
    auto record = TransferRecord::claim(workspace, parameters);
    if (!record)
        return std::unexpected(std::move(record).error());
    return TransferRun(order, *data, *record, observer, stop).run();
}

} // namespace sparsight
