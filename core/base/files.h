// What a file may be that is read from its beginning to its end.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sparsight {

/// Nothing is opened for it: opening a pipe waits for a writer, and opening a device may do anything. Errors
/// (Environment, without the path) say what there is instead of a file: nothing, a folder, a pipe, a device.
[[nodiscard]] Result<void> require_regular_file(const std::filesystem::path& path);

// Writing a file so that it is there as a whole or not at all.

/// A new file beside the one it will replace. Until commit() the old file stays as it is; without a commit,
/// or when anything fails (disk full, no permission), the new one vanishes. What is no regular file (a pipe,
/// a device) is written into instead (opening a pipe waits
/// for its reader). Errors carry the path and are of Fault::Environment.
class AtomicFile {
public:
    [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) = delete;
    ~AtomicFile();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Sees to it that the bytes are on the disk, then puts the file in its place.
    [[nodiscard]] Result<void> commit();

private:
    AtomicFile(std::filesystem::path path, std::string temporary, int descriptor);
    [[nodiscard]] std::unexpected<Error> failure(std::string_view what) const;
    void discard() noexcept;

    std::filesystem::path path_;
    std::string temporary_; ///< empty once there is nothing to remove
    int descriptor_ = -1;
};

/// A file with these bytes and nothing else.
[[nodiscard]] Result<void> write_whole_file(const std::filesystem::path& path, std::string_view bytes);

} // namespace sparsight
