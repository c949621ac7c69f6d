// The plot as a file: always in light colours, without what belongs to the mouse.
#pragma once

#include "widgets/plot/plot_scene.h"

#include <QByteArray>
#include <QImage>
#include <QString>

namespace sparsight {

/// A scene to be exported at the size that it has on the screen. May be used on any thread.
struct PlotExport {
    std::shared_ptr<const PatternSource> source;
    PlotScene scene;
    QSizeF size;
    QString title; ///< kept in the file's description
};

/// `device_pixel_ratio` pixels for each logical one.
[[nodiscard]] QImage export_image(const PlotExport& plot, double device_pixel_ratio = 2);

/// Rulers and single entries are vectors, a dense matrix is an embedded image.
[[nodiscard]] QByteArray export_svg(const PlotExport& plot);

/// The counts that are visible: row_begin,row_end,col_begin,col_end,count with a line for each cell that
/// holds entries; from 0, ends excluded.
[[nodiscard]] QByteArray export_csv(const PlotExport& plot);

enum class PlotFileFormat { Png, Svg, Csv };

/// Writes the file as a whole or not at all; an empty text or why it failed.
[[nodiscard]] QString export_file(const PlotExport& plot, PlotFileFormat format, const QString& path);

} // namespace sparsight
