// The comparison of tuners for the times that are shown: a button that starts it, its progress, and the chart
// of the best so far against the measurements spent.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/tuners/search_progress.h"
#include "gui/tuners/tuners_job.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace sparsight {

class Chart;
class JobEstimateLabel;
class JobProgressLine;

class SearchProgressView : public QWidget {
    Q_OBJECT

public:
    explicit SearchProgressView(Services services, QWidget* parent = nullptr);

    /// Of these times of what is selected; a setting without a domain is that of no times. `machines`: how
    /// many have times of the workload.
    void show_times(const Setting& setting, std::size_t machines);
    /// Why the tuners can't be compared; empty when they can.
    [[nodiscard]] QString refusal() const;

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build();
    void compare();
    void show_state();
    /// Reads what the newest comparison of these times has told so far.
    void read();
    void show_progress_of_search();
    [[nodiscard]] TunersJob request() const;

    Services services_;
    Setting setting_;
    std::size_t machines_ = 0;
    JobId shown_; ///< whose points are shown
    SearchProgress progress_;
    QString failure_; ///< why there is none, or no more of it
    QPushButton* compare_;
    JobEstimateLabel* estimate_;
    JobProgressLine* progress_line_;
    QLabel* sentence_;
    Chart* chart_;
};

} // namespace sparsight
