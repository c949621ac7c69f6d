#include "gui/page/short_form.h"

#include <QStringList>

namespace sparsight {

QString short_form(const SuperSchedule& written) {
    const SuperSchedule schedule = canonical(written);
    QStringList loops;
    for (const LoopIndex loop : schedule.loops()) {
        if (!schedule.has(loop))
            continue;
        const QString block =
            loop.part == Part::Inner ? QString::number(schedule.split(loop.index)) : QString();
        const bool is_marked = loop == schedule.parallel && !loops.isEmpty();
        loops << (is_marked ? QStringLiteral("∥") : QString()) + QLatin1Char(letter(loop.index)) + block;
    }
    QString formats;
    for (const Index index : {row_index(schedule.op), column_index(schedule.op)})
        for (const Part part : {Part::Outer, Part::Inner})
            if (schedule.has({index, part}))
                formats += QLatin1Char(schedule.format({index, part}) == LevelFormat::Compressed ? 'C' : 'U');
    return QStringLiteral("%1 · %2 · %3").arg(loops.join(u' '), formats).arg(schedule.chunk);
}

} // namespace sparsight
