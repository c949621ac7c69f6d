// Models of a workspace that stay loaded between questions, for a process that answers many.
#pragma once

#include "store/models.h"
#include "store/workspace.h"
#include "workflow/learning/reasons/model_query.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sparsight {

struct ResidentLimits {
    std::size_t models = 4;
    std::size_t workloads = 8;                    ///< of each model
    std::uint64_t bytes = std::uint64_t{2} << 30; ///< of this process
};

/// Used by one thread at a time.
class ResidentModels {
public:
    /// The domains must outlive it.
    explicit ResidentModels(const LearningDomains& domains, const ResidentLimits& limits = {})
        : domains_(domains)
        , limits_(limits) {}

    /// Keeps what is loaded where it is open already and still the same file. Errors: those of
    /// Workspace::open().
    [[nodiscard]] Result<void> open(const std::filesystem::path& path);
    [[nodiscard]] bool is_open() const { return open_.has_value(); }

    /// Loaded anew where it was trained anew. Valid until the next call of a function that is not const.
    /// Errors: those of QueriedModel::load(); no workspace is open (Input).
    [[nodiscard]] Result<const QueriedModel*> find(const ModelQuery& query);
    [[nodiscard]] std::size_t loaded() const { return models_.size(); }

    /// Forgets all models where the process occupies more memory than it may; whether it did.
    bool keep_within_limit();

private:
    struct OpenFile {
        Workspace workspace;
        std::filesystem::path path;
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t version = 0;
    };
    struct Loaded {
        ModelQuery query;
        ModelRecord record;
        QueriedModel model;
    };

    /// After another process has changed the workspace.
    [[nodiscard]] Result<void> take_changes();

    const LearningDomains& domains_;
    ResidentLimits limits_;
    std::optional<OpenFile> open_; ///< before the models, which use it
    std::deque<Loaded> models_;    ///< the one that was asked last is the first
};

} // namespace sparsight
