#include "gui/domains/blocks/analysis/errors_view.h"

#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "gui/icons/icon.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

namespace {

struct ErrorTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ErrorsView)
};

RecordColumn<ErrorRow> share_column(const QString& title, const QString& tip, const char* exported,
                                    std::function<double(const ErrorGroup&)> share) {
    auto column = value_column<ErrorRow>(
        title, tip,
        [share = std::move(share)](const ErrorRow& row) { return std::optional(share(row.group)); },
        [](double value) { return share_text(value); });
    column.export_title = QString::fromLatin1(exported);
    return column;
}

std::vector<RecordColumn<ErrorRow>> columns() {
    auto blocks = value_column<ErrorRow>(
        ErrorTexts::tr("Blocks"), ErrorTexts::tr("Measured blocks of the group"),
        [](const ErrorRow& row) { return std::optional(static_cast<qint64>(row.group.errors.blocks)); },
        [](qint64 count) { return count_text(count); });
    auto bias = share_column(ErrorTexts::tr("Bias"),
                             ErrorTexts::tr("Mean of (predicted − measured) / measured: below zero the model "
                                            "says too few cycles"),
                             "bias", [](const ErrorGroup& group) { return group.bias; });
    bias.text = [](const ErrorRow& row) { return percent_text(row.group.bias); };
    auto tau = value_column<ErrorRow>(
        ErrorTexts::tr("Kendall tau"),
        ErrorTexts::tr("How well the order of the blocks is predicted; 1 is best"),
        [](const ErrorRow& row) { return row.group.errors.kendall_tau; },
        [](double value) { return significant(value); });
    return {text_column<ErrorRow>(ErrorTexts::tr("Group"),
                                  ErrorTexts::tr("A block counts in every class of its instructions, and in "
                                                 "every one of its applications"),
                                  [](const ErrorRow& row) { return QString::fromStdString(row.group.name); }),
            text_column<ErrorRow>(ErrorTexts::tr("Kind"), {}, [](const ErrorRow& row) { return row.kind; }),
            std::move(blocks),
            share_column(ErrorTexts::tr("Mean error"),
                         ErrorTexts::tr("Mean of |predicted − measured| / measured"), "mean_error",
                         [](const ErrorGroup& group) { return group.errors.mean; }),
            share_column(ErrorTexts::tr("Median error"), ErrorTexts::tr("Median of the same"), "median_error",
                         [](const ErrorGroup& group) { return group.errors.median; }),
            std::move(bias),
            std::move(tau)};
}

/// Tells how far the work is.
class CountingObserver final : public Observer {
public:
    explicit CountingObserver(std::function<void(const Progress&)> tell)
        : tell_(std::move(tell)) {}
    void show(const Progress& progress) override { tell_(progress); }

private:
    std::function<void(const Progress&)> tell_;
};

/// Takes its time: for another thread.
Result<BlockErrors> compute(const std::string& file, OfferedModel model, const std::string& machine,
                            const PortTables& tables, Observer& observer, const std::stop_token& stop) {
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    const auto made = make_model(model, *decoder, machine, tables);
    if (!made)
        return std::unexpected(made.error());
    return errors_of_stored_blocks(*workspace, machine, *decoder, **made, observer, stop);
}

} // namespace

ErrorGroupModel::ErrorGroupModel(QObject* parent)
    : RecordModel(
          columns(),
          [](const ErrorRow& row) { return row.kind + u'/' + QString::fromStdString(row.group.name); },
          parent) {}

ErrorsView::ErrorsView(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , model_(new QComboBox(this))
    , compute_(new QPushButton(tr("Compute &errors"), this))
    , cancel_(new QPushButton(icon(QStringLiteral("stop")), tr("Ca&ncel"), this))
    , progress_(new QProgressBar(this))
    , sentence_(new QLabel(this))
    , table_(new DataTable(this))
    , rows_(new ErrorGroupModel(this)) {
    build();
    watch_.setInterval(100);
    connect(&watch_, &QTimer::timeout, this, [this] {
        progress_->setMaximum(static_cast<int>(count_->total));
        progress_->setValue(static_cast<int>(count_->done));
    });
    connect(compute_, &QPushButton::clicked, this, &ErrorsView::begin);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        cancel();
        drop();
    });
    connect(model_, &QComboBox::activated, this, &ErrorsView::drop);
    for (const auto changed : {&WorkspaceSession::closed, &WorkspaceSession::measurements_changed})
        connect(&services_.session, changed, this, &ErrorsView::drop);
    connect(&services_.session, &WorkspaceSession::opened, this, &ErrorsView::drop);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &ErrorsView::show_state);
    drop();
}

ErrorsView::~ErrorsView() {
    stop_.request_stop();
}

void ErrorsView::build() {
    offer_models(*model_);
    model_->setObjectName(QStringLiteral("errors-model"));
    model_->setAccessibleName(tr("Model whose errors are computed"));
    compute_->setObjectName(QStringLiteral("compute-errors"));
    cancel_->setObjectName(QStringLiteral("cancel-errors"));
    progress_->setMaximumWidth(24 * grid_step);
    progress_->setAccessibleName(tr("Blocks that are predicted"));
    sentence_->setObjectName(QStringLiteral("errors-sentence"));
    sentence_->setWordWrap(true);
    table_->setObjectName(QStringLiteral("error-groups"));
    table_->setAccessibleName(tr("Errors by group"));
    table_->set_model(rows_);
    table_->set_empty_text(tr("No errors computed yet"));
    auto* const tools = new FlowLayout;
    tools->set_level();
    for (QWidget* const widget : std::initializer_list<QWidget*>{model_, compute_, cancel_, progress_})
        tools->addWidget(widget);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(tools);
    column->addWidget(sentence_);
    column->addWidget(table_, 1);
}

void ErrorsView::set_machine(const std::string& machine, std::shared_ptr<const PortTables> tables) {
    const bool is_same = machine_ == machine && tables_ == tables;
    machine_ = machine;
    tables_ = std::move(tables);
    if (!is_same)
        drop();
}

void ErrorsView::cancel() {
    stop_.request_stop();
    ++round_;
    is_busy_ = false;
    watch_.stop();
    show_state();
}

/// What was computed is of something else.
void ErrorsView::drop() {
    cancel();
    rows_->set_rows({});
    sentence_->setText(tr("Errors of a model on the measured blocks of this workspace on %1.")
                           .arg(title_of_machine(machine_)));
}

void ErrorsView::begin() {
    drop();
    stop_ = std::stop_source();
    count_ = std::make_shared<Count>();
    is_busy_ = true;
    watch_.start();
    in_background(
        this,
        [file = services_.session.path().toStdString(), model = chosen_model(*model_), machine = machine_,
         tables = tables_, count = count_, stop = stop_.get_token()] {
            CountingObserver observer([count](const Progress& progress) {
                count->done = progress.done;
                count->total = progress.total;
            });
            return compute(file, model, machine, *tables, observer, stop);
        },
        [this, round = round_](const Result<BlockErrors>& errors) {
            if (round == round_)
                take(errors);
        });
    show_state();
}

void ErrorsView::take(const Result<BlockErrors>& errors) {
    is_busy_ = false;
    watch_.stop();
    show_state();
    if (!errors) {
        sentence_->setText(QString::fromStdString(errors.error().text()));
        return;
    }
    const ErrorGroups& groups = errors->groups;
    if (groups.all.empty()) {
        sentence_->setText(
            tr("No block of this workspace has a time on %1.").arg(title_of_machine(machine_)));
        return;
    }
    const ErrorGroup& all = groups.all.front();
    QString text = tr("%1 on %2: mean error %3 on %4 blocks, bias %5.")
                       .arg(model_->currentText(), title_of_machine(machine_), share_text(all.errors.mean),
                            count_text(static_cast<qint64>(all.errors.blocks)), percent_text(all.bias));
    if (!groups.by_class.empty())
        text += u' ' + tr("The largest error is that of blocks with this class: %1 (%2).")
                           .arg(QString::fromStdString(groups.by_class.front().name),
                                share_text(groups.by_class.front().errors.mean));
    if (errors->without_prediction > 0)
        text += u' ' + tr("Blocks without a prediction: %1.").arg(count_text(errors->without_prediction));
    sentence_->setText(text);
    std::vector<ErrorRow> rows;
    for (const auto& [kind, of] :
         {std::pair(tr("class"), &groups.by_class), std::pair(tr("application"), &groups.by_application)})
        for (const ErrorGroup& group : *of)
            rows.push_back({kind, group});
    rows_->set_rows(std::move(rows));
}

void ErrorsView::show_state() {
    const bool has_blocks = services_.session.is_open() && !services_.session.contents().workloads.empty();
    compute_->setEnabled(has_blocks && !is_busy_);
    compute_->setToolTip(has_blocks ? QString()
                                    : tr("Import measured blocks first: File › Import Basic Blocks."));
    cancel_->setVisible(is_busy_);
    progress_->setVisible(is_busy_);
    if (!is_busy_)
        progress_->reset();
}

} // namespace sparsight
