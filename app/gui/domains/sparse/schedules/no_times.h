// What stands on the Schedules page where the shown machine has no times of the matrix: what has some, and
// how to get them here.
#pragma once

#include "gui/domains/sparse/schedules/ranked_results.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/page/page.h"
#include "widgets/look/page_states.h"

class QPushButton;

namespace sparsight {

class NoTimes : public EmptyState {
    Q_OBJECT

public:
    struct Question {
        QString matrix;
        QString machine; ///< fingerprint; that of this computer may be empty
        Operator op = Operator::SpMM;
        std::int64_t dense = 256;
        bool is_being_measured = false;
    };

    explicit NoTimes(Services services, QWidget* parent = nullptr);

    void show_for(const Question& question, const RankedResults& read);

Q_SIGNALS:
    void setting_chosen(const TimedSetting& setting);
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void follow_link(const QString& link);
    void simulate();
    void follow_job(const JobId& id);
    void show_button();
    [[nodiscard]] const MachineRecord* other_machine() const; ///< null: this computer
    [[nodiscard]] bool is_simulated() const;
    [[nodiscard]] SimulateRuntimesJob job() const;
    [[nodiscard]] QString what_to_do() const;
    [[nodiscard]] QString offers() const;

    Services services_;
    Question question_;
    RankedResults read_;
    QPushButton* simulate_;
    JobId job_;
};

} // namespace sparsight
