#include "gui/failures/reason_views.h"

#include "widgets/chart/chart.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int chart_height = 250;

} // namespace

ReasonChartView::ReasonChartView(const QString& title, QWidget* parent)
    : QWidget(parent)
    , title_(new QLabel(title, this))
    , chart_(new Chart(this))
    , remark_(new QLabel(this)) {
    title_->setWordWrap(true);
    chart_->setFixedHeight(chart_height);
    chart_->setAccessibleName(title);
    keep_font(*remark_, caption_font);
    remark_->setWordWrap(true);
    remark_->setForegroundRole(QPalette::PlaceholderText);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(title_);
    column->addWidget(chart_);
    column->addWidget(remark_);
}

void ReasonChartView::show_chart(const ReasonChart& chart) {
    chart_->set_x_axis(chart.x);
    chart_->set_y_axis(chart.y);
    chart_->set_series(chart.series);
    if (chart.reference)
        chart_->set_reference(chart.reference->y, chart.reference->label);
    else
        chart_->clear_reference();
    chart_->set_empty_text(chart.remark);
    remark_->setText(chart.remark);
    chart_->setVisible(!chart.series.empty());
}

SensitivityView::SensitivityView(QWidget* parent)
    : QWidget(parent)
    , choice_(new QComboBox(this))
    , view_(new ReasonChartView(tr("How its choice moves as one thing varies, beside what the times do:"),
                                this)) {
    choice_->setObjectName(QStringLiteral("varied"));
    choice_->setAccessibleName(tr("What is varied"));
    choice_->setToolTip(tr("Where foreseen and real advantage part most stands first"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(20);
    view_->chart().setObjectName(QStringLiteral("sensitivity-chart"));
    view_->title().setBuddy(choice_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    if (auto* const inside = qobject_cast<QVBoxLayout*>(view_->layout()))
        inside->insertWidget(1, choice_, 0, Qt::AlignLeft);
    connect(choice_, &QComboBox::currentIndexChanged, this, &SensitivityView::show_curve);
}

void SensitivityView::show_reason(const SensitivityReason& reason) {
    if (reason == reason_)
        return;
    const QString before = choice_->currentText();
    reason_ = reason;
    {
        const QSignalBlocker blocker(choice_);
        choice_->clear();
        for (const SensitivityCurve& curve : reason_.curves)
            choice_->addItem(curve_title(curve));
        choice_->setCurrentIndex(std::max(0, choice_->findText(before)));
    }
    show_curve();
}

void SensitivityView::show_curve() {
    const int at = choice_->currentIndex();
    if (at < 0 || static_cast<std::size_t>(at) >= reason_.curves.size())
        return view_->show_chart({});
    view_->show_chart(sensitivity_chart(reason_.curves[static_cast<std::size_t>(at)], margin_scale(reason_)));
}

} // namespace sparsight
