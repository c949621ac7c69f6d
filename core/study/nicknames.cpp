#include "study/nicknames.h"

#include <algorithm>
#include <map>

namespace sparsight {

std::vector<std::string> nicknames(const ConfigurationCodec& codec,
                                   std::span<const ParsedConfiguration> configurations) {
    const auto* const naming = dynamic_cast<const NicknamingCodec*>(&codec);
    return naming == nullptr ? std::vector<std::string>(configurations.size())
                             : naming->nicknames(configurations);
}

std::vector<std::string> nicknames(const Domain& domain, const Setting& setting,
                                   std::span<const std::string> texts) {
    std::vector<std::string> names(texts.size());
    const auto codec = domain.codec(setting);
    if (!codec)
        return names;
    // Lists of results have the same configuration many times.
    std::map<std::string_view, std::size_t> places;
    std::vector<ParsedConfiguration> configurations;
    for (const std::string& text : texts)
        if (!places.contains(text))
            if (auto parsed = (*codec)->parse(text)) {
                places.emplace(text, configurations.size());
                configurations.push_back(*std::move(parsed));
            }
    const std::vector<std::string> distinct = nicknames(**codec, configurations);
    std::ranges::transform(texts, names.begin(), [&](const std::string& text) {
        const auto place = places.find(text);
        return place == places.end() ? std::string() : distinct[place->second];
    });
    return names;
}

} // namespace sparsight
