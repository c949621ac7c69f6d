#include "cli/tensors/tensor_commands.h"

#include "base/terminal_text.h"
#include "cli/commands.h"
#include "cli/import_command.h"
#include "domains/tensors/tensor_domain.h"
#include "domains/tensors/tensor_import.h"
#include "domains/tensors/tensor_measuring.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {
namespace {

std::string remarks(const ImportedTensor& tensor) {
    std::vector<std::string> remarks;
    if (tensor.already_there)
        remarks.emplace_back("already there");
    if (tensor.report.duplicates_merged > 0)
        remarks.push_back(fmt::format("merged duplicates: {}", tensor.report.duplicates_merged));
    if (tensor.report.explicit_zeros > 0)
        remarks.push_back(fmt::format("explicit zeros: {}", tensor.report.explicit_zeros));
    if (tensor.report.not_finite > 0)
        remarks.push_back(fmt::format("values not finite: {}, the first one in line {}",
                                      tensor.report.not_finite, tensor.report.first_not_finite_line));
    return fmt::format("{}", fmt::join(remarks, ", "));
}

class TensorImporter final : public DomainPart<ImportOrder> {
public:
    std::string_view domain() const override { return tensors_domain; }
    void add_options(CLI::App& /*command*/) override {}

    bool recognises(const ImportOrder& order) const override {
        return !order.files.empty() && std::ranges::all_of(order.files, is_named_as_tensor);
    }

    Result<void> check_own(const ImportOrder& order) const override {
        if (!order.machine.empty())
            return fail(Fault::Input, "--machine is for files with times: a tensor has none");
        return {};
    }

    ExitCode run(Session&, ImportOrder& order) const override {
        const Job& job = *order.job;
        const auto imported = import_tensors(job.workspace, order.files, job.observer, job.stop());
        if (!imported)
            return job.observer.refuse(imported.error(), ExitCode::Workspace);
        AddedWorkloads added{.verb = "imported",
                             .already_there = imported->known(),
                             .failed = imported->failed,
                             .is_complete =
                                 imported->imported.size() + imported->failed.size() == order.files.size(),
                             .table = Table({{"name"}, {"sizes"}, {"nnz", Align::Right}, {"remarks"}})};
        for (const ImportedTensor& tensor : imported->imported) {
            added.added.push_back(imported_json(tensor));
            added.table.add_row({tensor.name, fmt::format("{}", fmt::join(tensor.sizes, " x ")),
                                 fmt::format("{}", tensor.nnz), remarks(tensor)});
        }
        return end_adding(job, added);
    }
};

} // namespace

void add_tensors(CommandLine& program) {
    (void)program.domains.add(make_tensor_domain()); // each has a name of its own
    program.measuring.add(make_tensor_measuring());
    program.importers.push_back(std::make_shared<TensorImporter>());
}

} // namespace sparsight
