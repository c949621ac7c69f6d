#include "gui/what_if/what_if_page.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/selection/times_choice.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/page_states.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QCoreApplication>
#include <QDataStream>
#include <QGridLayout>
#include <QIODevice>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace sparsight {

namespace {

constexpr int charts_in_a_row = 3;
constexpr int least_chart_height = 170; ///< pixels

struct ChangeTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ConfigurationWhatIfPage)
};

QString text_of(const ChangedConfiguration& changed) {
    return QString::fromStdString(changed.text);
}

QString before_and_after(const ChangedConfiguration& changed) {
    return changed.is_studied() ? QString()
                                : QStringLiteral("%1 → %2").arg(QString::fromStdString(changed.before),
                                                                QString::fromStdString(changed.after));
}

RecordColumn<ChangedConfiguration> change_decision_column() {
    auto column = text_column<ChangedConfiguration>(
        ChangeTexts::tr("Decision"), ChangeTexts::tr("The one that is made differently; all others stay"),
        [](const ChangedConfiguration& changed) {
            return changed.is_studied() ? ChangeTexts::tr("none: the selected one")
                                        : QString::fromStdString(changed.decision);
        });
    column.hint = &text_of;
    return column;
}

RecordColumn<ChangedConfiguration> change_time_column() {
    auto column = value_column<ChangedConfiguration>(
        ChangeTexts::tr("Time"), ChangeTexts::tr("Median of the runs; a lower bound where it was abandoned"),
        [](const ChangedConfiguration& changed) { return changed.median_ms; },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.text = [time = column.text](const ChangedConfiguration& changed) {
        return changed.status == MeasurementStatus::GaveUp && changed.median_ms
                   ? QStringLiteral("> ") + time(changed)
                   : time(changed);
    };
    column.hint = [](const ChangedConfiguration& changed) {
        return changed.median_ms && changed.spread_ms
                   ? runtime_with_spread(*changed.median_ms, *changed.spread_ms)
                   : QString();
    };
    return column;
}

/// "1.24×", or "~1.24×" where it may be noise.
QString factor_text(double factor, bool is_in_noise) {
    return (is_in_noise ? QStringLiteral("~") : QString()) + speedup_text(factor);
}

RecordColumn<ChangedConfiguration> change_ratio_column() {
    auto column = value_column<ChangedConfiguration>(
        ChangeTexts::tr("Ratio to selected"),
        ChangeTexts::tr("Its time over that of the selected one (below 1: faster); ~ marks a difference "
                        "within the spread"),
        [](const ChangedConfiguration& changed) { return changed.ratio; },
        [](double ratio) { return speedup_text(ratio); });
    column.export_title = QStringLiteral("ratio_to_selected");
    column.text = [](const ChangedConfiguration& changed) {
        return changed.ratio ? factor_text(*changed.ratio, changed.is_in_noise) : unknown_text();
    };
    column.colour = [](const ChangedConfiguration& changed) -> QVariant {
        if (!changed.ratio || changed.is_studied())
            return {};
        if (changed.is_in_noise)
            return current_theme().dim_text;
        return *changed.ratio < 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<ChangedConfiguration> change_status_column() {
    auto column = text_column<ChangedConfiguration>(
        ChangeTexts::tr("Status"), ChangeTexts::tr("Whether its time is known"),
        [](const ChangedConfiguration& changed) {
            return changed.status ? status_text(*changed.status, changed.shown_status)
                                  : ChangeTexts::tr("no recorded time");
        });
    column.hint = [](const ChangedConfiguration& changed) {
        return changed.status
                   ? status_meaning(*changed.status, changed.shown_status)
                   : ChangeTexts::tr("It is valid, but it never ran on this machine in this setting.");
    };
    column.colour = [](const ChangedConfiguration& changed) -> QVariant {
        return changed.status ? QVariant() : QVariant(current_theme().dim_text);
    };
    return column;
}

ChartColour colour_of(const ChangedConfiguration& changed) {
    if (changed.is_studied() || !changed.ratio)
        return ChartColour::Accent;
    if (changed.is_in_noise)
        return *changed.ratio < 1 ? ChartColour::FaintWin : ChartColour::FaintLose;
    return *changed.ratio < 1 ? ChartColour::Win : ChartColour::Lose;
}

/// Takes its time: for another thread.
Result<ChangeStudy> read_study(const std::string& file, const Domain& domain, const TimeSet& times,
                               const WorkloadRecord& workload) {
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    return read_change_study(*workspace, domain, times.setting, results_of(times), workload);
}

} // namespace

ConfigurationChangesModel::ConfigurationChangesModel(QObject* parent)
    : RecordModel({change_decision_column(),
                   text_column<ChangedConfiguration>(ChangeTexts::tr("Change"), {}, &before_and_after),
                   change_time_column(), change_ratio_column(), change_status_column(),
                   text_column<ChangedConfiguration>({}, {}, &text_of)},
                  &text_of, parent) {}

void ConfigurationChangesModel::set_noun(const QString& title) {
    noun_ = title;
    Q_EMIT headerDataChanged(Qt::Horizontal, Text, Text);
}

QVariant ConfigurationChangesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const bool is_noun = section == Text && orientation == Qt::Horizontal &&
                         (role == Qt::DisplayRole || role == export_title_role);
    return is_noun ? QVariant(noun_) : RecordModel::headerData(section, orientation, role);
}

ConfigurationWhatIfPage::ConfigurationWhatIfPage(Services services, QWidget* parent)
    : Page(PagePlace::WhatIf, QStringLiteral("whatif"), tr("What if"), QStringLiteral("what-if"), parent)
    , services_(services)
    , times_(new TimesChoice(services, this))
    , headline_(new QLabel(this))
    , studied_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , area_(new QScrollArea(this))
    , grid_(new QGridLayout)
    , table_(new DataTable(this))
    , empty_(new EmptyState(this)) {
    build();
    connect(times_, &TimesChoice::set_changed, this, &ConfigurationWhatIfPage::read);
    connect(times_, &TimesChoice::notice, this, &Page::notice);
    connect(empty_, &EmptyState::link_activated, times_, &TimesChoice::follow_link);
    connect(&services_.session, &WorkspaceSession::domain_changed, this,
            &ConfigurationWhatIfPage::show_words);
    connect(&services_.selection, &Selection::changed, this, &ConfigurationWhatIfPage::follow);
    tell_of_exports(*this);
    show_words();
    show_changes();
}

void ConfigurationWhatIfPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setObjectName(QStringLiteral("what-if-headline"));
    keep_font(*studied_, caption_font);
    studied_->setWordWrap(true);
    studied_->setForegroundRole(QPalette::PlaceholderText);
    studied_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    studied_->setObjectName(QStringLiteral("what-if-studied"));
    auto* const charts = new QWidget(this);
    charts->setLayout(grid_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(grid_step);
    for (int column = 0; column < charts_in_a_row; ++column)
        grid_->setColumnStretch(column, 1);
    area_->setWidget(charts);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    table_->setObjectName(QStringLiteral("configuration-changes"));
    table_->set_selection_mode_single(true);
    table_->set_model(&model_);
    table_->set_column_shown(ConfigurationChangesModel::Text, false);
    table_->sort_by(ConfigurationChangesModel::Ratio, Qt::AscendingOrder);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row < 0 || is_filling_)
            return;
        // Later: another configuration has other rows, and the table is still handling the click.
        QMetaObject::invokeMethod(
            this, [this, text = text_of(model_.row(row))] { select(text); }, Qt::QueuedConnection);
    });
    splitter_->addWidget(area_);
    splitter_->addWidget(table_);
    splitter_->setSizes({380, 260});
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    splitter_->setChildrenCollapsible(false);
    empty_->set_icon(icon(QStringLiteral("what-if")));
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(times_);
    column->addWidget(headline_);
    column->addWidget(studied_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
}

void ConfigurationWhatIfPage::show_words() {
    const DomainWords& words = services_.session.domain().words();
    table_->setAccessibleName(tr("Changes of one decision"));
    model_.set_noun(title_of_one(words.configuration));
    empty_->set_title(tr("No times are known here"));
    show_offers();
}

void ConfigurationWhatIfPage::show_offers() {
    const QString what_to_do = tr("Choose another machine or another %1, or import times with the File menu.")
                                   .arg(one(services_.session.domain().words().workload));
    empty_->set_text(times_->with_offers(what_to_do));
}

void ConfigurationWhatIfPage::read() {
    study_.reset();
    const TimeSet& times = times_->shown();
    const WorkloadRecord* const workload = services_.session.workload(services_.selection.current().workload);
    if (times.times.empty() || workload == nullptr) {
        answers_.cancel();
        follow();
        return;
    }
    answers_.ask(
        [file = services_.session.path().toStdString(), &domain = services_.session.domain(), times,
         workload = *workload](const std::stop_token&) { return read_study(file, domain, times, workload); },
        [this](Result<ChangeStudy> study, bool is_newest) {
            if (!is_newest)
                return;
            Q_EMIT notice(study ? QString() : QString::fromStdString(study.error().text()), !study,
                          QStringLiteral("study"));
            if (study)
                study_ = *std::move(study);
            follow();
        });
}

void ConfigurationWhatIfPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    follow();
}

void ConfigurationWhatIfPage::follow() {
    if (!isVisible() || times_->is_reading() || answers_.is_busy())
        return; // what is read leads back to this function
    const Selected now = services_.selection.current();
    auto changes = study_ ? study_->changes_of(now.configuration.toStdString())
                          : Result<ConfigurationChanges>(ConfigurationChanges());
    if (!changes) {
        const ResultRecord& fastest = times_->shown().times.front().result;
        Selected instead = now;
        instead.family = QString::fromStdString(fastest.family);
        instead.configuration = QString::fromStdString(fastest.configuration);
        if (instead != now) {
            services_.selection.replace(instead); // leads back to this function
            return;
        }
    }
    if (study_)
        Q_EMIT notice(changes ? QString() : QString::fromStdString(changes.error().text()), !changes,
                      QStringLiteral("study"));
    changes_ = changes ? *std::move(changes) : ConfigurationChanges();
    show_changes();
}

void ConfigurationWhatIfPage::show_changes() {
    is_filling_ = true; // the table moves its current row when that is removed: the user has not chosen it
    model_.set_rows(changes_.configurations);
    table_->select_source_row(changes_.configurations.empty() ? -1 : 0);
    is_filling_ = false;
    show_offers();
    stack_->setCurrentWidget(changes_.configurations.empty() ? static_cast<QWidget*>(empty_) : splitter_);
    show_headline();
    show_charts();
}

void ConfigurationWhatIfPage::show_headline() {
    const bool has_one = !changes_.configurations.empty();
    headline_->setVisible(has_one);
    studied_->setVisible(has_one);
    if (!has_one)
        return;
    const Noun& noun = services_.session.domain().words().configuration;
    const ChangedConfiguration& studied = changes_.configurations.front();
    const Selected now = services_.selection.current();
    const MachineRecord* const known = services_.session.machine(now.machine);
    const QString machine = known != nullptr ? QString::fromStdString(known->name) : now.machine;
    const auto timed = std::ranges::count_if(changes_.configurations, [](const ChangedConfiguration& each) {
        return !each.is_studied() && each.has_time();
    });
    if (!studied.has_time())
        headline_->setText(
            tr("The selected %1 has no recorded time on %2, so its changes have nothing to be compared with.")
                .arg(one(noun), machine));
    else if (const ChangedConfiguration* const gain = changes_.gain())
        headline_->setText(tr("Changing %1 from %2 to %3 makes %4 %5 as fast on %6.")
                               .arg(QString::fromStdString(gain->decision),
                                    QString::fromStdString(gain->before), QString::fromStdString(gain->after),
                                    now.workload, factor_text(1 / *gain->ratio, gain->is_in_noise), machine));
    else
        headline_->setText(
            timed == 0
                ? tr("No change of one decision has a recorded time on %1.").arg(machine)
                : tr("No change of one decision makes %1 faster on %2 (changes with a recorded time: %3).")
                      .arg(now.workload, machine, count_text(timed)));
    studied_->setText(
        studied.has_time()
            ? tr("Selected %1: %2, %3").arg(one(noun), text_of(studied), runtime_text(*studied.median_ms))
            : tr("Selected %1: %2").arg(one(noun), text_of(studied)));
}

void ConfigurationWhatIfPage::show_charts() {
    while (charts_.size() > changes_.decisions.size()) {
        charts_.back()->deleteLater();
        charts_.back()->hide();
        charts_.pop_back();
    }
    while (charts_.size() < changes_.decisions.size()) {
        auto* const chart = new Chart(area_->widget());
        chart->setMinimumHeight(least_chart_height);
        connect(chart, &Chart::picked, this, [this](const QVariant& key) { select(key.toString()); });
        const int place = static_cast<int>(charts_.size());
        grid_->addWidget(chart, place / charts_in_a_row, place % charts_in_a_row);
        charts_.push_back(chart);
    }
    for (std::size_t at = 0; at < charts_.size(); ++at)
        draw(*charts_[at], changes_.decisions[at]);
}

void ConfigurationWhatIfPage::draw(Chart& chart, const DecisionAlternatives& decision) {
    BarSeries series;
    series.name = tr("time");
    for (const DecisionAlternatives::Value& value : decision.values) {
        const ChangedConfiguration& changed = changes_.configurations[value.configuration];
        Bar bar;
        bar.label = QString::fromStdString(value.value);
        bar.key = text_of(changed);
        bar.value = changed.has_time() ? *changed.median_ms : std::numeric_limits<double>::quiet_NaN();
        bar.colour = colour_of(changed);
        if (changed.has_time() && changed.spread_ms)
            bar.spread = *changed.spread_ms;
        bar.note = changed.is_studied() ? tr("the selected one")
                   : changed.ratio
                       ? tr("%1 of the selected one").arg(factor_text(*changed.ratio, changed.is_in_noise))
                   : changed.status.has_value() ? status_text(*changed.status)
                                                : tr("no recorded time");
        if (!changed.has_time())
            bar.absence = changed.status ? status_text(*changed.status) : tr("no time");
        series.bars.push_back(std::move(bar));
    }
    chart.set_title(QString::fromStdString(decision.name));
    ChartAxis up;
    up.title = tr("time");
    up.format = ValueFormat::Duration;
    chart.set_y_axis(up);
    chart.set_bars(std::move(series));
    chart.set_selected(text_of(changes_.configurations.front()));
}

void ConfigurationWhatIfPage::select(const QString& text) {
    if (const auto row = model_.row_of(text))
        services_.selection.select_configuration(QString::fromStdString(model_.row(*row).family), text);
}

bool ConfigurationWhatIfPage::is_settled() const {
    return !times_->is_reading() && !answers_.is_busy();
}

QByteArray ConfigurationWhatIfPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << table_->save_state();
    return state;
}

void ConfigurationWhatIfPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray table;
    in >> splitter >> table;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    table_->restore_state(table);
}

} // namespace sparsight
