#include "gui/results/change_rows.h"

#include "gui/page/domain_words.h"
#include "gui/workspace/configuration_times.h"
#include "store/workspace.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

namespace sparsight {

namespace {

struct ChangeTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ChangesModel)
};

QDateTime date_of(const std::string& measured) {
    return QDateTime::fromString(QString::fromStdString(measured), Qt::ISODateWithMs);
}

QString key_of(const ChangeRow& row) {
    const ResultRecord& now = row.change.later;
    return QStringList{
        QString::fromStdString(now.workload),     QString::fromStdString(now.machine_fingerprint),
        QString::fromStdString(now.setting.text), QString::fromStdString(now.protocol),
        QString::fromStdString(now.condition),    QString::fromStdString(now.family),
        QString::fromStdString(now.configuration)}
        .join(u'|');
}

QString mark_of(const ChangedTime& change) {
    if (change.is_at_least())
        return QStringLiteral("> ");
    if (change.is_at_most())
        return QStringLiteral("< ");
    return change.significance == Significance::WithinNoise ? QStringLiteral("~") : QString();
}

QString spread_hint(const ResultRecord& result) {
    if (!result.median_ms)
        return {};
    const QString time = result.spread_ms ? runtime_with_spread(*result.median_ms, *result.spread_ms)
                                          : runtime_text(*result.median_ms);
    return result.status == MeasurementStatus::GaveUp ? status_meaning(result.status) : time;
}

QString engines_hint(const ChangedTime& change) {
    const auto name = [](const std::string& engine) {
        return engine.empty() ? ChangeTexts::tr("an unknown version") : QString::fromStdString(engine);
    };
    return ChangeTexts::tr(
               "Two versions measured these times, so they can’t be compared. Before: %1. After: %2.")
        .arg(name(change.earlier.engine), name(change.later.engine));
}

RecordColumn<ChangeRow> time_column(const QString& title, const QString& tip, const QString& export_title,
                                    ResultRecord ChangedTime::* when) {
    auto column = value_column<ChangeRow>(
        title, tip, [when](const ChangeRow& row) { return (row.change.*when).median_ms; },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.text = [when, usual = column.text](const ChangeRow& row) {
        const bool is_bound = (row.change.*when).status == MeasurementStatus::GaveUp;
        return is_bound ? ChangeTexts::tr("abandoned after %1").arg(usual(row)) : usual(row);
    };
    column.hint = [when](const ChangeRow& row) { return spread_hint(row.change.*when); };
    column.export_title = export_title;
    return column;
}

RecordColumn<ChangeRow> date_column(const QString& title, const QString& tip,
                                    ResultRecord ChangedTime::* when) {
    RecordColumn<ChangeRow> column;
    column.title = title;
    column.tooltip = tip;
    column.text = [when](const ChangeRow& row) {
        return QLocale().toString(date_of((row.change.*when).measured).toLocalTime(), QLocale::ShortFormat);
    };
    column.raw = [when](const ChangeRow& row) {
        return QVariant(QString::fromStdString((row.change.*when).measured));
    };
    column.alignment = Qt::AlignLeft;
    return column;
}

RecordColumn<ChangeRow> change_column() {
    auto column = value_column<ChangeRow>(
        ChangeTexts::tr("Change"),
        ChangeTexts::tr(
            "Change of the time: above 0 it is longer now. ~: within noise. >: at least. <: at most"),
        [](const ChangeRow& row) { return std::optional(row.change.ratio()); },
        [](double ratio) { return percent_text(ratio - 1); });
    column.text = [](const ChangeRow& row) {
        return mark_of(row.change) + percent_text(row.change.ratio() - 1);
    };
    column.colour = [](const ChangeRow& row) -> QVariant {
        if (!row.change.is_beyond_noise())
            return {};
        return row.change.ratio() > 1 ? current_theme().lose : current_theme().win;
    };
    column.export_title = QStringLiteral("ratio");
    return column;
}

std::vector<RecordColumn<ChangeRow>> columns_of(const DomainWords& words) {
    auto noise = text_column<ChangeRow>(
        ChangeTexts::tr("Noise"),
        ChangeTexts::tr("A change beyond noise is larger than the spreads of both times together"),
        [](const ChangeRow& row) {
            return row.change.is_of_two_engines() ? ChangeTexts::tr("other version")
                                                  : significance_text(row.change.significance);
        });
    noise.hint = [](const ChangeRow& row) {
        return row.change.is_of_two_engines() ? engines_hint(row.change)
                                              : significance_meaning(row.change.significance);
    };
    auto code = text_column<ChangeRow>(
        ChangeTexts::tr("Code"), ChangeTexts::tr("The same, as files and commands write it"),
        [](const ChangeRow& row) { return QString::fromStdString(row.change.later.configuration); });
    code.colour = [](const ChangeRow&) { return QVariant(current_theme().dim_text); };
    auto configuration =
        text_column<ChangeRow>(title_of_one(words.configuration), {}, [](const ChangeRow& row) {
            return row.nickname.isEmpty() ? QString::fromStdString(row.change.later.configuration)
                                          : row.nickname;
        });
    configuration.hint = code.text;
    return {text_column<ChangeRow>(
                title_of_one(words.workload), {},
                [](const ChangeRow& row) { return QString::fromStdString(row.change.later.workload); }),
            text_column<ChangeRow>(
                ChangeTexts::tr("Machine"), {},
                [](const ChangeRow& row) { return QString::fromStdString(row.change.later.machine); }),
            text_column<ChangeRow>(ChangeTexts::tr("Conditions"),
                                   ChangeTexts::tr("Only times of the same conditions are compared"),
                                   [](const ChangeRow& row) { return row.conditions; }),
            std::move(configuration),
            time_column(ChangeTexts::tr("Before"),
                        ChangeTexts::tr("The newest earlier time, or the bound of an abandoned run"),
                        QStringLiteral("earlier_ms"), &ChangedTime::earlier),
            time_column(ChangeTexts::tr("After"),
                        ChangeTexts::tr("The time now, or the bound of an abandoned repetition"),
                        QStringLiteral("later_ms"), &ChangedTime::later),
            change_column(),
            std::move(noise),
            date_column(ChangeTexts::tr("Measured before"),
                        ChangeTexts::tr("When the earlier time was measured"), &ChangedTime::earlier),
            date_column(ChangeTexts::tr("Measured again"), {}, &ChangedTime::later),
            std::move(code)};
}

} // namespace

std::vector<RepeatedRun> repeated_runs(const std::vector<std::string>& dates) {
    constexpr qint64 longest_pause = 10 * 60; // seconds
    std::vector<RepeatedRun> runs;
    QDateTime last;
    for (const std::string& date : dates) {
        const QDateTime measured = date_of(date);
        if (runs.empty() || !last.isValid() || last.secsTo(measured) > longest_pause)
            runs.push_back({QString::fromStdString(date), measured, 0});
        ++runs.back().measurements;
        last = measured;
    }
    std::ranges::reverse(runs);
    return runs;
}

Result<ReadChanges> read_changes(const std::string& file, const Domain& domain, const std::string& since) {
    const auto start = start_of(since);
    if (!start)
        return std::unexpected(start.error());
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto repeated = find_repeated_results(*workspace, domain, {});
    if (!repeated)
        return std::unexpected(repeated.error());
    const TimeChanges changes = changed_times(*repeated, *start);
    ReadChanges read{.runs = repeated_runs(dates_measured_again(*repeated)), .rows = {}, .sentence = {}};
    if (!changes.times.empty() || changes.failed > 0)
        read.sentence = QString::fromStdString(changes_sentence(domain, changes));
    std::vector<ResultRecord> shown;
    for (const ChangedTime& change : changes.times)
        shown.push_back(change.later);
    const std::vector<std::string> nicknames = nicknames_of(domain, shown);
    for (std::size_t each = 0; each < shown.size(); ++each)
        read.rows.push_back({changes.times[each], conditions_text(domain, shown[each], true),
                             nicknames.empty() ? QString() : QString::fromStdString(nicknames[each])});
    return read;
}

ChangesModel::ChangesModel(const DomainWords& words, QObject* parent)
    : RecordModel(columns_of(words), &key_of, parent) {}

} // namespace sparsight
