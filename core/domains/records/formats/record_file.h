// A file of tuning records before its format is known: plain, compressed, or in an archive.
#pragma once

#include "base/error.h"
#include "base/reading/byte_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sparsight {

/// It can be opened again and again: some formats say at their end what is needed from their beginning on.
class RecordFile {
public:
    [[nodiscard]] static RecordFile at(std::filesystem::path path);
    /// `text` must outlive what is opened; `name` stands in messages where a file's path would.
    [[nodiscard]] static RecordFile of_text(std::string name, std::string_view text);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// From the beginning. Errors, with the file: as of open_unpacked().
    [[nodiscard]] Result<std::unique_ptr<ByteSource>> open() const;

private:
    std::string name_;
    std::string_view text_;
    bool is_text_ = false;
};

} // namespace sparsight
