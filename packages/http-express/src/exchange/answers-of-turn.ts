/** Milliseconds for which an answer that is ready waits for others at most. */
const waitMsMax = 2

/** Answers that are ready in this turn of the event loop. */
let ready: (() => void)[] = []
let readySinceMs = 0

/**
 * Sends an answer at the end of this turn of the event loop, with all others that are ready in it. Where the reader of an
 * answer sleeps, waking it takes several times as long as the writing, and who reads several answers is woken once. An
 * answer alone waits for nothing: its turn ends with it.
 */
export function sendInTurn(send: () => void): void {
  const nowMs = performance.now()
  if (ready.length === 0) {
    readySinceMs = nowMs
    setImmediate(sendReady)
  }
  ready.push(send)
  // A turn in which much arrived may last.
  if (nowMs - readySinceMs > waitMsMax) sendReady()
}

function sendReady(): void {
  const sends = ready
  ready = []
  for (const send of sends) send()
}
