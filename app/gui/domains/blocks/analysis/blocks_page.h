// A basic block as it is edited: its cycles on each machine by each model, what binds it, and its
// instructions with what each one costs.
#pragma once

#include "gui/domains/blocks/analysis/block_reader.h"
#include "gui/domains/blocks/analysis/cycle_bars.h"
#include "gui/domains/blocks/analysis/instruction_rows.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"

#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QSplitter;
class QTabWidget;

namespace sparsight {

class AssemblyEdit;
class Banner;
class Chart;
class CodeSource;
class DataTable;
class ErrorsView;
class ExplanationView;
class GraphView;
class Staleness;

/// Cycles an iteration that a workspace has of a block, by machine.
using MeasuredCycles = std::map<std::string, SaidCycles, std::less<>>;

class BlocksPage : public Page {
    Q_OBJECT

public:
    explicit BlocksPage(Services services, QWidget* parent = nullptr);

    [[nodiscard]] QString help_topic() const override { return QStringLiteral("blocks"); }
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] AssemblyEdit& edit() { return *edit_; }
    [[nodiscard]] Chart& bars() { return *bars_; }
    [[nodiscard]] DataTable& table() { return *table_; }
    [[nodiscard]] CodeSource& source() { return *source_; }
    [[nodiscard]] GraphView& graph() { return *graph_; }
    [[nodiscard]] ErrorsView& errors() { return *errors_; }
    [[nodiscard]] ExplanationView& explanation() { return *explanation_; }
    /// Null while the code is not understood.
    [[nodiscard]] const BlockReading* reading() const { return reading_ ? &*reading_ : nullptr; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void connect_all();
    void offer_machines();
    void read_tables();
    void show_code(const CodeText& code);
    void show_in(CodeForm form);
    /// The code as its instructions are written in this form.
    void show_printed(const CodeText& code, CodeForm form);
    void show_text(const std::string& text);
    void read();
    void take(Result<BlockReading> reading);
    void refuse(const Error& error);
    void ask_analyser();
    void read_measured();
    void show_machine();
    void show_marks(const MachineAnalysis& machine);
    void show_ports(const MachineAnalysis& machine);
    void show_bars();
    void go_to_instruction(int row);
    /// Of the chosen machine; null while there is none.
    [[nodiscard]] const MachineAnalysis* shown() const;

    Services services_;
    CodeSource* source_;
    AssemblyEdit* edit_;
    Banner* error_;
    QLabel* headline_;
    QLabel* limits_;
    Chart* bars_;
    Chart* ports_;
    DataTable* table_;
    GraphView* graph_;
    ExplanationView* explanation_;
    ErrorsView* errors_;
    QTabWidget* tabs_;
    QSplitter* across_;
    QSplitter* down_;
    Staleness* stale_;
    InstructionModel model_;
    std::vector<std::string> machines_;
    std::shared_ptr<const PortTables> tables_ = std::make_shared<PortTables>();
    std::optional<BlockReading> reading_;
    std::vector<McaCycles> mca_;
    MeasuredCycles measured_;
    QTimer typing_;
    bool is_filling_ = false;
    bool was_shown_ = false;
    std::shared_ptr<BlockReader> reader_ = std::make_shared<BlockReader>();
    std::shared_ptr<BlockReader> slow_reader_ = std::make_shared<BlockReader>(); ///< of LLVM's analyser
    NewestAnswer<Result<BlockReading>> readings_{this};
    NewestAnswer<Result<std::vector<McaCycles>>> mca_answers_{this};
    NewestAnswer<Result<MeasuredCycles>> measured_answers_{this};
    NewestAnswer<Result<PortTables>> table_answers_{this};
    NewestAnswer<Result<std::string>> prints_{this};
};

} // namespace sparsight
