#!/usr/bin/python3
"""Compares fits by maximum likelihood with R's evd and with SciPy on 200 generated samples.

usage: evt_rivals.py EVT_LINES [--samples N]

EVT_LINES is the program of evt_lines.c. Prints, for each rival, the largest relative difference
of estimates, standard errors and likelihoods, where who stops at a worse likelihood, and the time.
A rival that is not installed is named and left out. SciPy's c of genextreme is -xi, that of
genpareto is xi.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = (-0.2, -0.1, 0.0, 0.1, 0.2, 0.3)
COUNTS = (50, 100, 200, 500, 1000)
# A fit whose negative log likelihood is greater by this has stopped early.
WORSE = 1e-6


def level(shape, exponential):
    """The value of a standard GPD whose survival is exp(-exponential)."""
    return exponential if shape == 0 else math.expm1(shape * exponential) / shape


def make_samples(count):
    """(name, family, threshold, values): GEV and GPD in turn, over shapes, counts and units."""
    generator = random.Random(19)
    samples = []
    for k in range(count):
        family = ("gev", "gpd")[k % 2]
        shape = SHAPES[k // 2 % len(SHAPES)]
        size = COUNTS[k // 2 // len(SHAPES) % len(COUNTS)]
        location, scale = generator.choice(((0, 1), (1000, 20), (50000, 900)))
        values = []
        for _ in range(size):
            exponential = generator.expovariate(1)
            log_survival = exponential if family == "gpd" else -math.log(exponential)
            values.append(location + scale * level(shape, log_survival))
        samples.append((f"{family}:{k}:xi={shape}:n={size}", family, location, values))
    return samples


def line_of(sample):
    name, family, threshold, values = sample
    numbers = " ".join(repr(value) for value in values)
    place = f" {threshold!r}" if family == "gpd" else ""
    return f"{name} {family}{place} {len(values)} {numbers}"


def read_fits(text):
    """By name (seconds, None or (negative log likelihood, estimates, errors))."""
    fits = {}
    for line in text.splitlines():
        words = line.split()
        numbers = [float(word) for word in words[3:]]
        fit = (numbers[0], numbers[1::2], numbers[2::2]) if words[2] == "0" else None
        fits[words[0]] = (float(words[1]), fit)
    return fits


def fit_by(command, samples):
    text = "".join(line_of(sample) + "\n" for sample in samples)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr else "it failed")
    return read_fits(done.stdout)


def gumbel_start(values):
    """Location and scale by the moments of Gumbel."""
    mean = sum(values) / len(values)
    scale = math.sqrt(6 * sum((value - mean) ** 2 for value in values) / len(values)) / math.pi
    return mean - 0.5772 * scale, scale


def fit_by_scipy(samples, tolerance):
    """tolerance None: as it is; else also started from the moments of Gumbel."""
    from scipy import optimize, stats

    def optimizer(function, start, args=(), disp=0):
        return optimize.fmin(function, start, args=args, disp=disp, xtol=tolerance,
                             ftol=tolerance, maxiter=20000, maxfun=20000)
    way = {} if tolerance is None else {"optimizer": optimizer}

    def fit_gev(values):
        if tolerance is None:
            return stats.genextreme.fit(values)
        place, scale = gumbel_start(values)
        return stats.genextreme.fit(values, -0.1, loc=place, scale=scale, **way)
    fits = {}
    for name, family, threshold, values in samples:
        start = time.perf_counter()
        if family == "gev":
            shape, place, scale = fit_gev(values)
            loss = -stats.genextreme.logpdf(values, shape, place, scale).sum()
            estimates = [place, scale, -shape]
        else:
            shape, place, scale = stats.genpareto.fit(values, floc=threshold, **way)
            loss = -stats.genpareto.logpdf(values, shape, place, scale).sum()
            estimates = [scale, shape]
        seconds = time.perf_counter() - start
        fit = (loss, estimates, [math.nan] * len(estimates)) if math.isfinite(loss) else None
        fits[name] = (seconds, fit)
    return fits


def difference(ours, theirs, scale):
    return abs(ours - theirs) / scale


def compare(title, ours, theirs):
    """Prints one row of the table."""
    largest = {"estimate": (0, "-"), "error": (0, "-"), "likelihood": (0, "-")}
    missing, worse, own_worse, compared = [], [], [], 0

    def note(kind, value, name):
        if value > largest[kind][0]:
            largest[kind] = (value, name)
    for name, (_, fit) in theirs.items():
        own = ours[name][1]
        if fit is None or own is None:
            missing.append(f"{name} ({'theirs' if fit is None else 'ours'})")
            continue
        if fit[0] > own[0] + WORSE:
            worse.append((fit[0] - own[0], name))
            continue
        if own[0] > fit[0] + WORSE:
            own_worse.append((own[0] - fit[0], name))
            continue
        compared += 1
        note("likelihood", difference(own[0], fit[0], max(1, abs(own[0]))), name)
        for k, estimate in enumerate(own[1]):
            # Near 0 a location differs in units of the scale, a shape in units of 1.
            unit = (own[1][1], 0, 1)[k - len(own[1])]
            scale = max(abs(estimate), unit)
            note("estimate", difference(estimate, fit[1][k], scale), name)
            if not math.isnan(fit[2][k]) and not math.isnan(own[2][k]):
                note("error", difference(own[2][k], fit[2][k], own[2][k]), name)
    ratio = sum(s for s, _ in theirs.values()) / sum(s for s, _ in ours.values())
    print(f"| {title} | {compared} | {largest['estimate'][0]:.1e} | {largest['error'][0]:.1e} |"
          f" {largest['likelihood'][0]:.1e} | {len(worse)} | {len(own_worse)} | {len(missing)} |"
          f" {ratio:.0f} |")
    for label, which in (("stops at a worse likelihood", worse), ("ours is worse", own_worse)):
        for gap, name in sorted(which, reverse=True)[:5]:
            print(f"  {label}: {name} by {gap:.3g}", file=sys.stderr)
    for name in missing[:5]:
        print(f"  no fit: {name}", file=sys.stderr)
    for kind, (value, name) in largest.items():
        print(f"  largest difference of the {kind}: {name} {value:.3g}", file=sys.stderr)


def attempt(title, ours, fit):
    try:
        theirs = fit()
    except (ImportError, OSError, RuntimeError) as problem:
        print(f"{title}: left out, it cannot be run here: {problem}", file=sys.stderr)
        return
    print(title, file=sys.stderr)
    compare(title, ours, theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("evt_lines")
    parser.add_argument("--samples", type=int, default=200)
    options = parser.parse_args()
    samples = make_samples(options.samples)
    ours = fit_by([options.evt_lines], samples)
    print("| rival | compared | estimates | errors | likelihood | theirs worse | ours worse |"
          " no fit | times slower |")
    print("|---" * 9 + "|")
    script = os.path.join(HERE, "evt_rivals.R")
    for tolerance, word in (("default", "as it is"), ("1e-15", "told scales, 1e-15")):
        attempt(f"evd, {word}", ours,
                lambda t=tolerance: fit_by(["Rscript", script, t], samples))
    for tolerance, word in ((None, "as it is"), (1e-12, "given a start, 1e-12")):
        attempt(f"SciPy, {word}", ours, lambda t=tolerance: fit_by_scipy(samples, t))


if __name__ == "__main__":
    main()
