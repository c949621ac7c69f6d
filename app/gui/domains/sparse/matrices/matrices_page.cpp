#include "gui/domains/sparse/matrices/matrices_page.h"

#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/matrices/statistics_view.h"
#include "gui/domains/sparse/matrices/thumbnails.h"
#include "gui/icons/icon.h"
#include "gui/jobs/views/import_report.h"
#include "gui/page/page.h"
#include "gui/page/stacking_splitter.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/recording_note.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/card.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QCoreApplication>
#include <QDataStream>
#include <QDateTime>
#include <QIODevice>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <limits>

namespace sparsight {

namespace {

struct MatricesTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MatricesModel)
};

RecordColumn<MatrixRow> count_column(const QString& title, const QString& tooltip,
                                     std::int64_t MatrixRecord::* member) {
    return value_column<MatrixRow>(
        title, tooltip,
        [member](const MatrixRow& row) {
            return row.record.pattern == PayloadPlace::Unknown ? std::nullopt
                                                               : std::optional<qlonglong>(row.record.*member);
        },
        [](qlonglong count) { return count_text(count); });
}

RecordColumn<MatrixRow> number_column(const QString& title, const QString& tooltip,
                                      double (MatrixRow::*number)() const) {
    return value_column<MatrixRow>(
        title, tooltip, [number](const MatrixRow& row) { return std::optional((row.*number)()); },
        [](double value) { return significant(value); });
}

std::vector<RecordColumn<MatrixRow>> columns() {
    const auto tr = [](const char* text) { return MatricesTable::tr(text); };
    auto name = text_column<MatrixRow>(tr("Matrix"), {}, &MatrixRow::name);
    name.text = [](const MatrixRow& row) { return row.is_new ? new_name_text(row.name()) : row.name(); };
    name.raw = &MatrixRow::name;
    name.colour = [](const MatrixRow& row) {
        return row.is_new ? QVariant(current_theme().accent) : QVariant();
    };
    name.picture = [](const MatrixRow& row) {
        return row.picture.isNull() ? QVariant() : QVariant(row.picture);
    };
    RecordColumn<MatrixRow> added;
    added.title = tr("Added");
    added.text = [](const MatrixRow& row) {
        const auto when = QDateTime::fromString(QString::fromStdString(row.record.added), Qt::ISODate);
        return QLocale().toString(when.toLocalTime(), QLocale::ShortFormat);
    };
    added.raw = [](const MatrixRow& row) { return QVariant(QString::fromStdString(row.record.added)); };
    return {
        name,
        count_column(tr("Entries"), tr("Stored places (nnz), explicit zeros counted"), &MatrixRecord::nnz),
        count_column(tr("Rows"), {}, &MatrixRecord::rows),
        count_column(tr("Columns"), {}, &MatrixRecord::cols),
        number_column(tr("Entries a row"), tr("Mean over all rows, empty ones counted"),
                      &MatrixRow::entries_a_row),
        number_column(tr("Density"), tr("Entries over rows × columns"), &MatrixRow::density),
        text_column<MatrixRow>(
            tr("Source"), tr("The file or the generator that it came from"),
            [](const MatrixRow& row) { return QString::fromStdString(row.record.source); }),
        added};
}

} // namespace

double MatrixRow::density() const {
    const double places = static_cast<double>(record.rows) * static_cast<double>(record.cols);
    return places > 0 ? static_cast<double>(record.nnz) / places : std::numeric_limits<double>::quiet_NaN();
}

double MatrixRow::entries_a_row() const {
    return record.rows > 0 ? static_cast<double>(record.nnz) / static_cast<double>(record.rows)
                           : std::numeric_limits<double>::quiet_NaN();
}

MatricesModel::MatricesModel(Thumbnails& thumbnails, QObject* parent)
    : RecordModel(columns(), &MatrixRow::name, parent)
    , thumbnails_(thumbnails) {}

void MatricesModel::show_matrices(const std::vector<MatrixRecord>& records, const ImportReport* imported) {
    std::vector<MatrixRow> rows;
    rows.reserve(records.size());
    for (const MatrixRecord& record : records)
        rows.push_back(
            {record, thumbnails_.find(record), imported != nullptr && imported->is_new(record.added)});
    set_rows(std::move(rows));
}

void MatricesModel::show_picture(const QString& name) {
    const auto place = row_of(name);
    if (!place)
        return;
    MatrixRow changed = row(*place);
    changed.picture = thumbnails_.find(changed.record);
    update_row(std::move(changed));
}

namespace {

constexpr int room_for_two = 400; ///< below this the plot and the statistics stand side by side

} // namespace

MatricesPage::MatricesPage(SparseServices services, Thumbnails& thumbnails, QWidget* parent)
    : Page(PagePlace::Workloads, QStringLiteral("matrices"), tr("Matrices"), QStringLiteral("matrices"),
           parent)
    , services_(services)
    , thumbnails_(thumbnails)
    , model_(thumbnails)
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , details_(new StackingSplitter(room_for_two, this))
    , list_(new DataTable(this))
    , plot_(new SparsityPlot(this))
    , tabs_(new QTabWidget(this))
    , statistics_(new StatisticsView(this))
    , row_lengths_(new Chart(this))
    , column_lengths_(new Chart(this))
    , empty_(new EmptyState(this))
    , imported_(new ImportReport(services.jobs, this))
    , remove_(new QAction(icon(QStringLiteral("close")), tr("Remove from the workspace…"), this))
    , stale_(new Staleness({statistics_, row_lengths_, column_lengths_}, this)) {
    build_list();
    build_details();
    build_empty();
    splitter_->addWidget(list_);
    splitter_->addWidget(details_);
    splitter_->setSizes({452, 448});
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 2);
    splitter_->setChildrenCollapsible(false);
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    setFocusProxy(list_->view());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(imported_);
    column->addWidget(new RecordingNote(services_.session, this));
    column->addWidget(stack_);
    imported_->set_workspace(services_.session.path());
    connect(imported_, &ImportReport::changed, this, &MatricesPage::show_contents);

    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MatricesPage::show_contents);
    connect(&services_.session, &WorkspaceSession::opened, this, [this](const QString& path) {
        shown_.reset();
        imported_->set_workspace(path);
    });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] { imported_->set_workspace({}); });
    connect(&thumbnails, &Thumbnails::ready, this,
            [this](const QString& name) { model_.show_picture(name); });
    connect(&services_.selection, &Selection::changed, this, &MatricesPage::follow);
    connect(&services_.settings, &UserSettings::changed, this, [this](const QString& key) {
        if (key.startsWith(QStringLiteral("look/"))) // thumbnails depend on the theme, numbers on their style
            model_.show_matrices(matrices_of(services_.session), imported_);
    });
    connect(&services_.matrices, &MatrixLoader::loading, this, [this](const QString& name) {
        if (name != services_.selection.current().workload)
            return;
        plot_->set_busy(tr("Loading %1…").arg(name));
        stale_->begin();
    });
    connect(&services_.matrices, &MatrixLoader::loaded, this, &MatricesPage::show_loaded);
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (name != services_.selection.current().workload)
                    return;
                shown_.reset();
                stale_->end();
                row_lengths_->clear();
                column_lengths_->clear();
                plot_->set_source(nullptr);
                plot_->set_busy({});
                plot_->set_error(reason);
                statistics_->clear();
            });
    tell_of_exports(*this);
    show_contents();
}

std::vector<PagePart> MatricesPage::parts() const {
    std::vector<PagePart> parts;
    for (const Statistic& statistic : statistics())
        parts.push_back({QString::fromStdString(statistic.name), QString::fromStdString(statistic.title),
                         tr("statistic"), QString::fromStdString(statistic.definition)});
    return parts;
}

void MatricesPage::focus_part(const QString& key) {
    tabs_->setCurrentWidget(statistics_);
    statistics_->go_to(key);
}

void MatricesPage::build_list() {
    list_->setObjectName(QStringLiteral("matrix-list"));
    list_->set_model(&model_);
    list_->set_thumbnail_side(Thumbnails::size);
    list_->set_selection_mode_single(true);
    list_->setAccessibleName(tr("Matrices"));
    for (const int column : {MatricesModel::EntriesARow, MatricesModel::Density, MatricesModel::Source,
                             // there is no room for these columns; the menu offers them
                             MatricesModel::Added})
        list_->set_column_shown(column, false);
    list_->view()->setTextElideMode(Qt::ElideMiddle); // names of matrices may differ only at their ends
    connect(list_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            services_.selection.select_workload(model_.key(row));
    });
    connect(list_, &DataTable::activated_row, this, [this](int) {
        services_.selection.select_page(QStringLiteral("schedules")); // the usual next step for a matrix
    });
    connect(remove_, &QAction::triggered, this, &MatricesPage::remove_selected);
    list_->add_tool(remove_, true)->hide(); // offered in the menu of the rows, and by its shortcut
    remove_->setShortcut(QKeySequence::Delete);
    remove_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    list_->addAction(remove_);
    auto* measure = new QAction(icon(QStringLiteral("schedules")), tr("Show &Schedules"), this);
    measure->setObjectName(QStringLiteral("to-schedules"));
    measure->setToolTip(tr("Goes to the Schedules page, where the selected matrix is measured"));
    connect(measure, &QAction::triggered, this,
            [this] { services_.selection.select_page(QStringLiteral("schedules")); });
    list_->add_tool(measure, true)->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void MatricesPage::build_details() {
    auto* card = new Card({}, this);
    card->set_content_margins(0);
    card->set_content(plot_);
    plot_->setObjectName(QStringLiteral("sparsity-plot"));
    statistics_->setObjectName(QStringLiteral("statistics"));
    plot_->set_hint(tr("Select a matrix to see where its entries are."));
    details_->addWidget(card);

    tabs_->addTab(statistics_, tr("Statistics"));
    tabs_->addTab(row_lengths_, tr("Row lengths"));
    tabs_->addTab(column_lengths_, tr("Column lengths"));
    row_lengths_->set_empty_text(tr("Row lengths of the selected matrix"));
    column_lengths_->set_empty_text(tr("Column lengths of the selected matrix"));
    tabs_->setObjectName(QStringLiteral("matrix-tabs"));
    row_lengths_->setObjectName(QStringLiteral("row-lengths"));
    tabs_->setDocumentMode(true);
    details_->addWidget(tabs_);
    details_->setSizes({400, 300});
    details_->setStretchFactor(0, 3);
    details_->setStretchFactor(1, 1);
    details_->setChildrenCollapsible(false);
}

void MatricesPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("matrices")));
    empty_->set_title(tr("No matrices yet"));
    empty_->set_text(tr("Drop matrix files here, or let the program make some."));
    auto* import = empty_->add_button(tr("&Import matrices…"), icon_on_accent(QStringLiteral("import")));
    auto* simulate = empty_->add_button(tr("&Simulate matrices…"), icon(QStringLiteral("simulate")));
    connect(import, &QPushButton::clicked, this, &MatricesPage::import_requested);
    connect(simulate, &QPushButton::clicked, this, &MatricesPage::simulate_requested);
}

void MatricesPage::show_contents() {
    const auto matrices = matrices_of(services_.session);
    // the table moves its current row when that row is removed: the user has not chosen it
    is_filling_ = true;
    model_.show_matrices(matrices, imported_);
    is_filling_ = false;
    stack_->setCurrentWidget(matrices.empty() ? static_cast<QWidget*>(empty_) : splitter_);
    set_availability(*remove_,
                     services_.session.is_read_only() ? tr("This workspace can only be read.") : QString());
    // One matrix is always selected.
    if (!matrices.empty() && !find_matrix(services_.session, services_.selection.current().workload)) {
        services_.selection.select_workload(QString::fromStdString(matrices.front().name));
        return;
    }
    follow();
}

void MatricesPage::follow() {
    const QString name = services_.selection.current().workload;
    if (const auto row = model_.row_of(name); row && list_->current_source_row() != *row)
        list_->select_source_row(*row);
    const auto loaded = services_.matrices.find(name);
    if (find_matrix(services_.session, name) && (!loaded || loaded != shown_))
        services_.matrices.request(name);
    if (name.isEmpty()) {
        shown_.reset();
        plot_->set_source(nullptr);
        statistics_->clear();
    }
}

void MatricesPage::show_loaded(const QString& name) {
    if (name != services_.selection.current().workload)
        return;
    const MatrixLoader::Loaded matrix = services_.matrices.find(name);
    stale_->end();
    if (!matrix || shown_ == matrix)
        return;
    shown_ = matrix;
    plot_->set_busy({});
    plot_->set_title(name);
    plot_->set_source(std::make_shared<PyramidSource>(matrix->pyramid));
    statistics_->show_statistics(matrix->statistics);
    show_histogram(*row_lengths_, matrix->row_lengths, tr("rows"), tr("Row lengths of %1").arg(shown_->name));
    show_histogram(*column_lengths_, matrix->column_lengths, tr("columns"),
                   tr("Column lengths of %1").arg(shown_->name));
}

void MatricesPage::show_histogram(Chart& chart, const LengthHistogram& lengths, const QString& of,
                                  const QString& title) {
    Histogram histogram;
    histogram.name = of;
    histogram.edges = lengths.edges;
    histogram.counts = lengths.counts;
    chart.set_title(title);
    ChartAxis across;
    across.title = tr("length");
    across.unit = tr("entries");
    across.format = ValueFormat::Count;
    chart.set_x_axis(across);
    ChartAxis up;
    up.title = of;
    up.format = ValueFormat::Count;
    chart.set_y_axis(up);
    chart.set_histogram(std::move(histogram));
}

void MatricesPage::remove_selected() {
    const int row = list_->current_source_row();
    if (row < 0)
        return;
    const MatrixRecord record = model_.row(row).record;
    auto* question = new QMessageBox(
        QMessageBox::Question, tr("Remove %1?").arg(model_.key(row)),
        tr("%1 and all its measurements are removed from the workspace. Files are not touched.")
            .arg(model_.key(row)),
        QMessageBox::Cancel, this);
    question->addButton(tr("&Remove"), QMessageBox::DestructiveRole);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QMessageBox::buttonClicked, this,
            [this, question, record, workspace = services_.session.path()](QAbstractButton* clicked) {
                if (question->buttonRole(clicked) != QMessageBox::DestructiveRole ||
                    services_.session.path() != workspace)
                    return;
                services_.session.write(
                    this,
                    [record](Workspace& file) -> Result<void> {
                        const auto there = find_matrix(file, record.name);
                        if (!there)
                            return std::unexpected(there.error());
                        if (!*there || (*there)->id != record.id)
                            return {}; // another process has removed it
                        return remove_workload(file, record.id);
                    },
                    [this, name = QString::fromStdString(record.name)](const Result<void>& removed) {
                        Q_EMIT notice(removed ? QString() : QString::fromStdString(removed.error().text()),
                                      !removed, QStringLiteral("remove ") + name);
                    });
            });
    question->open();
}

bool MatricesPage::is_settled() const {
    const QString name = services_.selection.current().workload;
    return stack_->currentWidget() == empty_ ||
           (shown_ && shown_->name == name && plot_->picture_is_current() && thumbnails_.is_idle());
}

QByteArray MatricesPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << details_->saveState() << list_->save_state() << tabs_->currentIndex();
    return state;
}

void MatricesPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray details;
    QByteArray list;
    int tab = 0;
    in >> splitter >> details >> list >> tab;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    details_->restoreState(details);
    list_->restore_state(list);
    tabs_->setCurrentIndex(tab);
}

} // namespace sparsight
