// The workloads of a workspace: data of any domain, which only that domain can read, and their splits. A
// workload may be known by its name alone, when only its runtimes were imported.
#pragma once

#include "base/error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

enum class WorkloadId : std::int64_t {};

/// Where the data of a workload is.
enum class PayloadPlace {
    Unknown,   ///< the workload is known by its name alone
    Workspace, ///< in the workspace
    File,      ///< in WorkloadRecord::file
};

/// What is known about a workload beside its data.
struct WorkloadFacts {
    std::string facts = "{}"; ///< JSON object, in the domain's words: of a matrix rows, cols and nnz
    std::string source;       ///< its origin, for the user: a path, or a generator with its parameters
    std::string content_hash; ///< the domain's; equal data have equal ones. Empty while the data is unknown

    bool operator==(const WorkloadFacts&) const = default;
};

struct WorkloadRecord {
    WorkloadId id{};
    std::string domain;
    std::string name; ///< unique in its domain
    WorkloadFacts known;
    std::string statistics; ///< JSON; empty until set_statistics
    PayloadPlace payload = PayloadPlace::Unknown;
    std::string file;
    std::string added; ///< UTC, ISO 8601

    bool operator==(const WorkloadRecord&) const = default;
};

/// Those of its facts that are numbers, by name: what Domain::space() is told.
[[nodiscard]] std::map<std::string, double, std::less<>> numeric_facts(const WorkloadRecord& workload);

/// Adds a name without data; returns the id of the workload of this name, if there is one.
[[nodiscard]] Result<WorkloadId> add_workload_name(Workspace& workspace, std::string_view domain,
                                                   std::string_view name, std::string_view source);

/// Replaces what is known about a workload.
[[nodiscard]] Result<void> describe_workload(Workspace& workspace, WorkloadId workload,
                                             const WorkloadFacts& known);

/// In the order in which they were added.
[[nodiscard]] Result<std::vector<WorkloadRecord>> list_workloads(Workspace& workspace,
                                                                 std::string_view domain);
[[nodiscard]] Result<std::optional<WorkloadRecord>>
find_workload(Workspace& workspace, std::string_view domain, std::string_view name);
[[nodiscard]] Result<std::optional<WorkloadRecord>> find_workload(Workspace& workspace, WorkloadId workload);

/// Of all domains.
[[nodiscard]] Result<std::map<WorkloadId, std::string>> workload_names(Workspace& workspace);

[[nodiscard]] Result<void> set_statistics(Workspace& workspace, WorkloadId workload, std::string_view json);

/// Removes a workload with its measurements and its places in splits.
[[nodiscard]] Result<void> remove_workload(Workspace& workspace, WorkloadId workload);

/// A named part of the data of a workload: of a matrix "structure", and "values" where they are not all 1.
struct PayloadPart {
    std::string name;
    std::vector<std::byte> content;
};

/// Stores the data of a workload in the workspace, instead of what there was.
[[nodiscard]] Result<void> store_payload(Workspace& workspace, WorkloadId workload,
                                         std::span<const PayloadPart> parts);
/// Says that the data of a workload is in a file, which the domain can read.
[[nodiscard]] Result<void> refer_to_payload(Workspace& workspace, WorkloadId workload,
                                            const std::filesystem::path& file);
/// The parts that are in the workspace, by their names' order; none where they are not.
[[nodiscard]] Result<std::vector<PayloadPart>> load_payload(Workspace& workspace, WorkloadId workload);

/// WACO's four lists of a split: matrices to train on, to validate with and to test with, and Total with all
/// of them in an order of its own.
enum class SplitPart { Total, Train, Validation, Test };
inline constexpr std::array all_split_parts{SplitPart::Total, SplitPart::Train, SplitPart::Validation,
                                            SplitPart::Test};

/// "total", "train", "validation", "test".
[[nodiscard]] std::string_view name(SplitPart part);

struct Split {
    std::string name;
    std::array<std::vector<WorkloadId>, all_split_parts.size()> parts;

    [[nodiscard]] std::vector<WorkloadId>& operator[](SplitPart part) {
        return parts[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const std::vector<WorkloadId>& operator[](SplitPart part) const {
        return parts[static_cast<std::size_t>(part)];
    }
    bool operator==(const Split&) const = default;
};

/// Saves a split with its order, replacing the split of this name.
[[nodiscard]] Result<void> save_split(Workspace& workspace, const Split& split);
[[nodiscard]] Result<std::optional<Split>> find_split(Workspace& workspace, std::string_view name);
/// The oldest first; with a domain those of its workloads.
[[nodiscard]] Result<std::vector<std::string>> split_names(Workspace& workspace,
                                                           std::optional<std::string_view> domain = {});

} // namespace sparsight
