// Edits a schedule by hand: splits, order of the loops, formats, parallel loop, chunk, or its text. What is
// not valid can be shown and says why, but not be measured.
#pragma once

#include "widgets/schedule/editor/schedule_draft.h"

#include <QWidget>
#include <expected>
#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QUndoStack;

namespace sparsight {

class LoopChipRow;
class PowerOfTwoField;
class SplitRow;

/// What the engine knows about schedules.
struct ScheduleKnowledge {
    /// Why the draft cannot be measured; empty when it can.
    std::function<QString(const ScheduleDraft&)> reason_against;
    std::function<QString(const ScheduleDraft&)> to_text;
    /// A draft like the given one (operator, extents) as the text says, or what is wrong with the text.
    std::function<std::expected<ScheduleDraft, QString>(const ScheduleDraft& like, const QString& text)>
        parse;
    std::function<QString(const ScheduleDraft&)> describe; ///< in plain words; may be empty
};

class ScheduleEditor : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleEditor(ScheduleKnowledge knowledge, QWidget* parent = nullptr);
    ~ScheduleEditor() override;

    /// Starts over from this schedule: it is what Reset returns to, and there is nothing to undo.
    void set_schedule(const ScheduleDraft& draft);
    /// The draft has become the schedule that is chosen: Reset returns to it, and what led to it can still be
    /// undone.
    void keep_draft();
    [[nodiscard]] const ScheduleDraft& draft() const { return draft_; }
    [[nodiscard]] bool is_edited() const { return draft_ != original_; }
    /// Why nothing can be measured now, whatever the schedule; empty when it can.
    void set_measuring_blocked(const QString& reason);

    [[nodiscard]] QSize sizeHint() const override;

    [[nodiscard]] QUndoStack* undo_stack() const { return undo_; }
    [[nodiscard]] LoopChipRow* loops() const { return loops_; }
    [[nodiscard]] QAction* undo_action() const { return undo_action_; }
    [[nodiscard]] QAction* redo_action() const { return redo_action_; }
    [[nodiscard]] QAction* reset_action() const { return reset_action_; }
    void reset();

Q_SIGNALS:
    void draft_changed(const ScheduleDraft& draft);
    void measure_requested(const ScheduleDraft& draft);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void build_actions();
    void build_splits();
    QWidget* build_work();
    QWidget* build_footer();
    void let_undo_through(QWidget* field);

    /// merging: see DraftCommand.
    void edit(const ScheduleDraft& draft, const QString& what, int merging = -1);
    void edit_split(QChar letter, qint64 split, bool typed);
    void take_text(const QString& text);
    void show_draft(const ScheduleDraft& draft);
    void show_validity();

    ScheduleKnowledge knowledge_;
    ScheduleDraft draft_;
    ScheduleDraft original_;
    QUndoStack* undo_;
    int typing_ = 0; ///< counts stretches of typing: each is one undo step
    QString blocked_;
    QString text_error_; ///< of a text that is being typed

    QWidget* content_ = nullptr;
    QWidget* form_ = nullptr; ///< scrolls where there is little room
    QWidget* footer_ = nullptr;
    QLabel* empty_ = nullptr;
    SplitRow* splits_ = nullptr;
    LoopChipRow* loops_ = nullptr;
    QSpinBox* threads_ = nullptr;
    PowerOfTwoField* chunk_ = nullptr;
    QLabel* work_before_ = nullptr;
    QLabel* work_after_ = nullptr;
    QLineEdit* text_ = nullptr;
    QLabel* description_ = nullptr;
    QLabel* verdict_symbol_ = nullptr;
    QLabel* verdict_ = nullptr;
    QPushButton* measure_ = nullptr;
    QAction* undo_action_ = nullptr;
    QAction* redo_action_ = nullptr;
    QAction* reset_action_ = nullptr;
};

} // namespace sparsight

Q_DECLARE_METATYPE(sparsight::ScheduleDraft)
