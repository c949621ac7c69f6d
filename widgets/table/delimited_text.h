// Rows of texts for other programs.
#pragma once

#include <QList>
#include <QStringList>

namespace sparsight {

/// RFC 4180: quoted where it holds a comma, a quote or a line break; quotes doubled.
[[nodiscard]] QString csv_field(const QString& text);

/// Comma-separated, each line ends in CR LF as RFC 4180 asks for.
[[nodiscard]] QString csv_text(const QList<QStringList>& lines);

/// Tab-separated for the clipboard: tabs and line breaks within a field become spaces.
[[nodiscard]] QString tsv_text(const QList<QStringList>& lines);

} // namespace sparsight
