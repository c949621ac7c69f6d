#include "widgets/look/glyph.h"
#include "widgets/plot/sparsity_plot.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFocusEvent>
#include <QFontInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sparsight {

// Mouse, wheel and keyboard of the sparsity plot.

namespace {

constexpr double notches_to_double = 3; // of the mouse wheel, 120 units each
constexpr double smallest_box = 4;      // pixels; less is a slip of the hand
constexpr double key_zoom = 1.5;
constexpr double key_step = 0.1; // of the viewport
constexpr double page_step = 0.8;

} // namespace

template <typename Change>
void SparsityPlot::change_view(const Change& change) {
    if (!shows_matrix() || view_.empty())
        return;
    change();
    view_changed();
}

void SparsityPlot::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPointF turned = event->angleDelta();
    const QPointF place = in_viewport(event->position());
    change_view([&] {
        if (turned.y() != 0)
            view_.zoom_at(place, std::exp2(turned.y() / 120 / notches_to_double));
        else if (turned.x() != 0)
            view_.pan({turned.x() / 2, 0});
    });
}

void SparsityPlot::mousePressEvent(QMouseEvent* event) {
    if (gesture_ != Gesture::None) { // a second button gives up what the first began
        finish_box(false);
        return;
    }
    if (!shows_matrix() || !layout_.viewport.contains(event->position()))
        return;
    const bool box = event->button() == Qt::RightButton ||
                     (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!box && event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    gesture_ = box ? Gesture::Box : Gesture::Pan;
    gesture_button_ = event->button();
    gesture_start_ = gesture_at_ = event->position();
    update_cursor();
}

void SparsityPlot::mouseMoveEvent(QMouseEvent* event) {
    const QPointF moved = event->position() - gesture_at_;
    gesture_at_ = event->position();
    cursor_ = in_viewport(event->position());
    if (gesture_ == Gesture::Pan) {
        change_view([&] { view_.pan(moved); });
        return;
    }
    ask_for_readout();
    update();
}

void SparsityPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != gesture_button_) {
        if (gesture_ == Gesture::None && event->button() == Qt::RightButton)
            show_menu(event->globalPosition().toPoint());
        return;
    }
    gesture_at_ = event->position();
    if (gesture_ == Gesture::Box) {
        const bool slip = (gesture_at_ - gesture_start_).manhattanLength() < smallest_box;
        const bool menu = slip && event->button() == Qt::RightButton;
        finish_box(!slip);
        if (menu)
            show_menu(event->globalPosition().toPoint());
        return;
    }
    gesture_ = Gesture::None;
    gesture_button_ = Qt::NoButton;
    update_cursor();
    ask_for_readout();
}

void SparsityPlot::finish_box(bool accept) {
    const QRectF box = QRectF(gesture_start_, gesture_at_).normalized() & layout_.viewport;
    const bool zoom = accept && gesture_ == Gesture::Box && box.width() >= 1 && box.height() >= 1;
    gesture_ = Gesture::None;
    gesture_button_ = Qt::NoButton;
    update_cursor();
    if (zoom)
        change_view([&] { view_.show(view_.to_matrix(box.translated(-layout_.viewport.topLeft()))); });
    update();
}

void SparsityPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && shows_matrix())
        show_whole();
}

void SparsityPlot::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    leave_matrix();
}

void SparsityPlot::leave_matrix() {
    cursor_.reset();
    end_hover();
    update();
}

/// A button lies within the plot: Qt does not say that the cursor has left what is below it.
bool SparsityPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Enter)
        leave_matrix();
    return QWidget::eventFilter(watched, event);
}

void SparsityPlot::focusInEvent(QFocusEvent* event) {
    const Qt::FocusReason reason = event->reason();
    focus_by_key_ =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

void SparsityPlot::focusOutEvent(QFocusEvent* event) {
    focus_by_key_ = false;
    QWidget::focusOutEvent(event);
}

void SparsityPlot::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? page_step : key_step;
    const QSizeF size = view_.size();
    const auto pan = [&](double across, double down) {
        change_view([&] { view_.pan({-across * size.width(), -down * size.height()}); });
    };
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(key_zoom);
        break;
    case Qt::Key_Minus:
        zoom(1 / key_zoom);
        break;
    case Qt::Key_Left:
        pan(-step, 0);
        break;
    case Qt::Key_Right:
        pan(step, 0);
        break;
    case Qt::Key_Up:
        pan(0, -step);
        break;
    case Qt::Key_Down:
        pan(0, step);
        break;
    case Qt::Key_PageUp:
        pan(0, -page_step);
        break;
    case Qt::Key_PageDown:
        pan(0, page_step);
        break;
    case Qt::Key_Home:
        show_whole();
        break;
    case Qt::Key_Escape:
        if (gesture_ == Gesture::None)
            QWidget::keyPressEvent(event);
        else
            finish_box(false);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SparsityPlot::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
    // With the mouse the menu comes when the right button goes up where it went down: it could be a box.
    if (event->reason() != QContextMenuEvent::Mouse)
        show_menu(mapToGlobal(layout_.viewport.center().toPoint()));
}

void SparsityPlot::update_cursor() {
    switch (gesture_) {
    case Gesture::Pan:
        setCursor(Qt::ClosedHandCursor);
        end_hover();
        break;
    case Gesture::Box:
        setCursor(Qt::CrossCursor);
        break;
    case Gesture::None:
        unsetCursor();
        break;
    }
}

// Menu, actions and export of the sparsity plot.

namespace {

struct FormatText {
    QString suffix;
    QString filter;
};

FormatText text_of(PlotFileFormat format) {
    switch (format) {
    case PlotFileFormat::Png:
        return {QStringLiteral("png"), SparsityPlot::tr("PNG image (*.png)")};
    case PlotFileFormat::Svg:
        return {QStringLiteral("svg"), SparsityPlot::tr("SVG drawing (*.svg)")};
    case PlotFileFormat::Csv:
        break;
    }
    return {QStringLiteral("csv"), SparsityPlot::tr("Counts as CSV (*.csv)")};
}

/// What its ending promises, whatever was asked for first.
std::optional<PlotFileFormat> format_of(const QString& path) {
    for (const PlotFileFormat format : {PlotFileFormat::Png, PlotFileFormat::Svg, PlotFileFormat::Csv})
        if (path.endsWith(u'.' + text_of(format).suffix, Qt::CaseInsensitive))
            return format;
    return std::nullopt;
}

} // namespace

void SparsityPlot::make_actions() {
    const auto add = [this](const QString& text, auto run) {
        auto* const action = new QAction(text, this);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    auto* const whole = add(tr("&Whole matrix"), [this] { show_whole(); });
    whole->setShortcut(Qt::Key_Home);
    auto* const in = add(tr("Zoom &in"), [this] { zoom(1.5); });
    in->setShortcut(Qt::Key_Plus);
    auto* const out = add(tr("Zoom &out"), [this] { zoom(1 / 1.5); });
    out->setShortcut(Qt::Key_Minus);
    stretch_action_ = new QAction(tr("S&tretch"), this);
    stretch_action_->setCheckable(true);
    stretch_action_->setToolTip(tr(
        "Fill the plot. Without it a row is as high as a column is wide, unless the matrix is very long."));
    connect(stretch_action_, &QAction::toggled, this,
            [this](bool is_stretched) { set_equal_aspect(!is_stretched); });
    view_actions_ = {whole, in, out, stretch_action_};

    auto* const copy = add(tr("&Copy image"), [this] { copy_image(); });
    copy->setShortcut(QKeySequence::Copy);
    export_actions_ = {copy, add(tr("Save as &PNG…"), [this] { save_as(PlotFileFormat::Png); }),
                       add(tr("Save as &SVG…"), [this] { save_as(PlotFileFormat::Svg); }),
                       add(tr("Save counts as CS&V…"), [this] { save_as(PlotFileFormat::Csv); })};
    for (QAction* const action : view_actions_ + export_actions_) {
        action->setShortcutContext(Qt::WidgetShortcut); // keys only where the plot has the focus
        addAction(action);
    }

    stretch_button_ = new QToolButton(this);
    stretch_button_->setObjectName(QStringLiteral("stretch"));
    stretch_button_->setDefaultAction(stretch_action_);
    stretch_button_->setFocusPolicy(Qt::TabFocus);
    stretch_button_->setCursor(Qt::ArrowCursor);

    whole_button_ = new QToolButton(this);
    whole_button_->setObjectName(QStringLiteral("whole-matrix"));
    whole_button_->setText(tr("Whole matrix"));
    whole_button_->setToolTip(tr("Back to the whole matrix (Home, or a double click)"));
    whole_button_->setFocusPolicy(Qt::NoFocus); // the keyboard has Home
    whole_button_->setCursor(Qt::ArrowCursor);
    connect(whole_button_, &QToolButton::clicked, whole, &QAction::trigger);

    menu_button_ = new QToolButton(this);
    menu_button_->setIcon(glyph_icon(Glyph::Menu));
    menu_button_->setAutoRaise(true);
    menu_button_->setFocusPolicy(Qt::TabFocus); // as of every plot
    menu_button_->setPopupMode(QToolButton::InstantPopup);
    menu_button_->setAccessibleName(tr("Plot menu"));
    menu_button_->setToolTip(tr("Zoom, copy, save"));
    menu_button_->setCursor(Qt::ArrowCursor);
    menu_button_->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* const menu = new QMenu(menu_button_);
    menu->addActions(view_actions_);
    menu->addSeparator();
    menu->addActions(export_actions_);
    menu_button_->setMenu(menu);
    for (QToolButton* const button : {stretch_button_, whole_button_, menu_button_})
        button->installEventFilter(this);
}

void SparsityPlot::update_actions() {
    const bool usable = shows_matrix();
    for (QAction* const action : view_actions_ + export_actions_) {
        action->setEnabled(usable);
        if (action != stretch_action_)
            action->setToolTip(usable ? QString() : tr("No matrix is shown"));
    }
    {
        const QSignalBlocker quiet(stretch_action_); // its button follows its change, not its signal to us
        stretch_action_->setChecked(!view_.equal_aspect());
    }
    stretch_button_->setChecked(!view_.equal_aspect());
    menu_button_->setVisible(source_ != nullptr);
    show_way_back();
}

/// Whoever has come to a part without entries sees how to get out of it.
void SparsityPlot::show_way_back() {
    constexpr double much = 1.5; // longer than this many times its width, or the other way round
    const auto longer = static_cast<double>(std::max(view_.rows(), view_.cols()));
    const auto shorter = static_cast<double>(std::min(view_.rows(), view_.cols()));
    whole_button_->setVisible(shows_matrix() && !view_.empty() && !view_.is_whole());
    // In a narrow plot it would cover the ruler; the menu has it there.
    const bool has_room = width() >= 24 * fontMetrics().height();
    stretch_button_->setVisible(shows_matrix() && !view_.empty() && has_room &&
                                (!view_.equal_aspect() || longer > much * shorter));
    place_buttons();
}

void SparsityPlot::show_menu(QPoint global) {
    menu_button_->menu()->popup(global);
}

PlotExport SparsityPlot::export_of() const {
    PlotExport plot{source_, scene(), size(), title_};
    // Points would mean another size on a device of another resolution.
    plot.scene.font.setPixelSize(QFontInfo(plot.scene.font).pixelSize());
    return plot;
}

namespace {

QString unwritten(const QString& path, const QString& reason) {
    return SparsityPlot::tr("%1 could not be written: %2").arg(path, reason);
}

} // namespace

void SparsityPlot::copy_image() {
    if (!shows_matrix() || view_.empty())
        return;
    worker_.post(
        PlotWorker::Lane::Export,
        [plot = export_of()] {
            return [image = export_image(plot)] { QGuiApplication::clipboard()->setImage(image); };
        },
        [this](const QString& problem) { Q_EMIT export_failed(unwritten(tr("clipboard"), problem)); });
}

void SparsityPlot::export_to(const QString& path, PlotFileFormat format) {
    if (!shows_matrix() || view_.empty()) {
        Q_EMIT export_failed(unwritten(path, tr("No matrix is shown")));
        return;
    }
    worker_.post(
        PlotWorker::Lane::Export,
        [this, plot = export_of(), format, path] {
            const QString problem = export_file(plot, format, path);
            return [this, path, problem] {
                if (problem.isEmpty())
                    Q_EMIT exported_to(path);
                else
                    Q_EMIT export_failed(unwritten(path, problem));
            };
        },
        [this, path](const QString& problem) { Q_EMIT export_failed(unwritten(path, problem)); });
}

void SparsityPlot::save_as(PlotFileFormat format) {
    const auto [suffix, filter] = text_of(format);
    auto* const dialog = new QFileDialog(this, tr("Save the sparsity plot"), QString(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile((title_.isEmpty() ? tr("sparsity") : title_) + u'.' + suffix);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, format](const QString& path) { export_to(path, format_of(path).value_or(format)); });
    dialog->open();
}

} // namespace sparsight
