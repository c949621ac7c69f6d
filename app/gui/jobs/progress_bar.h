// How far a job is, on a bar.
#pragma once

class QProgressBar;

namespace sparsight {

struct JobProgress;

/// Moves to and fro while it is not known how much there is.
void show_progress(QProgressBar& bar, const JobProgress& progress);

} // namespace sparsight
