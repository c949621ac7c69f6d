// Failure cases as table rows.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "widgets/table/record_model.h"

namespace sparsight {

/// Names a case among those of one evaluation.
[[nodiscard]] QString key_of(const FailureCase& failure);

class CasesModel : public RecordModel<FailureCase> {
public:
    explicit CasesModel(QObject* parent = nullptr);

    enum Column { Matrix, LostShare, Lost, Rank, Kind, DearestDecision, Family, Model, Noise };
};

} // namespace sparsight
