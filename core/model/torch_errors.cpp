#include "model/torch_errors.h"

#include <c10/util/Exception.h>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <string_view>

namespace sparsight {

namespace {

Error not_enough_memory() {
    return {Fault::Limit, "not enough memory for the cost model", {}, 0};
}

/// Its allocator for the CPU throws an error without a type of its own.
bool is_about_memory(std::string_view message) {
    return message.contains("can't allocate memory") || message.contains("out of memory");
}

} // namespace

Error error_in_flight() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return not_enough_memory();
    } catch (const c10::Error& error) {
        const std::string_view message = error.what_without_backtrace();
        if (is_about_memory(message))
            return not_enough_memory();
        return {Fault::Internal, fmt::format("LibTorch: {}", message), {}, 0};
    } catch (const std::exception& error) {
        return {Fault::Internal, error.what(), {}, 0};
    }
}

} // namespace sparsight
