"""A Dreamcast for one program: an SH-4 with the instructions of its proof ROM, and what it drives.

No core that runs this console comes from a registry. The numbers of registers and bits are those
of the console's hardware; an instruction or an address that is not here raises, so that a test sees
it."""

from __future__ import annotations

import struct
from pathlib import Path

RAM, RAM_BYTES = 0x0C000000, 16 << 20
SPG_STATUS, VERTICAL_SYNC = 0x005F810C, 1 << 13
MDSTAR, MDEN, MDST = 0x005F6C04, 0x005F6C14, 0x005F6C18
PICTURE, PICTURE_BYTES = 0x05000000, 8 << 20
STATUS_READS_OF_A_BLANK = 3
_MASK = 0xFFFFFFFF


class Dreamcast:
    """The console from power on, with the program of an ELF file in its memory."""

    def __init__(self, program: Path) -> None:
        self.ram, self.picture = bytearray(RAM_BYTES), bytearray(PICTURE_BYTES)
        self.registers: dict[int, int] = {}
        self.answer = b""
        self.r, self.t, self.pr = [0xDEADBEEF] * 16, False, 0
        self.blanks = self._reads = 0
        self.pc = self._load(program.read_bytes())

    def frame(self, answer: bytes) -> None:
        """Run to the next blank, and the program's work in it; the pad says ``answer``."""
        self.answer = answer
        wanted = self.blanks + 1
        while self.blanks < wanted:
            self.step()
        # The work of this frame ends where the program waits for the blank's end.
        while self._reads == 0:
            self.step()

    def step(self) -> None:
        """Run one instruction, and with a branch the one in its delay slot."""
        at, self.pc = self.pc, self.pc + 2
        self._execute(at, self._word(at))

    def long(self, address: int) -> int:
        """The number at an address of memory, as a program sees it."""
        return self._read(address)

    def _load(self, elf: bytes) -> int:
        assert elf[:6] == b"\x7fELF\x01\x01"
        entry, headers = struct.unpack_from("<II", elf, 24)
        (count,) = struct.unpack_from("<H", elf, 44)
        for number in range(count):
            kind, offset, _, address, size = struct.unpack_from("<5I", elf, headers + 32 * number)
            assert kind == 1
            at = (address & 0x1FFFFFFF) - RAM
            assert 0x10000 <= at < RAM_BYTES - size
            self.ram[at : at + size] = elf[offset : offset + size]
        return int(entry)

    def _word(self, address: int) -> int:
        at = (address & 0x1FFFFFFF) - RAM
        return int.from_bytes(self.ram[at : at + 2], "little")

    def _read(self, address: int) -> int:
        assert address % 4 == 0, hex(address)
        at = address & 0x1FFFFFFF
        if RAM <= at < RAM + RAM_BYTES:
            return int.from_bytes(self.ram[at - RAM : at - RAM + 4], "little")
        if at == SPG_STATUS:
            return self._status()
        return self.registers[at]

    def _status(self) -> int:
        """A blank lasts some reads of the status, and so does the picture behind it."""
        self._reads = (self._reads + 1) % (2 * STATUS_READS_OF_A_BLANK)
        in_blank = self._reads < STATUS_READS_OF_A_BLANK
        self.blanks += self._reads == 0
        return VERTICAL_SYNC if in_blank else 0

    def _write(self, address: int, value: int) -> None:
        assert address % 4 == 0, hex(address)
        at = address & 0x1FFFFFFF
        data = value.to_bytes(4, "little")
        if RAM <= at < RAM + RAM_BYTES:
            self.ram[at - RAM : at - RAM + 4] = data
        elif PICTURE <= at < PICTURE + PICTURE_BYTES:
            self.picture[at - PICTURE : at - PICTURE + 4] = data
        else:
            assert 0x005F6C00 <= at < 0x005F8200, hex(address)
            self.registers[at] = value
            if at == MDST and value & self.registers[MDEN]:
                self._ask_pads()

    def _ask_pads(self) -> None:
        table = self.registers[MDSTAR]
        assert table % 32 == 0
        request, place, question, function = (self._read(table + 4 * n) for n in range(4))
        assert request == 1 << 31 | 1  # the last one, to port A, with one word behind its header
        assert (question, function) == (1 << 24 | 0x20 << 8 | 9, 1 << 24)
        assert place % 32 == 0
        for number in range(0, len(self.answer), 4):
            value = int.from_bytes(self.answer[number : number + 4], "little")
            self._write(place + number, value)
        self.registers[MDST] = 0

    def _jump(self, target: int) -> None:
        self.step()
        self.pc = target

    def _execute(self, at: int, op: int) -> None:
        r, n, m, low = self.r, op >> 8 & 15, op >> 4 & 15, op & 0xFF
        signed = (low ^ 0x80) - 0x80
        match op >> 12:
            case 0x2 | 0x3:
                self._execute_logic(op, n, m)
            case 0x4:
                self._execute_shift(n, low)
            case 0x6:
                self._execute_move(n, m, op & 15)
            case 0x7:  # add #imm, Rn
                r[n] = r[n] + signed & _MASK
            case 0x8:
                self._execute_branch(at, n, signed)
            case 0x0 | 0xA | 0xB:
                self._execute_jump(at, op)
            case 0xC:
                self._execute_low(at, n, low)
            case 0xE:  # mov #imm, Rn
                r[n] = signed & _MASK
            case _:
                self._execute_long(at, op, n, m)

    def _execute_long(self, at: int, op: int, n: int, m: int) -> None:
        disp = 4 * (op & 15)
        if op >> 12 == 0x1:  # mov.l Rm, @(disp, Rn)
            self._write(self.r[n] + disp, self.r[m])
        elif op >> 12 == 0x5:  # mov.l @(disp, Rm), Rn
            self.r[n] = self._read(self.r[m] + disp)
        else:  # mov.l @(disp, PC), Rn
            assert op >> 12 == 0xD, f"{op:04x} at {at:08x}"
            self.r[n] = self._read((at & ~3) + 4 + 4 * (op & 0xFF))

    def _execute_logic(self, op: int, n: int, m: int) -> None:
        r = self.r
        match op & 0xF00F:
            case 0x2002:  # mov.l Rm, @Rn
                self._write(r[n], r[m])
            case 0x2008:  # tst
                self.t = r[n] & r[m] == 0
            case 0x2009:  # and
                r[n] &= r[m]
            case 0x200B:  # or
                r[n] |= r[m]
            case 0x3000:  # cmp/eq
                self.t = r[n] == r[m]
            case _:
                raise AssertionError(f"{op:04x}")

    def _execute_jump(self, at: int, op: int) -> None:
        if op == 0x000B:  # rts
            self._jump(self.pr)
        elif op != 0x0009:  # bra, bsr; 9 is nop
            assert op >> 12, f"{op:04x} at {at:08x}"
            if op >> 12 == 0xB:
                self.pr = at + 4
            self._jump(at + 4 + 2 * ((op & 0xFFF ^ 0x800) - 0x800))

    def _execute_low(self, at: int, kind: int, low: int) -> None:
        if kind == 0x7:  # mova
            self.r[0] = (at & ~3) + 4 + 4 * low
        else:  # tst #imm, R0
            assert kind == 0x8, f"{kind} at {at:08x}"
            self.t = self.r[0] & low == 0

    def _execute_shift(self, n: int, low: int) -> None:
        if low == 0x0E:  # ldc Rn, SR: the bank of registers would change with bit 29
            assert not self.r[n] & 1 << 29
        elif low == 0x10:  # dt
            self.r[n] = self.r[n] - 1 & _MASK
            self.t = self.r[n] == 0
        else:  # shll, shll2, shll16
            self.r[n] = self.r[n] << {0x00: 1, 0x08: 2, 0x28: 16}[low] & _MASK

    def _execute_move(self, n: int, m: int, kind: int) -> None:
        r = self.r
        if kind in {0x2, 0x6}:  # mov.l @Rm, Rn, and with @Rm+
            value = self._read(r[m])
            r[m] += 4 * (kind == 0x6)
            r[n] = value
        else:  # mov, not, extu.b
            r[n] = {0x3: r[m], 0x7: ~r[m] & _MASK, 0xC: r[m] & 0xFF}[kind]

    def _execute_branch(self, at: int, kind: int, signed: int) -> None:
        if kind == 0x8:  # cmp/eq #imm, R0
            self.t = self.r[0] == signed & _MASK
            return
        taken = {0x9: self.t, 0xB: not self.t, 0xF: not self.t}[kind]
        target = at + 4 + 2 * signed
        if kind == 0xF:  # bf/s
            self._jump(target if taken else at + 4)
        elif taken:
            self.pc = target
