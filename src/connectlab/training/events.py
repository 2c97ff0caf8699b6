"""Scalars as TensorBoard reads them, written without TensorBoard.

An event file is a TFRecord file: for each record its length (8 bytes), the masked CRC-32C of those
bytes, the record, and the masked CRC-32C of the record; all little-endian. A record is a message
``Event`` in the wire format of Protocol Buffers:

    Event    1: wall_time (double)  2: step (int64)  3: file_version (string)  5: summary (Summary)
    Summary  1: value (Value, repeated)
    Value    1: tag (string)        2: simple_value (float)
"""

import struct
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeGuard

from connectlab.training.metrics import ProgressRow, Row

POLYNOMIAL = 0x82F63B78
"""The Castagnoli polynomial, bits reversed."""
MASK_DELTA = 0xA282EAD8

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class EventFile:
    """One event file; every call writes whole records to its end."""

    def __init__(self, path: Path, began: float) -> None:
        self.path = path
        header = _field(1, FIXED64, struct.pack("<d", began))
        header += _field(3, BYTES, b"brain.Event:2")
        self.path.write_bytes(_record(header))

    def add(self, time: float, step: int, scalars: Mapping[str, float]) -> None:
        """Add the scalars of one step; ``time`` is in seconds since 1970."""
        self.add_all([(time, step, scalars)])

    def add_all(self, events: Iterable[tuple[float, int, Mapping[str, float]]]) -> None:
        """Add many steps at once: time, step and scalars of each."""
        with self.path.open("ab") as file:
            file.write(b"".join(_record(encode_event(*event)) for event in events))


def encode_event(time: float, step: int, scalars: Mapping[str, float]) -> bytes:
    """Return the message ``Event`` for some scalars."""
    values = b"".join(
        _field(
            1,
            BYTES,
            _field(1, BYTES, tag.encode()) + _field(2, FIXED32, struct.pack("<f", number)),
        )
        for tag, number in scalars.items()
    )
    return (
        _field(1, FIXED64, struct.pack("<d", time))
        + _field(2, VARINT, _varint(step))
        + _field(5, BYTES, values)
    )


def crc32c(data: bytes) -> int:
    """Return the CRC-32C (Castagnoli) of some bytes."""
    table = _crc_table()
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def _record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + _masked_crc(length) + data + _masked_crc(data)


def _masked_crc(data: bytes) -> bytes:
    crc = crc32c(data)
    rotated = (crc >> 15 | crc << 17) & 0xFFFFFFFF
    return struct.pack("<I", (rotated + MASK_DELTA) & 0xFFFFFFFF)


@cache
def _crc_table() -> tuple[int, ...]:
    def entry(value: int) -> int:
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
        return value

    return tuple(entry(byte) for byte in range(256))


def _field(number: int, kind: int, content: bytes) -> bytes:
    """Return a field with its key; ``BYTES`` are preceded by their length."""
    length = _varint(len(content)) if kind == BYTES else b""
    return _varint(number << 3 | kind) + length + content


def _varint(number: int) -> bytes:
    """Return a number of 0 or more, seven bits a byte, the lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def scalars_of(row: Row) -> dict[str, float]:
    """Return the numbers of a row with their tags for TensorBoard."""
    found: dict[str, float | None] = {}
    if isinstance(row, ProgressRow):
        found["training/games_per_second"] = row.games_per_second
        found |= {f"training/{name}": value for name, value in row.metrics.items()}
    else:
        figures = [figure for each in row.measurements for figure in each.figures]
        for figure in reversed(figures):  # of two with one name the first stays
            low, high = figure.interval or (None, None)
            tag = f"evaluation/{figure.key}"
            found |= {tag: figure.value}
            found |= {f"{tag}_interval_low": low, f"{tag}_interval_high": high}
    return {tag: value for tag, value in found.items() if _fits(value)}


def _fits(value: float | None) -> TypeGuard[float]:
    """Whether a number can be written as a float of four bytes."""
    return value is not None and abs(value) <= 3e38
