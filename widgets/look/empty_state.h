// What stands where there is nothing yet: what this place is for and what to do next.
#pragma once

#include <QIcon>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sparsight {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    EmptyState(const QIcon& icon, const QString& title, const QString& text, QWidget* parent = nullptr);

    void set_icon(const QIcon& icon);
    void set_icon_dimmed(bool dimmed); ///< true unless said otherwise: a picture in its own colours is not
    void set_title(const QString& title);
    void set_text(const QString& text); ///< may hold links: link_activated
    /// The first one is the primary button; four fit into a line.
    QPushButton* add_button(const QString& text, const QIcon& icon = {});

Q_SIGNALS:
    void link_activated(const QString& link);

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();

    QIcon symbol_;
    bool dimmed_ = true;
    QLabel* picture_;
    QLabel* title_;
    QLabel* text_;
    QHBoxLayout* buttons_;
};

} // namespace sparsight
