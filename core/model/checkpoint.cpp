#include "model/checkpoint.h"

#include "base/atomic_file.h"
#include "base/regular_file.h"
#include "model/network_parameters.h"
#include "model/tensor_archive.h"

#include <fstream>
#include <iterator>

namespace sparsight {
namespace {

constexpr ArchiveKind kind{"SPSMODEL", 1, "model"};
// A network of ours has 2 MB; nothing that is read as one may fill the memory.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

} // namespace

std::vector<std::byte> checkpoint_bytes(const Checkpoint& checkpoint) {
    return archive_bytes(kind, {to_json(checkpoint.model), checkpoint.weights, checkpoint.trees});
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
    auto matched = match_by_name(std::move(archive->arrays), parameter_shapes(*network));
    if (!matched)
        return std::unexpected(std::move(matched).error());
    checkpoint.weights = *std::move(matched);
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
