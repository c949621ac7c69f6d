#include "gui/shell/start_pages.h"

#include "gui/icons/icon.h"
#include "gui/settings/settings.h"
#include "widgets/look/card.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int most_recent = 6;
constexpr int column_width = 720;

} // namespace

WelcomePage::WelcomePage(UserSettings& settings, QWidget* parent)
    : QWidget(parent)
    , settings_(settings)
    , start_(
          new EmptyState(application_icon(), tr("Find the fastest way to run it, and see why"),
                         tr("Bring in workloads and their measured times, or measure on this computer. Train "
                            "models that predict the fastest configuration, and see what made it fast."),
                         this))
    , recent_(new QVBoxLayout)
    , recent_box_(new QWidget(this)) {
    start_->set_icon_dimmed(false);

    auto* card = new Card(tr("Workspaces used last"), this);
    auto* content = new QWidget(card);
    content->setLayout(recent_);
    recent_->setContentsMargins(0, 0, 0, 0);
    recent_->setSpacing(2);
    card->set_content(content);
    card->set_content_margins(grid_step);
    auto* box = new QVBoxLayout(recent_box_);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(card);
    recent_box_->setMaximumWidth(column_width);
    auto* recent_row = new QHBoxLayout;
    recent_row->addStretch(1);
    recent_row->addWidget(recent_box_, 1000);
    recent_row->addStretch(1);

    auto* whole = new QWidget(this);
    auto* column = new QVBoxLayout(whole);
    column->addStretch(2);
    column->addWidget(start_);
    column->addLayout(recent_row);
    column->addStretch(3);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(new ColumnScroll(whole, this));
    connect(&settings_, &UserSettings::changed, this, [this](const QString& key) {
        if (key == settings_.recent.key())
            show_recent();
    });
    show_recent();
}

void WelcomePage::add_command(const StartCommand& command) {
    QPushButton* const button =
        start_->add_button(command.text, has_commands_ ? icon(command.icon) : icon_on_accent(command.icon));
    has_commands_ = true;
    connect(button, &QPushButton::clicked, command.action, &QAction::trigger);
}

void WelcomePage::show_recent() {
    const QStringList workspaces = settings_.recent.get();
    while (QLayoutItem* item = recent_->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& path : workspaces.mid(0, most_recent)) {
        const QFileInfo file(path);
        auto* button =
            new QPushButton(icon(QStringLiteral("open")),
                            tr("%1   —   %2").arg(file.completeBaseName(), file.absolutePath()), this);
        button->setFlat(true);
        button->setStyleSheet(QStringLiteral("text-align: left"));
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a path may be long
        button->setEnabled(file.exists());
        button->setToolTip(file.exists() ? path : tr("%1 is not there any more.").arg(path));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT recent_chosen(path); });
        recent_->addWidget(button);
    }
    recent_box_->setVisible(!workspaces.isEmpty());
}

LostWorkspacePage::LostWorkspacePage(QMenu& recent, QWidget* parent)
    : QWidget(parent)
    , state_(new EmptyState(this)) {
    setObjectName(QStringLiteral("lost-workspace"));
    state_->set_icon(icon(QStringLiteral("warning")));
    auto* retry = state_->add_button(tr("&Try again"), icon_on_accent(QStringLiteral("refresh")));
    auto* open = state_->add_button(tr("&Open workspace…"), icon(QStringLiteral("open")));
    auto* others = state_->add_button(tr("&Recent"));
    auto* close = state_->add_button(tr("&Close it"), icon(QStringLiteral("close")));
    others->setMenu(&recent);
    connect(retry, &QPushButton::clicked, this, &LostWorkspacePage::retry_requested);
    connect(open, &QPushButton::clicked, this, &LostWorkspacePage::open_requested);
    connect(close, &QPushButton::clicked, this, &LostWorkspacePage::close_requested);
    auto* column = new QVBoxLayout(this);
    column->addStretch(2);
    column->addWidget(state_);
    column->addStretch(3);
}

void LostWorkspacePage::show_workspace(const QString& path) {
    const QFileInfo file(path);
    state_->set_title(tr("%1 is not there any more").arg(file.completeBaseName()));
    state_->set_text(tr("<p>%1</p><p>The file was moved, renamed or removed, or its disk is not connected. "
                        "The window shows it again when it is back.</p>")
                         .arg(path.toHtmlEscaped()));
}

} // namespace sparsight
