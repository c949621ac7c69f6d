#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

class CPrinter {
public:
    explicit CPrinter(const LoopNest& nest)
        : nest_(nest) {}

    std::string print() {
        out_ = "#include <stdint.h>\n#include <string.h>\n\n";
        line(fmt::format("void {}({}) {{", name(nest_.op), parameters()));
        ++indent_;
        print(nest_.body);
        --indent_;
        line("}");
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string parameters() const {
        std::string text;
        for (std::size_t level = 0; level < nest_.storage.levels.size(); ++level)
            if (nest_.storage.levels[level].format == LevelFormat::Compressed)
                text += fmt::format("const int32_t* restrict {0}_pos, const int32_t* restrict {0}_crd, ",
                                    level_name(level));
        text += "const float* restrict A, const float* restrict B, ";
        if (description(nest_.op).factors.size() > 1)
            text += "const float* restrict D, ";
        text += "float* restrict C";
        // A's padding counts as positions too, so only the caller knows how many elements such a C has.
        return has_sparse_output(nest_.op) ? text + ", int64_t positions" : text;
    }

    [[nodiscard]] std::string level_name(std::size_t level) const {
        const StorageLevel& stored = nest_.storage.levels[level];
        std::string name(1, letter(stored.loop.index));
        if (stored.split != 1)
            name += stored.loop.part == Part::Outer ? '1' : '0';
        return name;
    }

    void line(std::string_view text) {
        fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", 2 * indent_, text);
    }

    void print(const Body& body) {
        for (const KernelStatement& statement : body)
            std::visit([this](const auto& node) { print(node); }, statement.node);
    }

    void print(const ZeroOutput&) { line(fmt::format("memset(C, 0, {} * sizeof(float));", output_size())); }

    [[nodiscard]] std::string output_size() const {
        if (has_sparse_output(nest_.op))
            return "positions";
        std::string size;
        for (const Index index : description(nest_.op).output)
            size += size.empty() ? fmt::format("{}LL", nest_.extents[index])
                                 : fmt::format(" * {}", nest_.extents[index]);
        return size;
    }

    void print(const Loop& loop) {
        if (loop.parallel)
            line(fmt::format("#pragma omp parallel for schedule(dynamic, {})", nest_.chunk));
        else if (loop.vectorised && loop.tile_axis)
            line("#pragma omp simd");
        if (loop.strip > 0)
            line(fmt::format("// strips of {}, whose sums fit the registers", loop.strip));
        const std::string& coordinate = variable(loop.coordinate);
        if (loop.kind == LoopKind::Compressed) {
            const std::string level = level_name(loop.level);
            line(fmt::format("for (int64_t {0} = {1}_pos[{2}]; {0} < {1}_pos[{3}]; ++{0}) {{",
                             variable(loop.position), level, text(loop.parent),
                             text(loop.parent + Affine{{}, 1})));
            ++indent_;
            line(fmt::format("const int64_t {} = {}_crd[{}];", coordinate, level, variable(loop.position)));
        } else {
            const std::string end = loop.clip
                                        ? fmt::format("({} == {} ? {} : {})", variable(loop.clip->outer),
                                                      loop.clip->last, loop.clip->remainder, loop.extent)
                                        : fmt::format("{}", loop.extent);
            line(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) {{", coordinate, end));
            ++indent_;
        }
        print(loop.body);
        --indent_;
        line("}");
    }

    void print(const Accumulate& update) {
        const std::string target = update.into_tile ? tile_element() : text(update.target);
        line(fmt::format("{} += {};", target, product(update.factors)));
    }

    void print(const Tile& tile) {
        axes_ = &tile.axes;
        line("{");
        ++indent_;
        std::string shape;
        for (const Tile::Axis& axis : tile.axes)
            shape += fmt::format("[{}]", axis.extent);
        line(fmt::format("float sum{} = {};", shape, shape.empty() ? "0" : "{0}"));
        print(tile.body);
        for (const Tile::Axis& axis : tile.axes) {
            line(
                fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0})", variable(axis.variable), axis.extent));
            ++indent_;
        }
        const std::string scale = tile.scale.empty() ? "" : product(tile.scale) + " * ";
        line(fmt::format("{} {} {}{};", text(tile.target), tile.overwrites ? "=" : "+=", scale,
                         tile_element()));
        indent_ -= tile.axes.size();
        --indent_;
        line("}");
        axes_ = nullptr;
    }

    void print(const Branch& branch) {
        line(fmt::format("if ({} != {}) {{", variable(branch.variable), branch.last));
        ++indent_;
        print(branch.full);
        --indent_;
        line("} else {");
        ++indent_;
        print(branch.remainder);
        --indent_;
        line("}");
    }

    [[nodiscard]] const std::string& variable(Variable name) const {
        return nest_.variables[static_cast<std::size_t>(name)];
    }

    [[nodiscard]] std::string text(const Affine& affine) const {
        std::string sum;
        for (const Affine::Term& term : affine.terms) {
            sum += sum.empty() ? "" : " + ";
            sum += variable(term.variable);
            if (term.factor != 1)
                sum += fmt::format(" * {}", term.factor);
        }
        if (sum.empty() || affine.constant != 0)
            sum += fmt::format("{}{}", sum.empty() ? "" : " + ", affine.constant);
        return sum;
    }

    [[nodiscard]] std::string text(const Access& access) const {
        return fmt::format("{}[{}]", "ABDC"[static_cast<std::size_t>(access.operand)], text(access.offset));
    }

    [[nodiscard]] std::string product(const std::vector<Access>& factors) const {
        std::string result;
        for (const Access& access : factors)
            result += (result.empty() ? "" : " * ") + text(access);
        return result.empty() ? "1.0f" : result;
    }

    [[nodiscard]] std::string tile_element() const {
        std::string element = "sum";
        for (const Tile::Axis& axis : *axes_)
            element += fmt::format("[{}]", variable(axis.variable));
        return element;
    }

    const LoopNest& nest_;
    const std::vector<Tile::Axis>* axes_ = nullptr;
    std::string out_;
    std::size_t indent_ = 0;
};

} // namespace

std::string print_c(const LoopNest& nest) {
    return CPrinter(nest).print();
}

} // namespace sparsight
