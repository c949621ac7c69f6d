// What the simulator knows of two schedules, side by side, as table rows.
#pragma once

#include "gui/domains/sparse/comparison/explanation_values.h"
#include "widgets/table/record_model.h"

namespace sparsight {

enum class TermKind { Duration, Bytes, Count, Share };

struct TermRow {
    QString key{};
    QString name{};
    QString meaning{};
    TermKind kind = TermKind::Duration;
    std::optional<double> against{};
    std::optional<double> schedule{};

    [[nodiscard]] std::optional<double> difference() const {
        return against && schedule ? std::optional(*schedule - *against) : std::nullopt;
    }
    bool operator==(const TermRow&) const = default;
};

/// The parts of the time, their sum, then what is stored and handed out, then what was counted, if it was.
[[nodiscard]] std::vector<TermRow> term_rows(const ExplanationValues& shown);

class TermsModel : public RecordModel<TermRow> {
public:
    explicit TermsModel(QObject* parent = nullptr);

    enum Column { Name, Against, Schedule, Difference };
};

} // namespace sparsight
