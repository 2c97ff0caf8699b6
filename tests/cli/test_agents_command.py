"""``agents`` and ``inspect``: which players there are and what they think."""

from collections.abc import Callable
from typing import Any

import pytest

from connectlab.agents import agent_class, registered

Cli = Callable[..., Any]


def test_every_player_and_setting_is_listed(cli: Cli) -> None:
    players = {player["name"]: player for player in cli("agents", "--json").document}
    assert list(players) == list(registered())
    for name, player in players.items():
        fields = agent_class(name).Settings.model_fields
        assert [setting["name"] for setting in player["settings"]] == list(fields)
        assert all(setting["description"] for setting in player["settings"])
        assert player["summary"]


def test_a_setting_has_type_and_default(cli: Cli) -> None:
    players = {player["name"]: player for player in cli("agents", "--json").document}
    settings = {setting["name"]: setting for setting in players["minimax"]["settings"]}
    assert settings["depth"]["default"] == 4
    assert settings["depth"]["type"].startswith("int >= 1")
    objective = players["perfect"]["settings"][0]
    assert objective["type"] == "distance | outcome"


def test_the_table_names_players_and_defaults(cli: Cli) -> None:
    out = cli("agents").out
    for name in registered():
        assert name in out
    assert "alpha_beta" in out
    assert "true" in out


def test_a_player_that_cannot_be_loaded_is_listed_as_such(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registered(), "broken", "no_such_module:Player")
    ran = cli("agents", "--json")
    assert ran.code == 0
    assert ran.document[-1]["name"] == "broken"
    assert "not available" in ran.document[-1]["summary"]


def test_inspect_shows_values_and_choice(cli: Cli) -> None:
    document = cli("inspect", "perfect", "121212", "--json").document
    assert document["agent"] == "perfect"
    assert document["moves"] == "121212"
    assert document["best"] == ["1"]
    assert document["values"]["1"] == 18
    assert document["unit"]


def test_inspect_for_people(cli: Cli) -> None:
    ran = cli("inspect", "perfect", "121212")
    assert "<- would play" in ran.out
    assert " | X   O   ." in ran.out


def test_inspect_the_empty_board_by_default(cli: Cli) -> None:
    assert cli("inspect", "minimax:depth=2", "--json").document["moves"] == ""
