"""REVEAL: all actions are shown together and take effect (FM-TURN-10, FM-ACT, FM-BIG)."""

from __future__ import annotations

from engine.events import Value
from engine.geometry.interval import Verdict
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.declaring import RULES, in_radius, notes_in
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Deed,
    bound,
    followers,
    frozen,
    groups,
    heroes,
    hostile,
    is_big,
    is_hero,
    living,
    members,
)
from engine.rulesets.follow_me.measures import lengths, sorcery
from engine.rulesets.follow_me.play import Play
from engine.spots import spot, word
from engine.state import Unit


def reveal(play: Play) -> None:
    """Tell every hero's action and what comes of it at once."""
    for hero in list(heroes(play.state)):
        deed = word(hero, "deed")
        if not deed:
            rule = "FM-ACT-27" if frozen(play.state, hero) else "FM-TURN-11"
            play.about("no_deed", rule, hero)
            continue
        _SHOWN[Deed(deed)](play, hero)
    for group in groups(play.state):
        holder = play.state.unit(group)
        men = [u for u in members(play.state, group) if not is_hero(u)]
        forced = men and bound(play.state, men[0]) in ("running", "falling_back")
        if holder is not None and forced:
            kind = bound(play.state, men[0])
            rule = "FM-MORALE-24" if kind == "running" else "FM-MORALE-23"
            play.about("forced", rule, holder, what=kind)


def _tell(play: Play, hero: Unit, values: dict[str, Value] | None = None) -> None:
    deed = Deed(word(hero, "deed"))
    told: dict[str, Value] = {"deed": deed.value, "on": word(hero, "deed_on")}
    play.note("revealed", RULES[deed], hero, told | (values or {}))


def heard(field: Field, unit: Unit) -> bool:
    """Whether a follower was within earshot of Follow Me when it was called (FM-ACT-07, 08)."""
    hero = field.state.unit(word(unit, "led_by"))
    if hero is None or word(hero, "deed") != Deed.FOLLOW:
        return False
    one = field.placed(hero, "a") or field.placed(hero)
    other = field.before.get(unit.figure_id)
    if one is None or other is None:
        return False
    limit = field.settings.inches(data().numbers["command.follow_me_in"])
    gap = lengths.edge_gap(one, other)
    verdict = lengths.held(gap, limit, field.settings, one.sigma_mm, other.sigma_mm)
    return verdict is not Verdict.NO


def _follow(play: Play, hero: Unit) -> None:
    men = followers(play.state, hero.figure_id)
    near = [man for man in men if heard(play.field, man)]
    _tell(play, hero, {"heard": len(near), "of": len(men), "unit.order": ""})


def _attack(play: Play, hero: Unit) -> None:
    """The order goes to all his followers, or to those it carries to (FM-ACT-19, FM-ACT-21)."""
    _tell(play, hero, {"unit.order": word(hero, "deed_on"), "unit.order_turn": play.state.turn})
    field = play.field
    for man in followers(play.state, hero.figure_id):
        missed = not _reached(field, hero, man)
        if missed or man.mark("unsent") is not None:
            play.note("sent", "FM-ACT-19", man, {"unit.unsent": missed})


def _reached(field: Field, hero: Unit, man: Unit) -> bool:
    reach = field.settings.attack_them_range_in
    if reach is None:
        return True
    if reach == "sight":
        return field.sees(man, hero)
    return lengths.fits(field.gap(hero, man), field.settings.inches(float(reach)))


def _note(play: Play, hero: Unit) -> None:
    carrier = play.state.unit(word(hero, "deed_to"))
    _tell(play, hero, {"unit.draft": ""})
    if carrier is not None and carrier.alive:
        play.note("note_sent", "FM-MSG-03", carrier, {
            "unit.note_to": word(hero, "deed_on"), "unit.note_by": hero.figure_id,
            "unit.note_text": word(hero, "draft"),
        })  # fmt: skip


def _read(play: Play, hero: Unit) -> None:
    """The note that came first is read (FM-MSG-04, FM-MSG-09)."""
    notes = notes_in(hero, play.state.turn)
    lines = word(hero, "inbox").split("\n")
    _tell(play, hero, {"unit.inbox": "\n".join(lines[1:]), "unit.last_note": notes[0][2]})


def _instruct(play: Play, hero: Unit) -> None:
    """A Big Thing has its instruction; some of them begin later (FM-BIG-05 to 08, 14, 17)."""
    beast = play.state.unit(word(hero, "deed_on"))
    _tell(play, hero)
    if beast is None or not beast.alive:
        return
    what, _, rest = word(hero, "deed_to").partition("|")
    group, _, roll = rest.partition("|")
    first = sorcery.first_turn(what, play.state.turn, int(roll or 0))
    values: dict[str, Value] = {"what": what, "on": group, "first": first}
    if first > play.state.turn:
        values |= {
            "unit.next_instr": what, "unit.next_on": group, "unit.next_turn": first,
            "unit.next_by": hero.figure_id,
        }  # fmt: skip
        rule = "FM-BIG-06" if what == "attack" else "FM-BIG-08"
    else:
        values |= begun(beast, what, group, hero.figure_id, first)
        rule = "FM-BIG-14"
    play.note("instructed", rule, beast, values)


def begun(beast: Unit, what: str, group: str, by: str, turn: int) -> dict[str, Value]:
    """Marks of a Big Thing that acts on an instruction from now on; its post is here."""
    here = spot(beast)
    return {
        "unit.instr": what, "unit.instr_on": group, "unit.instr_by": by, "unit.instr_turn": turn,
        "unit.next_instr": "", "unit.next_on": "", "unit.next_turn": "", "unit.next_by": "",
        "unit.post_x": None if here is None else here.x,
        "unit.post_y": None if here is None else here.y,
        "unit.post_z": None if here is None else here.z,
    }  # fmt: skip


def _adopt(play: Play, hero: Unit) -> None:
    """Men without a leader are his from now on (FM-ACT-28)."""
    group = word(hero, "deed_on")
    _tell(play, hero)
    for man in followers(play.state, group):
        play.note("adopted", "FM-ACT-28", man, {"unit.led_by": hero.figure_id})


_SHOWN = {
    Deed.HIT: _tell, Deed.FOLLOW: _follow, Deed.SPEECH: _tell, Deed.INSULT: _tell,
    Deed.NOTE: _note, Deed.READ: _read, Deed.ATTACK: _attack, Deed.INSTRUCT: _instruct,
    Deed.CAST: _tell, Deed.MEDITATE: _tell, Deed.HOLD: _tell, Deed.ADOPT: _adopt,
}  # fmt: skip


def words_heard(play: Play) -> None:
    """Speeches and insults reach who was near at the declaration or after the moves.

    FM-ACT-11 to 15, FM-GEO-21: several do not add up; insults cheer the own contingent.
    """
    field = play.field
    for hero in list(heroes(play.state)):
        deed = word(hero, "deed")
        if deed == Deed.SPEECH:
            for group in groups(play.state, hero.side):
                holder = play.state.unit(group)
                if holder is None or is_big(holder):
                    continue  # nothing but its hits presses on a creature (FM-BIG-20)
                _mark(play, hero, field, group, "speech", "speech_in", "FM-ACT-14")
        elif deed == Deed.INSULT and _mark(
            play, hero, field, word(hero, "deed_on"), "insulted", "insult_in", "FM-ACT-15"
        ):
            _mark(play, hero, field, hero.figure_id, "cheered", "speech_in", "FM-ACT-13")


def _mark(
    play: Play, hero: Unit, field: Field, group: str, what: str, radius: str, rule: str
) -> bool:
    """Whether a group hears a hero, and so is told."""
    holder = play.state.unit(group)
    men = [u for u in members(play.state, group) if u.figure_id != hero.figure_id]
    if holder is None or not any(_near(field, hero, man, radius) for man in men):
        return False
    play.upon("words_heard", rule, hero, holder, {"what": what, f"target.{what}": True})
    return True


def _near(field: Field, hero: Unit, man: Unit, radius: str) -> bool:
    """Within a radius at the declaration or now, whichever is nearer."""
    limit = field.settings.inches(data().numbers[f"command.{radius}"])
    return in_radius(field, hero, man, radius) or lengths.fits(field.gap_before(hero, man), limit)


def notes_arrive(play: Play) -> None:
    """Messengers in contact with the addressee hand over their notes (FM-MSG-07)."""
    for carrier in list(living(play.state)):
        hero = play.state.unit(word(carrier, "note_to"))
        if hero is None:
            continue
        if not hero.alive:
            play.note("note_lost", "FM-MSG-07", carrier, {"unit.note_to": "", "unit.note_text": ""})
        elif play.field.touch(carrier, hero):
            text = f"{play.state.turn}|{word(carrier, 'note_by')}|{word(carrier, 'note_text')}"
            inbox = "\n".join(line for line in (word(hero, "inbox"), text) if line)
            play.upon("note_arrived", "FM-MSG-07", carrier, hero, {
                "unit.note_to": "", "unit.note_text": "", "unit.note_by": "",
                "target.inbox": inbox,
            })  # fmt: skip


def order_ends(play: Play) -> None:
    """Orders to attack end when the group is beaten, or as agreed (FM-ACT-21, FM-BIG-15)."""
    how = play.settings.attack_them_persist
    for hero in list(play.state.units):
        group = word(hero, "order")
        if not group:
            continue
        contact = how == "until_contact" and any(
            play.field.touch(man, enemy)
            for man in followers(play.state, hero.figure_id)
            for enemy in members(play.state, group)
        )
        if how == "one_turn" or contact or beaten(play.field, group, hero):
            play.note("order_ended", "FM-ACT-21", hero, {"unit.order": "", "on": group})


def beaten(field: Field, group: str, enemy: Unit) -> bool:
    """A group is beaten: nobody of it is left, or it runs (FM-BIG-15)."""
    men = [u for u in members(field.state, group) if hostile(u, enemy)]
    holder = field.state.unit(group)
    return not men or (holder is not None and word(holder, "morale") == "running")
