#include "gui/page/measurement_words.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct ResultWords {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultsModel)
};

} // namespace

QString status_text(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return ResultWords::tr("measured");
    case MeasurementStatus::GaveUp:
        return ResultWords::tr("gave up");
    case MeasurementStatus::TooLarge:
        return ResultWords::tr("too large");
    case MeasurementStatus::Mismatch:
        return ResultWords::tr("mismatch");
    case MeasurementStatus::Failed:
        return ResultWords::tr("failed");
    }
    return {};
}

QString status_meaning(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::Measured:
        return ResultWords::tr("The result was checked, the time stands.");
    case MeasurementStatus::GaveUp:
        return ResultWords::tr(
            "The first runs were so far behind the best that they were abandoned: it takes longer than "
            "this.");
    case MeasurementStatus::TooLarge:
        return ResultWords::tr("The storage format would exceed the size limit, so it was not built.");
    case MeasurementStatus::Mismatch:
        return ResultWords::tr(
            "The result differs from fixed CSR’s: a defect of this program, please report it.");
    case MeasurementStatus::Failed:
        return ResultWords::tr("It could not be compiled or run.");
    }
    return {};
}

} // namespace sparsight
