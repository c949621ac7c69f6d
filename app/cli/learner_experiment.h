// Experiments that sparsight-learn does: followed here, so that this program writes their reports.
#pragma once

#include "base/observer.h"
#include "command/job.h"
#include "command/program.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// Files that a user asked for; an empty name: none.
struct ExperimentFiles {
    std::string markdown;
    std::string csv;
    std::string figure;
    std::string report;
};
/// `points` and `figure` say what the CSV file and the figure show.
void add_file_options(CLI::App& command, ExperimentFiles& files, const char* points, const char* figure);

/// An experiment as it is told.
struct ExperimentWords {
    std::function<std::string()> markdown;
    std::function<std::string()> csv;
    std::function<std::string()> figure; ///< an SVG element; may be empty
    std::function<std::string()> report;
    std::function<std::string()> text;
    Json json; ///< with "estimates"
};

struct LearnerExperiment {
    std::vector<std::string> arguments; ///< of sparsight-learn
    std::string_view item;              ///< the event of one result: "point"
    ProgressForm progress = ProgressForm::Display;
    ExperimentFiles files{};
    std::function<Result<ExperimentWords>(const Json& answer)> read;
};

[[nodiscard]] ExitCode run_learner_experiment(const Session& session, const LearnerExperiment& experiment);

} // namespace sparsight
