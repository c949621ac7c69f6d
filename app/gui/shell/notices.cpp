#include "gui/shell/notices.h"

#include "widgets/look/banner.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr std::chrono::seconds shown_for{8};
constexpr int most_characters_a_line = 90;

} // namespace

Notices::Notices(QWidget* page)
    : QWidget(page)
    , column_(new QVBoxLayout(this))
    , rest_(new QFrame(this))
    , rest_text_(new QLabel(rest_)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(grid_step / 2);
    rest_->setFrameShape(QFrame::StyledPanel);
    rest_->setBackgroundRole(QPalette::Base);
    rest_->setAutoFillBackground(true);
    auto* close_all = new QPushButton(tr("Close all"), rest_);
    close_all->setObjectName(QStringLiteral("close-notices"));
    close_all->setFlat(true);
    close_all->setAutoDefault(false);
    connect(close_all, &QPushButton::clicked, this, &Notices::clear);
    auto* line = new QHBoxLayout(rest_);
    line->setContentsMargins(3 * grid_step / 2, 0, grid_step / 2, 0);
    line->addWidget(rest_text_);
    line->addStretch();
    line->addWidget(close_all);
    column_->addWidget(rest_);
    page->installEventFilter(this);
    show_newest();
}

void Notices::tell(const QString& text, bool is_problem) {
    if (text.isEmpty() || texts().contains(text))
        return;
    auto* banner = new Banner(this);
    banner->show_message(is_problem ? Severity::Error : Severity::Information, text);
    banners_.push_back(banner);
    column_->insertWidget(column_->count() - 1, banner);
    connect(banner, &Banner::closed, this, [this, banner] { drop(banner); });
    if (!is_problem)
        QTimer::singleShot(shown_for, banner, &Banner::close_message);
    show_newest();
    QAccessibleEvent alert(banner, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Notices::drop(Banner* banner) {
    std::erase(banners_, banner);
    banner->deleteLater();
    show_newest();
}

void Notices::clear() {
    for (Banner* banner : std::exchange(banners_, {}))
        delete banner;
    show_newest();
}

QStringList Notices::texts() const {
    QStringList texts;
    for (const Banner* banner : banners_)
        texts << banner->text();
    return texts;
}

void Notices::show_newest() {
    const std::size_t hidden = banners_.size() - std::min(banners_.size(), most_in_sight);
    for (std::size_t at = 0; at < banners_.size(); ++at)
        banners_[at]->setVisible(at >= hidden);
    rest_->setVisible(hidden > 0);
    rest_text_->setText(tr("and %1 more").arg(hidden));
    setVisible(!banners_.empty());
    place();
}

void Notices::place() {
    const QWidget* page = parentWidget();
    const int width =
        std::min(page->width() - 2 * grid_step, fontMetrics().averageCharWidth() * most_characters_a_line);
    column_->activate();
    const int height =
        column_->hasHeightForWidth() ? column_->heightForWidth(width) : column_->sizeHint().height();
    setGeometry(grid_step, page->height() - height - grid_step, width, height);
    raise();
}

bool Notices::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) // large type, another language
        place();
    return QWidget::event(event);
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace sparsight
