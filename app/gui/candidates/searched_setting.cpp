#include "gui/candidates/searched_setting.h"

#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"

#include <QComboBox>
#include <algorithm>

namespace sparsight {

KnownSettings::KnownSettings(WorkspaceSession& session, const TrainingRuns& runs, QWidget* panel)
    : SearchedSetting(panel)
    , session_(session)
    , runs_(runs)
    , purpose_(new QComboBox(panel))
    , setting_(new QComboBox(panel)) {
    purpose_->setObjectName(QStringLiteral("searched-purpose"));
    setting_->setObjectName(QStringLiteral("searched-setting"));
    for (QComboBox* const box : {purpose_, setting_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(purpose_, &QComboBox::currentIndexChanged, this, [this] {
        if (is_filling_)
            return;
        show_settings();
        Q_EMIT purpose_chosen();
    });
    connect(setting_, &QComboBox::currentIndexChanged, this, [this] {
        if (!is_filling_)
            Q_EMIT changed();
    });
}

void KnownSettings::add_before_model(FieldRow& row) {
    purpose_cell_ =
        row.add(tr("Fo&r"), purpose_, tr("What models are made for: only models of this are offered"))
            ->parentWidget();
}

void KnownSettings::add_after_model(FieldRow& row) {
    setting_cell_ =
        row.add(tr("&Setting"), setting_, tr("What is computed: settings that have times in this workspace"))
            ->parentWidget();
    refresh();
}

QList<QWidget*> KnownSettings::fields() const {
    return {purpose_, setting_};
}

void KnownSettings::refresh() {
    const QString before = purpose();
    is_filling_ = true;
    purpose_->clear();
    for (const KnownModel& model : runs_.stored().models)
        if (purpose_->findData(model.purpose) < 0)
            purpose_->addItem(model.purpose_text.isEmpty() ? model.purpose : model.purpose_text,
                              model.purpose);
    purpose_->setCurrentIndex(
        std::clamp(purpose_->findData(before), purpose_->count() > 0 ? 0 : -1, purpose_->count() - 1));
    is_filling_ = false;
    purpose_cell_->setVisible(purpose_->count() > 1);
    show_settings();
}

void KnownSettings::show_settings() {
    const QString before = setting_->currentData().toString();
    is_filling_ = true;
    setting_->clear();
    for (const LearningSource& source : runs_.stored().sources) {
        const QString text = QString::fromStdString(source.setting.text);
        if (source.purpose == purpose() && setting_->findData(text) < 0)
            setting_->addItem(source.setting_text, text);
    }
    setting_->setCurrentIndex(
        std::clamp(setting_->findData(before), setting_->count() > 0 ? 0 : -1, setting_->count() - 1));
    is_filling_ = false;
    setting_cell_->setVisible(setting_->count() > 1);
}

void KnownSettings::follow(const KnownModel& model) {
    is_filling_ = true;
    purpose_->setCurrentIndex(purpose_->findData(model.purpose));
    is_filling_ = false;
    show_settings();
}

QString KnownSettings::purpose() const {
    return purpose_->currentData().toString();
}

QString KnownSettings::purpose_text() const {
    return purpose_->currentText();
}

JobSetting KnownSettings::setting() const {
    const Domain& domain = session_.domain();
    if (setting_->currentIndex() >= 0)
        return job_setting(domain,
                           {std::string(domain.name()), setting_->currentData().toString().toStdString()});
    const auto usual = domain.setting_of({});
    return usual ? job_setting(domain, *usual) : JobSetting{};
}

} // namespace sparsight
