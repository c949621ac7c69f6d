// A chart as a file, always in light colours.
#pragma once

#include <QImage>
#include <QString>
#include <expected>

namespace sparsight {

class ChartView;

[[nodiscard]] QImage chart_image(ChartView& view, double scale = 2);
[[nodiscard]] QByteArray chart_svg(ChartView& view);

/// By the ending of the path: .png, .svg or .csv. The error is a sentence for the user.
[[nodiscard]] std::expected<void, QString> write_chart(ChartView& view, const QString& path);

} // namespace sparsight
