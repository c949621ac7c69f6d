#include "widgets/schedule/code/schedule_comparison.h"

#include "widgets/look/theme.h"
#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QStringList>
#include <QTabWidget>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstddef>
#include <span>

namespace sparsight {

namespace {

/// Lines of which fewer words are shared have nothing to do with each other.
constexpr double least_likeness = 0.5;

struct Word {
    TextRange range;
    QString text;
};

/// Names and numbers, and each sign of its own; white space is none.
std::vector<Word> words_of(const QString& line) {
    std::vector<Word> words;
    for (int at = 0; at < line.size();) {
        const int begin = at;
        const auto is_letter = [&](int place) {
            return line[place].isLetterOrNumber() || line[place] == u'_';
        };
        if (line[at].isSpace()) {
            ++at;
            continue;
        }
        do
            ++at;
        while (at < line.size() && is_letter(begin) && is_letter(at));
        words.push_back({{begin, at - begin}, line.mid(begin, at - begin)});
    }
    return words;
}

/// The longest sequence of pairs for which `worth` adds up to most (Needleman and Wunsch); 0: no pair.
template <class Worth>
std::vector<std::pair<int, int>> best_pairs(int left, int right, Worth worth) {
    const auto width = static_cast<std::size_t>(right) + 1;
    std::vector<double> best((static_cast<std::size_t>(left) + 1) * width, 0);
    const auto at = [&](int l, int r) -> double& {
        return best[static_cast<std::size_t>(l) * width + static_cast<std::size_t>(r)];
    };
    for (int l = left - 1; l >= 0; --l)
        for (int r = right - 1; r >= 0; --r) {
            const double pair = worth(l, r);
            at(l, r) = std::max({at(l + 1, r), at(l, r + 1), pair > 0 ? pair + at(l + 1, r + 1) : 0.0});
        }
    std::vector<std::pair<int, int>> pairs;
    for (int l = 0, r = 0; l < left && r < right;) {
        const double pair = worth(l, r);
        if (pair > 0 && at(l, r) == pair + at(l + 1, r + 1))
            pairs.emplace_back(l++, r++);
        else if (at(l, r) == at(l + 1, r))
            ++l;
        else
            ++r;
    }
    return pairs;
}

std::vector<std::pair<int, int>> common_words(std::span<const Word> left, std::span<const Word> right) {
    return best_pairs(static_cast<int>(left.size()), static_cast<int>(right.size()), [&](int l, int r) {
        return left[static_cast<std::size_t>(l)].text == right[static_cast<std::size_t>(r)].text ? 1.0 : 0.0;
    });
}

/// Neighbours in the text become one range.
std::vector<TextRange> uncommon(std::span<const Word> words, std::span<const int> common) {
    std::vector<TextRange> ranges;
    int before = -2;
    for (int at = 0; at < static_cast<int>(words.size()); ++at) {
        if (std::ranges::binary_search(common, at))
            continue;
        const TextRange range = words[static_cast<std::size_t>(at)].range;
        if (before == at - 1)
            ranges.back().length = range.begin + range.length - ranges.back().begin;
        else
            ranges.push_back(range);
        before = at;
    }
    return ranges;
}

struct Lines {
    QStringList texts;
    std::vector<QString> bare; ///< without indentation
    std::vector<std::vector<Word>> words;

    explicit Lines(const QString& text)
        : texts((text.endsWith(u'\n') ? text.chopped(1) : text).split(u'\n')) {
        if (text.isEmpty())
            texts.clear();
        for (const QString& line : texts) {
            bare.push_back(line.trimmed());
            words.push_back(words_of(line));
        }
    }
    [[nodiscard]] int size() const { return static_cast<int>(texts.size()); }
};

AlignedLine pair_of(const Lines& left, const Lines& right, int l, int r) {
    AlignedLine line{l, r, false, {}, {}};
    const auto a = static_cast<std::size_t>(l);
    const auto b = static_cast<std::size_t>(r);
    if (left.bare[a] == right.bare[b])
        return line;
    std::vector<int> common_left;
    std::vector<int> common_right;
    for (const auto& [one, other] : common_words(left.words[a], right.words[b])) {
        common_left.push_back(one);
        common_right.push_back(other);
    }
    line.differs = true;
    line.left_marks = uncommon(left.words[a], common_left);
    line.right_marks = uncommon(right.words[b], common_right);
    return line;
}

} // namespace

std::vector<AlignedLine> align_lines(const QString& left_text, const QString& right_text) {
    const Lines left(left_text);
    const Lines right(right_text);
    // Asked twice of each pair.
    std::vector<double> known(static_cast<std::size_t>(left.size()) * static_cast<std::size_t>(right.size()),
                              -1);
    const auto likeness = [&](int l, int r) {
        const auto a = static_cast<std::size_t>(l);
        const auto b = static_cast<std::size_t>(r);
        double& worth = known[a * static_cast<std::size_t>(right.size()) + b];
        if (worth >= 0)
            return worth;
        if (left.bare[a] == right.bare[b])
            return worth = left.bare[a].isEmpty() ? 0.1 : 2;
        const auto words = static_cast<double>(left.words[a].size() + right.words[b].size());
        const auto common = static_cast<double>(common_words(left.words[a], right.words[b]).size());
        const double share = words > 0 ? 2 * common / words : 0;
        return worth = share >= least_likeness ? share : 0;
    };
    std::vector<AlignedLine> lines;
    int l = 0;
    int r = 0;
    const auto fill = [&](int to_left, int to_right) {
        while (l < to_left)
            lines.push_back({l++, std::nullopt, true, {}, {}});
        while (r < to_right)
            lines.push_back({std::nullopt, r++, true, {}, {}});
    };
    for (const auto& [pair_left, pair_right] : best_pairs(left.size(), right.size(), likeness)) {
        fill(pair_left, pair_right);
        lines.push_back(pair_of(left, right, l++, r++));
    }
    fill(left.size(), right.size());
    return lines;
}

namespace {

void scroll_together(QScrollBar* one, QScrollBar* other) {
    QObject::connect(one, &QScrollBar::valueChanged, other, &QScrollBar::setValue);
    QObject::connect(other, &QScrollBar::valueChanged, one, &QScrollBar::setValue);
}

FacingLine facing(const QStringList& texts, const std::optional<int>& line, bool differs,
                  const std::vector<TextRange>& marks) {
    if (!line)
        return {{}, 0, differs, {}};
    return {texts[*line], *line + 1, differs, marks};
}

} // namespace

CodeComparison::CodeComparison(QWidget* parent)
    : QWidget(parent)
    , left_(new CodeView(this))
    , right_(new CodeView(this)) {
    left_->setAccessibleName(tr("Code of the first schedule"));
    right_->setAccessibleName(tr("Code of the second schedule"));
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    for (CodeView* const view : {left_, right_}) {
        row->addWidget(view, 1);
        view->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    }
    scroll_together(left_->verticalScrollBar(), right_->verticalScrollBar());
    scroll_together(left_->horizontalScrollBar(), right_->horizontalScrollBar());
    setFocusProxy(left_);
}

void CodeComparison::set_codes(const QString& left, const QString& right) {
    const QStringList left_texts = left.split(u'\n');
    const QStringList right_texts = right.split(u'\n');
    std::vector<FacingLine> left_lines;
    std::vector<FacingLine> right_lines;
    differing_.clear();
    shown_ = -1;
    for (const AlignedLine& line : align_lines(left, right)) {
        if (line.differs)
            differing_.push_back(static_cast<int>(left_lines.size()));
        left_lines.push_back(facing(left_texts, line.left, line.differs, line.left_marks));
        right_lines.push_back(facing(right_texts, line.right, line.differs, line.right_marks));
    }
    left_->set_facing_lines(left, std::move(left_lines));
    right_->set_facing_lines(right, std::move(right_lines));
}

void CodeComparison::set_empty_text(const QString& text) {
    left_->set_empty_text(text);
}

/// Neighbouring lines form one difference.
void CodeComparison::go_to_difference(int step) {
    std::vector<int> places;
    for (std::size_t at = 0; at < differing_.size(); ++at)
        if (at == 0 || differing_[at] != differing_[at - 1] + 1)
            places.push_back(differing_[at]);
    if (places.empty())
        return;
    const int count = static_cast<int>(places.size());
    shown_ = shown_ < 0 ? (step > 0 ? 0 : count - 1) : (shown_ + step + count) % count;
    for (CodeView* const view : {left_, right_}) {
        view->setTextCursor(
            QTextCursor(view->document()->findBlockByNumber(places[static_cast<std::size_t>(shown_)])));
        view->centerCursor();
    }
}

void CodeComparison::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_F8)
        go_to_difference(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else
        QWidget::keyPressEvent(event);
}

ScheduleComparison::ScheduleComparison(QWidget* parent)
    : QWidget(parent)
    , tabs_(new QTabWidget(this))
    , code_(new CodeComparison(this))
    , difference_(new QLabel(this))
    , bars_(new StorageBars(this)) {
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    build_heads();
    auto* const nests = new QWidget(this);
    auto* const nest_column = new QVBoxLayout(nests);
    nest_column->setContentsMargins(0, 0, 0, 0);
    nest_column->setSpacing(0);
    auto* const line = new QHBoxLayout;
    line->addWidget(difference_, 1);
    for (const auto& [text, tip, step] :
         {std::tuple{tr("Previous"), tr("The place before that differs (Shift+F8)"), -1},
          std::tuple{tr("Next"), tr("The next place that differs (F8)"), 1}}) {
        auto* const button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, step] { code_->go_to_difference(step); });
        line->addWidget(button);
    }
    keep_font(*difference_, caption_font);
    difference_->setForegroundRole(QPalette::PlaceholderText);
    difference_->setContentsMargins(grid_step, 0, 0, 0);
    nest_column->addLayout(line);
    nest_column->addWidget(code_, 1);
    tabs_->setDocumentMode(true);
    add_tab(nests, tr("&Loop nests"), tr("What runs, as C; what differs is marked"));
    add_tab(make_storage(), tr("&Storage"),
            tr("The levels of both formats on a small part of the matrix, and their bytes"));
    column->addWidget(tabs_, 1);
    show_pair({}, {});
}

void ScheduleComparison::build_heads() {
    auto* const grid = new QGridLayout;
    grid->setContentsMargins(grid_step, 0, grid_step, 0);
    grid->setHorizontalSpacing(2 * grid_step);
    grid->setVerticalSpacing(grid_step / 2);
    for (int side = 0; side < 2; ++side) {
        Head& head = heads_[static_cast<std::size_t>(side)];
        head = {new QLabel(this), new QLabel(this), new QLabel(this)};
        keep_font(*head.title, title_font);
        head.title->setTextFormat(Qt::PlainText);
        head.title->setWordWrap(true);
        head.time->setTextInteractionFlags(Qt::TextSelectableByMouse);
        head.meaning->setWordWrap(true);
        head.meaning->setTextFormat(Qt::PlainText);
        head.meaning->setForegroundRole(QPalette::PlaceholderText);
        head.meaning->setTextInteractionFlags(Qt::TextSelectableByMouse);
        head.meaning->setAlignment(Qt::AlignTop);
        auto* const line = new QHBoxLayout;
        line->addWidget(head.title, 1);
        line->addWidget(head.time);
        grid->addLayout(line, 0, side);
        grid->addWidget(head.meaning, 1, side);
        grid->setColumnStretch(side, 1);
    }
    heads_[0].title->setObjectName(QStringLiteral("compared-left"));
    heads_[1].title->setObjectName(QStringLiteral("compared-right"));
    heads_[0].time->setObjectName(QStringLiteral("compared-left-time"));
    heads_[1].time->setObjectName(QStringLiteral("compared-right-time"));
    static_cast<QVBoxLayout*>(layout())->addLayout(grid);
}

QWidget* ScheduleComparison::make_storage() {
    auto* const splitter = new QSplitter(Qt::Vertical, this);
    auto* const both = new QWidget(splitter);
    auto* const grid = new QGridLayout(both);
    grid->setContentsMargins(0, 0, 0, 0);
    for (int side = 0; side < 2; ++side) {
        const auto at = static_cast<std::size_t>(side);
        trees_[at] = new CoordinateTreeView(both);
        problems_[at] = new QLabel(both);
        problems_[at]->setWordWrap(true);
        grid->addWidget(problems_[at], 0, side);
        grid->addWidget(trees_[at], 1, side);
        grid->setColumnStretch(side, 1);
    }
    grid->setRowStretch(1, 1);
    splitter->addWidget(both);
    splitter->addWidget(bars_);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

void ScheduleComparison::add_tab(QWidget* tab, const QString& title, const QString& tooltip) {
    tabs_->setTabToolTip(tabs_->addTab(tab, title), tooltip);
}

void ScheduleComparison::set_empty_text(const QString& text) {
    code_->set_empty_text(text);
    bars_->set_empty_text(text);
    for (CoordinateTreeView* const tree : trees_)
        tree->set_empty_text(text);
}

void ScheduleComparison::show_pair(const ComparedSchedule& left, const ComparedSchedule& right) {
    const std::array sides{&left, &right};
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const ComparedSchedule& shown = *sides[side];
        heads_[side].title->setText(shown.title);
        heads_[side].time->setText(shown.time);
        heads_[side].meaning->setText(shown.meaning);
        trees_[side]->set_picture(shown.tree);
        problems_[side]->setText(shown.storage_problem);
        problems_[side]->setVisible(!shown.storage_problem.isEmpty());
    }
    std::vector<StorageBar> bars;
    for (const ComparedSchedule* const shown : sides)
        if (!shown->storage.segments.empty())
            bars.push_back(shown->storage);
    bars_->set_bars(bars, 0); // the left schedule is the reference
    code_->set_codes(left.code, right.code);
    show_difference_count();
}

void ScheduleComparison::show_difference_count() {
    const int count = code_->differing_lines();
    difference_->setText(count == 0   ? tr("Both loop nests are the same.")
                         : count == 1 ? tr("1 line differs")
                                      : tr("%1 lines differ").arg(count));
}

} // namespace sparsight
