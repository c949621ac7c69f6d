#include "gui/jobs/counted_text.h"

#include "gui/jobs/job_texts.h"
#include "widgets/look/number_text.h"

namespace sparsight {

QString matrices_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 matrix") : JobTexts::tr("%1 matrices").arg(count_text(count));
}

QString machines_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 machine") : JobTexts::tr("%1 machines").arg(count_text(count));
}

QString epochs_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 epoch") : JobTexts::tr("%1 epochs").arg(count_text(count));
}

QString measurements_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 measurement")
                      : JobTexts::tr("%1 measurements").arg(count_text(count));
}

QString schedules_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 schedule") : JobTexts::tr("%1 schedules").arg(count_text(count));
}

} // namespace sparsight
