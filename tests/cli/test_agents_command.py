"""``agents`` and ``learners``: which there are, and what can be set."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from connectlab.agents import registry
from connectlab.agents.registry import Entry, config_class, learners, players, settings_class

Cli = Callable[..., Any]


@pytest.mark.parametrize(
    ("command", "names", "model_of"),
    [("agents", players, settings_class), ("learners", learners, config_class)],
)
def test_every_entry_is_listed_with_every_setting(
    cli: Cli, command: str, names: Any, model_of: Any
) -> None:
    entries = {entry["name"]: entry for entry in cli(command, "--json").document}
    assert list(entries) == list(names())
    for name, entry in entries.items():
        assert [setting["name"] for setting in entry["settings"]] == list(
            model_of(name).model_fields
        )
        assert all(setting["description"] and setting["type"] for setting in entry["settings"])
        assert entry["summary"] == model_of(name).summary


def test_a_setting_has_type_and_default(cli: Cli) -> None:
    found = {player["name"]: player for player in cli("agents", "--json").document}
    settings = {setting["name"]: setting for setting in found["minimax"]["settings"]}
    assert settings["depth"]["default"] == 4
    assert settings["depth"]["type"] == "int >= 1 <= 63"
    assert settings["alpha_beta"]["default"] is True
    objectives = found["perfect"]["settings"][0]["type"]
    assert objectives == "distance | outcome | framework | framework-books"
    source = found["ntuple"]["settings"][0]
    assert (source["name"], source["required"], source["default"]) == ("source", True, None)


def test_the_settings_of_a_learner_are_as_a_run_has_them(cli: Cli) -> None:
    (learner,) = cli("learners", "ntuple", "--json").document
    config = config_class("ntuple")
    assert {s["name"]: s["default"] for s in learner["settings"]} == {
        **config().plain(),
        "variant": "",  # a run names these only where they are set
        "epsilon_second": None,
        "safe_second": False,
        "restarts": 0.0,
        "surprise": 0.3,
        "output": "tanh",
        "haste": 0.0,
    }
    types = {setting["name"]: setting["type"] for setting in learner["settings"]}
    assert types["tuple_file"] == "str | none"
    assert types["alpha"] == "schedule"
    assert types["states"] == "3 | 4"
    assert types["seed"] == "int >= 0 < 2^63"


def test_presets_are_listed_with_what_they_change(cli: Cli) -> None:
    (learner,) = cli("learners", "ntuple", "--json").document
    presets = {preset["name"]: preset["settings"] for preset in learner["presets"]}
    own = config_class("ntuple").presets
    assert presets == {name: dict(made.settings) for name, made in own.items()}
    (thill,) = (preset for preset in learner["presets"] if preset["name"] == "thill-p4")
    assert thill["measures"] == ["success:games=50,objective=framework"]
    assert thill["evaluation_every"] == 100_000
    out = cli("learners").out
    assert "quick" in out
    assert "games=750000" in out
    assert "every 100,000" in out


def test_only_those_named_are_listed(cli: Cli) -> None:
    names = [player["name"] for player in cli("agents", "perfect", "random", "--json").document]
    assert names == ["perfect", "random"]


def test_the_table_names_players_and_defaults(cli: Cli) -> None:
    lines = [line.split() for line in cli("agents").out.splitlines()]
    firsts = [words[0] for words in lines if words]
    assert [name for name in firsts if name in players()] == list(players())
    (alpha_beta,) = [words for words in lines if words[:1] == ["alpha_beta"]]
    assert alpha_beta[1:3] == ["bool", "true"]


@pytest.mark.parametrize("command", ["agents", "learners"])
def test_one_that_cannot_be_loaded_is_listed_as_such(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    known = registry.players() if command == "agents" else registry.learners()
    monkeypatch.setitem(known, "broken", Entry(None, "no_such_module:Thing"))
    ran = cli(command, "--json")
    assert ran.code == 0
    assert ran.document[-1]["name"] == "broken"
    assert ran.document[-1]["summary"].startswith("not available: ")
    assert ran.document[-1]["settings"] == []


@pytest.mark.parametrize("command", ["agents", "learners"])
def test_a_list_imports_no_kernel(command: str) -> None:
    program = (
        "import sys\n"
        "from connectlab.cli.app import run\n"
        f"code = run([{command!r}, '--json']) or run([{command!r}])\n"
        "heavy = [name for name in ('numba', 'torch', 'matplotlib') if name in sys.modules]\n"
        "print(code, heavy, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stderr.strip() == "0 []"
