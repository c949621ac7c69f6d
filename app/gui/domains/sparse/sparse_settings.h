// What the user chose for sparse matrices alone.
#pragma once

#include "gui/settings/settings.h"

namespace sparsight {

struct SparseSettings {
    explicit SparseSettings(UserSettings& settings)
        : dense_extent(settings.preference(QStringLiteral("measuring/dense_extent"), 256))
        , schedules(settings.preference(QStringLiteral("measuring/schedules"), 100))
        , tuning(settings.preference(QStringLiteral("session/tuning"), QByteArray())) {}

    Preference<int> dense_extent; ///< columns of the dense matrix
    Preference<int> schedules;    ///< that are drawn for each matrix
    /// What models are to learn from their failures, as tuning_states_json() of
    /// gui/domains/sparse/failures/tuning/tuning_state.h has it.
    Preference<QByteArray> tuning;
};

} // namespace sparsight
