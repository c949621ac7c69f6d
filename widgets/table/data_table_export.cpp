// What leaves the table: to the clipboard and into files.
#include "widgets/table/data_table.h"

#include "widgets/table/delimited_text.h"
#include "widgets/table/raw_value.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QSaveFile>

namespace sparsight {

QList<QStringList> DataTable::lines(const std::vector<int>& proxy_rows) const {
    const std::vector<int> columns = shown_columns();
    QStringList titles;
    for (const int column : columns) {
        const QVariant title = filter_.headerData(column, Qt::Horizontal, export_title_role);
        titles << (title.isValid() ? title : filter_.headerData(column, Qt::Horizontal)).toString();
    }
    QList<QStringList> result{titles};
    for (const int row : proxy_rows) {
        QStringList fields;
        for (const int column : columns)
            fields << exported_text(filter_.index(row, column));
        result << fields;
    }
    return result;
}

QString DataTable::selection_as_tsv() const {
    return tsv_text(lines(selected_proxy_rows()));
}

void DataTable::copy_selection() const {
    QGuiApplication::clipboard()->setText(selection_as_tsv());
}

QString DataTable::displayed_as_csv() const {
    std::vector<int> rows(static_cast<std::size_t>(filter_.rowCount()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<int>(i);
    return csv_text(lines(rows));
}

std::expected<void, QString> DataTable::write_csv(const QString& path) const {
    QSaveFile file(path);
    const QByteArray bytes = displayed_as_csv().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return std::unexpected(tr("%1 could not be written: %2").arg(path, file.errorString()));
    return {};
}

void DataTable::export_csv() {
    auto* const dialog = new QFileDialog(this, tr("Export rows"), {}, tr("Comma-separated values (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile((accessibleName().isEmpty() ? tr("table") : accessibleName()) +
                       QStringLiteral(".csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto written = write_csv(path); written)
            Q_EMIT exported(path);
        else
            Q_EMIT export_failed(written.error());
    });
    dialog->open();
}

} // namespace sparsight
