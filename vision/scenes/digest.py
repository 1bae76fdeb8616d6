"""What matters of a rendered split in a small file: `python -m vision.scenes.digest DIR SPLIT`.

From it a test can tell how hard a set is without rendering it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from vision.scenes.labels import MIN_HEIGHT_PX, MIN_SHARE


def picture(known: dict[str, Any]) -> dict[str, Any]:
    """Digest of one truth file: light, table, and the figures that have a label line."""
    figures = []
    for figure in known["figures"]:
        if figure["box_px"] is None or figure["visible"] < MIN_SHARE:
            continue
        x0, y0, x1, y1 = figure["box_px"]
        if max(x1 - x0, y1 - y0) >= MIN_HEIGHT_PX:
            kept = {key: figure[key] for key in ("kind", "state", "visible")}
            figures.append({**kept, "height_px": y1 - y0})
    hands = sum(h["box_px"] is not None and h["visible"] >= MIN_SHARE for h in known["hands"])
    kept = {key: known[key] for key in ("image_size_px", "rig", "table")}
    return {**kept, "hands": hands, "figures": figures}


def digest(folder: Path, split: str) -> list[dict[str, Any]]:
    """Digests of a split's pictures, by name."""
    paths = sorted((folder / "truth" / split).glob("*.json"))
    return [picture(json.loads(path.read_text("utf-8"))) for path in paths]


def main(arguments: list[str]) -> int:
    """Command line; returns the exit status."""
    if len(arguments) != 2:
        sys.stderr.write("digest: error: arguments: DIR and SPLIT wanted\n")
        return 2
    rows = digest(Path(arguments[0]), arguments[1])
    if not rows:
        sys.stderr.write(f"digest: error: {arguments[0]}: holds no truth/{arguments[1]}/*.json\n")
        return 2
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    sys.stdout.write(f"[\n{lines}\n]\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
