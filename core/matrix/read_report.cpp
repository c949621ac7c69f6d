#include "matrix/read_report.h"

namespace sparsight {

std::string_view to_text(MatrixFileFormat format) {
    switch (format) {
    case MatrixFileFormat::MatrixMarketCoordinate:
        return "Matrix Market coordinate";
    case MatrixFileFormat::MatrixMarketArray:
        return "Matrix Market array";
    case MatrixFileFormat::WacoCsr:
        return "WACO csr";
    case MatrixFileFormat::DlmcSmtx:
        return "DLMC smtx";
    }
    return "unknown";
}

std::string_view to_text(ValueField field) {
    switch (field) {
    case ValueField::Real:
        return "real";
    case ValueField::Integer:
        return "integer";
    case ValueField::UnsignedInteger:
        return "unsigned-integer";
    case ValueField::Complex:
        return "complex";
    case ValueField::Pattern:
        return "pattern";
    }
    return "unknown";
}

std::string_view to_text(MatrixSymmetry symmetry) {
    switch (symmetry) {
    case MatrixSymmetry::General:
        return "general";
    case MatrixSymmetry::Symmetric:
        return "symmetric";
    case MatrixSymmetry::SkewSymmetric:
        return "skew-symmetric";
    case MatrixSymmetry::Hermitian:
        return "hermitian";
    }
    return "unknown";
}

} // namespace sparsight
