#include "gui/workloads/workloads_page.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "workflow/evaluation/stored_results.h"

#include <QAction>
#include <QCoreApplication>
#include <QDataStream>
#include <QDateTime>
#include <QIODevice>
#include <QJsonDocument>
#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

namespace sparsight {

namespace {

struct Columns {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WorkloadsPage)
};

RecordColumn<WorkloadRow> fact_column(const QString& key, const QString& title, const QString& tooltip) {
    RecordColumn<WorkloadRow> column;
    column.title = title;
    column.tooltip = tooltip;
    column.export_title = key;
    column.raw = [key](const WorkloadRow& row) { return fact_value(row.facts.value(key)); };
    column.text = [raw = column.raw](const WorkloadRow& row) { return fact_text(raw(row)); };
    column.hint = [key](const WorkloadRow& row) { return row.facts.value(key).toVariant().toString(); };
    return column;
}

RecordColumn<WorkloadRow> added_column() {
    RecordColumn<WorkloadRow> added;
    added.title = Columns::tr("Added");
    added.text = [](const WorkloadRow& row) {
        const auto when = QDateTime::fromString(QString::fromStdString(row.record.added), Qt::ISODate);
        return QLocale().toString(when.toLocalTime(), QLocale::ShortFormat);
    };
    added.raw = [](const WorkloadRow& row) { return QVariant(QString::fromStdString(row.record.added)); };
    return added;
}

RecordColumn<ResultRecord> result_text(const QString& title, std::string ResultRecord::* member) {
    return text_column<ResultRecord>(
        title, {}, [member](const ResultRecord& result) { return QString::fromStdString(result.*member); });
}

std::vector<RecordColumn<ResultRecord>> best_columns() {
    auto time = value_column<ResultRecord>(
        Columns::tr("Shortest time"), Columns::tr("Median of the runs"),
        [](const ResultRecord& result) { return result.median_ms; },
        [](double milliseconds) { return duration_text(milliseconds); });
    time.export_title = QStringLiteral("median_ms");
    auto setting = text_column<ResultRecord>(Columns::tr("Setting"), {}, [](const ResultRecord& result) {
        return QString::fromStdString(result.setting.text);
    });
    return {result_text(Columns::tr("Machine"), &ResultRecord::machine),
            result_text(Columns::tr("Condition"), &ResultRecord::condition), setting, time,
            result_text(Columns::tr("Fastest"), &ResultRecord::configuration)};
}

QString key_of(const ResultRecord& result) {
    return QString::fromStdString(result.machine + '|' + result.condition + '|' + result.setting.text + '|' +
                                  result.protocol + '|' + std::to_string(result.threads));
}

} // namespace

WorkloadsPage::WorkloadsPage(Services services, QWidget* parent)
    : Page(PagePlace::Workloads, QStringLiteral("workloads"), {}, QStringLiteral("matrices"), parent)
    , services_(services)
    , best_(best_columns(), &key_of)
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , list_(new DataTable(this))
    , best_title_(new QLabel(this))
    , best_table_(new DataTable(this))
    , empty_(new EmptyState(this)) {
    make_columns({});
    build();
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &WorkloadsPage::show_words);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &WorkloadsPage::show_contents);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &WorkloadsPage::ask_for_best);
    connect(&services_.selection, &Selection::changed, this, &WorkloadsPage::follow);
    tell_of_exports(*this);
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
    keep_font(*best_title_, title_font);
    best_title_->setWordWrap(true);
    best_title_->setObjectName(QStringLiteral("best-title"));
    best_table_->set_model(&best_);
    best_table_->setObjectName(QStringLiteral("best-per-machine"));
    best_table_->set_selection_mode_single(true);
    best_table_->set_empty_text(tr("No times are known of it."));
    connect(best_table_, &DataTable::activated_row, this, [this](int row) {
        const ResultRecord& result = best_.row(row);
        Selected target = services_.selection.current();
        for (const MachineRecord& machine : services_.session.contents().machines)
            if (machine.name == result.machine)
                target.machine = QString::fromStdString(machine.fingerprint);
        target.family = QString::fromStdString(result.family);
        target.configuration = QString::fromStdString(result.configuration);
        target.page = QStringLiteral("configurations");
        services_.selection.select(target);
    });
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(best_title_);
    column->addWidget(best_table_, 1);
    splitter_->addWidget(list_);
    splitter_->addWidget(below);
    splitter_->setSizes({360, 260});
    splitter_->setChildrenCollapsible(false);
    empty_->set_icon(icon(QStringLiteral("matrices")));
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    outer->addWidget(stack_);
    setFocusProxy(list_->view());
}

void WorkloadsPage::show_words() {
    const DomainWords& words = services_.session.domain().words();
    empty_->set_title(tr("No %1 yet").arg(many(words.workload)));
    empty_->set_text(tr("Import some with the File menu: their times and configurations are shown then."));
    list_->setAccessibleName(title_of_many(words.workload));
    best_table_->setAccessibleName(tr("Fastest %1 on each machine").arg(one(words.configuration)));
    show_contents();
}

/// The numbers that the domain describes its workloads by come first, then whatever else is known of some.
void WorkloadsPage::make_columns(const std::vector<WorkloadRow>& rows) {
    const Domain& domain = services_.session.domain();
    std::set<QString> others;
    for (const WorkloadRow& row : rows)
        for (const QString& key : row.facts.keys())
            others.insert(key);
    QStringList keys{QString::fromStdString(std::string(domain.name()))};
    std::vector<RecordColumn<WorkloadRow>> columns{
        text_column<WorkloadRow>(title_of_one(domain.words().workload), {}, &WorkloadRow::name)};
    for (const StatisticDescription& statistic : domain.statistics()) {
        const QString key = QString::fromStdString(statistic.name);
        if (others.erase(key) == 0)
            continue;
        keys << key;
        columns.push_back(fact_column(key, QString::fromStdString(statistic.title),
                                      QString::fromStdString(statistic.definition)));
    }
    for (const QString& key : others) {
        keys << key;
        columns.push_back(fact_column(key, key, {}));
    }
    if (model_ != nullptr && keys == columns_)
        return;
    columns_ = keys;
    const int source = static_cast<int>(columns.size());
    columns.push_back(
        text_column<WorkloadRow>(tr("Source"), tr("The file that it came from"), [](const WorkloadRow& row) {
            return QString::fromStdString(row.record.known.source);
        }));
    columns.push_back(added_column());
    auto model = std::make_unique<RecordModel<WorkloadRow>>(std::move(columns), &WorkloadRow::name);
    list_->set_model(model.get());
    model_ = std::move(model);
    for (const int column : {source, source + 1})
        list_->set_column_shown(column, false); // the menu offers them
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
        rows.push_back(
            {workload, QJsonDocument::fromJson(QByteArray::fromStdString(workload.known.facts)).object()});
    is_filling_ = true;
    make_columns(rows);
    model_->set_rows(std::move(rows));
    is_filling_ = false;
    stack_->setCurrentWidget(workloads.empty() ? static_cast<QWidget*>(empty_) : splitter_);
    if (!workloads.empty() && services_.session.workload(services_.selection.current().workload) == nullptr) {
        services_.selection.select_workload(QString::fromStdString(workloads.front().name));
        return; // follow() was called
    }
    follow();
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
    ask_for_best();
}

void WorkloadsPage::ask_for_best() {
    const QString name = services_.selection.current().workload;
    if (!isVisible() || services_.session.workload(name) == nullptr) {
        answers_.cancel();
        best_.set_rows({});
        return;
    }
    answers_.ask(
        [file = services_.session.path().toStdString(), &domain = services_.session.domain(),
         workload = name.toStdString()](const std::stop_token&) -> Result<std::vector<ResultRecord>> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            auto results =
                list_results(*workspace, {.domain = std::string(domain.name()), .workload = workload});
            if (!results)
                return std::unexpected(results.error());
            sort_results(domain, *results);
            return best_results(*results);
        },
        [this](Result<std::vector<ResultRecord>> results, bool is_newest) {
            if (!is_newest)
                return;
            Q_EMIT notice(results ? QString() : QString::fromStdString(results.error().text()), !results,
                          QStringLiteral("read"));
            if (results)
                best_.set_rows(std::move(*results));
        });
}

bool WorkloadsPage::is_settled() const {
    return !answers_.is_busy();
}

QByteArray WorkloadsPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << best_table_->save_state();
    return state;
}

void WorkloadsPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray best;
    in >> splitter >> best;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    best_table_->restore_state(best);
}

} // namespace sparsight
