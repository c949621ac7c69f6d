#include "cli/pdf_printing.h"

#include "base/atomic_file.h"
#include "cli/child_program.h"
#include "cli/companion.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace sparsight {

namespace {

/// A file of our own until the page is printed.
class TemporaryPage {
public:
    TemporaryPage()
        : path_(std::filesystem::temp_directory_path() /
                fmt::format("sparsight-report-{}.html", ::getpid())) {}
    TemporaryPage(const TemporaryPage&) = delete;
    TemporaryPage& operator=(const TemporaryPage&) = delete;
    ~TemporaryPage() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace

bool names_pdf(std::string_view file) {
    return file.ends_with(".pdf");
}

Result<std::string> read_report_name(std::string_view name) {
    if (names_pdf(name) || name.ends_with(".html"))
        return std::string(name);
    return fail(Fault::Input, fmt::format("'{}' ends in neither .html nor .pdf", name));
}

Result<void> print_pdf(const std::string& html, const std::string& file, const std::stop_token& stop) {
    const auto program = find_companion("sparsight", "which prints pages");
    if (!program)
        return std::unexpected(program.error());
    const TemporaryPage page;
    if (auto written = write_whole_file(page.path(), html); !written)
        return written;
    const auto end = run_child(
        *program, {"--print-report", page.path().string(), file}, {"QT_QPA_PLATFORM=offscreen"},
        [](std::string_view) {}, stop);
    if (!end)
        return std::unexpected(end.error());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    if (end->exit_code != 0)
        return fail_in_file(Fault::Environment, file, 0,
                            end->last_words.empty()
                                ? fmt::format("sparsight ended with exit code {}", end->exit_code)
                                : end->last_words);
    return {};
}

} // namespace sparsight
