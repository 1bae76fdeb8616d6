"""The report of an evaluation: one JSON document, and the same as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vision.evaluation import hand_labels, real
from vision.evaluation.assess import Assessed
from vision.evaluation.breakdowns import LEAST_HEIGHT_PX
from vision.evaluation.matching import HAND_IOU, MATCH_IOU
from vision.evaluation.stats import Summary
from vision.evaluation.summary import each_picture, means, summarise

LISTED = (hand_labels.PART, real.DUPLO)
"""Parts of which Markdown lists every picture."""
TITLES = {
    "kind": "kind",
    "height_px": "height of the box, px",
    "width_px": "width of the box, px",
    "elevation_deg": "elevation of the camera, degrees",
    "light": "light",
    "visible_percent": "share seen, %",
    "state": "state",
}


def report(model: Mapping[str, Any], parts: Sequence[Assessed]) -> Summary:
    """Put all parts together.

    Args:
        model: What is said of the model: name, hash, threshold.
        parts: Judged.
    """
    document: Summary = {
        **model,
        "match_iou": MATCH_IOU,
        "hand_iou": HAND_IOU,
        "least_height_px": LEAST_HEIGHT_PX,
        "parts": [],
    }
    for judged in parts:
        table = each_picture(judged.part)
        summary = summarise(judged.part, judged.low)
        document["parts"].append({**summary, "mean": means(table), "each": table})
    empty = [part for part in document["parts"] if not part["figures"]]
    if empty:
        pictures, false = (sum(part[key] for part in empty) for key in ("pictures", "false"))
        document["without_figures"] = {
            "pictures": pictures,
            "false": false,
            "false_in_10_pictures": round(10 * false / pictures, 2),
        }
    return document


def markdown(document: Summary) -> str:
    """The document of ``report`` as Markdown."""
    text = [
        "# Evaluation",
        "",
        f"Model `{document['model']}` at threshold {document['threshold']:g}. A find is right if "
        f"it is of the figure's kind and overlaps its box by an IoU of {document['match_iou']:g}. "
        f"Figures under {document['least_height_px']:g} px count only in the tables by size; "
        "what an ignored box holds counts neither way.",
        "",
        *_overview(document),
    ]
    for part in document["parts"]:
        text += _part(part)
    return "\n".join(text) + "\n"


def _overview(document: Summary) -> list[str]:
    columns = {
        "part": "source", "pictures": "pictures", "figures": "figures", "recall": "recall",
        "precision": "precision", "median_iou": "median IoU",
        "false_in_10_pictures": "false finds in 10 pictures",
    }  # fmt: skip
    rows = list(document["parts"])
    if "without_figures" in document:
        rows.append({"part": "all without figures", **document["without_figures"]})
    return _table(columns, rows)


def _part(part: Summary) -> list[str]:
    text = ["", f"## {part['part']}"]
    for name, title in TITLES.items():
        if len(part["by"].get(name, ())) > 1:
            columns = {"class": title, "figures": "figures", "recall": "recall"}
            if "precision" in part["by"][name][0]:
                columns |= {"precision": "precision", "false": "false finds"}
            text += ["", *_table(columns, part["by"][name])]
    text += _pose(part)
    for key, title in (
        ("position_mm", "Place on the table, mm off"),
        ("pairs_mm", "Distance between two standing figures, mm off"),
    ):
        if key in part:
            text += ["", f"{title}: {_spread(part[key])}."]
    if "hands" in part:
        columns = {
            "hands": "players' hands", "recall": "recall", "precision": "precision",
            "false": "false finds",
        }  # fmt: skip
        text += ["", *_table(columns, [part["hands"]])]
    if "curve" in part:
        columns = {"threshold": "threshold", "recall": "recall", "precision": "precision"}
        text += ["", *_table(columns, part["curve"]["points"])]
        best = [{"least": least, **row} for least, row in part["curve"]["at_precision"].items()]
        if best:
            columns = {"least": "best recall at a precision of", "recall": "recall"}
            text += ["", *_table({**columns, "threshold": "threshold"}, best)]
    if part["part"] == real.CLIP:
        missed = [row["picture"] for row in part["each"] if row["found"] < row["figures"]]
        text += [
            "",
            f"{part['found']} of {part['figures']} poses; missed: {_words(missed)}; "
            f"{part['other_finds_in_10_pictures']:g} other finds in 10 pictures.",
        ]
    if part["part"] in LISTED:
        columns = {
            "picture": "picture", "figures": "figures", "found": "found", "false": "false finds",
            "recall": "recall", "precision": "precision", "labels": "found as",
        }  # fmt: skip
        last = [{"picture": "mean over pictures with figures", **part["mean"]}]
        last.append({**part, "picture": "all pictures together"})
        text += ["", *_table(columns, [*part["each"], *last])]
    return text


def _pose(part: Summary) -> list[str]:
    text: list[str] = []
    if "soles" in part:
        columns = {
            "class": "height, px", "figures": "found", "given": "with soles",
            "px": "middle of the soles off by, px", "percent_of_height": "% of the height",
            "each_px": "each sole, px", "swapped": "left and right swapped",
        }  # fmt: skip
        text += ["", *_table(columns, part["soles"])]
    if "facing" in part:
        columns = {
            "class": "facing of", "figures": "found", "given": "with facing",
            "deg": "off by, degrees", "turned_about": "turned about",
        }  # fmt: skip
        text += ["", *_table(columns, part["facing"])]
    if "posture" in part:
        columns = {"class": "standing or lying", "figures": "found", "right": "right"}
        text += ["", *_table(columns, part["posture"])]
    if "riders" in part:
        columns = {
            "riders": "riders found", "told": "said to ride", "wrongly": "others said to ride",
            "recall": "recall", "precision": "precision",
        }  # fmt: skip
        text += ["", *_table(columns, [part["riders"]])]
    return text


def _table(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        "| " + " | ".join(columns.values()) + " |",
        "|" + "---|" * len(columns),
        *("| " + " | ".join(_cell(row.get(key)) for key in columns) + " |" for row in rows),
    ]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return _spread(value)
    if isinstance(value, list):
        return _words(value)
    if isinstance(value, float):
        return f"{value:.3g}" if value < 1 else f"{value:g}"
    return str(value)


def _spread(value: Summary) -> str:
    return f"median {value['median']:g}, 95 % within {value['p95']:g} ({value['count']})"


def _words(values: Sequence[str]) -> str:
    return ", ".join(values) if values else "none"
