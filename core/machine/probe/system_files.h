// The small text files in which Linux tells about the machine (/proc, /sys), below a root that tests can
// choose. What is missing or malformed is unknown, never an error: containers and virtual machines hide what
// they like.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class SystemFiles {
public:
    explicit SystemFiles(std::filesystem::path root)
        : root_(std::move(root)) {}

    /// The file's text, at most 4 MiB of it, without white space at its end; unknown when it can't be read.
    [[nodiscard]] std::optional<std::string> text(const std::filesystem::path& file) const;
    /// A file that holds one whole number and nothing else.
    [[nodiscard]] std::optional<std::int64_t> number(const std::filesystem::path& file) const;
    /// A size as caches state it: "32K", "1M", or bytes.
    [[nodiscard]] std::optional<std::uint64_t> size(const std::filesystem::path& file) const;
    /// A list of processors: "0-3,8", ascending.
    [[nodiscard]] std::optional<std::vector<int>> processors(const std::filesystem::path& file) const;
    /// Names of the files and folders in a folder, sorted; empty when there is no such folder.
    [[nodiscard]] std::vector<std::string> names(const std::filesystem::path& folder) const;

private:
    std::filesystem::path root_;
};

/// "0-3,8" → {0, 1, 2, 3, 8}; unknown when it is anything else or a number exceeds 65535.
[[nodiscard]] std::optional<std::vector<int>> parse_processor_list(std::string_view text);

} // namespace sparsight
