using index_t = unsigned int;

inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }

/// Levenshtein's edit distance of two words a row. `costs` is each thread's line of the table:
/// in the end the cost of turning the first word into each beginning of the second.
extern "C" void edit_distance(
    index_t first_len,
    index_t second_len,
    const unsigned int* __restrict__ first,
    index_t first_shape1,
    const unsigned int* __restrict__ second,
    index_t second_shape1,
    unsigned int* __restrict__ costs,
    index_t costs_shape1,
    unsigned int* __restrict__ distance,
    index_t dim
) {
    for (index_t i = 0; i < dim; ++i) {
        for (index_t k = 0; k <= second_len; ++k) {
            costs[i * costs_shape1 + k] = (unsigned int)k;
        }
        for (index_t j = 0; j < first_len; ++j) {
            unsigned int diagonal = costs[i * costs_shape1];
            costs[i * costs_shape1] = (unsigned int)j + 1u;
            for (index_t k = 0; k < second_len; ++k) {
                const unsigned int above = costs[i * costs_shape1 + (k + 1)];
                const unsigned int replaced =
                    diagonal + (first[i * first_shape1 + j] == second[i * second_shape1 + k] ? 0u : 1u);
                costs[i * costs_shape1 + (k + 1)] = min(min(replaced, above + 1u), costs[i * costs_shape1 + k] + 1u);
                diagonal = above;
            }
        }
        distance[i] = costs[i * costs_shape1 + second_len];
    }
}
