// Source files as the tests of the layers read them.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight::testing {

struct Include {
    int line = 0; ///< from 1
    std::string header;
    bool is_quoted = false;
};

inline std::vector<Include> includes_of(const std::string& text) {
    static const std::regex include_line(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::vector<Include> found;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
        if (std::smatch match; std::regex_search(line, match, include_line))
            found.push_back({number, match[2], match[1] == "\""});
    return found;
}

/// "matrix" of "domains/sparse/tensor/pattern.h"; empty for a name without a folder.
inline std::string first_folder(std::string_view path) {
    const std::size_t slash = path.find('/');
    return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct SourceFile {
    std::string path; ///< relative to the folder that was searched
    std::string text;
};

/// All headers and sources below a folder.
inline std::vector<SourceFile> source_files(const std::filesystem::path& folder) {
    std::vector<SourceFile> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (const std::string extension = entry.path().extension();
            entry.is_regular_file() && (extension == ".h" || extension == ".cpp"))
            files.push_back(
                {entry.path().lexically_relative(folder).generic_string(), content_of(entry.path())});
    return files;
}

} // namespace sparsight::testing
