#include "gui/domains/sparse/sparse_settings.h"

#include "gui/domains/sparse/schedules/schedule_words.h"

#include <QCoreApplication>

namespace sparsight {

SettingsGroup sparse_settings_group(UserSettings& settings, const QString& title) {
    struct Texts {
        Q_DECLARE_TR_FUNCTIONS(sparsight::SparseSettings)
    };
    const SparseSettings own(settings);
    const auto number = [](const Preference<int>& setting, const QString& name, const QString& tip,
                           int most) {
        return NumberSetting{setting.key(), setting.default_variant().toInt(), name, tip, 1, most};
    };
    return {
        title,
        {number(own.dense_extent, Texts::tr("Columns of the dense matri&x"), dense_columns_tip(), 1 << 16),
         number(own.schedules, Texts::tr("Schedules per &matrix"),
                Texts::tr("Drawn at random; fixed CSR is always measured besides"), 100'000)}};
}

} // namespace sparsight
