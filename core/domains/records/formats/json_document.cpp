#include "domains/records/formats/json_document.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, 2> record_members_of_json{"cache", "results"};

constexpr std::array<const char*, 3> needed_of_a_cache{"kernel_name", "device_name", "tune_params_keys"};

} // namespace

Result<JsonDocument> read_json_document(const RecordFile& file) {
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    JsonStream stream(file.name(), *std::move(bytes));
    if (auto entered = stream.enter_object(); !entered)
        return std::unexpected(std::move(entered).error());
    JsonDocument document;
    for (;;) {
        const auto key = stream.next_key();
        if (!key && (document.records.empty() || !stream.has_ended()))
            return std::unexpected(key.error());
        if (!key || !*key)
            break;
        if (std::ranges::find(record_members_of_json, **key) != record_members_of_json.end()) {
            document.records = **key;
            // Kernel Tuner names all else before the cache, which may be long and may lack its end.
            if (document.records == "cache" && std::ranges::all_of(needed_of_a_cache, [&](const char* name) {
                    return document.others.contains(name);
                }))
                return document;
            if (auto skipped = stream.skip(); !skipped && !stream.has_ended())
                return std::unexpected(std::move(skipped).error());
            continue;
        }
        const auto text = stream.take();
        if (!text)
            return std::unexpected(text.error());
        auto value = parse_json(*text);
        if (!value) {
            Error error = std::move(value).error();
            error.file = file.name();
            return std::unexpected(std::move(error));
        }
        document.others[**key] = *std::move(value);
    }
    if (document.records.empty())
        return fail_in_file(Fault::Input, file.name(), 0,
                            "this JSON holds no tuning records, expected \"cache\" as of Kernel Tuner or "
                            "\"results\" as of the T4 format");
    return document;
}

Result<JsonStream> records_of(const RecordFile& file, std::string_view member) {
    auto bytes = file.open();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    JsonStream stream(file.name(), *std::move(bytes));
    auto entered = stream.enter_object();
    while (entered) {
        const auto key = stream.next_key();
        if (!key)
            return std::unexpected(key.error());
        if (!*key)
            return fail_in_file(Fault::Environment, file.name(), 0, "the file changed while it was read");
        if (**key == member)
            return stream;
        entered = stream.skip();
    }
    return std::unexpected(std::move(entered).error());
}

} // namespace sparsight
