/** Answers that are ready in this turn of the event loop. */
let ready: (() => void)[] = []

/**
 * Sends an answer at the end of this turn of the event loop, with all others that were ready in it: each write wakes the one
 * who reads it, which takes longer the more often it is done in between.
 */
export function sendWithTurn(send: () => void): void {
  if (ready.length === 0) setImmediate(sendAll)
  ready.push(send)
}

function sendAll(): void {
  const sends = ready
  ready = []
  for (const send of sends) send()
}
