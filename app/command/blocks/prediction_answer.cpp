#include "command/blocks/prediction_answer.h"

#include "command/job.h"

namespace sparsight {

ExitCode answer_predictions(Session& session, const PredictionTable& table, const std::string& model,
                            const std::string& csv) {
    for (const Error& error : table.failed)
        session.complain(error);
    if (const auto written = write_named_files(session, {{csv, [&] { return table.csv(); }}}); !written)
        return session.refuse(written.error());
    Json json{{"model", model}, {"machine", table.machine}};
    json.update(table.json());
    json["failed"] = failed_json(table.failed);
    session.answer(json, (csv.empty() ? table.csv() : std::string()) + table.errors_text());
    if (table.is_stopped)
        return ExitCode::Interrupted;
    return table.failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace sparsight
