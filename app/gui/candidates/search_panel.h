// The controls of a search on the Search page: what is computed, model, search method and the Search button,
// and the progress of a running search.
#pragma once

#include "gui/candidates/search_features.h"
#include "gui/candidates/stored_searches.h"
#include "gui/jobs/job_request.h"
#include "gui/page/page.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QWidget>

class QComboBox;
class QDataStream;
class QLabel;
class QPushButton;
class QSpinBox;
class QWidget;

namespace sparsight {

class FieldRow;
class JobEstimateLabel;
class ModelChip;
class JobProgressLine;
class SearchMethodForm;
class TrainingRuns;

class SearchPanel : public QWidget {
    Q_OBJECT

public:
    SearchPanel(Services services, TrainingRuns& runs, const SearchFeatures& features,
                QWidget* parent = nullptr);

    /// The request for the selected workload and machine with the choices made here.
    [[nodiscard]] SearchJob request() const;
    [[nodiscard]] SearchSubject subject() const;
    /// Why the search can't be started; empty when it can.
    [[nodiscard]] QString refusal() const;
    /// The unfinished search of this workspace.
    [[nodiscard]] std::optional<Job> running() const;
    [[nodiscard]] bool is_for_this_computer() const;
    void start();

    /// The choices made here, to be restored in the next window. A state that can't be read changes nothing.
    [[nodiscard]] QByteArray state() const;
    void restore_state(const QByteArray& state);

Q_SIGNALS:
    void subject_changed();                                                   ///< model or setting
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void level_fields();
    void follow_purpose();
    void show_words();
    void show_models();
    void show_method();
    /// Why the selected model is not the one that searches; nothing where it is.
    void show_other_model();
    void show_state();
    [[nodiscard]] QDateTime model_made() const;
    [[nodiscard]] QString search_target() const;

    Services services_;
    TrainingRuns& runs_;
    bool needs_data_;
    SearchedSetting* setting_;
    QComboBox* model_;
    QLabel* model_label_ = nullptr;
    SearchMethodForm* manner_;
    QPushButton* search_;
    ModelChip* other_model_;
    QLabel* reason_;
    JobEstimateLabel* estimate_;
    JobProgressLine* progress_;
    bool is_filling_ = false;
    bool has_chosen_purpose_ = false; ///< whether the user chose a purpose since a model was selected
};

/// The fields for the search method: the method, the number of configurations wanted, and the method's own
/// parameters.
class SearchMethodForm : public QObject {
    Q_OBJECT

public:
    explicit SearchMethodForm(QWidget* panel);

    void add_to(FieldRow& row);
    [[nodiscard]] QList<QWidget*> fields() const;
    void show_words(const Domain& domain);
    /// Recorded times can be searched only on a machine that has records; otherwise the choice says why it is
    /// disabled.
    void allow_recorded(bool allowed);
    /// A model without embeddings has no graph: it scores all, and the choice says why it is disabled. The
    /// walk is chosen again with the next model that has some, unless the user has chosen otherwise.
    void allow_walk(bool allowed);
    /// Writes the chosen values that the method reads.
    void apply_to(SearchJob& job) const;

    void save(QDataStream& out) const;
    void restore(QDataStream& in);

Q_SIGNALS:
    void changed();

private:
    void build_methods();
    void show_method();
    void show_walk();
    [[nodiscard]] QString method() const;

    DomainWords words_{};
    QComboBox* method_;
    QSpinBox* k_;
    QSpinBox* width_;
    QSpinBox* budget_;
    QLabel* k_label_ = nullptr;
    QLabel* width_label_ = nullptr;
    QLabel* budget_label_ = nullptr;
    bool can_walk_ = true;
    bool is_walk_wanted_ = false; ///< all is scored in its place
};

} // namespace sparsight
