// The decisions of many configurations as columns of a table.
#pragma once

#include "study/domain.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace sparsight {

/// A decision that some of the configurations make.
struct ShownDecision {
    std::string key; ///< in files
    QString name;    ///< for people
};

/// The values of a configuration, one for each of `decisions`; empty where it has no such decision. Decisions
/// that are not there yet are added, in the order in which the configuration makes them.
[[nodiscard]] QStringList values_of(const ConfigurationCodec& codec, const Configuration& configuration,
                                    std::vector<ShownDecision>& decisions);

/// Of the decision at this place; numbers are sorted as numbers. `values` are those of values_of().
template <class Row>
[[nodiscard]] RecordColumn<Row> decision_column(const ShownDecision& decision, qsizetype place,
                                                QStringList Row::* values) {
    RecordColumn<Row> column;
    column.title = decision.name;
    column.export_title = QString::fromStdString(decision.key);
    column.text = [place, values](const Row& row) {
        const QString value = (row.*values).value(place);
        return value.isEmpty() ? unknown_text() : value;
    };
    column.raw = [place, values](const Row& row) {
        const QString value = (row.*values).value(place);
        bool is_number = false;
        const double number = value.toDouble(&is_number);
        return value.isEmpty() ? QVariant() : is_number ? QVariant(number) : QVariant(value);
    };
    return column;
}

} // namespace sparsight
