// The window is to be closed while jobs run: shall they go on without it, be stopped, or shall it stay?
#pragma once

#include <QMessageBox>

namespace sparsight {

class JobService;

class ClosingQuestion : public QMessageBox {
    Q_OBJECT

public:
    explicit ClosingQuestion(const JobService& jobs, QWidget* window);

Q_SIGNALS:
    void keep_running();
    void stop_jobs();
};

} // namespace sparsight
