// What the user decides about a run that ended before its end: to go on, to keep its best weights, to discard
// it.
#pragma once

#include "gui/jobs/job_request.h"
#include "gui/page/services.h"
#include "gui/runs/training_runs.h"

#include <QObject>

class QWidget;

namespace sparsight {

class RunHeader;

class RunDecisions : public QObject {
    Q_OBJECT

public:
    /// Follows the buttons of the header; questions are asked above `page`.
    RunDecisions(Services services, const TrainingRuns& runs, const RunHeader& header, QWidget& page);

Q_SIGNALS:
    void started(const JobId& job); ///< that works at the run
    void notice(const QString& text, bool is_error, const QString& topic);

private:
    void work_at(RunId run, const JobDescription& description);
    void ask_to_discard(RunId run);
    void discard(RunId run);

    Services services_;
    const TrainingRuns& runs_;
    QWidget& page_;
};

} // namespace sparsight
