"""Event files, read by a second implementation that goes by the format alone."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectlab.training.display import Display
from connectlab.training.events import EventFile, crc32c, encode_event, scalars_of
from connectlab.training.folder import RunFolder, RunRecord
from connectlab.training.measurement import Figure, Measurement
from connectlab.training.metrics import Evaluation, ProgressRow
from connectlab.training.run import train
from fake_learner import FakeConfig, FakeLearner, judge


def crc_bit_by_bit(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        for bit in range(8):
            wrong = (crc ^ byte >> bit) & 1
            crc = crc >> 1 ^ (0x82F63B78 if wrong else 0)
    return crc ^ 0xFFFFFFFF


def unmask(masked: int) -> int:
    rotated = (masked - 0xA282EAD8) % 2**32
    return (rotated >> 17 | rotated << 15) % 2**32


def read_records(data: bytes) -> Iterator[bytes]:
    """Cut a TFRecord file into its records; every checksum must hold."""
    while data:
        length, length_crc = struct.unpack("<QI", data[:12])
        assert unmask(length_crc) == crc_bit_by_bit(data[:8])
        record, rest = data[12 : 12 + length], data[12 + length :]
        assert unmask(struct.unpack("<I", rest[:4])[0]) == crc_bit_by_bit(record)
        yield record
        data = rest[4:]


def read_varint(data: bytes) -> tuple[int, bytes]:
    number = shift = 0
    while True:
        byte, data = data[0], data[1:]
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, data


def read_fields(data: bytes) -> list[tuple[int, Any]]:
    """Decode one message into its field numbers and values."""
    fields: list[tuple[int, Any]] = []
    while data:
        key, data = read_varint(data)
        value: Any
        match key & 7:
            case 0:
                value, data = read_varint(data)
            case 1:
                value, data = struct.unpack("<d", data[:8])[0], data[8:]
            case 2:
                length, data = read_varint(data)
                value, data = data[:length], data[length:]
            case 5:
                value, data = struct.unpack("<f", data[:4])[0], data[4:]
        fields.append((key >> 3, value))
    return fields


def read_scalars(data: bytes) -> list[tuple[float, int, dict[str, float]]]:
    events = []
    for record in read_records(data):
        event = dict(read_fields(record))
        if 3 in event:
            assert event[3] == b"brain.Event:2"
            continue
        values = [dict(read_fields(value)) for _, value in read_fields(event[5])]
        events.append((event[1], event[2], {value[1].decode(): value[2] for value in values}))
    return events


def test_known_checksums() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4
    assert crc32c(b"") == 0


@pytest.mark.parametrize("data", [b"a", b"connectlab" * 30, bytes(range(256))])
def test_the_checksum_is_that_of_the_definition(data: bytes) -> None:
    assert crc32c(data) == crc_bit_by_bit(data)


def test_the_bytes_of_an_event() -> None:
    """Written down by hand from the wire format."""
    assert encode_event(1.5, 300, {"a": 0.5}) == (
        b"\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"  # 1: double 1.5
        b"\x10\xac\x02"  # 2: varint 300
        b"\x2a\x0a\x0a\x08\x0a\x01a\x15\x00\x00\x00\x3f"  # 5: { 1: { 1: "a", 2: float 0.5 } }
    )


def test_scalars_come_back(tmp_path: Path) -> None:
    file = EventFile(tmp_path / "events", 100.0)
    file.add(101.0, 5, {"loss": 0.25, "rate": -2.0})
    file.add_all([(102.0, 2**40, {"loss": 0.5}), (103.0, 0, {})])
    assert read_scalars((tmp_path / "events").read_bytes()) == [
        (101.0, 5, {"loss": 0.25, "rate": -2.0}),
        (102.0, 2**40, {"loss": 0.5}),
        (103.0, 0, {}),
    ]


def test_damage_is_noticed_by_this_reader(tmp_path: Path) -> None:
    EventFile(tmp_path / "events", 100.0)
    data = bytearray((tmp_path / "events").read_bytes())
    data[14] ^= 1
    with pytest.raises(AssertionError):
        list(read_records(bytes(data)))


def test_numbers_that_do_not_fit_into_four_bytes_are_left_out() -> None:
    row = ProgressRow(5, 1.0, 2.0, {"loss": float("nan"), "huge": 1e200, "fine": -3.0})
    assert scalars_of(row) == {"training/games_per_second": 2.0, "training/fine": -3.0}
    figure = Figure("winning_quota", None, (9.0, None))
    found = scalars_of(Evaluation(5, (Measurement("quota", (figure,)),)))
    assert found == {"evaluation/winning_quota_interval_low": 9.0}


def test_a_run_tells_the_same_to_both_files(tmp_path: Path) -> None:
    config = FakeConfig(games=12)
    record = RunRecord.make(config, evaluation_every=6, measures=["success"])
    with RunFolder.create(tmp_path / "run", record) as folder:
        train(folder, FakeLearner(config), judge, Display(), beside=False)
    lines = [json.loads(line) for line in folder.metrics.read_text().splitlines()]
    (file,) = folder.path.glob("events.out.tfevents.*")
    events = read_scalars(file.read_bytes())
    assert [step for _, step, _ in events] == [line["games"] for line in lines]
    rates = [s["evaluation/success_rate"] for _, _, s in events if "evaluation/success_rate" in s]
    assert rates == [line["success_rate"] for line in lines if "success_rate" in line]
    assert len(rates) == 2
    losses = [s["training/loss"] for _, _, s in events if "training/loss" in s]
    assert losses == [line["loss"] for line in lines if "loss" in line]
    assert any("training/alpha" in scalars for _, _, scalars in events)
    assert any("evaluation/success_rate_interval_low" in scalars for _, _, scalars in events)
