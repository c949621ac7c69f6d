#include "gui/jobs/progress_bar.h"

#include "gui/jobs/job.h"

#include <QProgressBar>
#include <algorithm>

namespace sparsight {

void show_progress(QProgressBar& bar, const JobProgress& progress) {
    constexpr int parts = 10'000; // totals may be larger than an int
    bar.setRange(0, progress.total > 0 ? parts : 0);
    const auto done = std::min(progress.done, progress.total); // a pool may turn out larger than was thought
    bar.setValue(progress.total > 0 ? static_cast<int>(parts * done / progress.total) : 0);
}

} // namespace sparsight
