#include "gui/domains/sparse/whatif/hot_loop_line.h"

#include "store/workspace.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {
namespace {

/// Where its chain of dependencies stands, instructions are marked.
QString marked_listing(const HotLoopCosts& costs) {
    const LoopAnalysis& of = costs.analysis;
    QStringList lines;
    for (std::size_t at = 0; at < of.listing.size(); ++at)
        lines << (of.bound && std::ranges::count(of.bound->chain, at) > 0 ? QStringLiteral("* ")
                                                                          : QStringLiteral("  ")) +
                     QString::fromStdString(of.listing[at]).replace(u'\t', u' ');
    return lines.join(u'\n');
}

QString needs_text(const QString& name, const HotLoopCosts& costs) {
    const LoopAnalysis& of = costs.analysis;
    return (of.bound ? HotLoopLine::tr("%1: %2 cycles for a stored entry. It waits for %3.")
                     : HotLoopLine::tr(
                           "%1: %2 cycles for a stored entry. LLVM’s analyser names as the limit: %3."))
        .arg(name, QString::number(costs.cycles_an_entry(), 'f', 2), QString::fromStdString(of.binds));
}

QWidget* listing_view(const QString& name, const HotLoopCosts& costs, QWidget* parent) {
    auto* const view = new QWidget(parent);
    auto* const column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    auto* const title = new QLabel(needs_text(name, costs), view);
    title->setWordWrap(true);
    auto* const code = new QPlainTextEdit(marked_listing(costs), view);
    code->setReadOnly(true);
    code->setLineWrapMode(QPlainTextEdit::NoWrap);
    code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    code->setAccessibleName(HotLoopLine::tr("Instructions of the hot loop of %1").arg(name));
    column->addWidget(title);
    column->addWidget(code, 1);
    return view;
}

} // namespace

HotLoopLine::HotLoopLine(MakeLoopAnalyst make_analyst, QWidget* parent)
    : QWidget(parent)
    , make_analyst_(std::move(make_analyst))
    , processor_(new QComboBox(this))
    , told_(new QLabel(this))
    , open_(new QPushButton(tr("&Hot loop"), this)) {
    processor_->setObjectName(QStringLiteral("hot-loop-processor"));
    processor_->setAccessibleName(tr("Processor of the hot loop"));
    processor_->setToolTip(tr("Both kernels are compiled for this processor"));
    told_->setObjectName(QStringLiteral("hot-loop-sentence"));
    told_->setWordWrap(true);
    keep_font(*told_, caption_font);
    open_->setObjectName(QStringLiteral("hot-loop-open"));
    open_->setToolTip(tr("Shows the instructions of both loops"));
    open_->setEnabled(false);
    auto* const line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(grid_step);
    line->addWidget(processor_);
    line->addWidget(told_, 1);
    line->addWidget(open_);
    connect(processor_, &QComboBox::currentIndexChanged, this, &HotLoopLine::compute);
    connect(open_, &QPushButton::clicked, this, &HotLoopLine::show_listings);
}

/// Asks for the processors when it is first seen: LLVM takes some milliseconds to begin.
void HotLoopLine::offer_processors() {
    if (processor_->count() > 0)
        return;
    const auto analyst = make_analyst_();
    if (!analyst) {
        told_->setText(QString::fromStdString(analyst.error().text()));
        return;
    }
    const QSignalBlocker quiet(processor_);
    for (const LoopProcessor& each : (*analyst)->processors())
        processor_->addItem(QString::fromStdString(each.title), QString::fromStdString(each.name));
    processor_->setCurrentIndex(std::max(0, processor_->findData(QStringLiteral("skl"))));
}

void HotLoopLine::show_pair(const std::optional<HotLoopPair>& pair) {
    if (pair == pair_)
        return;
    pair_ = pair;
    setVisible(pair_.has_value());
    is_due_ = true;
    if (isVisible())
        compute();
}

void HotLoopLine::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (is_due_)
        compute();
}

void HotLoopLine::compute() {
    is_due_ = false;
    loops_.reset();
    open_->setEnabled(false);
    if (!pair_) {
        answers_.cancel();
        return;
    }
    offer_processors();
    told_->setText(tr("Compiling both kernels …"));
    answers_.ask(
        [make = make_analyst_, pair = *pair_,
         name = processor_->currentData().toString().toStdString()](const std::stop_token&) -> Result<Loops> {
            const auto analyst = make();
            if (!analyst)
                return std::unexpected(analyst.error());
            auto workspace = Workspace::open(pair.workspace.toStdString(), {.access = WorkspaceAccess::Read});
            if (!workspace)
                return std::unexpected(std::move(workspace).error());
            if (auto read = (*analyst)->read_tables(*workspace); !read)
                return std::unexpected(std::move(read).error());
            const auto& known = (*analyst)->processors();
            const auto processor = std::ranges::find(known, name, &LoopProcessor::name);
            if (processor == known.end())
                return fail(Fault::Input, "no processor is chosen");
            auto slow = hot_loop_costs(pair.slow, pair.extents, *processor, **analyst);
            if (!slow)
                return std::unexpected(std::move(slow).error());
            auto fast = hot_loop_costs(pair.fast, pair.extents, *processor, **analyst);
            if (!fast)
                return std::unexpected(std::move(fast).error());
            return Loops{*std::move(slow), *std::move(fast)};
        },
        [this](const Result<Loops>& loops, bool is_newest) {
            if (is_newest)
                show_loops(loops);
        });
}

void HotLoopLine::show_loops(const Result<Loops>& loops) {
    if (!loops) {
        told_->setText(
            tr("The hot loops can’t be compared: %1.").arg(QString::fromStdString(loops.error().message)));
        return;
    }
    loops_ = *loops;
    open_->setEnabled(true);
    told_->setText(needs_text(pair_->name_of_slow, loops_->slow) + u' ' +
                   needs_text(pair_->name_of_fast, loops_->fast));
}

void HotLoopLine::show_listings() {
    if (!loops_ || !pair_)
        return;
    auto* const dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("hot-loop-listings"));
    dialog->setWindowTitle(tr("Hot loops on %1").arg(processor_->currentText()));
    auto* const sides = new QHBoxLayout;
    sides->addWidget(listing_view(pair_->name_of_slow, loops_->slow, dialog));
    sides->addWidget(listing_view(pair_->name_of_fast, loops_->fast, dialog));
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* const column = new QVBoxLayout(dialog);
    column->addLayout(sides, 1);
    column->addWidget(new QLabel(tr("* An instruction of the chain that an iteration waits for."), dialog));
    column->addWidget(buttons);
    dialog->resize(110 * grid_step, 60 * grid_step);
    dialog->show();
    const auto& code = loops_->slow.loop.code;
    Q_EMIT hot_loop_requested(
        QByteArray(reinterpret_cast<const char*>(code.data()), static_cast<qsizetype>(code.size())),
        processor_->currentData().toString());
}

} // namespace sparsight
