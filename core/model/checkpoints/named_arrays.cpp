#include "model/checkpoints/named_arrays.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace sparsight {
namespace {

std::string shape_text(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

} // namespace

Result<std::vector<NamedArray>> match_by_name(std::vector<NamedArray> arrays,
                                              std::span<const NamedShape> shapes) {
    std::vector<std::string> defects;
    std::vector<NamedArray> matched;
    for (const NamedShape& shape : shapes) {
        const auto found = std::ranges::find(arrays, shape.name, &NamedArray::name);
        if (found == arrays.end()) {
            defects.push_back(fmt::format("{} is missing", shape.name));
            continue;
        }
        if (found->shape != shape.shape)
            defects.push_back(fmt::format("{} is {}, expected {}", shape.name, shape_text(found->shape),
                                          shape_text(shape.shape)));
        matched.push_back(std::move(*found));
        arrays.erase(found);
    }
    for (const NamedArray& array : arrays)
        defects.push_back(fmt::format("{} does not belong to the network", array.name));
    if (!defects.empty())
        return fail(Fault::Input,
                    fmt::format("these tensors do not fit the network: {}", fmt::join(defects, "; ")));
    return matched;
}

namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little);

constexpr std::size_t version_at = 8;
constexpr std::size_t checksum_at = 12;
constexpr std::size_t checked_from = 16;
constexpr std::size_t json_at = 24;

template <typename Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(Number));
}

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof(Number));
    return number;
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::unexpected<Error> archive_defect(std::string_view what) {
    return fail(Fault::Input, fmt::format("its list of tensors {}", what));
}

/// Takes the numbers off the front of `numbers`.
Result<NamedArray> read_array(const Json& tensor, std::string_view& numbers) {
    NamedArray array{
        tensor.at("name").get<std::string>(), tensor.at("shape").get<std::vector<std::int64_t>>(), {}};
    std::uint64_t count = 1;
    for (const std::int64_t extent : array.shape)
        if (extent < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count))
            return archive_defect("has a shape that cannot be");
    if (count > numbers.size() / sizeof(float))
        return archive_defect("promises more numbers than there are");
    array.values.resize(static_cast<std::size_t>(count));
    const std::size_t bytes = array.values.size() * sizeof(float);
    if (bytes > 0)
        std::memcpy(array.values.data(), numbers.data(), bytes);
    numbers.remove_prefix(bytes);
    return array;
}

Result<TensorArchive> read_contents(std::string_view text, std::string_view numbers) {
    TensorArchive archive;
    try {
        Json json = Json::parse(text);
        for (const Json& tensor : json.at("tensors")) {
            auto array = read_array(tensor, numbers);
            if (!array)
                return std::unexpected(std::move(array).error());
            archive.arrays.push_back(*std::move(array));
        }
        json.erase("tensors");
        archive.json = json.dump();
    } catch (const nlohmann::json::exception&) {
        return archive_defect("is not what was expected");
    }
    archive.rest = numbers;
    return archive;
}

} // namespace

std::vector<std::byte> archive_bytes(const ArchiveKind& kind, const TensorArchive& archive) {
    Json json = Json::parse(archive.json);
    Json tensors = Json::array();
    for (const NamedArray& array : archive.arrays)
        tensors.push_back({{"name", array.name}, {"shape", array.shape}});
    json["tensors"] = std::move(tensors);
    const std::string text = json.dump();

    std::string checked;
    append(checked, static_cast<std::uint64_t>(text.size()));
    checked += text;
    for (const NamedArray& array : archive.arrays)
        checked.append(reinterpret_cast<const char*>(array.values.data()),
                       array.values.size() * sizeof(float));
    checked += archive.rest;

    std::string bytes(kind.magic);
    append(bytes, kind.version);
    append(bytes, checksum(checked));
    bytes += checked;
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

Result<TensorArchive> parse_archive(const ArchiveKind& kind, std::span<const std::byte> raw) {
    const std::string_view bytes(reinterpret_cast<const char*>(raw.data()), raw.size());
    if (!bytes.starts_with(kind.magic))
        return fail(Fault::Input, fmt::format("is no {} of Sparsight", kind.noun));
    if (bytes.size() < json_at)
        return fail(Fault::Input, "breaks off");
    if (const auto version = number_at<std::uint32_t>(bytes, version_at); version != kind.version)
        return fail(Fault::Input,
                    fmt::format("is a {} in format {}, which this version of Sparsight does not know; "
                                "it reads format {}",
                                kind.noun, version, kind.version));
    if (checksum(bytes.substr(checked_from)) != number_at<std::uint32_t>(bytes, checksum_at))
        return fail(Fault::Input, "is damaged or breaks off: its checksum is wrong");
    const auto size = number_at<std::uint64_t>(bytes, checked_from);
    if (size > bytes.size() - json_at)
        return fail(Fault::Input, "breaks off");
    const auto json_size = static_cast<std::size_t>(size);
    return read_contents(bytes.substr(json_at, json_size), bytes.substr(json_at + json_size));
}

} // namespace sparsight
