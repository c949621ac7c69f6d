// Records that a reader parses one by one, each with decisions of its own: what all such formats share.
#pragma once

#include "domains/records/formats/json_stream.h"
#include "domains/records/record_source.h"
#include "domains/records/record_space.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

struct ParsedRecord {
    std::string space;
    std::string variant;
    std::string workload;
    std::string machine;
    std::string run;
    DecisionValues decisions;
    MeasurementStatus status = MeasurementStatus::Measured;
    std::string reason;
    double median_ms = 0;
    double spread_ms = 0;
    int repeats = 1;
    std::int64_t line = 0;

    /// The median of the times and, of two and more, their standard deviation.
    void set_times(std::vector<double> times_ms);
    /// Without control characters, so that a table can hold it.
    void set_failure(std::string_view why);
};

/// Checks each record, and shows it as a row.
class ParsedSource : public RecordSource {
public:
    [[nodiscard]] Result<bool> next(RecordRow& row) final;
    [[nodiscard]] const std::string& file() const final { return file_; }

protected:
    explicit ParsedSource(std::string file)
        : file_(std::move(file)) {}
    void add_problem(std::int64_t line, std::string message);

private:
    /// Replaces all of `record`. False behind the last one.
    [[nodiscard]] virtual Result<bool> read(ParsedRecord& record) = 0;

    std::string file_;
    ParsedRecord record_;
    std::vector<std::string> names_;
    std::vector<std::string_view> values_;
};

/// Reads each record from a value of a JSON document.
class JsonRecords : public ParsedSource {
public:
    [[nodiscard]] std::uint64_t consumed() const final { return stream_.bytes().consumed(); }
    [[nodiscard]] std::uint64_t total() const final { return stream_.bytes().total(); }

protected:
    explicit JsonRecords(JsonStream stream)
        : ParsedSource(stream.file())
        , stream_(std::move(stream)) {}

private:
    [[nodiscard]] Result<bool> read(ParsedRecord& record) final;

    /// Goes on to the value of the next record; false behind the last one.
    [[nodiscard]] virtual Result<bool> find_next(JsonStream& stream) = 0;
    /// Whether a document that ends within a value is one of a program that was killed while it wrote. What
    /// stands before it counts.
    [[nodiscard]] virtual bool may_be_cut_off() const { return false; }
    /// What is wrong; empty where all is well.
    [[nodiscard]] virtual std::string fill(ParsedRecord& record, const Json& value) const = 0;

    JsonStream stream_;
};

} // namespace sparsight
