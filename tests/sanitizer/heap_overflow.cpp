// Reads behind the end of an array: AddressSanitizer must stop it.
#include <vector>

int main(int count, char**) {
    const std::vector<int> values(static_cast<std::size_t>(count));
    return values.data()[count];
}
