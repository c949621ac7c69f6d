// How numbers are written for people. Settings keep one style for the program in the application object.
#pragma once

#include <QChar>

class QCoreApplication;

namespace sparsight {

enum class ThousandsSeparator { ThinSpace, Comma, None };
enum class ByteUnits { Binary, Decimal }; ///< MiB of 1024², or MB of 1000²

struct NumberStyle {
    ThousandsSeparator thousands = ThousandsSeparator::ThinSpace;
    QChar decimal_point = u'.';
    ByteUnits byte_units = ByteUnits::Binary;

    bool operator==(const NumberStyle&) const = default;
};

/// Widgets repaint on QEvent::LanguageChange, which this sends to them when the style is another one.
void set_number_style(QCoreApplication& application, const NumberStyle& style);

/// The style of the running application; the default one without an application. For the GUI thread.
[[nodiscard]] NumberStyle current_number_style();

} // namespace sparsight
