#include "gui/workloads/workloads_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/views/import_report.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/card.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QDataStream>
#include <QIODevice>
#include <QJsonDocument>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <utility>

namespace sparsight {

namespace {

/// Whether rows differ in a part of their best result, or one that is not there.
template <class Part>
bool differ(const std::vector<MachineTimes>& machines, Part part) {
    return std::ranges::any_of(machines, [&](const MachineTimes& each) {
        return std::invoke(part, each.best) != std::invoke(part, machines.front().best);
    });
}

} // namespace

WorkloadsPage::WorkloadsPage(Services services, QWidget* parent)
    : Page(PagePlace::Workloads, QStringLiteral("workloads"), {}, QStringLiteral("matrices"), parent)
    , services_(services)
    , best_(best_columns(), &best_key)
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , list_(new DataTable(this))
    , headline_(new QLabel(this))
    , counts_(new QLabel(this))
    , figures_(new QSplitter(Qt::Horizontal, this))
    , chart_(new Chart(this))
    , left_out_(new QLabel(this))
    , decisions_card_(new Card({}, this))
    , decisions_(new QLabel(this))
    , best_title_(new QLabel(this))
    , best_table_(new DataTable(this))
    , imported_(new ImportReport(services.jobs, this))
    , empty_(new EmptyState(this)) {
    make_columns({});
    build();
    connect(&services_.session, &WorkspaceSession::opened, imported_, &ImportReport::set_workspace);
    connect(&services_.session, &WorkspaceSession::closed, imported_,
            [this] { imported_->set_workspace({}); });
    connect(imported_, &ImportReport::changed, this, [this] {
        selects_new_ = true;
        show_contents();
    });
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &WorkloadsPage::show_words);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &WorkloadsPage::show_contents);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &WorkloadsPage::ask_for_times);
    connect(&services_.selection, &Selection::changed, this, &WorkloadsPage::follow);
    tell_of_exports(*this);
    imported_->set_workspace(services_.session.path());
    // Made after the import: what the user has selected since stays.
    selects_new_ = services_.session.workload(services_.selection.current().workload) == nullptr;
    show_words();
}

QString WorkloadsPage::title(const Domain& domain) const {
    return title_of_many(domain.words().workload);
}

void WorkloadsPage::build() {
    list_->setObjectName(QStringLiteral("workload-list"));
    list_->set_selection_mode_single(true);
    connect(list_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            services_.selection.select_workload(model_->key(row));
    });
    connect(list_, &DataTable::activated_row, this,
            [this] { services_.selection.select_page(QStringLiteral("configurations")); });
    build_details();
    splitter_->setStretchFactor(1, 1);
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { has_own_heights_ = true; });
    splitter_->setChildrenCollapsible(false);
    empty_->set_icon(icon(QStringLiteral("matrices")));
    // A low window scrolls.
    list_->setMinimumHeight(14 * grid_step);
    chart_->setMinimumHeight(25 * grid_step);
    best_table_->setMinimumHeight(20 * grid_step);
    stack_->addWidget(new ColumnScroll(splitter_, this));
    stack_->addWidget(empty_);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    outer->addWidget(imported_);
    outer->addWidget(stack_);
    setFocusProxy(list_->view());
}

void WorkloadsPage::build_details() {
    keep_font(*headline_, title_font);
    headline_->setObjectName(QStringLiteral("workload-headline"));
    keep_font(*counts_, caption_font);
    counts_->setObjectName(QStringLiteral("workload-counts"));
    counts_->setForegroundRole(QPalette::PlaceholderText);
    chart_->setObjectName(QStringLiteral("workload-times"));
    ChartAxis across;
    across.title = tr("time");
    across.format = ValueFormat::Duration;
    across.logarithmic = true;
    chart_->set_x_axis(across);
    ChartAxis up;
    up.title = tr("share of all");
    up.format = ValueFormat::Percent;
    up.minimum = 0;
    up.maximum = 1;
    chart_->set_y_axis(up);
    connect(chart_, &Chart::picked, this, [this](const QVariant& key) {
        if (const auto row = best_.row_of(key.toString()))
            best_table_->select_source_row(*row);
    });
    decisions_->setObjectName(QStringLiteral("workload-decisions"));
    decisions_->setWordWrap(true);
    decisions_->setTextFormat(Qt::RichText);
    decisions_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    decisions_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(decisions_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (QWidget* each : {scroll->viewport(), static_cast<QWidget*>(decisions_)})
        each->setAutoFillBackground(false); // the card has the colour
    decisions_card_->set_content(scroll);
    keep_font(*left_out_, caption_font);
    left_out_->setObjectName(QStringLiteral("workload-times-left-out"));
    left_out_->setForegroundRole(QPalette::PlaceholderText);
    left_out_->setWordWrap(true);
    auto* curves = new QWidget(this);
    auto* stacked = new QVBoxLayout(curves);
    stacked->setContentsMargins(0, 0, 0, 0);
    stacked->setSpacing(2);
    stacked->addWidget(chart_, 1);
    stacked->addWidget(left_out_);
    figures_->addWidget(curves);
    figures_->addWidget(decisions_card_);
    figures_->setSizes({520, 340});
    figures_->setStretchFactor(0, 3);
    figures_->setStretchFactor(1, 2);
    figures_->setChildrenCollapsible(false);

    keep_font(*best_title_, title_font);
    best_title_->setObjectName(QStringLiteral("best-title"));
    best_table_->set_model(&best_);
    best_table_->setObjectName(QStringLiteral("best-per-machine"));
    best_table_->set_selection_mode_single(true);
    best_table_->set_empty_text(tr("No times are known of it."));
    const auto select = [this](int row, const QString& page) {
        const ResultRecord& result = best_.row(row).best;
        Selected target = services_.selection.current();
        for (const MachineRecord& machine : services_.session.contents().machines)
            if (machine.name == result.machine)
                target.machine = QString::fromStdString(machine.fingerprint);
        if (!page.isEmpty()) {
            target.family = QString::fromStdString(result.family);
            target.configuration = QString::fromStdString(result.configuration);
            target.page = page;
        }
        services_.selection.select(target);
    };
    connect(best_table_, &DataTable::current_row_changed, this, [this, select](int row) {
        mark_curve();
        if (row >= 0 && !is_filling_)
            select(row, {});
    });
    connect(best_table_, &DataTable::activated_row, this,
            [select](int row) { select(row, QStringLiteral("configurations")); });

    auto* titles = new QWidget(this);
    auto* lines = new QVBoxLayout(titles);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(2);
    for (QLabel* label : {headline_, counts_, best_title_})
        label->setWordWrap(true);
    lines->addWidget(headline_);
    lines->addWidget(counts_);
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(titles);
    column->addWidget(figures_, 1);
    column->addWidget(best_title_);
    column->addWidget(best_table_, 1);
    splitter_->addWidget(list_);
    splitter_->addWidget(below);
}

void WorkloadsPage::show_words() {
    const DomainWords& words = services_.session.domain().words();
    empty_->set_title(tr("No %1 yet").arg(many(words.workload)));
    empty_->set_text(tr("Import some with the File menu: their times and configurations are shown then."));
    list_->setAccessibleName(title_of_many(words.workload));
    best_table_->setAccessibleName(tr("Fastest %1 on each machine").arg(one(words.configuration)));
    chart_->set_title(tr("Share of %1 that take at most this time").arg(many(words.configuration)));
    chart_->setAccessibleName(tr("Times of %1 on each machine").arg(many(words.configuration)));
    shown_.clear(); // another domain may have a workload of the same name
    decisions_card_->set_title(tr("Decisions of a %1").arg(one(words.configuration)));
    show_contents();
}

void WorkloadsPage::make_columns(const std::vector<WorkloadRow>& rows) {
    WorkloadColumns made = workload_columns(services_.session.domain(), rows);
    if (model_ != nullptr && made.keys == columns_)
        return;
    columns_ = std::move(made.keys);
    const int count = static_cast<int>(made.columns.size());
    auto model = std::make_unique<RecordModel<WorkloadRow>>(std::move(made.columns), &WorkloadRow::name);
    list_->set_model(model.get());
    model_ = std::move(model);
    for (const int column : {count - 2, count - 1}) // source, added
        list_->set_column_shown(column, false);     // the menu offers them
}

void WorkloadsPage::show_contents() {
    if (!isVisible()) {
        is_stale_ = true;
        return;
    }
    is_stale_ = false;
    const auto& workloads = services_.session.contents().workloads;
    std::vector<WorkloadRow> rows;
    rows.reserve(workloads.size());
    for (const WorkloadRecord& workload : workloads)
        rows.push_back({workload,
                        QJsonDocument::fromJson(QByteArray::fromStdString(workload.known.facts)).object(),
                        imported_->is_new(workload.added)});
    is_filling_ = true;
    make_columns(rows);
    model_->set_rows(std::move(rows));
    is_filling_ = false;
    stack_->setCurrentWidget(workloads.empty() ? empty_ : stack_->widget(0));
    make_room_for(std::ssize(workloads));
    if (selects_new_ && select_new())
        return; // follow() was called
    if (!workloads.empty() && services_.session.workload(services_.selection.current().workload) == nullptr) {
        services_.selection.select_workload(QString::fromStdString(workloads.front().name));
        return; // follow() was called
    }
    follow();
}

bool WorkloadsPage::select_new() {
    const auto first = std::ranges::find_if(model_->rows(), &WorkloadRow::is_new);
    if (first == model_->rows().end())
        return false;
    selects_new_ = false;
    const bool is_selected = first->name() == services_.selection.current().workload;
    services_.selection.select_workload(first->name());
    return !is_selected;
}

void WorkloadsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (is_stale_)
        show_contents();
    else
        follow();
}

void WorkloadsPage::follow() {
    if (!isVisible())
        return;
    const QString name = services_.selection.current().workload;
    if (const auto row = model_->row_of(name); row && list_->current_source_row() != *row) {
        is_filling_ = true;
        list_->select_source_row(*row);
        is_filling_ = false;
    }
    best_title_->setText(tr("Fastest %1 of %2 on each machine")
                             .arg(one(services_.session.domain().words().configuration), name));
    mark_machine();
    if (name != shown_)
        ask_for_times();
}

/// The table of workloads is as high as its rows, up to six, until the user resizes it.
void WorkloadsPage::make_room_for(qsizetype workloads) {
    if (has_own_heights_)
        return;
    const int row = QFontMetrics(font()).height() + grid_step + grid_step / 2;
    const int rows = static_cast<int>(std::clamp<qsizetype>(workloads, 1, 6));
    const int wanted = (3 + rows) * row;
    splitter_->setSizes({wanted, std::max(splitter_->height() - wanted, 3 * wanted)});
}

void WorkloadsPage::ask_for_times() {
    const QString name = services_.selection.current().workload;
    if (!isVisible() || services_.session.workload(name) == nullptr) {
        answers_.cancel();
        shown_.clear();
        show_times({});
        return;
    }
    if (std::exchange(shown_, name) != name)
        show_times({}); // those of another one must not stand under this name
    answers_.ask([file = services_.session.path().toStdString(), &domain = services_.session.domain(),
                  workload = name.toStdString()](
                     const std::stop_token&) { return read_workload_times(file, domain, workload); },
                 [this](Result<WorkloadTimes> times, bool is_newest) {
                     if (!is_newest)
                         return;
                     Q_EMIT notice(times ? QString() : QString::fromStdString(times.error().text()), !times,
                                   QStringLiteral("read"));
                     if (times)
                         show_times(*times);
                 });
}

void WorkloadsPage::show_times(const WorkloadTimes& times) {
    const DomainWords& words = services_.session.domain().words();
    const MachineTimes* const fastest = times.fastest();
    headline_->setVisible(fastest != nullptr);
    counts_->setVisible(fastest != nullptr);
    if (fastest != nullptr) {
        headline_->setText(tr("%1 takes %2 with the fastest %3, on %4.")
                               .arg(shown_, runtime_text(fastest->best.median_ms.value_or(0)),
                                    one(words.configuration), QString::fromStdString(fastest->best.machine)));
        std::set<std::string> machines;
        for (const MachineTimes& machine : times.machines)
            machines.insert(machine.best.machine);
        QStringList counts{counted(times.configurations, words.configuration),
                           machines.size() == 1 ? tr("1 machine") : tr("%1 machines").arg(machines.size()),
                           times.times == 1 ? tr("1 time") : tr("%1 times").arg(count_text(times.times))};
        if (times.without_time > 0)
            counts << tr("%1 without a time").arg(count_text(times.without_time));
        counts << tr("setting: %1")
                      .arg(
                          QString::fromStdString(services_.session.domain().describe(fastest->best.setting)));
        counts_->setText(counts.join(QStringLiteral("  ·  ")));
    }
    is_filling_ = true; // following is not choosing
    best_.set_rows(times.machines);
    best_table_->set_column_shown(static_cast<int>(BestColumn::Condition),
                                  differ(times.machines, &ResultRecord::condition));
    best_table_->set_column_shown(
        static_cast<int>(BestColumn::Setting),
        differ(times.machines, [](const ResultRecord& best) { return best.setting.text; }));
    is_filling_ = false;
    show_curves(times.machines);
    show_decisions(times.decisions);
    figures_->setVisible(!chart_->isHidden() || !decisions_card_->isHidden());
    mark_machine();
}

namespace {

/// Empty where all are drawn.
QString left_out_text(const QStringList& names) {
    constexpr qsizetype most_names = 6;
    if (names.isEmpty())
        return {};
    const QString some = names.mid(0, most_names).join(QStringLiteral(", "));
    return (names.size() > most_names ? WorkloadsPage::tr("Not drawn, in the table below: %1 and %2 more.")
                                            .arg(some, count_text(names.size() - most_names))
                                      : WorkloadsPage::tr("Not drawn, in the table below: %1.").arg(some));
}

} // namespace

/// Machines beyond the number of colours are in the table alone.
void WorkloadsPage::show_curves(const std::vector<MachineTimes>& machines) {
    constexpr std::size_t most_curves = 8;
    std::vector<LineSeries> lines;
    QStringList left_out;
    bool has_spread = false;
    for (const MachineTimes& machine : machines) {
        LineSeries line;
        line.name = QString::fromStdString(machine.best.machine);
        if (differ(machines, &ResultRecord::condition) && !machine.best.condition.empty())
            line.name += QStringLiteral(" (%1)").arg(QString::fromStdString(machine.best.condition));
        if (lines.size() == most_curves) {
            left_out << line.name;
            continue;
        }
        line.x = machine.curve_ms;
        line.y = machine.curve_shares;
        line.colour = series_colour(lines.size());
        line.marked = machine.times <= 10;
        line.key = best_key(machine);
        has_spread = has_spread || machine.times > 1;
        lines.push_back(std::move(line));
    }
    chart_->setVisible(has_spread); // single times are told apart better by the table
    chart_->parentWidget()->setVisible(has_spread);
    left_out_->setText(left_out_text(left_out));
    left_out_->setVisible(!left_out.isEmpty());
    chart_->set_lines(std::move(lines));
}

void WorkloadsPage::show_decisions(const std::vector<DecisionSummary>& decisions) {
    constexpr qsizetype most_values = 24;
    decisions_card_->setVisible(!decisions.empty());
    QString rows;
    for (const DecisionSummary& decision : decisions) {
        QString values = decision.values.mid(0, most_values).join(QStringLiteral(", ")).toHtmlEscaped();
        if (decision.values.size() > most_values)
            values += tr(" … (%1 values)").arg(count_text(decision.values.size()));
        rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                    .arg(decision.name.toHtmlEscaped(), values);
    }
    decisions_->setText(QStringLiteral("<table cellspacing='0' cellpadding='3'>%1</table>").arg(rows));
}

void WorkloadsPage::mark_machine() {
    const MachineRecord* const machine = services_.session.machine(services_.selection.current().machine);
    const auto is_of_machine = [&](int row) {
        return row >= 0 && row < best_.rowCount() && best_.row(row).best.machine == machine->name;
    };
    if (machine != nullptr && !is_of_machine(best_table_->current_source_row()))
        for (int row = 0; row < best_.rowCount(); ++row)
            if (is_of_machine(row)) {
                is_filling_ = true; // following is not choosing
                best_table_->select_source_row(row);
                is_filling_ = false;
                break;
            }
    mark_curve();
}

void WorkloadsPage::mark_curve() {
    const int row = best_table_->current_source_row();
    chart_->set_selected(row >= 0 && row < best_.rowCount() ? QVariant(best_.key(row)) : QVariant());
}

bool WorkloadsPage::is_settled() const {
    return !answers_.is_busy();
}

QByteArray WorkloadsPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << best_table_->save_state() << figures_->saveState() << has_own_heights_;
    return state;
}

void WorkloadsPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray best;
    in >> splitter >> best;
    if (in.status() != QDataStream::Ok)
        return;
    best_table_->restore_state(best);
    QByteArray figures; // layouts of before have none
    in >> figures >> has_own_heights_;
    figures_->restoreState(figures);
    if (has_own_heights_)
        splitter_->restoreState(splitter);
}

} // namespace sparsight
