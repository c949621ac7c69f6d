// What can be asked of the learner: requests as the window makes them. See job_request.h for what becomes of
// them.
#pragma once

#include "schedule/operator.h"

#include <QStringList>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

/// Trains or meta-trains a cost model. A run of the same settings that was not finished goes on.
struct TrainJob {
    QString workspace;
    QString name;         ///< of the model that it makes
    QStringList machines; ///< names or fingerprints
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    QString method = QStringLiteral("supervised");
    QString architecture = QStringLiteral("statistics");
    QString split = {}; ///< a stored one; empty: drawn by the seed
    /// Further options of the command, without their hyphens ("inner-steps"), and their values; an empty
    /// value is a switch.
    std::vector<std::pair<QString, QString>> options = {};
};

/// Adapts a model to another machine from few of its measurements.
struct FineTuneJob {
    QString workspace;
    QString model;
    QString machine; ///< name or fingerprint
    QString name;    ///< of the model that it makes
    int matrices = 10;
    QStringList matrix_names = {};  ///< these ones instead
    std::optional<int> epochs = {}; ///< as many as the learner takes for right
    Operator op = Operator::SpMM;   ///< of the model
    std::int64_t dense = 256;
    QStringList shots = {};   ///< numbers of matrices to compare; none: no shot curve
    int seeds = 5;            ///< of the shot curve
    QStringList against = {}; ///< "scratch" and names of models
};

/// Lets a model choose schedules for matrices that need not be measured.
struct SearchJob {
    QString workspace;
    QString model;
    QStringList matrices;
    int k = 20;
    QString method = QStringLiteral("index");
    std::optional<int> budget = {}; ///< schedules that may be scored, where the method asks for one
    std::optional<int> width = {};  ///< that a walk keeps in view; as many as the learner takes for right
    Operator op = Operator::SpMM;   ///< of the model
    std::int64_t dense = 256;
    QString machine = {}; ///< fingerprint; empty: this computer
    bool map = false;     ///< where schedules lie and how the walk went is told, too
};

/// What a search was asked for, from the words that it became; nothing for other commands.
[[nodiscard]] std::optional<SearchJob> search_job_from(const QString& workspace,
                                                       const QStringList& arguments);

/// Measures what models choose, or looks it up where the machine is a recorded one.
struct EvaluateJob {
    QString workspace;
    QStringList models;
    QStringList matrices; ///< none: those of the split's test part, or all that no model was trained on
    QString split = {};
    QString machine = {}; ///< a recorded one; empty: this computer
    int k = 20;
    int threads = 1;
    std::optional<std::chrono::seconds> budget = {};
    std::optional<std::int64_t> dense = {}; ///< extent of the dense index; that of the command where absent
};

/// Asks a model why it prefers a schedule to another one.
struct ReasonsJob {
    QString workspace;
    QString model;
    QString matrix;
    QString schedule; ///< in WACO's form
    QString against;  ///< likewise
    std::int64_t dense = 256;
    Operator op = Operator::SpMM; ///< of the model
    QString machine = {};         ///< fingerprint; empty: this computer
};

} // namespace sparsight
