// The base class of the window's pages, the services that pages share, and what every page does in the same
// way: disabled commands say why, and exports report where the file was written or why not.
#pragma once

#include <QByteArray>
#include <QIcon>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

class QAction;
class QWidget;

namespace sparsight {

class Domain;
class JobService;
class Selection;
class UserSettings;
class WorkspaceSession;

struct Services {
    UserSettings& settings;
    WorkspaceSession& session;
    Selection& selection;
    JobService& jobs;
};

/// What a page is for, in the order of the navigation bar. A domain may have a page of its own for a place;
/// else it has the general one. Where there is neither, the domain has no such page.
enum class PagePlace {
    Workloads,
    Machines,
    Configurations,
    Train,
    FineTune,
    Search,
    Results,
    Failures,
    WhatIf,
    Help
};

/// The id of the general page of a place: it names the page of the place in every domain. "configurations"
[[nodiscard]] QString general_id(PagePlace place);
/// The page of the help about a place: "training"
[[nodiscard]] QString general_help_topic(PagePlace place);

/// A part of a page that the search finds: a slider, a row of a table.
struct PagePart {
    QString key;  ///< of focus_part()
    QString name; ///< "SIMD width"
    QString kind; ///< "machine parameter"
    QString text; ///< what it means
};

/// One entry of the navigation bar. A page shows the selection and changes it; it asks the shell by a signal
/// for anything that concerns another page. Pages do not know each other.
class Page : public QWidget {
    Q_OBJECT

public:
    /// `id` is stable: settings, links and --screenshot name pages by it.
    Page(PagePlace place, QString id, QString title, QString icon, QWidget* parent = nullptr)
        : QWidget(parent)
        , place_(place)
        , id_(std::move(id))
        , title_(std::move(title))
        , icon_(std::move(icon)) {}

    [[nodiscard]] const QString& id() const { return id_; }
    [[nodiscard]] PagePlace place() const { return place_; }
    /// In the words of the domain.
    [[nodiscard]] virtual QString title(const Domain& domain) const {
        static_cast<void>(domain);
        return title_;
    }
    [[nodiscard]] const QString& icon_name() const { return icon_; }
    /// What F1 shows.
    [[nodiscard]] virtual QString help_topic() const { return general_help_topic(place_); }
    [[nodiscard]] virtual std::vector<PagePart> parts() const { return {}; }
    /// Shows a part of this page, which is shown itself, and puts the focus on it.
    virtual void focus_part(const QString& key) { static_cast<void>(key); }

    /// Widths of columns and panes, to be restored at the next start.
    [[nodiscard]] virtual QByteArray layout_state() const { return {}; }
    virtual void restore_layout(const QByteArray&) {}
    /// Whether the page is complete: nothing is being loaded or drawn. For screenshots.
    [[nodiscard]] virtual bool is_settled() const { return true; }
    /// A lesson compares these, in the form of the domain; none: those that the page chooses. False where the
    /// page can't.
    virtual bool show_configurations(const QStringList& configurations) {
        static_cast<void>(configurations);
        return false;
    }

Q_SIGNALS:
    /// A message that needs no answer. A problem stays shown until its action succeeds: `action` is the
    /// page's own name for the action, and any notice with that name that is no problem reports the success;
    /// its text may be empty.
    void notice(const QString& text, bool is_problem, const QString& action = {});
    void help_requested(const QString& topic);

private:
    PagePlace place_;
    QString id_;
    QString title_;
    QString icon_;
};

/// Without a reason the action is enabled and has its own tooltip; otherwise it is disabled, and the tooltip
/// gives the reason.
void set_availability(QAction& action, const QString& reason_against);

/// Reports the exported files of all widgets in a widget that have the signals exported_to(path) and
/// export_failed(reason), also of those added to it later.
class ExportNotices : public QObject {
    Q_OBJECT

public:
    explicit ExportNotices(QWidget& where);

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private Q_SLOTS:
    void tell_saved(const QString& path);
    void tell_failed(const QString& reason);

private:
    void listen_to(QWidget& widget);
};

/// Turns the reports of exports into notices of the page.
void tell_of_exports(Page& page);

} // namespace sparsight
