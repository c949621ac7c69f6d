// Links that name a machine: the fingerprint of a recorded one has its name, with whatever signs the user
// gave it.
#pragma once

#include <QByteArray>
#include <QString>

namespace sparsight {

/// For an attribute in either kind of quotes.
[[nodiscard]] inline QString link_to_machine(const QString& fingerprint) {
    return QString::fromLatin1(fingerprint.toUtf8().toPercentEncoding(":"));
}

[[nodiscard]] inline QString linked_machine(const QString& link) {
    return QString::fromUtf8(QByteArray::fromPercentEncoding(link.toUtf8()));
}

} // namespace sparsight
