#include "gui/candidates/search_beginning.h"

#include "gui/icons/icon.h"

#include <QPushButton>

namespace sparsight {

SearchBeginning::SearchBeginning(QWidget* parent)
    : EmptyState(parent)
    , go_training_(add_button(tr("&Train a model first"), icon_on_accent(QStringLiteral("train"))))
    , go_choosing_(add_button(tr("&Choose a matrix"), icon(QStringLiteral("matrices")))) {
    set_icon(icon(QStringLiteral("search")));
    go_training_->setObjectName(QStringLiteral("go-training-first"));
    go_choosing_->setObjectName(QStringLiteral("go-choosing-first"));
    connect(go_training_, &QPushButton::clicked, this,
            [this] { Q_EMIT page_requested(QStringLiteral("train")); });
    connect(go_choosing_, &QPushButton::clicked, this,
            [this] { Q_EMIT page_requested(QStringLiteral("matrices")); });
}

void SearchBeginning::show_subject(const SearchSubject& subject) {
    const bool has_model = !subject.model.isEmpty();
    const bool has_matrix = !subject.matrix.isEmpty();
    go_training_->setVisible(!has_model);
    go_choosing_->setVisible(has_model && !has_matrix);
    if (!has_model) {
        set_title(tr("No model can search yet"));
        set_text(tr("A model learns from measured schedules which ones are fast. Train one; then it "
                    "chooses schedules for matrices that were never measured."));
    } else if (!has_matrix) {
        set_title(tr("No matrix is selected"));
        set_text(tr("Select the matrix for which the model is to choose schedules."));
    } else {
        set_title(tr("Nothing searched for %1 yet").arg(subject.matrix));
        set_text(tr("Press Search: %1 scores schedules for this matrix without running them, and the "
                    "best are listed here with the way that led to them.")
                     .arg(subject.model));
    }
}

} // namespace sparsight
