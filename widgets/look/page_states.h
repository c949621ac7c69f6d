// A message that stands in the page instead of in the way: with a way to close it and at most one action.
#pragma once

#include <QFrame>
#include <QIcon>
#include <QObject>
#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QHBoxLayout;

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

// What stands where there is nothing yet: what this place is for and what to do next.

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

// What is still on the screen though something else was asked for is paler until the answer is there.

class Staleness : public QObject {
    Q_OBJECT
public:
    /// For answers that come within this time nothing flickers.
    static constexpr std::chrono::milliseconds patience{150};

    /// Owned by `owner`, of whose children the widgets are some.
    Staleness(std::vector<QWidget*> widgets, QObject* owner);

    void begin();
    void end();
    [[nodiscard]] bool is_shown() const { return is_shown_; }

private:
    void show();

    std::vector<QWidget*> widgets_;
    QTimer wait_;
    bool is_shown_ = false;
};

} // namespace sparsight
