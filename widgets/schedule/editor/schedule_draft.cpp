#include "widgets/schedule/editor/schedule_draft.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("sparsight::ScheduleDraft", text);
}

} // namespace

const DraftIndex* index_of(const ScheduleDraft& draft, const QString& loop) {
    if (loop.isEmpty())
        return nullptr;
    const auto found = std::ranges::find(draft.indices, loop.front(), &DraftIndex::letter);
    return found == draft.indices.end() ? nullptr : &*found;
}

bool is_inner(const QString& loop) {
    return loop.endsWith(u'0');
}

bool has_loop(const ScheduleDraft& draft, const QString& loop) {
    const DraftIndex* const index = index_of(draft, loop);
    return index != nullptr && (!is_inner(loop) || index->split != 1);
}

qint64 iterations(const ScheduleDraft& draft, const QString& loop) {
    const DraftIndex* const index = index_of(draft, loop);
    if (index == nullptr || index->extent <= 0 || index->split < 1)
        return 0;
    return is_inner(loop) ? index->split : (index->extent - 1) / index->split + 1;
}

void set_split(ScheduleDraft& draft, QChar letter, qint64 split) {
    const auto index = std::ranges::find(draft.indices, letter, &DraftIndex::letter);
    if (index == draft.indices.end() || index->split == split)
        return;
    const bool appears = index->split == 1;
    index->split = split;
    const QString outer = letter + QStringLiteral("1");
    const QString inner = letter + QStringLiteral("0");
    if (appears && draft.order.indexOf(inner) < draft.order.indexOf(outer))
        move_loop(draft, inner, draft.order.indexOf(outer)); // the new index of the outer loop, plus one
}

void move_loop(ScheduleDraft& draft, const QString& loop, qsizetype place) {
    if (draft.order.removeOne(loop))
        draft.order.insert(std::clamp<qsizetype>(place, 0, draft.order.size()), loop);
}

void flip_format(ScheduleDraft& draft, const QString& loop) {
    if (const auto format = draft.formats.find(loop); format != draft.formats.end())
        format->second =
            format->second == DraftFormat::Compressed ? DraftFormat::Uncompressed : DraftFormat::Compressed;
}

QString loop_meaning(const ScheduleDraft& draft, const QString& loop) {
    const DraftIndex* const index = index_of(draft, loop);
    if (index == nullptr)
        return {};
    if (is_inner(loop))
        return has_loop(draft, loop)
                   ? translated(QT_TRANSLATE_NOOP("sparsight::ScheduleDraft", "positions in a block"))
                   : translated(QT_TRANSLATE_NOOP("sparsight::ScheduleDraft", "not split"));
    if (index->split == 1)
        return index->items;
    return translated(QT_TRANSLATE_NOOP("sparsight::ScheduleDraft", "%1 blocks")).arg(index->item);
}

} // namespace sparsight
