// A SuperSchedule while the user edits it, as plain values that may be invalid (validation is elsewhere), and
// the undo command for one edit.
#pragma once

#include <QString>
#include <QStringList>
#include <QUndoCommand>
#include <functional>
#include <map>
#include <vector>

namespace sparsight {

enum class DraftFormat { Compressed, Uncompressed };

/// An index of the operator with its one split: outer loop "i1", inner loop "i0".
struct DraftIndex {
    QChar letter;
    QString item;  ///< what the index counts, for people: "row"
    QString items; ///< plural of `item`: "rows"
    qint64 split = 1;
    qint64 extent = 0; ///< 0: not known
    bool operator==(const DraftIndex&) const = default;
};

struct ScheduleDraft {
    QString op; ///< "spmm"
    std::vector<DraftIndex> indices;
    QStringList order; ///< all loops, outermost first; also the inner loops of indices that are not split
    std::map<QString, DraftFormat> formats; ///< for loops that are levels of A, and for no others
    QString parallel;
    QStringList may_be_parallel;
    int threads = 1;
    int chunk = 1;
    bool operator==(const ScheduleDraft&) const = default;
};

/// nullptr where the draft has no such index.
[[nodiscard]] const DraftIndex* index_of(const ScheduleDraft& draft, const QString& loop);
[[nodiscard]] bool is_inner(const QString& loop);
/// The inner loop of an index that is not split is listed, but does not exist.
[[nodiscard]] bool has_loop(const ScheduleDraft& draft, const QString& loop);
/// The number of iterations of the loop; 0 where the extent is not known.
[[nodiscard]] qint64 iterations(const ScheduleDraft& draft, const QString& loop);

/// A new inner loop that stands before its outer loop moves directly inside it.
void set_split(ScheduleDraft& draft, QChar letter, qint64 split);
/// Moves the loop to this index among the loops, counted without the loop itself.
void move_loop(ScheduleDraft& draft, const QString& loop, qsizetype place);
void flip_format(ScheduleDraft& draft, const QString& loop);

/// What the loop iterates over: "rows", "row blocks", "positions in a block"; "not split" for a loop that
/// does not exist.
[[nodiscard]] QString loop_meaning(const ScheduleDraft& draft, const QString& loop);

/// One undoable edit of a schedule.
class DraftCommand : public QUndoCommand {
public:
    /// Consecutive commands with the same merging id (not −1) become one: the keys of a typed number.
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
