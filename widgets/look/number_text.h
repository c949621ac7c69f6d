// Numbers as texts for people: three significant digits, units, narrow spaces between thousands. Unknown
// (NaN) and infinite numbers are "–", the minus sign is U+2212. No line breaks within a number or before its
// unit: the spaces there are U+202F and U+00A0. The application object stores one style for the whole
// program.
#pragma once

#include <QChar>
#include <QString>

class QCoreApplication;

namespace sparsight {

enum class ThousandsSeparator { ThinSpace, Comma, None };
enum class ByteUnits { Binary, Decimal }; ///< MiB (1024²) or MB (1000²)

struct NumberStyle {
    ThousandsSeparator thousands = ThousandsSeparator::ThinSpace;
    QChar decimal_point = u'.';
    ByteUnits byte_units = ByteUnits::Binary;

    bool operator==(const NumberStyle&) const = default;
};

/// Sends QEvent::LanguageChange to all widgets if the style has changed; widgets repaint on it.
void set_number_style(QCoreApplication& application, const NumberStyle& style);

/// The style of the running application, or the default style without an application. Call it on the GUI
/// thread.
[[nodiscard]] NumberStyle current_number_style();

[[nodiscard]] QString unknown_text(); ///< "–"

/// A number that is already written, and its unit.
[[nodiscard]] QString with_unit(const QString& number, const QString& unit);

/// "25 600"
[[nodiscard]] QString count_text(qint64 count, const NumberStyle& style = current_number_style());

/// "1.24", "12.0", "1 230", "0.00120", "1.23×10⁹"; `digits` is from 1 to 15.
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

/// "1.24 ± 0.05 ms"; only the value where the spread is unknown.
[[nodiscard]] QString duration_with_spread(double milliseconds, double spread_milliseconds,
                                           const NumberStyle& style = current_number_style());

/// "512 B", "1.24 MiB" or "1.30 MB"
[[nodiscard]] QString bytes_text(double bytes, const NumberStyle& style = current_number_style());

/// "1.24×"
[[nodiscard]] QString speedup_text(double speedup, const NumberStyle& style = current_number_style());

/// "2.28× ± 0.14": as of all numbers, the margin has the unit of the number.
[[nodiscard]] QString speedup_with_margin(double speedup, double margin,
                                          const NumberStyle& style = current_number_style());

/// A relative change: 0.24 is "+24 %". For the tooltip of a speedup pass speedup − 1.
[[nodiscard]] QString percent_text(double change, const NumberStyle& style = current_number_style());

/// A share of 1: 0.785 is "78.5 %".
[[nodiscard]] QString share_text(double share, const NumberStyle& style = current_number_style());

/// "a few seconds left", "40 s left", "3 min left", "1 h 20 min left"
[[nodiscard]] QString time_left_text(double seconds, const NumberStyle& style = current_number_style());

/// A sentence from elsewhere with spaces and hyphens that do not break within numbers, before their units and
/// words: "948 ± 17 µs", "1.3 GB/s", "16-wide". No line begins with the dot between two parts.
[[nodiscard]] QString with_whole_numbers(QString text);

} // namespace sparsight
