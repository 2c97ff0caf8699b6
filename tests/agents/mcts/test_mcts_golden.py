"""A search tree on record: a change in what is searched must be meant.

Run this file to write it anew.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from trees import tree_of

from connectlab.agents import make_agent
from connectlab.agents.mcts.agent import MCTSAgent
from connectlab.game import STANDARD, Position

FOLDER = Path(__file__).parents[2] / "golden" / "searches"
STREAM = 2024
SEARCHES = {
    "mcts": (
        "mcts:iterations=150,exploration=1.0,rollouts=random,stop_at_win=true,"
        "forced_blocks=false,transpositions=false,solver=true",
        "4444",
    ),
    "mcts-puct": (
        "mcts:iterations=60,exploration=2.0,prior=minimax:depth=2,prior_share=0.5,"
        "rollouts=heuristic,forced_blocks=true,transpositions=true",
        "44445",
    ),
}


def record(name: str) -> dict[str, Any]:
    spec, moves = SEARCHES[name]
    agent = make_agent(spec)
    assert isinstance(agent, MCTSAgent)
    forest = agent.search(Position.from_moves(moves), stream=STREAM)
    tree = {
        below_root: {
            "edges": {
                column: [visits, round(total, 9)] for column, (visits, total) in edges.items()
            },
            "result": result,
        }
        for below_root, (edges, result) in tree_of(forest, STANDARD).items()
        if edges
    }
    return {"spec": spec, "moves": moves, "stream": STREAM, "tree": tree}


@pytest.mark.parametrize("name", SEARCHES)
def test_grows_the_tree_on_record(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert record(name) == json.loads(text)


if __name__ == "__main__":
    for chosen in SEARCHES:
        text = json.dumps(record(chosen), indent=1) + "\n"
        (FOLDER / f"{chosen}.json").write_text(text, encoding="utf-8")
