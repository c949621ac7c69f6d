#include "gui/workloads/workload_columns.h"

#include "gui/jobs/views/import_report.h"
#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <set>
#include <utility>

namespace sparsight {

namespace {

struct Columns {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WorkloadsPage)
};

RecordColumn<WorkloadRow> fact_column(const QString& key, const QString& title, const QString& tooltip) {
    RecordColumn<WorkloadRow> column;
    column.title = title;
    column.tooltip = tooltip;
    column.export_title = key;
    column.raw = [key](const WorkloadRow& row) { return fact_value(row.facts.value(key)); };
    column.text = [raw = column.raw](const WorkloadRow& row) { return fact_text(raw(row)); };
    column.hint = [key](const WorkloadRow& row) { return row.facts.value(key).toVariant().toString(); };
    return column;
}

RecordColumn<WorkloadRow> name_column(const QString& title) {
    auto name = text_column<WorkloadRow>(title, {}, &WorkloadRow::name);
    name.text = [](const WorkloadRow& row) { return row.is_new ? new_name_text(row.name()) : row.name(); };
    name.raw = &WorkloadRow::name;
    name.colour = [](const WorkloadRow& row) {
        return row.is_new ? QVariant(current_theme().accent) : QVariant();
    };
    return name;
}

RecordColumn<WorkloadRow> added_column() {
    RecordColumn<WorkloadRow> added;
    added.title = Columns::tr("Added");
    added.text = [](const WorkloadRow& row) {
        const auto when = QDateTime::fromString(QString::fromStdString(row.record.added), Qt::ISODate);
        return QLocale().toString(when.toLocalTime(), QLocale::ShortFormat);
    };
    added.raw = [](const WorkloadRow& row) { return QVariant(QString::fromStdString(row.record.added)); };
    return added;
}

RecordColumn<MachineTimes> result_text(const QString& title, std::string ResultRecord::* member) {
    return text_column<MachineTimes>(title, {}, [member](const MachineTimes& times) {
        return QString::fromStdString(times.best.*member);
    });
}

RecordColumn<MachineTimes> time_column(const QString& title, const QString& tooltip, const char* export_title,
                                       double (*time_of)(const MachineTimes&)) {
    auto time = value_column<MachineTimes>(
        title, tooltip, [time_of](const MachineTimes& times) { return std::optional(time_of(times)); },
        [](double milliseconds) { return runtime_text(milliseconds); });
    time.export_title = QLatin1String(export_title);
    return time;
}

} // namespace

std::vector<RecordColumn<MachineTimes>> best_columns() {
    auto setting = text_column<MachineTimes>(Columns::tr("Setting"), {}, [](const MachineTimes& times) {
        return QString::fromStdString(times.best.setting.text);
    });
    auto count = value_column<MachineTimes>(
        Columns::tr("Times"), Columns::tr("How many have a time"),
        [](const MachineTimes& times) { return std::optional(times.times); },
        [](qint64 times) { return count_text(times); });
    count.hint = [](const MachineTimes& times) {
        return times.without_time == 0
                   ? QString()
                   : Columns::tr("%1 more without a time").arg(count_text(times.without_time));
    };
    return {result_text(Columns::tr("Machine"), &ResultRecord::machine),
            result_text(Columns::tr("Condition"), &ResultRecord::condition),
            setting,
            count,
            time_column(Columns::tr("Shortest time"), Columns::tr("Median of the runs"), "median_ms",
                        [](const MachineTimes& times) { return times.best.median_ms.value_or(0); }),
            time_column(Columns::tr("Median time"), Columns::tr("Half of all times are shorter"), "middle_ms",
                        [](const MachineTimes& times) { return times.median_ms; }),
            time_column(Columns::tr("Longest time"), {}, "longest_ms",
                        [](const MachineTimes& times) { return times.slowest_ms; }),
            result_text(Columns::tr("Fastest"), &ResultRecord::configuration)};
}

QString best_key(const MachineTimes& times) {
    const ResultRecord& best = times.best;
    return QString::fromStdString(best.machine + '|' + best.condition + '|' + best.setting.text + '|' +
                                  best.protocol + '|' + std::to_string(best.threads));
}

WorkloadColumns workload_columns(const Domain& domain, const std::vector<WorkloadRow>& rows) {
    std::set<QString> others;
    for (const WorkloadRow& row : rows)
        for (const QString& key : row.facts.keys())
            others.insert(key);
    QStringList keys{QString::fromStdString(std::string(domain.name()))};
    std::vector<RecordColumn<WorkloadRow>> columns{name_column(title_of_one(domain.words().workload))};
    for (const StatisticDescription& statistic : domain.statistics()) {
        const QString key = QString::fromStdString(statistic.name);
        if (others.erase(key) == 0)
            continue;
        keys << key;
        columns.push_back(fact_column(key, QString::fromStdString(statistic.title),
                                      QString::fromStdString(statistic.definition)));
    }
    for (const QString& key : others) {
        keys << key;
        columns.push_back(fact_column(key, key, {}));
    }
    columns.push_back(text_column<WorkloadRow>(
        Columns::tr("Source"), Columns::tr("The file that it came from"),
        [](const WorkloadRow& row) { return QString::fromStdString(row.record.known.source); }));
    columns.push_back(added_column());
    return {std::move(columns), std::move(keys)};
}

} // namespace sparsight
