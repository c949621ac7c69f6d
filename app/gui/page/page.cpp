#include "gui/page/page.h"

#include <QAction>
#include <QChildEvent>
#include <QDir>
#include <QVariant>

namespace sparsight {

QString general_id(PagePlace place) {
    switch (place) {
    case PagePlace::Workloads:
        return QStringLiteral("workloads");
    case PagePlace::Machines:
        return QStringLiteral("machines");
    case PagePlace::Configurations:
        return QStringLiteral("configurations");
    case PagePlace::Train:
        return QStringLiteral("train");
    case PagePlace::FineTune:
        return QStringLiteral("finetune");
    case PagePlace::Search:
        return QStringLiteral("search");
    case PagePlace::Results:
        return QStringLiteral("results");
    case PagePlace::Failures:
        return QStringLiteral("failures");
    case PagePlace::WhatIf:
        return QStringLiteral("whatif");
    case PagePlace::Help:
        return QStringLiteral("help");
    }
    return {};
}

QString general_help_topic(PagePlace place) {
    switch (place) {
    case PagePlace::Workloads:
    case PagePlace::Configurations:
        return QStringLiteral("domains");
    case PagePlace::Machines:
        return QStringLiteral("machines");
    case PagePlace::Train:
        return QStringLiteral("training");
    case PagePlace::FineTune:
        return QStringLiteral("fine-tuning");
    case PagePlace::Search:
        return QStringLiteral("search");
    case PagePlace::Results:
        return QStringLiteral("results");
    case PagePlace::Failures:
        return QStringLiteral("failures");
    case PagePlace::WhatIf:
        return QStringLiteral("what-if");
    case PagePlace::Help:
        return QStringLiteral("index");
    }
    return {};
}

namespace {

constexpr const char* tip_property = "tip";

} // namespace

void set_availability(QAction& action, const QString& reason_against) {
    if (!action.property(tip_property).isValid())
        action.setProperty(tip_property, action.toolTip());
    action.setEnabled(reason_against.isEmpty());
    action.setToolTip(reason_against.isEmpty() ? action.property(tip_property).toString() : reason_against);
}

namespace {

QString saving() {
    return QStringLiteral("save");
}

} // namespace

ExportNotices::ExportNotices(QWidget& where)
    : QObject(&where) {
    listen_to(where);
    for (QWidget* widget : where.findChildren<QWidget*>())
        listen_to(*widget);
}

/// May be called again: connections are made only once.
void ExportNotices::listen_to(QWidget& widget) {
    widget.installEventFilter(this); // for children added later
    if (widget.metaObject()->indexOfSignal("exported_to(QString)") < 0)
        return;
    connect(&widget, SIGNAL(exported_to(QString)), this, SLOT(tell_saved(QString)), Qt::UniqueConnection);
    connect(&widget, SIGNAL(export_failed(QString)), this, SLOT(tell_failed(QString)), Qt::UniqueConnection);
}

/// A child is not fully constructed when it is added; it is when it is polished, before it is first shown.
bool ExportNotices::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ChildPolished)
        if (auto* child = qobject_cast<QWidget*>(static_cast<QChildEvent*>(event)->child())) {
            listen_to(*child);
            for (QWidget* widget : child->findChildren<QWidget*>())
                listen_to(*widget);
        }
    return QObject::eventFilter(watched, event);
}

void ExportNotices::tell_saved(const QString& path) {
    Q_EMIT notice(Page::tr("Saved as %1").arg(QDir::toNativeSeparators(path)), false, saving());
}

void ExportNotices::tell_failed(const QString& reason) {
    Q_EMIT notice(reason, true, saving());
}

void tell_of_exports(Page& page) {
    QObject::connect(new ExportNotices(page), &ExportNotices::notice, &page, &Page::notice);
}

} // namespace sparsight
