import { requestsUnderWay } from './bound-pipeline.ts'

/** So many requests under way that their answers are worth sending together: fewer would wait for nothing. */
const together = 8

/** Answers that are ready in this turn of the event loop. */
let ready: (() => void)[] = []

/**
 * Sends an answer: at once, or where many requests are under way, at the end of this turn of the event loop with all others that are
 * ready in it. Each write wakes the one who reads it, which takes longer the more often it is done in between.
 */
export function sendInTurn(send: () => void): void {
  if (requestsUnderWay() < together) {
    send()
    return
  }
  if (ready.length === 0) setImmediate(sendReady)
  ready.push(send)
}

function sendReady(): void {
  const sends = ready
  ready = []
  for (const send of sends) send()
}
