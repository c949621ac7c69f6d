#include "gui/failures/failure_lists.h"

#include "gui/failures/failure_words.h"
#include "gui/page/domain_words.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

#include <QApplication>
#include <QCoreApplication>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int text_role = Qt::UserRole + 1;
constexpr int count_role = Qt::UserRole + 2;
constexpr int key_role = Qt::UserRole + 3;
constexpr int text_lines = 2;
constexpr int margin = grid_step;

QFont bold_font() {
    QFont font = QApplication::font();
    font.setBold(true);
    return font;
}

/// As many lines as the text takes, but no more than are drawn.
int lines_of(const QString& text, const QFont& font, double width) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    int lines = 0;
    while (lines < text_lines) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        ++lines;
    }
    layout.endLayout();
    return std::max(lines, 1);
}

/// Draws a text in a few lines; the last line ends in "…" where the text is longer.
void draw_lines(QPainter& painter, const QRectF& room, const QString& text, const QFont& font) {
    painter.setFont(font);
    QTextLayout layout(text, font);
    const QFontMetricsF metrics(font);
    layout.beginLayout();
    double top = room.top();
    for (int line = 0; line < text_lines; ++line) {
        QTextLine shown = layout.createLine();
        if (!shown.isValid())
            break;
        shown.setLineWidth(room.width());
        QString words = text.mid(shown.textStart(), shown.textLength());
        if (line + 1 == text_lines)
            words = metrics.elidedText(text.mid(shown.textStart()), Qt::ElideRight, room.width());
        painter.drawText(QPointF(room.left(), top + metrics.ascent()), words);
        top += metrics.height();
    }
    layout.endLayout();
}

class FailureGroupDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* const view = qobject_cast<const QAbstractItemView*>(option.widget);
        const double width = view == nullptr ? option.rect.width() : view->viewport()->width();
        const double room = width - 2 * margin;
        return {100, lines_of(index.data().toString(), bold_font(), title_width(index, room)) *
                             QFontMetrics(bold_font()).height() +
                         lines_of(index.data(text_role).toString(), caption_font(), room) *
                             QFontMetrics(caption_font()).height() +
                         margin / 2 + 2 * margin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = current_theme();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, theme.selection);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, theme.hover);
        painter->setPen(theme.grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const QRectF room = QRectF(option.rect).adjusted(margin, margin, -margin, -margin);
        const QString title = index.data().toString();
        const double width = title_width(index, room.width());
        const double line = QFontMetricsF(bold_font()).height();
        painter->setFont(caption_font());
        painter->setPen(theme.dim_text);
        painter->drawText(QRectF(room.left(), room.top(), room.width(), line),
                          Qt::AlignRight | Qt::AlignVCenter, index.data(count_role).toString());
        draw_lines(*painter,
                   room.adjusted(0, lines_of(title, bold_font(), width) * line + margin / 2.0, 0, 0),
                   index.data(text_role).toString(), caption_font());
        painter->setPen(theme.text);
        draw_lines(*painter, QRectF(room.left(), room.top(), width, room.height()), title, bold_font());
        painter->restore();
    }

private:
    /// What the number of cases beside it leaves.
    static double title_width(const QModelIndex& index, double room) {
        return room - QFontMetricsF(caption_font()).horizontalAdvance(index.data(count_role).toString()) -
               margin;
    }
};

} // namespace

FailureGroupList::FailureGroupList(QWidget* parent)
    : QListView(parent)
    , groups_(new QStandardItemModel(this)) {
    setModel(groups_);
    setItemDelegate(new FailureGroupDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setResizeMode(Adjust); // titles take two lines where there is little room
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_Hover);
    setAccessibleName(tr("Groups of failures"));
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!is_filling_ && now.isValid())
            Q_EMIT chosen(now.row());
    });
}

void FailureGroupList::set_groups(const std::vector<FailureGroupText>& groups) {
    const QString before = currentIndex().data(key_role).toString();
    is_filling_ = true;
    groups_->clear();
    int current = groups.empty() ? -1 : 0;
    for (const FailureGroupText& group : groups) {
        auto* const item = new QStandardItem(group.title);
        item->setData(group.text, text_role);
        item->setData(group.count, count_role);
        item->setData(group.key, key_role);
        item->setToolTip(group.hint);
        item->setData(QStringLiteral("%1, %2, %3").arg(group.title, group.count, group.text),
                      Qt::AccessibleTextRole);
        if (group.key == before)
            current = groups_->rowCount();
        groups_->appendRow(item);
    }
    choose(current);
    is_filling_ = false;
}

int FailureGroupList::current_group() const {
    return currentIndex().row();
}

void FailureGroupList::choose(int group) {
    setCurrentIndex(groups_->index(group, 0));
}

QSize FailureGroupList::sizeHint() const {
    constexpr int shown_groups = 4;
    int highest = 0; // the first one, of all failures, has fewer lines
    for (int row = 0; row < std::min(shown_groups, groups_->rowCount()); ++row)
        highest = std::max(highest, sizeHintForRow(row));
    return {300, shown_groups * highest + 2};
}

void FailureGroupList::changeEvent(QEvent* event) {
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        scheduleDelayedItemsLayout();
}

namespace {

struct CaseTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

QString costliest_decision(const FailureWords& words, const FailureCase& failure) {
    if (!failure.diagnosis)
        return unknown_text();
    if (!failure.diagnosis->simulation_agrees)
        return CaseTexts::tr("the simulator says %1, not %2")
            .arg(slower_text(failure.diagnosis->simulated_factor - 1),
                 slower_text(failure.main().lost_share()));
    const BlamedDecision& top = failure.diagnosis->top();
    return CaseTexts::tr("%1: %2").arg(words.decision(top.decision), words.value(top.after));
}

/// A user who measures all choices and keeps the fastest loses nothing by a wrong order.
std::optional<double> lost_ms_of(const FailureCase& failure) {
    const double lost = failure.lost_ms();
    return lost > 0 ? std::optional(lost) : std::nullopt;
}

/// Rank of the model's first choice, or of the fastest of its choices.
std::optional<double> rank_of(const FailureCase& failure) {
    const auto& rank = failure.main().chosen.rank;
    return rank ? std::optional<double>(*rank) : std::nullopt;
}

/// Of the chosen configuration, or of the one that it is held against.
using Side = TimedConfiguration FailureSign::*;

RecordColumn<FailureCase> time_column(const QString& title, const char* export_title, Side side,
                                      const FailureWords& words) {
    auto column = value_column<FailureCase>(
        title, turns_remark(words.domain()),
        [side](const FailureCase& failure) { return std::optional((failure.main().*side).milliseconds); },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.export_title = QLatin1String(export_title);
    column.hint = [side](const FailureCase& failure) { return timed_text(failure.main().*side); };
    return column;
}

RecordColumn<FailureCase> configuration_column(const QString& title, Side side) {
    return text_column<FailureCase>(
        title, {}, [side](const FailureCase& failure) { return named_text(failure.main().*side); });
}

std::vector<RecordColumn<FailureCase>> case_columns(const FailureWords& words) {
    auto share = value_column<FailureCase>(
        CaseTexts::tr("Slower"), CaseTexts::tr("How much longer it takes than what it is held against"),
        [](const FailureCase& failure) { return std::optional(failure.main().lost_share()); }, &loss_text);
    share.export_title = QStringLiteral("lost_share");
    share.colour = [](const FailureCase& failure) -> QVariant {
        return failure.main().significance == Significance::NoiseUnknown ? QVariant()
                                                                         : QVariant(current_theme().lose);
    };
    share.hint = [&words](const FailureCase& failure) {
        return words.sign_sentence(failure, failure.main());
    };
    auto than = text_column<FailureCase>(CaseTexts::tr("Than"), CaseTexts::tr("What it is held against"),
                                         [&words](const FailureCase& failure) {
                                             switch (failure.main().held_against) {
                                             case FailureAgainst::BestKnown:
                                                 return CaseTexts::tr("best known");
                                             case FailureAgainst::OwnBest:
                                                 return CaseTexts::tr("own best");
                                             case FailureAgainst::Baseline:
                                                 break;
                                             }
                                             return words.against(FailureAgainst::Baseline);
                                         });
    than.export_title = QStringLiteral("held_against");
    auto lost = value_column<FailureCase>(
        CaseTexts::tr("Lost time"),
        CaseTexts::tr("How much longer the fastest that was chosen takes than what it is compared with. A "
                      "wrong ranking costs nothing: the better one was chosen, too"),
        &lost_ms_of, [](double milliseconds) { return runtime_text(milliseconds); });
    lost.export_title = QStringLiteral("lost_ms");
    auto rank = value_column<FailureCase>(
        CaseTexts::tr("Rank"),
        CaseTexts::tr("Place of the chosen %1 in the order of the model, from 1")
            .arg(one(words.domain().configuration)),
        &rank_of, [](double place) { return count_text(static_cast<qint64>(place)); });
    rank.export_title = QStringLiteral("rank");
    auto kind = text_column<FailureCase>(
        CaseTexts::tr("Failure"), CaseTexts::tr("The gravest way it fails"),
        [&words](const FailureCase& failure) { return words.kind(failure.main().kind); });
    kind.hint = [&words](const FailureCase& failure) {
        const FailureSign* const outside = failure.sign(FailureKind::OutsideTraining);
        const QString meaning = words.kind_meaning(failure.main().kind);
        return outside == nullptr ? meaning : meaning + u'\n' + words.sign_sentence(failure, *outside);
    };
    auto decision = text_column<FailureCase>(
        CaseTexts::tr("Most costly decision"),
        CaseTexts::tr("The decision with the largest share of the lost time"),
        [&words](const FailureCase& failure) { return costliest_decision(words, failure); });
    decision.hint = [](const FailureCase& failure) {
        return failure.diagnosis ? basis_text(failure.diagnosis->basis)
                                 : QString::fromStdString(failure.undiagnosed);
    };
    auto noise = text_column<FailureCase>(CaseTexts::tr("Noise"), {}, [](const FailureCase& failure) {
        return significance_text(failure.main().significance);
    });
    noise.hint = [](const FailureCase& failure) { return significance_meaning(failure.main().significance); };
    auto misled = text_column<FailureCase>(
        CaseTexts::tr("Misled by"),
        CaseTexts::tr("The part of a gray box that has the order wrong: its simulator, or the correction "
                      "that it learned"),
        [](const FailureCase& failure) {
            return failure.misleading ? misled_by_text(failure.misleading->by()) : unknown_text();
        });
    misled.export_title = QStringLiteral("misled_by");
    misled.hint = [](const FailureCase& failure) {
        return failure.misleading
                   ? misled_text(*failure.misleading, QString::fromStdString(failure.model_name))
                   : QString();
    };
    return {text_column<FailureCase>(
                title_of_one(words.domain().workload), {},
                [](const FailureCase& failure) { return QString::fromStdString(failure.workload); }),
            std::move(share),
            std::move(than),
            std::move(lost),
            std::move(rank),
            std::move(kind),
            std::move(decision),
            text_column<FailureCase>(
                CaseTexts::tr("Family"),
                CaseTexts::tr("What kind of %1 it is").arg(one(words.domain().workload)),
                [&words](const FailureCase& failure) { return words.family(failure.family); }),
            text_column<FailureCase>(
                CaseTexts::tr("Model"), {},
                [](const FailureCase& failure) { return QString::fromStdString(failure.model_name); }),
            std::move(noise),
            time_column(CaseTexts::tr("Time"), "chosen_ms", &FailureSign::chosen, words),
            time_column(CaseTexts::tr("Compared with"), "against_ms", &FailureSign::against, words),
            configuration_column(CaseTexts::tr("Chosen %1").arg(one(words.domain().configuration)),
                                 &FailureSign::chosen),
            configuration_column(CaseTexts::tr("Compared %1").arg(one(words.domain().configuration)),
                                 &FailureSign::against),
            std::move(misled)};
}

} // namespace

QString key_of(const FailureCase& failure) {
    return QString::fromStdString(failure.workload) + u'|' + QString::fromStdString(failure.model_name) +
           u'|' + QString::number(failure.line);
}

CasesModel::CasesModel(const FailureWords& words, QObject* parent)
    : RecordModel(case_columns(words), [](const FailureCase& failure) { return key_of(failure); }, parent) {}

} // namespace sparsight
