// Drafts of schedules for the tests of the widgets, which know no engine.
#pragma once

#include "widgets/schedule/editor/schedule_draft.h"

#include <ostream>

namespace sparsight {

inline void PrintTo(const ScheduleDraft& draft, std::ostream* out) {
    for (const DraftIndex& index : draft.indices)
        *out << QString(index.letter).toStdString() << "/" << index.split << " ";
    *out << draft.order.join(u' ').toStdString() << " parallel " << draft.parallel.toStdString()
         << " threads " << draft.threads << " chunk " << draft.chunk;
}

namespace testing {

/// SpMM over 1000 × 2000 with 64 dense columns: rows in blocks of 4, columns not split, strips of 8.
inline ScheduleDraft spmm_draft() {
    ScheduleDraft draft;
    draft.op = QStringLiteral("spmm");
    draft.indices = {{u'i', QStringLiteral("row"), QStringLiteral("rows"), 4, 1000},
                     {u'k', QStringLiteral("column"), QStringLiteral("columns"), 1, 2000},
                     {u'j', QStringLiteral("C column"), QStringLiteral("columns of C"), 8, 64}};
    draft.order = {QStringLiteral("i1"), QStringLiteral("k1"), QStringLiteral("i0"),
                   QStringLiteral("k0"), QStringLiteral("j1"), QStringLiteral("j0")};
    draft.formats = {{QStringLiteral("i1"), DraftFormat::Uncompressed},
                     {QStringLiteral("i0"), DraftFormat::Uncompressed},
                     {QStringLiteral("k1"), DraftFormat::Compressed},
                     {QStringLiteral("k0"), DraftFormat::Uncompressed}};
    draft.parallel = QStringLiteral("i1");
    draft.may_be_parallel = {QStringLiteral("i1")};
    draft.threads = 8;
    draft.chunk = 16;
    return draft;
}

inline std::string order_of(const ScheduleDraft& draft) {
    return draft.order.join(u' ').toStdString();
}

} // namespace testing
} // namespace sparsight
