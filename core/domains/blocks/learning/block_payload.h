// A block as the data of a workload, with what bounds say of it on the machines whose tables are known.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/decoded_block.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/tables/machine_tables.h"
#include "study/workload.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// Decodes blocks: one result for each. A program without LLVM is given it (decoder_process.h). Errors: no
/// block at all can be decoded.
using DecodeBlocks =
    std::function<Result<std::vector<Result<DecodedBlock>>>(std::span<const MachineCode> codes)>;

/// The bounds of several machines; immutable.
class MachineBounds {
public:
    explicit MachineBounds(MachineTables tables);

    [[nodiscard]] const MachineTables& tables() const { return tables_; }
    [[nodiscard]] std::size_t size() const { return models_.size(); }
    /// The place of this machine; absent where its table is not known.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view machine) const;
    /// Of the machine at this place.
    [[nodiscard]] BlockBounds of(const DecodedBlock& block, std::size_t place) const {
        return models_[place]->bounds(block);
    }

private:
    MachineTables tables_;
    std::vector<std::unique_ptr<const BoundModel>> models_; ///< in the order of the tables
};

/// Usable from several threads at once.
class BlockPayload final : public Payload {
public:
    /// `known` are the machines of the workspace or the model that it is read for.
    BlockPayload(DecodedBlock block, std::shared_ptr<const MachineBounds> known)
        : block_(std::move(block))
        , known_(std::move(known))
        , bounds_(known_->size()) {}

    [[nodiscard]] const DecodedBlock& block() const { return block_; }
    [[nodiscard]] const std::shared_ptr<const MachineBounds>& known() const { return known_; }
    /// Of the machine at this place in known(); computed once.
    [[nodiscard]] BlockBounds bounds(std::size_t place) const;

private:
    DecodedBlock block_;
    std::shared_ptr<const MachineBounds> known_;
    mutable std::mutex computing_;
    mutable std::vector<std::optional<BlockBounds>> bounds_;
};

} // namespace sparsight
