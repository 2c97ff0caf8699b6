"""How a deep Q-network learns: games side by side, a replay buffer, and updates on a device.

A *round* makes one move in every running game: the learner's by one forward pass for all of them,
the other players' by asking each once. What the moves gave goes into the replay buffer, then so
many updates are made as are due. With one game and an update a step that is the paper's loop.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from connectlab.agents.dqn.config import DQNConfig
from connectlab.agents.dqn.deep import Tensor, choose_device, flushing, torch
from connectlab.agents.dqn.games import (
    BOTH,
    DRAWN,
    ENDED,
    FORFEITED,
    GIVEN_UP,
    GREEDY,
    IDLE,
    LOST,
    PLIES,
    WON,
    begin_game,
    draw_random,
    make_games,
    make_output,
    make_rule,
    play_round,
)
from connectlab.agents.dqn.network import KIND, Network, NetworkHeader
from connectlab.agents.dqn.parameters import Layout, new_parameters
from connectlab.agents.dqn.replay import Replay
from connectlab.agents.dqn.updates import LOSS, REWARD, VALUE, Updates
from connectlab.agents.forfeits import FORFEIT
from connectlab.agents.opponents import SELF
from connectlab.agents.registry import make_agent
from connectlab.game.batch import PositionBatch
from connectlab.game.streams import derive_seed, make_streams
from connectlab.storage.checkpoint import Checkpoint, CheckpointError
from connectlab.training.learner import BrokeDownError, Learner, LearnerError, Metrics
from connectlab.training.pace import games_a_step
from connectlab.training.saved import check_beginning, check_kind, check_state, saved_count

STATE_KIND = f"{KIND}-state"
LEARNING, ACTING = range(2)
"""Paths of the seeds of what is drawn on the device."""
MULTIPLICATIONS_A_STEP = 10e9
"""Products that are computed in a step, were all games as long as the board: some 0.2 s."""
PASSES = 4
"""Forward passes that an update is worth: the target's, its own, and twice that backwards."""


class DQNLearner(Learner):
    """A network in training. On the CPU the same config gives the same bits, however it is cut.

    On CUDA sums are taken in an order that may change, so two runs differ in their last bits, and
    then in more. ``threads`` are those of torch; their number may change the last bits too.
    """

    Config = DQNConfig
    config: DQNConfig

    def __init__(self, config: DQNConfig, *, threads: int = 1) -> None:
        super().__init__(config, threads=threads)
        torch.set_num_threads(threads)
        self.device = choose_device(config.device)
        self._header = NetworkHeader.of(config)
        self._layout = Layout(self._header, noisy=config.noisy)
        self.replay = Replay(
            config.replay, self.device, priority=config.priority, bug=config.replay_bug
        )
        start = new_parameters(self._layout, config.seed, config.noisy_sigma)
        self.updates = Updates(config, self._layout, start, self.replay)
        self._generator = torch.Generator(self.device)
        self._rule = make_rule(config)
        self._games = make_games(config.parallel, config.geometry.cells)
        self._output = make_output(config.parallel, config.n_step)
        self._specs = config.opponent_specs
        self._players = {s: make_agent(s, config.geometry) for s in self._specs if s != SELF}
        self._begun = self._ended = self._rounds = self._due = 0
        """Games begun and ended, rounds played, and transitions that no update was made for."""
        self.games_a_step = _games_a_step(config, self._header)
        """Games of a step; a step ends where their number is a multiple of this."""

    # Learning

    def step(self) -> Metrics:
        """Play and learn until the next multiple of ``games_a_step`` games has ended.

        Returns ``alpha`` and ``epsilon``; ``loss``, and the means over all batches of ``reward``
        and of ``q``, the value of the chosen moves; ``plies``, the mean length of the games that
        ended; ``score``, the mean result against other players, where there are any; and
        ``forfeits``, the share of those games that the other player forfeited, if it did.
        """
        first, size = self.games_done, self.games_a_step
        if first >= self.config.games:
            raise LearnerError(f"all {first:,} games of the run are learned: more games= go on")
        stop = min(self.config.games, (first // size + 1) * size)
        done = self.updates.done
        self._output.tally[:] = 0
        self.updates.sums.zero_()
        with flushing():
            while self._ended < stop:
                self._round()
        self.games_done = stop
        return self._metrics(self.updates.done - done)

    def _metrics(self, updates: int) -> Metrics:
        tally, sums = self._output.tally, self.updates.sums.tolist()
        ended = max(1, int(tally[ENDED]))
        means = {"loss": sums[LOSS], "reward": sums[REWARD], "q": sums[VALUE]}
        if not np.isfinite(sums).all():
            self._stop()
        metrics = {
            "alpha": self._rate("alpha"),
            "epsilon": self._epsilon(),
            **{name: total / updates for name, total in means.items() if updates},
            "plies": float(tally[PLIES] / ended),
        }
        against_others = int(tally[[WON, DRAWN, LOST]].sum())
        if against_others:
            metrics["score"] = float((tally[WON] + tally[DRAWN] / 2) / against_others)
        if tally[FORFEITED]:
            metrics["forfeits"] = float(tally[FORFEITED] / against_others)
        return metrics

    def _stop(self) -> None:
        config = self.config
        raise BrokeDownError(
            f"the weights exploded by game {self._ended:,}: values are no numbers with "
            f"alpha={config.alpha}, loss={config.loss}, gamma={config.gamma}: try a smaller alpha, "
            "or loss=huber"
        )

    def _rate(self, name: str) -> float:
        """Return a rate as it is at the next game."""
        at = min(self._ended, self.config.games - 1)
        return float(getattr(self.config, name).values(at, 1, self.config.games)[0])

    def _epsilon(self) -> float:
        config = self.config
        if config.noisy:
            return 0.0
        within = config.epsilon_games or config.games
        return float(config.epsilon.values(self._ended, 1, within)[0])

    def _round(self) -> None:
        """Make a move in every game, keep what came of it, and learn what is due."""
        self._begin_games()
        n = play_round(self._games, *self._choose(), self._rule, self._output)
        output = self._output
        self.replay.add(output.words[:, :n], output.columns[:n], output.reals[:, :n])
        before = self._ended
        self._ended = self._begun - int(np.count_nonzero(self._games.number != IDLE))
        self._rounds += 1
        self._learn(n)
        every = self.config.target_every
        if not self.config.target_average and self._ended // every > before // every:
            self.updates.copy_to_target()

    def _learn(self, transitions: int) -> None:
        """Make the updates that are due after so many more transitions."""
        config = self.config
        if len(self.replay) < max(config.batch, config.warmup):
            return
        self._due += transitions
        updates, self._due = divmod(self._due, config.steps_per_update)
        if updates:
            self._seed(LEARNING)
            self.updates.learn(updates, self._rate("beta"), self._rate("alpha"), self._generator)

    def _seed(self, path: int) -> None:
        """Let what is drawn on the device next depend on the seed and the round alone."""
        self._generator.manual_seed(derive_seed(self.config.seed, path, self._rounds) >> 1)

    def _begin_games(self) -> None:
        """Begin a game wherever none is played, as long as the run has any."""
        idle = np.flatnonzero(self._games.number == IDLE)[: self.config.games - self._begun]
        streams = make_streams(self.config.seed, len(idle), self._begun)
        for place, stream in zip(idle.tolist(), streams, strict=True):
            number = self._begun
            begin_game(place, number, stream, self._seat(number), self._games)
            self._begun += 1

    def _seat(self, number: int) -> int:
        """Return where the learner sits in a game: 0 first, 1 second, ``BOTH``."""
        if self._specs[number % len(self._specs)] == SELF:
            return BOTH
        fixed = {"first": 0, "second": 1}.get(self.config.side)
        return number // self.config.switch_every % 2 if fixed is None else fixed

    def _choose(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return for every game the best column, and the one to play unless it is the best."""
        games = self._games
        chosen = np.empty(len(games.number), dtype=np.int64)
        draw_random(games, self._epsilon(), self._rule, chosen)
        to_move = np.bitwise_count(games.occupied).astype(np.int64) % 2
        own = (games.number != IDLE) & ((games.seat == BOTH) | (games.seat == to_move))
        best = np.zeros(len(chosen), dtype=np.int64)
        if own.any():
            self._seed(ACTING)
            best = self.updates.best_columns(games.mover, games.occupied, self._generator)
        self._ask((games.number != IDLE) & ~own, chosen)
        return best, chosen

    def _ask(self, theirs: NDArray[np.bool_], chosen: NDArray[np.int64]) -> None:
        """Let the other players choose where it is their turn and no opening move was drawn."""
        if not theirs.any():
            return
        games, geometry = self._games, self.config.geometry
        opponents = games.number % len(self._specs)
        for spec, player in self._players.items():
            named = [i for i, each in enumerate(self._specs) if each == spec]
            which = np.flatnonzero(theirs & np.isin(opponents, named) & (chosen == GREEDY))
            if len(which):
                words = (games.mover[which], games.occupied[which], games.streams[which])
                columns = player.choose_or_forfeit(PositionBatch(geometry, *words))
                chosen[which] = np.where(columns == FORFEIT, GIVEN_UP, columns)

    # Saving

    def checkpoint(self) -> Checkpoint:
        """Return the network to play with, and what it was trained with."""
        arrays = self._layout.saved(self.updates.learned, self.config.weights)
        header = {"config": self.config.plain(), "games_done": self.games_done}
        return Network(self._header, arrays).checkpoint(header)

    def state(self) -> Checkpoint:
        """Return all that is needed to go on exactly as if nothing had happened."""
        counts = {name: getattr(self, f"_{name}") for name in COUNTS}
        header = {
            "config": self.config.plain(),
            "games_done": self.games_done,
            "updates": self.updates.done,
            "added": self.replay.added,
            **counts,
        }
        tensors = self._tensors(self.replay.added)
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}
        return Checkpoint(STATE_KIND, header, {**arrays, **self._game_arrays()})

    def _tensors(self, added: int) -> dict[str, Tensor]:
        """Return what is saved of the device, with a buffer that so many were added to."""
        updates = self.updates
        vectors = {
            "learned": updates.learned,
            "target": updates.target,
            "mean": updates.mean,
            "square": updates.square,
        }
        return {**vectors, **self.replay.tensors(added)}

    def _game_arrays(self) -> dict[str, NDArray[np.generic]]:
        return {f"games_{name}": array for name, array in self._games._asdict().items()}

    def restore(self, state: Checkpoint) -> None:
        """Go on from a state whose config differs from this one in ``games`` at most."""
        games = check_state(state, STATE_KIND, self.config)
        counts = {name: saved_count(state.header, name) for name in (*COUNTS, "updates", "added")}
        tensors, boards = self._tensors(counts["added"]), self._game_arrays()
        _check_arrays(state.arrays, {**{n: t.detach() for n, t in tensors.items()}, **boards})
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(torch.from_numpy(np.array(state.arrays[name])))
        for name, array in boards.items():
            array[...] = state.arrays[name]
        self.updates.done, self.replay.added = counts.pop("updates"), counts.pop("added")
        for name, count in counts.items():
            setattr(self, f"_{name}", count)
        self.games_done = games

    def begin_from(self, checkpoint: Checkpoint) -> None:
        """Begin with the weights of a trained network that is built as this one."""
        check_kind(checkpoint, KIND)
        network = Network.from_checkpoint(checkpoint)
        own, other = self._header.model_dump(), network.header.model_dump()
        check_beginning(self.games_done, own, {**other, "reward_win": own["reward_win"]})
        with torch.no_grad():
            self._layout.fill(self.updates.learned, network.arrays)
        self.updates.copy_to_target()


COUNTS = ("begun", "ended", "rounds", "due")
"""Numbers of a learner that are saved."""


def _check_arrays(saved: Mapping[str, NDArray[np.generic]], own: Mapping[str, object]) -> None:
    for name, wanted in own.items():
        shape = tuple(getattr(wanted, "shape", ()))
        if name not in saved or saved[name].shape != shape:
            raise CheckpointError("the saved state is damaged: its arrays do not fit its settings")


def _games_a_step(config: DQNConfig, header: NetworkHeader) -> int:
    """Return the games of a step by the products that the network and its updates take."""
    products = 0
    for layer, (name, shape) in enumerate(header.shapes.items()):
        rows, columns = header.board_after(layer // 2 + 1) if name.startswith("conv") else (1, 1)
        products += int(np.prod(shape)) * rows * columns
    plies = config.geometry.cells / (1 if config.learns_both else 2)
    updates = PASSES * config.batch / config.steps_per_update
    size = games_a_step(MULTIPLICATIONS_A_STEP, plies * products * (1 + updates), config.games)
    return max(size, _round_up(config.parallel))


def _round_up(parallel: int) -> int:
    """Return a number of games that no run of so many side by side ends far beyond."""
    return games_a_step(2.0 * parallel, 1.0, 10**9)
