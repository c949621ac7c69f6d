// Which model searches how, and the button that lets it; while it searches, how far it is.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "gui/jobs/job_request.h"
#include "gui/page/services.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace sparsight {

class JobProgressLine;
class SearchManner;
class TrainingRuns;

class SearchPanel : public QWidget {
    Q_OBJECT

public:
    SearchPanel(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    /// For the selected matrix and machine, as chosen here.
    [[nodiscard]] SearchJob request() const;
    [[nodiscard]] SearchSubject subject() const;
    /// Why it can't be started; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// The search of this workspace that is not over.
    [[nodiscard]] std::optional<Job> running() const;
    [[nodiscard]] bool is_for_this_computer() const;
    void start();

    /// What was chosen here, to be restored in the next window. What can't be read changes nothing.
    [[nodiscard]] QByteArray state() const;
    void restore_state(const QByteArray& state);

Q_SIGNALS:
    void subject_changed(); ///< model, operator or dense extent
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void level_fields();
    void follow_operator();
    void show_models();
    void show_method();
    void show_state();
    [[nodiscard]] QDateTime model_made() const;
    [[nodiscard]] QString searched_machine() const;

    Services services_;
    TrainingRuns& runs_;
    QComboBox* operator_;
    QComboBox* model_;
    QSpinBox* dense_;
    QLabel* dense_label_ = nullptr;
    SearchManner* manner_;
    QPushButton* search_;
    QLabel* reason_;
    JobProgressLine* progress_;
    bool is_filling_ = false;
    bool has_chosen_operator_ = false; ///< since a model was selected
};

} // namespace sparsight
