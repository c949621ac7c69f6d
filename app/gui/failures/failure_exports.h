// The failures for others: the action that saves what a page shows as one file.
#pragma once

#include "base/error.h"
#include "gui/workspace/background_work.h"

#include <QObject>
#include <functional>
#include <stop_token>
#include <string>

class QAction;
class QWidget;

namespace sparsight {

struct WrittenFailures {
    std::string html;             ///< needs nothing from outside
    std::size_t without_page = 0; ///< of the cases looked at that were to have one; the report says why
};

/// "Sparsight 0.1"
[[nodiscard]] std::string program_and_version();

class FailureExports : public QObject {
    Q_OBJECT

public:
    /// Runs on another thread and owns what it uses.
    using Write = std::function<Result<WrittenFailures>(const std::stop_token& stop)>;

    explicit FailureExports(QWidget* page);

    /// Empty: there is nothing to export.
    void set_report(Write write);
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

    QWidget* page_;
    Write write_;
    QAction* report_;
    NewestAnswer<Result<WrittenFailures>> writer_{this};
};

} // namespace sparsight
