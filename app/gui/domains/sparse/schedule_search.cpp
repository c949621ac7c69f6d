#include "gui/domains/sparse/schedule_search.h"

#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/runs/stored_learning.h"
#include "widgets/look/form_layout.h"

#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QSpinBox>

namespace sparsight {

SearchedOperator::SearchedOperator(UserSettings& settings, QWidget* panel)
    : SearchedSetting(panel)
    , sparse_(settings)
    , operator_(new QComboBox(panel))
    , dense_(new QSpinBox(panel)) {
    for (const Operator op : {Operator::SpMM, Operator::SpMV, Operator::SDDMM})
        operator_->addItem(operator_text(op), static_cast<int>(op));
    operator_->setObjectName(QStringLiteral("searched-operator"));
    dense_->setObjectName(QStringLiteral("searched-dense"));
    dense_->setRange(1, 1 << 16);
    dense_->setValue(sparse_.dense_extent.get());
    connect(operator_, &QComboBox::currentIndexChanged, this, [this] {
        show_dense();
        if (!is_filling_)
            Q_EMIT purpose_chosen();
    });
    connect(dense_, &QSpinBox::valueChanged, this, &SearchedSetting::changed);
    connect(&settings, &UserSettings::changed, this, [this](const QString& key) {
        if (key == sparse_.dense_extent.key())
            dense_->setValue(sparse_.dense_extent.get());
    });
}

void SearchedOperator::add_before_model(FieldRow& row) {
    row.add(tr("&Operator"), operator_,
            tr("A model predicts one operator: only models of this one are offered"));
}

void SearchedOperator::add_after_model(FieldRow& row) {
    dense_label_ = row.add(tr("Columns of the &dense matrix"), dense_, dense_columns_tip());
    show_dense();
}

QList<QWidget*> SearchedOperator::fields() const {
    return {operator_, dense_};
}

void SearchedOperator::follow(const KnownModel& model) {
    is_filling_ = true;
    if (const auto op = parse_operator(model.purpose.toStdString()))
        operator_->setCurrentIndex(operator_->findData(static_cast<int>(*op)));
    is_filling_ = false;
}

void SearchedOperator::show_dense() {
    const bool has_dense = op() != Operator::SpMV;
    dense_->setEnabled(has_dense);
    dense_label_->setEnabled(has_dense);
    dense_->setToolTip(has_dense ? dense_label_->toolTip() : tr("SpMV has no dense matrix."));
}

Operator SearchedOperator::op() const {
    return static_cast<Operator>(operator_->currentData().toInt());
}

QString SearchedOperator::purpose() const {
    return op_name(op());
}

QString SearchedOperator::purpose_text() const {
    return operator_text(op());
}

JobSetting SearchedOperator::setting() const {
    return sparse_job_setting(op(), dense_->value());
}

void SearchedOperator::save(QDataStream& out) const {
    out << (dense_->value() != sparse_.dense_extent.get()) << dense_->value();
}

void SearchedOperator::restore(QDataStream& in) {
    bool is_chosen = false;
    int dense = 0;
    in >> is_chosen >> dense;
    if (in.status() == QDataStream::Ok)
        dense_->setValue(is_chosen ? dense : sparse_.dense_extent.get());
}

std::vector<ConfigurationName> name_schedules(const Setting& setting, const QStringList& texts) {
    const Operator op = sparse_setting(setting).op;
    std::vector<std::string> codes;
    for (const QString& text : texts)
        codes.push_back(text.toStdString());
    const std::vector<std::string> short_forms = nicknames(op, codes);
    std::vector<ConfigurationName> names;
    for (std::size_t each = 0; each < codes.size(); ++each) {
        const auto schedule = parse_schedule(op, codes[each]);
        names.push_back(
            {QString::fromStdString(short_forms[each]), schedule ? code_tip(*schedule) : QString()});
    }
    return names;
}

namespace {

CandidateMeasurement measure_schedules(const MeasuredCandidates& candidates) {
    const SparseSetting setting = sparse_setting(candidates.setting);
    CollectSchedulesJob job;
    job.workspace = candidates.workspace;
    job.workloads = {candidates.workload};
    job.op = setting.op;
    job.dense = job.op == Operator::SpMV ? 1 : setting.dense;
    job.listed = candidates.configurations;
    job.again = candidates.again;
    // All have the threads of the machine for which was searched.
    for (const QString& text : candidates.configurations)
        if (const auto schedule = parse_schedule(job.op, text.toStdString()))
            job.threads = schedule->threads;
    return {job, std::string(name(job.protocol)), job.threads};
}

} // namespace

SearchFeatures schedule_search(const Services& services, OfferComparison offer_comparison) {
    SearchFeatures features;
    features.make_setting = [&settings = services.settings](QWidget* panel) {
        return new SearchedOperator(settings, panel);
    };
    features.name_configurations = &name_schedules;
    features.code_meaning = code_meaning();
    features.offer_comparison = std::move(offer_comparison);
    features.measure = &measure_schedules;
    features.needs_data = true;
    features.workloads_page = QStringLiteral("matrices");
    features.configurations_page = QStringLiteral("schedules");
    return features;
}

} // namespace sparsight
