#include "gui/domains/sparse/validation/validation_study.h"

#include "gui/jobs/job_service.h"
#include "store/workspace.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds look_interval{100};

/// What came of the one is what the other's was, before something was measured or calibrated.
bool are_of_one_choice(const ValidationSubject& one, const ValidationSubject& other) {
    return one.workspace == other.workspace && one.machine == other.machine && one.op == other.op &&
           one.dense == other.dense && one.held_out_only == other.held_out_only;
}

} // namespace

struct ValidationStudy::SharedProgress {
    std::atomic<bool> simulates = false;
    std::atomic<std::uint64_t> done = 0;
    std::atomic<std::uint64_t> total = 0;
};

ValidationStudy::ValidationStudy(Services services, QObject* parent)
    : QObject(parent)
    , services_(services)
    , progress_(std::make_shared<SharedProgress>()) {
    look_.setInterval(look_interval);
    connect(&look_, &QTimer::timeout, this, &ValidationStudy::progressed);
    connect(&services_.jobs, &JobService::job_finished, this, [this] {
        if (state_ == State::Waiting)
            begin_when_quiet();
    });
    connect(&services_.jobs, &JobService::job_changed, this, [this] {
        if (state_ == State::Computing && services_.jobs.is_measuring())
            compute(); // anew, once that has ended
    });
}

ValidationStudy::~ValidationStudy() = default;

void ValidationStudy::look_at(const std::optional<ValidationSubject>& subject) {
    if (subject == subject_)
        return;
    if (!subject || !subject_ || !are_of_one_choice(*subject, *subject_))
        validation_.reset();
    subject_ = subject;
    compute();
}

void ValidationStudy::compute() {
    answers_.cancel();
    if (subject_)
        begin_when_quiet();
    else
        enter(State::Nothing);
}

void ValidationStudy::stop() {
    answers_.cancel();
    if (state_ != State::Computing && state_ != State::Waiting)
        return;
    validation_.reset(); // out of date, or it would not have been computed
    enter(State::Stopped);
}

void ValidationStudy::begin_when_quiet() {
    if (services_.jobs.is_measuring())
        return enter(State::Waiting);
    progress_ = std::make_shared<SharedProgress>();
    since_begin_.start();
    const CalibrationRequest request{.machine = subject_->machine.toStdString(),
                                     .op = subject_->op,
                                     .dense = subject_->dense,
                                     .held_out_only = subject_->held_out_only};
    answers_.ask(
        [file = subject_->workspace.toStdString(), request, shared = progress_](
            const std::stop_token& stop) -> Result<std::shared_ptr<const MachineValidation>> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            auto validation =
                validate_machine(*workspace, request, 1, stop, [&shared](const Progress& progress) {
                    shared->simulates = progress.stage == "simulating";
                    shared->total = progress.total;
                    shared->done = progress.done;
                });
            if (!validation)
                return std::unexpected(validation.error());
            return std::make_shared<const MachineValidation>(*std::move(validation));
        },
        [this](Result<std::shared_ptr<const MachineValidation>> answer, bool) { take(std::move(answer)); });
    enter(State::Computing);
}

void ValidationStudy::take(Result<std::shared_ptr<const MachineValidation>> answer) {
    if (answer) {
        validation_ = *std::move(answer);
        return enter(State::Done);
    }
    validation_.reset();
    reason_ = QString::fromStdString(answer.error().text());
    enter(State::Failed);
}

void ValidationStudy::enter(State state) {
    state_ = state;
    if (state == State::Computing)
        look_.start();
    else
        look_.stop();
    Q_EMIT changed();
}

JobProgress ValidationStudy::progress() const {
    JobProgress progress;
    progress.total = static_cast<qint64>(progress_->total);
    progress.done = std::min(static_cast<qint64>(progress_->done), progress.total);
    progress.what = progress_->simulates ? tr("Simulating") : tr("Looking at schedules");
    constexpr double enough_ms = 1000; // before that nobody can tell
    const auto elapsed = static_cast<double>(since_begin_.elapsed());
    if (!progress_->simulates && progress.done > 0 && elapsed > enough_ms)
        progress.seconds_left = elapsed / 1000 * static_cast<double>(progress.total - progress.done) /
                                static_cast<double>(progress.done);
    return progress;
}

} // namespace sparsight
