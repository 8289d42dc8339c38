/* Predicts a row 1,000 times, and says how often memory was asked for: count_allocations MODEL. */
#include <ardent/ardent_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t bytes);
static unsigned long allocations;

void *malloc(size_t bytes)
{
    ++allocations;
    return __libc_malloc(bytes);
}

int main(int argc, char **argv)
{
    ardent_model *model = argc == 2 ? ardent_load(argv[1]) : NULL;
    double row[64] = {5, 3, 4, 1}, p[16];
    unsigned long before = allocations, failures = 0;
    const int64_t features = model ? ardent_features(model) : 0;
    int i;
    if (!model)
        return fprintf(stderr, "%s\n", ardent_error()), 1;
    if (before == 0)
        return fprintf(stderr, "nothing was counted\n"), 1;
    for (i = 0; i < 1000; ++i) {
        row[1] = 2 + 0.002 * i;
        failures += ardent_classes(model) > 0 ? ardent_classify(model, row, features, p) < 0
                                              : ardent_regress(model, row, features, p, p + 1) != 0;
    }
    printf("%lu allocations, %lu failures\n", allocations - before, failures);
    ardent_free(model);
    return 0;
}
