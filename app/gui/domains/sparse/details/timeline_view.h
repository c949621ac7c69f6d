// When each thread works on which chunk of the selected schedule: simulated at once, and recorded in a run on
// this computer when that is asked for, one above the other on one time axis.
#pragma once

#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "machine/machine_description.h"
#include "study/clock.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <span>

class QLabel;
class QPushButton;

namespace sparsight {

class JobProgressLine;
class LanePlot;
struct LanePicture;

/// "Thread 2 works 1.80 ms, the others wait 0.90 ms for it on average: imbalance 1.38×." Of several regions,
/// whose last threads differ: "The threads work 1.20 ms and wait 0.60 ms for each other on average, over 8
/// regions: imbalance 1.50×."
[[nodiscard]] QString balance_sentence(const ThreadTimeline& timeline);
/// "Recording costs 1.2 % ± 0.8 %."; more where that disturbs. Empty for a simulated one.
[[nodiscard]] QString overhead_sentence(const ThreadTimeline& timeline);
/// A group of lanes for each of them.
[[nodiscard]] LanePicture lane_picture(std::span<const ThreadTimeline> timelines);

class TimelineView : public QWidget {
    Q_OBJECT

public:
    /// What is known of the schedule on the machine of the page.
    struct KnownRun {
        ClockTime time{.milliseconds = {}};
        int threads = 0;
        bool is_recorded = false; ///< on another computer
    };

    explicit TimelineView(Services services, QWidget* parent = nullptr);

    /// `threads` of a run; recorded with as many.
    void show(const std::optional<SuperSchedule>& schedule, std::shared_ptr<const MatrixAnalysis> matrix,
              std::int64_t dense, int threads);
    /// The time of the schedule that the page tells: where the simulation is far off it, that stands first.
    void compare_with(const KnownRun& known);
    [[nodiscard]] bool is_settled() const { return !answers_.is_busy(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct SimulatedRun {
        ThreadTimeline timeline;
        double error = usual_simulation_error; ///< of the machine
        bool stands_in = false;                ///< SimulatedMachine::stands_in
    };

    void build();
    void simulate();
    void follow_jobs();
    void read_recorded();
    void record();
    void show_state(); ///< of recording
    void show_timelines();
    void show_balance();
    [[nodiscard]] TimelineJob job() const;
    [[nodiscard]] QString distance_text() const;
    [[nodiscard]] QString refusal() const;
    [[nodiscard]] bool has_subject() const { return schedule_ && matrix_; }

    Services services_;
    QPushButton* record_;
    JobProgressLine* progress_;
    QLabel* balance_;
    QLabel* remarks_;
    LanePlot* plot_;
    std::optional<SuperSchedule> schedule_;
    std::shared_ptr<const MatrixAnalysis> matrix_;
    std::int64_t dense_ = 1;
    int threads_ = 1;
    QString machine_;       ///< fingerprint of the simulated one
    std::string described_; ///< that machine, as it was simulated
    bool is_asked_ = false; ///< of the present subject
    QString problem_;       ///< why there is no simulated one
    KnownRun known_;
    std::optional<SimulatedRun> simulated_;
    std::optional<ThreadTimeline> recorded_;
    double busy_share_ = 0; ///< what other programs took meanwhile; 0: nothing worth a word
    NewestAnswer<Result<SimulatedRun>> answers_{this};
};

} // namespace sparsight
