// An evaluation for others: its tables on the clipboard, its report as a file.
#pragma once

#include "evaluation/model_evaluation.h"

#include <QAction>
#include <memory>

namespace sparsight {

class ResultExports : public QObject {
    Q_OBJECT

public:
    explicit ResultExports(QWidget* page);

    /// None: nothing can be exported.
    void show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation);
    [[nodiscard]] QList<QAction*> actions() const { return {copy_, report_}; }

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void copy_markdown();
    void save_report();

    QWidget* page_;
    std::shared_ptr<const ModelEvaluation> evaluation_;
    QAction* copy_;
    QAction* report_;
};

} // namespace sparsight
