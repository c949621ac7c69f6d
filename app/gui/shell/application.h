// The program put together: domains, services, the window, its general pages. main() and the tests of the
// whole window make one, and add the views of single domains.
#pragma once

#include "gui/jobs/job_service.h"
#include "gui/jobs/resident_learner.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "gui/search/search_everything.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace sparsight {

class MainWindow;
class SelectionPanel;

struct ApplicationOptions {
    QString settings_file; ///< empty: the user's
    JobServiceOptions jobs;
};

class Application {
public:
    /// With at least one domain; the first is that of a new workspace.
    explicit Application(DomainRegistry domains, const ApplicationOptions& options = {});
    ~Application();

    /// The worker program measures this domain: the general pages offer it.
    void add_measured(std::string domain) { measured_.insert(std::move(domain)); }
    /// Adds the general pages, once those of single domains are added: as far as a domain has none of its
    /// own.
    void start();

    [[nodiscard]] MainWindow& window() { return *window_; }
    [[nodiscard]] SelectionPanel& selection_panel() { return *panel_; }
    [[nodiscard]] UserSettings& settings() { return *settings_; }
    [[nodiscard]] WorkspaceSession& session() { return session_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] JobService& jobs() { return jobs_; }
    [[nodiscard]] TrainingRuns& runs() { return runs_; }
    /// The one of all pages: models stay in its memory.
    [[nodiscard]] ResidentLearner& learner() { return learner_; }
    [[nodiscard]] Services services() { return {*settings_, session_, selection_, jobs_}; }

private:
    [[nodiscard]] std::vector<SearchItem> machine_items();
    [[nodiscard]] std::vector<SearchItem> model_items();
    [[nodiscard]] std::vector<SearchItem> help_items();

    DomainRegistry domains_;
    std::set<std::string, std::less<>> measured_; ///< domains
    std::unique_ptr<UserSettings> settings_;
    WorkspaceSession session_{domains_};
    Selection selection_;
    JobService jobs_;
    TrainingRuns runs_{session_, jobs_};
    ResidentLearner learner_;
    std::unique_ptr<MainWindow> window_; ///< last made, first gone
    SelectionPanel* panel_ = nullptr;
};

} // namespace sparsight
