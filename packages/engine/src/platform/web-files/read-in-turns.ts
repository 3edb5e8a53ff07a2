import type { Socket } from 'node:net'
import { limits } from '@gateleg/domain/limits'

/** Bytes that are parsed at once: in the shortest pieces, these take a millisecond or two. */
const sliceBytes = 8 * 1024

/**
 * Has what comes on a connection handed on in slices, for some milliseconds in a turn of the event loop, whatever number of
 * connections there are. A socket hands on as much as it gets, 64 KiB or so, and Node parses that whole: ten thousand pieces
 * of an answer, or more than a thousand answers that say to wait. Nothing more is read of a connection until what it sent
 * has been handed on.
 */
export function readInTurns(socket: Socket): void {
  const slices: (Buffer | null)[] = []
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let isQueued = false
  const queue = () => {
    if (isQueued || slices.length === 0) return
    isQueued = true
    takeTurn(handOn)
  }
  const handOn = () => {
    isQueued = false
    if (socket.destroyed) {
      slices.length = 0
      return
    }
    // Who has paused it wants no more until then.
    if (socket.isPaused()) return
    const slice = slices.shift()
    if (slice !== undefined) push(slice)
    if (slices.length > 0) queue()
    else if (slice) read(0)
  }
  socket.on('resume', queue)
  socket.push = (piece: Buffer | null) => {
    if (piece === null) slices.push(null)
    else {
      for (let start = 0; start < piece.length; start += sliceBytes) {
        slices.push(piece.subarray(start, start + sliceBytes))
      }
    }
    queue()
    return false
  }
  socket._read = (size) => {
    if (slices.length === 0) read(size)
    else queue()
  }
}

const waiting: (() => void)[] = []

function takeTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(runSome)
}

/** Runs what waits, one after another, until its time in this turn of the event loop is over. */
function runSome(): void {
  const endMs = performance.now() + limits.fetchParsingMs
  do {
    // It stays until it has run, so that nothing begins a second round.
    waiting[0]?.()
    waiting.shift()
  } while (waiting.length > 0 && performance.now() < endMs)
  if (waiting.length > 0) setImmediate(runSome)
}
