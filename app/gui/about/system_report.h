// What a bug report should say about the program and the computer; nothing that names its user.
#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace sparsight {

/// Facts as they are shown: name and value. Needs a QGuiApplication.
[[nodiscard]] std::vector<std::pair<QString, QString>> system_facts();

/// Version, facts and libraries as plain text, in English whatever the program speaks.
[[nodiscard]] QString bug_report_text();

} // namespace sparsight
