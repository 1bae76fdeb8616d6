from __future__ import annotations

import os
from pathlib import Path

import pytest

from calibration.files import check_place, write_whole


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        check_place(pipe)
        write_whole(pipe, b"whole")
        assert pipe.is_fifo()
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_link_goes_on_pointing_where_it_did(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_nothing_is_left_where_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for path in (folder, tmp_path / "missing" / "file"):
        with pytest.raises(OSError):  # noqa: PT011
            check_place(path)
        with pytest.raises(OSError):  # noqa: PT011
            write_whole(path, b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_long_name_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    write_whole(path, b"x")
    assert path.read_bytes() == b"x"
