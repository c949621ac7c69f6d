// What models predict, for pages that show it live: one sparsight-learn that stays in memory answers. It is
// started by the first question, and started again where it dies. Nothing here waits: answers come as
// signals.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

class QProcess;

namespace sparsight {

/// What a model of a workspace is asked: either about pairs, or about machine code.
struct ResidentQuestion {
    QString workspace; ///< path
    QString model;
    QString machine{}; ///< name or fingerprint; empty: this computer
    QString setting{}; ///< Setting::text; empty: the only one of the model
    /// Names of workloads and texts of configurations. The answer is what `predict --json` prints.
    std::vector<std::pair<std::string, std::string>> pairs{};
    /// Of a model of basic blocks, in hexadecimal. The answer is {"model", "machine", "blocks": [{"cycles",
    /// "reason"}]} in their order: cycles of an iteration, null where the reason says why.
    QStringList code{};
};

struct ResidentLearnerOptions {
    QString program{}; ///< empty: the one beside this program, else on PATH
    QStringList arguments{QStringLiteral("serve")};
    int most_deaths = 3; ///< one after the other, without an answer between them
};

class ResidentLearner : public QObject {
    Q_OBJECT

public:
    enum class State {
        Idle,     ///< nothing was asked yet
        Starting, ///< what is asked meanwhile is answered later
        Ready,
        Failed, ///< see problem(); it is tried again some seconds later, when something is asked
    };

    explicit ResidentLearner(ResidentLearnerOptions options = {}, QObject* parent = nullptr);
    /// Ends the process.
    ~ResidentLearner() override;

    [[nodiscard]] State state() const { return state_; }
    /// Why it has failed; the end of a sentence.
    [[nodiscard]] const QString& problem() const { return problem_; }
    /// For people: "The model is being loaded"; empty where it is ready.
    [[nodiscard]] QString state_text() const;

    /// `key` says who asks, such as "what-if": a newer question of the same key takes the place of the older
    /// one, whose answer is not delivered any more. One signal answers each question that is not replaced.
    void ask(const QString& key, const ResidentQuestion& question);
    /// No answer to the last question of this key is delivered any more.
    void cancel(const QString& key);
    /// 0: none runs.
    [[nodiscard]] qint64 process_id() const;
    [[nodiscard]] bool is_asked(const QString& key) const { return asked_.contains(key); }

Q_SIGNALS:
    void state_changed();
    void answered(const QString& key, const nlohmann::ordered_json& answer);
    void refused(const QString& key, const QString& reason);

private:
    struct Asked {
        int id = 0;
        nlohmann::ordered_json line; ///< to ask again where the process dies
    };

    void start();
    void send(const nlohmann::ordered_json& line);
    void read_answers();
    void take(const nlohmann::ordered_json& line);
    void read_complaints();
    void follow_end(const QString& reason);
    void fail(const QString& problem);
    void set_state(State state);

    ResidentLearnerOptions options_;
    State state_ = State::Idle;
    QString problem_;
    QString last_words_; ///< of its stderr
    QElapsedTimer since_failure_;
    QProcess* process_ = nullptr;
    std::map<QString, Asked> asked_; ///< by key
    int last_id_ = 0;
    int deaths_ = 0; ///< since the last answer
};

} // namespace sparsight
