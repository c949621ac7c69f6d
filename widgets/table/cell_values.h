// The values of table cells, their filter and their export. A cell has a text for people and, under
// raw_value_role, the value itself, by which tables sort and export; rows of texts become CSV or
// tab-separated text.
#pragma once

#include <QList>
#include <QModelIndex>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QVariant>

namespace sparsight {

/// For cells; an invalid QVariant or NaN means missing.
inline constexpr int raw_value_role = Qt::UserRole + 1;
inline constexpr int export_title_role =
    Qt::UserRole + 2; ///< for headers: the title with the unit of the raw value

[[nodiscard]] bool is_number(const QVariant& value);
[[nodiscard]] bool is_missing(const QVariant& value);

/// Both must be present. Numbers compare as numbers (integers exactly), texts in natural order (row9 before
/// row10) without regard to case.
[[nodiscard]] bool raw_less(const QVariant& left, const QVariant& right);

/// The text of a cell for a spreadsheet: numbers with all digits and a point, texts as shown, empty where
/// missing.
[[nodiscard]] QString exported_text(const QModelIndex& cell);
[[nodiscard]] QString exported_number(double value);

/// RFC 4180: quoted where it contains a comma, a quote or a line break; quotes are doubled.
[[nodiscard]] QString csv_field(const QString& text);

/// Comma-separated; each line ends in CR LF as RFC 4180 requires.
[[nodiscard]] QString csv_text(const QList<QStringList>& lines);

/// Tab-separated for the clipboard: tabs and line breaks within a field become spaces.
[[nodiscard]] QString tsv_text(const QList<QStringList>& lines);

/// Rows in which any column matches, sorted by raw values; what is missing stands last in both directions.
class TableFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TableFilter(QObject* parent = nullptr);

    /// A regular expression without regard to case; plain text when it is none. Empty shows all rows.
    void set_filter_text(const QString& text);
    [[nodiscard]] QString filter_text() const { return text_; }
    [[nodiscard]] bool filter_is_plain_text() const { return plain_; }

protected:
    bool filterAcceptsRow(int source_row, const QModelIndex& source_parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString text_;
    QRegularExpression pattern_;
    bool plain_ = false;
};

} // namespace sparsight
