"""Which arithmetic a training uses."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace

import pytest

from vision.training.precision import quick


@pytest.mark.parametrize(
    ("able", "half"),
    [
        ({}, False),
        ({"avx512_bf16": False}, False),
        ({"avx512_bf16": True}, True),
        ({"amx_bf16": True, "avx512_bf16": False}, True),
    ],
)
def test_bfloat16_only_where_the_processor_has_it(
    monkeypatch: pytest.MonkeyPatch, able: dict[str, bool], half: bool
) -> None:
    asked: list[str] = []

    def autocast(device: str, dtype: str) -> AbstractContextManager[None]:
        asked.append(f"{device} {dtype}")
        return nullcontext()

    cpu = SimpleNamespace(get_capabilities=lambda: able)
    torch = SimpleNamespace(cpu=cpu, autocast=autocast, bfloat16="bf16")
    monkeypatch.setitem(sys.modules, "torch", torch)
    with quick():
        pass
    assert asked == (["cpu bf16"] if half else [])


def test_a_torch_that_cannot_tell_is_asked_the_old_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def autocast(device: str, dtype: str) -> AbstractContextManager[None]:
        asked.append(dtype)
        return nullcontext()

    for cpu in (SimpleNamespace(), SimpleNamespace(_is_avx512_bf16_supported=lambda: True)):
        torch = SimpleNamespace(cpu=cpu, autocast=autocast, bfloat16="bf16")
        monkeypatch.setitem(sys.modules, "torch", torch)
        quick()
    assert asked == ["bf16"]
