#include "gui/decisions/decisions_view.h"

#include "gui/page/domain_words.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/parallel/parallel_plot.h"
#include "widgets/chart/plots/heat_map.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <initializer_list>
#include <utility>

namespace sparsight {

DecisionsView::DecisionsView(std::function<const TimeSet&()> shown, QWidget* parent)
    : QWidget(parent)
    , shown_(std::move(shown))
    , plot_(new QComboBox(this))
    , clear_(new QPushButton(tr("Clear &brushes"), this))
    , pair_choice_(new QWidget(this))
    , across_(new QComboBox(pair_choice_))
    , down_(new QComboBox(pair_choice_))
    , plots_(new QStackedWidget(this))
    , lines_(new ParallelPlot(plots_))
    , pairs_(new HeatMap(plots_))
    , distribution_(new Chart(plots_)) {
    setObjectName(QStringLiteral("decisions"));
    build();
    connect(plot_, &QComboBox::currentIndexChanged, this, &DecisionsView::show_plot);
    connect(clear_, &QPushButton::clicked, lines_, &ParallelPlot::clear_brushes);
    connect(lines_, &ParallelPlot::brushes_changed, this, &DecisionsView::show_kept);
    connect(lines_, &ParallelPlot::picked, this, &DecisionsView::picked);
    connect(pairs_, &HeatMap::went, this, [this](const QString& row, const QString& column) {
        const QString fastest =
            pair() ? fastest_of(space_, kept_, *pair(), {column.toULongLong(), row.toULongLong()})
                   : QString();
        if (!fastest.isEmpty())
            Q_EMIT picked(fastest);
    });
    connect(distribution_, &Chart::picked, this,
            [this](const QVariant& key) { Q_EMIT picked(key.toString()); });
    for (QComboBox* const box : {across_, down_})
        connect(box, &QComboBox::currentIndexChanged, this, &DecisionsView::show_pair);
    show_plot();
}

void DecisionsView::build() {
    lines_->setObjectName(QStringLiteral("decision-lines"));
    pairs_->setObjectName(QStringLiteral("decision-pairs"));
    pairs_->setAccessibleName(tr("Map over two decisions"));
    distribution_->setObjectName(QStringLiteral("time-distribution"));
    distribution_->setAccessibleName(tr("Distribution of times"));
    distribution_->set_title(tr("Distribution of times"));
    ChartAxis across;
    across.title = tr("time");
    across.format = ValueFormat::Duration;
    across.logarithmic = true;
    distribution_->set_x_axis(across);
    for (QWidget* const plot : std::initializer_list<QWidget*>{lines_, pairs_, distribution_})
        plots_->addWidget(plot);
    build_choices();
    auto* const row = new QHBoxLayout;
    row->setSpacing(grid_step);
    auto* const name = new QLabel(tr("&Plot"), this);
    name->setBuddy(plot_);
    for (QWidget* const part : std::initializer_list<QWidget*>{name, plot_, clear_, pair_choice_})
        row->addWidget(part);
    row->addStretch(1);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step);
    column->addLayout(row);
    column->addWidget(plots_, 1);
}

void DecisionsView::build_choices() {
    plot_->setObjectName(QStringLiteral("decision-plot"));
    plot_->addItems({tr("All decisions"), tr("Two decisions"), tr("Distribution of times")});
    clear_->setObjectName(QStringLiteral("clear-brushes"));
    clear_->setToolTip(tr("Show all again. Drag along an axis of “All decisions” to make a brush; it holds "
                          "for all three plots."));
    clear_->setEnabled(false);
    across_->setObjectName(QStringLiteral("pair-across"));
    down_->setObjectName(QStringLiteral("pair-down"));
    auto* const row = new QHBoxLayout(pair_choice_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    const auto add = [&](const QString& name, QComboBox* box) {
        auto* const label = new QLabel(name, pair_choice_);
        label->setBuddy(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(label);
        row->addWidget(box);
    };
    add(tr("&Columns"), across_);
    add(tr("&Rows"), down_);
}

void DecisionsView::set_noun(const Noun& configuration) {
    configuration_ = configuration;
    ChartAxis up;
    up.title = many(configuration);
    up.format = ValueFormat::Count;
    distribution_->set_y_axis(up);
    lines_->set_empty_text(tr("No times are known here."));
    distribution_->set_empty_text(tr("No times are known here."));
}

void DecisionsView::set_changed() {
    is_stale_ = true;
    if (isVisible())
        follow();
}

void DecisionsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (is_stale_)
        follow();
}

void DecisionsView::follow() {
    is_stale_ = false;
    space_ = decision_space(shown_());
    lines_->set_picture(space_.empty() ? ParallelPicture() : lines_picture(space_, configuration_));
    fill_decisions();
    show_kept();
}

/// Those that were chosen stay so, where they are there.
void DecisionsView::fill_decisions() {
    const QString across = across_->currentText();
    const QString down = down_->currentText();
    const QSignalBlocker quiet_across(across_);
    const QSignalBlocker quiet_down(down_);
    for (QComboBox* const box : {across_, down_}) {
        box->clear();
        for (const QString& title : space_.titles)
            box->addItem(title);
    }
    const auto telling = telling_pair(space_);
    if (!telling)
        return;
    across_->setCurrentIndex(static_cast<int>(telling->across));
    down_->setCurrentIndex(static_cast<int>(telling->down));
    if (across_->findText(across) >= 0 && down_->findText(down) >= 0) {
        across_->setCurrentText(across);
        down_->setCurrentText(down);
    }
}

std::optional<DecisionPair> DecisionsView::pair() const {
    if (space_.empty() || across_->currentIndex() < 0 || across_->currentIndex() == down_->currentIndex())
        return std::nullopt;
    return DecisionPair{static_cast<std::size_t>(across_->currentIndex()),
                        static_cast<std::size_t>(down_->currentIndex())};
}

void DecisionsView::show_plot() {
    const int plot = plot_->currentIndex();
    plots_->setCurrentIndex(plot);
    pair_choice_->setVisible(plots_->currentWidget() == pairs_);
    setFocusProxy(plots_->currentWidget());
    show_pair();
}

void DecisionsView::show_kept() {
    const bool is_brushed = has_brush(lines_->brushes());
    clear_->setEnabled(is_brushed);
    kept_ = is_brushed ? lines_->fitting() : space_.all_rows();
    show_pair();
}

/// The plots that are hidden wait, so that a brush follows the hand.
void DecisionsView::show_pair() {
    if (plots_->currentWidget() == pairs_)
        fill_map();
    show_marks();
}

void DecisionsView::fill_map() {
    pairs_->set_empty_text(space_.titles.size() < 2
                               ? tr("At least two decisions with more than one value are needed.")
                               : tr("Choose two different decisions."));
    pairs_->set_picture(pair() ? pair_picture(space_, kept_, *pair(), configuration_) : HeatPicture());
}

void DecisionsView::show_marks() {
    lines_->set_selected(selected_);
    if (plots_->currentWidget() == pairs_)
        pairs_->set_marked(pair() ? cell_of(space_, *pair(), selected_) : std::nullopt);
    if (plots_->currentWidget() == distribution_)
        distribution_->set_series(time_distribution(space_, kept_, selected_, configuration_));
}

bool DecisionsView::is_settled() const {
    return lines_->is_settled();
}

void DecisionsView::set_selected(const QString& configuration) {
    if (selected_ == configuration)
        return;
    selected_ = configuration;
    if (!is_stale_)
        show_marks();
}

} // namespace sparsight
