"""What a side that gives up leaves undone: its fights, duels, shots and spells (FM-END-01)."""

from __future__ import annotations

from engine.events import Event, Value, results
from engine.rulesets.follow_me.brawling import fights_of, rolled
from engine.rulesets.follow_me.dueling import duels_of
from engine.rulesets.follow_me.marks import has, living
from engine.rulesets.follow_me.play import Play
from engine.spots import text_mark, word


def leave(play: Play, side: str) -> None:
    """Everybody of a side is out, and nothing waits for any of them any longer."""
    gone = list(living(play.state, side))
    for unit in gone:
        play.about("left_out", "FM-END-01", unit)
    _spells(play, {unit.figure_id for unit in gone})
    there = {unit.figure_id for unit in living(play.state)}
    values = _fights(play, there) | _duels(play, there) | _range(play, there)
    if values:
        play.tell(Event("undone_fights", "FM-END-01", side, values=results(**values)))


def _fights(play: Play, there: set[str]) -> dict[str, Value]:
    """Fights of those who are left, renumbered; a fight needs somebody on both sides."""
    before, dice = fights_of(play.state), rolled(play.state)
    kept, entries, asked = list[str](), list[str](), ""
    for old, one in enumerate(before):
        many = [name for name in one.many if name in there]
        if one.single not in there or not many:
            continue
        new = len(kept)
        kept.append(f"{one.single}|{','.join(many)}")
        if old in dice:
            mine, theirs, victim = dice[old]
            named = victim if victim in many else many[0] if victim else ""
            entries.append(f"{new}|{mine}|{theirs}|{named}")
        if text_mark(play.state, "ask_victim") == str(old):
            asked = str(new)
    victims = [name for name in text_mark(play.state, "ask_victims").split(",") if name in there]
    if len(victims) < 2:
        asked, victims = "", []
    values: dict[str, Value] = {
        "game.fights": ";".join(kept), "game.rolled": ";".join(entries),
        "game.ask_victim": asked, "game.ask_victims": ",".join(victims) if asked else "",
    }  # fmt: skip
    return _changed(play, values)


def _duels(play: Play, there: set[str]) -> dict[str, Value]:
    """Duels and watchers of those who are left."""
    pairs = [pair for pair in duels_of(play.state) if there >= set(pair)]
    watchers = [name for name in text_mark(play.state, "watch").split(",") if name in there]
    values: dict[str, Value] = {
        "game.duels": ";".join("|".join(pair) for pair in pairs), "game.watch": ",".join(watchers),
    }  # fmt: skip
    return _changed(play, values)


def _range(play: Play, there: set[str]) -> dict[str, Value]:
    """Nobody says how far it is to whom, or from whom, is gone (FM-GEO-14)."""
    asked = text_mark(play.state, "ask_aim")
    if not asked or there >= set(asked.split("|")):
        return {}
    return {"game.ask_aim": "", "game.ask_aim_mm": "", "game.ask_aim_limit": ""}


def _spells(play: Play, gone: set[str]) -> None:
    """Spells named by them, or on one of them, come to nothing (FM-TURN-11)."""
    for mage in list(play.state.units):
        waits = word(mage, "named") and not has(mage, "cast_done")
        if waits and gone & {mage.figure_id, word(mage, "spell_on")}:
            play.note("spell_lost", "FM-TURN-11", mage, {"unit.cast_done": True})


def _changed(play: Play, values: dict[str, Value]) -> dict[str, Value]:
    return {
        key: value
        for key, value in values.items()
        if text_mark(play.state, key.removeprefix("game.")) != value
    }
