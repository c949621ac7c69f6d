#include "gui/results/evaluation_choice.h"

#include "gui/jobs/counted_text.h"
#include "gui/workspace/workspace_session.h"

#include <QLocale>

namespace sparsight {

EvaluationChoice::EvaluationChoice(Services services, QWidget* parent)
    : QComboBox(parent)
    , services_(services) {
    setObjectName(QStringLiteral("evaluation"));
    setAccessibleName(tr("Evaluation"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    connect(this, &QComboBox::currentIndexChanged, this, [this](int row) {
        if (!is_filling_ && row >= 0)
            Q_EMIT chosen(itemData(row).toLongLong());
    });
}

void EvaluationChoice::show_evaluations(const std::vector<StoredEvaluation>& evaluations, RunId shown,
                                        bool is_running) {
    is_filling_ = true;
    clear();
    for (const StoredEvaluation& one : evaluations) {
        addItem(entry_of(one, is_running), static_cast<qint64>(one.run));
        if (one.run == shown)
            setCurrentIndex(count() - 1);
    }
    is_filling_ = false;
}

QString EvaluationChoice::entry_of(const StoredEvaluation& one, bool is_running) const {
    const MachineRecord* machine = services_.session.machine(one.machine);
    const QString where = one.machine == services_.session.this_machine() ? tr("this computer")
                          : machine != nullptr ? QString::fromStdString(machine->name)
                                               : one.machine;
    const QString entry = tr("%1 on %2, %3, %4")
                              .arg(one.models.join(QStringLiteral(", ")), where, matrices_text(one.matrices),
                                   QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
    switch (one.state) {
    case RunState::Running:
        return is_running ? tr("%1 (running)").arg(entry) : tr("%1 (interrupted)").arg(entry);
    case RunState::Stopped:
        return tr("%1 (stopped)").arg(entry);
    case RunState::Failed:
        return tr("%1 (failed)").arg(entry);
    case RunState::Finished:
        break;
    }
    return entry;
}

} // namespace sparsight
