#include "domains/tensors/tensor_measuring.h"

#include "domains/sparse/clock/schedule_measuring.h"
#include "domains/tensors/tensor_domain.h"
#include "domains/tensors/tensor_store.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

Result<KernelInputs> load_inputs(Workspace& workspace, const WorkloadRecord& workload,
                                 const MeasuringConditions& conditions) {
    auto tensor = load_tensor(workspace, workload);
    if (!tensor)
        return std::unexpected(std::move(tensor).error());
    const SparseSetting setting = sparse_setting(conditions.setting);
    const std::size_t order = description(setting.op).order;
    if (tensor->order() != order)
        return fail(Fault::Input, fmt::format("the tensor {} is of order {}, and {} is for order {}",
                                              workload.name, tensor->order(), name(setting.op), order));
    return KernelInputs::make(permuted(*tensor, modes_of(setting)), setting.op, setting.dense,
                              conditions.threads, operand_limit());
}

} // namespace

std::unique_ptr<const MeasuringDomain> make_tensor_measuring() {
    return measuring_of({make_tensor_domain(), &load_inputs, &stored_statistics});
}

} // namespace sparsight
