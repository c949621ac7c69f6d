#include "widgets/schedule/editor/schedule_editor.h"

#include "widgets/look/glyph.h"
#include "widgets/look/number_text.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_draft.h"
#include "widgets/schedule/editor/split_row.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int most_chunk = 1 << 20;
constexpr int most_threads = 1024;

/// Stretches of typing in different fields never merge: each field counts from a thousand of its own.
int merging_id(int field, int typing) {
    return field * 1'000'000 + typing;
}

enum Field { SplitField = 1, ChunkField = 5, ThreadsField, TextField };

QLabel* section(const QString& text) {
    auto* const label = new QLabel(text);
    keep_font(*label, caption_font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

ScheduleEditor::ScheduleEditor(ScheduleKnowledge knowledge, QWidget* parent)
    : QWidget(parent)
    , knowledge_(std::move(knowledge))
    , undo_(new QUndoStack(this)) {
    build_actions();
    build();
    show_draft({});
}

void ScheduleEditor::build_actions() {
    undo_action_ = undo_->createUndoAction(this, tr("Undo"));
    undo_action_->setShortcut(QKeySequence::Undo);
    redo_action_ = undo_->createRedoAction(this, tr("Redo"));
    redo_action_->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    // What is undone is in the tooltips: the buttons keep their width.
    undo_action_->setIconText(tr("Undo"));
    redo_action_->setIconText(tr("Redo"));
    reset_action_ = new QAction(tr("Reset"), this);
    connect(reset_action_, &QAction::triggered, this, &ScheduleEditor::reset);
    for (QAction* const action : {undo_action_, redo_action_, reset_action_}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
}

void ScheduleEditor::build() {
    auto* const outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    empty_ = new QLabel(tr("Choose a schedule to change it by hand and measure it at once."));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    outer->addWidget(empty_, 1);
    content_ = new QWidget;
    outer->addWidget(content_, 1);
    auto* const column = new QVBoxLayout(content_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* const scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    form_ = new QWidget;
    scroll->setWidget(form_);
    // What the editor stands on shows through.
    form_->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    footer_ = build_footer();
    column->addWidget(footer_);

    // Each title above its field: beside it, it would take the width that the loops need.
    auto* const fields = new QVBoxLayout(form_);
    fields->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    fields->setSpacing(grid_step / 2);
    const auto add = [&](QLabel* label, QWidget* field) {
        if (fields->count() > 0)
            fields->addSpacing(grid_step);
        fields->addWidget(label);
        fields->addWidget(field);
    };
    build_splits();
    add(section(tr("Splits")), splits_);

    loops_ = new LoopChipRow;
    add(section(tr("Loops, outermost first")), loops_);
    connect(loops_, &LoopChipRow::loop_moved, this, [this](const QString& loop, qsizetype place) {
        ScheduleDraft changed = draft_;
        move_loop(changed, loop, place);
        edit(changed, tr("move %1").arg(loop));
    });
    connect(loops_, &LoopChipRow::format_flipped, this, [this](const QString& loop) {
        ScheduleDraft changed = draft_;
        flip_format(changed, loop);
        edit(changed, tr("change the format of %1").arg(loop));
    });
    connect(loops_, &LoopChipRow::parallel_wanted, this, [this](const QString& loop) {
        ScheduleDraft changed = draft_;
        changed.parallel = loop;
        edit(changed, tr("run %1 in parallel").arg(loop));
    });

    add(section(tr("Threads")), build_work());

    text_ = new QLineEdit;
    keep_font(*text_, monospace_font);
    text_->setAccessibleName(tr("Schedule as text"));
    text_->setToolTip(
        tr("The schedule in WACO's text form: splits, loop order, level formats (1 uncompressed, 0 "
           "compressed), parallel loop, threads, chunk."));
    connect(text_, &QLineEdit::textEdited, this, &ScheduleEditor::take_text);
    connect(text_, &QLineEdit::editingFinished, this, [this] { ++typing_; });
    auto* const text_label = section(tr("&Text"));
    text_label->setBuddy(text_);
    add(text_label, text_);
    let_undo_through(text_);

    description_ = new QLabel;
    description_->setWordWrap(true);
    description_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    add(section(tr("Description")), description_);

    fields->addStretch();
}

ScheduleEditor::~ScheduleEditor() {
    // A field that has the focus loses it while its parents are destroyed, and says that typing has ended.
    for (const QObject* const part : findChildren<QObject*>())
        part->disconnect(this);
}

void ScheduleEditor::build_splits() {
    splits_ = new SplitRow;
    connect(splits_, &SplitRow::split_chosen, this,
            [this](QChar letter, qint64 split) { edit_split(letter, split, false); });
    connect(splits_, &SplitRow::split_typed, this,
            [this](QChar letter, qint64 split) { edit_split(letter, split, true); });
    connect(splits_, &SplitRow::typing_ended, this, [this] { ++typing_; });
    connect(splits_, &SplitRow::fields_made, this, [this] {
        for (PowerOfTwoField* const field : splits_->fields())
            let_undo_through(field);
    });
}

QWidget* ScheduleEditor::build_work() {
    auto* const row = new QWidget;
    auto* const line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid_step);
    threads_ = new QSpinBox;
    threads_->setRange(1, most_threads);
    threads_->setKeyboardTracking(true);
    threads_->setAccessibleName(tr("Threads"));
    threads_->setToolTip(tr("How many threads share the iterations of the parallel loop."));
    threads_->setFocusPolicy(Qt::StrongFocus);
    chunk_ = new PowerOfTwoField(most_chunk, row);
    chunk_->setAccessibleName(tr("Chunk"));
    chunk_->setToolTip(
        tr("The chunk: how many iterations of the parallel loop a thread takes at a time. Small chunks "
           "balance uneven rows, large ones cost less to hand out."));
    work_before_ = new QLabel;
    work_after_ = new QLabel;
    line->addWidget(threads_);
    line->addWidget(work_before_);
    line->addWidget(chunk_);
    work_after_->setWordWrap(true);
    line->addWidget(work_after_, 1);
    connect(threads_, &QSpinBox::valueChanged, this, [this](int threads) {
        ScheduleDraft changed = draft_;
        changed.threads = threads;
        edit(changed, tr("change the threads"), merging_id(ThreadsField, typing_));
    });
    connect(threads_, &QSpinBox::editingFinished, this, [this] { ++typing_; });
    const auto set_chunk = [this](qint64 chunk, bool typed) {
        ScheduleDraft changed = draft_;
        changed.chunk = static_cast<int>(chunk);
        edit(changed, tr("change the chunk"), typed ? merging_id(ChunkField, typing_) : -1);
    };
    connect(chunk_, &PowerOfTwoField::value_chosen, this, [=](qint64 chunk) { set_chunk(chunk, false); });
    connect(chunk_, &PowerOfTwoField::value_typed, this, [=](qint64 chunk) { set_chunk(chunk, true); });
    connect(chunk_, &PowerOfTwoField::typing_ended, this, [this] { ++typing_; });
    let_undo_through(threads_);
    let_undo_through(chunk_);
    return row;
}

QWidget* ScheduleEditor::build_footer() {
    auto* const row = new QWidget;
    auto* const lines = new QVBoxLayout(row);
    lines->setContentsMargins(grid_step, grid_step / 2, grid_step, grid_step / 2);
    lines->setSpacing(grid_step / 2);
    auto* const verdict_line = new QHBoxLayout; // a line of its own: reasons are sentences
    auto* const line = new QHBoxLayout;
    line->setSpacing(grid_step);
    lines->addLayout(verdict_line);
    lines->addLayout(line);
    verdict_symbol_ = new QLabel;
    verdict_ = new QLabel;
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Whether the schedule is valid"));
    verdict_line->addWidget(verdict_symbol_, 0, Qt::AlignVCenter);
    verdict_line->addWidget(verdict_, 1, Qt::AlignVCenter);
    line->addStretch();
    for (QAction* const action : {undo_action_, redo_action_, reset_action_}) {
        auto* const button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFocusPolicy(Qt::TabFocus);
        line->addWidget(button);
    }
    measure_ = new QPushButton(tr("Measure this schedule"));
    measure_->setProperty(primary_property, true);
    connect(measure_, &QPushButton::clicked, this, [this] { Q_EMIT measure_requested(draft_); });
    line->addWidget(measure_);
    return row;
}

void ScheduleEditor::let_undo_through(QWidget* field) {
    field->installEventFilter(this);
    for (QLineEdit* const line : field->findChildren<QLineEdit*>())
        line->installEventFilter(this);
}

bool ScheduleEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // A line edit keeps Ctrl+Z for its own text; here every key of it is an edit of the schedule already.
        const auto* const key = static_cast<QKeyEvent*>(event);
        const QKeySequence pressed(key->keyCombination());
        const bool has_own_text = watched == text_ && !text_error_.isEmpty();
        if (!has_own_text &&
            (pressed == undo_action_->shortcut() || redo_action_->shortcuts().contains(pressed))) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && watched == text_ && !text_error_.isEmpty() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        show_draft(draft_);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QSize ScheduleEditor::sizeHint() const {
    if (draft_.op.isEmpty())
        return QWidget::sizeHint();
    const int width = std::max(form_->sizeHint().width(), footer_->sizeHint().width());
    return {width, form_->heightForWidth(width) + footer_->sizeHint().height()};
}

void ScheduleEditor::set_schedule(const ScheduleDraft& draft) {
    original_ = draft;
    undo_->clear();
    show_draft(draft);
}

void ScheduleEditor::keep_draft() {
    original_ = draft_;
    show_draft(draft_);
}

void ScheduleEditor::reset() {
    edit(original_, tr("reset"));
}

void ScheduleEditor::set_measuring_blocked(const QString& reason) {
    blocked_ = reason;
    show_validity();
}

void ScheduleEditor::edit(const ScheduleDraft& draft, const QString& what, int merging) {
    if (draft == draft_)
        return;
    undo_->push(
        std::make_unique<DraftCommand>(what, draft_, draft, merging, [this](const ScheduleDraft& shown) {
            show_draft(shown);
        }).release()); // the stack owns it
}

void ScheduleEditor::edit_split(QChar letter, qint64 split, bool typed) {
    ScheduleDraft changed = draft_;
    set_split(changed, letter, split);
    const auto index =
        std::ranges::find(draft_.indices, letter, &DraftIndex::letter) - draft_.indices.begin();
    edit(changed, tr("split %1").arg(letter),
         typed ? merging_id(SplitField + static_cast<int>(index), typing_) : -1);
}

void ScheduleEditor::take_text(const QString& text) {
    const auto parsed = knowledge_.parse(draft_, text);
    if (!parsed) {
        text_error_ = parsed.error();
        show_validity();
        return;
    }
    text_error_.clear();
    if (*parsed == draft_)
        show_validity();
    edit(*parsed, tr("change the text"), merging_id(TextField, typing_));
}

void ScheduleEditor::show_draft(const ScheduleDraft& draft) {
    const bool has_changed = draft != draft_;
    draft_ = draft;
    text_error_.clear();
    const bool is_empty = draft_.op.isEmpty();
    content_->setVisible(!is_empty);
    updateGeometry();
    empty_->setVisible(is_empty);
    if (!is_empty) {
        splits_->show_splits(draft_);
        loops_->show_loops(draft_);
        const QSignalBlocker quiet(threads_);
        threads_->setValue(draft_.threads);
        chunk_->set_value(draft_.chunk);
        work_before_->setText(draft_.threads == 1 ? tr("thread takes") : tr("threads take"));
        work_after_->setText(tr("of %1 at a time").arg(draft_.parallel));
        const QString text = knowledge_.to_text(draft_);
        // Who types keeps what is typed, two spaces in a row included.
        const auto typed = text_->hasFocus()
                               ? knowledge_.parse(draft_, text_->text())
                               : std::expected<ScheduleDraft, QString>(std::unexpected(QString()));
        if (!typed || *typed != draft_)
            text_->setText(text);
        const QString words = knowledge_.describe ? knowledge_.describe(draft_) : QString();
        description_->setText(words.isEmpty() ? unknown_text() : words);
    }
    reset_action_->setEnabled(is_edited());
    reset_action_->setToolTip(is_edited() ? tr("Back to the schedule as it was chosen")
                                          : tr("Nothing was changed yet"));
    show_validity();
    if (has_changed)
        Q_EMIT draft_changed(draft_);
}

void ScheduleEditor::show_validity() {
    const Theme& theme = current_theme();
    if (draft_.op.isEmpty())
        return;
    const QString against = !text_error_.isEmpty() ? text_error_ : knowledge_.reason_against(draft_);
    const QString reason = against.isEmpty() ? blocked_ : against;
    const bool is_wrong = !against.isEmpty();
    const int side = fontMetrics().height();
    verdict_symbol_->setPixmap(
        is_wrong ? glyph_icon(Glyph::Error, theme.error).pixmap(QSize(side, side), devicePixelRatioF())
                 : QPixmap());
    verdict_symbol_->setVisible(is_wrong);
    verdict_->setText(!reason.isEmpty() ? reason : is_edited() ? tr("Valid · edited") : tr("Valid"));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, is_wrong ? theme.error : theme.dim_text);
    verdict_->setPalette(colours);
    measure_->setEnabled(reason.isEmpty());
    measure_->setToolTip(reason.isEmpty() ? tr("Measure this schedule on the chosen matrix") : reason);
}

void ScheduleEditor::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    show_validity();
}

void ScheduleEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (content_ != nullptr &&
        (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        show_validity();
    if (content_ != nullptr && event->type() == QEvent::LanguageChange)
        show_draft(draft_);
}

} // namespace sparsight
