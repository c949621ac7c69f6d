// The words of a domain as the window writes them, and those for facts and for the status of a measurement.
#pragma once

#include "study/domain.h"
#include "study/measurement.h"

#include <QCoreApplication>
#include <QJsonValue>
#include <QString>
#include <QVariant>
#include <cstdint>
#include <string_view>

namespace sparsight {

enum class Significance : std::uint8_t; // evaluation/failures/failure_case.h

/// The translation context of texts about workloads and configurations that belong to no widget.
struct DomainTexts {
    Q_DECLARE_TR_FUNCTIONS(DomainTexts)
};

/// "Matrix"
[[nodiscard]] QString title_of_one(const Noun& noun);
/// "Matrices"
[[nodiscard]] QString title_of_many(const Noun& noun);
/// "1 matrix", "1 234 matrices"
[[nodiscard]] QString counted(qint64 count, const Noun& noun);
/// "matrix"
[[nodiscard]] QString one(const Noun& noun);
/// "matrices"
[[nodiscard]] QString many(const Noun& noun);
/// What times are compared with: "fixed CSR"; in a domain without a baseline "the best known configuration".
[[nodiscard]] QString reference(const DomainWords& words);

/// "41.0 % slower", "3.40× as long" from twice the time on; less time than the other: "20.0 % faster".
[[nodiscard]] QString slower_text(double lost_share);
/// "41.0 % slower than fixed CSR", "3.40× as long as fixed CSR", "20.0 % faster than fixed CSR"
[[nodiscard]] QString slower_text(double lost_share, const QString& than);
/// With its verb: "is 41.0 % slower than fixed CSR", "takes 3.40× as long as fixed CSR"
[[nodiscard]] QString takes_longer_text(double lost_share, const QString& than);
/// Why times of Results and Failures are others than those of the page of configurations, which shows them as
/// collected.
[[nodiscard]] QString turns_remark(const DomainWords& words);
/// What a sheet says of a workload or machine; a number that it has written as text is one, too.
[[nodiscard]] QVariant fact_value(const QJsonValue& fact);
/// "2013", "12 345", "0.125", "Ampere"; a dash where it is not known.
[[nodiscard]] QString fact_text(const QVariant& value);

/// "measured", "abandoned" …
[[nodiscard]] QString status_text(MeasurementStatus status);
[[nodiscard]] QString status_meaning(MeasurementStatus status);
/// The same of a time by where it is from, as shown_status() has it: an imported time is "recorded".
[[nodiscard]] QString status_text(MeasurementStatus status, std::string_view shown);
[[nodiscard]] QString status_meaning(MeasurementStatus status, std::string_view shown);

/// "beyond noise"
[[nodiscard]] QString significance_text(Significance significance);
[[nodiscard]] QString significance_meaning(Significance significance);

} // namespace sparsight
