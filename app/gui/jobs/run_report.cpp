#include "gui/jobs/run_report.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/json_values.h"
#include "gui/page/domain_words.h"
#include "learning/training/model_verdicts.h"
#include "study/measurement.h"
#include "widgets/look/number_text.h"

#include <QFile>
#include <algorithm>

namespace sparsight {

namespace {

QString text_of(MeasurementStatus status) {
    const std::string_view text = name(status);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

qint64 count(const QJsonObject& object, const char* key) {
    return member(object, key).toInteger();
}

/// "FILE:LINE: what is wrong"
QString error_of(const QJsonObject& event) {
    QString where = member(event, "file").toString();
    if (member(event, "line").isDouble())
        where += QStringLiteral(":%1").arg(count(event, "line"));
    const QString what = member(event, "error").toString();
    return where.isEmpty() ? what : QStringLiteral("%1: %2").arg(where, what);
}

/// The worker begins its messages with a small letter.
QString sentence_of(QString message) {
    if (!message.isEmpty())
        message[0] = message[0].toUpper();
    return message;
}

/// What stays true of the run is told at its end, too.
void add_warning(QString& warnings, const QString& warning) {
    QStringList lines = warnings.split(u'\n', Qt::SkipEmptyParts);
    if (!warning.isEmpty() && !lines.contains(warning))
        lines << warning;
    warnings = lines.join(u'\n');
}

/// It no longer waits for what it warned of last.
void go_on(QString& warnings) {
    warnings.truncate(std::max<qsizetype>(0, warnings.lastIndexOf(u'\n')));
}

/// The warnings below what was done: they may be why it was not more.
QString with_warnings(const QString& summary, const RunReport& report) {
    QStringList parts{summary, report.progress.warning};
    parts.removeAll(QString());
    return parts.join(u'\n');
}

} // namespace

QString side_by_side(const QStringList& parts) {
    return parts.join(QStringLiteral(" · "));
}

QString addition_summary(const QString& added, const RunReport& report) {
    const QJsonObject& event = report.end->event;
    QStringList parts{added};
    if (const qint64 known = count(event, "already_there"); known > 0)
        parts << JobTexts::tr("%1 of them there before").arg(count_text(known));
    const qint64 failed = count(event, "failed");
    if (failed == 0)
        return side_by_side(parts);
    parts << JobTexts::tr("%1 failed").arg(count_text(failed));
    QString summary = side_by_side(parts);
    if (!report.first_failure.isEmpty())
        summary += u'\n' + report.first_failure;
    if (failed > 1)
        summary += u'\n' + JobTexts::tr("The log names the others.");
    return summary;
}

namespace {

/// "took 5 min", and whether the time was too short.
QString spent_text(const RunEnd& end) {
    const QString taken =
        JobTexts::tr("took %1").arg(duration_text(1000 * member(end.event, "seconds").toDouble()));
    const bool is_out_of_time =
        !end.is_complete() && !end.was_stopped() && member(end.event, "failures").toArray().isEmpty();
    return is_out_of_time ? side_by_side({taken, JobTexts::tr("out of time: start it again to continue")})
                          : taken;
}

QString collection_summary(const RunReport& report) {
    const RunEnd& end = *report.end;
    const QJsonObject& event = end.event;
    // Logs of older runs have these two in their steps alone.
    const qint64 abandoned =
        event.contains(QStringLiteral("given_up")) ? count(event, "given_up") : report.gave_up;
    const qint64 too_large =
        event.contains(QStringLiteral("too_large")) ? count(event, "too_large") : report.too_large;
    QStringList parts{JobTexts::tr("%1 measured").arg(count_text(count(event, "measured") - abandoned))};
    if (abandoned > 0)
        parts << JobTexts::tr("%1 abandoned as too slow").arg(count_text(abandoned));
    if (too_large > 0)
        parts << JobTexts::tr("%1 too large").arg(count_text(too_large));
    if (const qint64 failed = count(event, "failed") - too_large; failed > 0)
        parts << JobTexts::tr("%1 failed").arg(count_text(failed));
    if (const qint64 skipped = count(event, "skipped"); skipped > 0)
        parts << JobTexts::tr("%1 there before").arg(count_text(skipped));
    if (const qint64 kept = count(event, "kept"); kept > 0)
        parts << (kept == 1 ? JobTexts::tr("1 keeps its earlier time: the new run was abandoned or failed")
                            : JobTexts::tr("%1 keep their earlier times: the new run was abandoned or failed")
                                  .arg(count_text(kept)));
    return side_by_side(parts << spent_text(end));
}

std::optional<double> accuracy_of(const QJsonObject& event, const char* metrics) {
    const QJsonValue accuracy = member(member(event, metrics).toObject(), "ordered_pair_accuracy");
    return accuracy.isDouble() ? std::optional(accuracy.toDouble()) : std::nullopt;
}

QString training_summary(const QJsonObject& event) {
    const auto epochs = static_cast<int>(count(event, "epochs"));
    QStringList parts;
    const QString ending = member(event, "ending").toString();
    if (ending == QLatin1String("stopped early"))
        parts << JobTexts::tr("%1, stopped early: validation loss stopped falling").arg(epochs_text(epochs));
    else if (ending == QLatin1String("stopped") && member(event, "model").isString())
        parts << JobTexts::tr("the best of %1 kept").arg(epochs_text(epochs));
    else
        parts << epochs_text(epochs);
    if (const auto accuracy = accuracy_of(event, "metrics"))
        parts << JobTexts::tr("%1 of the pairs in the right order, on what was kept for testing")
                     .arg(share_text(*accuracy));
    parts << JobTexts::tr("took %1").arg(duration_text(1000 * member(event, "seconds").toDouble()));
    return side_by_side(parts);
}

QString fine_tuning_summary(const QJsonObject& event) {
    const QString spent =
        JobTexts::tr("took %1").arg(duration_text(1000 * member(event, "seconds").toDouble()));
    // Jobs of earlier versions may have made a blend, which has no correction of the simulator.
    const bool is_blend = accuracy_of(event, "network_alone").has_value();
    const auto verdict = finetune_verdict_of(accuracy_of(event, "before"),
                                             is_blend ? std::nullopt : accuracy_of(event, "simulator_alone"),
                                             accuracy_of(event, "after"));
    if (!verdict)
        return spent;
    QStringList parts{fine_tuning_text(*verdict)};
    const qint64 asked = count(event, "asked");
    if (const qint64 used = count(event, "used"); used < asked)
        parts << JobTexts::tr("asked for %1 and used %2").arg(count_text(asked), count_text(used));
    return side_by_side(parts << spent);
}

QString evaluation_summary(const RunEnd& end) {
    QStringList parts;
    if (const qint64 measured = count(end.event, "measured"); measured > 0)
        parts << JobTexts::tr("%1 measured").arg(count_text(measured));
    return side_by_side(parts << spent_text(end));
}

/// Of the workloads that were kept back, or else of those that it was fitted to.
QString calibration_summary(const Job& job, const QJsonObject& event) {
    const bool has_held_out = member(event, "held_out_quality").isObject();
    const QJsonObject quality = member(event, has_held_out ? "held_out_quality" : "fitted_on").toObject();
    const QJsonObject before = member(quality, "before").toObject();
    const QJsonObject after = member(quality, "after").toObject();
    const auto number = [](const QJsonObject& of, const char* key) {
        return fixed_text(member(of, key).toDouble(), 2);
    };
    const QString spent =
        JobTexts::tr("took %1").arg(duration_text(1000 * member(event, "seconds").toDouble()));
    if (before.isEmpty() || after.isEmpty())
        return spent;
    const QString workloads =
        counted(count(event, has_held_out ? "held_out" : job.workload.many.c_str()), job.workload);
    const bool left_out_once = member(event, "check").toString() == QLatin1String("cross-validated");
    return side_by_side({JobTexts::tr("τ on %1: %2 before, %3 after")
                             .arg(left_out_once  ? JobTexts::tr("%1, each left out once").arg(workloads)
                                  : has_held_out ? JobTexts::tr("%1 kept back").arg(workloads)
                                                 : workloads,
                                  number(before, "kendall_tau"), number(after, "kendall_tau")),
                         JobTexts::tr("off by ×%1 before, ×%2 after")
                             .arg(number(before, "median_error"), number(after, "median_error")),
                         spent});
}

QString import_summary(const Job& job, const RunReport& report) {
    const QJsonObject& event = report.end->event;
    if (event.contains(QStringLiteral("measurements")))
        return JobTexts::tr("%1 and %2 imported")
            .arg(counted(count(event, job.workload.many.c_str()), job.workload),
                 measurements_text(count(event, "measurements")));
    return addition_summary(JobTexts::tr("%1 imported").arg(count_text(count(event, "imported"))), report);
}

QString summary_of(const Job& job, const RunReport& report) {
    const QJsonObject& event = report.end->event;
    if (job.kind.summary)
        return job.kind.summary(job, report);
    if (job.kind == JobKind::Collect)
        return collection_summary(report);
    if (job.kind == JobKind::Probe)
        return report.end->is_complete() ? member(event, "name").toString() : QString();
    if (job.kind == JobKind::Calibrate)
        return calibration_summary(job, event);
    if (job.kind == JobKind::Import)
        return import_summary(job, report);
    if (job.kind == JobKind::Train)
        return training_summary(event);
    if (job.kind == JobKind::FineTune)
        return fine_tuning_summary(event);
    if (job.kind == JobKind::Evaluate)
        return evaluation_summary(*report.end);
    return {};
}

QString last_line(const QString& log) {
    const QStringList lines = worker_messages(log).split(u'\n', Qt::SkipEmptyParts);
    return lines.isEmpty() ? QString() : lines.last().trimmed();
}

RunOutcome outcome_of_death(const Job& job, const QString& log) {
    if (job.state == JobState::Pausing)
        return {JobState::Paused, JobTexts::tr("%1.").arg(what_is_kept(job)), {}};
    if (job.state == JobState::Stopping)
        return {JobState::Stopped, JobTexts::tr("Ended at once. %1.").arg(what_is_kept(job)), {}};
    QString error =
        JobTexts::tr("The worker ended unexpectedly: it crashed, or something killed it (the system "
                     "does when memory is short). %1; start it again to continue.")
            .arg(what_is_kept(job));
    if (const QString words = last_line(log); !words.isEmpty())
        error += u'\n' + JobTexts::tr("The last line of its log: %1").arg(words);
    return {JobState::Failed, {}, error};
}

/// Where nothing could be added at all, "finished" would be no word for it.
bool has_failed_altogether(const JobKind& kind, const QJsonObject& event) {
    const auto has_some = [&event](const QString& key) { return event.value(key).toInteger() > 0; };
    return count(event, "failed") + count(event, "problems") > 0 && std::ranges::none_of(kind.adds, has_some);
}

} // namespace

bool RunEnd::is_error() const {
    return member(event, "event").toString() == QLatin1String("error");
}

bool RunEnd::is_complete() const {
    return member(event, "complete").toBool();
}

bool RunEnd::was_stopped() const {
    return member(event, "stopped").toBool();
}

void take_event(RunReport& report, const QJsonObject& event) {
    const QString name = member(event, "event").toString();
    if (name == QLatin1String("end") || name == QLatin1String("error")) {
        if (!report.end)
            report.end = RunEnd{event};
        return;
    }
    if ((name == QLatin1String("failed") || name == QLatin1String("failure")) &&
        report.first_failure.isEmpty())
        report.first_failure = error_of(event);
    if (name == QLatin1String("warning"))
        add_warning(report.progress.warning, sentence_of(member(event, "warning").toString()));
    if (name == QLatin1String("turn"))
        go_on(report.progress.warning);
    if (name == QLatin1String("choice"))
        ++report.choices;
    if (name == QLatin1String("step")) {
        const QString status = member(event, "status").toString();
        report.gave_up += status == text_of(MeasurementStatus::GaveUp) ? 1 : 0;
        report.too_large += status == text_of(MeasurementStatus::TooLarge) ? 1 : 0;
    }
    // A measured schedule tells the progress itself.
    if (event.contains(QStringLiteral("done")) && event.contains(QStringLiteral("total"))) {
        report.progress.done = count(event, "done");
        report.progress.total = count(event, "total");
        const QJsonValue left = member(event, "seconds_left");
        report.progress.seconds_left = left.isDouble() ? std::optional(left.toDouble()) : std::nullopt;
    }
    if (event.contains(QStringLiteral("stage")))
        report.progress.what = member(event, "stage").toString();
    else // events have the words of their domain; older ones all say matrix
        for (const char* const key : {"workload", "matrix"})
            if (event.contains(QLatin1String(key)))
                report.progress.what = member(event, key).toString();
}

RunOutcome outcome_of(const Job& job, const RunReport& report, const QString& log) {
    if (!report.end)
        return outcome_of_death(job, log);
    const RunEnd& end = *report.end;
    if (end.is_error() && end.was_stopped()) // before it had anything to sum up
        return {job.state == JobState::Pausing ? JobState::Paused : JobState::Stopped, {}, {}};
    if (end.is_error())
        return {JobState::Failed, {}, error_of(end.event)};
    const QString summary = with_warnings(summary_of(job, report), report);
    if (end.was_stopped())
        return {job.state == JobState::Pausing ? JobState::Paused : JobState::Stopped, summary, {}};
    if (job.adds_workloads() && has_failed_altogether(job.kind, end.event))
        return {JobState::Failed, summary, summary};
    if (job.kind == JobKind::Search && report.choices == 0 && !report.first_failure.isEmpty())
        return {JobState::Failed, summary, report.first_failure};
    return {JobState::Finished, summary, {}};
}

double seconds_a_unit(const Job& job, const RunReport& report) {
    if (!report.end || report.end->is_error())
        return 0;
    const QJsonObject& event = report.end->event;
    // What was there before took no time.
    const bool measures = job.kind == JobKind::Collect || job.kind == JobKind::Evaluate;
    const double done = measures ? static_cast<double>(count(event, "measured") + count(event, "failed"))
                        : report.end->is_complete() && job.runs == 1 ? job.work
                                                                     : 0;
    const double seconds = member(event, "seconds").toDouble();
    return done > 0 ? std::max(seconds, 0.0) / done : 0;
}

NewLines read_new_lines(const QString& path, qint64 offset, qint64 most_bytes) {
    NewLines found{.lines = {}, .offset = offset, .at_end = true};
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(offset))
        return found;
    const QByteArray bytes = file.read(most_bytes);
    found.at_end = bytes.size() < most_bytes;
    const qsizetype end = bytes.lastIndexOf('\n') + 1;
    if (end == 0) {
        // A line without end: no event is that long, so it is none.
        found.offset += found.at_end ? 0 : bytes.size();
        return found;
    }
    found.offset += end;
    found.lines = bytes.first(end - 1).split('\n');
    return found;
}

} // namespace sparsight
