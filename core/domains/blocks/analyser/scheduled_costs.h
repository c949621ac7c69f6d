// What instructions cost by LLVM's scheduling model of a processor: for blocks on machines whose tables of
// ports are not at hand.
#pragma once

#include "base/error.h"
#include "domains/blocks/decoder/block_decoder.h"
#include "domains/blocks/models/block_analysis.h"
#include "domains/blocks/tables/microarchitecture.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {

class ScheduledCosts {
public:
    /// Error (Input): the machine is none whose front end is known, so that no bound can be made of its
    /// costs. The decoder must outlive them.
    [[nodiscard]] static Result<ScheduledCosts> make(const BlockDecoder& decoder,
                                                     const Microarchitecture& machine);
    ~ScheduledCosts();
    ScheduledCosts(ScheduledCosts&&) noexcept;
    ScheduledCosts& operator=(ScheduledCosts&&) noexcept;

    /// The model counts micro-operations as they are executed; those that the decoders of Intel's processors
    /// fuse are counted as one here: a load with what works on it, and both parts of a store (Intel 64 and
    /// IA-32 architectures optimization reference manual).
    [[nodiscard]] BlockCosts of(const DecodedBlock& block) const;

private:
    struct State;
    explicit ScheduledCosts(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The bound of these costs.
class ScheduledBoundModel final : public BlockModel {
public:
    ScheduledBoundModel(ScheduledCosts costs, const FrontEnd& front_end)
        : costs_(std::move(costs))
        , front_end_(front_end) {}

    [[nodiscard]] Result<std::vector<double>> cycles(std::span<const DecodedBlock> blocks) const override;

private:
    ScheduledCosts costs_;
    FrontEnd front_end_;
};

} // namespace sparsight
