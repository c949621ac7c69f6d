#include "gui/selection/selection_panel.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/labels.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {

SelectionPanel::SelectionPanel(Services services, const TrainingRuns& runs, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , machine_(new MachineCard(services, this))
    , model_(new ModelCard(services, runs, this))
    , content_(new QWidget(this))
    , column_(new QVBoxLayout(content_))
    , scroll_(new QScrollArea(this))
    , icon_column_(new QWidget(this))
    , icons_(new QVBoxLayout(icon_column_)) {
    column_->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column_->setSpacing(grid_step);
    for (SelectionCard* const card : {machine_, model_}) {
        column_->addWidget(card);
        connect(card, &SelectionCard::page_requested, this, &SelectionPanel::page_requested);
    }
    column_->addStretch(1);
    icons_->setContentsMargins(grid_step / 2, 0, grid_step / 2, grid_step);
    icons_->setSpacing(grid_step / 2);
    icons_->addStretch(1);
    add_cards({{}, new WorkloadCard(services, this), new ConfigurationCard(services, this)});
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // facts wrap
    scroll_->setWidget(content_);
    content_->installEventFilter(this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll_);
    outer->addWidget(icon_column_);
    set_folded(false);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &SelectionPanel::show_domain);
    connect(&services_.selection, &Selection::changed, this, &SelectionPanel::show_icons);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &SelectionPanel::show_icons);
}

void SelectionPanel::set_cards(std::string domain, SelectionCard* workload, SelectionCard* configuration) {
    add_cards({std::move(domain), workload, configuration});
}

/// The workload stands before the machine, the configuration behind it.
void SelectionPanel::add_cards(DomainCards cards) {
    column_->insertWidget(0, cards.workload);
    column_->insertWidget(column_->count() - 2, cards.configuration);
    for (const SelectionCard* const card : {cards.workload, cards.configuration})
        connect(card, &SelectionCard::page_requested, this, &SelectionPanel::page_requested);
    of_domains_.push_back(std::move(cards));
    show_domain();
}

void SelectionPanel::show_domain() {
    auto shown = std::ranges::find(of_domains_, services_.session.domain().name(), &DomainCards::domain);
    if (shown == of_domains_.end())
        shown = of_domains_.begin();
    for (const DomainCards& cards : of_domains_) {
        cards.workload->setVisible(&cards == &*shown);
        cards.configuration->setVisible(&cards == &*shown);
    }
    show_icons();
}

void SelectionPanel::set_folded(bool is_folded) {
    is_folded_ = is_folded;
    scroll_->setVisible(!is_folded);
    icon_column_->setVisible(is_folded);
    fit_width();
}

/// What is selected, in the order of the cards.
void SelectionPanel::show_icons() {
    const Selected now = services_.selection.current();
    const DomainWords words = services_.session.domain().words();
    const MachineRecord* const machine =
        services_.session.machine(now.machine.isEmpty() ? services_.session.this_machine() : now.machine);
    struct Subject {
        const char* icon;
        QString title;
        QString name;
    };
    const std::array subjects{
        Subject{"matrices", title_of_one(words.workload), now.workload},
        Subject{"machines", tr("Machine"),
                machine != nullptr ? QString::fromStdString(machine->name) : QString()},
        Subject{"schedules", title_of_one(words.configuration), now.configuration},
        Subject{"train", tr("Model"), now.model},
    };
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto& [symbol, title, name] = subjects[i];
        const int place = static_cast<int>(i);
        if (icons_->count() <= place + 1) {
            auto* const made = new QToolButton(icon_column_);
            made->setObjectName(QStringLiteral("selected-%1").arg(QLatin1String(symbol)));
            made->setIcon(icon(QLatin1String(symbol)));
            made->setIconSize({20, 20});
            made->setAutoRaise(true);
            connect(made, &QToolButton::clicked, this, &SelectionPanel::cards_requested);
            icons_->insertWidget(place, made);
        }
        auto* const button = static_cast<QToolButton*>(icons_->itemAt(place)->widget());
        const QString text = tr("%1: %2").arg(title, name.isEmpty() ? tr("none selected") : name);
        button->setAccessibleName(text);
        button->setToolTip(explained_tooltip({}, text));
    }
}

void SelectionPanel::pop_up() {
    auto* const frame = new QFrame(this, Qt::Popup);
    frame->setObjectName(QStringLiteral("selection-over-window"));
    frame->setAttribute(Qt::WA_DeleteOnClose);
    frame->setFrameShape(QFrame::StyledPanel);
    auto* const outer = new QVBoxLayout(frame);
    outer->setContentsMargins(1, 1, 1, 1);
    outer->addWidget(scroll_);
    scroll_->show();
    connect(this, &SelectionPanel::page_requested, frame, &QWidget::close);
    // Before the frame is deleted with what is in it.
    frame->installEventFilter(this);
    const int width = cards_width();
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const int needed = content_->heightForWidth(width - bar);
    const int height =
        std::min(std::max(needed, content_->sizeHint().height()) + 2 * grid_step, window()->height() * 3 / 4);
    frame->resize(width, height);
    frame->move(mapToGlobal(QPoint(-width - grid_step / 2, 0)));
    frame->show();
    scroll_->setFocus(Qt::PopupFocusReason);
}

int SelectionPanel::cards_width() const {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const int letter = fontMetrics().averageCharWidth();
    return std::clamp(content_->minimumSizeHint().width() + bar, letter * 28, letter * 44);
}

void SelectionPanel::fit_width() {
    if (is_folded_) {
        setFixedWidth(icon_column_->minimumSizeHint().width());
        return;
    }
    setMaximumWidth(QWIDGETSIZE_MAX);
    setMinimumWidth(cards_width());
}

QSize SelectionPanel::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 38, QWidget::sizeHint().height()};
}

void SelectionPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit_width();
}

bool SelectionPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == content_ && event->type() == QEvent::LayoutRequest)
        fit_width();
    if (watched != content_ && event->type() == QEvent::Close) {
        static_cast<QVBoxLayout*>(layout())->insertWidget(0, scroll_);
        scroll_->setVisible(!is_folded_);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sparsight
