// What stands on the Search page while nothing was searched for its subject: what to do next.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "widgets/look/empty_state.h"

class QPushButton;

namespace sparsight {

class SearchBeginning : public EmptyState {
    Q_OBJECT

public:
    explicit SearchBeginning(QWidget* parent = nullptr);

    void show_subject(const SearchSubject& subject);

Q_SIGNALS:
    void page_requested(const QString& id); ///< "train", "matrices"

private:
    QPushButton* go_training_;
    QPushButton* go_choosing_;
};

} // namespace sparsight
