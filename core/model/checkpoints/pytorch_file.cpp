#include "model/checkpoints/pytorch_file.h"

#include "base/files.h"
#include "base/quantity.h"
#include "model/checkpoints/pytorch_pickle.h"

#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace sparsight {
namespace {

struct ArchiveDeleter {
    void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveDeleter>;

std::unexpected<Error> damaged(archive* handle) {
    const char* reason = archive_error_string(handle);
    return fail(Fault::Input, fmt::format("the zip archive is damaged or breaks off: {}",
                                          reason != nullptr ? reason : "no directory at its end"));
}

Result<std::string> read_member(archive* handle, std::uint64_t limit, std::uint64_t& used) {
    std::string content;
    std::vector<char> buffer(std::size_t{1} << 16);
    for (;;) {
        const la_ssize_t count = archive_read_data(handle, buffer.data(), buffer.size());
        if (count < 0)
            return damaged(handle);
        if (count == 0)
            return content;
        used += static_cast<std::uint64_t>(count);
        if (used > limit)
            return fail(Fault::Limit,
                        fmt::format("unpacks to more than {}, which is the limit", format_bytes(limit)));
        content.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

struct Members {
    std::map<std::string, std::string> by_path;

    /// "archive/" of "archive/data.pkl".
    [[nodiscard]] std::optional<std::string> prefix() const {
        for (const auto& [path, content] : by_path)
            if (path == "data.pkl" || path.ends_with("/data.pkl"))
                return path.substr(0, path.size() - std::string_view("data.pkl").size());
        return std::nullopt;
    }
};

Result<Members> unpack(const std::filesystem::path& path, std::uint64_t limit) {
    const ArchiveHandle handle(archive_read_new());
    if (!handle)
        return fail(Fault::Limit, "not enough memory to unpack it");
    // The seekable reader alone: it wants the directory at the end, so that a file cut short is noticed.
    archive_read_support_format_zip_seekable(handle.get());
    constexpr std::size_t read_size = std::size_t{1} << 16;
    if (archive_read_open_filename(handle.get(), path.c_str(), read_size) != ARCHIVE_OK)
        return damaged(handle.get());
    Members members;
    std::uint64_t used = 0;
    for (;;) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(handle.get(), &entry);
        if (status == ARCHIVE_EOF)
            return members;
        if (status != ARCHIVE_OK)
            return damaged(handle.get());
        const char* name = archive_entry_pathname(entry);
        if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG)
            continue;
        std::string key = name;
        Result<std::string> content = read_member(handle.get(), limit, used);
        if (!content)
            return std::unexpected(content.error());
        if (!members.by_path.emplace(std::move(key), *std::move(content)).second)
            return fail(Fault::Input, "the zip archive holds a file twice");
    }
}

/// A file of another kind is not told to be a damaged archive.
Result<void> require_archive(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return {}; // why not is said by the reader
    std::array<char, 2> head{};
    file.read(head.data(), head.size());
    const std::string_view first(head.data(), static_cast<std::size_t>(file.gcount()));
    constexpr std::string_view expected = "expected the zip archive that torch.save of 1.6 and later writes";
    if (first.starts_with('\x80'))
        return fail(Fault::Input, fmt::format("is a bare pickle: {}", expected));
    if (first != "PK")
        return fail(Fault::Input, fmt::format("is no PyTorch file: {}", expected));
    return {};
}

} // namespace

Result<WeightsArchive> read_weights_archive(const std::filesystem::path& path, std::uint64_t limit) {
    if (auto regular = require_regular_file(path); !regular)
        return std::unexpected(std::move(regular.error()));
    if (auto archive = require_archive(path); !archive)
        return std::unexpected(std::move(archive.error()));
    Result<Members> members = unpack(path, limit);
    if (!members)
        return std::unexpected(members.error());
    const std::optional<std::string> prefix = members->prefix();
    if (!prefix)
        return fail(Fault::Input,
                    "is no PyTorch file: the zip archive holds no data.pkl (torch.save of 1.6 and later)");
    auto& by_path = members->by_path;
    if (const auto order = by_path.find(*prefix + "byteorder");
        order != by_path.end() && order->second != "little")
        return fail(Fault::Input, fmt::format("its numbers are {}-endian, expected little", order->second));

    WeightsArchive archive{std::move(by_path[*prefix + "data.pkl"]), {}};
    const std::string folder = *prefix + "data/";
    for (auto& [name, content] : by_path)
        if (name.starts_with(folder))
            archive.storages.emplace(name.substr(folder.size()), std::move(content));
    return archive;
}

namespace {

// Far above any network; a container may hold itself, or ten others that hold ten others.
constexpr int max_depth = 32;
constexpr std::size_t max_visits = 1'000'000;

float half_to_float(std::uint16_t half) {
    const int exponent = half >> 10U & 0x1fU;
    const auto mantissa = static_cast<float>(half & 0x3ffU);
    const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
    if (exponent == 0)
        return sign * std::ldexp(mantissa, -24);
    if (exponent == 31)
        return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    return sign * std::ldexp(mantissa + 1024.0F, exponent - 25);
}

template <typename Number>
float element(const char* at) {
    Number value;
    std::memcpy(&value, at, sizeof(Number));
    return static_cast<float>(value);
}

struct ElementType {
    std::size_t bytes = 0;
    float (*read)(const char*) = nullptr;
};

ElementType element_type(PickleGlobal storage) {
    switch (storage) {
    case PickleGlobal::HalfStorage:
        return {2, [](const char* at) {
                    std::uint16_t bits = 0;
                    std::memcpy(&bits, at, sizeof(bits));
                    return half_to_float(bits);
                }};
    case PickleGlobal::DoubleStorage:
        return {8, element<double>};
    case PickleGlobal::IntStorage:
        return {4, element<std::int32_t>};
    case PickleGlobal::LongStorage:
        return {8, element<std::int64_t>};
    default:
        return {4, element<float>};
    }
}

/// The first and the last element of the view, in elements of the storage; an error where it leaves it.
Result<std::int64_t> count_elements(const PickleTensor& tensor, std::int64_t stored) {
    const auto outside = [] { return fail(Fault::Input, "lies outside of its storage"); };
    if (tensor.shape.size() != tensor.strides.size() || tensor.offset < 0)
        return fail(Fault::Input, "has a shape and strides that do not belong together");
    std::int64_t count = 1;
    std::int64_t last = tensor.offset;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        const std::int64_t extent = tensor.shape[axis];
        const std::int64_t stride = tensor.strides[axis];
        if (extent < 0 || stride < 0)
            return fail(Fault::Input, "has a negative shape or stride");
        if (__builtin_mul_overflow(count, extent, &count))
            return outside();
        std::int64_t reach = 0;
        if (extent > 0 && (__builtin_mul_overflow(extent - 1, stride, &reach) ||
                           __builtin_add_overflow(last, reach, &last)))
            return outside();
    }
    if (count > 0 && last >= stored)
        return outside();
    return count;
}

class WeightsReader {
public:
    WeightsReader(const Pickle& pickle, const WeightsArchive& archive, const WeightsLimits& limits)
        : pickle_(pickle)
        , archive_(archive)
        , limits_(limits) {}

    Result<std::vector<NamedArray>> run() {
        if (auto read = visit(pickle_.root, "", 0); !read)
            return std::unexpected(std::move(read.error()));
        if (arrays_.empty())
            return fail(Fault::Input, "holds no tensor");
        return std::move(arrays_);
    }

private:
    Result<void> visit(PickleId id, const std::string& name, int depth) {
        if (depth > max_depth || ++visits_ > max_visits)
            return fail(Fault::Input, "its containers are nested too deeply");
        const PickleValue& value = pickle_.values[id];
        if (const auto* tensor = std::get_if<PickleTensor>(&value))
            return read(*tensor, name);
        const std::string prefix = name.empty() ? "" : name + ".";
        if (const auto* list = std::get_if<PickleList>(&value)) {
            for (std::size_t i = 0; i < list->items.size(); ++i)
                if (auto read = visit(list->items[i], prefix + std::to_string(i), depth + 1); !read)
                    return read;
        } else if (const auto* dict = std::get_if<PickleDict>(&value)) {
            for (const auto& [key, item] : dict->items) {
                const auto* text = std::get_if<std::string>(&pickle_.values[key]);
                if (text == nullptr) // optimizers number their tensors; networks name them
                    continue;
                if (auto read = visit(item, prefix + *text, depth + 1); !read)
                    return read;
            }
        }
        return {};
    }

    Result<void> read(const PickleTensor& tensor, const std::string& name) {
        const auto refuse = [&](const Error& error) {
            return fail(error.fault, fmt::format("the tensor {} {}", name, error.message));
        };
        const auto stored = archive_.storages.find(tensor.storage.key);
        if (stored == archive_.storages.end())
            return fail(Fault::Input, fmt::format("the numbers of the tensor {} are missing", name));
        const ElementType type = element_type(tensor.storage.type);
        const auto elements = static_cast<std::int64_t>(stored->second.size() / type.bytes);
        if (elements < tensor.storage.elements)
            return fail(Fault::Input, fmt::format("{} of {} numbers of the tensor {} are there", elements,
                                                  tensor.storage.elements, name));
        const Result<std::int64_t> count = count_elements(tensor, elements);
        if (!count)
            return refuse(count.error());
        // A stride of 0 makes a large tensor of one number.
        used_ += static_cast<std::uint64_t>(*count) * sizeof(float);
        if (static_cast<std::uint64_t>(*count) > limits_.bytes / sizeof(float) || used_ > limits_.bytes)
            return fail(Fault::Limit, fmt::format("its tensors take more than {}, which is the limit",
                                                  format_bytes(limits_.bytes)));
        if (!names_.insert(name).second)
            return fail(Fault::Input, fmt::format("the tensor {} is there twice", name));
        arrays_.push_back({name, tensor.shape, gather(tensor, stored->second, type, *count)});
        return {};
    }

    static std::vector<float> gather(const PickleTensor& tensor, const std::string& bytes, ElementType type,
                                     std::int64_t count) {
        std::vector<float> values(static_cast<std::size_t>(count));
        std::vector<std::int64_t> place(tensor.shape.size(), 0);
        std::int64_t at = tensor.offset;
        for (float& value : values) {
            value = type.read(bytes.data() + static_cast<std::size_t>(at) * type.bytes);
            for (std::size_t axis = place.size(); axis-- > 0;) {
                at += tensor.strides[axis];
                if (++place[axis] < tensor.shape[axis])
                    break;
                at -= tensor.shape[axis] * tensor.strides[axis];
                place[axis] = 0;
            }
        }
        return values;
    }

    const Pickle& pickle_;
    const WeightsArchive& archive_;
    const WeightsLimits& limits_;
    std::vector<NamedArray> arrays_;
    std::set<std::string> names_;
    std::size_t visits_ = 0;
    std::uint64_t used_ = 0;
};

Result<std::vector<NamedArray>> read_weights(const std::filesystem::path& path, const WeightsLimits& limits) {
    const Result<WeightsArchive> archive = read_weights_archive(path, limits.bytes);
    if (!archive)
        return std::unexpected(archive.error());
    const Result<Pickle> pickle = read_pickle(archive->pickle);
    if (!pickle)
        return std::unexpected(pickle.error());
    return WeightsReader(*pickle, *archive, limits).run();
}

} // namespace

Result<std::vector<NamedArray>> read_pytorch_weights(const std::filesystem::path& path,
                                                     const WeightsLimits& limits) {
    Result<std::vector<NamedArray>> arrays = read_weights(path, limits);
    if (!arrays)
        return fail_in_file(arrays.error().fault, path.string(), 0, arrays.error().message);
    return arrays;
}

} // namespace sparsight
