#include "gui/domains/blocks/analysis/explanation_view.h"

#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "gui/icons/icon.h"
#include "gui/workspace/background_work.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

struct RuleRow {
    int number = 0;
    QString cause;
    BoundedShare precision;
    BoundedShare coverage;
};

namespace {

/// Counts the blocks that the search asks about.
class CountedModel final : public BlockModel {
public:
    CountedModel(std::unique_ptr<const BlockModel> model, std::shared_ptr<std::atomic<std::int64_t>> calls)
        : model_(std::move(model))
        , calls_(std::move(calls)) {}

    Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override {
        *calls_ += std::ssize(blocks);
        return model_->cycles(blocks);
    }

private:
    std::unique_ptr<const BlockModel> model_;
    std::shared_ptr<std::atomic<std::int64_t>> calls_;
};

struct Question {
    MachineCode code;
    std::string machine;
    std::shared_ptr<const PortTables> tables;
    OfferedModel model;
    std::shared_ptr<std::atomic<std::int64_t>> calls;
    std::stop_token stop;
};

/// Takes its time: for another thread.
Result<BlockExplanation> explain(const Question& question) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return std::unexpected(decoder.error());
    auto model = make_model(question.model, *decoder, question.machine, *question.tables);
    if (!model)
        return std::unexpected(std::move(model).error());
    const CountedModel counted(*std::move(model), question.calls);
    const auto editor = BlockEditor::make(*decoder, question.code);
    if (!editor)
        return std::unexpected(editor.error());
    return explain_block(counted, *editor, {.stop = question.stop});
}

struct RuleTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ExplanationView)
};

RecordColumn<RuleRow> share_column(const QString& title, const QString& tip, BoundedShare RuleRow::* member) {
    auto column = value_column<RuleRow>(
        title, tip, [member](const RuleRow& row) { return std::optional((row.*member).value); },
        [](double share) { return share_text(share); });
    column.hint = [member](const RuleRow& row) {
        return RuleTexts::tr("%1 to %2 with 95 % confidence")
            .arg(share_text((row.*member).lowest), share_text((row.*member).highest));
    };
    return column;
}

QString cause_of(const BlockRule& rule) {
    QStringList parts;
    for (const BlockFeature& feature : rule.features)
        parts << QString::fromStdString(describe(feature));
    return parts.isEmpty() ? RuleTexts::tr("nothing is needed") : parts.join(RuleTexts::tr(" and "));
}

} // namespace

class RuleModel : public RecordModel<RuleRow, int> {
public:
    explicit RuleModel(QObject* parent)
        : RecordModel(
              {text_column<RuleRow>(RuleTexts::tr("Cause"),
                                    RuleTexts::tr("While these stay, the model says the same cycles"),
                                    [](const RuleRow& row) { return row.cause; }),
               share_column(
                   RuleTexts::tr("Precision"),
                   RuleTexts::tr("How many of the changed blocks with this cause have the same cycles"),
                   &RuleRow::precision),
               share_column(RuleTexts::tr("Coverage"),
                            RuleTexts::tr("How many of all changed blocks have this cause"),
                            &RuleRow::coverage)},
              [](const RuleRow& row) { return row.number; }, parent) {}
};

ExplanationView::ExplanationView(QWidget* parent)
    : QWidget(parent)
    , model_(new QComboBox(this))
    , explain_(new QPushButton(tr("&Explain"), this))
    , cancel_(new QPushButton(icon(QStringLiteral("stop")), tr("Ca&ncel"), this))
    , progress_(new QProgressBar(this))
    , asked_(new QLabel(this))
    , sentence_(new QLabel(this))
    , table_(new DataTable(this))
    , rules_(new RuleModel(this)) {
    build();
    watch_.setInterval(100);
    connect(&watch_, &QTimer::timeout, this, [this] {
        asked_->setText(tr("%1 changed blocks so far").arg(count_text(calls_ ? calls_->load() : 0)));
    });
    connect(explain_, &QPushButton::clicked, this, &ExplanationView::begin);
    connect(cancel_, &QPushButton::clicked, this, &ExplanationView::cancel);
    connect(model_, &QComboBox::activated, this, &ExplanationView::drop);
    show_state();
}

ExplanationView::~ExplanationView() {
    stop_.request_stop();
}

void ExplanationView::build() {
    model_->setObjectName(QStringLiteral("explained-model"));
    offer_models(*model_);
    model_->setToolTip(tr("The model whose cycles are explained, on the machine chosen above"));
    model_->setAccessibleName(tr("Explained model"));
    explain_->setObjectName(QStringLiteral("explain"));
    cancel_->setObjectName(QStringLiteral("cancel-explaining"));
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setMaximumWidth(16 * grid_step);
    keep_font(*asked_, caption_font);
    asked_->setForegroundRole(QPalette::PlaceholderText);
    sentence_->setObjectName(QStringLiteral("explanation-sentence"));
    sentence_->setWordWrap(true);
    table_->setObjectName(QStringLiteral("explanation-rules"));
    table_->setAccessibleName(tr("Causes of the cycles"));
    table_->set_model(rules_);
    table_->set_empty_text(tr("No explanation yet"));
    auto* const tools = new FlowLayout;
    for (QWidget* const widget :
         std::initializer_list<QWidget*>{model_, explain_, cancel_, progress_, asked_})
        tools->addWidget(widget);
    tools->set_level();
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(tools);
    column->addWidget(sentence_);
    column->addWidget(table_, 1);
}

void ExplanationView::set_block(const DecodedBlock& block, const std::string& machine,
                                std::shared_ptr<const PortTables> tables) {
    const bool is_same = block_ && block_->code == block.code && machine_ == machine && tables_ == tables;
    block_ = block;
    machine_ = machine;
    tables_ = std::move(tables);
    if (!is_same)
        drop();
    show_state();
}

void ExplanationView::clear() {
    block_.reset();
    drop();
}

/// What was found is of something else.
void ExplanationView::drop() {
    cancel();
    rules_->set_rows({});
    sentence_->setText(
        tr("Press Explain to learn which instructions and dependencies make the model say so many cycles."));
    if (!std::exchange(instructions_, {}).empty())
        Q_EMIT explained();
}

void ExplanationView::cancel() {
    stop_.request_stop();
    ++round_;
    is_busy_ = false;
    watch_.stop();
    show_state();
}

void ExplanationView::begin() {
    if (!block_)
        return;
    drop();
    stop_ = std::stop_source();
    calls_ = std::make_shared<std::atomic<std::int64_t>>(0);
    is_busy_ = true;
    watch_.start();
    sentence_->setText(tr("Changing the block at random and asking the model about each change…"));
    in_background(
        this,
        [question = Question{block_->code, machine_, tables_, chosen_model(*model_), calls_,
                             stop_.get_token()}] { return explain(question); },
        [this, round = round_](const Result<BlockExplanation>& explanation) {
            if (round == round_)
                take(explanation);
        });
    show_state();
}

void ExplanationView::take(const Result<BlockExplanation>& explanation) {
    is_busy_ = false;
    watch_.stop();
    show_state();
    if (!explanation) {
        sentence_->setText(QString::fromStdString(explanation.error().message));
        return;
    }
    std::vector<RuleRow> rows;
    const auto add = [&rows](const BlockRule& rule) {
        rows.push_back({static_cast<int>(rows.size()), cause_of(rule), rule.precision, rule.coverage});
    };
    for (const BlockRule& rule : explanation->rules)
        add(rule);
    if (rows.empty() && explanation->nearest)
        add(*explanation->nearest);
    rules_->set_rows(std::move(rows));
    const QString model = model_->currentText();
    const QString cycles =
        tr("%1 cycles on %2").arg(significant(explanation->cycles), title_of_machine(machine_));
    const QString asked = tr("Changed blocks: %1.").arg(count_text(explanation->calls));
    if (explanation->rules.empty())
        sentence_->setText(tr("%1 says %2. No cause of up to three parts is precise enough; the nearest one "
                              "stands below. %3")
                               .arg(model, cycles, asked));
    else
        sentence_->setText(
            tr("%1 says %2, because of each of these by itself. %3").arg(model, cycles, asked));
    for (const BlockFeature& feature : explanation->features()) {
        if (feature.kind == BlockFeatureKind::InstructionCount)
            continue;
        instructions_.insert(feature.at);
        if (feature.kind == BlockFeatureKind::Dependency)
            instructions_.insert(feature.to);
    }
    Q_EMIT explained();
}

void ExplanationView::show_state() {
    explain_->setEnabled(block_.has_value() && !is_busy_);
    explain_->setToolTip(block_ ? QString() : tr("There is no code to explain."));
    for (QWidget* const widget : std::initializer_list<QWidget*>{cancel_, progress_, asked_})
        widget->setVisible(is_busy_);
}

} // namespace sparsight
