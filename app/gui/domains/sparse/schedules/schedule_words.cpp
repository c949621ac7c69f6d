#include "gui/domains/sparse/schedules/schedule_words.h"

#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct DecisionWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::DecisionWords)
};

const QString split_key = QStringLiteral("split_");
const QString format_key = QStringLiteral("format_");

} // namespace

QString schedule_nickname(const SuperSchedule& schedule) {
    return QString::fromStdString(nickname(schedule));
}

QString code_meaning() {
    return DecisionWords::tr("The code of a schedule, as WACO writes it. Its parts: splits, loops from the "
                             "outside in, level formats (1 uncompressed, 0 compressed), parallel loop, "
                             "threads, chunk. Each row’s tooltip explains its own.");
}

QString code_tip(const SuperSchedule& schedule) {
    return QStringLiteral("%1\n\n%2\n%3")
        .arg(QString::fromStdString(describe(schedule)), QString::fromStdString(to_text(schedule)),
             QString::fromStdString(code_legend(schedule)));
}

QString decision_name(const QString& key) {
    if (key.startsWith(split_key))
        return DecisionWords::tr("split of %1").arg(key.sliced(split_key.size()));
    if (key.startsWith(format_key))
        return DecisionWords::tr("format of %1").arg(key.sliced(format_key.size()));
    if (key == QLatin1String("level_order"))
        return DecisionWords::tr("level order");
    if (key == QLatin1String("dense_loops"))
        return DecisionWords::tr("place of the dense loops");
    if (key == QLatin1String("parallel"))
        return DecisionWords::tr("parallel loop");
    if (key == QLatin1String("chunk"))
        return DecisionWords::tr("chunk");
    return key;
}

QString decision_meaning(const QString& key) {
    if (key.startsWith(split_key))
        return DecisionWords::tr("Whether the index runs in blocks, and their size. Blocks that fit the "
                                 "pattern are stored without explicit zeros.");
    if (key.startsWith(format_key))
        return DecisionWords::tr("Whether the level stores all of its coordinates (uncompressed) or only "
                                 "those below which there are entries (compressed).");
    if (key == QLatin1String("level_order"))
        return DecisionWords::tr("The order in which the levels of A are stored and walked. The innermost "
                                 "one should be contiguous in memory.");
    if (key == QLatin1String("dense_loops"))
        return DecisionWords::tr("The depth of the loops over the dense operands among those of A.");
    if (key == QLatin1String("parallel"))
        return DecisionWords::tr("Which loop the threads share: the farther out, the less often they meet.");
    if (key == QLatin1String("chunk"))
        return DecisionWords::tr("How many iterations of the parallel loop a thread takes at a time. Too "
                                 "many leave threads without work, too few cost scheduling.");
    return {};
}

QString decision_value(const QString& value) {
    if (value == QLatin1String("not split"))
        return DecisionWords::tr("not split");
    if (value == QLatin1String("compressed"))
        return DecisionWords::tr("compressed");
    if (value == QLatin1String("uncompressed"))
        return DecisionWords::tr("uncompressed");
    return value;
}

QString decision_change(const QString& before, const QString& after) {
    return QStringLiteral("%1 → %2").arg(decision_value(before), decision_value(after));
}

QString op_name(Operator op) {
    return QString::fromUtf8(name(op));
}

QString operator_text(Operator op) {
    return QString::fromUtf8(description(op).title);
}

QString dense_columns_tip() {
    return DecisionWords::tr("Columns of B and C for SpMM; columns of B for SDDMM, which sums over them");
}

QString matrices_text(qint64 count) {
    return count == 1 ? DecisionWords::tr("1 matrix")
                      : DecisionWords::tr("%1 matrices").arg(count_text(count));
}

QString schedules_text(qint64 count) {
    return count == 1 ? DecisionWords::tr("1 schedule")
                      : DecisionWords::tr("%1 schedules").arg(count_text(count));
}

} // namespace sparsight
