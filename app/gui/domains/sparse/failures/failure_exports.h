// The failures for others: stories, cases and a page for each of the greatest losses, as one file.
#pragma once

#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"

#include <QAction>
#include <memory>

namespace sparsight {

struct WrittenFailures {
    std::string html;             ///< needs nothing from outside
    std::size_t without_page = 0; ///< of the cases looked at; the report says why
};

/// The gravest cases get a page of their own where the workspace has their pattern.
/// Takes its time: for another thread. Errors: those of the workspace, Fault::Cancelled.
[[nodiscard]] Result<WrittenFailures> failures_report(const ReadFailures& read, const std::string& workspace,
                                                      const std::stop_token& stop);

class FailureExports : public QObject {
    Q_OBJECT

public:
    FailureExports(Services services, QWidget* page);

    /// None, or without a case: there is nothing to export.
    void show_failures(std::shared_ptr<const ReadFailures> read);
    [[nodiscard]] QAction& action() const { return *report_; }
    [[nodiscard]] bool is_busy() const { return writer_.is_busy(); }
    /// By its suffix: .html or .pdf.
    void write(const QString& path);

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void ask_for_file();
    void show_availability();
    void finish(const QString& path, const Result<WrittenFailures>& report);

    Services services_;
    QWidget* page_;
    std::shared_ptr<const ReadFailures> read_;
    QAction* report_;
    NewestAnswer<Result<WrittenFailures>> writer_{this};
};

} // namespace sparsight
