#include "gui/jobs/resident_learner.h"

#include "base/process.h"
#include "workflow/process/learn_process.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <algorithm>
#include <chrono>
#include <optional>
#include <unistd.h>

namespace sparsight {
namespace {

using AnswerJson = nlohmann::ordered_json;

constexpr int protocol_version = 1;
constexpr std::chrono::seconds pause_after_failure{10};

/// Absent: `problem` says why.
std::optional<QString> learner_path(const ResidentLearnerOptions& options, QString& problem) {
    if (!options.program.isEmpty())
        return options.program;
    const auto found = find_learner();
    if (found)
        return QString::fromStdString(found->string());
    problem = QString::fromStdString(found.error().text());
    return std::nullopt;
}

QProcessEnvironment learner_environment() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const std::string& setting : missing_library_settings()) {
        const QString both = QString::fromStdString(setting);
        environment.insert(both.section(u'=', 0, 0), both.section(u'=', 1));
    }
    return environment;
}

AnswerJson json_of(const ResidentQuestion& question) {
    AnswerJson json{{"ask", "predict"},
                    {"workspace", question.workspace.toStdString()},
                    {"model", question.model.toStdString()},
                    {"machine", question.machine.toStdString()},
                    {"setting", question.setting.toStdString()}};
    if (!question.pairs.empty()) {
        AnswerJson& pairs = json["pairs"] = AnswerJson::array();
        for (const auto& [workload, configuration] : question.pairs)
            pairs.push_back(AnswerJson::array({workload, configuration}));
        return json;
    }
    AnswerJson& codes = json["code"] = AnswerJson::array();
    for (const QString& each : question.code)
        codes.push_back(each.toStdString());
    return json;
}

} // namespace

ResidentLearner::ResidentLearner(ResidentLearnerOptions options, QObject* parent)
    : QObject(parent)
    , options_(std::move(options)) {}

ResidentLearner::~ResidentLearner() {
    if (process_ == nullptr)
        return;
    process_->disconnect(this);
    process_->kill(); // it only reads, and nobody waits for its answers
    process_->waitForFinished(1000);
}

QString ResidentLearner::state_text() const {
    switch (state_) {
    case State::Starting:
        return tr("The program that asks models is starting.");
    case State::Failed:
        return problem_;
    case State::Idle:
    case State::Ready:
        break;
    }
    return {};
}

void ResidentLearner::ask(const QString& key, const ResidentQuestion& question) {
    Asked& asked = asked_[key];
    asked = {++last_id_, json_of(question)};
    asked.line["version"] = protocol_version;
    asked.line["id"] = asked.id;
    asked.line["key"] = key.toStdString();
    if (state_ == State::Failed &&
        !since_failure_.hasExpired(std::chrono::milliseconds(pause_after_failure).count())) {
        // A page may ask at once again: not within the signal of its own refusal.
        QMetaObject::invokeMethod(this, [this] { fail(problem_); }, Qt::QueuedConnection);
        return;
    }
    if (process_ == nullptr)
        start();
    else if (state_ == State::Ready)
        send(asked.line);
}

void ResidentLearner::cancel(const QString& key) {
    const auto asked = asked_.find(key);
    if (asked == asked_.end())
        return;
    if (state_ == State::Ready)
        send({{"version", protocol_version},
              {"id", ++last_id_},
              {"ask", "cancel"},
              {"request", asked->second.id}});
    asked_.erase(asked);
}

qint64 ResidentLearner::process_id() const {
    return process_ == nullptr ? 0 : process_->processId();
}

void ResidentLearner::start() {
    QString problem;
    const auto program = learner_path(options_, problem);
    if (!program) {
        fail(problem);
        return;
    }
    last_words_.clear();
    process_ = new QProcess(this);
    process_->setProcessEnvironment(learner_environment());
    process_->setChildProcessModifier([] { ::setpgid(0, 0); }); // Ctrl-C reaches it through the window alone
    connect(process_, &QProcess::readyReadStandardOutput, this, &ResidentLearner::read_answers);
    connect(process_, &QProcess::readyReadStandardError, this, &ResidentLearner::read_complaints);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            follow_end(tr("it can’t be started: %1").arg(process_->errorString()));
    });
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        read_complaints();
        follow_end(!last_words_.isEmpty()          ? last_words_
                   : status == QProcess::CrashExit ? tr("it was killed")
                                                   : tr("it ended with exit code %1").arg(code));
    });
    set_state(State::Starting);
    process_->start(*program, options_.arguments);
}

void ResidentLearner::send(const AnswerJson& line) {
    const std::string text = line.dump(-1, ' ', true, AnswerJson::error_handler_t::replace) + '\n';
    process_->write(text.data(), static_cast<qint64>(text.size()));
}

void ResidentLearner::read_answers() {
    while (process_ != nullptr && process_->canReadLine()) {
        const QByteArray text = process_->readLine();
        take(AnswerJson::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false));
    }
}

void ResidentLearner::take(const AnswerJson& line) {
    if (!line.is_object() || line.value("version", 0) != protocol_version) {
        fail(tr("sparsight-learn is of another version than the window"));
        return;
    }
    if (line.contains("ready")) {
        set_state(State::Ready);
        for (const auto& [key, asked] : asked_)
            send(asked.line);
        return;
    }
    const AnswerJson id = line.value("id", AnswerJson());
    const auto asked = std::ranges::find_if(asked_, [&](const auto& each) { return id == each.second.id; });
    if (asked == asked_.end())
        return; // a newer question has taken its place
    deaths_ = 0;
    const QString key = asked->first;
    asked_.erase(asked);
    if (const auto answer = line.find("answer"); answer != line.end()) {
        Q_EMIT answered(key, *answer);
        return;
    }
    const AnswerJson error = line.value("error", AnswerJson::object());
    Q_EMIT refused(key, QString::fromStdString(error.value("message", std::string("no answer"))));
}

void ResidentLearner::read_complaints() {
    for (const QByteArray& each : process_->readAllStandardError().split('\n'))
        if (const QString words = QString::fromUtf8(each).trimmed(); !words.isEmpty())
            last_words_ = words;
}

void ResidentLearner::follow_end(const QString& reason) {
    process_->disconnect(this);
    process_->deleteLater();
    process_ = nullptr;
    if (++deaths_ >= options_.most_deaths)
        fail(tr("The program that asks models has failed: %1").arg(reason));
    else if (!asked_.empty())
        start();
    else
        set_state(State::Idle);
}

/// All that was asked is refused.
void ResidentLearner::fail(const QString& problem) {
    if (process_ != nullptr) {
        process_->disconnect(this);
        connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
        process_->kill();
        process_ = nullptr;
    }
    deaths_ = 0;
    if (state_ != State::Failed ||
        since_failure_.hasExpired(std::chrono::milliseconds(pause_after_failure).count()))
        since_failure_.start();
    problem_ = problem;
    set_state(State::Failed);
    for (const auto& [key, asked] : std::exchange(asked_, {}))
        Q_EMIT refused(key, problem);
}

void ResidentLearner::set_state(State state) {
    if (state_ == state)
        return;
    state_ = state;
    Q_EMIT state_changed();
}

} // namespace sparsight
