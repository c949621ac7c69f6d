// Searches that were made, as the events of their jobs tell of them: what the page shows is still there when
// the window is opened again.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_request.h"
#include "gui/runs/model_verdicts.h"
#include "search/portfolio.h"
#include "study/domain.h"

#include <QDateTime>
#include <array>
#include <optional>
#include <vector>

namespace sparsight {

class JobService;

struct FoundCandidate {
    int rank = 0;
    QString configuration; ///< its text
    double score = 0;
    // Of a model that is blended with the simulator:
    std::optional<double> network{};      ///< the network's score
    std::optional<double> simulated_ms{}; ///< none where it would not run
    std::optional<qint64> place{};        ///< by the score, among all that were simulated
    std::optional<ChosenBy> reason{};     ///< none of searches that did not tell it; Second: the simulator's
    bool operator==(const FoundCandidate&) const = default;
};

/// See `sparsight-learn search --help`.
struct SearchedMap {
    struct Node {
        QString configuration;
        double x = 0;
        double y = 0;
        double score = 0; ///< of a blended model the network's, by which is walked
        bool seen = true;
        std::optional<double> simulated_ms{};
    };
    struct Step {
        std::size_t node = 0;
        std::size_t from = 0;
        int layer = 0;
    };
    qint64 rows = 0;
    qint64 sampled = 0;
    std::array<double, 2> explained{};
    std::vector<Node> nodes;
    std::vector<Step> walk;
};

/// For one workload.
struct CandidateSearch {
    SearchJob asked;
    Setting setting{}; ///< that was searched in
    QString method;    ///< that was used: trees have no index
    qint64 pool = 0;
    qint64 scored = 0;
    double embedding_ms = 0;
    double search_ms = 0;
    std::optional<double> recall;
    std::optional<qint64> recall_at; ///< of so many best; of a blended model by its network's score
    std::optional<BlendShares> blend;
    std::optional<qint64> simulated; ///< configurations
    std::optional<double> simulating_ms;
    std::optional<double> exhaustive_ms;
    std::vector<FoundCandidate> candidates;
    std::optional<SearchedMap> map;
};

/// What the lines, in the words of the domain, tell of a workload; nothing before they tell of it.
[[nodiscard]] std::optional<CandidateSearch> read_search(const QStringList& event_lines,
                                                         const DomainWords& words, const QString& workload);

/// For whom is searched: two searches of the same are of the same candidates.
struct SearchSubject {
    QString workspace;
    QString model;
    QString workload;
    QString machine;           ///< fingerprint; empty: this computer
    QStringList options{};     ///< of the setting, as far as the model leaves it open: "--dense=256"
    QDateTime model_made = {}; ///< what an older model of the same name found is not this one's
    bool operator==(const SearchSubject&) const = default;
};

/// What the job has told of the workload so far, and what it was asked; without its setting.
[[nodiscard]] std::optional<CandidateSearch> search_of(const JobService& jobs, const Job& job,
                                                       const DomainWords& words, const QString& workload);
/// The newest finished job that told of a choice: one that found nothing leaves what was found before.
[[nodiscard]] std::optional<JobId> newest_search(const JobService& jobs, const DomainWords& words,
                                                 const SearchSubject& subject);
[[nodiscard]] bool is_of(const Job& job, const SearchSubject& subject);

} // namespace sparsight
