#!/usr/bin/python3
"""Print bench/random_200.txt: the fixed set of random strings of bench/brackets.c.

The same for any Python 3: the generator is the SplitMix64 of src/base/random.h.
usage: bench/make-random-200.py >bench/random_200.txt
"""

import itertools

SEED = 20120711
COUNT = 200
MASK = (1 << 64) - 1

HEADER = """\
# 200 random makespan questions for bench/brackets.c, made by bench/make-random-200.py (seed %d).
# 25 of each combination of two types (LC) or three (LCS), random letters or random runs, without
# a cap or with one, in random order. All numbers are uniform: I in 20..200, W in 8..64, each
# sigma in 1..4, the cap in 1..(sum of the sigmas - 1).
#   letters: each letter uniform over the types
#   runs:    runs of 1..9 letters, each of another type than the one before; the last is cut to fit
# Strings that miss a type are drawn again.
# columns: index, types, kind, I, W, units, cap (0: none), string
""" % SEED


class Random:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % bound

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def random_letters(random, types, length):
    return "".join(types[random.below(len(types))] for _ in range(length))


def random_runs(random, types, length):
    string = ""
    while len(string) < length:
        others = [letter for letter in types if not string.endswith(letter)]
        string += others[random.below(len(others))] * random.between(1, 9)
    return string[:length]


def with_counts(string):
    runs = [(letter, len(list(run))) for letter, run in itertools.groupby(string)]
    return "".join("%s%s" % (count if count > 1 else "", letter) for letter, count in runs)


def main():
    random = Random(SEED)
    makers = {"letters": random_letters, "runs": random_runs}
    cells = list(itertools.product(("LC", "LCS"), makers, (False, True)))
    rows = cells * (COUNT // len(cells))
    random.shuffle(rows)
    print(HEADER, end="")
    for index, (types, kind, capped) in enumerate(rows, 1):
        length = random.between(20, 200)
        warps = random.between(8, 64)
        sigma = [random.between(1, 4) for _ in types]
        cap = random.between(1, sum(sigma) - 1) if capped else 0
        string = ""
        while set(string) != set(types):
            string = makers[kind](random, types, length)
        units = ",".join("%s=%d" % pair for pair in zip(types, sigma))
        print(index, len(types), kind, length, warps, units, cap, with_counts(string))


if __name__ == "__main__":
    main()
