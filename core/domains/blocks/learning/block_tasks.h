// The blocks of a workspace and their times as training data.
#pragma once

#include "domains/blocks/learning/block_payload.h"
#include "learning/tasks/workspace_tasks.h"
#include "store/workloads.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

/// The tables of ports of the machines of a workspace. Errors: those of the workspace; a table that can't be
/// read (Input).
[[nodiscard]] Result<std::shared_ptr<const MachineBounds>> stored_tables(Workspace& workspace);

/// The data of a workload are BlockPayload. Blocks of a group that held-out data have blocks of, too
/// (stored_apart), are left out.
class BlockTasks final : public TaskStorage {
public:
    /// All must outlive it.
    BlockTasks(Workspace& workspace, const Domain& domain, const DecodeBlocks& decode)
        : workspace_(workspace)
        , domain_(domain)
        , decode_(decode) {}

    [[nodiscard]] const Domain& domain() const override { return domain_; }
    [[nodiscard]] bool tells_threads() const override { return false; }
    [[nodiscard]] std::string_view why_left_out() const override {
        return "of groups that held-out blocks belong to";
    }
    [[nodiscard]] std::string setting_name(const Setting& setting) const override;
    [[nodiscard]] Result<std::vector<RuntimeConditions>> conditions(const Setting& setting) override;
    [[nodiscard]] Result<std::vector<RecordedWorkload>> runtimes(const Setting& setting,
                                                                 const RuntimeConditions& under) override;
    /// Decodes all of them.
    [[nodiscard]] Result<std::vector<StoredWorkload>> workloads() override;
    [[nodiscard]] Result<TaskWorkload> examine(const StoredWorkload& workload, int threads) override;

private:
    struct Known {
        std::string family;
        Result<std::shared_ptr<const BlockPayload>> payload;
    };

    Workspace& workspace_;
    const Domain& domain_;
    const DecodeBlocks& decode_;
    std::unordered_map<std::int64_t, Known> known_; ///< by id, as of the last call of workloads()
};

} // namespace sparsight
