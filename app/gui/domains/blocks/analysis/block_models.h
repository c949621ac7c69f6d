// The cost models that the window has of blocks, to be asked off its thread.
#pragma once

#include "base/error.h"
#include "domains/blocks/models/block_model.h"
#include "gui/domains/blocks/analysis/block_reader.h"

#include <QString>
#include <cstdint>
#include <memory>
#include <string>

class QComboBox;

namespace sparsight {

enum class OfferedModel : std::uint8_t { Bound, McaThroughput, McaCycles };

/// "LLVM-MCA, throughput"
[[nodiscard]] QString title_of(OfferedModel model);
/// Fills the box with all of them.
void offer_models(QComboBox& box);
[[nodiscard]] OfferedModel chosen_model(const QComboBox& box);

/// The decoder must outlive it. Errors: those of McaModel::make() and ScheduledCosts::make().
[[nodiscard]] Result<std::unique_ptr<const BlockModel>> make_model(OfferedModel model,
                                                                   const BlockDecoder& decoder,
                                                                   const std::string& machine,
                                                                   const PortTables& tables);

} // namespace sparsight
