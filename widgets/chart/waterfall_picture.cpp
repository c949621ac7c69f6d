#include "widgets/chart/waterfall_picture.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int digits_of_the_longest = 4;
constexpr int most_decimals = 6;

QString field(const QString& text) {
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString exact(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 17) : QString();
}

} // namespace

const QString& WaterfallPicture::key_of(std::size_t row) const {
    if (row == 0)
        return from.key;
    return row <= steps.size() ? steps[row - 1].key : to.key;
}

std::vector<WaterfallSpan> spans_of(const WaterfallPicture& picture) {
    if (picture.empty())
        return {};
    std::vector<WaterfallSpan> spans{{0, picture.from.value}};
    double reached = picture.from.value;
    for (const WaterfallBar& step : picture.steps) {
        spans.push_back({reached, reached + step.amount});
        reached += step.amount;
    }
    if (!picture.steps.empty())
        spans.back().end = picture.to.value;
    spans.push_back({0, picture.to.value});
    return spans;
}

int decimals_of(const WaterfallPicture& picture) {
    double longest = 0;
    for (const WaterfallSpan& span : spans_of(picture))
        longest = std::max({longest, std::abs(span.begin), std::abs(span.end)});
    if (!(longest > 0) || !std::isfinite(longest))
        return 2;
    const int before_point = static_cast<int>(std::floor(std::log10(longest))) + 1;
    return std::clamp(digits_of_the_longest - before_point, 0, most_decimals);
}

QString waterfall_csv(const WaterfallPicture& picture) {
    QString csv = QStringLiteral("key,label,change,amount,uncertainty,significant,begin,end\n");
    const std::vector<WaterfallSpan> spans = spans_of(picture);
    const auto add = [&](std::size_t row, const QStringList& cells) {
        csv += (QStringList(cells) << exact(spans[row].begin) << exact(spans[row].end)).join(u',') + u'\n';
    };
    if (picture.empty())
        return csv;
    const auto end_cells = [](const WaterfallEnd& end) {
        return QStringList{field(end.key),   field(end.label),  QString(),
                           exact(end.value), exact(end.spread), QString()};
    };
    add(0, end_cells(picture.from));
    for (std::size_t at = 0; at < picture.steps.size(); ++at) {
        const WaterfallBar& step = picture.steps[at];
        add(at + 1, {field(step.key), field(step.label), field(step.change), exact(step.amount),
                     exact(step.uncertainty), QString::number(step.is_significant ? 1 : 0)});
    }
    add(picture.rows() - 1, end_cells(picture.to));
    return csv;
}

} // namespace sparsight
