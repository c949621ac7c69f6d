// Which matrices a folder of WACO's form names, in its lists and by its files.
#pragma once

#include "base/error.h"
#include "store/splits.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct WacoListing {
    std::vector<std::string>
        names; ///< each once: as the lists have them, then those that only have a NAME.txt
    std::array<std::vector<std::string>, all_split_parts.size()> parts; ///< by SplitPart
    bool has_lists = false;
};

/// Lines that name no matrix become problems. Errors: no such folder, nothing in it.
[[nodiscard]] Result<WacoListing> list_waco_folder(const std::filesystem::path& folder,
                                                   std::vector<Error>& problems);

/// Whether a matrix's name can be a file's name in such a folder: not a path, not one of the four lists.
[[nodiscard]] bool is_waco_name(std::string_view name);

/// Calls `take(line, number)` for each line that is not blank, without the white space around it; false when
/// the file can't be read to its end.
[[nodiscard]] bool for_each_line(const std::filesystem::path& path,
                                 const std::function<void(std::string_view line, std::int64_t number)>& take);

} // namespace sparsight
