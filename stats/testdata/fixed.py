# How the values in fixed.json were computed: the definitions of STATISTICS, written out
# in 50-digit arithmetic (mpmath), and Fisher's test in whole numbers.
#   python3 fixed.py > fixed.json
import json
from fractions import Fraction
from math import comb
from mpmath import mp, mpf, betainc, gammainc, erfc, erfinv, sqrt, log

mp.dps = 50
CONFIDENCE = mpf("0.95")
z = sqrt(mpf(2)) * erfinv(CONFIDENCE)
f = lambda x: float(mp.nstr(x, 20))

def tails_t(t, df):
    return betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True)

def welch(a, b):
    (n, x, v), (m, y, w) = a, b          # size, mean, unbiased variance
    va, wb = mpf(v) / n, mpf(w) / m
    t = (mpf(x) - y) / sqrt(va + wb)
    df = (va + wb) ** 2 / (va ** 2 / (n - 1) + wb ** 2 / (m - 1))
    d = mpf(x) - y
    r = mpf(x) / y
    e = d / abs(mpf(y))
    s = sqrt(va + r * r * wb) / abs(mpf(y))
    out = {"a": a, "b": b, "t": f(t), "df": f(df), "p": f(tails_t(t, df)),
           "interval": [f(d - z * sqrt(va + wb)), f(d + z * sqrt(va + wb))],
           "effect": f(e), "delta": [f(e - z * s), f(e + z * s)], "fieller": None}
    A = mpf(y) ** 2 - z ** 2 * wb        # rho: (x - rho y)^2 = z^2 (va + rho^2 wb)
    if A > 0:
        root = sqrt((mpf(x) * y) ** 2 - A * (mpf(x) ** 2 - z ** 2 * va))
        sign = 1 if y > 0 else -1
        ends = sorted(sign * ((mpf(x) * y + s_ * root) / A - 1) for s_ in (-1, 1))
        out["fieller"] = [f(ends[0]), f(ends[1])]
    return out

def rates(x, n, y, m):
    p, q, pool = mpf(x) / n, mpf(y) / m, mpf(x + y) / (n + m)
    Z = (p - q) / sqrt(pool * (1 - pool) * (mpf(1) / n + mpf(1) / m))
    s = sqrt(p * (1 - p) / n + q * (1 - q) / m)
    k, total = x + y, comb(n + m, x + y)
    weight = lambda i: comb(n, i) * comb(m, k - i)
    far = sum(weight(i) for i in range(max(0, k - m), min(n, k) + 1) if weight(i) <= weight(x))
    def wilson(x, n):
        c, h = (mpf(x) + z * z / 2) / (n + z * z), z / (n + z * z) * sqrt(mpf(x) * (n - x) / n + z * z / 4)
        return c - h, c + h
    (l1, u1), (l2, u2) = wilson(x, n), wilson(y, m)
    return {"x": x, "n": n, "y": y, "m": m, "z": f(Z), "p": f(erfc(abs(Z) / sqrt(mpf(2)))),
            "wald": [f(p - q - z * s), f(p - q + z * s)], "fisher": float(Fraction(far, total)),
            "newcombe": [f(p - q - sqrt((p - l1) ** 2 + (u2 - q) ** 2)), f(p - q + sqrt((u1 - p) ** 2 + (q - l2) ** 2))]}

def ratio(seen, weights):
    total, share = sum(seen), sum(map(mpf, weights))
    square = sum((n - total * mpf(w) / share) ** 2 / (total * mpf(w) / share) for n, w in zip(seen, weights))
    k = len(seen) - 1
    return {"seen": seen, "weights": weights, "square": f(square), "p": f(gammainc(mpf(k) / 2, square / 2, mp.inf, regularized=True))}

def loss(samples):
    return f(-sum(log(mpf(p) if kept else 1 - mpf(p)) for p, kept in samples) / len(samples))

samples = [[0.9, True], [0.8, False], [0.6, True], [0.25, False], [0.5, True]]
json.dump({
    "welch": [welch(a, b) for a, b in [
        ([30, 0.5, 0.25862068965517243], [30, 0.23333333333333334, 0.18505747126436782]),
        ([2, 3.5, 0.5], [3, 1.25, 7.75]), ([100000, 1.001, 4.0], [5000, 1.0, 9.0]),
        ([12, -4.5, 2.0], [40, -6.25, 30.0]), ([8, 0.125, 3.0], [9, 0.0625, 2.5]), ([50, 100.0, 1e-8], [50, 99.0, 1e-8])]],
    "rates": [rates(*c) for c in [(15, 30, 7, 30), (33, 100, 35, 86), (25, 63, 29, 82), (0, 10, 5, 10), (3, 4, 1, 4),
                                  (980, 1000, 950, 1000), (1, 3, 90, 1200), (600, 1200, 500, 1100)]],
    "ratio": [ratio(*c) for c in [([530, 470], ["1", "1"]), ([900, 60, 40], ["0.9", "0.05", "0.05"]), ([5, 5, 5, 9], ["1", "1", "1", "1"]),
                                  ([50400, 49600], ["0.5", "0.5"])]],
    "loss": {"samples": samples, "value": loss([(str(p), k) for p, k in samples])},
}, __import__("sys").stdout, indent=1)
