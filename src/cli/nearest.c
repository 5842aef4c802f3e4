/* The distance of two words: letters that are missing, too many, wrong, or swapped with their
   neighbour. No state. Called after a word was not found. */
#include "src/cli/nearest.h"

#include <string.h>

#define LETTERS_MAX 40u
#define LETTERS_A_TYPO 3u /* a word of 6 letters may have two typos */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* A word and its length. */
struct letters {
    const char *it;
    unsigned count;
};

static struct letters letters_of(const char *word)
{
    return (struct letters){word, (unsigned)strcspn(word, "=")};
}

/* rows[i % 3][j]: the distance of the first i letters of a and the first j of b. */
static unsigned distance(struct letters a, struct letters b)
{
    unsigned rows[3][LETTERS_MAX + 1];

    for (unsigned j = 0; j <= b.count; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a.count; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b.count; j++) {
            row[j] =
                least(above[j - 1] + (a.it[i - 1] != b.it[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a.it[i - 1] == b.it[j - 2] && a.it[i - 2] == b.it[j - 1])
                row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    }
    return rows[a.count % 3][b.count];
}

struct nearest nearest_begin(const char *word)
{
    unsigned letters = letters_of(word).count;
    return (struct nearest){.word = word, .typos = letters / LETTERS_A_TYPO + 1};
}

void nearest_try(struct nearest *nearest, const char *name)
{
    struct letters word = letters_of(nearest->word);
    struct letters letters = letters_of(name);
    if (letters.count == 0 || word.count > LETTERS_MAX || letters.count > LETTERS_MAX)
        return;
    unsigned typos = distance(word, letters);
    if (typos >= nearest->typos)
        return;
    nearest->typos = typos;
    nearest->name = name;
}
