#include "gui/selection/selection_panel.h"

#include "gui/workspace/workspace_session.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

SelectionPanel::SelectionPanel(Services services, const TrainingRuns& runs, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , content_(new QWidget(this))
    , column_(new QVBoxLayout(content_)) {
    column_->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column_->setSpacing(grid_step);
    auto* const machine = new MachineCard(services, this);
    auto* const model = new ModelCard(services, runs, this);
    for (SelectionCard* const card : std::initializer_list<SelectionCard*>{machine, model}) {
        column_->addWidget(card);
        connect(card, &SelectionCard::page_requested, this, &SelectionPanel::page_requested);
    }
    column_->addStretch(1);
    add_cards({{}, new WorkloadCard(services, this), new ConfigurationCard(services, this)});
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content_);
    content_->installEventFilter(this);
    fit_width();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &SelectionPanel::show_domain);
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
}

/// Makes the panel as wide as its facts, also in large type and beside the scroll bar that large type needs.
void SelectionPanel::fit_width() {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    setMinimumWidth(
        std::max(fontMetrics().averageCharWidth() * 28, content_->minimumSizeHint().width() + bar));
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
    return QWidget::eventFilter(watched, event);
}

} // namespace sparsight
