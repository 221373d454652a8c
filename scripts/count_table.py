"""Write the table by which prose is counted: which characters are letters and numbers, which are marks between them.

    python scripts/count_table.py > lantern_kit/novel/count_v1.txt

The table is shipped, and never made anew for a policy that novels were begun under: Unicode adds letters every year, so
two versions of Python, or of ICU, count the same prose differently.
"""

from __future__ import annotations

import icu

COUNTED = {"L": "effective", "N": "effective", "P": "marks", "S": "marks"}
"""By the first letter of a general category."""


def ranges(wanted: str) -> list[tuple[int, int]]:
    """Runs of code points that count as ``wanted``."""
    found: list[tuple[int, int]] = []
    for point in range(0x110000):
        category = icu.Char.charType(point)
        name = _CATEGORIES[category]
        if COUNTED.get(name[0]) == wanted:
            if found and found[-1][1] == point - 1:
                found[-1] = (found[-1][0], point)
            else:
                found.append((point, point))
    return found


_CATEGORIES = "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf".split()  # noqa: SIM905
"""ICU's numbers of general categories, in its order."""


def main() -> None:
    """Print the table."""
    print(f"# policy 1, Unicode {icu.UNICODE_VERSION}: runs of code points, in hexadecimal")
    for wanted in ("effective", "marks"):
        print(wanted)
        for first, last in ranges(wanted):
            print(f"{first:x}" if first == last else f"{first:x}-{last:x}")


if __name__ == "__main__":
    main()
