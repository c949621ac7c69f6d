// What a domain brings to measuring on this computer: how a configuration is prepared, run, checked and
// timed. What is missing, in which order it is measured and for how long is the same for every domain
// (collector.h).
#pragma once

#include "base/error.h"
#include "base/quantity.h"
#include "base/random.h"
#include "store/workloads.h"
#include "study/domain.h"
#include "study/measurement.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

/// While it lives, other programs on this computer wait, whoever started them. The system releases the lock
/// of a program that is killed.
class MeasurementLock {
public:
    /// Waits until no other program holds the lock; calls `on_wait` once when another does. Does not wait
    /// where the file can't be opened or locked. See problem(). Errors: Cancelled when stopped; Limit when
    /// `longest` is over.
    [[nodiscard]] static Result<MeasurementLock> take(const std::stop_token& stop,
                                                      const std::function<void()>& on_wait,
                                                      std::optional<Seconds> longest = {},
                                                      const std::filesystem::path& file = default_file());

    MeasurementLock(MeasurementLock&& other) noexcept;
    MeasurementLock& operator=(MeasurementLock&&) = delete;
    ~MeasurementLock();

    [[nodiscard]] Seconds waited() const { return waited_; }
    /// Why there is no lock, so that other programs may measure meanwhile; empty where there is one.
    [[nodiscard]] const std::string& problem() const { return problem_; }

    /// Names the file of the turn, for containers that share a computer and no folder.
    static constexpr const char* lock_variable = "SPARSIGHT_MEASURING_LOCK";
    /// That of lock_variable. Else one for all users: in /run/lock, or in /tmp where not everybody may write
    /// there.
    [[nodiscard]] static std::filesystem::path default_file();

private:
    explicit MeasurementLock(int descriptor)
        : descriptor_(descriptor) {}

    int descriptor_;
    Seconds waited_{0};
    std::string problem_;
};

/// The measurement that is being made, recorded before it starts: a configuration that crashes, hangs until
/// it is killed, or uses all memory would otherwise be the first one tried after every restart, forever.

struct PendingMeasurement {
    std::string workload;
    std::string setting; ///< its text
    std::string configuration;
};

/// Records the measurement durably and returns how many times in a row it was begun, this time included,
/// without any other being begun.
[[nodiscard]] Result<int> begin_attempt(Workspace& workspace, const PendingMeasurement& measurement);

/// Records that no measurement is running any more.
[[nodiscard]] Result<void> end_attempts(Workspace& workspace);

/// The most memory that the operands of a workload may take: half of the memory, in bytes, since its data
/// and what configurations make of it need the rest.
[[nodiscard]] std::uint64_t operand_limit();

/// What measurements have in common that are compared with each other.
struct MeasuringConditions {
    Setting setting;
    int threads = 1;
    Protocol protocol = Protocol::Adaptive;
    /// Of an input as a configuration asks for it: one that needs more is refused.
    std::uint64_t most_bytes = std::uint64_t{2} << 30;
};

/// Measures configurations of one workload. Used by one thread at a time.
///
/// It is no Clock (study/clock.h), though both tell times. A measurer makes one measurement and tells all of
/// it, failures and memory too, since a collection stores it and must not take a stored one for a new one. A
/// clock answers for a diagnosis: it remembers, gives one program one time, looks stored times up first and
/// repeats in turns. A clock may be made of measurements, but not the other way round.
class WorkloadMeasurer {
public:
    WorkloadMeasurer() = default;
    WorkloadMeasurer(const WorkloadMeasurer&) = delete;
    WorkloadMeasurer& operator=(const WorkloadMeasurer&) = delete;
    virtual ~WorkloadMeasurer() = default;

    /// The result is checked before it is timed. `configuration` is one of MeasuringDomain::written(). An
    /// error says nothing about the configuration: this computer is short of memory or threads.
    [[nodiscard]] virtual Result<Measurement> measure(const WrittenConfiguration& configuration) = 0;

    /// The shortest time so far, measured earlier: what is much slower may be abandoned.
    virtual void know(Milliseconds time) { static_cast<void>(time); }
};

/// What measuring needs once for many workloads, such as a compiler and a team of threads.
class MeasuringSession {
public:
    MeasuringSession() = default;
    MeasuringSession(const MeasuringSession&) = delete;
    MeasuringSession& operator=(const MeasuringSession&) = delete;
    virtual ~MeasuringSession() = default;

    /// Valid as long as the session. Errors: the data of the workload is not there or can't be read; it does
    /// not fit into memory.
    [[nodiscard]] virtual Result<std::unique_ptr<WorkloadMeasurer>> open(Workspace& workspace,
                                                                         const WorkloadRecord& workload) = 0;
};

class MeasuringDomain {
public:
    MeasuringDomain() = default;
    MeasuringDomain(const MeasuringDomain&) = delete;
    MeasuringDomain& operator=(const MeasuringDomain&) = delete;
    virtual ~MeasuringDomain() = default;

    /// The same domain to the rest of the engine.
    [[nodiscard]] virtual const Domain& domain() const = 0;

    /// What makes the times here, as it is stored with each (Measurement::engine): it changes with whatever
    /// makes the same configuration another program. Times of two engines are not compared.
    [[nodiscard]] virtual std::string engine() const = 0;

    /// Errors: threads or memory that this computer does not have (Fault::Environment).
    [[nodiscard]] virtual Result<std::unique_ptr<MeasuringSession>>
    begin(const MeasuringConditions& conditions) const = 0;

    /// Domain::statistics() from the data of a workload, which are stored where the workspace can be written;
    /// absent where the data can't be read.
    [[nodiscard]] virtual std::optional<std::vector<double>>
    statistics(Workspace& workspace, const WorkloadRecord& workload) const {
        static_cast<void>(workspace);
        static_cast<void>(workload);
        return std::nullopt;
    }

    /// The configuration of a text as it is stored when it was run on `threads` threads, whatever the text
    /// says of them. Error (Input): as Domain::written().
    [[nodiscard]] virtual Result<WrittenConfiguration> written(const Setting& setting, std::string_view text,
                                                               int threads) const;
    /// The threads that stored configurations say which ran on `threads` threads.
    [[nodiscard]] virtual int stored_threads(int threads) const {
        static_cast<void>(threads);
        return 1;
    }

    /// The texts of configurations that a file lists. Errors: the file can't be read; a text is wrong, by
    /// line (Input).
    [[nodiscard]] virtual Result<std::vector<std::string>> read_list(const Setting& setting,
                                                                     const std::filesystem::path& file) const;

    /// How configurations can be drawn, the default first.
    [[nodiscard]] virtual std::vector<std::string_view> samplers() const { return {"uniform"}; }
    /// Different ones, fewer than `count` where there are no more, as written(). Error (Input): no such
    /// sampler; those of Domain::space().
    [[nodiscard]] virtual Result<std::vector<WrittenConfiguration>> sample(std::string_view sampler,
                                                                           const SpaceRequest& request,
                                                                           std::size_t count, int threads,
                                                                           Random& random) const;

protected:
    [[nodiscard]] Result<void> check_sampler(std::string_view sampler) const;
};

/// The domains that a program can measure.
class MeasuringDomains {
public:
    void add(std::unique_ptr<const MeasuringDomain> domain) { domains_.push_back(std::move(domain)); }

    /// Null where this program can't measure in this domain. Valid as long as this object.
    [[nodiscard]] const MeasuringDomain* find(std::string_view domain) const;
    /// In the order in which they were added.
    [[nodiscard]] std::vector<const MeasuringDomain*> all() const;
    /// As find(). Error (Input): it can't.
    [[nodiscard]] Result<const MeasuringDomain*> require(std::string_view domain) const;

private:
    std::vector<std::unique_ptr<const MeasuringDomain>> domains_;
};

} // namespace sparsight
