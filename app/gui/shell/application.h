// The program put together: services, the window, its pages. main() and the tests of the whole window make
// one.
#pragma once

#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/loaded_matrix.h"
#include "gui/workspace/thumbnails.h"
#include "gui/workspace/workspace_session.h"

#include <memory>

namespace sparsight {

class MainWindow;

struct ApplicationOptions {
    QString settings_file; ///< empty: the user's
    JobServiceOptions jobs;
};

class Application {
public:
    explicit Application(const ApplicationOptions& options = {});
    ~Application();

    [[nodiscard]] MainWindow& window() { return *window_; }
    [[nodiscard]] UserSettings& settings() { return *settings_; }
    [[nodiscard]] WorkspaceSession& session() { return session_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] JobService& jobs() { return jobs_; }

private:
    [[nodiscard]] std::vector<SearchItem> machine_items();
    [[nodiscard]] std::vector<SearchItem> model_items();
    [[nodiscard]] std::vector<SearchItem> help_items();

    std::unique_ptr<UserSettings> settings_;
    WorkspaceSession session_;
    Selection selection_;
    MatrixLoader matrices_{session_};
    Thumbnails thumbnails_{session_};
    JobService jobs_;
    TrainingRuns runs_{session_, jobs_};
    std::unique_ptr<MainWindow> window_; ///< last made, first gone
};

} // namespace sparsight
