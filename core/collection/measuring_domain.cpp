#include "collection/measuring_domain.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

namespace sparsight {

Result<WrittenConfiguration> MeasuringDomain::written(const Setting& setting, std::string_view text,
                                                      int threads) const {
    auto written = domain().written(setting, text);
    if (written)
        written->threads = stored_threads(threads);
    return written;
}

Result<void> MeasuringDomain::check_sampler(std::string_view sampler) const {
    const auto known = samplers();
    if (std::ranges::find(known, sampler) != known.end())
        return {};
    return fail(Fault::Input,
                fmt::format("'{}' is no sampler: expected {}", sampler, fmt::join(known, " or ")));
}

Result<std::vector<WrittenConfiguration>> MeasuringDomain::sample(std::string_view sampler,
                                                                  const SpaceRequest& request,
                                                                  std::size_t count, int threads,
                                                                  Random& random) const {
    if (auto known = check_sampler(sampler); !known)
        return std::unexpected(std::move(known).error());
    const auto space = domain().space(request);
    const auto codec = domain().codec(request.setting);
    if (!space || !codec)
        return std::unexpected(space ? codec.error() : space.error());
    std::vector<WrittenConfiguration> drawn;
    for (const Configuration& configuration : (*space)->sample(count, random)) {
        auto each = written(request.setting, (*codec)->text(configuration, threads), threads);
        if (!each)
            return std::unexpected(std::move(each).error());
        drawn.push_back(*std::move(each));
    }
    return drawn;
}

Result<std::vector<std::string>> MeasuringDomain::read_list(const Setting& setting,
                                                            const std::filesystem::path& file) const {
    std::ifstream lines(file);
    if (!lines)
        return fail_in_file(Fault::Environment, file.string(), 0, "the file can't be read");
    std::vector<std::string> texts;
    std::int64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::string_view text = trimmed(line);
        if (text.empty())
            continue;
        if (const auto known = domain().written(setting, text); !known)
            return fail_in_file(Fault::Input, file.string(), number, known.error().message);
        texts.emplace_back(text);
    }
    return texts;
}

std::vector<const MeasuringDomain*> MeasuringDomains::all() const {
    std::vector<const MeasuringDomain*> all;
    for (const auto& each : domains_)
        all.push_back(each.get());
    return all;
}

const MeasuringDomain* MeasuringDomains::find(std::string_view domain) const {
    for (const auto& each : domains_)
        if (each->domain().name() == domain)
            return each.get();
    return nullptr;
}

Result<const MeasuringDomain*> MeasuringDomains::require(std::string_view domain) const {
    if (const MeasuringDomain* const found = find(domain))
        return found;
    return fail(Fault::Input,
                fmt::format("{} can't be measured on this computer: their times are imported", domain));
}

} // namespace sparsight
