// Reports on paper.
#pragma once

#include <QString>
#include <expected>

namespace sparsight {

/// A page of the engine (evaluation/reports/html.h) as PDF on A4. The error says what is wrong with the file.
[[nodiscard]] std::expected<void, QString> print_report(const QString& html, const QString& file);

} // namespace sparsight
