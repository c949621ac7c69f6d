// Small labels: a line that is elided, a text that hides where there is no space, a word in a chip, an info
// button, and the rich text of tooltips.
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <optional>

namespace sparsight {

/// A long text, or a text of several lines, is cut off at its end instead of making the window wider or
/// higher.
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

/// A short text that is hidden where there is not enough space for it, so that it does not overlap its
/// neighbours.
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

/// A short word in a rounded field with a coloured dot, for a machine, a family or a state.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& text = {}, QWidget* parent = nullptr);

    void set_colour(const std::optional<QColor>& colour); ///< colour of the dot; absent: no dot
    void set_clickable(bool clickable); ///< takes the focus and is highlighted under the mouse
    /// For "sim" and "pred", so that they are not mistaken for measured values.
    void set_hatched(bool hatched);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<QColor> colour_;
    bool clickable_ = false;
    bool hatched_ = false;
};

/// Explains a technical term where it stands: a sentence in a tooltip, and a page of the help on a click.
class InfoButton : public QToolButton {
    Q_OBJECT
public:
    /// explanation: one or two sentences; topic: the page of the help, empty if there is none.
    InfoButton(const QString& explanation, const QString& topic, QWidget* parent = nullptr);

    [[nodiscard]] QString topic() const { return topic_; }

Q_SIGNALS:
    void help_requested(const QString& topic);

private:
    QString topic_;
};

/// Rich text for a tooltip that wraps its lines: a bold title above the text.
[[nodiscard]] QString explained_tooltip(const QString& title, const QString& text);

} // namespace sparsight
