// All commands of sparsight-learn. Each function adds one to the application and says what it does when it is
// chosen; the session and the domains outlive the application.
#pragma once

#include "base/observer.h"
#include "command/domain_part.h"
#include "command/job.h"
#include "learning/learning_domain.h"
#include "study/domain.h"
#include "workflow/learning/reasons/choice_explanation.h"
#include "workflow/learning/reasons/model_query.h"
#include "workflow/learning/reasons/time_prediction.h"
#include "workflow/learning_settings.h"

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class ForeignModels;
class JobObserver;
class Session;
class Workspace;

/// `presets` are those of domains.
void add_train_command(CLI::App& app, Session& session, const LearningDomains& domains,
                       std::span<const Preset> presets);
void add_finetune_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_models_command(CLI::App& app, Session& session, const LearningDomains& domains,
                        const std::shared_ptr<ForeignModels>& foreign);
void add_search_command(CLI::App& app, Session& session, const LearningDomains& domains);

void add_advise_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_hardware_command(CLI::App& app, Session& session, const LearningDomains& domains);
void add_tuners_command(CLI::App& app, Session& session, const LearningDomains& domains);

/// What `reasons` is asked for, whatever the domain.
struct AskedReasons {
    ChoiceQuestion question{};
    ProgressForm progress = ProgressForm::Display;
    const LearningDomains* domains = nullptr;
    // Of the run:
    Workspace* workspace = nullptr;
    JobObserver* observer = nullptr;
    std::stop_token stop{};
};
/// A domain whose models have more reasons than anchors over decisions tells them by itself.
using ReasonsParts = DomainParts<AskedReasons>;
void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains,
                         const ReasonsParts& parts);

/// What `predict` is asked for, whatever the domain: pairs of the workspace, or workloads in a file.
struct AskedPredictions {
    PredictionQuestion question{};
    std::string file{}; ///< of a domain that predicts files; empty: the pairs
    std::string csv{};  ///< where predictions of a file go; empty: to standard output
    ProgressForm progress = ProgressForm::Display;
    const LearningDomains* domains = nullptr;
    // Of the run:
    Workspace* workspace = nullptr;
    JobObserver* observer = nullptr;
    std::stop_token stop{};
};
/// A domain whose workloads stand in files has a part of its own.
using PredictionParts = DomainParts<AskedPredictions>;
void add_predict_command(CLI::App& app, Session& session, const LearningDomains& domains,
                         const PredictionParts& parts);

/// A question about workloads that need not be in the workspace, as another program asks it.
struct GivenWorkloads {
    const QueriedModel& model;
    const ModelQuery& query;
    const Json& members; ///< the question, in the domain's own members
    std::stop_token stop{};
};
/// What a domain answers from a resident model in a way of its own.
class GivenWorkloadsPart {
public:
    GivenWorkloadsPart() = default;
    GivenWorkloadsPart(const GivenWorkloadsPart&) = delete;
    GivenWorkloadsPart& operator=(const GivenWorkloadsPart&) = delete;
    virtual ~GivenWorkloadsPart() = default;

    /// As Domain::name().
    [[nodiscard]] virtual std::string_view domain() const = 0;
    [[nodiscard]] virtual Result<Json> predict(const GivenWorkloads& asked) const = 0;
};
using GivenWorkloadsParts = std::vector<std::shared_ptr<GivenWorkloadsPart>>;
void add_serve_command(CLI::App& app, Session& session, const LearningDomains& domains,
                       const GivenWorkloadsParts& given);

// Parts of `models`.
void add_models_list(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_show(CLI::App& models, Session& session, const LearningDomains& domains);
void add_models_export(CLI::App& models, Session& session, const LearningDomains& domains);
/// `foreign` may be nullptr.
void add_models_import(CLI::App& models, Session& session, const LearningDomains& domains,
                       const std::shared_ptr<ForeignModels>& foreign);
void add_models_remove(CLI::App& models, Session& session);

// What one domain adds.

/// Model files of another program, which `models import` reads besides those of `models export`.
class ForeignModels {
public:
    /// Parts of the command's help.
    struct Help {
        std::string files;         ///< ", or WACO's weights (.pth)"
        std::string named_by_file; ///< which of them say no name: ", and .pth"
        std::string description;   ///< paragraphs
        std::string examples;
        std::string json;
    };
    /// Where a model goes, and who is told.
    struct Target {
        Session& session;
        Workspace& workspace;
        JobObserver& observer;
    };

    ForeignModels() = default;
    ForeignModels(const ForeignModels&) = delete;
    ForeignModels& operator=(const ForeignModels&) = delete;
    virtual ~ForeignModels() = default;

    [[nodiscard]] virtual Help help() const = 0;
    virtual void add_options(CLI::App& command) = 0;
    /// Whether it is one of them, by its name.
    [[nodiscard]] virtual bool reads(const std::filesystem::path& file) const = 0;
    /// Tells what became of the file; returns an entry of "imported". `name` may be empty.
    [[nodiscard]] virtual Result<Json> import(const Target& target, const std::string& name,
                                              const std::string& file, const std::stop_token& stop) = 0;
};

// sparsight-learn as a function: parses the command line, runs one command, returns the exit code.

/// What its main() puts together.
struct Learner {
    DomainRegistry domains;   ///< the one of a new workspace first
    LearningDomains learning; ///< likewise
    /// Commands that serve one domain; they stand behind the others.
    std::vector<void (*)(CLI::App&, Session&, const LearningDomains&)> commands{};
    std::vector<Preset> presets{};                   ///< of `train`, for models of one domain
    std::shared_ptr<ForeignModels> foreign_models{}; ///< may be nullptr
    ReasonsParts reasons{};
    PredictionParts predictions{};
    GivenWorkloadsParts given_workloads{};
};

[[nodiscard]] int run_learner(Learner&& learner, int argc, char** argv);

} // namespace sparsight
