// A model from a file: one that `models export` wrote, or weights that others published, which are tested on
// what the workspace has.
#pragma once

#include "base/observer.h"
#include "base/parallel.h"
#include "domains/sparse/schedule/operator.h"
#include "workflow/learning/models/published_models.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class LearningDomains;
class Workspace;

struct ModelImport {
    std::string name;           ///< in the workspace; empty: as the file says, else as it is called
    std::optional<Operator> op; ///< of published weights; nothing: what fits
    std::string machine;        ///< that published weights were trained for; empty: not known
    bool test = true;           ///< of published weights
    int threads = available_threads();
};

struct ImportedModel {
    std::string name;
    std::string architecture;
    Operator op = Operator::SpMM;
    std::optional<PublishedOperator> published; ///< of published weights whose operator nobody said
    std::vector<std::string> unused;            ///< tensors that no score depends on
    std::vector<PublishedTest> tests;
};

/// Errors: the file can't be read, or another model has its name.
[[nodiscard]] Result<ImportedModel> import_model(Workspace& workspace, const LearningDomains& domains,
                                                 const ModelImport& request, const std::string& file,
                                                 Observer& observer, const std::stop_token& stop);

/// "second", "second with dense extent 64": what the times of a test are of.
[[nodiscard]] std::string measured_on(const PublishedTest& test, Operator op);

} // namespace sparsight
