// A cell has a text for people and, under raw_value_role, the value itself: tables sort and export by it.
#pragma once

#include <QList>
#include <QModelIndex>
#include <QStringList>
#include <QVariant>

namespace sparsight {

inline constexpr int raw_value_role = Qt::UserRole + 1; ///< of cells; an invalid QVariant or NaN is missing
inline constexpr int export_title_role =
    Qt::UserRole + 2; ///< of headers: the title with the unit of the raw value

[[nodiscard]] bool is_number(const QVariant& value);
[[nodiscard]] bool is_missing(const QVariant& value);

/// Both present. Numbers as numbers (integers exactly), texts in natural order (row9 before row10), without
/// regard to case.
[[nodiscard]] bool raw_less(const QVariant& left, const QVariant& right);

/// What a spreadsheet should get of a cell: numbers in full with a point, texts as shown, nothing where
/// missing.
[[nodiscard]] QString exported_text(const QModelIndex& cell);
[[nodiscard]] QString exported_number(double value);

// Rows of texts for other programs.

/// RFC 4180: quoted where it holds a comma, a quote or a line break; quotes doubled.
[[nodiscard]] QString csv_field(const QString& text);

/// Comma-separated, each line ends in CR LF as RFC 4180 asks for.
[[nodiscard]] QString csv_text(const QList<QStringList>& lines);

/// Tab-separated for the clipboard: tabs and line breaks within a field become spaces.
[[nodiscard]] QString tsv_text(const QList<QStringList>& lines);

} // namespace sparsight
