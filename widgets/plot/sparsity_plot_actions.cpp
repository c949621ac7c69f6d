// Menu, actions and export of the sparsity plot.
#include "widgets/look/glyph.h"
#include "widgets/plot/sparsity_plot.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QFontInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QToolButton>

namespace sparsight {

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
    equal_aspect_action_ = new QAction(tr("S&quare cells"), this);
    equal_aspect_action_->setCheckable(true);
    equal_aspect_action_->setToolTip(tr("Draw a row as high as a column is wide"));
    connect(equal_aspect_action_, &QAction::toggled, this, &SparsityPlot::set_equal_aspect);
    view_actions_ = {whole, in, out, equal_aspect_action_};

    auto* const copy = add(tr("&Copy image"), [this] { copy_image(); });
    copy->setShortcut(QKeySequence::Copy);
    export_actions_ = {copy, add(tr("Save as &PNG…"), [this] { save_as(PlotFileFormat::Png); }),
                       add(tr("Save as &SVG…"), [this] { save_as(PlotFileFormat::Svg); }),
                       add(tr("Save counts as CS&V…"), [this] { save_as(PlotFileFormat::Csv); })};
    for (QAction* const action : view_actions_ + export_actions_) {
        action->setShortcutContext(Qt::WidgetShortcut); // keys only where the plot has the focus
        addAction(action);
    }

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
    menu_button_->setFocusPolicy(Qt::NoFocus); // the keyboard has the menu key of the plot
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
    for (QToolButton* const button : {whole_button_, menu_button_})
        button->installEventFilter(this);
}

void SparsityPlot::update_actions() {
    const bool usable = shows_matrix();
    for (QAction* const action : view_actions_ + export_actions_) {
        action->setEnabled(usable);
        if (action != equal_aspect_action_)
            action->setToolTip(usable ? QString() : tr("No matrix is shown"));
    }
    const QSignalBlocker quiet(equal_aspect_action_);
    equal_aspect_action_->setChecked(view_.equal_aspect());
    menu_button_->setVisible(source_ != nullptr);
    show_way_back();
}

/// Whoever has come to a part without entries sees how to get out of it.
void SparsityPlot::show_way_back() {
    whole_button_->setVisible(shows_matrix() && !view_.empty() && !view_.is_whole());
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

void SparsityPlot::copy_image() {
    if (!shows_matrix() || view_.empty())
        return;
    worker_.post(
        PlotWorker::Lane::Export,
        [plot = export_of()] {
            return [image = export_image(plot)] { QGuiApplication::clipboard()->setImage(image); };
        },
        [this](const QString& problem) { Q_EMIT export_failed(tr("clipboard"), problem); });
}

void SparsityPlot::export_to(const QString& path, PlotFileFormat format) {
    if (!shows_matrix() || view_.empty()) {
        Q_EMIT export_failed(path, tr("No matrix is shown"));
        return;
    }
    worker_.post(
        PlotWorker::Lane::Export,
        [this, plot = export_of(), format, path] {
            const QString problem = export_file(plot, format, path);
            return [this, path, problem] {
                if (problem.isEmpty())
                    Q_EMIT exported(path);
                else
                    Q_EMIT export_failed(path, problem);
            };
        },
        [this, path](const QString& problem) { Q_EMIT export_failed(path, problem); });
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
