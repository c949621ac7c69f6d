#include "domains/blocks/workflow/study_run.h"

#include "domains/blocks/study/study_blocks.h"
#include "domains/blocks/study/study_record.h"
#include "domains/blocks/workflow/study_training.h"
#include "store/models.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

/// Tells the progress of one cell as a part of that of the study, in expected seconds.
class CellObserver final : public Observer {
public:
    CellObserver(Observer& outer, std::string name, double before, double seconds, double all)
        : outer_(outer)
        , name_(std::move(name))
        , before_(before)
        , seconds_(seconds)
        , all_(all) {}

    void progress(const Progress& state) override {
        const double share =
            state.total == 0 ? 0 : static_cast<double>(state.done) / static_cast<double>(state.total);
        const std::string details =
            fmt::format("{}: {}", name_, state.details.empty() ? state.stage : state.details);
        outer_.progress({.stage = name_,
                         .done = static_cast<std::uint64_t>(before_ + share * seconds_),
                         .total = static_cast<std::uint64_t>(all_),
                         .details = details});
    }
    void show(const Progress&) override {} // steps within a stage
    void remark(std::string_view sentence) override { outer_.remark(sentence); }

private:
    Observer& outer_;
    std::string name_;
    double before_;
    double seconds_;
    double all_;
};

class StudyRun {
public:
    StudyRun(Workspace& workspace, const LearningDomain& domain, const BlockStudyRequest& request,
             const StudyBlocks& blocks, Observer& observer, std::stop_token stop)
        : workspace_(workspace)
        , domain_(domain)
        , request_(request)
        , blocks_(blocks)
        , record_(workspace, blocks)
        , observer_(observer)
        , stop_(std::move(stop)) {}

    Result<BlockStudyOutcome> run() {
        cells_ = study_cells(request_.sizes, blocks_.machines, blocks_.training_blocks());
        std::erase_if(cells_, [](const StudyCell& cell) { return cell.needs_llvm(); });
        outcome_.cells = cells_.size();
        std::vector<StudyCell> left;
        for (const StudyCell& cell : cells_) {
            all_ += seconds(cell);
            const auto known = record_.is_finished(cell);
            if (!known)
                return std::unexpected(known.error());
            if (*known)
                count_finished(cell);
            else
                left.push_back(cell);
        }
        observer_.start({{"cells", outcome_.cells},
                         {"finished", outcome_.finished},
                         {"blocks", blocks_.blocks.size()},
                         {"machines", blocks_.machines},
                         {"expected_seconds", all_},
                         {"resumed", outcome_.finished > 0}});
        observer_.resume(static_cast<std::uint64_t>(done_));
        for (const StudyCell& cell : left) {
            const auto ended = one(cell);
            if (ended)
                continue;
            if (ended.error().fault != Fault::Cancelled)
                return std::unexpected(ended.error());
            outcome_.end = RunEnd::Stopped;
            outcome_.reason = ended.error();
            return outcome_;
        }
        return outcome_;
    }

private:
    [[nodiscard]] double seconds(const StudyCell& cell) const {
        return expected_seconds(cell, blocks_.training_blocks());
    }
    void count_finished(const StudyCell& cell) {
        done_ += seconds(cell);
        ++outcome_.finished;
    }

    /// Errors: Fault::Cancelled; those of the workspace. A cell that can't be had is noted.
    Result<void> one(const StudyCell& cell) {
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "the study was stopped");
        if (const auto ready = is_ready(cell); !ready || !*ready)
            return ready ? skip(cell) : std::unexpected(ready.error());
        auto claimed = record_.claim(cell);
        if (!claimed)
            return std::unexpected(std::move(claimed).error());
        if (!*claimed)
            return skip(cell);
        CellObserver observer(observer_, describe(cell), done_, seconds(cell), all_);
        observer.progress({.stage = "reading"});
        const auto opened = open();
        auto trained = opened ? training_->run(cell, **claimed, observer, stop_)
                              : Result<TrainedCell>(std::unexpected(opened.error()));
        if (!trained) {
            if (auto left = record_.leave(**claimed, trained.error()); !left)
                return left;
            if (trained.error().fault == Fault::Cancelled || !opened)
                return std::unexpected(trained.error());
            outcome_.failed.push_back(fmt::format("{}: {}", describe(cell), trained.error().message));
            observer_.complain({trained.error().fault, outcome_.failed.back(), {}, 0});
            done_ += seconds(cell);
            return {};
        }
        if (auto kept = keep(cell, **claimed, *trained); !kept)
            return kept;
        count_finished(cell);
        observer_.event("cell", {{"cell", describe(cell)}, {"finished", outcome_.finished}});
        return {};
    }

    Result<void> skip(const StudyCell& cell) {
        ++outcome_.elsewhere;
        done_ += seconds(cell);
        return {};
    }

    /// Whether the model that it is adapted from is there.
    Result<bool> is_ready(const StudyCell& cell) const {
        if (cell.target.empty() || !cell.is_network() || cell.way == from_scratch)
            return true;
        return record_.is_finished(base_of(cell, request_.sizes, blocks_.machines));
    }

    Result<void> open() {
        if (training_)
            return {};
        auto training = StudyTraining::open(workspace_, domain_, blocks_, request_.sizes, request_.threads,
                                            observer_, stop_);
        if (!training)
            return std::unexpected(std::move(training).error());
        training_.emplace(*std::move(training));
        return {};
    }

    Result<void> keep(const StudyCell& cell, const ClaimedCell& claimed, const TrainedCell& trained) {
        return record_.finish(claimed, trained.result, [&]() -> Result<void> {
            if (!trained.model)
                return {};
            const std::string name = record_.model_name(cell);
            const auto earlier = find_model(workspace_, name);
            if (!earlier)
                return std::unexpected(earlier.error());
            if (*earlier)
                if (auto removed = remove_model(workspace_, (*earlier)->id); !removed)
                    return removed;
            const auto kept = keep_model(workspace_, {name, claimed.run}, *trained.model);
            return kept ? Result<void>() : std::unexpected(kept.error());
        });
    }

    Workspace& workspace_;
    const LearningDomain& domain_;
    const BlockStudyRequest& request_;
    const StudyBlocks& blocks_;
    StudyRecord record_;
    Observer& observer_;
    std::stop_token stop_;
    std::vector<StudyCell> cells_;
    std::optional<StudyTraining> training_; ///< the blocks are read when the first cell needs them
    double all_ = 0;                        ///< expected seconds
    double done_ = 0;
    BlockStudyOutcome outcome_;
};

} // namespace

Result<BlockStudyOutcome> run_block_study(Workspace& workspace, const LearningDomain& domain,
                                          const BlockStudyRequest& request, Observer& observer,
                                          const std::stop_token& stop) {
    if (auto checked = check(request.sizes); !checked)
        return std::unexpected(std::move(checked).error());
    const auto blocks = read_study_blocks(workspace, request.sizes.machines, request.sizes.seed);
    if (!blocks)
        return std::unexpected(blocks.error());
    constexpr double seconds_an_hour = 3600;
    std::optional<TimedStop> limit;
    if (request.hours > 0)
        limit.emplace(stop, Seconds(request.hours * seconds_an_hour));
    return StudyRun(workspace, domain, request, *blocks, observer, limit ? limit->token() : stop).run();
}

} // namespace sparsight
