// A line that gives way: a long text, or one of several lines, is cut off at its end instead of making the
// window wider or higher.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <optional>

namespace sparsight {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr)
        : QLabel(parent) {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    }

    [[nodiscard]] QSize minimumSizeHint() const override {
        return {fontMetrics().averageCharWidth() * 6, fontMetrics().height()};
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(text().simplified()) + 1, fontMetrics().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text().simplified(), Qt::ElideRight, width()));
    }
};

// A short text that is left out where there is no room for it, instead of lying over its neighbours.

class OptionalLabel : public QLabel {
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    [[nodiscard]] bool has_room() const { return width() >= sizeHint().width(); }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (has_room())
            QLabel::paintEvent(event);
    }
};

// A short word in a rounded field, with a dot in the colour of what it stands for: a machine, a family, a
// state.

class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& text = {}, QWidget* parent = nullptr);

    void set_colour(const std::optional<QColor>& colour); ///< of the dot; none without one
    void set_clickable(bool clickable);                   ///< takes the focus and lights up under the mouse
    void set_hatched(bool hatched);                       ///< "sim", "pred": never mistaken for measured

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<QColor> colour_;
    bool clickable_ = false;
    bool hatched_ = false;
};

// A word of the field is explained where it stands: on hover in a sentence, on a click in Help.

class InfoButton : public QToolButton {
    Q_OBJECT
public:
    /// explanation: one or two sentences; topic: the page of Help, empty if there is none.
    InfoButton(const QString& explanation, const QString& topic, QWidget* parent = nullptr);

    [[nodiscard]] QString topic() const { return topic_; }

Q_SIGNALS:
    void help_requested(const QString& topic);

private:
    QString topic_;
};

/// Rich text for a tooltip that breaks its lines: a bold title above the text.
[[nodiscard]] QString explained_tooltip(const QString& title, const QString& text);

} // namespace sparsight
