// Folds simulated steps away that the clock contradicts: they would blame a decision for a loss that is
// another one.
#pragma once

#include "gui/icons/icon.h"
#include "widgets/chart/plots/waterfall_chart.h"

#include <QCoreApplication>
#include <QToolButton>

namespace sparsight {

/// The button above the steps. It decides whether they are seen.
class StepsFold : public QToolButton {
    Q_DECLARE_TR_FUNCTIONS(sparsight::StepsFold)

public:
    StepsFold(WaterfallChart* steps, QWidget* parent)
        : QToolButton(parent)
        , steps_(steps) {
        setText(tr("Simulated steps"));
        setToolTip(tr("Shows or hides the waterfall of the simulation"));
        setCheckable(true);
        setAutoRaise(true);
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        hide();
        connect(this, &QToolButton::toggled, this, [this] { show_steps(); });
    }

    /// Once the picture is set: without contradiction its steps need no button.
    void show_picture(bool is_contradicted) {
        setVisible(is_contradicted && !steps_->picture().empty());
        show_steps();
    }

private:
    void show_steps() {
        setIcon(
            sparsight::icon(isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
        steps_->setVisible(!steps_->picture().empty() && (isHidden() || isChecked()));
    }

    WaterfallChart* steps_;
};

} // namespace sparsight
