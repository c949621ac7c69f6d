#include "gui/domains/sparse/details/schedule_draft_bridge.h"

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <QCoreApplication>
#include <fmt/format.h>

namespace sparsight {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ScheduleDraft)
};

QString from(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

DraftIndex draft_index(Operator op, Index index) {
    DraftIndex result;
    result.letter = QLatin1Char(letter(index));
    if (index == row_index(op)) {
        result.item = Texts::tr("row");
        result.items = Texts::tr("rows");
    } else if (index == column_index(op)) {
        result.item = Texts::tr("column");
        result.items = Texts::tr("columns");
    } else if (op == Operator::SDDMM) {
        result.item = Texts::tr("term");
        result.items = Texts::tr("terms of the sum");
    } else {
        result.item = Texts::tr("C column");
        result.items = Texts::tr("columns of C");
    }
    return result;
}

Result<LoopIndex> loop_called(Operator op, const QString& loop) {
    for (const LoopIndex known : loop_names(op))
        if (from(name(known)) == loop)
            return known;
    return fail(Fault::Input, fmt::format("{} has no loop {}", name(op), loop.toStdString()));
}

DraftFormat draft_format(LevelFormat format) {
    return format == LevelFormat::Compressed ? DraftFormat::Compressed : DraftFormat::Uncompressed;
}

Result<void> write_splits(const ScheduleDraft& draft, SuperSchedule& schedule) {
    for (const DraftIndex& index : draft.indices) {
        const auto known = std::ranges::find(indices(schedule.op), index.letter,
                                             [](Index each) { return QChar(QLatin1Char(letter(each))); });
        if (known == indices(schedule.op).end())
            return fail(Fault::Input, fmt::format("{} has no index {}", name(schedule.op),
                                                  QString(index.letter).toStdString()));
        schedule.split(*known) = index.split;
    }
    return {};
}

Result<void> write_order(const ScheduleDraft& draft, SuperSchedule& schedule) {
    const std::size_t count = loop_count(schedule.op);
    if (static_cast<std::size_t>(draft.order.size()) != count)
        return fail(Fault::Input,
                    fmt::format("the loop order names {} loops, expected {}", draft.order.size(), count));
    for (std::size_t place = 0; place < count; ++place) {
        const auto loop = loop_called(schedule.op, draft.order[static_cast<qsizetype>(place)]);
        if (!loop)
            return std::unexpected(loop.error());
        schedule.order[place] = *loop;
    }
    return {};
}

} // namespace

ScheduleDraft draft_of(const SuperSchedule& schedule, const Extents& extents) {
    ScheduleDraft draft;
    draft.op = from(name(schedule.op));
    for (const Index index : indices(schedule.op)) {
        DraftIndex shown = draft_index(schedule.op, index);
        shown.split = schedule.split(index);
        shown.extent = extents[index];
        draft.indices.push_back(shown);
    }
    for (const LoopIndex loop : schedule.loops()) {
        draft.order << from(name(loop));
        if (is_sparse_index(schedule.op, loop.index))
            draft.formats[from(name(loop))] = draft_format(schedule.format(loop));
    }
    draft.parallel = from(name(schedule.parallel));
    for (const LoopIndex loop : parallel_loops(schedule.op))
        draft.may_be_parallel << from(name(loop));
    draft.threads = schedule.threads;
    draft.chunk = schedule.chunk;
    return draft;
}

Result<SuperSchedule> written_schedule(const ScheduleDraft& draft) {
    const auto op = parse_operator(draft.op.toStdString());
    if (!op)
        return fail(Fault::Input, fmt::format("there is no operator {}", draft.op.toStdString()));
    SuperSchedule schedule(*op);
    if (auto written = write_splits(draft, schedule); !written)
        return std::unexpected(written.error());
    if (auto written = write_order(draft, schedule); !written)
        return std::unexpected(written.error());
    for (const LoopIndex level : level_names(*op)) {
        const auto format = draft.formats.find(from(name(level)));
        if (format == draft.formats.end())
            return fail(Fault::Input, fmt::format("{} has no format", name(level)));
        schedule.format(level) =
            format->second == DraftFormat::Compressed ? LevelFormat::Compressed : LevelFormat::Uncompressed;
    }
    const auto parallel = loop_called(*op, draft.parallel);
    if (!parallel)
        return std::unexpected(parallel.error());
    schedule.parallel = *parallel;
    schedule.threads = draft.threads;
    schedule.chunk = draft.chunk;
    return schedule;
}

Result<SuperSchedule> valid_schedule(const ScheduleDraft& draft) {
    const auto written = written_schedule(draft);
    if (!written)
        return written;
    if (const auto checked = check(*written); !checked)
        return std::unexpected(checked.error());
    return canonical(*written);
}

ScheduleKnowledge schedule_knowledge() {
    ScheduleKnowledge knowledge;
    knowledge.reason_against = [](const ScheduleDraft& draft) {
        const auto schedule = valid_schedule(draft);
        return schedule ? QString() : from(schedule.error().message);
    };
    knowledge.to_text = [](const ScheduleDraft& draft) {
        const auto schedule = written_schedule(draft);
        return schedule ? from(to_text(*schedule)) : QString();
    };
    knowledge.parse = [](const ScheduleDraft& like,
                         const QString& text) -> std::expected<ScheduleDraft, QString> {
        const auto op = parse_operator(like.op.toStdString());
        if (!op)
            return std::unexpected(Texts::tr("there is no operator %1").arg(like.op));
        const auto schedule = parse_schedule(*op, text.toStdString());
        if (!schedule)
            return std::unexpected(from(schedule.error().message));
        Extents extents;
        for (const DraftIndex& index : like.indices)
            for (const Index known : indices(*op))
                if (index.letter == QLatin1Char(letter(known)))
                    extents.by_index[static_cast<std::size_t>(known)] = index.extent;
        return draft_of(*schedule, extents);
    };
    knowledge.describe = [](const ScheduleDraft& draft) {
        const auto schedule = valid_schedule(draft);
        return schedule ? from(describe(*schedule)) : QString();
    };
    return knowledge;
}

} // namespace sparsight
