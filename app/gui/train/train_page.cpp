#include "gui/train/train_page.h"

#include "gui/icons/icon.h"
#include "gui/selection/selection.h"
#include "gui/train/run_header.h"
#include "gui/train/training_charts.h"
#include "gui/train/training_form.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QDataStream>
#include <QIODevice>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace sparsight {

TrainPage::TrainPage(Services services, TrainingRuns& runs, QWidget* parent)
    : LearningPage({.id = QStringLiteral("train"),
                    .title = tr("Train"),
                    .icon = QStringLiteral("train"),
                    .run = QStringLiteral("train"),
                    .job = JobKind::Train},
                   services, runs, std::make_unique<RunsModel>(runs), parent)
    , form_(new TrainingForm(services, runs, this))
    , charts_(new TrainingCharts(this))
    , differences_(new DataTable(this))
    , tabs_(new QTabWidget(this)) {
    build_table();
    build_empty();
    build();
    connect(form_, &TrainingForm::notice, this, &Page::notice);
    connect(form_, &TrainingForm::help_requested, this, &Page::help_requested);
    connect(form_, &TrainingForm::started, this, &TrainPage::await);
    connect(&header(), &RunHeader::again_requested, this, [this](qint64 run) {
        if (const TrainingRun* known = this->runs().run(RunId{run}))
            form_->take_over(*known);
    });
    connect(charts_, &TrainingCharts::options_changed, this, &TrainPage::show_curves);
    // Said by this page for both that read them.
    connect(&runs, &TrainingRuns::failed, this, [this](const QString& reason, const QString& what) {
        Q_EMIT notice(reason, true, QStringLiteral("read ") + what);
    });
    connect(&runs, &TrainingRuns::recovered, this,
            [this](const QString& what) { Q_EMIT notice({}, false, QStringLiteral("read ") + what); });
    begin();
}

void TrainPage::build() {
    tabs_->setDocumentMode(true);
    tabs_->addTab(&table(), tr("Runs"));
    tabs_->addTab(differences_, tr("Settings compared"));
    tabs_->setMinimumHeight(120);
    auto* view = new QWidget(this);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(&header());
    column->addWidget(charts_, 1);
    lay_out(form_, view, tabs_, {450, 220});
}

void TrainPage::build_table() {
    table().setObjectName(QStringLiteral("runs"));
    table().setAccessibleName(tr("Training runs"));
    table().set_empty_text(tr("Every training run is kept here with its curves."));
    for (const int column : {RunsModel::Architecture, RunsModel::Regret, RunsModel::Trees,
                             RunsModel::Matrices, RunsModel::Epochs, RunsModel::Machines, RunsModel::Started})
        table().set_column_shown(column, false); // more than there is room for; the menu has them
    differences_->set_model(&configuration_);
    differences_->setAccessibleName(tr("Settings of the chosen runs"));
    differences_->set_empty_text(tr("Choose several runs to see in what they differ."));
}

void TrainPage::build_empty() {
    empty().set_icon(icon(QStringLiteral("train")));
    empty().set_title(tr("No model was trained yet"));
    auto* measure = empty().add_button(tr("&Measure schedules"), icon_on_accent(QStringLiteral("measure")));
    measure->setObjectName(QStringLiteral("go-measuring"));
    connect(measure, &QPushButton::clicked, this,
            [this] { services().selection.select_page(QStringLiteral("schedules")); });
}

void TrainPage::show_empty_text() {
    const bool can_learn = !runs().stored().sources.empty();
    empty().set_text(
        can_learn
            ? tr("A cost model learns from measurements which schedules are fast. Take a preset at the left "
                 "and "
                 "press Start: its loss is drawn here while it falls.")
            : tr("A cost model learns from measurements which schedules are fast. There are none in this "
                 "workspace yet: measure schedules on a few matrices first."));
    empty().findChild<QPushButton*>(QStringLiteral("go-measuring"))->setVisible(!can_learn);
}

void TrainPage::rows_shown() {
    std::vector<ConfiguredRun> configured;
    for (const RunId id : shown_runs())
        if (const TrainingRun* run = runs().run(id))
            configured.push_back(
                {run->name, settings_in_words(run->parameters, [this](const QString& fingerprint) {
                     return runs().machine_name(fingerprint);
                 })});
    configuration_.set_runs(configured);
}

void TrainPage::draw_curves(const std::vector<RunId>& shown) {
    std::vector<ShownRun> drawn;
    for (const RunId id : shown)
        if (const TrainingRun* run = runs().run(id))
            drawn.push_back({run->name, series_colour(drawn.size()), runs().curves(id), run->is_of_trees()});
    charts_->show_runs(drawn);
}

bool TrainPage::is_read(RunId run) const {
    return runs().has_read(run);
}

QByteArray TrainPage::view_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << charts_->layout_state() << tabs_->currentIndex();
    return state;
}

void TrainPage::restore_view(const QByteArray& state) {
    QDataStream in(state);
    QByteArray charts;
    int tab = 0;
    in >> charts >> tab;
    if (in.status() != QDataStream::Ok)
        return;
    charts_->restore_layout(charts);
    tabs_->setCurrentIndex(tab);
}

} // namespace sparsight
