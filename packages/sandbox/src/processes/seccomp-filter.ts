/**
 * The system calls with which a process takes memory that no limit of it counts: files in memory, memory and queues of System
 * V, message queues, rings and maps of the kernel. Numbers of x64 and arm64.
 */
const DENIED: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  io_uring_setup: [425, 425],
  perf_event_open: [298, 241],
  bpf: [321, 280],
};

/** `AUDIT_ARCH_…` of the kernel. */
const ARCHITECTURES: Readonly<Record<string, { readonly audit: number; readonly place: 0 | 1 }>> = {
  x64: { audit: 0xc000003e, place: 0 },
  arm64: { audit: 0xc00000b7, place: 1 },
};

/** Calls of x64 with addresses of 32 bits have numbers from here on. */
const X32 = 0x40000000;

const [LOAD, IF_EQUAL, IF_GREATER_OR_EQUAL, RETURN] = [0x20, 0x15, 0x35, 0x06];
const ALLOW = 0x7fff0000;
/** The call fails with ENOSYS, as on a kernel without it: libraries then go another way. */
const REFUSE = 0x00050000 | 38;

/**
 * A program of seccomp, as `bwrap --seccomp` reads it, that refuses the calls above and all of another architecture.
 * Undefined for an architecture whose numbers are not known.
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  const known = Object.hasOwn(ARCHITECTURES, architecture) ? ARCHITECTURES[architecture] : undefined;
  if (!known) return undefined;
  const tests: (readonly [code: number, value: number])[] = [
    [IF_GREATER_OR_EQUAL, X32],
    ...Object.values(DENIED).map((numbers) => [IF_EQUAL, numbers[known.place]] as const),
  ];
  const toRefusal = (index: number): number => tests.length - index;
  return Buffer.concat([
    instruction(LOAD, 4),
    instruction(IF_EQUAL, known.audit, 0, tests.length + 2),
    instruction(LOAD, 0),
    ...tests.map(([code, value], index) => instruction(code, value, toRefusal(index), 0)),
    instruction(RETURN, ALLOW),
    instruction(RETURN, REFUSE),
  ]);
}

/** @param ifTrue how many instructions are left out if the comparison holds, and `ifFalse` if it does not */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
