#include "gui/domains/sparse/validation/validation_results.h"

#include "gui/domains/sparse/validation/validation_figures.h"
#include "widgets/chart/chart.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QDataStream>
#include <QIODevice>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace sparsight {

ValidationResults::ValidationResults(QWidget* parent)
    : QWidget(parent)
    , matrix_rows_(quality_columns(tr("Matrix")), [](const QualityRow& row) { return row.key; })
    , mean_rows_(quality_columns(tr("Mean over matrices")), [](const QualityRow& row) { return row.key; })
    , fitted_rows_(fitted_columns(), [](const FittedRow& row) { return key_of(row); })
    , validation_(std::make_shared<const MachineValidation>())
    , tabs_(new QTabBar(this))
    , across_(new QSplitter(Qt::Horizontal, this))
    , stack_(new QStackedWidget(this))
    , scatter_(new Chart(this))
    , agreement_(new Chart(this))
    , terms_(new StackedBars(this))
    , figures_(new QSplitter(Qt::Vertical, this))
    , means_(new DataTable(this))
    , matrices_(new DataTable(this))
    , parameters_(new DataTable(this)) {
    build_charts();
    build_tables();
    build_tabs();
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(tabs_);
    column->addWidget(across_, 1);
}

void ValidationResults::build_tabs() {
    tabs_->setDocumentMode(true);
    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    tabs_->setObjectName(QStringLiteral("validation-tabs"));
    tabs_->setAccessibleName(tr("Pictures and figures of the validation"));
    const std::initializer_list<std::pair<QWidget*, QString>> parts{{agreement_, tr("&Matrices")},
                                                                    {terms_, tr("Pa&rts")},
                                                                    {figures_, tr("Fig&ures")},
                                                                    {parameters_, tr("Para&meters")}};
    for (const auto& [part, title] : parts) {
        stack_->addWidget(part);
        tabs_->addTab(title);
    }
    across_->addWidget(scatter_);
    across_->addWidget(stack_);
    across_->setChildrenCollapsible(false);
    across_->setSizes({380, 520});
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
        stack_->setCurrentIndex(tab);
        const QWidget* const shown = stack_->currentWidget();
        scatter_->setVisible(shown == agreement_ || shown == terms_); // tables take the whole width
    });
}

void ValidationResults::build_charts() {
    ChartAxis simulated;
    simulated.title = tr("simulated time");
    simulated.logarithmic = true;
    simulated.format = ValueFormat::Duration;
    scatter_->set_y_axis(simulated);
    set_recorded(false);
    scatter_->setObjectName(QStringLiteral("simulated-against-measured"));
    ChartAxis across;
    across.title = tr("matrices, the best order first");
    ChartAxis up;
    up.title = tr("Kendall’s τ");
    up.maximum = 1;
    agreement_->set_title(tr("Order of the schedules, matrix by matrix"));
    agreement_->set_x_axis(across);
    agreement_->set_y_axis(up);
    agreement_->setObjectName(QStringLiteral("agreement-bars"));
    terms_->setObjectName(QStringLiteral("left-out-terms"));
    for (Chart* const chart : {scatter_, agreement_})
        connect(chart, &Chart::picked, this, [this](const QVariant& key) { Q_EMIT picked(key.toString()); });
}

void ValidationResults::build_tables() {
    means_->set_model(&mean_rows_);
    means_->setAccessibleName(tr("Means"));
    means_->setObjectName(QStringLiteral("validation-means"));
    matrices_->set_model(&matrix_rows_);
    matrices_->setAccessibleName(tr("Matrices"));
    matrices_->setObjectName(QStringLiteral("validated-rows"));
    matrices_->set_selection_mode_single(true);
    figures_->addWidget(means_);
    figures_->addWidget(matrices_);
    figures_->setChildrenCollapsible(false);
    figures_->setSizes({150, 200});
    parameters_->set_model(&fitted_rows_);
    parameters_->setAccessibleName(tr("Fitted parameters"));
    parameters_->setObjectName(QStringLiteral("fitted-parameters"));
    parameters_->set_empty_text(
        tr("This machine was not calibrated: its loops, caches and threads cost what they typically do."));
    connect(matrices_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_following_)
            Q_EMIT picked(matrix_rows_.key(row));
    });
}

void ValidationResults::set_recorded(bool are_recorded) {
    ChartAxis known;
    known.title = are_recorded ? tr("recorded time") : tr("measured time");
    known.logarithmic = true;
    known.format = ValueFormat::Duration;
    scatter_->set_x_axis(known);
    scatter_->set_title(are_recorded ? tr("Simulated against recorded") : tr("Simulated against measured"));
}

void ValidationResults::show_validation(std::shared_ptr<const MachineValidation> validation) {
    validation_ = validation ? std::move(validation) : std::make_shared<const MachineValidation>();
    agreement_->set_series(agreement_bars(*validation_));
    terms_->set_picture(left_out_terms(*validation_), true);
    is_following_ = true;
    mean_rows_.set_rows(mean_rows(*validation_));
    matrix_rows_.set_rows(matrix_rows(*validation_));
    is_following_ = false;
    select(matrix_);
}

void ValidationResults::show_parameters(std::vector<FittedRow> rows) {
    fitted_rows_.set_rows(std::move(rows));
}

void ValidationResults::select(const QString& matrix) {
    matrix_ = matrix;
    scatter_->set_series(simulated_over_measured(*validation_, matrix));
    agreement_->set_selected(matrix.isEmpty() ? QVariant() : QVariant(matrix));
    is_following_ = true;
    const auto row = matrix_rows_.row_of(matrix);
    if (matrices_->current_source_row() != row.value_or(-1))
        matrices_->select_source_row(row.value_or(-1));
    is_following_ = false;
}

QByteArray ValidationResults::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << across_->saveState() << figures_->saveState();
    return state;
}

void ValidationResults::restore_layout(const QByteArray& state) {
    QDataStream in(state);
    QByteArray across;
    QByteArray figures;
    in >> across >> figures;
    if (in.status() != QDataStream::Ok)
        return;
    across_->restoreState(across);
    figures_->restoreState(figures);
}

} // namespace sparsight
