// The states of a page beside its content: a banner with a message, an empty state that says what to do next,
// and staleness while a new answer is awaited.
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

namespace sparsight {

class FlowLayout;

enum class Severity { Information, Warning, Error };

/// A message inside the page, which does not block it, with a button to close it and at most one action.
class Banner : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr); ///< hidden until there is a message

    void show_message(Severity severity, const QString& text, const QString& action = {});
    void close_message(); ///< hides the banner and emits closed()

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

/// Shown where there is no content yet: what this place is for and what to do next.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    EmptyState(const QIcon& icon, const QString& title, const QString& text, QWidget* parent = nullptr);

    void set_icon(const QIcon& icon);
    void set_icon_dimmed(bool dimmed); ///< true by default; set it to false for a picture in its own colours
    void set_title(const QString& title);
    void set_text(const QString& text); ///< may contain links: link_activated
    /// The first button is the primary one; those that do not fit wrap to the next line.
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
    FlowLayout* buttons_;
};

/// Makes widgets paler while they still show the answer to an earlier request.
class Staleness : public QObject {
    Q_OBJECT
public:
    /// An answer that comes within this time causes no flicker.
    static constexpr std::chrono::milliseconds patience{150};

    /// Owned by `owner`, an ancestor of the widgets.
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
