// What sparse matrices add to the Search page: operator and dense extent, short names of schedules, their
// comparison, and measuring them on this computer.
#pragma once

#include "domains/sparse/schedule/operator.h"
#include "gui/candidates/search_features.h"
#include "gui/candidates/searched_setting.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/page/page.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace sparsight {

/// The operator that models are made for, and the dense extent.
class SearchedOperator : public SearchedSetting {
    Q_OBJECT

public:
    SearchedOperator(UserSettings& settings, QWidget* panel);

    void add_before_model(FieldRow& row) override;
    void add_after_model(FieldRow& row) override;
    [[nodiscard]] QList<QWidget*> fields() const override;
    void refresh() override {}
    void follow(const KnownModel& model) override;
    [[nodiscard]] QString purpose() const override;
    [[nodiscard]] QString purpose_text() const override;
    [[nodiscard]] JobSetting setting() const override;
    /// The dense extent is stored only where it differs from the user's setting.
    void save(QDataStream& out) const override;
    void restore(QDataStream& in) override;

private:
    [[nodiscard]] Operator op() const;
    void show_dense();

    SparseSettings sparse_;
    QComboBox* operator_;
    QSpinBox* dense_;
    QLabel* dense_label_ = nullptr;
    bool is_filling_ = false;
};

/// Nicknames, distinct in the list, and the codes explained.
[[nodiscard]] std::vector<ConfigurationName> name_schedules(const Setting& setting, const QStringList& texts);

[[nodiscard]] SearchFeatures schedule_search(const Services& services, OfferComparison offer_comparison);

} // namespace sparsight
