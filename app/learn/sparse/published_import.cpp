// What the domain adds, and the part of `models import` that reads WACO's weights.
#include "base/text.h"
#include "command/job.h"
#include "command/options.h"
#include "command/session.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning/published_models.h"
#include "domains/sparse/workflow/learning_settings.h"
#include "learn/sparse/sparse_commands.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

Json tests_json(const std::vector<PublishedTest>& tests) {
    Json json = Json::array();
    for (const PublishedTest& test : tests)
        json.push_back({{"machine", test.machine},
                        {"dense", test.dense},
                        {"matrices", test.matrices},
                        {"metrics", test.metrics}});
    return json;
}

void tell_imported(const Session& session, const std::string& file, const ImportedWeights& model) {
    if (model.published)
        session.remark(fmt::format("{}: {} one of {}, by {}; --operator says otherwise", file,
                                   model.published->is_guessed ? "guessed to be" : "taken for",
                                   name(model.published->op), model.published->by));
    if (session.options.json)
        return;
    for (const PublishedTest& test : model.tests)
        if (const auto stored_accuracy = test.metrics.find("ordered_pair_accuracy");
            stored_accuracy != test.metrics.end())
            session.remark(fmt::format("{}: {:.3f} of the pairs in the right order on {} of {}", file,
                                       stored_accuracy->second,
                                       counted(static_cast<std::size_t>(test.matrices), "matrix", "matrices"),
                                       measured_on(test, model.op)));
    session.remark(fmt::format("imported {} as {}", file, model.name));
}

class PublishedWeightsFiles final : public ForeignModels {
public:
    Help help() const override {
        return {.files = ", or WACO's weights (.pth)",
                .named_by_file = ", and .pth",
                .description = R"(

WACO's weights are files of PyTorch; only tensors and plain containers are accepted. A
.pth file states neither the operator nor the machine that it was trained for: give
--operator and --machine. The default operator fits the shape of the tensors. If SpMM
and SDDMM both fit, it is the one in the name of the file or folder, otherwise one
with runtimes in the workspace. Such a guess is reported, also in `models list`. The
weights are tested on the workspace's runtimes of that operator, for each machine and
dense extent; the test on --machine is stored with the model, with dense extent 256 if
possible. --no-test leaves the test out.)",
                .examples = R"(
sparsight-cli models import pretrained/*.pth --machine 'Xeon E5-2680 v3')",
                .json = R"(
Of .pth files, guessed: several operators fit the shape of the network, and nobody
said it. unused are tensors that no score depends on, and that were left out.)"};
    }

    void add_options(CLI::App& command) override {
        add_parsed_option(command, "--operator", request_.op, &read_operator,
                          "operator of a .pth file: spmm, spmv or sddmm (default: see below)")
            ->type_name("OPERATOR");
        command.add_flag_callback(
            "--no-test", [this] { request_.test = false; },
            "do not test a .pth file on the runtimes of the workspace");
        command.add_option("--machine", request_.machine, "machine that a .pth file was trained for")
            ->type_name("NAME");
    }

    bool reads(const std::filesystem::path& file) const override { return file.extension() == ".pth"; }

    Result<Json> import(const Target& target, const std::string& name, const std::string& file,
                        const std::stop_token& stop) override {
        PublishedImport request = request_;
        request.name = name;
        const auto model = import_published(target.workspace, request, file, target.observer, stop);
        target.observer.clear();
        if (!model)
            return std::unexpected(model.error());
        tell_imported(target.session, file, *model);
        return Json{{"name", model->name},
                    {"file", file},
                    {"architecture", model->architecture},
                    {"operator", sparsight::name(model->op)},
                    {"guessed", model->published && model->published->is_guessed},
                    {"unused", model->unused},
                    {"tests", tests_json(model->tests)}};
    }

private:
    PublishedImport request_;
};

} // namespace

std::unique_ptr<ForeignModels> published_weights_files() {
    return std::make_unique<PublishedWeightsFiles>();
}

void add_sparse(Learner& learner) {
    (void)learner.domains.add(make_sparse_domain()); // each has a name of its own
    learner.learning.add(std::make_unique<SparseLearning>());
    learner.commands.push_back(&add_transfer_command);
    learner.reasons.push_back(make_sparse_reasons());
    learner.presets.insert(learner.presets.end(), sparse_presets.begin(), sparse_presets.end());
    learner.foreign_models = published_weights_files();
}

} // namespace sparsight
