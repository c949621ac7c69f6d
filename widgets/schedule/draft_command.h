// One edit of a schedule, to be undone.
#pragma once

#include "widgets/schedule/schedule_draft.h"

#include <QUndoCommand>
#include <functional>

namespace sparsight {

class DraftCommand : public QUndoCommand {
public:
    /// Commands one after the other with the same merging id (not −1) become one: the keys of a number that
    /// is typed.
    DraftCommand(const QString& text, ScheduleDraft before, ScheduleDraft after, int merging,
                 std::function<void(const ScheduleDraft&)> show)
        : QUndoCommand(text)
        , before_(std::move(before))
        , after_(std::move(after))
        , merging_(merging)
        , show_(std::move(show)) {}

    void undo() override { show_(before_); }
    void redo() override { show_(after_); }
    [[nodiscard]] int id() const override { return merging_; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* const next = dynamic_cast<const DraftCommand*>(other);
        if (next == nullptr)
            return false;
        after_ = next->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    ScheduleDraft before_;
    ScheduleDraft after_;
    int merging_;
    std::function<void(const ScheduleDraft&)> show_;
};

} // namespace sparsight
