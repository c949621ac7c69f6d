// What the last import into the open workspace could not take, on the page of what it added: how much, and
// under Details each file with its line and reason. It also tells what came with it, so that the page can
// mark that as new.
#pragma once

#include "gui/jobs/job.h"

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

namespace sparsight {

class Banner;
class JobService;

struct ImportProblem {
    QString file;
    QString line; ///< empty: of the whole file
    QString text; ///< what is wrong there, and what was expected
};

/// "cage8 · new": of what came with the last import.
[[nodiscard]] QString new_name_text(const QString& name);

class ImportReport : public QWidget {
    Q_OBJECT

public:
    explicit ImportReport(JobService& jobs, QWidget* parent = nullptr);

    void set_workspace(const QString& path); ///< the open one; empty: none
    /// Whether the last import, while this window was open, brought what was added then. UTC, ISO 8601.
    [[nodiscard]] bool is_new(const std::string& added) const;
    [[nodiscard]] const std::vector<ImportProblem>& problems() const { return problems_; }
    void show_details();

Q_SIGNALS:
    void changed(); ///< another import has begun or ended

private:
    void refresh();
    void read_problems(const Job& job);

    JobService& jobs_;
    QString workspace_;
    JobId job_;
    int run_ = 0;
    JobState state_ = JobState::Waiting;
    QString title_;
    std::string since_; ///< when it began; empty: there was none
    std::vector<ImportProblem> problems_;
    qint64 all_ = 0; ///< problems that it counted; the first thousand are listed
    Banner* banner_;
};

} // namespace sparsight
