#include "model/checkpoint.h"

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "model/network_parameters.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <zlib.h>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "SPSMODEL";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t version_at = 8;
constexpr std::size_t checksum_at = 12;
constexpr std::size_t checked_from = 16;
constexpr std::size_t json_at = 24;
// A network of ours has 2 MB; nothing that is read as one may fill the memory.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

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

std::string encode(const Checkpoint& checkpoint) {
    Json json = Json::parse(to_json(checkpoint.model));
    Json tensors = Json::array();
    for (const NamedArray& array : checkpoint.weights)
        tensors.push_back({{"name", array.name}, {"shape", array.shape}});
    json["tensors"] = std::move(tensors);
    const std::string text = json.dump();

    std::string checked;
    append(checked, static_cast<std::uint64_t>(text.size()));
    checked += text;
    for (const NamedArray& array : checkpoint.weights)
        checked.append(reinterpret_cast<const char*>(array.values.data()),
                       array.values.size() * sizeof(float));
    checked += checkpoint.trees;

    std::string bytes(magic);
    append(bytes, format_version);
    append(bytes, checksum(checked));
    return bytes + checked;
}

/// The JSON and what follows it.
struct Parts {
    std::string_view json;
    std::string_view numbers;
};

Result<Parts> take_apart(std::string_view bytes) {
    if (!bytes.starts_with(magic))
        return fail(Fault::Input, "is no model of Sparsight");
    if (bytes.size() < json_at)
        return fail(Fault::Input, "breaks off");
    if (const auto version = number_at<std::uint32_t>(bytes, version_at); version != format_version)
        return fail(Fault::Input, fmt::format("is a model in format {}, which this version of Sparsight does "
                                              "not know; it reads format {}",
                                              version, format_version));
    if (checksum(bytes.substr(checked_from)) != number_at<std::uint32_t>(bytes, checksum_at))
        return fail(Fault::Input, "is damaged or breaks off: its checksum is wrong");
    const auto size = number_at<std::uint64_t>(bytes, checked_from);
    if (size > bytes.size() - json_at)
        return fail(Fault::Input, "breaks off");
    const auto json_size = static_cast<std::size_t>(size);
    return Parts{bytes.substr(json_at, json_size), bytes.substr(json_at + json_size)};
}

Result<std::vector<NamedArray>> read_tensors(const Json& tensors, std::string_view numbers) {
    const auto defect = [](std::string_view what) {
        return fail(Fault::Input, fmt::format("its list of tensors {}", what));
    };
    std::vector<NamedArray> arrays;
    try {
        for (const Json& tensor : tensors) {
            NamedArray array{tensor.at("name").get<std::string>(),
                             tensor.at("shape").get<std::vector<std::int64_t>>(),
                             {}};
            std::uint64_t count = 1;
            for (const std::int64_t extent : array.shape)
                if (extent < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count))
                    return defect("has a shape that cannot be");
            if (count > numbers.size() / sizeof(float))
                return defect("promises more numbers than there are");
            array.values.resize(static_cast<std::size_t>(count));
            std::memcpy(array.values.data(), numbers.data(), array.values.size() * sizeof(float));
            numbers.remove_prefix(array.values.size() * sizeof(float));
            arrays.push_back(std::move(array));
        }
    } catch (const nlohmann::json::exception&) {
        return defect("is not what was expected");
    }
    if (!numbers.empty())
        return defect("promises fewer numbers than there are");
    return arrays;
}

Result<Checkpoint> decode(std::string_view bytes) {
    const Result<Parts> parts = take_apart(bytes);
    if (!parts)
        return std::unexpected(parts.error());
    Result<ModelDescription> model = parse_model_description(parts->json);
    if (!model)
        return std::unexpected(model.error());
    Checkpoint checkpoint{*std::move(model), {}, {}};
    const auto* network = std::get_if<NetworkDescription>(&checkpoint.model.architecture);
    if (network == nullptr) {
        checkpoint.trees = parts->numbers;
        return checkpoint;
    }
    const Json json = Json::parse(parts->json);
    Result<std::vector<NamedArray>> arrays =
        read_tensors(json.value("tensors", Json::array()), parts->numbers);
    if (!arrays)
        return std::unexpected(arrays.error());
    Result<std::vector<NamedArray>> matched = match_by_name(*std::move(arrays), parameter_shapes(*network));
    if (!matched)
        return std::unexpected(matched.error());
    checkpoint.weights = *std::move(matched);
    return checkpoint;
}

} // namespace

std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint) {
    const std::string bytes = encode(checkpoint);
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes) {
    return decode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    return write_whole_file(path, encode(checkpoint));
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
    const auto in_file = [&](const Error& error) {
        return fail_in_file(error.fault, path.string(), 0, error.message);
    };
    if (const auto regular = require_regular_file(path); !regular)
        return in_file(regular.error());
    std::error_code code;
    if (std::filesystem::file_size(path, code) > largest_file && !code)
        return fail_in_file(Fault::Limit, path.string(), 0, "is larger than 1 GiB, more than any model has");
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad())
        return fail_in_file(Fault::Environment, path.string(), 0, "cannot be read");
    Result<Checkpoint> checkpoint = decode(bytes);
    if (!checkpoint)
        return in_file(checkpoint.error());
    return checkpoint;
}

} // namespace sparsight
