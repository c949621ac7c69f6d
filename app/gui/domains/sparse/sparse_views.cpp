#include "gui/domains/sparse/sparse_views.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/workflow/learning_settings.h"
#include "gui/candidates/candidates_page.h"
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/matrices/import_dialog.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/matrices/matrices_page.h"
#include "gui/domains/sparse/matrices/matrix_intake.h"
#include "gui/domains/sparse/matrices/thumbnails.h"
#include "gui/domains/sparse/schedule_search.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "gui/domains/sparse/selection_cards.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/domains/sparse/validation/validation_view.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/failures/model_question.h"
#include "gui/icons/icon.h"
#include "gui/machines/machines_page.h"
#include "gui/results/result_view.h"
#include "gui/results/results_page.h"
#include "gui/selection/selection_panel.h"
#include "gui/shell/application.h"
#include "gui/shell/lesson_player.h"
#include "gui/shell/start_pages.h"
#include "gui/shell/window/main_window.h"
#include "gui/train/fine_tune_page.h"
#include "gui/train/train_page.h"
#include "gui/train/training_fields.h"

#include <QAction>
#include <QCoreApplication>
#include <QJsonDocument>
#include <algorithm>

namespace sparsight {

namespace {

struct ViewTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseViews)
};

struct TrainingTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseTraining)
};

TrainingPreset preset(const char* name, const QString& text, const QString& tip) {
    const auto found = std::ranges::find(sparse_presets, name, &Preset::name);
    const QByteArray values(found->values.data(), std::ssize(found->values));
    return {QLatin1String(name), text, tip, training_values(QJsonDocument::fromJson(values).object())};
}

SettingsGroup sparse_settings_group(UserSettings& settings, const QString& title) {
    const SparseSettings own(settings);
    const auto number = [](const Preference<int>& setting, const QString& name, const QString& tip,
                           int most) {
        return NumberSetting{setting.key(), setting.default_variant().toInt(), name, tip, 1, most};
    };
    return {title,
            {number(own.dense_extent, ViewTexts::tr("Columns of the dense matri&x"), dense_columns_tip(),
                    1 << 16),
             number(own.schedules, ViewTexts::tr("Schedules per &matrix"),
                    ViewTexts::tr("Drawn at random; fixed CSR is always measured besides"), 100'000)}};
}

/// Two choices of models side by side: loop nests, storage, decisions, terms.
OfferComparison comparison_in(const SparseServices& services) {
    return [services](DataTable& table, const std::function<ComparedChoice(int)>& choice) {
        new CompareAction(services, table, [choice](int row) {
            const ComparedChoice chosen = choice(row);
            const SparseSetting setting = sparse_setting(chosen.setting);
            return ComparableRow{
                chosen.workload,
                chosen.machine,
                op_name(setting.op),
                setting.dense,
                chosen.configuration,
                chosen.title,
                known_time_text(chosen.milliseconds, chosen.spread_ms),
                {.milliseconds = chosen.protocol ? time_by_the_clock(*chosen.protocol, chosen.milliseconds)
                                                 : std::nullopt,
                 .spread_ms = chosen.spread_ms.value_or(0)}};
        });
    };
}

/// Commands that bring matrices in. They act on any domain that is looked at.
void add_imports(MainWindow& window, MatrixIntake& intake, MatricesPage& page) {
    const auto add = [&window](const char* name, const QString& title, const QString& start,
                               const QString& symbol, const char* keys, const QString& tip) {
        auto* const action = new QAction(icon(symbol), title, &window);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(QKeySequence(QLatin1String(keys)));
        action->setToolTip(tip);
        window.add_import_command({action, start, symbol}, std::string(sparse_domain));
        return action;
    };
    const auto* const import =
        add("import-matrices", ViewTexts::tr("&Import Matrices…"), ViewTexts::tr("Open or drop &matrices…"),
            QStringLiteral("import"), "Ctrl+I",
            ViewTexts::tr("Add matrix files to the workspace, or to a new one"));
    const auto* const simulate =
        add("simulate-matrices", ViewTexts::tr("&Simulate Matrices…"), ViewTexts::tr("&Simulate matrices…"),
            QStringLiteral("simulate"), "Ctrl+Shift+I",
            ViewTexts::tr("Add generated matrices to the workspace, or to a new one"));
    const auto ask = [&intake] { intake.import_files({}); };
    QObject::connect(import, &QAction::triggered, &intake, ask);
    QObject::connect(simulate, &QAction::triggered, &intake, &MatrixIntake::simulate);
    QObject::connect(&page, &MatricesPage::import_requested, &intake, ask);
    QObject::connect(&page, &MatricesPage::simulate_requested, &intake, &MatrixIntake::simulate);
    window.set_file_import(
        std::string(sparse_domain), [&intake](const QStringList& files) { intake.import_files(files); },
        matrix_file_patterns());
}

} // namespace

TrainingOffer sparse_training() {
    TrainingOffer offer{
        {{QStringLiteral("statistics"), TrainingTexts::tr("StatisticsNet"),
          TrainingTexts::tr("A small network over the pattern’s statistics: trains in seconds.")},
         {QStringLiteral("waconet"), TrainingTexts::tr("WACONet"),
          TrainingTexts::tr("WACO’s network: sparse convolutions look at the pattern itself. Hours for large "
                            "matrices.")},
         {QStringLiteral("gray-box"), TrainingTexts::tr("Gray box"),
          TrainingTexts::tr("The simulator, and a network for what it misses. It starts as good as the "
                            "simulator.")},
         boosted_trees()},
        {quick_preset()}};
    offer.presets.front() = preset(
        "quick-demo", TrainingTexts::tr("Quick demo"),
        TrainingTexts::tr(
            "The small network over statistics, meta-trained on six simulated machines with the "
            "matrices of the workspace. A workspace with fewer than 3 is given generated ones, 12 in all. "
            "Measured times are not used. Takes less than a minute."));
    offer.presets.push_back(
        preset("report", TrainingTexts::tr("Report"),
               TrainingTexts::tr("The report’s training: WACO’s network, the report’s loop, 80 epochs at a "
                                 "rate of 0.0001, two simulated machines.")));
    offer.presets.push_back(
        preset("best", TrainingTexts::tr("Best"),
               TrainingTexts::tr(
                   "WACO’s network, meta-trained with three inner steps and a falling rate on six "
                   "simulated machines besides. It stops early where the validation loss stops falling. "
                   "Takes hours.")));
    offer.presets.push_back(preset(
        "gray-box", TrainingTexts::tr("Gray box"),
        TrainingTexts::tr("The simulator and a network for what it misses, meta-trained on 24 machines "
                          "that deviate from the simulator. Some minutes.")));
    offer.simulated = {
        {QStringLiteral("deviating:24"), TrainingTexts::tr("Add 24 deviating machines")},
        {QStringLiteral("family:6"), TrainingTexts::tr("Add six random simulated machines")},
        {QStringLiteral("A,B"), TrainingTexts::tr("Add the paper’s example machines A and B")}};
    offer.simulated_tip = TrainingTexts::tr(
        "Random machines of a family disagree about the best schedule, as real ones do. Meta-learning learns "
        "what they have in common. The report’s machines A and B multiply all times by one number. They rank "
        "schedules alike, so they can’t show that meta-learning helps.");
    offer.generated_workloads = 12;
    offer.advice = TrainingTexts::tr("Train a gray box, measure more matrices, or take the preset Best.");
    offer.can_measure = true;
    return offer;
}

void add_sparse_views(Application& application, const MakeLoopAnalyst& make_analyst) {
    MainWindow& window = application.window();
    auto* const matrices = new MatrixLoader(application.session(), &window);
    const SparseServices services{application.services(), *matrices};
    TrainingRuns& runs = application.runs();
    const Domain& domain = *application.session().domains().find(sparse_domain);
    for (const JobKind& kind :
         {simulate_kind(), simulate_runtimes_kind(), explain_kind(), timeline_kind(), reasons_kind()})
        application.jobs().add_kind(kind);
    const QString title = ViewTexts::tr("Sparse kernels");
    window.set_domain_title(std::string(sparse_domain), title);
    application.settings().add_group(sparse_settings_group(application.settings(), title));
    auto* const thumbnails = new Thumbnails(application.session(), &window);
    const auto add = [&window](Page* page) { window.add_page(page, std::string(sparse_domain)); };
    auto* const matrices_page = new MatricesPage(services, *thumbnails, &window);
    add(matrices_page);
    add(new MachinesPage(services, runs, domain, new ValidationView(services), &window));
    add(new SchedulesPage(services, &window));
    add(new TrainPage(services, runs, domain, sparse_training(), &window));
    add(new FineTunePage(services, runs, domain, true, &window));
    add(new CandidatesPage(services, runs, schedule_search(services, comparison_in(services)), &window));
    add(new ResultsPage(services, runs, domain, true, comparison_in(services), &window));
    add(new SparseFailuresPage(services, runs, &window));
    add(new WhatIfPage(services, runs, application.learner(), make_analyst, &window));
    add_imports(window, *new MatrixIntake(services, window), *matrices_page);
    window.set_demo(sparse_demo());
    SelectionPanel& panel = application.selection_panel();
    panel.set_cards(std::string(sparse_domain), new MatrixCard(services, *thumbnails, &panel),
                    new ScheduleCard(services, &panel));
}

} // namespace sparsight
