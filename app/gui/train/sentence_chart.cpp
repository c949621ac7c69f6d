#include "gui/train/sentence_chart.h"

#include "widgets/chart/chart.h"
#include "widgets/look/labels.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

SentenceChart::SentenceChart(const QString& name, QWidget* parent)
    : QWidget(parent)
    , sentence_(new QLabel(this))
    , chart_(new Chart(this)) {
    sentence_->setObjectName(name + QStringLiteral("-sentence"));
    sentence_->setWordWrap(true);
    chart_->setObjectName(name);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(sentence_);
    column->addWidget(chart_, 1);
    hide();
}

void SentenceChart::tell(const QString& sentence, std::vector<ChartSeries> series) {
    sentence_->setText(sentence);
    has_series_ = !series.empty();
    setVisible(has_series_);
    chart_->set_series(std::move(series));
}

int SentenceChart::least_height(int width) const {
    return sentence_->heightForWidth(width) + layout()->spacing() + chart_->minimumHeight();
}

} // namespace sparsight
