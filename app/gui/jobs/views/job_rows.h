// The jobs as rows of a list: running jobs first, then the waiting ones in the order of the queue, then the
// past ones, newest first. Those of the open workspace come first; those of another one follow under its
// name. A row has two lines: title and state, then progress or result.
#pragma once

#include "gui/jobs/job.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <vector>

namespace sparsight {

class JobService;

class JobModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        JobRole = Qt::UserRole, ///< a Job
        DetailRole,             ///< one line: progress, summary, error, or why it waits
        HeadingRole             ///< above the first job of another workspace: its name; else empty
    };

    explicit JobModel(const JobService& service, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    void set_workspace(const QString& path); ///< the open one; empty: none

    [[nodiscard]] QModelIndex index_of(const JobId& id) const;
    [[nodiscard]] std::optional<Job> job_at(const QModelIndex& index) const;

private:
    void insert(const JobId& id);
    void update(const JobId& id);
    void drop(const JobId& id);
    [[nodiscard]] int row_of(const JobId& id) const;
    [[nodiscard]] QString detail(const Job& job) const;
    [[nodiscard]] std::vector<Job> in_order() const;
    [[nodiscard]] bool is_of_another(const Job& job) const;
    [[nodiscard]] QString heading(int row) const;

    const JobService& service_;
    QString workspace_;
    std::vector<Job> jobs_;
};

/// Paints the two lines of a row.
class JobDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sparsight
