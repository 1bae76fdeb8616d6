"""The page that tells a recording."""

from engine.referee import Referee
from engine.table import TableState
from server.report import Paths, report
from tests.engine.tables import figure


def _table(t_ns: int, x_mm: float) -> TableState:
    return TableState(t_ns, (400.0, 300.0), (figure("f1", (x_mm, 50.0), sigma=0.6),), (), True)


def test_a_move_is_told_with_its_doubt() -> None:
    paths = Paths()
    paths.step(_table(0, 100.0))
    paths.step(_table(1_000_000_000, 200.0))
    paths.step(_table(2_000_000_000, 203.0))
    page = report("film", paths, Referee(), None)
    # Two places of 0.6 mm each.
    assert "10.0 cm ± 0.8 mm" in page
    assert page.count("±") == 1
