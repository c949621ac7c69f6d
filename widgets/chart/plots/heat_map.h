// A matrix as coloured cells. A click or the arrow keys go to a cell.
#pragma once

#include "widgets/chart/plots/heat_picture.h"

#include <QWidget>

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class HeatMap : public QWidget {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    void set_picture(HeatPicture picture);
    [[nodiscard]] const HeatPicture& picture() const { return picture_; }
    /// Frames the row of this key, and writes its names bold; an empty key selects nothing.
    void set_selected(const QString& key);
    [[nodiscard]] const QString& selected() const { return selected_; }
    void set_empty_text(const QString& text);

    /// The centre of a cell, in pixels.
    [[nodiscard]] QPointF place_of(const HeatCell& cell) const;
    [[nodiscard]] QString tooltip_of(const HeatCell& cell) const;
    [[nodiscard]] ExportedPicture exported() const; ///< in light colours

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void went(const QString& row, const QString& column); ///< keys of the cell

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] HeatLayout laid_out() const;
    void go(const HeatCell& cell);
    void step(int columns, int rows);

    HeatPicture picture_;
    QString selected_;
    QString empty_text_;
    std::optional<HeatCell> here_;
    std::optional<HeatCell> lit_;
    PlotMenuButton* tools_;
};

} // namespace sparsight
