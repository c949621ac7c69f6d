// The instructions of a block as a table: what each one costs on a machine.
#pragma once

#include "gui/domains/blocks/analysis/block_reader.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <vector>

namespace sparsight {

struct InstructionRow {
    int number = 0; ///< counted from 1
    QString text;
    AnalysedInstruction analysed;
    bool operator==(const InstructionRow&) const = default;
};

[[nodiscard]] std::vector<InstructionRow> instruction_rows(const DecodedBlock& block,
                                                           const BlockAnalysis& analysis);

class InstructionModel : public RecordModel<InstructionRow, int> {
public:
    enum Column { Number, Text, MicroOperations, Ports, Latency, Throughput, Critical, FirstPort };

    explicit InstructionModel(QObject* parent = nullptr);

    /// The columns of ports are those of this machine, up to the last one that an instruction may take.
    void show(const DecodedBlock& block, const MachineAnalysis& machine);
    void clear() { set_rows({}); }

private:
    std::size_t ports_ = 0;
    std::uint32_t busiest_ = 0;
};

} // namespace sparsight
