// Regular files: checking that a path names one, and replacing one as a whole, so that a reader never sees
// half of it.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sparsight {

/// Does not open the path: opening a pipe waits for a writer, and opening a device may do anything. Errors
/// (Environment, without the path) say what is there instead of a file: nothing, a folder, a pipe, a device.
[[nodiscard]] Result<void> require_regular_file(const std::filesystem::path& path);

/// The bytes of a regular file. Errors (Environment) name it: those of require_regular_file(); it can't be
/// read. One that is larger than `most` is an error of Fault::Limit.
[[nodiscard]] Result<std::string> read_whole_file(const std::filesystem::path& path,
                                                  std::uint64_t most = std::uint64_t{1} << 30);

/// A new file beside the one it will replace. Until commit() the old file stays as it is; without a commit,
/// or when anything fails (disk full, no permission), the new one is removed. What is not a regular file (a
/// pipe, a device) is written to directly (opening a pipe waits for its reader). Errors carry the path and
/// are of Fault::Environment.
class AtomicFile {
public:
    [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) = delete;
    ~AtomicFile();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Flushes the bytes to the disk, then renames the file into its place.
    [[nodiscard]] Result<void> commit();

private:
    AtomicFile(std::filesystem::path path, std::string temporary, int descriptor);
    [[nodiscard]] std::unexpected<Error> failure(std::string_view what) const;
    void discard() noexcept;

    std::filesystem::path path_;
    std::string temporary_; ///< empty once there is nothing to remove
    int descriptor_ = -1;
};

/// Whether there is a file of this name, or what can't be read as one (a pipe, a device); otherwise the text
/// is the name of something else.
[[nodiscard]] bool names_file(const std::string& text);

/// A file with these bytes and nothing else.
[[nodiscard]] Result<void> write_whole_file(const std::filesystem::path& path, std::string_view bytes);

} // namespace sparsight
