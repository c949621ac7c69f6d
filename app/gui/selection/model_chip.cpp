#include "gui/selection/model_chip.h"

#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "widgets/look/link_label.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QPainter>
#include <algorithm>

namespace sparsight {

namespace {

const QString select_link = QStringLiteral("select");
const QString action_link = QStringLiteral("action");

QString link(const QString& to, const QString& words) {
    return QStringLiteral(" <a href='%1'>%2</a>").arg(to, words.toHtmlEscaped());
}

} // namespace

ModelChip::ModelChip(Selection& selection, QWidget* parent)
    : QLabel(parent)
    , selection_(selection) {
    setObjectName(QStringLiteral("selected-model"));
    keep_font(*this, caption_font);
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    reach_links_by_keyboard(*this);
    setContentsMargins(grid_step, grid_step / 2, grid_step, grid_step / 2);
    hide();
    connect(this, &QLabel::linkActivated, this, [this](const QString& to) {
        if (to == action_link)
            Q_EMIT action_chosen();
        else
            selection_.select_model(shown_);
    });
}

void ModelChip::show_models(const QStringList& shown, const QString& reason, const QString& action) {
    const QString selected = selection_.current().model;
    const bool is_other = !selected.isEmpty() && !shown.isEmpty() && !shown.contains(selected);
    shown_ = shown.value(0);
    setVisible(is_other && !reason.isEmpty());
    QString text = reason.toHtmlEscaped();
    if (!action.isEmpty())
        text += link(action_link, action);
    text += link(select_link, tr("Select %1").arg(shown_));
    setText(isHidden() ? QString() : text);
}

void ModelChip::show_evaluation(const TrainingRuns& runs, const std::vector<StoredEvaluation>& all,
                                const QStringList& shown) {
    const QString selected = selection_.current().model;
    const bool is_known = runs.model(selected) != nullptr;
    const bool is_evaluated = std::ranges::any_of(
        all, [&selected](const StoredEvaluation& each) { return each.models.contains(selected); });
    const QString others = shown.join(QStringLiteral(", "));
    if (is_evaluated || !is_known)
        show_models(
            shown,
            tr("The selected model %1 is not in this evaluation, which is of %2.").arg(selected, others),
            is_evaluated ? tr("Show the evaluation of %1").arg(selected) : QString());
    else
        show_models(shown, tr("The selected model %1 was not evaluated yet. This evaluation is of %2.")
                               .arg(selected, others));
}

void ModelChip::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    paint_rounded(painter, rect(), mixed(theme.surface, theme.accent, 0.1),
                  mixed(theme.surface, theme.accent, 0.45), corner_radius);
    painter.end();
    QLabel::paintEvent(event);
}

} // namespace sparsight
