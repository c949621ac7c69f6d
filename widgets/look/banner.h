// A message that stands in the page instead of in the way: with a way to close it and at most one action.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace sparsight {

enum class Severity { Information, Warning, Error };

class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr); ///< hidden until there is a message

    void show_message(Severity severity, const QString& text, const QString& action = {});
    void close_message(); ///< hides it and emits closed()

    [[nodiscard]] Severity severity() const { return severity_; }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void action_triggered();
    void closed();
    void link_activated(const QString& link);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void dress();

    Severity severity_ = Severity::Information;
    QLabel* symbol_;
    QLabel* text_;
    QPushButton* action_;
    QToolButton* close_;
};

} // namespace sparsight
