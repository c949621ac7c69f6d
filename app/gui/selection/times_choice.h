// The choice of a workload, a machine and a set of times above a page that shows them: it follows the
// selection, changes it, and reads the times while the page is shown.
#pragma once

#include "gui/page/page.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/configuration_times.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;

namespace sparsight {

class TimesChoice : public QWidget {
    Q_OBJECT

public:
    explicit TimesChoice(Services services, QWidget* parent = nullptr);

    /// The chosen set; empty where no times are known of what is selected.
    [[nodiscard]] const TimeSet& shown() const;
    /// The number of machines that have times of the selected workload in any setting.
    [[nodiscard]] std::size_t machines_with_times() const;
    /// What an empty page says, as HTML: `what_to_do`, and links to machines that have times of the workload,
    /// which follow_link() answers.
    [[nodiscard]] QString with_offers(const QString& what_to_do) const;
    void follow_link(const QString& link);
    [[nodiscard]] bool is_reading() const { return answers_.is_busy(); }

Q_SIGNALS:
    /// shown() is another set, or has other times.
    void set_changed();
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void show_words();
    void fill_choices();
    /// Reads the times of what is selected, unless they are there.
    void follow();
    void read();
    void show_sets(TimeSets read);

    Services services_;
    TimeSets read_;
    QLabel* workload_name_;
    QComboBox* workload_;
    QComboBox* machine_;
    QLabel* set_name_;
    QComboBox* set_;
    QString asked_;        ///< workload and machine that are read
    bool is_stale_ = true; ///< times have come while the page was not shown
    NewestAnswer<Result<TimeSets>> answers_{this};
};

} // namespace sparsight
