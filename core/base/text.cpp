#include "base/text.h"

#include <algorithm>
#include <cctype>

namespace sparsight {

bool begins_with(std::string_view text, std::string_view beginning) {
    const auto small = [](unsigned char letter) { return std::tolower(letter); };
    return text.size() >= beginning.size() &&
           std::ranges::equal(text.substr(0, beginning.size()), beginning, {}, small, small);
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text) {
        if (letter == '"')
            quoted += '"';
        quoted += letter;
    }
    return quoted + '"';
}

bool split_csv_line(std::string_view line, std::vector<std::string>& fields) {
    std::size_t count = 0;
    for (std::size_t at = 0;; ++at) {
        if (count == fields.size())
            fields.emplace_back();
        std::string& field = fields[count++];
        if (at < line.size() && line[at] == '"') {
            field.clear();
            for (++at;; ++at) {
                if (at == line.size())
                    return false;
                if (line[at] == '"' && (++at == line.size() || line[at] != '"'))
                    break;
                field += line[at];
            }
        } else {
            const std::size_t end = std::min(line.find(',', at), line.size());
            field.assign(line.substr(at, end - at));
            if (field.contains('"')) // such as the end of a field that began on the line before
                return false;
            at = end;
        }
        if (at == line.size())
            break;
        if (line[at] != ',')
            return false;
    }
    fields.resize(count);
    return true;
}

} // namespace sparsight
