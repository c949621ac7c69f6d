#include "model/tensors/compute_device.h"

#include "base/text.h"
#include "model/tensors/torch_runtime.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace sparsight {

namespace {

std::optional<at::Device> parse_device(std::string_view text) {
    const auto device = guarded([&] { return at::Device(std::string(text)); });
    if (!device || !(device->is_cpu() || device->is_cuda()))
        return std::nullopt;
    return *device;
}

} // namespace

Result<at::Device> usable_device(std::string_view text) {
    const auto device = parse_device(text);
    if (!device)
        return fail(Fault::Input, "expected cpu, cuda, or the number of a GPU, as in cuda:1");
    if (device->is_cpu())
        return *device;
    if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
        return fail(Fault::Input, "this LibTorch was built without CUDA; expected cpu");
    return guarded([&]() -> Result<at::Device> {
        const int count = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
        if (count == 0)
            return fail(Fault::Input, "CUDA finds no GPU here; expected cpu");
        if (device->has_index() && static_cast<unsigned char>(device->index()) >= count)
            return fail(Fault::Input, fmt::format("there is no such GPU: expected one of {}, counted from 0",
                                                  counted(count, "GPU", "GPUs")));
        return *device;
    });
}

std::string device_of_process(std::string_view usable, int local_rank) {
    const auto device = parse_device(usable);
    if (!device || !device->is_cuda() || device->has_index() ||
        !c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
        return std::string(usable);
    const int count = c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
    return count == 0 ? std::string(usable) : fmt::format("cuda:{}", local_rank % count);
}

} // namespace sparsight
