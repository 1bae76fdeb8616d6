"""One page of black boxes and plain words as a PDF at true scale.

Follows ISO 32000-1: a page of that many points (1/72 inch), one content stream, a standard font.
"""

from __future__ import annotations

POINTS_PER_MM = 72 / 25.4


class Page:
    """A page to draw on; lengths in mm from its lower left corner."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self.size_mm = (width_mm, height_mm)
        self._drawn: list[str] = []

    def box(self, x: float, y: float, width: float, height: float) -> None:
        """Fill a box with black."""
        numbers = (f"{value * POINTS_PER_MM:.4f}" for value in (x, y, width, height))
        self._drawn.append(f"{' '.join(numbers)} re f")

    def text(self, x: float, y: float, points: float, words: str) -> None:
        """Write a line of plain ASCII text.

        Args:
            x: Its start.
            y: Its base line.
            points: Height of the letters in points.
            words: What to write.
        """
        safe = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        at = f"{x * POINTS_PER_MM:.3f} {y * POINTS_PER_MM:.3f}"
        self._drawn.append(f"BT /F1 {points:g} Tf {at} Td ({safe}) Tj ET")

    def pdf(self, title: str) -> bytes:
        """The finished file.

        Args:
            title: Its name, plain ASCII.
        """
        width, height = (f"{side * POINTS_PER_MM:.3f}" for side in self.size_mm)
        stream = "0 g\n" + "\n".join(self._drawn)
        bodies = (
            "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 5 0 R "
            "/Resources << /Font << /F1 4 0 R >> >> >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
            f"<< /Title ({title}) >>",
        )
        text = "%PDF-1.4\n"
        places = []
        for number, body in enumerate(bodies, 1):
            places.append(len(text))
            text += f"{number} 0 obj\n{body}\nendobj\n"
        table = "".join(f"{place:010d} 00000 n \n" for place in places)
        count = len(bodies) + 1
        start = len(text)
        text += f"xref\n0 {count}\n0000000000 65535 f \n{table}"
        text += f"trailer\n<< /Size {count} /Root 1 0 R /Info {len(bodies)} 0 R >>\n"
        text += f"startxref\n{start}\n%%EOF\n"
        return text.encode("ascii")
