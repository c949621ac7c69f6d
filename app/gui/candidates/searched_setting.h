// The fields of the Search page that say what is computed: which models can search, and what they leave open.
#pragma once

#include "gui/jobs/job_request.h"

#include <QList>
#include <QObject>
#include <QString>

class QComboBox;
class QDataStream;
class QWidget;

namespace sparsight {

class FieldRow;
class TrainingRuns;
class WorkspaceSession;
struct KnownModel;

class SearchedSetting : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The choice of the model stands between the two calls.
    virtual void add_before_model(FieldRow& row) = 0;
    virtual void add_after_model(FieldRow& row) = 0;
    [[nodiscard]] virtual QList<QWidget*> fields() const = 0;

    /// Models and settings were read anew.
    virtual void refresh() = 0;
    /// Chooses the purpose that the model is made for.
    virtual void follow(const KnownModel& model) = 0;
    /// KnownModel::purpose of the models that are offered, and the same for people.
    [[nodiscard]] virtual QString purpose() const = 0;
    [[nodiscard]] virtual QString purpose_text() const = 0;
    [[nodiscard]] virtual JobSetting setting() const = 0;

    virtual void save(QDataStream& out) const { static_cast<void>(out); }
    virtual void restore(QDataStream& in) { static_cast<void>(in); }

Q_SIGNALS:
    void purpose_chosen(); ///< by the user
    void changed();        ///< the setting, for the same purpose
};

/// A choice among the purposes of the models of a domain, and one among the settings of that purpose that
/// have times. Where there is no choice there is no field.
class KnownSettings : public SearchedSetting {
    Q_OBJECT

public:
    KnownSettings(WorkspaceSession& session, const TrainingRuns& runs, QWidget* panel);

    void add_before_model(FieldRow& row) override;
    void add_after_model(FieldRow& row) override;
    [[nodiscard]] QList<QWidget*> fields() const override;
    void refresh() override;
    void follow(const KnownModel& model) override;
    [[nodiscard]] QString purpose() const override;
    [[nodiscard]] QString purpose_text() const override;
    [[nodiscard]] JobSetting setting() const override;

private:
    void show_settings();

    WorkspaceSession& session_;
    const TrainingRuns& runs_;
    QComboBox* purpose_;
    QComboBox* setting_;
    QWidget* purpose_cell_ = nullptr; ///< with its caption
    QWidget* setting_cell_ = nullptr;
    bool is_filling_ = false;
};

} // namespace sparsight
