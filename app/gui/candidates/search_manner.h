// How is searched: the method, how many schedules are wanted, and what the method asks besides.
#pragma once

#include "gui/jobs/job_request.h"

#include <QList>
#include <QObject>
#include <QString>

class QComboBox;
class QDataStream;
class QSpinBox;
class QWidget;

namespace sparsight {

class FieldRow;

class SearchManner : public QObject {
    Q_OBJECT

public:
    explicit SearchManner(QWidget* panel);

    void add_to(FieldRow& row);
    [[nodiscard]] QList<QWidget*> fields() const;
    /// What was recorded can be searched only on a machine that has records; otherwise the choice says why
    /// not.
    void allow_recorded(bool allowed);
    /// What is chosen, as far as the method reads it.
    void apply_to(SearchJob& job) const;

    void save(QDataStream& out) const;
    void restore(QDataStream& in);

Q_SIGNALS:
    void changed();

private:
    void build_methods();
    void show_method();
    [[nodiscard]] QString method() const;

    QComboBox* method_;
    QSpinBox* k_;
    QSpinBox* width_;
    QWidget* width_cell_ = nullptr;
    QSpinBox* budget_;
    QWidget* budget_cell_ = nullptr;
};

} // namespace sparsight
