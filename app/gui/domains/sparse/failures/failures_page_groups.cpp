// What the page says of the evaluation that is looked at: which one it is, and how much failed.
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/failures_page.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/failure_lists.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int open_a_table = -1; ///< in the combo box of sources
constexpr int the_open_table = -2;

/// What all of them cost together, and how many were but wrong beliefs.
QString loss_sentence(const std::vector<FailureCase>& cases) {
    double lost = 0;
    qint64 beliefs = 0;
    for (const FailureCase& failure : cases) {
        lost += failure.lost_ms();
        beliefs += failure.lost_ms() > 0 ? 0 : 1;
    }
    const QString all = SparseFailuresPage::tr("%1 are lost in all.").arg(duration_text(lost));
    if (beliefs == 0)
        return all;
    return beliefs == 1
               ? SparseFailuresPage::tr("%1 One was only wrong about its own choice, which costs nothing.")
                     .arg(all)
               : SparseFailuresPage::tr("%1 %2 were only wrong about their own choices, which costs "
                                        "nothing.")
                     .arg(all, count_text(beliefs));
}

} // namespace

void SparseFailuresPage::show_choice() {
    is_filling_ = true;
    choice_->clear();
    for (std::size_t at = 0; at < read_->evaluations.size(); ++at) {
        choice_->addItem(entry_of(read_->evaluations[at], failure_words().domain().workload),
                         static_cast<int>(at));
        if (read_->setting.table.isEmpty() && read_->evaluations[at].run == read_->setting.run)
            choice_->setCurrentIndex(choice_->count() - 1);
    }
    if (!read_->setting.table.isEmpty()) {
        choice_->addItem(tr("Table %1").arg(QFileInfo(read_->setting.table).fileName()), the_open_table);
        choice_->setCurrentIndex(choice_->count() - 1);
    }
    choice_->addItem(tr("Open a recorded table…"), open_a_table);
    if (read_->evaluations.empty() && read_->setting.table.isEmpty())
        choice_->setCurrentIndex(-1);
    is_filling_ = false;
}

void SparseFailuresPage::choose_source(int row) {
    if (is_filling_)
        return;
    const int source = choice_->itemData(row).toInt();
    if (source == open_a_table) {
        show_choice(); // it is no source itself
        return ask_for_table();
    }
    if (source == the_open_table)
        return;
    choose_evaluation(read_->evaluations[static_cast<std::size_t>(source)].run);
}

void SparseFailuresPage::choose_evaluation(RunId run) {
    table_file_.clear();
    wanted_ = {.run = run};
    is_source_chosen_ = true;
    read_again();
}

void SparseFailuresPage::show_newer_evaluation() {
    // Where none was chosen, the newest that can be read is looked at already.
    const bool is_newer = !wanted_.is_any() && read_->setting.table.isEmpty() &&
                          !read_->evaluations.empty() && read_->evaluations.front().run != read_->setting.run;
    newer_evaluation_->setVisible(is_newer);
    newer_evaluation_->setText(
        is_newer
            ? tr("A newer evaluation is there: %1. <a href='newest'>Show it</a>")
                  .arg(
                      entry_of(read_->evaluations.front(), failure_words().domain().workload).toHtmlEscaped())
            : QString());
}

void SparseFailuresPage::show_headline() {
    const FailureSetting& setting = read_->setting;
    const auto compared = setting.matrices.size() * std::max(qsizetype{1}, setting.models.size());
    headline_->setText(
        read_->cases.empty()
            ? tr("Nothing failed in %1.").arg(matrices_text(setting.matrices.size()))
            : (compared == 1 ? tr("%1 of %2 choice fails, in %3.") : tr("%1 of %2 choices fail, in %3."))
                  .arg(count_text(static_cast<qint64>(read_->cases.size())), count_text(compared),
                       read_->groups.size() == 1
                           ? tr("1 group")
                           : tr("%1 groups").arg(count_text(static_cast<qint64>(read_->groups.size())))));
    QStringList remarks;
    if (const QString missing = remark_on_link(read_->shown); !missing.isEmpty())
        remarks << missing;
    if (!read_->cases.empty())
        remarks << loss_sentence(read_->cases);
    if (setting.table.isEmpty() && setting.source != TimeSource::Measured)
        remarks << tr("Times are %1.")
                       .arg(setting.source == TimeSource::Simulated ? tr("simulated") : tr("recorded"));
    if (!setting.table.isEmpty())
        remarks << tr("Its decisions explain %1 of how much its choices gain or lose.")
                       .arg(share_text(setting.explained));
    if (setting.left_out == 1)
        remarks << tr("One line without a usable time is left out.");
    else if (setting.left_out > 1)
        remarks << tr("%1 lines without a usable time are left out.").arg(count_text(setting.left_out));
    if (std::ranges::any_of(read_->cases, &FailureCase::is_of_turns))
        remarks << turns_remark(failure_words().domain());
    remarks << read_->remarks;
    if (is_asking_what_misled())
        remarks << asking_remark();
    remarks_->setText(remarks.join(u' '));
    remarks_->setVisible(!remarks.isEmpty());
}

} // namespace sparsight
