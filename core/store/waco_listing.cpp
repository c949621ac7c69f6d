#include "store/waco_listing.h"

#include "base/regular_file.h"
#include "base/trimmed.h"

#include <fmt/format.h>
#include <fstream>
#include <set>
#include <system_error>

namespace sparsight {

namespace {

class FolderReader {
public:
    FolderReader(const std::filesystem::path& folder, std::vector<Error>& problems)
        : folder_(folder)
        , problems_(problems) {}

    Result<WacoListing> read() {
        for (const SplitPart part : all_split_parts)
            read_list(part);
        std::error_code error;
        std::set<std::string> others;
        for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
             entry.increment(error))
            if (const auto& path = entry->path();
                path.extension() == ".txt" && is_waco_name(path.stem().string()))
                others.insert(path.stem().string());
        if (error)
            return fail_in_file(Fault::Environment, folder_.string(), 0,
                                fmt::format("this folder can't be read: {}", error.message()));
        for (const std::string& name : others)
            mention(name);
        if (content_.names.empty())
            return fail_in_file(
                Fault::Input, folder_.string(), 0,
                "there is no list of matrices (total.txt …) and no NAME.txt with runtimes here");
        return std::move(content_);
    }

private:
    void mention(const std::string& name) {
        if (mentioned_.insert(name).second)
            content_.names.push_back(name);
    }

    void read_list(SplitPart part) {
        const auto path = folder_ / fmt::format("{}.txt", name(part));
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            return;
        content_.has_lists = true;
        const bool whole = for_each_line(path, [&](std::string_view line, std::int64_t number) {
            if (!is_waco_name(line)) {
                problems_.push_back({Fault::Input,
                                     fmt::format("\"{}\" can't be the name of a matrix", line.substr(0, 60)),
                                     path.string(), number});
                return;
            }
            mention(std::string(line));
            content_.parts[static_cast<std::size_t>(part)].emplace_back(line);
        });
        if (!whole)
            problems_.push_back({Fault::Environment, "this list can't be read", path.string(), 0});
    }

    const std::filesystem::path& folder_;
    std::vector<Error>& problems_;
    WacoListing content_;
    std::set<std::string> mentioned_;
};

} // namespace

Result<WacoListing> list_waco_folder(const std::filesystem::path& folder, std::vector<Error>& problems) {
    return FolderReader(folder, problems).read();
}

bool is_waco_name(std::string_view matrix) {
    for (const SplitPart part : all_split_parts)
        if (matrix == name(part))
            return false;
    return !matrix.empty() && matrix != "." && matrix != ".." && matrix.size() <= 200 &&
           matrix.find_first_of(std::string_view("/\\\0\n\r", 5)) == std::string_view::npos;
}

bool for_each_line(const std::filesystem::path& path,
                   const std::function<void(std::string_view line, std::int64_t number)>& take) {
    if (!require_regular_file(path))
        return false;
    std::ifstream file(path);
    std::string line;
    for (std::int64_t number = 1; std::getline(file, line); ++number)
        if (const std::string_view content = trimmed(line); !content.empty())
            take(content, number);
    return file.eof() && !file.bad();
}

} // namespace sparsight
