// The one chart widget of the program: bars, histograms, curves and points as plain values, with zoom,
// crosshair, legend and export to pictures or CSV. Exports always have light colours.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QImage>
#include <QString>
#include <QWidget>
#include <expected>

class QMenu;

namespace sparsight {

class ChartView;
class PlotMenuButton;

[[nodiscard]] QImage chart_image(ChartView& view, double scale = 2);
[[nodiscard]] QByteArray chart_svg(ChartView& view);

/// The suffix of the path selects the format: .png, .svg or .csv. The error is a sentence for the user.
[[nodiscard]] std::expected<void, QString> write_chart(ChartView& view, const QString& path);

/// The wheel zooms at the cursor (over an axis: only that axis; on a page that scrolls: with Ctrl), dragging
/// moves, dragging with Shift zooms into a box, a double click resets. The keys + − 0 and the arrow keys do
/// the same.
class Chart : public QWidget {
    Q_OBJECT
public:
    explicit Chart(QWidget* parent = nullptr);

    void set_title(const QString& title); ///< leave it out where a card shows the title
    void set_x_axis(const ChartAxis& axis);
    void set_y_axis(const ChartAxis& axis);

    /// Sets all series of the chart. The zoom survives new data of the same kind.
    void set_series(std::vector<ChartSeries> series);
    void set_bars(BarSeries bars);
    void set_histogram(Histogram histogram);
    void set_lines(std::vector<LineSeries> lines);
    void set_points(std::vector<ScatterSeries> points);
    void clear();

    void set_reference(double y, const QString& label);
    void clear_reference();
    void set_selected(const QVariant& key); ///< an invalid key selects nothing
    [[nodiscard]] QVariant selected() const;
    void set_empty_text(const QString& text);
    void set_series_shown(std::size_t series, bool shown);

    void set_x_logarithmic(bool logarithmic);
    void set_y_logarithmic(bool logarithmic);
    void reset_zoom();
    [[nodiscard]] bool is_zoomed() const;

    void copy_image();
    /// The suffix selects the format: .png (twice the size), .svg or .csv.
    [[nodiscard]] std::expected<void, QString> write(const QString& path);
    [[nodiscard]] QString csv() const;
    void export_file(); ///< asks the user for a file

    [[nodiscard]] ChartView* view() const { return view_; }

Q_SIGNALS:
    void picked(const QVariant& key); ///< a bar, point or curve was clicked
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void fill_menu(QMenu& menu);

    ChartView* view_;
    // The axes as set by the caller; the user may have chosen another scale for them.
    ChartAxis given_x_;
    ChartAxis given_y_;
    PlotMenuButton* tools_;
};

} // namespace sparsight
