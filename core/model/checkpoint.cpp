#include "model/checkpoint.h"

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "model/network_parameters.h"
#include "model/tensor_archive.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace sparsight {
namespace {

constexpr ArchiveKind kind{"SPSMODEL", 1, "model"};
const std::string rate_prefix = "inner rate of ";
// A network of ours has 2 MB; nothing that is read as one may fill the memory.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

} // namespace

std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint) {
    std::vector<NamedArray> arrays = checkpoint.weights;
    for (NamedArray rate : checkpoint.rates) {
        rate.name = rate_prefix + rate.name;
        arrays.push_back(std::move(rate));
    }
    return archive_bytes(kind, {to_json(checkpoint.model), std::move(arrays), checkpoint.trees});
}

Result<Checkpoint> parse_checkpoint(std::span<const std::byte> bytes) {
    auto archive = parse_archive(kind, bytes);
    if (!archive)
        return std::unexpected(std::move(archive).error());
    Result<ModelDescription> model = parse_model_description(archive->json);
    if (!model)
        return std::unexpected(model.error());
    Checkpoint checkpoint{*std::move(model), {}, {}};
    const auto* network = std::get_if<NetworkDescription>(&checkpoint.model.architecture);
    if (network == nullptr) {
        checkpoint.trees = std::move(archive->rest);
        return checkpoint;
    }
    if (!archive->rest.empty())
        return fail(Fault::Input, "its list of tensors promises fewer numbers than there are");
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates;
    for (NamedArray& array : archive->arrays) {
        const bool is_rate = array.name.starts_with(rate_prefix);
        if (is_rate)
            array.name.erase(0, rate_prefix.size());
        (is_rate ? rates : weights).push_back(std::move(array));
    }
    const auto shapes = parameter_shapes(*network);
    auto matched = match_by_name(std::move(weights), shapes);
    if (!matched)
        return std::unexpected(std::move(matched).error());
    checkpoint.weights = *std::move(matched);
    if (rates.empty())
        return checkpoint;
    auto matched_rates = match_by_name(std::move(rates), shapes);
    if (!matched_rates)
        return std::unexpected(std::move(matched_rates).error());
    checkpoint.rates = *std::move(matched_rates);
    return checkpoint;
}

Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const std::vector<std::byte> bytes = checkpoint_bytes(checkpoint);
    return write_whole_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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
    Result<Checkpoint> checkpoint = parse_checkpoint(std::as_bytes(std::span(bytes)));
    if (!checkpoint)
        return in_file(checkpoint.error());
    return checkpoint;
}

} // namespace sparsight
