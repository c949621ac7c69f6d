#include "gui/shell/lesson_bar.h"

#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr int frame_width = 3;
constexpr int least_lines = 2; ///< of a text that scrolls

/// Of what is scrolled, the part in sight, in the window. QWidget::visibleRegion leaves out what opaque
/// children cover, such as the rows of a table.
QRect part_in_sight(const QWidget& widget) {
    if (!widget.isVisible())
        return {};
    QRect seen = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow(); at = at->parentWidget())
        seen = seen.translated(at->pos()).intersected(at->parentWidget()->rect());
    return seen;
}

} // namespace

LessonFrame::LessonFrame(QWidget* window)
    : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("lesson-frame"));
    window->installEventFilter(this);
    hide();
}

void LessonFrame::point_at(QWidget* target) {
    for (const QPointer<QWidget>& one : std::exchange(moving_, {}))
        if (one != nullptr)
            one->removeEventFilter(this);
    target_ = target;
    // What is scrolled moves without being told: what it stands on is moved.
    for (QWidget* at = target; at != nullptr && !at->isWindow(); at = at->parentWidget()) {
        at->installEventFilter(this);
        moving_.emplace_back(at);
    }
    place();
    place_soon(); // a page that was just opened is laid out a turn later
}

void LessonFrame::place_soon() {
    if (std::exchange(is_place_asked_, true))
        return;
    QTimer::singleShot(0, this, [this] {
        is_place_asked_ = false;
        place();
    });
}

void LessonFrame::place() {
    const QRect seen = target_ != nullptr ? part_in_sight(*target_) : QRect();
    setVisible(!seen.isEmpty());
    if (seen.isEmpty())
        return;
    setGeometry(seen.adjusted(-frame_width, -frame_width, frame_width, frame_width)
                    .intersected(parentWidget()->rect()));
    raise();
}

void LessonFrame::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(current_theme().accent, frame_width));
    constexpr double half = frame_width / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), corner_radius, corner_radius);
}

bool LessonFrame::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
        if (target_ != nullptr)
            place_soon();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

LessonBar::LessonBar(QWidget* parent)
    : QFrame(parent)
    , title_(new QLabel(this))
    , text_(new QLabel(this))
    , scroll_(new QScrollArea(this))
    , request_(new QLabel(this))
    , count_(new QLabel(this))
    , skip_(new QPushButton(tr("S&kip"), this))
    , back_(new QPushButton(tr("&Back"), this))
    , next_(new QPushButton(this)) {
    setObjectName(QStringLiteral("lesson"));
    setAccessibleName(tr("Lesson"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setFocusPolicy(Qt::StrongFocus); // while Next can do nothing, keys come here
    title_->setObjectName(QStringLiteral("lesson-title"));
    keep_font(*title_, title_font);
    text_->setObjectName(QStringLiteral("lesson-text"));
    text_->setTextFormat(Qt::MarkdownText);
    text_->setWordWrap(true);
    text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    request_->setObjectName(QStringLiteral("lesson-request"));
    request_->setTextFormat(Qt::PlainText);
    request_->setWordWrap(true);
    keep_font(*count_, caption_font);
    count_->setForegroundRole(QPalette::PlaceholderText);
    count_->setAlignment(Qt::AlignRight | Qt::AlignTop);
    auto* const close = new QPushButton(tr("&Close"), this);
    close->setObjectName(QStringLiteral("lesson-close"));
    close->setFlat(true);
    skip_->setObjectName(QStringLiteral("lesson-skip"));
    skip_->setFlat(true);
    skip_->setToolTip(tr("Goes on without what this step asks"));
    back_->setObjectName(QStringLiteral("lesson-back"));
    next_->setObjectName(QStringLiteral("lesson-next"));
    next_->setProperty(primary_property, true);
    int widest = 0; // of all that it will say
    for (const QString& words : {tr("&Next"), tr("&Done"), tr("&Do it for me"), tr("Waiting…")}) {
        next_->setText(words);
        widest = std::max(widest, next_->sizeHint().width());
    }
    next_->setMinimumWidth(widest);
    for (QPushButton* const button : {skip_, close, back_, next_})
        button->setAutoDefault(true); // Return presses the one that has the focus
    QSizePolicy always = skip_->sizePolicy();
    always.setRetainSizeWhenHidden(true); // the request beside it keeps its width
    skip_->setSizePolicy(always);
    skip_->hide();

    scroll_->setObjectName(QStringLiteral("lesson-room"));
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidgetResizable(true);
    scroll_->setWidget(text_);
    scroll_->setMinimumHeight(least_lines * text_->fontMetrics().lineSpacing());
    text_->setAutoFillBackground(false);
    scroll_->viewport()->setAutoFillBackground(false);

    auto* const head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(count_);
    auto* const foot = new QHBoxLayout;
    foot->addWidget(request_, 100);
    foot->addStretch(1); // without a request the buttons stay where they are
    for (QPushButton* const button : {skip_, close, back_, next_})
        foot->addWidget(button, 0, Qt::AlignBottom);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(2 * grid_step, grid_step / 2, 2 * grid_step, grid_step / 2);
    column->setSpacing(1); // a low window has no room for more
    column->addLayout(head);
    column->addWidget(scroll_, 1);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &LessonBar::close_pressed);
    connect(skip_, &QPushButton::clicked, this, &LessonBar::skip_pressed);
    connect(back_, &QPushButton::clicked, this, &LessonBar::back_pressed);
    connect(next_, &QPushButton::clicked, this, &LessonBar::next_pressed);
    hide();
}

void LessonBar::begin(const Lesson& lesson) {
    lesson_ = lesson;
    setAccessibleName(lesson_.title);
    show();
    reserve_height();
}

void LessonBar::show_step(int step) {
    step_ = step;
    const LessonStep& one = lesson_.steps[static_cast<std::size_t>(step)];
    title_->setText(one.title);
    text_->setText(one.text);
    scroll_->verticalScrollBar()->setValue(0);
    request_->setVisible(!one.request.isEmpty());
    count_->setText(tr("%1 · %2 of %3").arg(lesson_.title).arg(step + 1).arg(lesson_.steps.size()));
    back_->setEnabled(step > 0);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void LessonBar::show_next(Next next, bool is_request_done, const QString& awaited) {
    const bool had_focus = next_->hasFocus() || hasFocus();
    next_does_ = next;
    const LessonStep& one = lesson_.steps[static_cast<std::size_t>(step_)];
    const bool is_last = static_cast<std::size_t>(step_) + 1 == lesson_.steps.size();
    next_->setText(next == Next::Help   ? tr("&Do it for me")
                   : next == Next::Wait ? tr("Waiting…")
                   : is_last            ? tr("&Done")
                                        : tr("&Next"));
    if (next == Next::Wait && next_->hasFocus())
        setFocus(); // a disabled button would give it to the page
    next_->setEnabled(next != Next::Wait);
    if (had_focus && next != Next::Wait)
        next_->setFocus();
    const QString request = next == Next::Wait && !awaited.isEmpty()
                                ? QStringLiteral("%1 %2").arg(one.request, awaited)
                                : one.request;
    request_->setText(is_request_done ? tr("✓ %1").arg(request) : tr("▸ %1").arg(request));
}

void LessonBar::offer_skip(bool is_offered) {
    if (!is_offered && skip_->hasFocus())
        setFocus(); // a hidden button would give it to the page
    skip_->setVisible(is_offered);
}

void LessonBar::dismiss() {
    hide();
}

QSize LessonBar::sizeHint() const {
    return {QFrame::sizeHint().width(), wanted_height_};
}

/// As high as the longest step needs at this width. Where the window has less room, the text scrolls: the bar
/// never makes the window higher than the screen.
void LessonBar::reserve_height() {
    if (lesson_.steps.empty() || scroll_->width() <= 0)
        return;
    const QString shown_request = request_->text();
    const QString shown = text_->text();
    int text = 0;
    int foot = next_->sizeHint().height();
    for (const LessonStep& step : lesson_.steps) {
        text_->setText(step.text);
        text = std::max(text, text_->heightForWidth(scroll_->width()));
        // Most jobs of a lesson are called as its steps.
        request_->setText(tr("▸ %1 Waiting for the job “%2”.").arg(step.request, step.title));
        if (!step.request.isEmpty())
            foot = std::max(foot, request_->heightForWidth(request_->width()));
    }
    text_->setText(shown);
    request_->setText(shown_request);
    const int head = std::max(title_->sizeHint().height(), count_->sizeHint().height());
    const int around = head + foot + grid_step + 2; // two margins and two gaps
    wanted_height_ = around + std::max(text, scroll_->minimumHeight());
    setMinimumHeight(around + scroll_->minimumHeight());
    setMaximumHeight(wanted_height_);
    updateGeometry();
}

void LessonBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    // The labels get their widths with the layout.
    if (event->size().width() != event->oldSize().width())
        QTimer::singleShot(0, this, &LessonBar::reserve_height);
}

/// An edge that tells it from the page, which has the same ground.
void LessonBar::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), 2), current_theme().accent);
}

} // namespace sparsight
