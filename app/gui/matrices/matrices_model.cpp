#include "gui/matrices/matrices_model.h"

#include "gui/workspace/thumbnails.h"
#include "widgets/table/record_columns.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <limits>

namespace sparsight {

namespace {

struct MatricesTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MatricesModel)
};

RecordColumn<MatrixRow> count_column(const QString& title, const QString& tooltip,
                                     std::int64_t MatrixRecord::* member) {
    return value_column<MatrixRow>(
        title, tooltip,
        [member](const MatrixRow& row) {
            return row.record.pattern == PatternPlace::Unknown ? std::nullopt
                                                               : std::optional<qlonglong>(row.record.*member);
        },
        [](qlonglong count) { return count_text(count); });
}

RecordColumn<MatrixRow> number_column(const QString& title, const QString& tooltip,
                                      double (MatrixRow::*number)() const) {
    return value_column<MatrixRow>(
        title, tooltip, [number](const MatrixRow& row) { return std::optional((row.*number)()); },
        [](double value) { return significant(value); });
}

std::vector<RecordColumn<MatrixRow>> columns() {
    const auto tr = [](const char* text) { return MatricesTable::tr(text); };
    auto name = text_column<MatrixRow>(tr("Matrix"), {}, &MatrixRow::name);
    name.picture = [](const MatrixRow& row) {
        return row.picture.isNull() ? QVariant() : QVariant(row.picture);
    };
    RecordColumn<MatrixRow> added;
    added.title = tr("Added");
    added.text = [](const MatrixRow& row) {
        const auto when = QDateTime::fromString(QString::fromStdString(row.record.added), Qt::ISODate);
        return QLocale().toString(when.toLocalTime(), QLocale::ShortFormat);
    };
    added.raw = [](const MatrixRow& row) { return QVariant(QString::fromStdString(row.record.added)); };
    return {
        name,
        count_column(tr("Entries"), tr("Stored places (nnz), explicit zeros counted"), &MatrixRecord::nnz),
        count_column(tr("Rows"), {}, &MatrixRecord::rows),
        count_column(tr("Columns"), {}, &MatrixRecord::cols),
        number_column(tr("Entries a row"), tr("Mean over all rows, empty ones counted"),
                      &MatrixRow::entries_a_row),
        number_column(tr("Density"), tr("Entries over rows × columns"), &MatrixRow::density),
        text_column<MatrixRow>(
            tr("Source"), tr("The file or the generator that it came from"),
            [](const MatrixRow& row) { return QString::fromStdString(row.record.source); }),
        added};
}

} // namespace

double MatrixRow::density() const {
    const double places = static_cast<double>(record.rows) * static_cast<double>(record.cols);
    return places > 0 ? static_cast<double>(record.nnz) / places : std::numeric_limits<double>::quiet_NaN();
}

double MatrixRow::entries_a_row() const {
    return record.rows > 0 ? static_cast<double>(record.nnz) / static_cast<double>(record.rows)
                           : std::numeric_limits<double>::quiet_NaN();
}

MatricesModel::MatricesModel(Thumbnails& thumbnails, QObject* parent)
    : RecordModel(columns(), &MatrixRow::name, parent)
    , thumbnails_(thumbnails) {}

void MatricesModel::show_matrices(const std::vector<MatrixRecord>& records) {
    std::vector<MatrixRow> rows;
    rows.reserve(records.size());
    for (const MatrixRecord& record : records)
        rows.push_back({record, thumbnails_.find(record)});
    set_rows(std::move(rows));
}

void MatricesModel::show_picture(const QString& name) {
    const auto place = row_of(name);
    if (!place)
        return;
    MatrixRow changed = row(*place);
    changed.picture = thumbnails_.find(changed.record);
    update_row(std::move(changed));
}

} // namespace sparsight
