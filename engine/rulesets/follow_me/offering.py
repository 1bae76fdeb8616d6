"""Everything the players may do now, described for a page that knows no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from engine.ruleset import InputKind, Option
from engine.rulesets.follow_me import offering_fights, offering_magic, offering_orders
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.ending import in_play
from engine.rulesets.follow_me.field import EDGES, KINDS, UPRIGHT, Field
from engine.rulesets.follow_me.marks import (
    Phase,
    flagged,
    followers,
    has,
    heroes,
    is_big,
    is_hero,
    is_mage,
    left_out,
    living,
    placing,
    spells_known,
    type_of,
    undead,
    unsettled,
)
from engine.rulesets.follow_me.measures.scales import allowance
from engine.rulesets.follow_me.setting_up import BODIES, RANKS
from engine.rulesets.follow_me.words import spell_words, unit_words
from engine.spots import side_name, word
from engine.state import GameState, Unit
from engine.table import TableState
from engine.words import piece_names

Offer = Callable[[Field], Iterator[Option]]


def options(state: GameState, table: TableState) -> tuple[Option, ...]:
    """All options of all players, the most pressing first."""
    if state.phase == Phase.FINISHED:
        return ()
    field = Field(state, table)
    found = list(_question(state))
    found += _accepts(state)
    if state.question is None:
        found += _PHASES[Phase(state.phase)](field)
    if state.phase in (Phase.DECLARE, Phase.MOVE, Phase.MORALE):
        found += _down(state)
    if state.phase != Phase.SETUP:
        found += _units(state)
        found += [
            Option(
                "concede", f"{side_name(side)} gives up", InputKind.CONFIRM, side,
                rule="FM-END-01", minor=True,
            )
            for side in in_play(state)
        ]  # fmt: skip
    return tuple(found)


def _question(state: GameState) -> Iterator[Option]:
    question = state.question
    if question is not None:
        yield Option(
            "answer", question.text, InputKind.CHOICE, question.side, question.figure_id,
            question.choices, rule=question.rule,
        )  # fmt: skip


def _accepts(state: GameState) -> Iterator[Option]:
    for unit in living(state):
        if flagged(unit):
            rule, hint = word(unit, "open_rule"), "Or put it back."
        elif has(unit, "placing"):
            rule, hint = "FM-GEO-12", "Or put it where it belongs."
        else:
            continue
        yield Option(
            "accept", f"Accept where {unit.name} stands", InputKind.CONFIRM, unit.side,
            unit.figure_id, rule=rule, hint=hint,
        )  # fmt: skip


def _down(state: GameState) -> Iterator[Option]:
    """Figures that lie or are not seen: only the players know why (FM-GEO-17, FM-GEO-18)."""
    for unit in living(state):
        down = has(unit, "down")
        if not down and unit.mark("missing") is None:
            continue
        text = f"{unit.name} is lying" if down else f"{unit.name} is not seen"
        stays = "Knocked over: it stays" if down else "Hidden or carried: it stays"
        yield Option(
            "fallen", text, InputKind.CHOICE, unit.side, unit.figure_id,
            (("stays", stays), ("removed", "It is out of the game")),
            rule="FM-GEO-17" if down else "FM-GEO-18",
        )  # fmt: skip


def _units(state: GameState) -> Iterator[Option]:
    """What there is to know about each figure, while it is tapped."""
    for unit in living(state):
        yield Option(
            "unit", unit.name, InputKind.SHOW, unit.side, unit.figure_id, rule="FM-HIT-04",
            hint=unit_words(state, unit), minor=True,
        )  # fmt: skip


def _setup(field: Field) -> Iterator[Option]:
    state = field.state
    yield from _scale(field)
    for figure in field.table.figures:
        if figure.state in UPRIGHT and state.unit(figure.figure_id) is None:
            yield Option(
                "join", "Whose figure is it?", InputKind.CHOICE, None, figure.figure_id,
                tuple((side, side_name(side)) for side in state.sides), rule="FM-SET-09",
            )  # fmt: skip
    for unit in living(state):
        yield from _recruit(field, unit)
    for unit in left_out(state):
        yield Option(
            "join", f"{unit.name} does not play. Let it play for", InputKind.CHOICE, None,
            unit.figure_id, tuple((side, side_name(side)) for side in state.sides),
            rule="FM-SET-09", minor=True,
        )  # fmt: skip
    names = piece_names(field.table.terrain)
    for piece, kind in field.pieces:
        name = names[piece.terrain_id]
        yield Option(
            "label", f"{name}: {_plain(kind)}", InputKind.CHOICE, rule="FM-SET-01",
            choices=tuple((f"{piece.terrain_id}:{one}", _plain(one)) for one in sorted(KINDS)),
        )  # fmt: skip
    for side in state.sides:
        if any(True for _ in living(state, side)):
            text = f"{side_name(side)}: own edge in the {field.edge_of(side)}"
            yield Option(
                "edge", text, InputKind.CHOICE, side, rule="FM-SET-10",
                choices=tuple((edge, edge.capitalize()) for edge in EDGES), minor=True,
            )  # fmt: skip
    if any(True for _ in heroes(state)):
        yield Option("ready", "Everybody is ready", rule="FM-SET-14")


def _scale(field: Field) -> Iterator[Option]:
    options, types = field.settings, data().types
    walk, ride = (allowance(types[name], (), options) for name in ("light_soldier", "horseman"))
    yield Option(
        "scale", "Scale", InputKind.SHOW, rule="FM-GEN-03",
        hint=f"One rule inch is {options.inches(1.0):.1f} millimetres. A soldier walks "
        f"{walk:.0f}, a horse {ride:.0f}.",
    )  # fmt: skip


def _recruit(field: Field, unit: Unit) -> Iterator[Option]:
    """Everything to be said about one figure before the game."""

    def choice(kind: str, text: str, rule: str, choices: tuple[tuple[str, str], ...]) -> Option:
        return Option(
            kind, f"{unit.name}: {text}", InputKind.CHOICE, unit.side, unit.figure_id, choices,
            rule=rule,
        )  # fmt: skip

    own = type_of(unit)
    mages = field.settings.modules_mages
    kinds = tuple((t.name, t.words) for t in data().types.values() if mages or not t.mage)
    yield choice("type", "no type yet" if own is None else own.words, "FM-SET-06", kinds)
    if own is None:
        return
    if is_hero(unit):
        yield from _hero(field, unit, choice)
    elif not is_big(unit):
        leaders = tuple((u.figure_id, u.name) for u in heroes(field.state, unit.side))
        if leaders:
            yield choice("lead", "who leads it?", "FM-SET-03", leaders)
    yield choice("rank", "rank", "FM-SET-07", tuple((rank, rank) for rank in RANKS))
    if not own.undead:
        text = "alive after all" if undead(unit) else "is undead"
        yield Option(
            "undead", f"{unit.name}: {text}", InputKind.TAP, unit.side, unit.figure_id,
            rule="FM-SET-08", minor=True,
        )  # fmt: skip
    yield Option(
        "leave_out", f"{unit.name} does not play", InputKind.CONFIRM, unit.side, unit.figure_id,
        rule="FM-SET-06", minor=True,
    )  # fmt: skip


def _hero(field: Field, unit: Unit, choice: Callable[..., Option]) -> Iterator[Option]:
    men = len(followers(field.state, unit.figure_id))
    yield Option(
        "contingent", f"{unit.name} leads {men}", InputKind.SHOW, unit.side, unit.figure_id,
        rule="FM-SET-04", hint="The rules suggest 6 to 20.",
    )  # fmt: skip
    weapons = (("bow", "Bow"), ("crossbow", "Crossbow"), ("none", "Neither"))
    yield choice("weapon", "carries", "FM-SET-12", weapons)
    if not is_mage(unit):
        return
    yield choice(
        "body", "as a", "FM-MAGE-29", tuple((name, data().types[name].words) for name in BODIES)
    )
    yield Option(
        "points", f"{unit.name}: power points", InputKind.NUMBER, unit.side, unit.figure_id,
        rule="FM-MAGE-05", hint="Usually 12.",
    )  # fmt: skip
    if field.settings.modules_spells:
        known = spells_known(unit)
        wanted = data().whole("mage.known")
        free = len(known) < wanted
        choices = tuple(
            (key, f"{'Strike out' if key in known else 'Choose'} {spell_words(key)}")
            for key in data().spells
            if free or key in known
        )
        yield choice("learn", f"spells, {len(known)} of {wanted}", "FM-MAGE-11", choices)


def _plain(kind: str) -> str:
    return kind.replace("_", " ")


def _results(field: Field) -> Iterator[Option]:
    """Kills and push-backs wait to be carried out."""
    for unit in placing(field.state):
        yield offering_orders.place_option(unit)
    yield from offering_orders.moves(field)
    if not unsettled(field.state):
        yield Option("done", "All is carried out", rule="FM-MELEE-26")


_PHASES: Final[dict[Phase, Offer]] = {
    Phase.SETUP: _setup,
    Phase.UPKEEP: offering_magic.upkeep,
    Phase.DECLARE: offering_orders.declare,
    Phase.MOVE: offering_orders.move,
    Phase.SALLY: offering_orders.move,
    Phase.MAGIC: offering_magic.magic,
    Phase.SHOOT_TARGETS: offering_fights.aims,
    Phase.SHOOT_ROLL: offering_fights.volleys,
    Phase.SHOOT_CASUALTIES: offering_fights.casualties,
    Phase.MELEE_SPLIT: offering_fights.split,
    Phase.MELEE_ROLL: offering_fights.rolls,
    Phase.DUELS: offering_fights.duels,
    Phase.MELEE_RESULTS: _results,
    Phase.MORALE: offering_fights.morale,
    Phase.END_TURN: offering_magic.end_turn,
}
