#include "command/blocks/prediction_answer.h"

#include "command/job.h"

namespace sparsight {

Result<PredictionAnswer> prediction_answer(const Session& session, const PredictionTable& table,
                                           const std::string& model, const std::string& csv) {
    for (const Error& error : table.failed)
        session.complain(error);
    if (auto written = write_named_files(session, {{csv, [&] { return table.csv(); }}}); !written)
        return std::unexpected(std::move(written).error());
    Json json{{"model", model}, {"machine", table.machine}};
    json.update(table.json());
    json["failed"] = failed_json(table.failed);
    return PredictionAnswer{std::move(json),
                            (csv.empty() ? table.csv() : std::string()) + table.errors_text()};
}

ExitCode exit_code_of(const PredictionTable& table) {
    if (table.is_stopped)
        return ExitCode::Interrupted;
    return table.failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace sparsight
