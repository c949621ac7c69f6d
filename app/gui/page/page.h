// One entry of the navigation bar. A page shows what the selection says and changes it; whatever concerns
// another page it asks the shell for, by a signal.
#pragma once

#include <QByteArray>
#include <QIcon>
#include <QString>
#include <QWidget>

namespace sparsight {

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

} // namespace sparsight
