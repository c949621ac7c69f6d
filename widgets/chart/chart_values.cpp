#include "widgets/chart/chart_values.h"

#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sparsight {

ChartColour series_colour(std::size_t index) {
    return static_cast<ChartColour>(static_cast<int>(ChartColour::Series1) + static_cast<int>(index % 8));
}

const QString& name_of(const ChartSeries& series) {
    return std::visit([](const auto& one) -> const QString& { return one.name; }, series);
}

ChartColour colour_of(const ChartSeries& series) {
    if (const auto* const bars = std::get_if<BarSeries>(&series)) {
        if (bars->bars.empty())
            return ChartColour::Accent;
        const auto own = std::ranges::find_if(bars->bars, [](const Bar& bar) {
            return bar.colour != ChartColour::Lose && bar.colour != ChartColour::FaintLose &&
                   bar.colour != ChartColour::FaintWin;
        });
        return (own == bars->bars.end() ? bars->bars.front() : *own).colour;
    }
    if (const auto* const histogram = std::get_if<Histogram>(&series))
        return histogram->colour;
    if (const auto* const line = std::get_if<LineSeries>(&series))
        return line->colour;
    return std::get<ScatterSeries>(series).colour;
}

namespace {

constexpr double most_ticks = 200;

/// The smallest of 1, 2, 5 times a power of ten that is at least this step.
double round_step(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

int decimals_of(double step) {
    return std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
}

struct AxisUnit {
    double factor = 1; ///< the shown number is the value divided by this factor
    QString unit;
};

/// One unit for all ticks of an axis, chosen for the largest.
AxisUnit axis_unit(double largest, ValueFormat format, const NumberStyle& style) {
    if (const auto unit = current_runtime_unit(); unit && format == ValueFormat::Duration)
        return {unit->milliseconds, u' ' + unit->many};
    if (format == ValueFormat::Duration) {
        if (largest < 1e-3)
            return {1e-6, QStringLiteral(" ns")};
        if (largest < 1)
            return {1e-3, QStringLiteral(" µs")};
        if (largest < 1000)
            return {1, QStringLiteral(" ms")};
        return {1000, QStringLiteral(" s")};
    }
    if (format == ValueFormat::Bytes) {
        const bool binary = style.byte_units == ByteUnits::Binary;
        const double base = binary ? 1024 : 1000;
        const QStringList units = QStringLiteral(" B, KiB, MiB, GiB, TiB, PiB").split(u',');
        const QStringList decimal_units = QStringLiteral(" B, kB, MB, GB, TB, PB").split(u',');
        AxisUnit unit{1, units.front()};
        for (qsizetype i = 1; i < units.size() && largest >= unit.factor * base; ++i)
            unit = {unit.factor * base, binary ? units[i] : decimal_units[i]};
        return unit;
    }
    if (format == ValueFormat::Percent)
        return {0.01, QStringLiteral(" %")};
    return {1, format == ValueFormat::Speedup ? QStringLiteral("×") : QString()};
}

QString tick_label(double value, double step, const AxisUnit& unit, const NumberStyle& style) {
    const double shown = std::abs(value) < step * 1e-6 ? 0 : value / unit.factor;
    const double shown_step = step / unit.factor;
    const double magnitude = std::abs(shown);
    if (magnitude >= 1e7 || (shown != 0 && shown_step < 1e-5)) {
        const int digits =
            static_cast<int>(std::ceil(std::log10(std::max(magnitude / shown_step, 1.0)) + 0.3)) + 1;
        return significant(shown, std::clamp(digits, 1, 12), style) + unit.unit;
    }
    return fixed_text(shown, decimals_of(shown_step), style) + unit.unit;
}

std::vector<ChartTick> linear_ticks(double low, double high, ValueFormat format, int wanted,
                                    const NumberStyle& style) {
    const AxisUnit unit = axis_unit(std::max(std::abs(low), std::abs(high)), format, style);
    double step = round_step((high - low) / unit.factor / std::max(1, wanted)) * unit.factor;
    if (format == ValueFormat::Count || (format == ValueFormat::Bytes && unit.factor == 1))
        step = std::max(step, 1.0);
    const double first = std::ceil(low / step - 1e-9);
    const double last = std::floor(high / step + 1e-9);
    if (!(last - first <= most_ticks) || !(std::abs(first) < 1e15)) // too close for doubles to distinguish
        return {};
    std::vector<ChartTick> ticks;
    for (int i = 0; i <= static_cast<int>(last - first); ++i)
        ticks.push_back({(first + i) * step, tick_label((first + i) * step, step, unit, style)});
    return ticks;
}

constexpr double seconds_a_day = 86'400;

QDateTime time_of(double seconds) {
    return QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000));
}

/// Ticks at round times of the clock on the wall.
std::vector<ChartTick> time_ticks(double low, double high, int wanted) {
    constexpr std::array steps{1.,   2.,    5.,    10.,   15.,    30.,    60.,    120.,   300.,    600.,
                               900., 1800., 3600., 7200., 10800., 21600., 43200., 86400., 172800., 604800.};
    double step = steps.back();
    for (const double one : steps)
        if ((high - low) / one <= wanted) {
            step = one;
            break;
        }
    step *= std::max(1.0, std::ceil((high - low) / step / most_ticks));
    const double zone = time_of(low).offsetFromUtc();
    const QString format = step >= seconds_a_day        ? QStringLiteral("d MMM")
                           : high - low > seconds_a_day ? QStringLiteral("d MMM HH:mm")
                           : step >= 60                 ? QStringLiteral("HH:mm")
                                                        : QStringLiteral("HH:mm:ss");
    std::vector<ChartTick> ticks;
    for (double at = std::ceil((low + zone) / step) * step - zone; at <= high; at += step)
        ticks.push_back({at, QLocale().toString(time_of(at), format)});
    return ticks;
}

/// With as few digits as show the value: each tick of a logarithmic axis has its own unit.
QString short_label(double value, ValueFormat format, const NumberStyle& style) {
    const AxisUnit unit = axis_unit(value * (1 + 1e-9), format, style);
    const double shown = value / unit.factor;
    if (shown >= 1e7 || shown < 1e-4)
        return significant(shown, 1, style) + unit.unit;
    int decimals = 0;
    while (decimals < 6 &&
           std::abs(shown * std::pow(10, decimals) - std::round(shown * std::pow(10, decimals))) >
               1e-6 * shown * std::pow(10, decimals))
        ++decimals;
    return fixed_text(shown, decimals, style) + unit.unit;
}

/// Ticks at powers of two: speedups and bytes are read in halves and doubles.
std::vector<ChartTick> doubling_ticks(double low, double high, ValueFormat format, int wanted,
                                      const NumberStyle& style) {
    const double octave = std::log10(2.0);
    const double octaves = (high - low) / octave;
    int every = 1;
    for (const int step : {1, 2, 5, 10, 20, 40})
        if (octaves / (every = step) <= wanted)
            break;
    std::vector<ChartTick> ticks;
    const int last = static_cast<int>(std::floor(high / octave + 1e-9));
    for (int i = static_cast<int>(std::ceil(low / octave - 1e-9)); i <= last; ++i)
        if (i % every == 0)
            ticks.push_back({std::ldexp(1.0, i), short_label(std::ldexp(1.0, i), format, style)});
    return ticks;
}

std::vector<ChartTick> log_ticks(double low, double high, ValueFormat format, int wanted,
                                 const NumberStyle& style) {
    const double decades = high - low;
    if (decades < 0.8) { // too short for powers of ten: round values, unevenly spaced
        std::vector<ChartTick> ticks =
            linear_ticks(std::pow(10, low), std::pow(10, high), format, std::max(2, wanted * 2 / 3), style);
        std::erase_if(ticks, [](const ChartTick& tick) { return tick.value <= 0; });
        return ticks;
    }
    if ((format == ValueFormat::Speedup && decades < 2.5) ||
        (format == ValueFormat::Bytes && style.byte_units == ByteUnits::Binary && low >= 0))
        return doubling_ticks(low, high, format, wanted, style);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
    const bool inner_labels = decades * 3 <= wanted;
    std::vector<ChartTick> ticks;
    const int last = static_cast<int>(std::floor(high));
    for (int power = static_cast<int>(std::floor(low)); power <= last; ++power)
        for (int digit = 1; digit <= (every == 1 && decades <= 6 ? 9 : 1); ++digit) {
            const double value = digit * std::pow(10.0, power);
            const double place = std::log10(value);
            if (place < low - 1e-9 || place > high + 1e-9)
                continue;
            const bool labelled =
                (digit == 1 && power % every == 0) || (inner_labels && (digit == 2 || digit == 5));
            if (labelled || every == 1)
                ticks.push_back({value, labelled ? short_label(value, format, style) : QString()});
        }
    return ticks;
}

/// Moves the range into the limits and keeps its extent, unless it is wider than the limits.
ChartScale inside(ChartScale scale, const ChartScale& limits) {
    const double extent = scale.high - scale.low;
    if (extent >= limits.high - limits.low) {
        scale.low = limits.low;
        scale.high = limits.high;
    } else if (scale.low < limits.low) {
        scale.low = limits.low;
        scale.high = limits.low + extent;
    } else if (scale.high > limits.high) {
        scale.high = limits.high;
        scale.low = limits.high - extent;
    }
    return scale;
}

} // namespace

double ChartScale::drawn(double value) const {
    if (!logarithmic)
        return value;
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

double ChartScale::value(double drawn_value) const {
    return logarithmic ? std::pow(10.0, drawn_value) : drawn_value;
}

double ChartScale::share(double value) const {
    return (drawn(value) - low) / (high - low);
}

double ChartTransform::pixel_x(double value) const {
    return area.left() + x.share(value) * area.width();
}

double ChartTransform::pixel_y(double value) const {
    return area.bottom() - y.share(value) * area.height();
}

double ChartTransform::value_x(double pixel) const {
    return x.value(x.low + (pixel - area.left()) / area.width() * (x.high - x.low));
}

double ChartTransform::value_y(double pixel) const {
    return y.value(y.low + (area.bottom() - pixel) / area.height() * (y.high - y.low));
}

std::vector<ChartTick> chart_ticks(const ChartScale& scale, ValueFormat format, int wanted,
                                   const NumberStyle& style) {
    if (!(scale.low < scale.high) || !std::isfinite(scale.low) || !std::isfinite(scale.high))
        return {};
    wanted = std::clamp(wanted, 1, 50);
    if (format == ValueFormat::TimeOfDay && !scale.logarithmic)
        return time_ticks(scale.low, scale.high, wanted);
    return scale.logarithmic ? log_ticks(scale.low, scale.high, format, wanted, style)
                             : linear_ticks(scale.low, scale.high, format, wanted, style);
}

QString value_text(double value, ValueFormat format, const NumberStyle& style) {
    switch (format) {
    case ValueFormat::Count:
        if (std::isfinite(value) && value == std::round(value) && std::abs(value) < 1e15)
            return count_text(static_cast<qint64>(value), style);
        return significant(value, 3, style);
    case ValueFormat::Speedup:
        return speedup_text(value, style);
    case ValueFormat::Duration:
        return runtime_text(value, style);
    case ValueFormat::Bytes:
        return bytes_text(value, style);
    case ValueFormat::Percent:
        return std::isfinite(value) ? with_unit(significant(100 * value, 3, style), QStringLiteral("%"))
                                    : unknown_text();
    case ValueFormat::TimeOfDay:
        return std::isfinite(value) ? QLocale().toString(time_of(value), QStringLiteral("d MMM HH:mm:ss"))
                                    : unknown_text();
    case ValueFormat::Number:
        break;
    }
    return significant(value, 3, style);
}

QString axis_title(const ChartAxis& axis) {
    return axis.unit.isEmpty() ? axis.title : QStringLiteral("%1 [%2]").arg(axis.title, axis.unit);
}

ChartScale fitted_scale(double smallest, double largest, bool logarithmic) {
    constexpr double air = 0.05;
    if (logarithmic) {
        if (!(largest > 0) || !std::isfinite(largest))
            return {true, 0, 1};
        const double low = std::log10(smallest > 0 ? smallest : largest / 1000);
        const double high = std::log10(largest);
        const double margin = high > low ? air * (high - low) : 0.3;
        return {true, low - margin, high + margin};
    }
    if (!std::isfinite(smallest) || !std::isfinite(largest) || smallest > largest)
        return {false, 0, 1};
    double margin = air * (largest - smallest);
    if (!(margin > std::abs(largest) * 1e-12))
        margin = largest == 0 ? 1 : 0.1 * std::abs(largest);
    const bool from_zero = smallest == 0;
    const bool to_zero = largest == 0 && smallest < 0;
    return {false, from_zero ? 0 : smallest - margin, to_zero ? 0 : largest + margin};
}

ChartScale zoomed(const ChartScale& scale, double fixed, double factor, const ChartScale& limits) {
    const double finest =
        std::max({std::abs(limits.low), std::abs(limits.high), limits.high - limits.low}) * 1e-9;
    const double extent = scale.high - scale.low;
    const double wanted = std::max(extent * factor, finest);
    ChartScale result = scale;
    result.low = fixed - (fixed - scale.low) * wanted / extent;
    result.high = result.low + wanted;
    return inside(result, limits);
}

ChartScale panned(const ChartScale& scale, double drawn_distance, const ChartScale& limits) {
    ChartScale result = scale;
    result.low += drawn_distance;
    result.high += drawn_distance;
    return inside(result, limits);
}

QString quoted_field(const QString& text) {
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace sparsight
