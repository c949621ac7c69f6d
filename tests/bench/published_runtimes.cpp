#include "published_runtimes.h"

#include "base/reading/byte_source.h"
#include "domains/sparse/schedule/text.h"

#include <charconv>
#include <map>
#include <tuple>

namespace sparsight::bench {
namespace {

Result<std::string> unpack(const std::filesystem::path& path) {
    constexpr std::uint64_t limit = std::uint64_t{1} << 30;
    Result<UnpackedFile> file = open_compressed(path, limit, {});
    if (!file)
        return std::unexpected(file.error());
    std::string text;
    std::vector<char> block(std::size_t{1} << 20);
    for (;;) {
        const Result<std::size_t> count = file->bytes->read(block);
        if (!count)
            return std::unexpected(count.error());
        text.append(block.data(), *count);
        if (*count < block.size())
            return text;
    }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

class Collector {
public:
    explicit Collector(std::filesystem::path shared)
        : shared_(std::move(shared)) {}

    void add(const std::string& source, Operator op, std::string_view matrix, const SuperSchedule& schedule,
             double milliseconds) {
        if (!(milliseconds < 1000 && milliseconds >= 0.001)) {
            ++runtimes_.dropped;
            return;
        }
        auto& record = records_[{source, op, std::string(matrix)}];
        record.schedules.push_back(schedule);
        record.milliseconds.push_back(milliseconds);
    }

    /// Columns by their place in the file.
    Result<void> add_table(const std::string& source, const std::filesystem::path& path, int op_column,
                           std::size_t matrix_column, std::size_t schedule_column) {
        const Result<std::string> text = unpack(path);
        if (!text)
            return std::unexpected(text.error());
        const auto lines = split(*text, '\n');
        for (std::size_t line = 1; line < lines.size(); ++line) {
            const auto fields = split(lines[line], ',');
            if (fields.size() <= schedule_column + 1)
                continue;
            const Operator op = op_column < 0
                                    ? Operator::SpMM
                                    : parse_operator(fields[static_cast<std::size_t>(op_column)]).value();
            const auto runtime = parse_schedule_runtime(op, std::string(fields[schedule_column]) + " = " +
                                                                std::string(fields[schedule_column + 1]));
            if (runtime)
                add(source, op, fields[matrix_column], runtime->schedule, runtime->milliseconds);
            else
                ++runtimes_.unreadable;
        }
        return {};
    }

    Result<void> add_folder(Operator op, const std::filesystem::path& folder) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const auto runtimes = read_schedule_runtimes(op, entry.path());
            if (!runtimes)
                return std::unexpected(runtimes.error());
            for (const ScheduleRuntime& runtime : *runtimes)
                add("original", op, entry.path().stem().string(), runtime.schedule, runtime.milliseconds);
        }
        return {};
    }

    PublishedRuntimes take() {
        for (auto& [key, record] : records_) {
            std::tie(record.source, record.op, record.matrix) = key;
            if (find_pattern(shared_, record.matrix).empty())
                ++runtimes_.without_pattern;
            else if (record.schedules.size() > 1)
                runtimes_.matrices.push_back(std::move(record));
        }
        return std::move(runtimes_);
    }

private:
    std::filesystem::path shared_;
    std::map<std::tuple<std::string, Operator, std::string>, RecordedMatrix> records_;
    PublishedRuntimes runtimes_;
};

} // namespace

std::filesystem::path find_pattern(const std::filesystem::path& shared, const std::string& matrix) {
    for (const auto& path :
         {shared / "waco/original" / (matrix + ".csr"), shared / "matrices" / (matrix + ".mtx.gz")})
        if (std::filesystem::exists(path))
            return path;
    return {};
}

Result<PublishedRuntimes> read_published_runtimes(const std::filesystem::path& shared) {
    Collector collector(shared);
    for (const auto& [op, folder] : {std::pair(Operator::SpMM, "SpMM"), std::pair(Operator::SpMV, "SpMV"),
                                     std::pair(Operator::SDDMM, "SDDMM")})
        if (auto added = collector.add_folder(op, shared / "waco/original" / folder); !added)
            return std::unexpected(std::move(added.error()));
    const auto waco = shared / "waco";
    if (auto added = collector.add_table("collected-32-threads",
                                         waco / "collected-32-threads/spmm_runtimes.csv.xz", -1, 0, 4);
        !added)
        return std::unexpected(std::move(added.error()));
    if (auto added = collector.add_table("xeon_8272cl", waco / "xeon_8272cl_runtimes.csv.xz", 0, 3, 4);
        !added)
        return std::unexpected(std::move(added.error()));
    return collector.take();
}

} // namespace sparsight::bench
