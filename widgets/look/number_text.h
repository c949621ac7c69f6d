// How numbers are written for people. Settings keep one style for the program in the application object.
#pragma once

#include <QChar>
#include <QString>

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

// Numbers as texts: three significant digits, units, thin spaces between thousands. What is unknown (NaN) or
// infinite is "–". The minus sign is U+2212. Between a number and its unit stands an ordinary space.

[[nodiscard]] QString unknown_text(); ///< "–"

/// "25 600"
[[nodiscard]] QString count_text(qint64 count, const NumberStyle& style = current_number_style());

/// "1.24", "12.0", "1 230", "0.00120", "1.23×10⁹"; digits from 1 to 15.
[[nodiscard]] QString significant(double value, int digits = 3,
                                  const NumberStyle& style = current_number_style());

/// A fixed number of decimals: "1 234.50".
[[nodiscard]] QString fixed_text(double value, int decimals,
                                 const NumberStyle& style = current_number_style());

/// With the SI prefix that leaves one to three digits before the point: "3.20 GHz", "35.1 Gflop/s", "12.0
/// mW".
[[nodiscard]] QString si_text(double value, const QString& unit,
                              const NumberStyle& style = current_number_style());

/// "850 ns", "1.24 ms", "3.20 s", "2 min 05 s", "1 h 05 min", "3 d 4 h"
[[nodiscard]] QString duration_text(double milliseconds, const NumberStyle& style = current_number_style());

/// "1.24 ± 0.05 ms"; the value alone where the spread is unknown.
[[nodiscard]] QString duration_with_spread(double milliseconds, double spread_milliseconds,
                                           const NumberStyle& style = current_number_style());

/// "512 B", "1.24 MiB" or "1.30 MB"
[[nodiscard]] QString bytes_text(double bytes, const NumberStyle& style = current_number_style());

/// "1.24×"
[[nodiscard]] QString speedup_text(double speedup, const NumberStyle& style = current_number_style());

/// A change relative to one, 0.24 is "+24 %": for the tooltip of a speedup give speedup − 1.
[[nodiscard]] QString percent_text(double change, const NumberStyle& style = current_number_style());

/// Of a whole that is 1: 0.785 is "78.5 %".
[[nodiscard]] QString share_text(double share, const NumberStyle& style = current_number_style());

/// "a few seconds left", "40 s left", "3 min left", "1 h 20 min left"
[[nodiscard]] QString time_left_text(double seconds, const NumberStyle& style = current_number_style());

} // namespace sparsight
