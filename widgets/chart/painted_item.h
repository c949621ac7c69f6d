// Part of a picture of Qt Charts that we paint ourselves.
#pragma once

#include <QGraphicsItem>
#include <QPainter>
#include <functional>
#include <utility>

namespace sparsight {

class PaintedItem : public QGraphicsItem {
public:
    PaintedItem(QGraphicsItem* parent, double z, std::function<void(QPainter&)> paint_it)
        : QGraphicsItem(parent)
        , paint_it_(std::move(paint_it)) {
        setZValue(z);
    }

    void resize(const QRectF& rect) {
        prepareGeometryChange();
        rect_ = rect;
    }

    QRectF boundingRect() const override { return rect_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        paint_it_(*painter);
        painter->restore();
    }

private:
    std::function<void(QPainter&)> paint_it_;
    QRectF rect_;
};

} // namespace sparsight
