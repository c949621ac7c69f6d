// The Search page: the configurations that a model predicts to be the fastest for the selected workload, the
// path of the search that found them, and their known times.
#pragma once

#include "gui/candidates/candidate_rows.h"
#include "gui/candidates/candidate_times.h"
#include "gui/candidates/search_features.h"
#include "gui/candidates/stored_searches.h"
#include "gui/page/page.h"
#include "widgets/look/page_states.h"

#include <QJsonObject>
#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class JobProgressLine;
class MapColourChoice;
class SearchEmptyState;
class SearchPanel;
class TrainingRuns;
class WalkPlot;

class CandidatesPage : public Page {
    Q_OBJECT

public:
    CandidatesPage(Services services, TrainingRuns& runs, SearchFeatures features = {},
                   QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] SearchPanel& panel() { return *panel_; }
    [[nodiscard]] WalkPlot& plot() { return *plot_; }
    [[nodiscard]] DataTable& table() { return *table_; }
    [[nodiscard]] QComboBox& colours();
    [[nodiscard]] const std::vector<CandidateRow>& rows() const { return rows_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void build_table();
    void make_columns(const std::vector<ShownDecision>& decisions);
    void show_names();
    [[nodiscard]] const DomainWords& words() const;
    [[nodiscard]] QString domain_name() const;
    [[nodiscard]] std::shared_ptr<const ConfigurationSpace> space() const;
    void follow();
    void forget_search();
    void read_search();
    void take_event(const JobId& id, const QJsonObject& event);
    void take_end(const JobId& id);
    void ask_for_times();
    [[nodiscard]] TimeSource origin() const;
    void show_rows();
    void show_words();
    void draw_walk();
    void show_parts();
    void show_measuring();
    void mark_selected();
    void select(const QString& configuration);
    /// Nothing where nothing was found, or the domain can't be measured from here.
    [[nodiscard]] std::optional<CandidateMeasurement> measuring(bool again = false) const;
    [[nodiscard]] QString measuring_refusal() const;
    [[nodiscard]] std::optional<Job> measuring_job() const;
    void measure(bool again);

    Services services_;
    TrainingRuns& runs_;
    SearchFeatures features_;
    CandidateTimes times_;
    SearchSubject subject_;
    std::optional<JobId> job_; ///< the job whose search is shown
    std::optional<CandidateSearch> search_;
    std::vector<CandidateRow> rows_;
    std::unique_ptr<CandidatesModel> model_;
    QStringList columns_; ///< of the model: its domain and its decisions
    SearchPanel* panel_;
    QLabel* headline_;
    QLabel* facts_;
    QLabel* noise_; ///< that measured times spread as on a busy computer
    QPushButton* measure_;
    JobProgressLine* progress_;
    WalkPlot* plot_;
    MapColourChoice* colours_;
    DataTable* table_;
    SearchEmptyState* empty_;
    QSplitter* splitter_;
    QStackedWidget* stack_;
    bool is_filling_ = false;
    std::optional<bool> shows_parts_; ///< whether the table shows the parts of the blended scores
};

/// What the Search page shows before anything was searched for its subject: what to do next.
class SearchEmptyState : public EmptyState {
    Q_OBJECT

public:
    explicit SearchEmptyState(QString workloads_page, QWidget* parent = nullptr);

    void show_subject(const SearchSubject& subject, const DomainWords& words);

Q_SIGNALS:
    void page_requested(const QString& id); ///< "train", "workloads"

private:
    QPushButton* go_training_;
    QPushButton* go_choosing_;
};

} // namespace sparsight
