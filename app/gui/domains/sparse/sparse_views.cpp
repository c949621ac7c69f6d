#include "gui/domains/sparse/sparse_views.h"

#include "domains/sparse/schedule/sparse_setting.h"
#include "gui/candidates/candidates_page.h"
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/matrices/matrices_page.h"
#include "gui/domains/sparse/matrices/thumbnails.h"
#include "gui/domains/sparse/schedule_search.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "gui/domains/sparse/selection_cards.h"
#include "gui/domains/sparse/validation/validation_view.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/machines/machines_page.h"
#include "gui/results/result_view.h"
#include "gui/results/results_page.h"
#include "gui/selection/selection_panel.h"
#include "gui/shell/application.h"
#include "gui/shell/window/main_window.h"

namespace sparsight {

namespace {

/// Two choices of models side by side: loop nests, storage, decisions, terms.
OfferComparison comparison_in(const Services& services) {
    return [services](DataTable& table, const std::function<ComparedChoice(int)>& choice) {
        new CompareAction(services, table, [choice](int row) {
            const ComparedChoice chosen = choice(row);
            const SparseSetting setting = sparse_setting(chosen.setting);
            return ComparableRow{chosen.workload,
                                 chosen.machine,
                                 op_name(setting.op),
                                 setting.dense,
                                 chosen.configuration,
                                 chosen.title,
                                 known_time_text(chosen.milliseconds, chosen.spread_ms),
                                 chosen.protocol ? time_by_the_clock(*chosen.protocol, chosen.milliseconds)
                                                 : std::nullopt};
        });
    };
}

} // namespace

void add_sparse_views(Application& application) {
    MainWindow& window = application.window();
    const Services services = application.services();
    TrainingRuns& runs = application.runs();
    window.set_domain_title(std::string(sparse_domain), MatricesPage::tr("Sparse kernels"));
    auto* const thumbnails = new Thumbnails(application.session(), &window);
    const auto add = [&window](Page* page) { window.add_page(page, std::string(sparse_domain)); };
    add(new MatricesPage(services, *thumbnails, &window));
    add(new MachinesPage(services, runs, new ValidationView(services), &window));
    add(new SchedulesPage(services, &window));
    add(new CandidatesPage(services, runs, schedule_search(services, comparison_in(services)), &window));
    add(new ResultsPage(services, runs, comparison_in(services), &window));
    add(new SparseFailuresPage(services, runs, &window));
    add(new WhatIfPage(services, &window));
    SelectionPanel& panel = application.selection_panel();
    panel.set_cards(std::string(sparse_domain), new MatrixCard(services, *thumbnails, &panel),
                    new ScheduleCard(services, &panel));
}

} // namespace sparsight
