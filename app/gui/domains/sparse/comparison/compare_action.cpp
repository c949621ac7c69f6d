#include "gui/domains/sparse/comparison/compare_action.h"

#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/comparison/comparison_dialog.h"
#include "gui/icons/icon.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QKeySequence>
#include <array>

namespace sparsight {

namespace {

std::optional<SuperSchedule> schedule_of(const ComparableRow& row) {
    const auto op = parse_operator(row.op.toStdString());
    if (!op || row.schedule.isEmpty())
        return std::nullopt;
    const auto schedule = parse_schedule(*op, row.schedule.toStdString());
    return schedule ? std::optional(*schedule) : std::nullopt;
}

QString title_of(const ComparableRow& row, const SuperSchedule& schedule, const std::string& name) {
    if (!row.title.isEmpty())
        return row.title;
    return is_fixed_csr(schedule) ? CompareAction::tr("Fixed CSR") : QString::fromStdString(name);
}

} // namespace

QString known_time_text(std::optional<double> milliseconds, std::optional<double> spread_ms) {
    if (!milliseconds)
        return {};
    return spread_ms.value_or(0) > 0 ? duration_with_spread(*milliseconds, *spread_ms)
                                     : duration_text(*milliseconds);
}

std::optional<double> time_by_the_clock(const std::string& protocol, std::optional<double> milliseconds) {
    return protocol == "simulated" ? std::nullopt : milliseconds;
}

CompareAction::CompareAction(SparseServices services, DataTable& table, std::function<ComparableRow(int)> row)
    : QObject(&table)
    , services_(services)
    , table_(table)
    , row_(std::move(row))
    , action_(new QAction(icon(QStringLiteral("compare")), tr("Com&pare"), &table)) {
    action_->setObjectName(QStringLiteral("compare-schedules"));
    action_->setShortcut(Qt::CTRL | Qt::Key_E);
    action_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action_->setToolTip(tr("Both schedules side by side: loop nests, storage, decisions, terms (%1)")
                            .arg(action_->shortcut().toString(QKeySequence::NativeText)));
    table.set_selection_mode_single(false);
    table.add_tool(action_, true);
    table.addAction(action_);
    connect(action_, &QAction::triggered, this, &CompareAction::compare);
    connect(&table, &DataTable::selection_changed, this, &CompareAction::show_availability);
    connect(&services.session, &WorkspaceSession::contents_changed, this, &CompareAction::show_availability);
    show_availability();
}

QString CompareAction::refusal() const {
    const std::vector<int> rows = table_.selected_source_rows();
    if (rows.size() != 2)
        return tr("Select two rows: click one, and the other one with Ctrl.");
    const ComparableRow one = row_(rows[0]);
    const ComparableRow other = row_(rows[1]);
    if (one.matrix != other.matrix)
        return tr("One is of %1 and the other of %2: choose two of the same matrix.")
            .arg(one.matrix, other.matrix);
    const auto first = schedule_of(one);
    const auto second = schedule_of(other);
    if (!first || !second)
        return tr("One of both rows has no schedule.");
    if (first->op != second->op)
        return tr("One is of another operator than the other.");
    if (canonical(*first) == canonical(*second))
        return tr("Both rows have the same schedule.");
    return {};
}

void CompareAction::show_availability() {
    set_availability(*action_, refusal());
}

void CompareAction::compare() {
    if (!refusal().isEmpty())
        return show_availability();
    const std::vector<int> rows = table_.selected_source_rows();
    const ComparableRow against = row_(rows[0]);
    const ComparableRow other = row_(rows[1]);
    ComparedPair pair;
    pair.subject = {against.matrix, *schedule_of(against), *schedule_of(other), against.dense,
                    against.machine};
    const std::vector<std::string> names = nicknames(std::array{pair.subject.against, pair.subject.schedule});
    pair.titles = {title_of(against, pair.subject.against, names[0]),
                   title_of(other, pair.subject.schedule, names[1])};
    pair.times = {against.time, other.time, against.known, other.known, {}};
    auto* const dialog = new ComparisonDialog(services_, std::move(pair), table_.window());
    dialog->show();
}

} // namespace sparsight
