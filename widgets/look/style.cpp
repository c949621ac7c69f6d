#include "widgets/look/style.h"

#include "widgets/look/focus_ring.h"
#include "widgets/look/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QSplitter>
#include <QTabBar>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int text_inset = 5; ///< between the edge of an input and its text

} // namespace

SparsightStyle::SparsightStyle()
    : QProxyStyle(QStringLiteral("Fusion")) {}

void SparsightStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QLineEdit*>(widget) != nullptr ||
        qobject_cast<QScrollBar*>(widget) != nullptr || qobject_cast<QSlider*>(widget) != nullptr ||
        qobject_cast<QTabBar*>(widget) != nullptr || qobject_cast<QHeaderView*>(widget) != nullptr ||
        qobject_cast<QSplitterHandle*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (needs_focus_ring(*widget)) {
        static constexpr auto watcher = "focus-rings";
        QObject* rings = findChild<QObject*>(QLatin1String(watcher));
        if (rings == nullptr) {
            rings = new FocusRings(this);
            rings->setObjectName(QLatin1String(watcher));
        }
        widget->removeEventFilter(rings); // a widget may be polished again
        widget->installEventFilter(rings);
    }
}

int SparsightStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return grid_step;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
        return widget != nullptr && widget->isWindow() ? 2 * grid_step : 3 * grid_step / 2;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 32;
    case PM_ScrollView_ScrollBarSpacing:
        return 0;
    case PM_SplitterWidth:
        return grid_step;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return std::max(16, QProxyStyle::pixelMetric(metric, option, widget) & ~1);
    case PM_SliderThickness:
    case PM_SliderLength:
        return 18;
    case PM_TabBarTabHSpace:
        return 3 * grid_step;
    case PM_TabBarTabVSpace:
        return 2 * grid_step;
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_HeaderMargin:
        return grid_step;
    case PM_ToolBarItemSpacing:
        return grid_step / 2;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int SparsightStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* data) const {
    switch (hint) {
    case SH_EtchDisabledText:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_ToolTip_WakeUpDelay:
        return 400;
    case SH_Table_GridLineColor:
        return static_cast<int>(current_theme().grid.rgb());
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QRect SparsightStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                     SubControl part, const QWidget* widget) const {
    const auto* const bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || bar == nullptr) {
        QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
        if ((control == CC_SpinBox && part == SC_SpinBoxEditField) ||
            (control == CC_ComboBox && part == SC_ComboBoxEditField))
            rect =
                visualRect(option->direction, option->rect,
                           visualRect(option->direction, option->rect, rect).adjusted(text_inset, 0, 0, 0));
        return rect;
    }
    // No arrow buttons: the groove is the whole bar.
    const bool horizontal = bar->orientation == Qt::Horizontal;
    const int length = horizontal ? bar->rect.width() : bar->rect.height();
    const int thickness = horizontal ? bar->rect.height() : bar->rect.width();
    const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
    int handle = length;
    if (range > 0) {
        const auto wanted = static_cast<int>(static_cast<qint64>(bar->pageStep) * length /
                                             std::max<qint64>(1, range + bar->pageStep));
        handle = std::clamp(
            wanted, std::min(length, proxy()->pixelMetric(PM_ScrollBarSliderMin, option, widget)), length);
    }
    const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                              length - handle, bar->upsideDown);
    const auto along = [&](int from, int extent) {
        const QRect rect = horizontal ? QRect(from, 0, extent, thickness) : QRect(0, from, thickness, extent);
        return visualRect(bar->direction, QRect({0, 0}, bar->rect.size()), rect)
            .translated(bar->rect.topLeft());
    };
    switch (part) {
    case SC_ScrollBarGroove:
        return along(0, length);
    case SC_ScrollBarSlider:
        return along(start, handle);
    case SC_ScrollBarSubPage:
        return along(0, start);
    case SC_ScrollBarAddPage:
        return along(start + handle, length - start - handle);
    default:
        return {};
    }
}

QRect SparsightStyle::subElementRect(SubElement element, const QStyleOption* option,
                                     const QWidget* widget) const {
    if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        if (element == SE_HeaderLabel)
            return header_parts(*header).label;
        if (element == SE_HeaderArrow)
            return header_parts(*header).arrow;
    }
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* const frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0)
        return rect.adjusted(text_inset, 0, -text_inset, 0);
    return rect;
}

QSize SparsightStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                       const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_PushButton || type == CT_LineEdit || type == CT_ComboBox || type == CT_SpinBox) {
        const int text = option == nullptr ? 0 : option->fontMetrics.height();
        result.setHeight(std::max(result.height(), text + 14)); // 32 px at the usual size of type
        result.rwidth() += type == CT_PushButton ? grid_step : 2 * text_inset;
        if (type == CT_ComboBox)
            ++result.rwidth(); // widths of texts are rounded, and what is cut is elided
    } else if (type == CT_MenuItem) {
        const auto* const item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item != nullptr && item->menuItemType != QStyleOptionMenuItem::Separator)
            result.rheight() += 4;
    } else if (type == CT_ToolButton) {
        result += QSize(4, 4);
        const auto* const button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (button != nullptr && has_menu_mark(*button))
            result.rwidth() += menu_mark_width / 2;
    } else if (type == CT_HeaderSection) {
        if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            result.setWidth(header_width(*header));
    }
    return result;
}

} // namespace sparsight
