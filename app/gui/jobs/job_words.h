// The words of a worker's command line.
#pragma once

#include <QString>
#include <QStringList>
#include <string_view>

namespace sparsight {

[[nodiscard]] QString text(std::string_view utf8);

/// --option=value: so a value may begin with a hyphen.
[[nodiscard]] QString option(const char* name, const QString& value);
[[nodiscard]] QString option(const char* name, qint64 value);

/// What every job takes: its workspace, and events to follow.
void add_common(QStringList& words, const QString& workspace);

} // namespace sparsight
