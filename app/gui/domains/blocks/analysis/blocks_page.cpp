#include "gui/domains/blocks/analysis/blocks_page.h"

#include "domains/blocks/block_domain.h"
#include "gui/domains/blocks/analysis/code_source.h"
#include "gui/domains/blocks/analysis/dependency_graph.h"
#include "gui/domains/blocks/analysis/errors_view.h"
#include "gui/domains/blocks/analysis/explanation_view.h"
#include "gui/domains/blocks/analysis/stored_blocks.h"
#include "gui/icons/icon.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/code/assembly_edit.h"
#include "widgets/graph/graph_view.h"
#include "widgets/look/card.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds typing_pause{10}; ///< a burst of keys leads to one analysis

} // namespace

BlocksPage::BlocksPage(Services services, QWidget* parent)
    : Page(PagePlace::WhatIf, QStringLiteral("block-analysis"), tr("Analysis"), QStringLiteral("what-if"),
           parent)
    , services_(services)
    , source_(new CodeSource(services, this))
    , edit_(new AssemblyEdit(this))
    , error_(new Banner(this))
    , headline_(new QLabel(this))
    , limits_(new QLabel(this))
    , bars_(new Chart(this))
    , ports_(new Chart(this))
    , table_(new DataTable(this))
    , graph_(new GraphView(this))
    , explanation_(new ExplanationView(this))
    , errors_(new ErrorsView(services, this))
    , tabs_(new QTabWidget(this))
    , across_(new QSplitter(Qt::Horizontal, this))
    , down_(new QSplitter(Qt::Vertical, this))
    , stale_(new Staleness({bars_}, this)) {
    typing_.setSingleShot(true);
    typing_.setInterval(typing_pause);
    build();
    connect_all();
    tell_of_exports(*this);
    offer_machines();
}

void BlocksPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setObjectName(QStringLiteral("block-headline"));
    headline_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    keep_font(*limits_, caption_font);
    limits_->setWordWrap(true);
    limits_->setForegroundRole(QPalette::PlaceholderText);
    limits_->setObjectName(QStringLiteral("block-limits"));
    edit_->setObjectName(QStringLiteral("block-edit"));
    edit_->setPlaceholderText(
        tr("Paste assembly or bytes, one instruction a line, or drop an object file here."));

    auto* const code = new QWidget(this);
    auto* const code_lines = new QVBoxLayout(code);
    code_lines->setContentsMargins(0, 0, 0, 0);
    code_lines->setSpacing(0);
    code_lines->addWidget(edit_, 1);
    code_lines->addWidget(error_);
    auto* const code_card = new Card(tr("Code"), this);
    code_card->set_subtitle(tr("bar: critical chain"));
    code_card->set_content_margins(0);
    code_card->set_content(code);

    bars_->setObjectName(QStringLiteral("block-bars"));
    bars_->set_title(tr("Cycles of an iteration"));
    ChartAxis up;
    up.title = tr("cycles");
    up.minimum = 0;
    bars_->set_y_axis(up);
    bars_->set_empty_text(tr("No code yet"));
    ports_->setObjectName(QStringLiteral("block-ports"));
    ChartAxis uses;
    uses.title = tr("micro-operations an iteration");
    uses.minimum = 0;
    ports_->set_y_axis(uses);
    ports_->set_empty_text(tr("No code yet"));

    table_->setObjectName(QStringLiteral("block-instructions"));
    table_->setAccessibleName(tr("Instructions with their costs"));
    table_->set_selection_mode_single(true);
    table_->set_empty_text(tr("No code yet"));
    table_->set_model(&model_);
    tabs_->setObjectName(QStringLiteral("block-tabs"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(table_, tr("&Instructions"));
    graph_->setObjectName(QStringLiteral("block-graph"));
    graph_->set_empty_text(tr("No code yet"));
    tabs_->addTab(graph_, tr("&Dependencies"));
    tabs_->addTab(ports_, tr("&Port pressure"));
    tabs_->addTab(explanation_, tr("E&xplanation"));
    tabs_->addTab(errors_, tr("&Errors of models"));

    across_->addWidget(code_card);
    across_->addWidget(bars_);
    across_->setSizes({480, 420});
    across_->setStretchFactor(0, 1);
    across_->setStretchFactor(1, 1);
    across_->setChildrenCollapsible(false);
    down_->addWidget(across_);
    down_->addWidget(tabs_);
    down_->setSizes({300, 280});
    down_->setStretchFactor(0, 1);
    down_->setStretchFactor(1, 1);
    down_->setChildrenCollapsible(false);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(source_);
    column->addWidget(headline_);
    column->addWidget(limits_);
    // Below this, both halves scroll: a window of 400 pixels has no room for them.
    across_->setMinimumHeight(28 * grid_step);
    tabs_->setMinimumHeight(26 * grid_step);
    column->addWidget(new ColumnScroll(down_, this), 1);
    setFocusProxy(edit_);
}

void BlocksPage::connect_all() {
    connect(source_, &CodeSource::code_chosen, this, &BlocksPage::show_code);
    connect(source_, &CodeSource::form_wanted, this, &BlocksPage::show_in);
    connect(source_, &CodeSource::machine_changed, this, &BlocksPage::show_machine);
    connect(source_, &CodeSource::failed, this, [this](const QString& reason) {
        Q_EMIT notice(reason, !reason.isEmpty(), QStringLiteral("open"));
    });
    connect(edit_, &AssemblyEdit::files_dropped, this,
            [this](const QStringList& paths) { source_->open_file(paths.front()); });
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        if (!is_filling_) {
            source_->note_edit({edit_->toPlainText().toStdString(), source_->form()});
            measured_.clear();
            typing_.start();
        }
    });
    connect(edit_, &AssemblyEdit::line_entered, this, [this](int line) {
        if (reading_)
            if (const auto found = std::ranges::find(reading_->lines, static_cast<std::size_t>(line));
                found != reading_->lines.end())
                table_->select_source_row(static_cast<int>(found - reading_->lines.begin()));
    });
    connect(table_, &DataTable::current_row_changed, this, &BlocksPage::go_to_instruction);
    connect(graph_, &GraphView::node_chosen, this, [this](std::optional<int> node) {
        if (node)
            table_->select_source_row(*node);
    });
    connect(bars_, &Chart::picked, this,
            [this](const QVariant& machine) { source_->set_machine(machine.toString().toStdString()); });
    connect(explanation_, &ExplanationView::explained, this, [this] {
        if (const MachineAnalysis* const machine = shown())
            show_marks(*machine);
    });
    connect(&typing_, &QTimer::timeout, this, &BlocksPage::read);
    connect(&services_.selection, &Selection::changed, this, [this] {
        if (was_shown_ && services_.session.domain().name() == blocks_domain)
            source_->follow_selection();
    });
    for (const auto changed : {&WorkspaceSession::contents_changed, &WorkspaceSession::closed})
        connect(&services_.session, changed, this, [this] {
            offer_machines();
            read_tables();
            read_measured();
        });
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        offer_machines();
        read_tables();
    });
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &BlocksPage::read_measured);
}

void BlocksPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    was_shown_ = true;
    source_->follow_selection();
}

/// Those of measured blocks, and what the workspace has besides, in the order of the known ones.
void BlocksPage::offer_machines() {
    std::vector<std::string> machines;
    for (const Microarchitecture& each : microarchitectures) {
        const bool is_usual = each.name == "ivb" || each.name == "hsw" || each.name == "skl";
        const bool is_stored =
            std::ranges::any_of(services_.session.contents().machines,
                                [&](const MachineRecord& machine) { return machine.name == each.name; });
        if (is_usual || is_stored)
            machines.emplace_back(each.name);
    }
    if (std::exchange(machines_, machines) == machines)
        return;
    std::vector<std::string> with_ports;
    std::ranges::copy_if(machines, std::back_inserter(with_ports), [](const std::string& name) {
        return find_microarchitecture(name)->has_known_front_end;
    });
    source_->offer_machines(with_ports);
    read();
}

void BlocksPage::read_tables() {
    if (!services_.session.is_open()) {
        tables_ = std::make_shared<PortTables>();
        return;
    }
    table_answers_.ask([file = services_.session.path().toStdString()](
                           const std::stop_token&) { return stored_port_tables(file); },
                       [this](Result<PortTables> tables, bool is_newest) {
                           if (!is_newest)
                               return;
                           Q_EMIT notice(tables ? QString() : QString::fromStdString(tables.error().text()),
                                         !tables, QStringLiteral("ports"));
                           if (!tables)
                               return;
                           tables_ = std::make_shared<PortTables>(*std::move(tables));
                           read();
                       });
}

/// Assembly stays as it is written; bytes are shown in the form that is chosen, a line for each instruction.
void BlocksPage::show_code(const CodeText& code) {
    if (code.form == source_->form() && code.form != CodeForm::Hex)
        show_text(code.text);
    else
        show_printed(code, source_->form());
}

void BlocksPage::show_in(CodeForm form) {
    if (reading_)
        show_printed({to_hex(reading_->block.code), CodeForm::Hex}, form);
    else
        read();
}

void BlocksPage::show_printed(const CodeText& code, CodeForm form) {
    readings_.cancel();
    prints_.ask(
        [reader = reader_, code, form](const std::stop_token&) -> Result<std::string> {
            const auto reading = reader->read(code, {}, {});
            return reading ? reader->print(reading->block.code, form) : std::unexpected(reading.error());
        },
        [this](const Result<std::string>& text, bool is_newest) {
            if (!is_newest)
                return;
            if (text)
                show_text(*text);
            else
                refuse(text.error());
        });
}

void BlocksPage::show_text(const std::string& text) {
    is_filling_ = true;
    edit_->replace_text(QString::fromStdString(text));
    is_filling_ = false;
    read();
}

void BlocksPage::read() {
    typing_.stop();
    const CodeText code{edit_->toPlainText().toStdString(), source_->form()};
    if (edit_->toPlainText().trimmed().isEmpty()) {
        readings_.cancel();
        reading_.reset();
        edit_->set_error_line(std::nullopt);
        error_->hide();
        stale_->end();
        show_machine();
        show_bars();
        return;
    }
    readings_.ask([reader = reader_, code, machines = machines_, tables = tables_](
                      const std::stop_token&) { return reader->read(code, machines, *tables); },
                  [this](Result<BlockReading> reading, bool is_newest) {
                      if (is_newest)
                          take(std::move(reading));
                  });
}

void BlocksPage::take(Result<BlockReading> reading) {
    if (!reading) {
        refuse(reading.error());
        return;
    }
    edit_->set_error_line(std::nullopt);
    error_->hide();
    const bool is_other = !reading_ || reading_->block.code != reading->block.code;
    reading_ = *std::move(reading);
    show_machine();
    if (is_other)
        read_measured();
    show_bars();
    ask_analyser();
}

/// What was understood last stays shown, paler, while a line is being typed.
void BlocksPage::refuse(const Error& error) {
    edit_->set_error_line(error.line > 0 ? std::optional(static_cast<int>(error.line) - 1) : std::nullopt);
    error_->show_message(Severity::Error, QString::fromStdString(error.message));
    stale_->begin();
}

void BlocksPage::ask_analyser() {
    stale_->begin();
    mca_answers_.ask([reader = slow_reader_, block = reading_->block, machines = machines_](
                         const std::stop_token& stop) { return reader->mca(block, machines, stop); },
                     [this](Result<std::vector<McaCycles>> cycles, bool is_newest) {
                         if (!is_newest)
                             return;
                         mca_ = cycles ? *std::move(cycles) : std::vector<McaCycles>();
                         stale_->end();
                         show_bars();
                     });
}

/// Only of the block as the workspace has it.
void BlocksPage::read_measured() {
    measured_answers_.cancel();
    measured_.clear();
    const WorkloadRecord* const block = services_.session.workload(source_->workload());
    if (block == nullptr) {
        show_bars();
        return;
    }
    measured_answers_.ask([file = services_.session.path().toStdString(),
                           id = block->id](const std::stop_token&) { return stored_cycles(file, id); },
                          [this](Result<MeasuredCycles> measured, bool is_newest) {
                              if (!is_newest)
                                  return;
                              Q_EMIT notice(measured ? QString()
                                                     : QString::fromStdString(measured.error().text()),
                                            !measured, QStringLiteral("measured"));
                              measured_ = measured ? *std::move(measured) : MeasuredCycles();
                              show_bars();
                          });
}

const MachineAnalysis* BlocksPage::shown() const {
    if (!reading_)
        return nullptr;
    const auto found = std::ranges::find(reading_->machines, source_->machine(), &MachineAnalysis::machine);
    return found == reading_->machines.end() ? nullptr : &*found;
}

void BlocksPage::show_machine() {
    errors_->set_machine(source_->machine(), tables_);
    const MachineAnalysis* const machine = shown();
    if (machine == nullptr) {
        headline_->setText(tr("No code yet: choose an example, or paste the code of a loop."));
        limits_->clear();
        model_.clear();
        ports_->clear();
        edit_->set_marks({});
        explanation_->clear();
        graph_->set_graph({});
        return;
    }
    headline_->setText(QString::fromStdString(machine->sentence));
    QStringList parts;
    for (const CycleLimit& limit : cycle_limits(machine->analysis.bounds))
        parts << tr("%1: %2").arg(QString::fromStdString(limit.name), significant(limit.cycles));
    QString text = tr("Cycles that each limit needs on %1: %2.")
                       .arg(title_of_machine(machine->machine), parts.join(QStringLiteral(" · ")));
    text +=
        u' ' + (machine->is_of_llvm ? tr("Ports and latencies are those of LLVM's scheduling model.")
                                    : tr("Ports and latencies are those of the table in this workspace."));
    if (const std::size_t unknown = machine->analysis.bounds.unknown.size(); unknown > 0)
        text += u' ' + tr("Unknown instructions, taken as one micro-operation each: %1.").arg(unknown);
    limits_->setText(text);
    model_.show(reading_->block, *machine);
    show_ports(*machine);
    graph_->set_graph(dependency_graph(reading_->block, *machine));
    explanation_->set_block(reading_->block, machine->machine, tables_);
    show_marks(*machine);
    bars_->set_selected(QString::fromStdString(machine->machine));
}

void BlocksPage::show_marks(const MachineAnalysis& machine) {
    const bool is_bound_by_ports = machine.analysis.bounds.ports >= machine.analysis.bounds.cycles();
    std::vector<AssemblyMark> marks;
    for (std::size_t at = 0; at < reading_->lines.size(); ++at) {
        const AnalysedInstruction& instruction = machine.analysis.instructions[at];
        const std::size_t line = reading_->lines[at];
        if (line >= marks.size())
            marks.resize(line + 1);
        AssemblyMark& mark = marks[line];
        mark.is_explained = mark.is_explained || explanation_->instructions().contains(at);
        mark.is_critical = mark.is_critical || instruction.is_critical;
        QStringList meaning;
        if (instruction.is_critical)
            meaning << tr("Part of the critical chain");
        if (instruction.is_on_busiest_port && machine.analysis.bounds.ports > 0) {
            const QString ports = QString::fromStdString(ports_text(machine.analysis.bounds.busiest));
            if (is_bound_by_ports)
                mark.note = ports;
            meaning << tr("Needs the busiest ports: %1").arg(ports);
        }
        if (instruction.cost)
            meaning << tr("Ports %1, latency %2")
                           .arg(QString::fromStdString(port_uses_text(instruction.cost->ports)),
                                significant(instruction.cost->latency));
        else
            meaning << tr("The costs of this instruction are not known");
        mark.meaning = meaning.join(u'\n');
    }
    edit_->set_marks(std::move(marks));
}

void BlocksPage::show_ports(const MachineAnalysis& machine) {
    const BlockBounds& bounds = machine.analysis.bounds;
    std::size_t last = 0;
    for (std::size_t port = 0; port < BlockBounds::port_count; ++port)
        if (bounds.port_uses[port] > 0)
            last = port + 1;
    BarSeries series{.name = tr("Port pressure")};
    for (std::size_t port = 0; port < last; ++port) {
        const bool is_busiest = (bounds.busiest >> port & 1U) != 0;
        series.bars.push_back({.value = bounds.port_uses[port],
                               .label = tr("port %1").arg(port),
                               .colour = is_busiest ? ChartColour::Lose : ChartColour::Reference,
                               .note = is_busiest ? tr("one of the busiest") : QString()});
    }
    ports_->set_bars(std::move(series));
    ports_->set_reference(bounds.cycles(), tr("%1 cycles an iteration").arg(significant(bounds.cycles())));
}

void BlocksPage::show_bars() {
    if (!reading_) {
        bars_->clear();
        return;
    }
    CycleSource bound{.name = title_of(OfferedModel::Bound)};
    for (const MachineAnalysis& machine : reading_->machines)
        bound.machines[machine.machine] = {.cycles = machine.analysis.bounds.cycles(),
                                           .note = QString::fromStdString(machine.sentence)};
    CycleSource throughput{.name = title_of(OfferedModel::McaThroughput)};
    CycleSource cycles{.name = title_of(OfferedModel::McaCycles)};
    for (const McaCycles& machine : mca_)
        for (const auto& [source, answer] :
             {std::pair(&throughput, &machine.throughput), {&cycles, &machine.cycles}})
            source->machines[machine.machine] =
                *answer ? SaidCycles{.cycles = **answer}
                        : SaidCycles{.note = QString::fromStdString(answer->error().message)};
    std::vector<CycleSource> sources{std::move(bound), std::move(throughput), std::move(cycles)};
    if (!measured_.empty())
        sources.push_back({.name = tr("Measured"), .is_predicted = false, .machines = measured_});
    bars_->set_series(cycle_bars(sources, machines_));
    bars_->set_selected(QString::fromStdString(source_->machine()));
}

void BlocksPage::go_to_instruction(int row) {
    if (row >= 0)
        graph_->choose(row);
    if (reading_ && row >= 0 && static_cast<std::size_t>(row) < reading_->lines.size() && !edit_->hasFocus())
        edit_->go_to_line(static_cast<int>(reading_->lines[static_cast<std::size_t>(row)]));
}

bool BlocksPage::is_settled() const {
    return !typing_.isActive() && !readings_.is_busy() && !mca_answers_.is_busy() &&
           !measured_answers_.is_busy() && !table_answers_.is_busy() && !prints_.is_busy() &&
           !explanation_->is_busy() && !errors_->is_busy();
}

QByteArray BlocksPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << across_->saveState() << down_->saveState();
    return state;
}

void BlocksPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray across;
    QByteArray down;
    in >> across >> down;
    if (in.status() != QDataStream::Ok)
        return;
    across_->restoreState(across);
    down_->restoreState(down);
}

} // namespace sparsight
