// The validation of the machine that is looked at: what it is held against, how far the computing is, what
// came of it, and where nothing did, what to do next.
#pragma once

#include "gui/domains/sparse/validation/validation_study.h"
#include "gui/machines/machines_page.h"
#include "gui/runs/stored_learning.h"
#include "store/machines.h"

#include <QByteArray>
#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace sparsight {

class EmptyState;
class ValidationResults;

class ValidationView : public MachineStudy {
    Q_OBJECT

public:
    explicit ValidationView(Services services, QWidget* parent = nullptr);

    void show_machine(const std::optional<MachineRecord>& machine,
                      const std::vector<LearningSource>& measurements) override;
    [[nodiscard]] std::optional<LearningSource> measurements() const override;

    [[nodiscard]] bool is_settled() const override { return !study_.is_busy(); }
    [[nodiscard]] ValidationStudy& study() { return study_; }
    [[nodiscard]] ValidationResults& results() { return *results_; }

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* build_fields();
    [[nodiscard]] QWidget* build_progress();
    void build_empty();
    void fill_measurements(const std::vector<LearningSource>& measurements);
    void look();
    void show_study();
    void say_what_is_kept_back();
    [[nodiscard]] QString remark() const;
    void show_progress();
    void show_empty();

    Services services_;
    ValidationStudy study_;
    std::optional<MachineRecord> machine_;
    std::vector<LearningSource> known_;
    std::shared_ptr<const MachineValidation> shown_;
    QComboBox* choice_;
    QComboBox* which_;
    QWidget* fields_;
    QWidget* progress_;
    QProgressBar* bar_;
    QLabel* step_;
    QLabel* finding_;
    QLabel* remark_;
    QStackedWidget* stack_;
    ValidationResults* results_;
    EmptyState* empty_;
    QPushButton* go_measuring_ = nullptr;
    QPushButton* compute_ = nullptr;
    QPushButton* look_at_all_ = nullptr;
};

} // namespace sparsight
