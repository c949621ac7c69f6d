// A made-up /proc and /sys in a folder of its own, so that any computer can be probed on any other.
#pragma once

#include "support/test_files.h"

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace sparsight::testing {

class FakeSystem {
public:
    void write(const std::filesystem::path& file, std::string_view text) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        write_file(folder_ / file, fmt::format("{}\n", text));
    }
    void online(std::string_view list) const { write("sys/devices/system/cpu/online", list); }
    void place(int processor, int socket, std::string_view thread_siblings) const {
        const std::filesystem::path topology = of(processor) / "topology";
        write(topology / "physical_package_id", std::to_string(socket));
        write(topology / "thread_siblings_list", thread_siblings);
    }
    void cache(int processor, int index, int level, std::string_view type, std::string_view size,
               std::string_view sharing) const {
        const std::filesystem::path folder = of(processor) / "cache" / fmt::format("index{}", index);
        write(folder / "level", std::to_string(level));
        write(folder / "type", type);
        write(folder / "size", size);
        write(folder / "coherency_line_size", "64");
        write(folder / "shared_cpu_list", sharing);
    }

    [[nodiscard]] const std::filesystem::path& root() const { return folder_.path(); }
    [[nodiscard]] static std::filesystem::path of(int processor) {
        return fmt::format("sys/devices/system/cpu/cpu{}", processor);
    }

private:
    TemporaryFolder folder_;
};

} // namespace sparsight::testing
