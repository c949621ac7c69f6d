#include "widgets/look/number_text.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QRegularExpression>
#include <QVariant>
#include <QWidget>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {
constexpr const char* style_property = "sparsight_number_style";
} // namespace

void set_number_style(QCoreApplication& application, const NumberStyle& style) {
    const QVariantList values{static_cast<int>(style.thousands), style.decimal_point,
                              static_cast<int>(style.byte_units)};
    if (application.property(style_property).toList() == values)
        return;
    application.setProperty(style_property, values);
    if (qobject_cast<QApplication*>(&application) == nullptr)
        return;
    for (QWidget* const widget : QApplication::topLevelWidgets()) // Qt passes the event on to their children
        QCoreApplication::postEvent(widget, new QEvent(QEvent::LanguageChange));
}

NumberStyle current_number_style() {
    const QCoreApplication* const application = QCoreApplication::instance();
    const QVariantList values =
        application == nullptr ? QVariantList() : application->property(style_property).toList();
    if (values.size() != 3)
        return {};
    return {static_cast<ThousandsSeparator>(values[0].toInt()), values[1].toChar(),
            static_cast<ByteUnits>(values[2].toInt())};
}

namespace {

constexpr QChar minus(0x2212);
constexpr QChar narrow_no_break_space(0x202F);
constexpr QChar no_break_hyphen(0x2011);

QString translated(const char* text) {
    return QCoreApplication::translate("sparsight::number_text", text);
}

/// Puts the separator of the style between the thousands of plain digits, "1234567".
QString grouped(QString digits, const NumberStyle& style) {
    if (style.thousands == ThousandsSeparator::None)
        return digits;
    // A comma that is also the decimal point would make the number ambiguous.
    const bool comma = style.thousands == ThousandsSeparator::Comma && style.decimal_point != u',';
    const QChar separator = comma ? QChar(u',') : narrow_no_break_space;
    for (qsizetype place = digits.size() - 3; place > 0; place -= 3)
        digits.insert(place, separator);
    return digits;
}

/// A plain decimal text ("-1234.50") in the given style.
QString written(const QString& plain, const NumberStyle& style) {
    const bool negative = plain.startsWith(u'-');
    const QString absolute = negative ? plain.mid(1) : plain;
    const qsizetype point = absolute.indexOf(u'.');
    QString text = grouped(point < 0 ? absolute : absolute.left(point), style);
    if (point >= 0)
        text += style.decimal_point + absolute.mid(point + 1);
    const bool zero =
        std::all_of(absolute.begin(), absolute.end(), [](QChar c) { return c == u'0' || c == u'.'; });
    return negative && !zero ? minus + text : text;
}

QString superscript(int exponent) {
    static constexpr std::array<char16_t, 10> digits{u'⁰', u'¹', u'²', u'³', u'⁴',
                                                     u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += QChar(digits[static_cast<std::size_t>(digit.digitValue())]);
    return text;
}

/// The digits and the power of ten of a number rounded to this many significant digits.
struct Rounded {
    QString digits; ///< "124"
    int exponent = 0;
};

Rounded rounded(double absolute, int digits) {
    const QString text = QString::number(absolute, 'e', digits - 1); // "1.24e+03"
    const qsizetype e = text.indexOf(u'e');
    return {text.left(e).remove(u'.'), text.mid(e + 1).toInt()};
}

int clamped_digits(int digits) {
    return std::clamp(digits, 1, 15);
}

/// The number of decimals that show this many significant digits of the value.
int decimals_for(double value, int digits) {
    return value == 0 ? 0 : std::max(0, digits - 1 - rounded(std::abs(value), digits).exponent);
}

bool reaches_thousand(double absolute) {
    return rounded(absolute, 3).exponent >= 3;
}

/// "2 min 05 s": two neighbouring units, the smaller one padded.
QString two_units(qint64 larger, const QString& larger_unit, qint64 smaller, const QString& smaller_unit,
                  const NumberStyle& style) {
    return with_unit(count_text(larger, style), larger_unit) + QChar(QChar::Nbsp) +
           with_unit(QStringLiteral("%1").arg(smaller, 2, 10, QChar(u'0')), smaller_unit);
}

QString minutes_and_more(double seconds, const NumberStyle& style) {
    if (seconds < 3599.5) {
        const auto whole = static_cast<qint64>(std::llround(seconds));
        return two_units(whole / 60, translated("min"), whole % 60, translated("s"), style);
    }
    const double minutes = seconds / 60;
    if (minutes < 1439.5) {
        const auto whole = static_cast<qint64>(std::llround(minutes));
        return two_units(whole / 60, translated("h"), whole % 60, translated("min"), style);
    }
    const double hours = minutes / 60;
    if (hours > 24.0 * 1e6)
        return with_unit(significant(hours / 24, 3, style), translated("d"));
    const auto whole = static_cast<qint64>(std::llround(hours));
    return with_unit(count_text(whole / 24, style), translated("d")) + QChar(QChar::Nbsp) +
           with_unit(QString::number(whole % 24), translated("h"));
}

struct Scale {
    double factor = 1;
    QString unit;
};

/// The largest unit in which the rounded value is at least one.
Scale duration_scale(double milliseconds) {
    const double absolute = std::abs(milliseconds);
    if (!reaches_thousand(absolute * 1e6))
        return {1e6, translated("ns")};
    if (!reaches_thousand(absolute * 1e3))
        return {1e3, translated("µs")};
    if (!reaches_thousand(absolute))
        return {1, translated("ms")};
    return {1e-3, translated("s")};
}

} // namespace

QString with_unit(const QString& number, const QString& unit) {
    return number + QChar(QChar::Nbsp) + unit;
}

QString unknown_text() {
    return QStringLiteral("–");
}

QString count_text(qint64 count, const NumberStyle& style) {
    return written(QString::number(count), style);
}

QString significant(double value, int digits, const NumberStyle& style) {
    if (!std::isfinite(value))
        return unknown_text();
    if (value == 0)
        return QStringLiteral("0");
    digits = clamped_digits(digits);
    const auto [figures, exponent] = rounded(std::abs(value), digits);
    const QString sign = value < 0 ? QStringLiteral("-") : QString();
    if (exponent < -4 || exponent >= 9) {
        const QString rest = digits > 1 ? u'.' + figures.mid(1) : QString();
        return written(sign + figures.left(1) + rest, style) + QStringLiteral("×10") + superscript(exponent);
    }
    if (exponent < 0)
        return written(sign + QStringLiteral("0.") + QString(-exponent - 1, u'0') + figures, style);
    if (exponent >= digits - 1)
        return written(sign + figures + QString(exponent - digits + 1, u'0'), style);
    return written(sign + figures.left(exponent + 1) + u'.' + figures.mid(exponent + 1), style);
}

QString fixed_text(double value, int decimals, const NumberStyle& style) {
    if (!std::isfinite(value))
        return unknown_text();
    return written(QString::number(value, 'f', std::clamp(decimals, 0, 15)), style);
}

QString si_text(double value, const QString& unit, const NumberStyle& style) {
    if (!std::isfinite(value))
        return unknown_text();
    static constexpr std::array<char16_t, 11> prefixes{u'p', u'n', u'µ', u'm', 0,   u'k',
                                                       u'M', u'G', u'T', u'P', u'E'};
    constexpr int none = 4;
    if (value == 0)
        return with_unit(QStringLiteral("0"), unit);
    const int exponent = rounded(std::abs(value), 3).exponent;
    const int thousands = std::clamp(static_cast<int>(std::floor(exponent / 3.0)), -none,
                                     static_cast<int>(prefixes.size()) - 1 - none);
    const char16_t prefix = prefixes[static_cast<std::size_t>(thousands + none)];
    return with_unit(significant(value / std::pow(1000.0, thousands), 3, style),
                     prefix == 0 ? unit : QChar(prefix) + unit);
}

QString duration_text(double milliseconds, const NumberStyle& style) {
    if (!std::isfinite(milliseconds))
        return unknown_text();
    if (milliseconds == 0)
        return with_unit(QStringLiteral("0"), translated("s"));
    if (std::abs(milliseconds) >= 59'950) {
        const QString text = minutes_and_more(std::abs(milliseconds) / 1000, style);
        return milliseconds < 0 ? minus + text : text;
    }
    const Scale scale = duration_scale(milliseconds);
    return with_unit(significant(milliseconds * scale.factor, 3, style), scale.unit);
}

namespace {

/// " ± 0.05", with the decimals of the value, which has three digits.
QString behind_value(double value, double spread, const NumberStyle& style) {
    const double margin = std::abs(spread);
    const int decimals = decimals_for(value, 3);
    // A margin too small for the decimals of the value still shows its first digit.
    const bool vanishes = margin > 0 && margin < 0.5 * std::pow(10.0, -decimals);
    return QStringLiteral("\u00A0±\u00A0") +
           (vanishes ? significant(margin, 1, style) : fixed_text(margin, decimals, style));
}

} // namespace

QString duration_with_spread(double milliseconds, double spread_milliseconds, const NumberStyle& style) {
    if (!std::isfinite(milliseconds))
        return unknown_text();
    if (!std::isfinite(spread_milliseconds))
        return duration_text(milliseconds, style);
    const Scale scale = duration_scale(milliseconds);
    const double value = milliseconds * scale.factor;
    return with_unit(significant(value, 3, style) +
                         behind_value(value, spread_milliseconds * scale.factor, style),
                     scale.unit);
}

QString bytes_text(double bytes, const NumberStyle& style) {
    if (!std::isfinite(bytes))
        return unknown_text();
    const bool binary = style.byte_units == ByteUnits::Binary;
    const double step = binary ? 1024 : 1000;
    static const std::array<QString, 6> binary_units{QStringLiteral("KiB"), QStringLiteral("MiB"),
                                                     QStringLiteral("GiB"), QStringLiteral("TiB"),
                                                     QStringLiteral("PiB"), QStringLiteral("EiB")};
    static const std::array<QString, 6> decimal_units{QStringLiteral("kB"), QStringLiteral("MB"),
                                                      QStringLiteral("GB"), QStringLiteral("TB"),
                                                      QStringLiteral("PB"), QStringLiteral("EB")};
    if (std::abs(bytes) < step - 0.5)
        return with_unit(fixed_text(bytes, 0, style), QStringLiteral("B"));
    double value = bytes / step;
    std::size_t unit = 0;
    while (reaches_thousand(std::abs(value)) && unit + 1 < binary_units.size()) {
        value /= step;
        ++unit;
    }
    return with_unit(significant(value, 3, style), binary ? binary_units[unit] : decimal_units[unit]);
}

QString speedup_text(double speedup, const NumberStyle& style) {
    const QString number = significant(speedup, 3, style);
    return std::isfinite(speedup) ? number + u'×' : number;
}

QString speedup_with_margin(double speedup, double margin, const NumberStyle& style) {
    const QString text = speedup_text(speedup, style);
    return std::isfinite(speedup) && std::isfinite(margin) ? text + behind_value(speedup, margin, style)
                                                           : text;
}

QString percent_text(double change, const NumberStyle& style) {
    if (!std::isfinite(change))
        return unknown_text();
    const double percent = 100 * change;
    const int decimals = std::abs(percent) < 9.95 ? 1 : 0;
    QString number = fixed_text(percent, decimals, style);
    const bool nothing = std::abs(percent) < 0.05;
    if (nothing)
        number = QStringLiteral("0");
    return with_unit(percent > 0 && !nothing ? u'+' + number : number, QStringLiteral("%"));
}

QString share_text(double share, const NumberStyle& style) {
    return std::isfinite(share) ? with_unit(significant(100 * share, 3, style), QStringLiteral("%"))
                                : unknown_text();
}

QString time_left_text(double seconds, const NumberStyle& style) {
    if (!std::isfinite(seconds))
        return unknown_text();
    if (seconds < 5)
        return translated("a few seconds left");
    if (seconds < 55)
        return with_whole_numbers(translated("%1 s left").arg(5 * std::lround(seconds / 5)));
    if (seconds < 3570)
        return with_whole_numbers(translated("%1 min left").arg(std::max(1L, std::lround(seconds / 60))));
    if (seconds > 86'400.0 * 1e6)
        return translated("%1 left").arg(minutes_and_more(seconds, style));
    const qint64 minutes = 5 * static_cast<qint64>(std::llround(seconds / 300));
    if (minutes < 1440)
        return with_whole_numbers(
            translated("%1 h %2 min left").arg(minutes / 60).arg(minutes % 60, 2, 10, QChar(u'0')));
    return translated("%1 left").arg(minutes_and_more(seconds, style));
}

QString with_whole_numbers(QString text) {
    static const QRegularExpression before_unit(
        QStringLiteral("(?<=\\d) (?=[±×%]|(?:[nµm]?s|min|h|B|[kKMGT]i?B|[kMG]Hz|ms)\\b|B/s|[kMGT]i?B/s)"),
        QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression behind_sign(QStringLiteral("(?<=[±×~≈]) (?=\\d)"));
    static const QRegularExpression between_thousands(QStringLiteral("(?<=\\d)\\x{2009}(?=\\d)"));
    static const QRegularExpression before_word(QStringLiteral("(?<=\\d)-(?=\\p{L})"));
    static const QRegularExpression before_dot(QStringLiteral(" (?= *·)"));
    const QString whole(QChar(QChar::Nbsp));
    text.replace(before_dot, whole);
    text.replace(before_word, QString(no_break_hyphen));
    text.replace(before_unit, whole);
    text.replace(behind_sign, whole);
    return text.replace(between_thousands, QString(narrow_no_break_space));
}

} // namespace sparsight
