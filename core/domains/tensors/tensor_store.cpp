#include "domains/tensors/tensor_store.h"

#include "base/content_hash.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/pattern_codec.h"
#include "domains/tensors/tensor_statistics.h"
#include "store/workspace.h"

#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

// The parts of a payload: the coordinates of a mode, from "mode_1", and "values" where they are not all 1.
constexpr const char* values_part = "values";
std::string mode_part(std::size_t mode) {
    return fmt::format("mode_{}", mode + 1);
}

template <typename Value>
Result<PayloadPart> packed_part(std::string name, const std::vector<Value>& values) {
    auto packed = compress_bytes(std::as_bytes(std::span(values)));
    if (!packed)
        return std::unexpected(std::move(packed).error());
    return PayloadPart{std::move(name), *std::move(packed)};
}

Result<std::vector<PayloadPart>> packed(const SparseTensor& tensor) {
    std::vector<PayloadPart> parts;
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        auto part = packed_part(mode_part(mode), tensor.coordinates[mode]);
        if (!part)
            return std::unexpected(std::move(part).error());
        parts.push_back(*std::move(part));
    }
    if (tensor.has_values()) {
        auto part = packed_part(values_part, tensor.values);
        if (!part)
            return std::unexpected(std::move(part).error());
        parts.push_back(*std::move(part));
    }
    return parts;
}

template <typename Value>
Result<std::vector<Value>> unpacked(std::span<const std::byte> part, std::size_t count) {
    const auto bytes = decompress_bytes(part, count * sizeof(Value));
    if (!bytes)
        return std::unexpected(bytes.error());
    if (bytes->size() != count * sizeof(Value))
        return fail(Fault::Input,
                    fmt::format("a part has {} bytes, expected {}", bytes->size(), count * sizeof(Value)));
    std::vector<Value> values(count);
    if (count > 0)
        std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

std::string facts_text(const SparseTensor& tensor) {
    Json facts = Json::object();
    for (std::size_t mode = 0; mode < tensor.order(); ++mode)
        facts[fmt::format("size_{}", mode + 1)] = tensor.sizes[mode];
    facts["nnz"] = tensor.nnz();
    return facts.dump();
}

Result<SparseTensor> tensor_of(const WorkloadRecord& workload, const std::vector<PayloadPart>& parts) {
    const auto facts = numeric_facts(workload);
    const auto nnz = facts.find("nnz");
    if (nnz == facts.end() || nnz->second < 0)
        return fail(Fault::Input, "the number of its entries is missing");
    const auto count = static_cast<std::size_t>(nnz->second);
    std::map<std::string, std::span<const std::byte>, std::less<>> by_name;
    for (const PayloadPart& part : parts)
        by_name.emplace(part.name, part.content);
    SparseTensor tensor;
    for (std::size_t mode = 0; mode < most_tensor_order; ++mode) {
        const auto part = by_name.find(mode_part(mode));
        const auto size = facts.find(fmt::format("size_{}", mode + 1));
        if (part == by_name.end() || size == facts.end())
            break;
        auto coordinates = unpacked<std::int32_t>(part->second, count);
        if (!coordinates)
            return std::unexpected(std::move(coordinates).error());
        tensor.sizes.push_back(static_cast<std::int64_t>(size->second));
        tensor.coordinates.push_back(*std::move(coordinates));
    }
    if (const auto part = by_name.find(values_part); part != by_name.end()) {
        auto values = unpacked<float>(part->second, count);
        if (!values)
            return std::unexpected(std::move(values).error());
        tensor.values = *std::move(values);
    }
    if (!is_well_formed(tensor))
        return fail(Fault::Input, "its entries are no sparse tensor of order 3 or 4");
    return tensor;
}

std::string statistics_text(std::span<const double> numbers) {
    Json json = Json::object();
    for (std::size_t at = 0; at < numbers.size(); ++at)
        json[tensor_statistics()[at].name] = numbers[at];
    return json.dump();
}

std::optional<std::vector<double>> parsed_statistics(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    std::vector<double> numbers;
    for (const StatisticDescription& each : tensor_statistics()) {
        if (!json.is_object() || !json.contains(each.name) || !json[each.name].is_number())
            return std::nullopt; // of another version
        numbers.push_back(json[each.name].get<double>());
    }
    return numbers;
}

} // namespace

std::string content_hash(const SparseTensor& tensor) {
    Fnv1a128 hash;
    hash.add(std::span<const std::int64_t>(tensor.sizes));
    for (const std::vector<std::int32_t>& mode : tensor.coordinates)
        hash.add(std::span<const std::int32_t>(mode));
    hash.add(std::span<const float>(tensor.values));
    return hash.text();
}

Result<AddedTensor> add_tensor(Workspace& workspace, const std::string& name, const std::string& source,
                               const SparseTensor& tensor) {
    const std::string hash = content_hash(tensor);
    AddedTensor added;
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto known = find_workload(workspace, tensors_domain, name);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->payload != PayloadPlace::Unknown) {
            added = {(*known)->id, true};
            if ((*known)->known.content_hash == hash)
                return {};
            return fail(Fault::Input, fmt::format("another tensor is called {} already ({})", name,
                                                  (*known)->known.source));
        }
        const auto id = add_workload_name(workspace, tensors_domain, name, source);
        if (!id)
            return std::unexpected(id.error());
        added.id = *id;
        if (auto described = describe_workload(workspace, *id, {facts_text(tensor), source, hash});
            !described)
            return described;
        const auto parts = packed(tensor);
        if (!parts)
            return std::unexpected(parts.error());
        return store_payload(workspace, *id, *parts);
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    return added;
}

Result<SparseTensor> load_tensor(Workspace& workspace, const WorkloadRecord& workload) {
    const auto in_workspace = [&](Fault fault, std::string_view what) {
        return fail_in_file(fault, workspace.path().string(), 0,
                            fmt::format("the tensor {}: {}", workload.name, what));
    };
    if (workload.payload != PayloadPlace::Workspace)
        return in_workspace(Fault::Input, "only its times were imported, not its entries");
    const auto parts = load_payload(workspace, workload.id);
    if (!parts)
        return std::unexpected(parts.error());
    auto tensor = tensor_of(workload, *parts);
    if (!tensor)
        return in_workspace(tensor.error().fault, tensor.error().message);
    return tensor;
}

std::optional<std::vector<double>> stored_statistics(Workspace& workspace, const WorkloadRecord& workload) {
    if (auto kept = parsed_statistics(workload.statistics))
        return kept;
    const auto tensor = load_tensor(workspace, workload);
    if (!tensor)
        return std::nullopt;
    std::vector<double> computed = statistics_of(*tensor);
    // A workspace that can't be written is no error here: nothing is lost but time.
    (void)set_statistics(workspace, workload.id, statistics_text(computed));
    return computed;
}

} // namespace sparsight
