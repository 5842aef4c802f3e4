// main() of every Criterion test, in place of the library's own, which is content when nothing was
// tested at all. Tests are found through a linker section: one wrong linker option empties it.

#include <criterion/criterion.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    struct criterion_test_set *set = criterion_initialize();
    bool passed = true;
    if (criterion_handle_args(argc, argv, true)) {
        passed = criterion_run_all_tests(set) != 0;
        if (set->tests == 0) {
            fprintf(stderr, "this program holds no tests\n");
            passed = false;
        }
    }
    criterion_finalize(set);
    return passed ? 0 : 1;
}
