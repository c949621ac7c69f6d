// What the window's parts share; made once by the program (or a test) and handed down. Pages take from it
// what they need and do not know each other.
#pragma once

#include <QByteArray>
#include <QIcon>
#include <QObject>
#include <QString>
#include <QWidget>

class QAction;
class QWidget;

namespace sparsight {

class JobService;
class MatrixLoader;
class Selection;
class UserSettings;
class WorkspaceSession;

struct Services {
    UserSettings& settings;
    WorkspaceSession& session;
    MatrixLoader& matrices;
    Selection& selection;
    JobService& jobs;
};

// One entry of the navigation bar. A page shows what the selection says and changes it; whatever concerns
// another page it asks the shell for, by a signal.

class Page : public QWidget {
    Q_OBJECT

public:
    /// `id` is stable: settings, links and --screenshot name pages by it.
    Page(QString id, QString title, QString icon, QWidget* parent = nullptr)
        : QWidget(parent)
        , id_(std::move(id))
        , title_(std::move(title))
        , icon_(std::move(icon)) {}

    [[nodiscard]] const QString& id() const { return id_; }
    [[nodiscard]] const QString& title() const { return title_; }
    [[nodiscard]] const QString& icon_name() const { return icon_; }

    /// Widths of columns and panes, to be restored next time.
    [[nodiscard]] virtual QByteArray layout_state() const { return {}; }
    virtual void restore_layout(const QByteArray&) {}
    /// Whether what it shows is complete: nothing is being loaded or drawn. For screenshots.
    [[nodiscard]] virtual bool is_settled() const { return true; }

Q_SIGNALS:
    /// Something to tell that needs no answer. A problem stays until the action that it came of goes well:
    /// `action` is the page's own word for it, and any notice of it that is no problem says so, without a
    /// text if there is nothing else to tell.
    void notice(const QString& text, bool is_problem, const QString& action = {});
    void help_requested(const QString& topic);
    void import_requested(const QStringList& files);
    void simulate_requested();

private:
    QString id_;
    QString title_;
    QString icon_;
};

// Commands that can't be given now say why.

/// Enabled with no reason, its own tooltip shown; otherwise disabled, and the tooltip says why.
void set_availability(QAction& action, const QString& reason_against);

// Whoever saves a picture or a table is told where it went, or why it did not.

class Page;

/// Hears of the files of all charts, tables, plots and pictures in a widget, also of those that come into it
/// later.
class ExportNotices : public QObject {
    Q_OBJECT

public:
    explicit ExportNotices(QWidget& where);

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void listen_to(QWidget& widget);
    void tell_saved(const QString& path);
    void tell_failed(const QString& reason);
    void tell_unwritten(const QString& path, const QString& reason);
    template <class Widget, class Saved>
    void listen_to_kind(QWidget& widget, Saved Widget::* saved);
};

/// Makes them notices of the page.
void tell_of_exports(Page& page);

} // namespace sparsight
