#include "gui/shell/application.h"

#include "gui/candidates/candidates_page.h"
#include "gui/configurations/configurations_page.h"
#include "gui/failures/failures_page.h"
#include "gui/help/help_page.h"
#include "gui/help/help_text.h"
#include "gui/machines/machines_page.h"
#include "gui/results/results_page.h"
#include "gui/selection/selection_panel.h"
#include "gui/shell/window/main_window.h"
#include "gui/train/fine_tune_page.h"
#include "gui/train/train_page.h"
#include "gui/what_if/what_if_page.h"
#include "gui/workloads/workloads_page.h"

#include <QApplication>
#include <QThreadPool>

namespace sparsight {

namespace {

JobServiceOptions with_worker(JobServiceOptions options, const UserSettings& settings) {
    if (!settings.worker.get().isEmpty())
        options.worker_program = find_worker_program(settings.worker.get());
    return options;
}

} // namespace

Application::Application(DomainRegistry domains, const ApplicationOptions& options)
    : domains_(std::move(domains))
    , settings_(options.settings_file.isEmpty() ? std::make_unique<UserSettings>()
                                                : std::make_unique<UserSettings>(options.settings_file))
    , jobs_(with_worker(options.jobs, *settings_)) {
    apply_theme(*qApp, settings_->theme.get());
    set_number_style(*qApp, settings_->number_style());
    window_ = std::make_unique<MainWindow>(services());
    MainWindow& window = *window_;
    panel_ = new SelectionPanel(services(), runs_, &window);
    QObject::connect(panel_, &SelectionPanel::page_requested, &window, &MainWindow::show_page);
    window.add_panel(QStringLiteral("selection"), QObject::tr("Selection"), panel_);
    window.add_search_source([this] { return machine_items(); });
    window.add_search_source([this] { return model_items(); });
    window.add_search_source([this] { return help_items(); });
}

/// What is read in the background uses the domains, so that it ends before they go. Pages ask it to stop.
Application::~Application() {
    window_.reset();
    QThreadPool::globalInstance()->waitForDone();
}

void Application::start() {
    MainWindow& window = *window_;
    const auto add = [&window](PagePlace place, MainWindow::PageMaker make) {
        window.add_general_page(place, std::move(make));
    };
    add(PagePlace::Workloads, [this](const Domain&) { return new WorkloadsPage(services(), window_.get()); });
    add(PagePlace::Machines, [this](const Domain& domain) {
        return new MachinesPage(services(), runs_, domain, nullptr, window_.get());
    });
    add(PagePlace::Configurations, [this](const Domain& domain) {
        return new ConfigurationsPage(services(), measured_.contains(domain.name()), window_.get());
    });
    add(PagePlace::Train, [this](const Domain& domain) {
        TrainingOffer offer = general_offer(domain.words());
        offer.can_measure = measured_.contains(domain.name());
        return new TrainPage(services(), runs_, domain, offer, window_.get());
    });
    add(PagePlace::FineTune, [this](const Domain& domain) {
        return new FineTunePage(services(), runs_, domain, false, window_.get());
    });
    add(PagePlace::Search,
        [this](const Domain&) { return new CandidatesPage(services(), runs_, {}, window_.get()); });
    add(PagePlace::WhatIf,
        [this](const Domain&) { return new ConfigurationWhatIfPage(services(), window_.get()); });
    add(PagePlace::Results, [this](const Domain& domain) {
        return new ResultsPage(services(), runs_, domain, false, {}, window_.get());
    });
    add(PagePlace::Failures,
        [this](const Domain&) { return new FailuresPage(services(), runs_, window_.get()); });
    window.add_page(new HelpPage(&window));
    window.show_starts();
    window.restore_arrangement();
}

std::vector<SearchItem> Application::machine_items() {
    std::vector<SearchItem> items;
    for (const MachineRecord& machine : session_.contents().machines)
        items.push_back({QString::fromStdString(machine.name), QObject::tr("machine"),
                         QStringLiteral("machines"),
                         [this, fingerprint = QString::fromStdString(machine.fingerprint)] {
                             Selected target = selection_.current();
                             target.page = QStringLiteral("machines");
                             target.machine = fingerprint;
                             selection_.select(target);
                         }});
    return items;
}

std::vector<SearchItem> Application::model_items() {
    std::vector<SearchItem> items;
    for (const QString& name : runs_.model_names())
        items.push_back({name, QObject::tr("model"), QStringLiteral("train"), [this, name] {
                             Selected target = selection_.current();
                             target.page = QStringLiteral("search");
                             target.model = name;
                             selection_.select(target);
                         }});
    return items;
}

std::vector<SearchItem> Application::help_items() {
    static const std::vector<HelpSection> sections = all_help_sections();
    std::vector<SearchItem> items;
    for (const HelpSection& section : sections)
        items.push_back({section.heading,
                         section.anchor.isEmpty() ? QObject::tr("help")
                                                  : QObject::tr("help · %1").arg(section.page_title),
                         QStringLiteral("help"),
                         [this, link = section.topic + u'#' + section.anchor] { window_->show_help(link); },
                         section.text});
    return items;
}

} // namespace sparsight
