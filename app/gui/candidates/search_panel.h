// Which model searches how, and the button that lets it; while it searches, how far it is.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QDataStream;
class QWidget;

namespace sparsight {

class JobProgressLine;
class SearchMethodForm;
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
    [[nodiscard]] QString search_target() const;

    Services services_;
    TrainingRuns& runs_;
    QComboBox* operator_;
    QComboBox* model_;
    QSpinBox* dense_;
    QLabel* dense_label_ = nullptr;
    SearchMethodForm* manner_;
    QPushButton* search_;
    QLabel* reason_;
    JobProgressLine* progress_;
    bool is_filling_ = false;
    bool has_chosen_operator_ = false; ///< since a model was selected
};

// How is searched: the method, how many schedules are wanted, and what the method asks besides.

class FieldRow;

class SearchMethodForm : public QObject {
    Q_OBJECT

public:
    explicit SearchMethodForm(QWidget* panel);

    void add_to(FieldRow& row);
    [[nodiscard]] QList<QWidget*> fields() const;
    /// What was recorded can be searched only on a machine that has records; otherwise the choice says why
    /// not.
    void allow_recorded(bool allowed);
    /// What is chosen, as far as the method reads it.
    void apply_to(SearchJob& job) const;

    void save(QDataStream& out) const;
    void restore(QDataStream& in);

Q_SIGNALS:
    void changed();

private:
    void build_methods();
    void show_method();
    [[nodiscard]] QString method() const;

    QComboBox* method_;
    QSpinBox* k_;
    QSpinBox* width_;
    QWidget* width_cell_ = nullptr;
    QSpinBox* budget_;
    QWidget* budget_cell_ = nullptr;
};

} // namespace sparsight
