#include "gui/domains/sparse/comparison/term_rows.h"

#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/page/machine_words.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct TermTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TermsModel)
};

QString amount(double value, TermKind kind) {
    switch (kind) {
    case TermKind::Duration:
        return value == 0 ? QStringLiteral("0") : duration_text(value);
    case TermKind::Bytes:
        return bytes_text(value);
    case TermKind::Count:
        return std::abs(value) < 1e15 ? count_text(static_cast<qint64>(std::llround(value)))
                                      : significant(value);
    case TermKind::Share:
        return share_text(value);
    }
    return {};
}

QString signed_amount(double value, TermKind kind) {
    if (value == 0)
        return QStringLiteral("0");
    return (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + amount(std::abs(value), kind);
}

/// What rounding leaves of a part is none.
double or_nothing(double milliseconds, double longest) {
    return std::abs(milliseconds) <= 1e-9 * longest ? 0 : milliseconds;
}

template <class Member>
RecordColumn<TermRow> amount_column(const QString& title, const QString& tooltip, Member member) {
    RecordColumn<TermRow> column;
    column.title = title;
    column.tooltip = tooltip;
    column.text = [member](const TermRow& row) {
        const auto& value = row.*member;
        return value ? amount(*value, row.kind) : TermTexts::tr("not available here");
    };
    column.raw = [member](const TermRow& row) {
        const auto& value = row.*member;
        return value ? QVariant(*value) : QVariant();
    };
    return column;
}

std::vector<RecordColumn<TermRow>> term_columns() {
    auto name = text_column<TermRow>(TermTexts::tr("Part"), {}, [](const TermRow& row) { return row.name; });
    name.hint = [](const TermRow& row) { return row.meaning; };
    RecordColumn<TermRow> difference;
    difference.title = TermTexts::tr("Difference");
    difference.text = [](const TermRow& row) {
        return row.difference() ? signed_amount(*row.difference(), row.kind) : unknown_text();
    };
    difference.raw = [](const TermRow& row) {
        return row.difference() ? QVariant(*row.difference()) : QVariant();
    };
    difference.colour = [](const TermRow& row) -> QVariant {
        if (row.kind != TermKind::Duration || row.difference().value_or(0) == 0)
            return {};
        return *row.difference() > 0 ? current_theme().lose : current_theme().win;
    };
    return {std::move(name),
            amount_column(TermTexts::tr("Against"),
                          TermTexts::tr("Value of the schedule that it is compared with"), &TermRow::against),
            amount_column(TermTexts::tr("Schedule"), TermTexts::tr("Value of the explained schedule"),
                          &TermRow::schedule),
            std::move(difference)};
}

struct CounterWords {
    QString name;
    QString meaning;
};

std::array<CounterWords, shown_counters> counter_words() {
    return {
        CounterWords{TermTexts::tr("cycles, counted"), TermTexts::tr("sum of all threads in one run")},
        CounterWords{TermTexts::tr("instructions, counted"), TermTexts::tr("sum of all threads in one run")},
        CounterWords{TermTexts::tr("cache misses, counted"), TermTexts::tr("misses of the last level")}};
}

} // namespace

std::vector<TermRow> term_rows(const ExplanationValues& shown) {
    std::vector<TermRow> rows;
    const SideValues& against = shown.against;
    const SideValues& schedule = shown.schedule;
    const double longest = std::max(against.simulated_ms, schedule.simulated_ms);
    for (const TimeTerm term : all_time_terms()) {
        const auto at = static_cast<std::size_t>(term);
        const TimeTermWords words = time_term_words(term);
        const std::string_view key = name(term);
        rows.push_back({QString::fromLatin1(key.data(), static_cast<qsizetype>(key.size())), words.name,
                        words.meaning, TermKind::Duration, or_nothing(against.parts[at], longest),
                        or_nothing(schedule.parts[at], longest)});
    }
    const auto add = [&](const char* key, const QString& title, const QString& meaning, TermKind kind,
                         double of_against, double of_schedule) {
        rows.push_back({QLatin1String(key), title, meaning, kind, of_against, of_schedule});
    };
    add("total", TermTexts::tr("all, simulated"), TermTexts::tr("the sum of the parts above"),
        TermKind::Duration, against.simulated_ms, schedule.simulated_ms);
    if (shown.is_measured)
        add("measured", TermTexts::tr("measured"), TermTexts::tr("the clock of this computer"),
            TermKind::Duration, against.ms, schedule.ms);
    add("storage", TermTexts::tr("storage of A"), {}, TermKind::Bytes, against.storage_bytes,
        schedule.storage_bytes);
    add("positions", TermTexts::tr("stored values"), TermTexts::tr("explicit zeros included"),
        TermKind::Count, against.positions, schedule.positions);
    add("zeros", TermTexts::tr("work on zeros"),
        TermTexts::tr("share of the innermost iterations that work on explicit zeros"), TermKind::Share,
        against.fill_in, schedule.fill_in);
    add("entered", TermTexts::tr("parallel loop entered"), TermTexts::tr("times in one run"), TermKind::Count,
        against.regions, schedule.regions);
    add("handed_out", TermTexts::tr("chunks handed out"), TermTexts::tr("number in one parallel region"),
        TermKind::Count, against.chunks, schedule.chunks);
    const auto words = counter_words();
    for (std::size_t counter = 0; shown.is_measured && counter < shown_counters; ++counter)
        rows.push_back({QStringLiteral("counter%1").arg(counter), words[counter].name,
                        shown.no_counters.isEmpty() ? words[counter].meaning : shown.no_counters,
                        TermKind::Count, against.counted[counter], schedule.counted[counter]});
    return rows;
}

TermsModel::TermsModel(QObject* parent)
    : RecordModel(term_columns(), [](const TermRow& row) { return row.key; }, parent) {}

} // namespace sparsight
