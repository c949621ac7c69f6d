// The Search page: the schedules that a model predicts to be the fastest for the selected matrix, the path of
// the search that found them, and their measured times.
#pragma once

#include "gui/domains/sparse/candidates/candidate_rows.h"
#include "gui/domains/sparse/candidates/stored_searches.h"
#include "gui/page/page.h"
#include "widgets/look/page_states.h"

#include <QJsonObject>

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
struct CollectJob;

class CandidatesPage : public Page {
    Q_OBJECT

public:
    CandidatesPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] SearchPanel& panel() { return *panel_; }
    [[nodiscard]] WalkPlot& plot() { return *plot_; }
    [[nodiscard]] DataTable& table() { return *table_; }
    [[nodiscard]] QComboBox& colours();
    [[nodiscard]] const std::vector<CandidateRow>& rows() const { return rows_; }

private:
    void build();
    void build_table();
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
    void select(const QString& schedule);
    [[nodiscard]] CollectJob measuring() const;
    [[nodiscard]] QString measuring_refusal() const;
    [[nodiscard]] std::optional<Job> measuring_job() const;
    void measure();

    Services services_;
    TrainingRuns& runs_;
    ResultsReader times_;
    SearchSubject subject_;
    std::optional<JobId> job_; ///< the job whose search is shown
    std::optional<CandidateSearch> search_;
    std::vector<CandidateRow> rows_;
    CandidatesModel model_;
    SearchPanel* panel_;
    QLabel* headline_;
    QLabel* facts_;
    QPushButton* measure_;
    JobProgressLine* progress_;
    WalkPlot* plot_;
    MapColourChoice* colours_;
    DataTable* table_;
    QLabel* note_; ///< why a blended model uses only one of its two parts
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
    explicit SearchEmptyState(QWidget* parent = nullptr);

    void show_subject(const SearchSubject& subject);

Q_SIGNALS:
    void page_requested(const QString& id); ///< "train", "matrices"

private:
    QPushButton* go_training_;
    QPushButton* go_choosing_;
};

} // namespace sparsight
